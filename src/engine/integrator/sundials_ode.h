// SPDX-License-Identifier: MIT
// What CVODE and ARKODE share: the first face as SUNDIALS calls it, and how a library is started,
// steps, interpolates and counts.

#ifndef TR_INTEGRATOR_SUNDIALS_ODE_H
#define TR_INTEGRATOR_SUNDIALS_ODE_H

#include "integrator/sundials.h"

typedef struct trSundialsOde trSundialsOde;

// What differs between the libraries. Flags are those of SUNDIALS: negative where a call failed.
typedef struct trSundialsLibrary {
    int stopped;  // the flag of a step that ends at the time to stop
    // Of what the library counts since the last restart: iterations and attempts that failed.
    trIntegratorCounts (*count)(const trSundialsOde *s);
    int (*start)(trSundialsOde *s, double t, double first);  // anew at y; first step or 0 [s]
    // One step to `aim`, which tells a first step its scale, not beyond `stop`; both may be far.
    int (*step)(trSundialsOde *s, double t, double aim, double stop, double *reached);
    int (*look)(trSundialsOde *s, double t);  // into `row`, inside the last step
} trSundialsLibrary;

struct trSundialsOde {
    trSundials               base;
    const trSundialsLibrary *library;
    void                    *memory;  // of the library
    bool                     second;  // the second of its kinds: cvode_adams or arkode_dirk
    const char              *name;    // of the integrator
    const trOde             *ode;
    trTolerance              tolerance;
    N_Vector                 y;      // nx: where the library has its state
    N_Vector                 row;    // nx: between steps
    const double            *count;  // nx: of each number in the norm of the library; see below
    double                   gamma;  // (1 - gamma J) is factored [s]
    double                   first;  // step of the user's, for the first one; 0: to be chosen [s]
    double                   max_step;    // [s]
    bool                     fresh;       // no step since the restart
    double                  *start;       // nx: x, as it was started last
    double                   start_t;     // likewise [s]
    double                   start_step;  // likewise, the first step [s]
    double                  *before;      // nx: x at the start of the step
    trIntegratorCounts       counts;      // of J; iterations and rejected: before the last restart
};

// Errors of single steps are held below the tolerances divided by `sharper`, as far as numbers can
// resolve it.
trStatus tr_sundials_ode_plan(trArena *arena, const trOde *ode,
                              const trIntegratorSettings *settings, double sharper,
                              trSundialsOde *s);
// Starts the library at x, with no history.
int tr_sundials_ode_start(trSundialsOde *s, double t, const double *x, double first);

// Callbacks with a trSundialsOde as data.
int tr_sundials_ode_rhs(sunrealtype t, N_Vector x, N_Vector xdot, void *data);
// Weights that make the library's norm at least tr_error_norm, and at most that times the root of
// the number of groups; both times `sharper`.
int tr_sundials_ode_weights(N_Vector x, N_Vector weight, void *data);
int tr_sundials_ode_prepare(sunrealtype t, N_Vector x, N_Vector xdot, sunbooleantype keep,
                            sunbooleantype *renewed, sunrealtype gamma, void *data);
int tr_sundials_ode_solve(sunrealtype t, N_Vector x, N_Vector xdot, N_Vector r, N_Vector y,
                          sunrealtype gamma, sunrealtype tolerance, int side, void *data);

// Members of trOwnerKind and trIntegratorKind.
trStatus tr_sundials_ode_restart(void *work, const trOde *ode, double t, const double *x);
trStatus tr_sundials_ode_step(void *work, const trOde *ode, double t, double *h, double *x_new);
trStatus tr_sundials_ode_interpolate(void *work, double t, double *x);
void     tr_sundials_ode_count(const void *work, trIntegratorCounts *counts);

#endif
