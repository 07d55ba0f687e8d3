// SPDX-License-Identifier: MIT
// Integrators whose steps are attempts from the accepted state alone: explicit Runge-Kutta methods.

#include <string.h>

#include "sim/sim.h"

static trStatus plan(trSim *s) {
    const trTolerance tolerance = {s->def.rtol, s->def.atol};
    return s->stepper.kind->plan(s->arena, s->nx, &tolerance, &s->stepper.work);
}

static trStatus attempt(trSim *s, double *h, double *error) {
    s->stepper.attempting = true;
    trStatus status = s->stepper.kind->attempt(s->stepper.work, &s->ode, s->t, *h,
                                               tr_sim_integrated(s), s->x_new, error);
    s->stepper.attempting = false;
    return status;
}

static trStatus settle(trSim *s) {
    if (s->methods.carry != NULL) {
        TR_TRY(tr_system_eval(s->system, s->t, s->x, s->x + s->nq, &s->eval));
        TR_TRY(tr_carry_enter(s));
    }
    TR_TRY(s->stepper.kind->begin(s->stepper.work, &s->ode, s->t, tr_sim_integrated(s)));
    memcpy(s->a_now, s->work.a_stage, (size_t)s->nv * sizeof *s->a_now);
    return TR_OK;
}

static trStatus interpolate(trSim *s, double h, double theta, bool first) {
    const trIntegratorKind *kind = s->stepper.kind;
    if (first) {
        TR_TRY(
            kind->prepare_dense(s->stepper.work, &s->ode, s->t, h, tr_sim_integrated(s), s->x_new));
    }
    kind->interpolate(s->stepper.work, h, theta, s->work.x_row);
    return TR_OK;
}

static const double *slope(const trSim *s) {
    return s->stepper.kind->slope(s->stepper.work);
}

static const double *acceleration(const trSim *s) {
    return s->methods.carry != NULL ? s->a_now : slope(s) + s->nq;
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
