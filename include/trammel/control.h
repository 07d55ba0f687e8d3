// SPDX-License-Identifier: MIT
/// @file control.h Act on a model and its simulations from C: functions of time, forces computed by
/// a function, inputs that a program sets while it runs.
///
/// Functions may be called at any state, several times at one, and by all simulations of a system,
/// so what they return must depend on their arguments alone. `context` must outlive the
/// simulations. They must not throw or call longjmp.

#ifndef TRAMMEL_CONTROL_H
#define TRAMMEL_CONTROL_H

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A function of time. Start from zeros and set what is needed.
typedef struct trTimeFunction {
    const char *name;     ///< for messages, or NULL
    void       *context;  ///< of `value`
    /// f, f' and f'' at t [s]. Returns 0, or anything else where there is no value.
    int (*value)(void *context, double t, double out[3]);
    trNumbers breaks;  ///< instants at which f, f' or f'' jump: integrators stop there [s]
} trTimeFunction;

/// For parameters of joints and forces that are functions of time (TR_TIME in model.h). Owned by
/// the model.
TR_API trStatus tr_model_add_time_function(trModel *model, const trTimeFunction *function,
                                           const trTape **out) TR_MUST_CHECK;

/// Adds a number that programs set in their running simulations. Each simulation begins with
/// `start`. Names are unique among inputs; `unit` may be NULL; `out` (may be NULL) receives the
/// number of the input.
TR_API trStatus tr_model_add_input(trModel *model, const char *name, const char *unit, double start,
                                   int *out) TR_MUST_CHECK;

/// Where a force function is called.
typedef struct trForceAt {
    double             t;       ///< [s]
    int                bodies;  ///< on which it acts
    const trBodyState *body;    ///< bodies: their frames
    const double      *input;   ///< inputs of the model, by number
} trForceAt;

/// A force computed in C. Start from zeros and set what is needed.
typedef struct trForceFunction {
    void *context;  ///< of both functions
    /// Fills `load` (bodies, zero at first): force and moment at the origin of each body's frame,
    /// in world axes; in the plane fx, fy and mz. All of it is then without potential, unless
    /// `potential` [J] is set: then it is minus the gradient of that. Returns 0; > 0 where it has
    /// no value, so that a smaller step may help; < 0 to end the run.
    int (*load)(void *context, const trForceAt *at, trLoad *load, double *potential);
    /// How the load changes, for implicit integrators and linearization: K = -d(load)/d(motion) and
    /// D = -d(load)/d(velocity), square, row after row, zero at first; body after body x, y, z and
    /// rotations about x, y, z of the world, or x, y and the angle. NULL: by differences.
    int (*tangent)(void *context, const trForceAt *at, double *K, double *D);
    bool remembers;  ///< it depends on more than its arguments: simulations can be neither saved
                     ///< nor modules
} trForceFunction;

/// Adds a force that acts on `bodies` bodies. `name` may be NULL, and so may `out`, which receives
/// its number.
TR_API trStatus tr_model_add_force_function(trModel *model, const char *name, int bodies,
                                            const int *body, const trForceFunction *function,
                                            int *out) TR_MUST_CHECK;

/// Sets an input between steps. The integrator restarts.
TR_API trStatus tr_sim_set_input(trSim *sim, int input, double value) TR_MUST_CHECK;
/// Returns an input; 0 for a number out of range.
TR_API double tr_sim_input(const trSim *sim, int input);

/// Continues at the present time from positions q (nq) and velocities v (nv), projected onto the
/// constraints. The integrator restarts; the change of energy counts as work. TR_NO_CONVERGENCE,
/// with a name and nothing changed, if the state is too far away.
TR_API trStatus tr_sim_set_state(trSim *sim, const double *q, const double *v) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
