// SPDX-License-Identifier: MIT
// A simulation: state, chosen methods, memory. Everything is planned by tr_sim_create.
//
// The state is x = (q, v, z, W): positions, velocities, further states of a user's own, and the
// work W of drivers and of forces without potential, so that T + V - W stays constant.

#ifndef TR_SIM_SIM_H
#define TR_SIM_SIM_H

#include "carry/carry.h"
#include "eval/solver.h"
#include "formulation/row_exchange.h"
#include "integrator/integrator.h"
#include "projection/projection.h"
#include "sim/column_list.h"
#include "sim/def.h"
#include "stabilization/stabilization.h"
#include "system/tangent.h"

#define TR_RANK_CHANGES_KEPT 64
#define TR_FORCED_KEPT 64
#define TR_WARNINGS_KEPT 4
#define TR_VIOLATION_LEVELS 3

// Which rows are to be recorded, and where they go.
typedef struct trOutput {
    trRecorder *recorder;             // NULL: nowhere
    int64_t     next;                 // index of the next output time
    int64_t     count;                // of output times
    double      first, sample, last;  // regular ones [s]
    double      latest;               // of rows handed over [s]
    trNumbers   times;                // or given ones
    bool        running;              // a run has begun, and neither ended nor failed
    int64_t     rows;                 // handed over
    uint64_t    mark;                 // of them (record/mark.h)
    double      cpu_begun;            // on the clock [s]
} trOutput;

// (1 - gamma J)^-1 for methods that own their step (owner.c).
typedef struct trOwned {
    trNewtonMatrix matrix;
    double         gamma;   // [s]
    double        *a;       // nv: accelerations where J is made
    double        *q;       // nq: positions where it is used
    trSwing        swing;   // of the mechanism since
    double        *p;       // nv: memory
    double        *w;       // nv + m + nz: memory
    int            dodges;  // in a row, of singular poses
} trOwned;

// What a run is warned of (watch.c).
typedef enum trAlarm {
    TR_ALARM_MOVED,     // a body, by the assembly
    TR_ALARM_GROWTH,    // of energy, exponential
    TR_ALARM_STIFF,     // equations
    TR_ALARM_COLLAPSE,  // of the step size
    TR_ALARM_SWINGING,  // of multipliers from step to step
    TR_ALARM_OPEN,      // joints or constraints, far more than rounding
    TR_ALARMS,
} trAlarm;

#define TR_GRAINS 12  // factors by which growth is followed (growth.c)

typedef struct trGrowth {
    double level;                  // the largest T so far [J], ...
    double time;                   // ... and when it was looked at last [s]
    double mark;                   // the last grain that it has passed [J]
    double passed[TR_GRAINS + 1];  // when it passed that and those before [s]
    int    count;                  // of these
    int    off;                    // of these in a row with T + V - W off, ...
    int    unbalanced;             // ... most of them when the alarm was given
} trGrowth;

typedef struct trWatch {
    int      column[TR_ALARMS];  // of v; nv: of none; -1: there is no such alarm
    double   time[TR_ALARMS];    // when it was found [s]
    double   value[TR_ALARMS];   // of the motion, or the step [s]
    char    *words[TR_ALARMS];   // memory
    double   size;               // of the model at the start [m]
    double   limited;            // steps that are limited by stability, in all
    int      stiff, other;       // steps that are limited by stability, and others in a row
    trGrowth growth;
    double   window_time;  // when the present window of steps began [s]
    double  *off, *push;   // nv: the method's a less that of its state; M times it
    int      swings;       // steps in a row in which it changed its sign
} trWatch;

// How the integrators of one face are driven. A state that is accepted, and the end of the last
// attempt (x_new, as integrated), are all that the rest of a simulation knows of them.
typedef struct trDriver {
    double same_step;      // steps that differ by less, relative, are one
    bool   staged;         // attempts have stages that may lie in a singular pose
    bool   repeats;        // an attempt can be made again from its start; else it has been already
    bool   divides_by_h2;  // the rounding of positions: no step may be tiny
    trStatus (*plan)(trSim *sim);
    trStatus (*restart)(trSim *sim);  // at the accepted state, without history; or NULL
    // From the accepted state to x_new, by h [s] or by what the method makes of it. The error is at
    // most 1 where tolerances are met.
    trStatus (*attempt)(trSim *sim, double *h, double *error);
    void (*accept)(trSim *sim);      // the end of the last attempt, at sim->t; or NULL
    trStatus (*settle)(trSim *sim);  // evaluates the accepted state and solves for accelerations
    void (*take_multipliers)(trSim *sim);  // others than before, in lambda; or NULL
    // x_row at t + theta h inside the last attempt, and with it a and lambda if they are its own.
    // The `first` time dense output is prepared.
    trStatus (*interpolate)(trSim *sim, double h, double theta, bool first);
    const double *(*acceleration)(const trSim *sim);  // of the accepted state, nv
    const double *(*slope)(const trSim *sim);         // likewise x', nx; NULL: none is at hand
} trDriver;

extern const trDriver tr_explicit_driver;  // (explicit.c)
extern const trDriver tr_implicit_driver;  // (implicit.c)
extern const trDriver tr_owner_driver;     // (owner.c)

// What was chosen (create.c, choose.c).
typedef struct trMethods {
    unsigned       traits;   // of all choices together
    const trParam *given;    // options, and the basis
    void          *options;  // of the formulation
    trKernel       kernel;   // of the accelerations
    trKernel       judge;    // robust, where the chosen formulation is not
    trManifold     manifold;
    trProjector    by_mass, by_identity, by_units;
    trProjector    by_judge;      // W = M by the robust kernel
    trProjector    picked[2];     // kinds that pick their steps, of stages and steps
    trProjector   *assembler;     // of the start: by_mass, or by_judge
    bool           closely;       // ends of steps are held to 1e-12 m: see attempt.c
    trProjector   *stage, *step;  // projections chosen, or NULL
    double        *mass;          // nv x nv: memory of a test of M, where it is dense

    const trStabilizationKind *stabilization;  // or NULL
    void                      *gains;          // options of the stabilization
    const trCarryKind         *carry;          // or NULL: velocities are integrated
    void                      *carry_work;
    double                    *x_carry;  // nx: the accepted state as it is integrated, (q, y, z, W)
    double                    *carry_at;  // nq + 2 nv: memory of its rate
} trMethods;

// The integrator and the sizes of its steps (step.c, control.c).
typedef struct trStepper {
    const trIntegratorKind *kind;
    void                   *options;  // of the integrator
    void                   *work;
    const trDriver         *driver;
    bool                    own_step;       // the integrator chooses its steps by itself
    bool                    own_reactions;  // its own accelerations and multipliers are results
    bool                    adaptive;    // errors are controlled; else steps are of the size given
    bool                    attempting;  // a step that can be repeated with another size
    double                  h;           // the next step [s]
    double                 *weight;      // nx: of errors
    double                  share;       // of the way to its goal that a step is integrated
    double                  beyond;      // the rest of that way [s], by dense output
    double                  found;   // the step that has been found and is not committed yet [s]
    double                  arrive;  // its end [s]
    int                     next_break;    // of the system's breaks
    int64_t                 restarted_at;  // steps before the integrator was started last
} trStepper;

// Angles that are counted from step to step (attempt.c, control.c).
typedef struct trTurning {
    double speed;    // at the accepted state [rad/s]
    int    fastest;  // which one
    double longest;  // the longest step in which they can be counted [s]
    bool   far;      // the last attempt turned them too far for that
} trTurning;

// Singular poses on the way (passing.c, rank.c, jumps.c).
typedef struct trPassing {
    int    lost_row;       // one that is nearly dependent where an evaluation failed, or -1
    double best_gap;       // largest of the smallest pivots at accepted states
    double distance;       // from a singular pose at the accepted state, relative
    double distance_time;  // of that state [s]
    double far_step;       // the last one that began elsewhere [s]
    int    dodges;         // of singular poses at its end, by this step
    double leap;           // by which the least step there has grown in this one
    bool   passing;        // the accepted state is near a singular pose
    bool   at_start;       // the start is in one, or so near that rows were chosen beside it
    bool   came_near;      // an evaluation of this attempt was near one
    bool   stage_lost;     // a stage near a pose is so far off the constraints that it is turned
    bool   holds_stages;   // those of a fixed step are put on them
    bool   drops_rows;     // stages of this step may be in a singular pose
} trPassing;

// Rows that depend on others (rank.c).
typedef struct trDependence {
    int           rank;
    bool         *dependent;  // m: rows found dependent at the last accepted state
    bool         *redundant;  // m: at the first one
    trQuantity   *quantity;   // m
    bool          others;     // some row is in neither m nor rad
    trRowExchange exchange;   // of rows that are kept
    bool          exchanged;  // at the last accepted state
} trDependence;

// The second face, of implicit integrators (second_face.c, implicit.c).
typedef struct trSecond {
    trDae      dae;
    trEval     ahead;              // the equations a little later
    trDaeState now, next;          // the accepted state, and the end of the last attempt
    double    *slope;              // 2 nq, rates of q at both ends of a step
    double     power, power_next;  // of what W is the integral of [W]
    bool       evaluated;          // the last residual could be evaluated
} trSecond;

// Memory of evaluations (faces.c).
typedef struct trScratch {
    double *x_stage;      // nx: a state projected inside the right-hand side
    double *x_row;        // nx: an output state
    double *a_stage;      // nv: of the last evaluation, where velocities are not integrated
    double *b;            // m: acceleration level, stabilized
    double *rate;         // m: A v - b1, then A a - b
    double *slide_right;  // m: what slide shall add to A v
    double *slide;        // nv: velocities with which positions move
} trScratch;

// What the run will be able to tell (stats.c, rank.c).
typedef struct trNotes {
    trSimStats    stats;
    double        since[2];  // largest squares of positions and velocities since they were taken
    const char   *warning[TR_WARNINGS_KEPT];  // what must be known about the results
    int           warnings;
    int           worst_row[TR_VIOLATION_LEVELS][TR_QUANTITIES];  // of the worst violations, or -1
    int           change_row[TR_RANK_CHANGES_KEPT];  // of rank_change: a row of its joint, or -1
    trRankChange *rank_change;                       // TR_RANK_CHANGES_KEPT
    double       *forced_time;                       // TR_FORCED_KEPT
} trNotes;

// States inside the last step, as integrated (follow.c).
typedef struct trFollowed {
    trArena *arena;       // NULL: steps are not kept
    double   start, end;  // of the step [s]
    double  *x;           // at its points
} trFollowed;

struct trSim {
    trArena        *arena;
    const trSystem *system;
    trSimDef        def;
    int             nq, nv, nz, m, nx;
    double          t;       // the present time [s]
    double         *x;       // nx: the accepted state
    double         *x_new;   // nx: the end of the last attempt, as integrated
    double         *x_next;  // nx: the same, projected
    double         *a;       // nv: of an output state
    double         *a_now;   // nv: of the accepted state, where velocities are not integrated
    double         *lambda;  // m
    trEval          eval;
    bool            at_state;  // of the accepted state
    trOde           ode;       // first face
    trTangent       tangent;   // of implicit integrators, and of those that own their step
    trOwned         owned;     // of the latter
    trReact         react;     // of the fixed point for C
    trMethods       methods;
    trStepper       stepper;
    trTurning       turns;
    trPassing       pose;
    trDependence    rows;
    trSecond        second;
    trScratch       work;
    trWatch         watch;
    trNotes         notes;
    struct {
        int     attempts;
        int64_t iterations;
    } search;  // for the first pose
    struct {
        int       count;
        trColumn *column;  // count
        double   *row;     // count
    } table;
    trOutput            output;
    trFollowed          followed;
    const volatile int *stop;  // of the run, or NULL
};

// x' at (t, x): project the stage, evaluate, stabilize, solve. Leaves the multipliers
// in sim->lambda.
trStatus tr_sim_rhs(trSim *sim, double t, const double *x, double *xdot);
// The same without stage projection: accelerations alone.
trStatus tr_sim_accelerate(trSim *sim, double t, const double *x, double *a);
// W' at the state evaluated last: power of drivers and of forces without potential [W].
double tr_sim_power(const trSim *sim, const double *lambda);
void   tr_sim_make_faces(trSim *sim);  // ode and manifold

// Words become kinds; numbers that do not fit are refused. `stage_open`: nobody chose the stage
// projection (choose.c).
trStatus tr_sim_choose(trSim *sim, bool *stage_open);
trStatus tr_sim_check_numbers(const trSim *sim);
// What the model has and the chosen method cannot take, by name (fits.c).
trStatus tr_sim_check_fit(trSim *sim, const trRank *rank);
// Names the first constraint that is not linear in velocities; there is one.
trStatus tr_blame_nonlinear(const trSim *sim, trStatus status);

// --- what is integrated in place of velocities (carry.c) ---

// x_carry from the accepted state, which was evaluated last.
trStatus tr_carry_enter(trSim *sim);
// From (q, y, ...) to (q, v, ...), in place.
trStatus tr_carry_leave(trSim *sim, double t, double *x);
// y' (nv) at the state x = (q, v, ...) that was evaluated and solved last, and a (nv). Leaves the
// evaluation at that state.
trStatus tr_carry_rate(trSim *sim, double t, const double *x, const double *a, double *rate);

// The state as the integrator sees it.
static inline const double *tr_sim_integrated(const trSim *s) {
    return s->methods.carry != NULL ? s->methods.x_carry : s->x;
}

// A stage or the end of a step as integrated, in place: velocities from what was integrated.
// `project` (may be NULL) then puts it on the constraints.
trStatus tr_sim_to_state(trSim *sim, trProjector *project, double t, double *x);
// A row that nearly depends on others at the accepted state, or -1.
int tr_nearly_dependent_row(const trSim *sim);
// Of what was factored last: how near it is to a singular pose, 0 in one; whether it is near.
double tr_relative_pivot(const trSim *sim, const trRank *rank);
bool   tr_is_near_pose(const trSim *sim, const trRank *rank);
// The projection that stands for another while a singular pose is passed.
trProjector *tr_sim_metric(trSim *sim, trProjector *project);
// A v - b1 of all rows (m) at what was evaluated last: the rate of phi, or psi.
void tr_sim_rates(const trSim *sim, const double *v, double *rate);

// --- a method on the second face (second_face.c) ---

trDae tr_second_face(trSim *sim);
// x = (q, v, z, W) of a state.
void tr_implicit_put(const trSim *sim, const trDaeState *state, double work, double *x);
bool tr_implicit_needs_rates(const trSim *sim);  // TR_PART_N of rows of positions

// What the definition tells integrators.
trIntegratorSettings tr_sim_settings(const trSim *sim);

// An attempt, and what it came to.
typedef struct trTrial {
    double h;       // its size [s]
    double most;    // which was asked for [s]
    double error;   // at most 1 where tolerances are met
    bool   last;    // it ends at the goal
    bool   forced;  // no smaller step may be taken
} trTrial;

// Where a step should end: integrate up to `reach`, then call it `arrive`.
typedef struct trGoal {
    double reach, arrive;  // [s]
} trGoal;

trGoal tr_next_goal(trSim *sim, double t_end);
// After a step that arrived at a break; `before` is the instant just before it.
trStatus tr_pass_break(trSim *sim, double before);

// TR_NO_CONVERGENCE, by the constraint's name, if x_next is no small correction of x_new.
trStatus tr_check_jump(trSim *sim, double t);
trStatus tr_check_closed(trSim *sim, double t);

// Puts the initial state on the constraints; by name, what cannot be.
trStatus tr_assemble(trSim *sim);

// --- step sizes near singular poses (passing.c) ---

#define TR_DODGE_FACTOR 0.93  // of a step with a stage or its end in one

double tr_least_step(const trSim *sim);
// Whether a longer step shall be tried, or one that drops rows, after one that failed or ends in a
// pose.
bool tr_leap(trSim *sim);
// Whether the trial ends in a pose and another one shall be made.
bool tr_dodge(trSim *sim, const trTrial *trial);

// After TR_SINGULAR of a step to a goal: whether a shorter one shall be tried, whose dense output
// is continued to the goal.
bool tr_stop_short(trSim *sim);
// x_next at the goal, from an attempt of h.
trStatus tr_reach_goal(trSim *sim, double h);
// Whether velocities blow up within a step near a pose; `final`: no smaller step may be tried.
trStatus tr_check_smooth(trSim *sim, double h, bool final);

// --- one step (step.c) ---

// Finds a step that does not pass t_end: from the accepted state by `found` to x_next at `arrive`.
// Rows inside it can be read until it is committed.
trStatus tr_step_find(trSim *sim, double t_end);
// Its end becomes the accepted state.
trStatus tr_step_commit(trSim *sim);
// Both, with the rows inside (run.c).
trStatus tr_sim_advance(trSim *sim, double t_end);
// The integrator forgets what was before the accepted state, which was edited or is the first.
trStatus tr_sim_restart(trSim *sim);
// The slope at a new accepted state, and what is watched there: violations, energy, rank
// (settle.c).
trStatus tr_sim_settle(trSim *sim);

// x_new and x_next from the accepted state, by the trial's step (attempt.c).
trStatus tr_step_attempt(trSim *sim, trTrial *trial);

// --- step sizes (control.c) ---

// A first step size for an adaptive method (Hairer, Norsett and Wanner I, section II.4).
trStatus tr_first_step(trSim *sim, double *h);
// By how much to multiply the step after an attempt with this error.
double tr_step_factor(double error, int error_order);
void   tr_first_trial(trSim *sim);  // of a step
// The trial of h, to `reach` or on the way to it.
trTrial tr_choose_trial(trSim *sim, double reach);
// The step to try next, after a trial that ended with this status.
void tr_choose_next(trSim *sim, const trTrial *trial, trStatus status);
bool tr_is_least_step(const trSim *sim, double h);
bool tr_is_too_small(const trSim *sim, double h);  // for time to advance
// A method that owns its step has gone too far for angles to be counted, or might: it starts anew
// with a shorter one.
trStatus tr_shorten_turns(trSim *sim, double h);
void     tr_note_trial(trSim *sim, const trTrial *trial);  // which is to be accepted

// What is carried from step to step, as far as it is the sim's own (checkpoint.c).
void tr_sim_keep(trSim *sim);

// Joints of the worst rows, -1 for none.
void tr_name_violation(const trSystem *system, const int row[TR_QUANTITIES], trViolation *worst);

const char *tr_name_of_row(const trSystem *system, int row);  // of its joint; NULL for -1

// Watching an accepted state.
void     tr_watch_violations(trSim *sim);
trStatus tr_watch_rank(trSim *sim);
trStatus tr_watch_contradictions(trSim *sim);
// Looks at poses beside the start, to tell whether it is near a singular pose and which rows are
// kept (aside.c). Leaves the evaluation at the start.
trStatus tr_look_aside(trSim *sim, trKernel *kernel);
// What judges the rank for a kernel.
trKernel *tr_rank_kernel(trSim *sim, trKernel *kernel);
// Chooses again which rows are kept at the state that the kernel has factored, and their rank.
trStatus tr_choose_rows(trSim *sim, trKernel *kernel, trRank *rank);
// The rank of A at the state evaluated last. Where rows touch bodies without mass it is judged with
// one mass for each unit.
trStatus tr_sim_rank(trSim *sim, trRank *out);
void     tr_watch_energy(trSim *sim);
// Takes note of T + V - W at an accepted state or in a row; returns how far it is from the start.
double tr_note_drift(trSim *sim, double balance);

// --- runs that go wrong without an error (watch.c, alarms.c) ---

#define TR_ALARM_WORDS 448  // of a warning

void tr_watch_plan(trSim *sim);
void tr_watch_step(trSim *sim, double h);                                 // after an accepted step
void tr_note_alarm(trSim *sim, trAlarm alarm, int column, double value);  // column < 0: of none
int  tr_largest_column(const trSim *sim, const double *rate);             // of nv numbers
void tr_growth_plan(trSim *sim);                                          // (growth.c)
void tr_watch_growth(trSim *sim);
// Why motion runs away and what to do, once there is an alarm.
#define TR_CAUSE 256
const char *tr_growth_cause(const trSim *sim, char text[TR_CAUSE]);
void        tr_watch_start(trSim *sim, const double *moved);  // nv: by the assembly
// TR_E_SIMULATION once a run has tried max_steps; `before`: steps that do not count.
trStatus    tr_check_steps(const trSim *sim, int64_t before);
int64_t     tr_steps_tried(const trSim *sim);                 // accepted or rejected
void        tr_watch_open(trSim *sim);                        // positions of the accepted state
const char *tr_alarm_words(const trSim *sim, trAlarm alarm);  // until the next call
// What explains other trouble: growth, which opens joints, too, or joints that an integrator which
// does not hold them has left open. TR_ALARMS: neither.
trAlarm     tr_cause_of_trouble(const trSim *sim);
bool        tr_is_stiff(const trSim *sim);
const char *tr_stiff_integrator(const trSim *sim);  // that takes the method and is there

// Puts the state in x_row on the constraints, to rounding.
trStatus tr_project_row(trSim *sim, double t);
// Keeps the step that was found for tr_sim_interpolate, if that is wanted (follow.c).
trStatus tr_follow_step(trSim *sim);
// x_row inside the last attempt of h at t + theta h; the `first` time dense output is prepared.
trStatus tr_step_interpolate(trSim *sim, double h, double theta, bool first);

trStatus tr_columns_plan(trSim *sim);
// Fills sim->row at a state that has just been evaluated.
void tr_columns_fill(trSim *sim, double t, const double *x);
int  tr_sim_columns(const trSim *sim, const trColumn **out);

// What users call rows of this system: joints, or constraints where some are of their own.
static inline const char *tr_word_for_rows(const trSim *sim) {
    return sim->system->recorded > 0 ? "constraints" : "joints";
}

// --- trouble in words (explain.c) ---

#define TR_WORDS 1024  // of an error text
#define TR_NAMES 512   // of a list of joints

// "'A', 'B' and 'C'": joints, but for one, with rows that have a part in w [m], in the order of the
// model. Returns how many there are.
int tr_list_joints(const trSim *sim, const double *w, const trJoint *left_out, char text[TR_NAMES]);
// Adds to an error that `row` and others become dependent, and which method passes such poses.
trStatus tr_blame_pose(trSim *sim, int row);

// "0.5 m/s" of a row in m and "/s"; without a unit where none is known.
#define TR_AMOUNT 64
const char *tr_amount(const trSim *sim, int row, double value, const char *per,
                      char text[TR_AMOUNT]);

// Which of the choices lacks the trait: "method 'lagrange_schur'".
const char *tr_culprit(const trSim *sim, unsigned trait, char text[TR_AMOUNT]);
// --- in words, why a step fails (explain_step.c) ---

// No step of h [s] or smaller can be taken.
trStatus tr_explain_no_step(trSim *sim, trStatus status, double h);
// Newton's method of an implicit integrator did not come to its end.
trStatus tr_explain_newton(trSim *sim, trStatus status, double h);

// After tr_explain: a velocity with neither inertia nor constraint, or -1.
int tr_free_column(const trSim *sim);
// Turns trouble of a solve at this instant into words with names.
trStatus tr_explain(trSim *sim, trStatus status, double t);
// Whether the state x after a step of h [s] is finite, and no motion so fast that it cannot be
// meant; else TR_NOT_FINITE, by the name of the body, with a likely cause.
trStatus tr_check_finite(const trSim *sim, const double *x, double h);
trStatus tr_check_speed(const trSim *sim, const double *x, double h);
// The worst row of phi, in words, after a projection that failed.
trStatus tr_explain_row(trSim *sim, trStatus status, double t, int row);
// Adds the joint of a row, as the one to look at first; row < 0: none.
trStatus tr_name_row(const trSim *sim, trStatus status, int row);
// A row asks for another acceleration than those it depends on.
trStatus tr_explain_contradiction(trSim *sim, int row, double t);
// Adds to the last error what helps where the joint of a row is not held because others nearly
// imply it (rank.c).
trStatus tr_hint_nearly_dependent(trSim *sim, trStatus status, int row);
// After TR_E_SIMULATION in a step of h [s], or where joints have just come open: whether a drive
// came to a dead point, by its name and that of the joints; else all is left as it is
// (dead_point.c).
trStatus tr_explain_dead_point(trSim *sim, trStatus status, double h);
// Whether the constraints can be satisfied at h [s] from the accepted state; error words stay.
bool tr_can_be_closed(trSim *sim, double h);
bool tr_is_driven(const trSim *sim);  // where it was evaluated last
// Of methods that lose their way where rows become dependent.
trStatus tr_refuse_pose(const trSim *sim, const char *joint);

#endif
