// SPDX-License-Identifier: MIT
/// @file sim.h Simulate a system: choose the methods, step, run, read state and counters.

#ifndef TRAMMEL_SIM_H
#define TRAMMEL_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trammel/eval.h"
#include "trammel/record.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trSim trSim;

/// Settings of a simulation. Start from tr_sim_def_default(). `trammel methods` lists the names of
/// methods.
typedef struct trSimDef {
    size_t      struct_size;       ///< set by tr_sim_def_default(); lets the struct grow
    const char *method;            ///< preset of the next four, or an integrator; or NULL
    const char *formulation;       ///< "lagrange"; NULL: from the preset
    const char *stabilization;     ///< "none", "baumgarte", ...
    const char *stage_projection;  ///< "none", "masarati", ...
    const char *step_projection;   ///< "none", "direct", "mass_orthogonal", ...
    const char *integrator;        ///< NULL: "dop853", or that of the method
    double      start;             ///< first time [s]
    double      duration;          ///< of a run [s]
    double      step;            ///< step size, or first step of an adaptive method; 0: chosen [s].
                                 ///< generalized_alpha, hht, newmark: fixed if given
    double         rtol, atol;   ///< tolerances of adaptive methods
    double         min_step;     ///< steps of this size are always accepted [s]
    double         max_step;     ///< 0: a fifth of the duration [s]
    double         max_steps;    ///< of a run, accepted and rejected; 0: no limit
    const char    *form;         ///< of implicit integrators: "index3", "ggl", ...; NULL: its own
    const char    *basis;        ///< of maggi: "householder", ...; see `trammel methods`
    const trParam *options;      ///< of the kinds that are chosen: TR_PARAMS(TR_NUM("rho", 0.8));
                                 ///< NULL: none. `trammel methods` prints their names
    double      rank_tolerance;  ///< on rows of A, relative
    double      sample;          ///< time between output rows; 0: duration / 200 [s]
    trNumbers   times;           ///< output times instead of `sample`, increasing [s]
    const char *initial;         ///< how a run begins: "assemble" (NULL), or "strict": a start that
                                 ///< violates the constraints is TR_E_MODEL
    trNumbers q, v;              ///< start, as tr_sim_q and tr_sim_v; empty: the model's
} trSimDef;

/// Largest violation at one level and the joint or constraint that has it, separately for lengths,
/// angles and custom constraints in other units.
typedef struct trViolation {
    double      length;  ///< [m], [m/s] or [m/s^2]
    double      angle;   ///< [rad], [rad/s] or [rad/s^2]
    double      other;   ///< [other_unit], [other_unit/s] or [other_unit/s^2]
    const char *length_joint;
    const char *angle_joint;
    const char *other_joint;
    const char *other_unit;  ///< from the model, "" if not given; NULL: no such row
} trViolation;

/// Sums of squares of all rows at one level, in their units, over accepted states.
typedef struct trSquares {
    double worst, mean;
} trSquares;

/// A change of the number of independent constraint rows.
typedef struct trRankChange {
    double      time;  ///< [s]
    int         from, to;
    const char *joint;  ///< one that gained or lost a row
} trRankChange;

/// Largest change of a coordinate.
typedef struct trCorrection {
    double      value;
    const char *unit;  ///< "m", "rad", "m/s", "rad/s", ...; NULL: nothing changed
    const char *body;  ///< or custom coordinate
} trCorrection;

/// Counters and worst values since creation.
typedef struct trSimStats {
    int64_t      steps, rejected, forced, evaluations, factorizations, newton_iterations;
    int64_t      jacobians;                         ///< evaluated by implicit integrators
    int64_t      solver_iterations;                 ///< of formulations that iterate
    int64_t      renewals;                          ///< of bases and partitions
    int          degrees_of_freedom;                ///< nv - rank at the start
    int          redundant_rows;                    ///< at the start
    trViolation  position, velocity, acceleration;  ///< worst after any accepted step
    trSquares    position_squares, velocity_squares, acceleration_squares;
    trCorrection assembly_position;  ///< largest change by assembly
    trCorrection assembly_velocity;
    double       kinetic, potential, work;  ///< of the current state [energy_unit]
    double       energy_start;              ///< T + V - W at the start
    double       energy_drift;              ///< largest |T + V - W - start|, rows included
    double       energy_end_drift;          ///< T + V - W - start of the current state
    const char  *energy_unit;               ///< "J"; "" in custom systems not in m and rad
    bool         potential_known;  ///< false: custom system without an energy; V = 0, W is the
                                   ///< work of all forces
    bool        stiff;             ///< stability, not accuracy, limited the steps
    double      stiff_time;        ///< since when [s]
    const char *stiff_integrator;  ///< for stiff equations, that supports this model; or NULL
    double      smallest_step, largest_step;  ///< of accepted steps [s]
    int         rank_changes;                 ///< total
    int         rank_change_kept;             ///< entries of rank_change
    const trRankChange *rank_change;
    int                 forced_kept;  ///< entries of forced_time
    const double       *forced_time;  ///< start of the first forced steps [s]
    double              cpu_seconds;  ///< CPU time in tr_sim_run
} trSimStats;

/// Returns the defaults: dop853, tolerances of 1e-8, methods chosen automatically.
TR_API trSimDef tr_sim_def_default(void);

/// Creates a simulation and assembles its initial state; TR_E_MODEL, naming the joint, if that is
/// impossible. TR_E_ARGUMENT for settings that do not fit together. All memory is allocated here.
/// The system must outlive the simulation; simulations may share it.
TR_API trStatus tr_sim_create(const trSystem *system, const trSimDef *def,
                              trSim **out) TR_MUST_CHECK;
TR_API void     tr_sim_destroy(trSim *sim);  ///< NULL is allowed

/// Advances by one accepted step.
TR_API trStatus tr_sim_step(trSim *sim) TR_MUST_CHECK;

/// Advances by one accepted step that does not pass the time t.
TR_API trStatus tr_sim_step_to(trSim *sim, double t) TR_MUST_CHECK;

/// Advances to exactly the time t, which must not be in the past.
TR_API trStatus tr_sim_run_to(trSim *sim, double t) TR_MUST_CHECK;

/// Callbacks of a run. All may be zero.
typedef struct trRunHooks {
    const volatile int *stop;  ///< ends the run with TR_E_INTERRUPTED when not 0
    void (*progress)(void *context, double t, double t_end);
    void *context;
    /// Called between steps, and once more with `stopping` before `stop` ends the run (except
    /// within a step with more than 1e7 numbers of output); may save the simulation (checkpoint.h).
    /// A status other than TR_OK ends the run.
    trStatus (*between)(void *keeper, trSim *sim, bool stopping);
    /// Called when the recorder has begun; may add rows of an earlier part of the run.
    trStatus (*begun)(void *keeper, trSim *sim, trRecorder *recorder);
    void *keeper;
} trRunHooks;

/// Begins the recorder, runs to the end of `def` and records a row at every output time. Does not
/// close the recorder. `recorder` and `hooks` may be NULL. A run that fails ends with a row of its
/// last good state. A restored simulation continues its run.
TR_API trStatus tr_sim_run(trSim *sim, trRecorder *recorder, const trRunHooks *hooks) TR_MUST_CHECK;

TR_API double        tr_sim_time(const trSim *sim);  ///< [s]
TR_API const double *tr_sim_q(const trSim *sim);     ///< positions of centers of mass, nq
TR_API const double *tr_sim_v(const trSim *sim);     ///< velocities, nv
TR_API const double *tr_sim_z(const trSim *sim);     ///< extra states
/// Warnings about the results, e.g. that an integrator without damping makes reactions unusable.
/// They live as long as the simulation. NULL for an index out of range.
TR_API int         tr_sim_warnings(const trSim *sim);
TR_API const char *tr_sim_warning(const trSim *sim, int index);
/// Returns the size of the step that is tried next [s].
TR_API double tr_sim_next_step(const trSim *sim);

/// Largest violations of accepted states: roots of the sum of squares over rows.
typedef struct trWorst {
    double position, velocity;
} trWorst;

/// Returns the sums since the last call, or since the start.
TR_API trWorst tr_sim_take_worst(trSim *sim);

/// From now on, projects to machine precision instead of 1e-12.
TR_API void tr_sim_project_to_rounding(trSim *sim);

/// Returns counters; pointers in it live as long as the simulation.
TR_API trSimStats tr_sim_stats(const trSim *sim);
/// Returns the current motion of a body's frame, or of a frame added to it.
TR_API trBodyState tr_sim_body(const trSim *sim, int body);
TR_API trBodyState tr_sim_frame(const trSim *sim, int frame);

/// Returns the equations at the accepted state; valid until the simulation is used again.
TR_API trStatus tr_sim_eval(trSim *sim, const trEval **out) TR_MUST_CHECK;
/// Creates a handle for evaluations at other states, with the simulation's tolerances, redundant
/// rows and counted turns.
TR_API trStatus tr_sim_new_eval(const trSim *sim, trEval **out) TR_MUST_CHECK;

/// Stores, from now on, the data of each step that tr_sim_interpolate needs.
TR_API trStatus tr_sim_follow(trSim *sim, bool on) TR_MUST_CHECK;
/// Positions q (nq) and velocities v (nv) at t [s] inside the last step, on the constraints: what
/// an output row would show.
TR_API trStatus tr_sim_interpolate(trSim *sim, double t, double *q, double *v) TR_MUST_CHECK;

/// Accelerations (nv) and multipliers (m) at the present state; valid until the simulation moves.
TR_API const double *tr_sim_acceleration(const trSim *sim);
TR_API trStatus      tr_sim_lambda(trSim *sim, const double **out) TR_MUST_CHECK;

/// Computes the reaction of a joint in the current state.
TR_API trStatus tr_sim_reaction(trSim *sim, int joint, trReaction *out) TR_MUST_CHECK;

/// Computes a joint variable in the current state.
TR_API trStatus tr_sim_joint_variable(trSim *sim, int joint, int variable,
                                      trJointVariable *out) TR_MUST_CHECK;

/// Printed and stored with multipliers.
#define TR_MULTIPLIER_CONVENTION "lambda in M a + A' lambda = Q + C; A is d(phi)/dq or d(psi)/dv"

/// Multipliers of a custom constraint in the current state.
typedef struct trMultiplier {
    int           rows;
    const double *lambda;  ///< rows; valid until the simulation moves
    const char   *unit;    ///< "N" or "N m"; "" if unknown
} trMultiplier;

/// TR_E_ARGUMENT for a number out of range.
TR_API trStatus tr_sim_multiplier(trSim *sim, int constraint, trMultiplier *out) TR_MUST_CHECK;

/// Returns the settings in use, with all defaults and methods chosen.
TR_API trSimDef tr_sim_def(const trSim *sim);

#ifdef __cplusplus
}
#endif

#endif
