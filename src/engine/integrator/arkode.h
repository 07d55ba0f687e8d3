// SPDX-License-Identifier: MIT
// ARKODE of SUNDIALS as an owner of its step: Runge-Kutta methods, explicit or diagonally implicit.

#ifndef TR_INTEGRATOR_ARKODE_H
#define TR_INTEGRATOR_ARKODE_H

#include "integrator/integrator.h"

trStatus tr_arkode_plan_explicit(trArena *arena, const trOde *ode,
                                 const trIntegratorSettings *settings, void **work);
trStatus tr_arkode_plan_implicit(trArena *arena, const trOde *ode,
                                 const trIntegratorSettings *settings, void **work);
trStatus tr_arkode_restart(void *work, const trOde *ode, double t, const double *x);
trStatus tr_arkode_step(void *work, const trOde *ode, double t, double *h, double *x_new);
trStatus tr_arkode_interpolate(void *work, double t, double *x);
void     tr_arkode_count(const void *work, trIntegratorCounts *counts);

#endif
