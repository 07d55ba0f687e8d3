// SPDX-License-Identifier: MIT
// What a simulation does around an implicit integrator: its states, attempts, rows and the end of a
// step. What the integrator sees of the system is in second_face.c.
//
// Where accelerations and multipliers of the integrator belong to its states (own_reactions),
// results show them, not those that the equations at acceleration level would give there.

#include <string.h>

#include "sim/sim.h"

void tr_implicit_put(const trSim *s, const trDaeState *state, double work, double *x) {
    memcpy(x, state->q, (size_t)s->nq * sizeof *x);
    memcpy(x + s->nq, state->v, (size_t)s->nv * sizeof *x);
    memcpy(x + s->nq + s->nv, state->z, (size_t)s->nz * sizeof *x);
    x[s->nx - 1] = work;
}

bool tr_implicit_needs_rates(const trSim *s) {
    const trImplicitKind *kind = s->stepper.kind->implicit;
    return kind->needs_rates || (kind->rates_form != NULL && s->def.form != NULL &&
                                 strcmp(kind->rates_form, s->def.form) == 0);
}

static void plan_state(trSim *s, trDaeState *state) {
    state->q = tr_new_array(s->arena, double, s->nq);
    state->v = tr_new_array(s->arena, double, s->nv);
    state->a = tr_new_array(s->arena, double, s->nv);
    state->lambda = tr_new_array(s->arena, double, s->m);
    state->z = tr_new_array(s->arena, double, s->nz);
}

trIntegratorSettings tr_sim_settings(const trSim *s) {
    const trSimDef *def = &s->def;
    return (trIntegratorSettings){.kind = s->stepper.kind,
                                  .tolerance = {def->rtol, def->atol},
                                  .step = def->step,
                                  .max_step = def->max_step,
                                  .form = def->form,
                                  .options = s->stepper.options};
}

// What kinds without tangents do not support. With rows that are not linear in velocities the work
// of park_chiou's multipliers would not be that of epsilon lambda', and nothing would bound it.
static trStatus check_fit(const trSim *s) {
    const char *name = s->stepper.kind->name;
    if (s->nz > 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "state '%s': integrator '%s' does not support extra states; use dop853",
                       s->system->state[0].name, name);
    }
    if (s->eval.equations.nonlinear) {
        tr_fail(TR_E_MODEL,
                "integrator '%s' does not support constraints that are not linear in velocities; "
                "use dop853",
                name);
        return tr_blame_nonlinear(s, TR_E_MODEL);
    }
    return TR_OK;
}

static trStatus plan(trSim *s) {
    s->second.slope = tr_new_array(s->arena, double, 2 * s->nq);
    plan_state(s, &s->second.now);
    plan_state(s, &s->second.next);
    s->second.dae = tr_second_face(s);
    const trImplicitKind      *kind = s->stepper.kind->implicit;
    const trIntegratorSettings settings = tr_sim_settings(s);
    const char                *warning = kind->warn != NULL ? kind->warn(&settings) : NULL;
    if (warning != NULL) {
        s->notes.warning[s->notes.warnings++] = warning;
    }
    TR_TRY(kind->needs_tangent ? tr_tangent_plan(s->arena, s->system, &s->tangent) : check_fit(s));
    if (tr_implicit_needs_rates(s)) {
        TR_TRY(tr_eval_plan(s->arena, s->system, s->def.rank_tolerance, &s->second.ahead));
    }
    return kind->plan(s->arena, &s->second.dae, &s->eval.equations, &settings, &s->stepper.work);
}

static trStatus restart(trSim *s) {
    TR_TRY(tr_sim_accelerate(s, s->t, s->x, s->a));
    const trImplicitKind *kind = s->stepper.kind->implicit;
    const trDaeState      start = {.q = s->x,
                                   .v = s->x + s->nq,
                                   .z = s->x + s->nq + s->nv,
                                   .a = s->a,
                                   .lambda = s->lambda,
                                   .work = s->x[s->nx - 1]};
    tr_dae_copy(&s->second.dae, &start, &s->second.now);
    s->second.now.t = s->t;
    s->second.power = tr_sim_power(s, s->lambda);
    return kind->begin != NULL ? kind->begin(s->stepper.work, &s->second.dae, &s->second.now)
                               : TR_OK;
}

// A step this much shorter than the one asked for, to a goal that is close, is not left to the
// method: it would divide the rounding of positions by the square of h to get v' and lambda.
#define SHORT 1e-3

// q (+) h v + h^2 v' / 2, v + h v'; v' and lambda stay. What is left out is of the order of h, less
// than the method's own error of the order of the full step squared.
static trStatus drift(trSim *s, double h) {
    const trDaeState *now = &s->second.now;
    double           *x = s->work.x_row;  // memory
    s->second.next.t = now->t + h;
    for (int i = 0; i < s->nv; i++) {
        x[i] = h * (now->v[i] + 0.5 * h * now->a[i]);
        s->second.next.v[i] = now->v[i] + h * now->a[i];
        s->second.next.a[i] = now->a[i];
    }
    memcpy(s->second.next.lambda, now->lambda, (size_t)s->m * sizeof *now->lambda);
    for (int i = 0; i < s->nz; i++) {
        s->second.next.z[i] = now->z[i] + h * s->eval.z_dot[i];
    }
    s->second.dae.move(s, now->q, x, s->second.next.q);
    return TR_OK;
}

static double trapezoid(trSim *s, double h) {
    s->second.power_next = tr_sim_power(s, s->second.next.lambda);
    return s->second.now.work + 0.5 * h * (s->second.power + s->second.power_next);
}

static trStatus attempt(trSim *s, double *h, double *error) {
    const trImplicitKind *kind = s->stepper.kind->implicit;
    bool                  is_short = !s->stepper.adaptive && *h < SHORT * s->def.step;
    trStatus              status = is_short ? drift(s, *h)
                                            : kind->attempt(s->stepper.work, &s->second.dae, h, &s->second.now,
                                                            &s->second.next, error);
    if (status == TR_NO_CONVERGENCE && s->second.evaluated) {
        return tr_explain_newton(s, status, *h);
    }
    TR_TRY(status);
    s->eval.z = s->second.next.z;
    TR_TRY(
        tr_system_eval(s->system, s->second.next.t, s->second.next.q, s->second.next.v, &s->eval));
    if (kind->needs_tangent && s->stepper.own_reactions) {
        TR_TRY(tr_check_closed(s, s->second.next.t));
    }
    s->second.next.work =
        kind->integrates_work && !is_short ? s->second.next.work : trapezoid(s, *h);
    tr_implicit_put(s, &s->second.next, s->second.next.work, s->x_new);
    return TR_OK;
}

// Where ends of steps are put on the constraints, the next one starts there.
static void accept(trSim *s) {
    const trImplicitKind *kind = s->stepper.kind->implicit;
    tr_dae_copy(&s->second.dae, &s->second.next, &s->second.now);
    s->second.now.t = s->t;
    s->second.power = s->second.power_next;
    if (s->methods.step != NULL) {
        memcpy(s->second.now.q, s->x, (size_t)s->nq * sizeof *s->x);
        memcpy(s->second.now.v, s->x + s->nq, (size_t)s->nv * sizeof *s->x);
    }
    if (kind->accept != NULL) {
        kind->accept(s->stepper.work);
    }
}

static trStatus settle(trSim *s) {
    TR_TRY(tr_sim_accelerate(s, s->t, s->x, s->a));
    if (!s->stepper.own_reactions) {
        memcpy(s->second.now.a, s->a, (size_t)s->nv * sizeof *s->a);
        memcpy(s->second.now.lambda, s->lambda, (size_t)s->m * sizeof *s->lambda);
    }
    return TR_OK;
}

static void take_multipliers(trSim *s) {
    memcpy(s->second.now.lambda, s->lambda, (size_t)s->m * sizeof *s->lambda);
}

// Positions by the cubic with the right velocities at both ends, velocities by its slope; the rest
// is of second order at best, and linear; W by the trapezoidal rule is a parabola.
static void through_both_ends(trSim *s, double h, double theta) {
    double  rest = 1.0 - theta;
    double *q0 = s->second.slope, *q1 = s->second.slope + s->nq;  // rates of q at the ends
    tr_system_rate(s->system, s->second.now.q, s->second.now.v, q0);
    tr_system_rate(s->system, s->second.next.q, s->second.next.v, q1);
    for (int i = 0; i < s->nq; i++) {
        double jump = s->second.next.q[i] - s->second.now.q[i];
        s->work.x_row[i] = s->second.now.q[i] + theta * jump +
                           theta * rest * (rest * (h * q0[i] - jump) - theta * (h * q1[i] - jump));
        q0[i] = rest * (1.0 - 3.0 * theta) * q0[i] + theta * (1.0 - 3.0 * rest) * q1[i] +
                6.0 * theta * rest * jump / h;
    }
    tr_system_pull(s->system, s->work.x_row, q0, s->work.x_row + s->nq);
    for (int i = 0; i < s->nv; i++) {
        s->a[i] = rest * s->second.now.a[i] + theta * s->second.next.a[i];
    }
    for (int i = 0; i < s->m; i++) {
        s->lambda[i] = rest * s->second.now.lambda[i] + theta * s->second.next.lambda[i];
    }
    for (int i = 0; i < s->nz; i++) {
        s->work.x_row[s->nq + s->nv + i] = rest * s->second.now.z[i] + theta * s->second.next.z[i];
    }
    bool   by_rule = !s->stepper.kind->implicit->integrates_work;
    double bend = by_rule ? 0.5 * h * (s->second.power_next - s->second.power) : 0.0;
    s->work.x_row[s->nx - 1] =
        rest * s->x[s->nx - 1] + theta * s->x_new[s->nx - 1] - theta * rest * bend;
}

static trStatus interpolate(trSim *s, double h, double theta, bool first) {
    const trImplicitKind *kind = s->stepper.kind->implicit;
    if (kind->interpolate == NULL) {
        through_both_ends(s, h, theta);
        return TR_OK;
    }
    trDaeState row = {.t = s->t + theta * h,
                      .q = s->work.x_row,
                      .v = s->work.x_row + s->nq,
                      .z = s->work.x_row + s->nq + s->nv,
                      .a = s->a,
                      .lambda = s->lambda};
    TR_TRY(kind->interpolate(s->stepper.work, &s->second.dae, h, theta, &s->second.now,
                             &s->second.next, &row));
    s->work.x_row[s->nx - 1] = row.work;
    return TR_OK;
}

static const double *acceleration(const trSim *s) {
    return s->second.now.a;
}

const trDriver tr_implicit_driver = {
    .same_step = 1e-4,
    .repeats = true,
    .divides_by_h2 = true,
    .plan = plan,
    .restart = restart,
    .attempt = attempt,
    .accept = accept,
    .settle = settle,
    .take_multipliers = take_multipliers,
    .interpolate = interpolate,
    .acceleration = acceleration,
};
