// SPDX-License-Identifier: MIT
// What the parts of a check share: the matrix A of a pose in velocities of bodies, and words for
// directions (docs/theory/check.md).
//
// Velocities are those of the center of mass and the angular velocity, both in world axes, whatever
// the coordinates: quaternion rates are turned into angular velocities, and their rows left out.
// Angular ones are multiplied by a length, the size of the bodies, and rows have unit norm, so that
// ranks and singular values do not depend on units. Matrices are stored column by column.

#ifndef TR_CHECK_CHECK_H
#define TR_CHECK_CHECK_H

#include "base/arena.h"
#include "base/status.h"
#include "base/vec3.h"
#include "la/rrqr.h"
#include "trammel/check.h"
#include "trammel/eval.h"

#define TR_CHECK_ROWS 6     // of a joint, at most
#define TR_PART_SMALL 1e-6  // of a dependency: what is left out of it, relative

// A at one pose, scaled.
typedef struct trPose {
    trArena *arena;
    int      n, m;  // velocities of bodies; rows without those of quaternions
    int     *row;   // m: its number in the system
    double  *X;     // n x m: the rows of A as columns, scaled
    double  *norm;  // m: row = norm * column
    trRrqr   qr;    // of X
    int      rank;  // of X
    int      open;  // m - rank
    double  *N;     // m x open, row by row: X N = 0, with orthonormal columns
} trPose;

// A force and its moment about the point of a joint, over the size: six numbers.
typedef struct trWrench {
    double x[6];
} trWrench;

typedef struct trCheckWork {
    trArena        *arena;    // of the result
    trArena        *scratch;  // of what is not kept
    const trModel  *model;
    const trSystem *system;
    int             dim, nq, nv, m;
    int             bodies, each;  // coordinates count as bodies; velocities of one
    int             joints, groups, norms;
    trRowInfo      *row;    // m
    trGroupInfo    *group;  // groups
    trJointInfo    *joint;  // joints
    trEval         *eval;
    double          rank_tolerance;
    double          t;            // [s]
    double          size;         // of bodies [m]
    int             width;        // velocities of a body: 1, 3 or 6
    double         *q, *v;        // the state
    double         *dv;           // nv: memory
    double         *lambda;       // m: memory, zero between uses
    double         *mass;         // n x n: M of a system of equations (massless.c)
    trVec3         *point;        // joints: where it acts
    trPose          here, there;  // the start, and the pose of highest rank along the motion
    double         *q_there;      // nq
    double          t_there;      // [s]
    trCheck        *out;
    trFinding      *found;
    int             found_room;
} trCheckWork;

// --- pose.c ---

trStatus tr_check_memory(const trCheckWork *work);  // of both arenas
trStatus tr_check_evaluate(trCheckWork *work, double t, const double *q);
// Evaluates there; finds work->point.
trStatus    tr_check_points(trCheckWork *work, double t, const double *q);
trVec3      tr_check_center(const trCheckWork *work, int body);          // of mass
double      tr_check_arm(const trCheckWork *work, int joint, int body);  // between the two [m]
const char *tr_check_body(const trCheckWork *work, int body);            // its name
bool        tr_check_is_norm(const trCheckWork *work, int group);        // of a quaternion
// From principal axes to the world, and P of tr_eval_turning (12 numbers).
trMat3 tr_check_turn(const trCheckWork *work, int body, double *P);
// A as columns, at what was evaluated last.
trStatus tr_pose_fill(trCheckWork *work, trArena *arena, trPose *out);
trStatus tr_pose_at(trCheckWork *work, trArena *arena, const double *q, trPose *out);  // at work->t
trStatus tr_pose_factor(trCheckWork *work, trPose *pose);                              // rank and N
// Of `count` rows alone, `which` of the pose.
trStatus tr_pose_factor_some(const trPose *pose, int count, const int *which, double tolerance,
                             trRrqr *out);
// The largest |phi| of rows of positions, as a displacement: of all, or of those of joints that
// nothing drives.
double tr_pose_gap(const trCheckWork *work, const trPose *pose, bool passive);
// L = N c for rows as they are (m of the system), so that A' L = 0. Parts of N c up to the
// tolerance are left out.
void tr_pose_loads(const trPose *pose, double tolerance, const double *c, double *L);
// Null vectors of X (rows x columns), each of a column that depends on kept ones and of these, in
// `null` (columns x open), which is taken from the arena. Returns through `qr` rank and pivots.
trStatus tr_find_circuits(trArena *arena, trRrqr *qr, double tolerance, double **null);
// Velocities in the directions of v from scaled ones x (n).
void tr_check_unscale(const trCheckWork *work, const double *x, double *dv);

// --- motion.c ---

// The rank at poses along the motion: work->there, and what the result says about it.
trStatus tr_check_motion(trCheckWork *work);
// Puts q on the rows that hold positions, or of them on those of `rows` (m; may be NULL); *done
// says whether it came to rest on all of them.
trStatus tr_check_settle(trCheckWork *work, const bool *rows, double *q, bool *done);

// --- wrenches at joints (wrench.c) ---

bool     tr_check_is_passive(const trCheckWork *work, int group);  // a joint without a drive
trWrench tr_check_wrench(trCheckWork *work, int joint, const double *L);
// Orthonormal columns that span `count` columns (6 numbers each), in place; returns how many.
int    tr_span6(int count, trWrench *w);
int    tr_span3(int count, trVec3 *x);
trVec3 tr_wrench_force(const trWrench *w);
trVec3 tr_wrench_moment(const trWrench *w);
// All that the joint can bear; returns the number.
int tr_check_bearing(trCheckWork *work, int joint, trWrench out[TR_CHECK_ROWS]);

// --- words.c ---

typedef enum trWordFor { TR_WORDS_MOTION, TR_WORDS_LOAD } trWordFor;

// `count` wrenches at a joint, orthonormal, in words and as directions.
trDirections tr_check_directions(trCheckWork *work, int joint, int count, const trWrench *w,
                                 trWordFor what);
// "x", "crank0 (its x axis)", "(0.6, 0.8, 0)"; of directions at a joint.
const char *tr_check_axis(trCheckWork *work, int joint, trVec3 axis, bool force);
// The axis of a hinge, a slider, ...: about which it bears no moment, or along which no force.
// False: it has none.
bool tr_check_joint_axis(trCheckWork *work, int joint, trVec3 *out);
// The body that moves most in x (n, scaled), and how.
trCheckMotion tr_check_describe(trCheckWork *work, const double *x);
// Whether (v, omega) is more than a translation.
bool        tr_check_turns(const trCheckWork *work, const double twist[6]);
const char *tr_check_kind(const trCheckWork *work, int joint);
// Which equations of a constraint of the user's own a group of rows holds, "equations 3 to 4";
// NULL: all of them.
const char *tr_check_equations(trCheckWork *work, int group);

// --- balance.c ---

// Loads N c that balance each other within the same joints, with as few of them as possible.
typedef struct trBalance {
    int     count;  // of independent ones
    double *c;      // count x pose->open, orthonormal
    bool   *in;     // groups: those that take part
} trBalance;

// Splits all N c of a pose, in the order of joints in the model: first the loads of the first
// joints. `tolerance`: below it a joint takes no part, relative.
trStatus tr_check_balances(trCheckWork *work, const trPose *pose, double tolerance, int *count,
                           trBalance **out);

// --- a joint as a list of directions that it blocks, each of which may be freed (fixable.c) ---

typedef struct trBlocked {
    trWrench w;        // a unit force or a unit moment
    bool     moment;   // a rotation
    bool     natural;  // a rotation, or a translation along the joint's axis
} trBlocked;

typedef struct trFixable {
    int       joint;  // a group of rows
    int       count;  // directions
    trBlocked direction[TR_CHECK_ROWS];
    bool      typed;  // the directions say its kind; else it can only be removed as a whole
    unsigned  freed;  // bits: of `direction`
} trFixable;

// The directions of a joint, those first that `count` loads L use.
void tr_fixable(trCheckWork *work, int joint, int count, const double *const *L, trFixable *out);

// The kind that blocks the directions which are not in `freed`; NULL: there is none. "" if it
// blocks nothing.
const char *tr_fixable_kind(const trCheckWork *work, const trFixable *joint, unsigned freed);

// "free rotation about x and y in joint 'D': use a spherical instead of the revolute"
trStatus tr_fixable_words(trCheckWork *work, const trFixable *joint, trCheckFix *out);

// --- findings of one kind each ---

// What a set is made of.
typedef struct trSetColumns {
    const double **L;   // redundancy: for all rows of the system
    bool          *in;  // groups: those that take part
} trSetColumns;

trStatus tr_check_sets(trCheckWork *work);  // sets.c
// What to free, for all sets of a pose at once, as they may share joints (fixes.c).
trStatus tr_check_fixes(trCheckWork *work, const trPose *pose, int sets, trCheckSet *set,
                        const trSetColumns *columns);
trStatus tr_check_massless(trCheckWork *work);   // massless.c
trStatus tr_check_near(trCheckWork *work);       // massless.c
trStatus tr_check_immobile(trCheckWork *work);   // immobile.c
trStatus tr_check_loads(trCheckWork *work);      // loads.c
trStatus tr_check_gaps(trCheckWork *work);       // gaps.c
trStatus tr_check_plausible(trCheckWork *work);  // plausible.c

// Adds a finding; texts are copied or constant.
trStatus tr_check_find(trCheckWork *work, trSeverity severity, const char *topic, const char *part,
                       const char *reason, const char *remedy);

#endif
