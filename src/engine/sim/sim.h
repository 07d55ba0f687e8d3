// SPDX-License-Identifier: MIT
// A simulation: state, chosen methods, memory. Everything is planned by tr_sim_create.
//
// The state is x = (q, v, z, W): positions, velocities, further states of a user's own, and the
// work W of drivers and of forces without potential, so that T + V - W stays constant.

#ifndef TR_SIM_SIM_H
#define TR_SIM_SIM_H

#include "sim/parts.h"

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

// --- choice of methods (choose.c, fits.c) ---

// Words become kinds; numbers that do not fit are refused. `stage_open`: nobody chose the stage
// projection.
trStatus tr_sim_choose(trSim *sim, bool *stage_open);
trStatus tr_sim_check_numbers(const trSim *sim);
// Refuses numbers of `name` that are not finite (create.c).
trStatus tr_check_numbers(int count, const double *x, const char *name);
// What the model has and the chosen method cannot take, by name.
trStatus tr_sim_check_fit(trSim *sim, const trRank *rank);
// Names the first constraint that is not linear in velocities; there is one.
trStatus tr_blame_nonlinear(const trSim *sim, trStatus status);

// --- the first face (faces.c) ---

void tr_sim_make_faces(trSim *sim);  // ode and manifold
// x' at (t, x): project the stage, evaluate, stabilize, solve. Leaves the multipliers in
// sim->lambda.
trStatus tr_sim_rhs(trSim *sim, double t, const double *x, double *xdot);
// The same without stage projection: accelerations alone.
trStatus tr_sim_accelerate(trSim *sim, double t, const double *x, double *a);
// At the state evaluated last: W', the power of drivers and of forces without potential [W]; and
// A v - b1 of all rows (m), the rate of phi, or psi.
double tr_sim_power(const trSim *sim, const double *lambda);
void   tr_sim_rates(const trSim *sim, const double *v, double *rate);
// The projection that stands for another while a singular pose is passed.
trProjector *tr_sim_metric(trSim *sim, trProjector *project);
// Puts x on the constraints, to the tolerance of the projector or to `most`, if that is less.
trStatus tr_sim_project(trSim *sim, trProjector *project, double most, double t, double *x);
// A stage or the end of a step as integrated, in place: velocities from what was integrated, then
// the projection, if there is one.
trStatus tr_sim_to_state(trSim *sim, trProjector *project, double most, double t, double *x);

// --- the second face (second_face.c, implicit.c) ---

trDae tr_second_face(trSim *sim);
// x = (q, v, z, W) of a state.
void tr_implicit_put(const trSim *sim, const trDaeState *state, double work, double *x);
bool tr_implicit_needs_rates(const trSim *sim);  // TR_PART_N of rows of positions
// What the definition tells integrators.
trIntegratorSettings tr_sim_settings(const trSim *sim);

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

// --- the start (assemble.c, aside.c) ---

// Puts the initial state on the constraints; by name, what cannot be.
trStatus tr_assemble(trSim *sim);
// Looks at poses beside the start, to tell whether it is near a singular pose and which rows are
// kept. Leaves the evaluation at the start.
trStatus tr_look_aside(trSim *sim, trKernel *kernel);

// --- one step (step.c, attempt.c, settle.c, run.c) ---

// Finds a step that does not pass t_end: from the accepted state by `found` to x_next at `arrive`.
// Rows inside it can be read until it is committed.
trStatus tr_step_find(trSim *sim, double t_end);
// x_new and x_next from the accepted state, by the trial's step.
trStatus tr_step_attempt(trSim *sim, trTrial *trial);
// Its end becomes the accepted state.
trStatus tr_step_commit(trSim *sim);
// Both, with the rows inside.
trStatus tr_sim_advance(trSim *sim, double t_end);
// The integrator forgets what was before the accepted state, which was edited or is the first.
trStatus tr_sim_restart(trSim *sim);
// The slope at a new accepted state, and what is watched there: violations, energy, rank.
trStatus tr_sim_settle(trSim *sim);
// x_row inside the last attempt of h at t + theta h; the `first` time dense output is prepared.
trStatus tr_step_interpolate(trSim *sim, double h, double theta, bool first);
// Puts the state in x_row on the constraints, to rounding.
trStatus tr_project_row(trSim *sim, double t);
// Keeps the step that was found for tr_sim_interpolate, if that is wanted (follow.c).
trStatus tr_follow_step(trSim *sim);

// --- goals (breaks.c) ---

trGoal tr_next_goal(trSim *sim, double t_end);
// After a step that arrived at a break; `before` is the instant just before it.
trStatus tr_pass_break(trSim *sim, double before);

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
void tr_note_trial(trSim *sim, const trTrial *trial);  // which is to be accepted
bool tr_is_least_step(const trSim *sim, double h);
bool tr_is_too_small(const trSim *sim, double h);  // for time to advance
// A method that owns its step has gone too far for angles to be counted, or might: it starts anew
// with a shorter one.
trStatus tr_shorten_turns(trSim *sim, double h);

// --- steps near singular poses (passing.c) ---

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

// --- rank (rank.c) ---

trStatus tr_watch_rank(trSim *sim);  // at an accepted state
// What judges the rank for a kernel.
trKernel *tr_rank_kernel(trSim *sim, trKernel *kernel);
// Chooses again which rows are kept at the state that the kernel has factored, and their rank.
trStatus tr_choose_rows(trSim *sim, trKernel *kernel, trRank *rank);
// The rank of A at the state evaluated last. Where rows touch bodies without mass it is judged with
// one mass for each unit.
trStatus tr_sim_rank(trSim *sim, trRank *out);
// Friction that is made from reactions needs them to be unique: of rows that depend on each other
// only the sum of the forces is. Else `status`, by name.
trStatus tr_check_reactions(const trSim *sim, const trRank *rank, trStatus status);
// Of what was factored last: how near it is to a singular pose, 0 in one; whether it is near.
double tr_relative_pivot(const trSim *sim, const trRank *rank);
bool   tr_is_near_pose(const trSim *sim, const trRank *rank);
// A row that nearly depends on others at the accepted state, or -1.
int tr_nearly_dependent_row(const trSim *sim);
// Adds to the last error what helps where the joint of a row is not held because others nearly
// imply it.
trStatus tr_hint_nearly_dependent(trSim *sim, trStatus status, int row);

// --- what is known of accepted states (stats.c, checkpoint.c, columns.c) ---

void     tr_watch_violations(trSim *sim);
trStatus tr_watch_contradictions(trSim *sim);
void     tr_watch_energy(trSim *sim);
// Takes note of T + V - W at an accepted state or in a row; returns how far it is from the start.
double tr_note_drift(trSim *sim, double balance);
// Joints of the worst rows, -1 for none.
void tr_name_violation(const trSystem *system, const int row[TR_QUANTITIES], trViolation *worst);
const char *tr_name_of_row(const trSystem *system, int row);  // of its joint; NULL for -1
// What is carried from step to step, as far as it is the sim's own.
void     tr_sim_keep(trSim *sim);
trStatus tr_columns_plan(trSim *sim);
// Fills sim->row at a state that has just been evaluated.
void tr_columns_fill(trSim *sim, double t, const double *x);
int  tr_sim_columns(const trSim *sim, const trColumn **out);

// --- runs that go wrong without an error (watch.c, growth.c) ---

void tr_watch_plan(trSim *sim);
void tr_watch_start(trSim *sim, const double *moved);                     // nv: by the assembly
void tr_watch_step(trSim *sim, double h);                                 // after an accepted step
void tr_watch_open(trSim *sim);                                           // at an accepted state
void tr_note_alarm(trSim *sim, trAlarm alarm, int column, double value);  // column < 0: of none
void tr_growth_plan(trSim *sim);
void tr_watch_growth(trSim *sim);
// Why motion runs away and what to do, once there is an alarm.
#define TR_CAUSE 256
const char *tr_growth_cause(const trSim *sim, char text[TR_CAUSE]);

// --- alarms in words (alarms.c) ---

#define TR_ALARM_WORDS 448  // of a warning
#define TR_AMOUNT 64

const char *tr_alarm_words(const trSim *sim, trAlarm alarm);  // until the next call
// What a number of q in this direction of v is measured in; " m/s" of it and "/s", "" where none is
// known.
const char *tr_column_unit(const trSim *sim, int column);
const char *tr_unit_words(const trSim *sim, int column, const char *per, char text[TR_AMOUNT]);
bool        tr_is_stiff(const trSim *sim);
const char *tr_stiff_integrator(const trSim *sim);  // that takes the method and is there
int64_t     tr_steps_tried(const trSim *sim);       // accepted or rejected
// TR_E_SIMULATION once a run has tried max_steps; `before`: steps that do not count.
trStatus tr_check_steps(const trSim *sim, int64_t before);

// --- trouble in words (explain.c) ---

#define TR_WORDS 1024  // of an error text
#define TR_NAMES 512   // of a list of joints

// What users call rows of this system: joints, or constraints where some are of their own.
static inline const char *tr_word_for_rows(const trSim *sim) {
    return sim->system->recorded > 0 ? "constraints" : "joints";
}

static inline const trJoint *tr_joint_of_row(const trSim *sim, int row) {
    return &sim->system->joint[sim->system->row_joint[row]];
}

static inline trStatus tr_blame_row(const trSim *sim, trStatus status, int row) {
    return tr_blame_joint(status, tr_joint_of_row(sim, row));
}

// "0.5 m/s" of a row in m and "/s"; without a unit where none is known.
const char *tr_amount(const trSim *sim, int row, double value, const char *per,
                      char text[TR_AMOUNT]);
// "'A', 'B' and 'C'": joints, but for one, with rows that have a part in w [m], in the order of the
// model. Returns how many there are.
int tr_list_joints(const trSim *sim, const double *w, const trJoint *left_out, char text[TR_NAMES]);
// Which of the choices lacks the trait: "method 'lagrange_schur'".
const char *tr_culprit(const trSim *sim, unsigned trait, char text[TR_AMOUNT]);
// Turns trouble of a solve at this instant into words with names.
trStatus tr_explain(trSim *sim, trStatus status, double t);
int      tr_free_column(const trSim *sim);  // then: a velocity without inertia and row, or -1
// The worst row of phi, in words, after a projection that failed.
trStatus tr_explain_row(trSim *sim, trStatus status, double t, int row);
// A row asks for another acceleration than those it depends on.
trStatus tr_explain_contradiction(trSim *sim, int row, double t);
// Adds the joint of a row, as the one to look at first; row < 0: none.
trStatus tr_name_row(const trSim *sim, trStatus status, int row);
// Adds to an error that `row` and others become dependent, and which method passes such poses.
trStatus tr_blame_pose(trSim *sim, int row);
// Of methods that lose their way where rows become dependent.
trStatus tr_refuse_pose(const trSim *sim, const char *joint);
// Whether the state x after a step of h [s] is finite, and no motion so fast that it cannot be
// meant; else TR_NOT_FINITE, by the name of the body, with a likely cause.
trStatus tr_check_finite(const trSim *sim, const double *x, double h);
trStatus tr_check_speed(const trSim *sim, const double *x, double h);

// --- why a step fails (explain_step.c, jumps.c, dead_point.c) ---

// No step of h [s] or smaller can be taken.
trStatus tr_explain_no_step(trSim *sim, trStatus status, double h);
// Newton's method of an implicit integrator did not come to its end.
trStatus tr_explain_newton(trSim *sim, trStatus status, double h);
// What explains other trouble: growth, which opens joints, too, or joints that an integrator which
// does not hold them has left open. TR_ALARMS: neither.
trAlarm tr_cause_of_trouble(const trSim *sim);
// TR_NO_CONVERGENCE, by the constraint's name, if x_next is no small correction of x_new.
trStatus tr_check_jump(trSim *sim, double t);
trStatus tr_check_closed(trSim *sim, double t);
// After TR_E_SIMULATION in a step of h [s], or where joints have just come open: whether a drive
// came to a dead point, by its name and that of the joints; else all is left as it is.
trStatus tr_explain_dead_point(trSim *sim, trStatus status, double h);
// Whether the constraints can be satisfied at h [s] from the accepted state; error words stay.
bool tr_can_be_closed(trSim *sim, double h);
bool tr_is_driven(const trSim *sim);  // where it was evaluated last

#endif
