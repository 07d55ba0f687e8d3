// SPDX-License-Identifier: MIT
// CVODE of SUNDIALS as an owner of its step: backward differentiation formulas or those of Adams.

#ifndef TR_INTEGRATOR_CVODE_H
#define TR_INTEGRATOR_CVODE_H

#include "integrator/integrator.h"

trStatus tr_cvode_plan_bdf(trArena *arena, const trOde *ode, const trIntegratorSettings *settings,
                           void **work);
trStatus tr_cvode_plan_adams(trArena *arena, const trOde *ode, const trIntegratorSettings *settings,
                             void **work);
trStatus tr_cvode_restart(void *work, const trOde *ode, double t, const double *x);
trStatus tr_cvode_step(void *work, const trOde *ode, double t, double *h, double *x_new);
trStatus tr_cvode_interpolate(void *work, double t, double *x);
void     tr_cvode_count(const void *work, trIntegratorCounts *counts);

#endif
