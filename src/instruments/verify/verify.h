// SPDX-License-Identifier: MIT
// A verification: the system rebuilt from the model text of a result file, one row of it at a time.
//
// What is compared is a *deviation* with the *size* of the terms that it is made from: the larger
// of the two decides what rounding explains. Each kind of comparison keeps the worst of every row;
// what is allowed is decided at the end, from all rows (judge.c).

#ifndef TR_VERIFY_VERIFY_H
#define TR_VERIFY_VERIFY_H

#include "system/system.h"
#include "trammel/result.h"
#include "trammel/verify.h"

#define TR_VERIFY_KEPT 1000  // findings, and candidates of each kind
#define TR_VERIFY_WINDOW 9   // rows between which continuity is judged
#define TR_VERIFY_NOTES 8
#define TR_SHARP 1e-11  // stated errors of formulations up to this are rounding

// A deviation; `name` and the rest make "body 'rod': force along x".
typedef struct trDeviation {
    double      off, size;
    const char *unit;
    const char *role, *name, *detail;
    double      slack;  // of `off`, explained whatever the size
    double      ratio;  // (off - slack) / size
} trDeviation;

typedef struct trCandidate {
    long        row;
    double      time;
    trDeviation deviation;
} trCandidate;

// All that is known of one kind.
typedef struct trSeen {
    long         rows;       // compared
    double      *ratio;      // rows of the file: the worst of each
    int          count;      // of candidates
    trCandidate *candidate;  // TR_VERIFY_KEPT, a heap: the least first
    trDeviation  now;        // the worst of the present row
    bool         any;        // something was compared in the present row
} trSeen;

// Where columns stand.
typedef struct trLayout {
    int per_body, per_load;  // columns of a body, of a joint or force
    int body, frame, joint, force, state, lambda, energy, violation;
    int quantities;  // length, angle and perhaps other
    int columns;
} trLayout;

// Positions with their rates, or what has a rate alone, in one row: see rests.c.
typedef struct trTracks {
    double  t;        // [s]
    double *p, *dp;   // tracks
    double *ddp;      // tracks; of W nothing
    bool    steady;   // second rates of extra states are known
    bool    regular;  // rows of A are independent there
    double  energy;   // T + V - W [J]
} trTracks;

// The largest numbers of a row: rounding of anything is relative to them, at worst.
typedef struct trScales {
    double q, v, a;  // lengths and angles alike, by arms of at least 1 m
    double length;   // of positions [m]
    double rate;     // of velocities, as they are
    double energy;
    double force, moment;  // of the body with the largest sums; of coordinates both are the same
} trScales;

// The times that the run was asked for, as far as it noted them: see times.c.
typedef struct trPlanned {
    bool      known;
    double    start, last, sample;  // [s]
    double    slack;                // [s]
    double    count, offset;        // rows of the run, and of them before the first of the file
    trNumbers times;                // in place of `sample`
} trPlanned;

// M a - loads - reactions of one body, in the axes of its equations: those of the world for forces,
// principal axes for moments.
typedef struct trBalance {
    double rest[6], size[6];  // the planar body has 3
    double slack[6];
    double force, moment;  // sums of the lengths of all vectors [N], [N m]
    double arm;            // from the center of mass to the farthest joint [m]
    double loads;          // how many
    bool   varies;         // a load of a force was evaluated
    bool   untold;         // and has no column that could stand in its place
    double told[6];        // what `rest` gains where loads of forces are those of the columns
    double told_moment;    // what `moment` gains then
} trBalance;

// Hears every deviation as it is compared, before anything is judged: for tests of what a
// verification can see. Those between rows belong to a row a few before. And hears before and after
// the model text of the file runs, for the command's watchdog. Each may be NULL.
typedef struct trListener {
    void (*hear)(void *to, trVerifyKind kind, long row, const trDeviation *deviation);
    void *to;
    void (*load)(void *to, bool begins);
} trListener;

typedef struct trVerifier {
    trArena        *arena;
    trResult       *result;
    trModel        *model;
    trSystem       *system;  // bodies in coordinates "body", whatever the model says
    trVerification *out;
    trListener      listener;
    trLayout        layout;
    trEval          eval, nudged;  // at the row, and a little beside it
    double          nudge;         // relative
    double         *change;        // nv: of Q by a nudge, as tr_recall keeps it
    double         *force_change;  // 2 of each varying force: of its force and moment, likewise
    double          V_change;      // of the potential, likewise
    double          stated;        // error of multipliers that the formulation states, relative
    double          penalty;       // that was given; 0: none
    double          penalty_size;  // else: times weights of rows; 0: the method has none
    double         *alpha;         // m: the penalty of each row
    double         *gapped;        // nv: what rounding makes of loads by it
    double          accuracy;      // of the integration from row to row, relative
    double          absolute;      // the same in the units of coordinates
    double          kept;          // and of further states, with any integrator
    long            index;         // of the row
    const double   *row;           // columns
    double         *q, *v, *a;     // nq, nv, nv: of centers of mass
    trScales        scale;         // of the row
    double          recalled[2];   // its force and moment, as tr_recall keeps them
    double         *z_ddot;        // states: rates of z' along the motion
    double         *z_beside;      // 2 of each state: memory
    bool            z_steady;      // z_ddot could be found at the row
    double          spacing;       // of rows, about [s]
    double         *before;        // nq + nv: the row before
    double          t_before;      // [s]
    double         *turn_rate;     // 2 of each angle that counts turns [rad/s]
    double         *turn_near;     // of each: memory [rad]
    double         *beside;        // nq + nv: memory
    double         *lambda;        // m: of recorded rows; of joints as far as their loads tell
    double         *work;          // m: memory
    double         *work2;         // m, and 2 nq: memory
    double         *sizes;         // m: memory
    double         *rate;          // m: A v - b1
    double         *rate_size;     // m: sum of the sizes of its terms
    double         *parts;         // nv: accelerations that loads make before they cancel
    double         *cancelled;     // m: sum of the parts that a row of A takes
    double         *differences;   // 4 m: phi beside the row
    double         *dense;         // m x nv: memory; NULL where that would be too much
    trBalance      *balance;       // bodies
    double          violation[6];  // largest stored ones, of each column
    trPlanned       planned;
    double          power;  // of what W is the integral of [W]
    int             tracks, smooth;
    trTracks        window[TR_VERIFY_WINDOW];  // a ring
    int             first, filled, judged;     // its first row; rows in it, and of them judged
    long            first_row;                 // in the file
    trSeen          seen[TR_VERIFY_KINDS];
    double         *altered;     // columns: memory; NULL: not looked for
    double         *felt;        // columns x kinds: the largest ratio that an altered column makes
    bool            quaternion;  // the model says "quaternion"
    bool            steady;      // the nudged one could be evaluated
    bool            uncounted;   // periods of counted angles were chosen, not followed
    bool            soft;        // accelerations need not satisfy A a = b to rounding
    bool            loose;       // a and lambda need not satisfy M a + A' lambda = Q + C
    bool            regular;     // rows of A are independent at the row, as far as that is known
    bool            fragile;     // the row where the run failed: A a = b is not judged
} trVerifier;

// --- verify.c ---
// As tr_verify. `listener` may be NULL.
trStatus tr_verify_aloud(const char *path, const trVerifyOptions *options,
                         const trListener *listener, trVerification **out) TR_MUST_CHECK;

// --- rebuild.c ---
trStatus tr_verify_rebuild(trVerifier *verifier, const char *path);
void     tr_verify_note(trVerifier *verifier, const char *text);

// --- judge.c ---
trStatus tr_seen_plan(trVerifier *verifier);
void     tr_see(trVerifier *verifier, trVerifyKind kind, trDeviation deviation);
void     tr_seen_row(trVerifier *verifier);  // the present row is complete
void     tr_seen_row_at(trVerifier *verifier, trVerifyKind kind, long row, double t);
trStatus tr_judge(trVerifier *verifier);

// --- state.c ---
// q, v, a of centers of mass from the columns; false if a number is not finite.
bool tr_verify_state(trVerifier *verifier);
// Evaluates there, and beside it.
trStatus tr_verify_eval(trVerifier *verifier);
// The same at columns altered for trial: the row before stays what it was.
trStatus tr_verify_eval_altered(trVerifier *verifier);

// --- turns.c ---
trStatus tr_turns_plan(trVerifier *verifier);
// Angles that count turns from the row before to this one, before it is evaluated.
void tr_follow_turns(trVerifier *verifier);

// --- times.c ---
trStatus tr_times_plan(trVerifier *verifier);
void     tr_verify_times(trVerifier *verifier);
// A setting that the run noted.
double tr_verify_setting(const trVerifier *verifier, const char *key, double otherwise);

// --- pose.c ---
trStatus tr_pose_plan(trVerifier *verifier);
bool     tr_pose_is_regular(trVerifier *verifier);

// What one nudge changes may be nothing by chance, in the direction of a spring that does not feel
// it: rows before are remembered, less and less.
double tr_recall(double *memory, double change);

// --- unseen.c: columns that enter no equation ---
trStatus tr_unseen_plan(trVerifier *verifier);
void     tr_unseen_row(trVerifier *verifier);  // after the row was compared
trStatus tr_unseen_end(trVerifier *verifier);  // after everything was judged

// --- comparisons of one row, at what was evaluated ---
void tr_verify_bodies(trVerifier *verifier);     // balance.c
void tr_verify_penalty(trVerifier *verifier);    // penalty.c: before the two above and below
void tr_verify_equations(trVerifier *verifier);  // equations.c: systems of the user's own
void tr_verify_reactions(trVerifier *verifier);  // reactions.c
void tr_verify_levels(trVerifier *verifier);     // levels.c
void tr_verify_rates(trVerifier *verifier);      // levels.c; leaves the evaluation elsewhere
void tr_verify_columns(trVerifier *verifier);    // columns.c: frames, forces, quaternions
void tr_verify_energy(trVerifier *verifier);     // energy.c

// --- rests.c: what is left open between rows ---
typedef struct trRest {
    double off, explained;
} trRest;
// Row i of those in the window, from 0.
const trTracks *tr_tracks_at(const trVerifier *verifier, int i);
// Whether four rows from i on are equally far apart.
bool tr_tracks_are_even(const trVerifier *verifier, int i);
// By how much track k of row i is off, by the rule that fits it.
trRest tr_track_rest(const trVerifier *verifier, int i, int k);

// --- motion.c: between rows ---
trStatus tr_motion_plan(trVerifier *verifier);
void     tr_motion_row(trVerifier *verifier, bool usable);
void     tr_motion_end(trVerifier *verifier);

// What a formulation states of its multipliers counts where nothing better is known of them; of C,
// which is made from them, nothing is.
static inline bool tr_states_error(const trVerifier *V) {
    return V->stated > TR_SHARP && (V->penalty_size == 0.0 || V->quaternion || V->eval.C != NULL);
}

// Everything that one row is compared with (verify.c).
void tr_verify_compare(trVerifier *verifier);

// The load of a joint on its body 2 as it is stored, in world axes, and the point that its moment
// is about.
trLoad3 tr_stored_reaction(const trVerifier *verifier, int joint, trVec3 *point);
// And that on its body 1, which follows from it, about the same point.
trLoad3 tr_opposite_reaction(const trVerifier *verifier, int joint, const trLoad3 *load,
                             trVec3 point);
// Center of mass, its velocity and the angular velocity of a body or ground, at the row.
trVec3 tr_verify_center(const trVerifier *verifier, int body);
trVec3 tr_verify_velocity(const trVerifier *verifier, int body, trVec3 *omega);
trVec3 tr_columns3(const double *x);

#define TR_NUDGED 2e-15       // of what changes where the state is nudged, relative to the nudge
#define TR_ROUNDING 1.11e-16  // of one operation, relative

// Roundings from columns to a term of an equation and back, on both sides: of the run, which wrote
// the columns, and of the verification. Counted in docs/theory/verify.md.
#define TR_ROUNDINGS_LEVEL 30.0    // a row of phi or A v - b1
#define TR_ROUNDINGS_BALANCE 80.0  // a load on a body; besides, two for each load of the sum

#endif
