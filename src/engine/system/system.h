// SPDX-License-Identifier: MIT
// A model compiled: index maps, the pattern of A, the mass matrix, the initial state. What q and v
// of a body are is said by the system's space (space.h).

#ifndef TR_SYSTEM_SYSTEM_H
#define TR_SYSTEM_SYSTEM_H

#include "model/model.h"
#include "system/equations.h"
#include "system/space.h"
#include "system/traced.h"
#include "trammel/eval.h"
#include "trammel/system.h"

struct trSystem {
    trArena       *arena;
    const char    *name;
    const trSpace *space;
    int            bodies, joints, forces;
    int            frames;
    const trBody  *body;   // bodies
    const trFrame *frame;  // frames
    // joints, then the rows that hold quaternions together, then recorded groups, all as joints
    const trJoint *joint;
    int            norms;           // rows of quaternions
    int            recorded;        // recorded rows, the last of all
    int            constraints;     // that have them
    const int     *constraint_row;  // constraints + 1: their first rows
    const trForce *force;           // forces; those that never change stand last
    int            varying;         // forces that may change
    const int     *force_index;     // forces: where each of the model stands among them
    const trForce *remembering;     // one whose function cannot be saved, or NULL
    double        *Q0;              // nv: the sum of those that do not
    int            nq, nv, m;
    bool           dense;    // M is not a constant diagonal
    double        *mass;     // nv: the diagonal of M
    trRows         pattern;  // of A; its value pointer is NULL
    int            values;   // numbers in the blocks of A
    // joints: where the blocks of their bodies start among the values, or -1 for ground
    int (*side)[TR_JOINT_BODIES];
    bool               *holonomic;    // m
    int                *measure;      // nv: equal numbers, equal units; 0: angles
    int                *row_joint;    // m: which joint a row belongs to
    const char        **row_unit;     // m: of phi; of psi times a second
    int                 turns;        // angles that count turns, of joints and forces
    int                 counts;       // joint variables that are counted angles
    int                *joint_turn;   // joints: its first one
    int                *force_turn;   // forces: its first one
    int                *joint_count;  // joints: its first one
    double             *q0, *v0;      // nq, nv: initial state as the model gives it
    int                 inputs;
    const trModelInput *input;        // inputs
    int                 states;       // further states z
    const trModelState *state;        // states
    double             *z0;           // states
    const char         *mass_origin;  // where a recorded M was described, or NULL
    const char        **unit;         // of coordinates of the user's own, bodies; else NULL
    trTracedSystem     *traced;       // what users recorded, or NULL
    int                 breaks;       // instants at which a function of time changes its formula
    const double       *break_time;   // breaks, increasing [s]
};

// A counted angle among the joint variables, at the last accepted state.
typedef struct trCount {
    double value, rate;  // [rad], [rad/s]
    double t;            // [s]
} trCount;

// From rates of a quaternion to the angular velocity; see quaternion.c.
typedef struct trLift {
    double P[3][4];
    double k;  // [1/s]
    trVec3 W;  // [rad/s]
} trLift;

// The equations at one instant, and what they are made from.
struct trEval {
    const trSystem *system;
    trEquations     equations;
    trMotion2      *motion2;    // planar: bodies + 1; the first is ground, body i stands at i + 1
    trMotion3      *motion3;    // spatial: likewise
    trLift         *lift;       // quaternion space: bodies
    double         *M;          // nv x nv where M is not a constant diagonal, else NULL
    double         *narrow;     // quaternion space: blocks of one joint for (v, W)
    double         *value;      // of A
    double         *Q;          // nv
    double         *b, *b1;     // m
    double         *phi;        // m
    double         *row_scale;  // m
    bool           *spare;      // m
    double         *row_size;   // m: 1, but for recorded rows the largest entry of A
    double         *ground;     // where the blocks of ground go
    bool            counting;   // a state has been accepted
    double         *near;       // turns: at the last accepted state [rad]
    double         *turn;       // turns: at this instant [rad]
    trCount        *count;      // counts
    trEnds         *ends;       // varying forces: at this instant
    trEnds         *ends_near;  // varying forces: at the last accepted state
    double          potential;  // [J]
    double          power;      // of forces without potential [W]
    int             undefined;  // a force that has no value in this pose, or -1
    int             refused;    // one that had none since the last accepted state, or -1
    const char     *refusal;    // and why
    double          t;          // the instant [s]
    double         *q;          // nq: the positions; with t they decide whether M and A are new
    double         *v;          // nv: and these, where A depends on them
    // what users recorded:
    const double *z;       // states: further states, set by the caller before an evaluation
    double       *z_dot;   // states
    double       *C;       // nv: the non-ideal part if it depends on lambda; else NULL
    double       *input;   // of the programs
    double       *slot;    // of the program
    double       *slot_C;  // of the program for C
    double       *u;       // inputs of the system, which the simulation sets
    // forces computed in C (functions.h):
    struct trFunctionWork *function_work;
    int                    failed;   // the first force whose function failed, or -1
    int                    failure;  // and what it returned
    struct trSolver       *solver;   // of a handle of trammel/eval.h (eval/solver.h); else NULL
};

// Of the bodies of a joint, planar or spatial.
typedef union trMotions {
    const trMotion2 *flat[TR_JOINT_BODIES];
    const trMotion3 *solid[TR_JOINT_BODIES];
} trMotions;

// Of mass; ground: the origin.
static inline trVec3 tr_eval_center(const trEval *e, int body) {
    return e->motion2 == NULL ? e->motion3[body + 1].r
                              : (trVec3){e->motion2[body + 1].r.x, e->motion2[body + 1].r.y, 0.0};
}

static inline trMotions tr_eval_motions(const trEval *e, const trJoint *joint) {
    trMotions m = {{NULL}};
    for (int k = 0; k < joint->bodies; k++) {
        if (e->motion2 != NULL) {
            m.flat[k] = e->motion2 + joint->body[k] + 1;
        } else {
            m.solid[k] = e->motion3 + joint->body[k] + 1;
        }
    }
    return m;
}

// The rows of one joint by themselves, in the velocities that joints know, with blocks for ground.
typedef struct trJointAlone {
    double J[TR_JOINT_BODIES][6 * TR_JOINT_ROWS];
    double phi[TR_JOINT_ROWS], b1[TR_JOINT_ROWS], b[TR_JOINT_ROWS];
    double turn[TR_JOINT_TURNS];  // [rad]
} trJointAlone;

// `near`: turns of the joint.
void tr_joint_alone(const trJoint *joint, double t, const trMotions *m, const double *near,
                    trJointAlone *out);

// What stands in for the constraint of a recorded row.
static inline const trJoint *tr_system_recorded(const trSystem *s, int row) {
    return &s->joint[s->row_joint[s->m - s->recorded + row]];
}

trStatus tr_system_find_breaks(trSystem *system);
// `body`: those of the system, while it is built (spins.c).
trStatus tr_enlarge_free_spins(trSystem *system, trBody *body);
// The same in the plane; `arm`: bodies, zeros (spins_planar.c).
void tr_enlarge_planar_spins(trSystem *system, double *arm, trBody *body);

trStatus tr_eval_plan(trArena *arena, const trSystem *system, double rank_tolerance, trEval *out);

// Fills everything at (t, q, v). TR_NOT_FINITE if a number is not finite: by the name of the joint
// or force that made it (a function of the user's), or because the state itself is beyond all
// bounds. The same for a force that is undefined in this pose, once a state has been accepted: an
// assembly may begin in such a pose.
trStatus tr_system_eval(const trSystem *system, double t, const double *q, const double *v,
                        trEval *eval);

// TR_NOT_FINITE, by name, if a force is undefined at the instant evaluated last.
trStatus tr_eval_defined(trEval *eval);
// TR_E_SIMULATION in the same words, if a state since the last accepted one was refused for that.
trStatus tr_eval_repeat_refusal(const trEval *eval, double t);

// TR_NOT_FINITE, by name, if the ends of a force that needs the direction of their line meet at the
// instant evaluated last, or have passed through each other since the last accepted state.
trStatus tr_eval_check_ends(const trEval *eval);

// TR_E_MODEL, by name, if the axes of a spatial gear are not fixed in one common body that does not
// turn, at the instant evaluated last (gears.c).
trStatus tr_eval_check_gears(const trEval *eval);

// The load of force i, in the order of the system, on its body 2 at the instant evaluated last:
// force, and moment about the center of mass, in world axes.
trLoad3 tr_eval_force(const trEval *eval, int i);
// What it does at that instant.
trForceOut tr_eval_force_out(const trEval *eval, int i);

// Marks a row as spare, or as one that may be kept again.
void tr_eval_spare(trEval *eval, int row, bool spare);

// --- angles that count turns (turns.c) ---

// Most that one may turn within a step: half of two full turns is the limit, and a margin is left.
// Angles that repeat after one turn have half of it.
#define TR_MOST_TURN 5.0  // [rad]

// TR_NO_CONVERGENCE, by name, if an angle has turned too far since to be counted. At the start any
// angle is as good.
trStatus tr_eval_check_turns(const trEval *eval);
// The largest speed at which bodies with a counted angle turn at the instant evaluated last, and
// which one it is; 0 without any. That of angles that repeat after one turn counts twice. [rad/s]
double tr_eval_turn_speed(const trEval *eval, int *turn);
// TR_NO_CONVERGENCE, by name, if that is too fast for steps h. [s]
trStatus tr_eval_check_turn_speed(const trEval *eval, double h);
// TR_NO_CONVERGENCE in words: this angle turns too far to be counted.
trStatus tr_system_refuse_turn(const trSystem *system, double t, int turn);

// --- joint variables (variables.c) ---

// TR_E_ARGUMENT for numbers out of range.
trStatus tr_variable_check(const trSystem *system, int joint, int variable);
// The row of a variable at the instant evaluated last; phi counts turns.
void   tr_variable_row(const trEval *eval, int joint, int variable, trJointAlone *out);
double tr_variable_rate(const trEval *eval, int joint, const trJointAlone *row);
// The instant evaluated last was accepted: angles are counted from here.
void tr_eval_count(trEval *eval);

// Of the state evaluated last. [J]
double tr_eval_kinetic(const trEval *eval, const double *q, const double *v);

// --- recorded functions (traced_eval.c, traced_check.c) ---

trStatus tr_traced_plan(trArena *arena, const trSystem *system, trEval *eval);
// Runs the program at (t, q, v, eval->z) and puts the rows where they belong, and M, Q and z'.
void       tr_traced_eval(const trSystem *system, double t, const double *q, const double *v,
                          trEval *eval);
trForceOut tr_traced_load(const trEval *eval, int force);
// A result of the program, by its number among the outputs.
static inline double tr_traced_result(const trEval *e, int output) {
    return e->slot[e->system->traced->program.output[output]];
}

// Puts "file:12: " before the error text, unless `origin` is NULL.
trStatus tr_blame_origin(trStatus status, const char *origin);
// The non-ideal force of coordinate i is not a finite number.
trStatus tr_blame_nonideal(const trSystem *system, double t, int i);
// Puts "file:12: mass: " there.
trStatus tr_blame_mass(trStatus status, const trSystem *system);
// TR_OK if all is finite and M symmetric; else who is to blame.
trStatus tr_traced_check(const trSystem *system, double t, const trEval *eval);
// TR_E_MODEL if the energy of a system of the user's own is not T + V at the state evaluated last.
trStatus tr_eval_check_energy(const trEval *eval);
// TR_E_MODEL, with the direction, if the mass of a system of the user's own is negative in one.
trStatus tr_eval_check_mass(const trEval *eval);
// The non-ideal part C from lambda (m), at the state evaluated last.
trStatus tr_eval_nonideal(trEval *eval, const double *lambda);

// The rows of a constraint of the user's own, from `first` on; 0 if there is no such constraint.
int tr_system_constraint_rows(const trSystem *system, int constraint, int *first);
// Whether all coordinates are in m and rad. Energies are in J then, and multipliers in N or N m
// where their rows are in m or rad; nothing is claimed elsewhere.
bool        tr_system_is_si(const trSystem *system);
const char *tr_system_multiplier_unit(const trSystem *system, int row);

// Coordinates as a whole.
void tr_system_rate(const trSystem *system, const double *q, const double *v, double *q_dot);
// v with the nearest rates to q_dot.
void tr_system_pull(const trSystem *system, const double *q, const double *q_dot, double *v);
void tr_system_retract(const trSystem *system, const double *dv,
                       double *q);  // q moves by dv
// How much of a step dv Newton's method may take, at most 1. Far from the constraints a full step
// of a spatial body may turn it by several turns; its linear model holds for a part of one.
double tr_system_reach(const trSystem *system, const double *dv);
void   tr_system_compose(const trSystem *system, const double *dq, double *x);  // x, then dq
void   tr_system_x_rate(const trSystem *system, const double *x, const double *v, double *x_dot);
// How much an error of each number of (q, v, z) counts; see space.c.
void tr_system_weights(const trSystem *system, double *weight);

// A frame from the state of its body's frame, and its acceleration.
trBodyState    tr_frame_state(const trFrame *frame, const trBodyState *body);
trAcceleration tr_frame_acceleration(const trFrame *frame, const trBodyState *body,
                                     const trAcceleration *a);

// The load of a joint on body 1 (side 1) or body 2 (side 2): force and moment about the joint's
// reaction point, which is returned, in world axes.
trLoad3  tr_system_reaction(const trEval *eval, int joint, int side, const double *lambda,
                            trVec3 *point);
trStatus tr_reaction_check(const trSystem *system, int joint);
// The load on body 2 as results give it: where the joint says `report`, at the origin of that frame
// and in its axes.
trLoad3 tr_system_report(const trEval *eval, int joint, const double *q, const double *v,
                         const double *lambda, trVec3 *point);

#endif
