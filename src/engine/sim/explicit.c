// SPDX-License-Identifier: MIT
// Integrators whose steps are attempts from the accepted state alone: explicit Runge-Kutta methods.

#include <string.h>

#include "sim/sim.h"

static trStatus plan(trSim *s) {
    const trTolerance tolerance = {s->def.rtol, s->def.atol};
    return s->integrator->plan(s->arena, s->nx, &tolerance, &s->integrator_work);
}

static trStatus attempt(trSim *s, double *h, double *error) {
    s->attempting = true;
    trStatus status = s->integrator->attempt(s->integrator_work, &s->ode, s->t, *h,
                                             tr_sim_integrated(s), s->x_new, error);
    s->attempting = false;
    return status;
}

static trStatus settle(trSim *s) {
    if (s->carry != NULL) {
        TR_TRY(tr_system_eval(s->system, s->t, s->x, s->x + s->nq, &s->eval));
        TR_TRY(tr_carry_enter(s));
    }
    TR_TRY(s->integrator->begin(s->integrator_work, &s->ode, s->t, tr_sim_integrated(s)));
    memcpy(s->a_now, s->a_stage, (size_t)s->nv * sizeof *s->a_now);
    return TR_OK;
}

static trStatus interpolate(trSim *s, double h, double theta, bool first) {
    const trIntegratorKind *kind = s->integrator;
    if (first) {
        TR_TRY(kind->prepare_dense(s->integrator_work, &s->ode, s->t, h, tr_sim_integrated(s),
                                   s->x_new));
    }
    kind->interpolate(s->integrator_work, h, theta, s->x_row);
    return TR_OK;
}

static const double *slope(const trSim *s) {
    return s->integrator->slope(s->integrator_work);
}

static const double *acceleration(const trSim *s) {
    return s->carry != NULL ? s->a_now : slope(s) + s->nq;
}

const trDriver tr_explicit_driver = {
    .same_step = 1e-9,
    .staged = true,
    .repeats = true,
    .plan = plan,
    .attempt = attempt,
    .settle = settle,
    .interpolate = interpolate,
    .acceleration = acceleration,
    .slope = slope,
};
