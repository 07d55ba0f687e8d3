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

/// How to simulate. Start from tr_sim_def_default() and change what you need. Methods are named as
/// `trammel methods` prints them.
typedef struct trSimDef {
    size_t      struct_size;       ///< set by tr_sim_def_default(); lets the struct grow
    const char *method;            ///< a preset of the next four, or an integrator; or NULL
    const char *formulation;       ///< "lagrange"; NULL: as the preset says
    const char *stabilization;     ///< "none", "baumgarte", ...
    const char *stage_projection;  ///< "none", "masarati", ...
    const char *step_projection;   ///< "none", "direct", "mass_orthogonal", ...
    const char *integrator;        ///< NULL: "dop853", or what the method brings
    double      start;             ///< first time [s]
    double      duration;          ///< how long a run lasts [s]
    double      step;            ///< step size, or first step of an adaptive method; 0: chosen [s].
                                 ///< generalized_alpha, hht, newmark: fixed if given
    double      rtol, atol;      ///< tolerances of adaptive methods
    double      min_step;        ///< steps of this size are accepted as they are [s]
    double      max_step;        ///< 0: a fifth of the duration [s]
    double      max_steps;       ///< of a run, accepted and rejected; 0: no limit
    double      alpha, beta;     ///< Baumgarte gains [1/s]
    double      rho;             ///< spectral radius of generalized_alpha, 0 to 1, and hht
    const char *form;            ///< of implicit integrators: "index3", "ggl", ...; NULL: its own
    const char *basis;           ///< of maggi: "householder", ...; see `trammel methods`
    const char *inverse;         ///< of udwadia_kalaba: "svd" or "gram_schmidt"
    double      penalty;         ///< of penalty and augmented_lagrangian; 0: from M and A
    double      mu, omega;       ///< damping ratio and frequency [1/s] of the same two
    double      relaxation;      ///< time constant of braun_goldfarb; 0: a fixed step, or 0.05 [s]
    double      epsilon;         ///< softness of park_chiou
    double      gauge;           ///< alpha of udwadia_wanichanon and _schutte; 0: from M and A
    trNumbers   gauge_weights;   ///< diagonal of G of udwadia_wanichanon; empty: ones
    trNumbers   gauge_z;         ///< z of udwadia_wanichanon; empty: alpha^2 b
    double      rank_tolerance;  ///< on rows of A, relative
    double      sample;          ///< time between output rows; 0: duration / 200 [s]
    trNumbers   times;           ///< output times in place of `sample`, increasing [s]
    bool        assemble;        ///< true; false: a start off the constraints is TR_E_MODEL
    trNumbers   q, v;            ///< state to start from, as tr_sim_q and _v; empty: the model's
} trSimDef;

/// Largest violation at one level and the joint or constraint that has it, apart for lengths,
/// angles and constraints of the user's own in other units.
typedef struct trViolation {
    double      length;  ///< [m], [m/s] or [m/s^2]
    double      angle;   ///< [rad], [rad/s] or [rad/s^2]
    double      other;   ///< [other_unit], [other_unit/s] or [other_unit/s^2]
    const char *length_joint;
    const char *angle_joint;
    const char *other_joint;
    const char *other_unit;  ///< as the model gives it, "" if it gives none; NULL: no such row
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

/// A coordinate that was changed: of a body, or of the user's own.
typedef struct trCorrection {
    double      value;
    const char *unit;  ///< "m", "rad", "m/s", "rad/s" or the user's; NULL if nothing was changed
    const char *body;  ///< or the coordinate of the user's own
} trCorrection;

/// Counters and worst values since creation. Plain data.
typedef struct trSimStats {
    int64_t      steps, rejected, forced, evaluations, factorizations, newton_iterations;
    int64_t      jacobians;                         ///< of implicit integrators, made anew
    int64_t      solver_iterations;                 ///< of formulations that iterate
    int64_t      renewals;                          ///< of bases and partitions
    int          degrees_of_freedom;                ///< nv - rank at the start
    int          redundant_rows;                    ///< at the start
    trViolation  position, velocity, acceleration;  ///< worst after any accepted step
    trSquares    position_squares, velocity_squares, acceleration_squares;
    trCorrection assembly_position;  ///< largest change at the start, to satisfy the joints
    trCorrection assembly_velocity;
    double       kinetic, potential, work;  ///< at the present state [energy_unit]
    double       energy_start;              ///< T + V - W at the start
    double       energy_drift;              ///< largest |T + V - W - start|, rows included
    double       energy_end_drift;          ///< T + V - W - start at the present state
    const char  *energy_unit;               ///< "J"; "" in equations that are not all in m and rad
    bool         potential_known;  ///< false: equations without an energy; V = 0 then, and W
                                   ///< is the work of all forces
    bool        stiff;             ///< stability, not accuracy, limited the steps
    double      stiff_time;        ///< since when [s]
    const char *stiff_integrator;  ///< one for stiff equations that takes this model; or NULL
    double      smallest_step, largest_step;  ///< of accepted steps [s]
    int         rank_changes;                 ///< all of them
    int         rank_change_kept;             ///< entries of rank_change
    const trRankChange *rank_change;
    int                 forced_kept;  ///< entries of forced_time
    const double       *forced_time;  ///< when the first forced steps began [s]
    double              cpu_seconds;  ///< spent in tr_sim_run
} trSimStats;

/// What a run has that says nothing: dop853, tolerances of 1e-8, methods left open.
TR_API trSimDef tr_sim_def_default(void);

/// Plans all memory for this combination; nothing is allocated afterwards. Makes the initial state
/// consistent; TR_E_MODEL, by the joint's name, where that is impossible. TR_E_ARGUMENT for what
/// does not fit together, such as a gain of another method than the one chosen.
/// The system must outlive the simulation and may be shared by many.
TR_API trStatus tr_sim_create(const trSystem *system, const trSimDef *def,
                              trSim **out) TR_MUST_CHECK;
TR_API void     tr_sim_destroy(trSim *sim);  ///< NULL is allowed

/// Advance by exactly one accepted step.
TR_API trStatus tr_sim_step(trSim *sim) TR_MUST_CHECK;

/// Advance to exactly the time t, which is not before the present.
TR_API trStatus tr_sim_run_to(trSim *sim, double t) TR_MUST_CHECK;

/// What a run tells while it runs. All may be zero.
typedef struct trRunHooks {
    const volatile int *stop;  ///< the run ends with TR_E_INTERRUPTED once this is not 0
    void (*progress)(void *context, double t, double t_end);
    void *context;
    /// Between steps, and once more with `stopping` before the run ends because of `stop`: the
    /// place to save the simulation (checkpoint.h). Only within a step of more than 1e7 numbers of
    /// output does a run end without that. What it returns, unless TR_OK, ends the run.
    trStatus (*between)(void *keeper, trSim *sim, bool stopping);
    /// The recorder has begun; rows of an earlier part of the run may be handed to it.
    trStatus (*begun)(void *keeper, trSim *sim, trRecorder *recorder);
    void *keeper;
} trRunHooks;

/// Begins the recorder (may be NULL, and so may the hooks), runs to the end of `def`, hands over a
/// row at every output time. Does not close the recorder. A run that fails ends with a row of its
/// last good state. A simulation that was saved inside of a run and restored goes on with that run.
TR_API trStatus tr_sim_run(trSim *sim, trRecorder *recorder, const trRunHooks *hooks) TR_MUST_CHECK;

TR_API double        tr_sim_time(const trSim *sim);  ///< the present time [s]
TR_API const double *tr_sim_q(const trSim *sim);     ///< positions of centers of mass, nq
TR_API const double *tr_sim_v(const trSim *sim);     ///< velocities, nv
TR_API const double *tr_sim_z(const trSim *sim);     ///< further states of the user's own
/// What must be known about the results, e.g. that an integrator without damping makes reactions
/// unusable; texts live as long as the simulation. NULL for an index out of range.
TR_API int         tr_sim_warnings(const trSim *sim);
TR_API const char *tr_sim_warning(const trSim *sim, int index);
/// Counters so far; pointers in it live as long as the simulation.
TR_API trSimStats tr_sim_stats(const trSim *sim);
/// The frame of a body, or one that was added to it, at the present state.
TR_API trBodyState tr_sim_body(const trSim *sim, int body);
TR_API trBodyState tr_sim_frame(const trSim *sim, int frame);

/// The equations at the accepted state, until the simulation is used again.
TR_API trStatus tr_sim_eval(trSim *sim, const trEval **out) TR_MUST_CHECK;
/// Memory for evaluations at other states, with the tolerances of the simulation and what it has
/// found so far: which redundant rows it leaves out, and how often bodies have turned.
TR_API trStatus tr_sim_new_eval(const trSim *sim, trEval **out) TR_MUST_CHECK;

/// Accelerations (nv) and multipliers (m) at the present state; valid until the simulation moves.
TR_API const double *tr_sim_acceleration(const trSim *sim);
TR_API trStatus      tr_sim_lambda(trSim *sim, const double **out) TR_MUST_CHECK;

/// The reaction of a joint at the present state.
TR_API trStatus tr_sim_reaction(trSim *sim, int joint, trReaction *out) TR_MUST_CHECK;

/// In words, wherever multipliers are printed or stored.
#define TR_MULTIPLIER_CONVENTION "lambda in M a + A' lambda = Q + C; A is d(phi)/dq or d(psi)/dv"

/// The multipliers of a constraint of the user's own at the present state, one for each of its
/// rows.
typedef struct trMultiplier {
    int           rows;
    const double *lambda;  ///< rows; valid until the simulation moves
    const char   *unit;    ///< "N" or "N m"; "" where it is not known
} trMultiplier;

/// TR_E_ARGUMENT for a number that is out of range.
TR_API trStatus tr_sim_multiplier(trSim *sim, int constraint, trMultiplier *out) TR_MUST_CHECK;

/// What was chosen, e.g. after defaults: "lagrange", "masarati", ...
TR_API trSimDef tr_sim_def(const trSim *sim);

#ifdef __cplusplus
}
#endif

#endif
