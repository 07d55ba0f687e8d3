// SPDX-License-Identifier: MIT
// What CVODE and ARKODE share: the first face as SUNDIALS calls it, and a linear solver that is
// (1 - gamma J)^-1 as the sim makes it, without a Krylov method around it.

#ifndef TR_INTEGRATOR_SUNDIALS_ODE_H
#define TR_INTEGRATOR_SUNDIALS_ODE_H

#include <sundials/sundials_linearsolver.h>

#include "integrator/sundials.h"

typedef struct trSundialsOde {
    trSundials         base;
    const char        *name;  // of the integrator
    const trOde       *ode;
    trTolerance        tolerance;
    N_Vector           y;      // nx: where the library has its state
    N_Vector           row;    // nx: between steps
    const double      *count;  // nx: of each number in the norm of the library; see below
    SUNLinearSolver    solver;
    double             gamma;   // (1 - gamma J) is factored [s]
    trIntegratorCounts counts;  // of J; iterations and rejected: before the last restart
} trSundialsOde;

// Errors of single steps are held below the tolerances divided by `sharper`, as far as numbers can
// resolve it. `needs_solver`: by ode->prepare and solve.
trStatus tr_sundials_ode_plan(trArena *arena, const trOde *ode,
                              const trIntegratorSettings *settings, double sharper,
                              bool needs_solver, trSundialsOde *out);

// Callbacks with a trSundialsOde as data.
int tr_sundials_ode_rhs(sunrealtype t, N_Vector x, N_Vector xdot, void *data);
// Weights that make the library's norm at least tr_error_norm, and at most that times the root of
// the number of groups; both times `sharper`.
int tr_sundials_ode_weights(N_Vector x, N_Vector weight, void *data);
int tr_sundials_ode_prepare(sunrealtype t, N_Vector x, N_Vector xdot, sunbooleantype keep,
                            sunbooleantype *renewed, sunrealtype gamma, void *data);
int tr_sundials_ode_solve(sunrealtype t, N_Vector x, N_Vector xdot, N_Vector r, N_Vector y,
                          sunrealtype gamma, sunrealtype tolerance, int side, void *data);

// How far to go from t: h, but not beyond all bounds.
double tr_sundials_ode_reach(double t, double h);
// Before a call of the library: nothing has failed yet.
void tr_sundials_ode_begin(trSundialsOde *s, const trOde *ode);
// Iterations and attempts that failed since the last restart, which starts them anew.
void tr_sundials_ode_add_counts(trSundialsOde *s, const trIntegratorCounts *since);
// What a call at t means. Numerical trouble that the library cannot overcome stays positive.
trStatus tr_sundials_ode_end(const trSundialsOde *s, int flag, double t);

#endif
