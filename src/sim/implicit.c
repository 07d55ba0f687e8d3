// SPDX-License-Identifier: MIT
// The second face: the system as an implicit integrator sees it, and the bookkeeping around one.
//
// The integrator's own accelerations and multipliers belong to its states: results show them, not
// those that the equations at acceleration level would give there.

#include <string.h>

#include "sim/sim.h"

// r = M a + A' lambda - Q; phi, or A v - b1 in nonholonomic rows.
static trStatus residual(void *context, const trDaeState *state, double *r, double *g) {
    trSim             *s = context;
    const trEquations *e = &s->eval.equations;
    s->at_state = s->evaluated = false;
    s->stats.evaluations++;
    TR_TRY(tr_system_eval(s->system, state->t, state->q, state->v, &s->eval));
    s->evaluated = true;
    tr_mass_mul(&e->M, state->a, r);
    for (int i = 0; i < s->nv; i++) {
        r[i] = e->Q[i] - r[i];
    }
    tr_rows_tmul_sub(&e->A, state->lambda, r);
    tr_rows_mul(&e->A, state->v, s->rate);
    for (int i = 0; i < s->nv; i++) {
        r[i] = -r[i];
    }
    for (int i = 0; i < s->m; i++) {
        g[i] = e->holonomic[i] ? e->phi[i] : s->rate[i] - e->b1[i];
    }
    return TR_OK;
}

// A step is a rotation vector of less than one turn; a margin is left, as in system/eval.c.
#define MOST_TURN 5.0  // [rad]

static trStatus check_turns(const trSim *s, double t, const double *x) {
    const trSystem *system = s->system;
    int             nv = system->space->nv;
    for (int i = 0; system->space->compose != NULL && i < system->bodies; i++) {
        const double *turn = x + nv * i + 3;
        if (!(tr_length3((trVec3){turn[0], turn[1], turn[2]}) <= MOST_TURN)) {
            tr_fail(TR_NO_CONVERGENCE,
                    "turns by more than %g rad within the step to t = %.9g s; take a smaller step",
                    MOST_TURN, t);
            return tr_blame_body(TR_NO_CONVERGENCE, &system->body[i]);
        }
    }
    return TR_OK;
}

static trStatus factor(void *context, const trDaeState *state, const double *x, double cv,
                       double ca) {
    trSim   *s = context;
    trStatus status = check_turns(s, state->t, x);
    if (status != TR_OK) {
        s->evaluated = false;  // the words are here, not at a joint
        return status;
    }
    const trTangentState at = {state->v, state->a, state->lambda, x};
    return tr_tangent_factor(&s->tangent, &s->eval, &at, cv, ca);
}

static void solve(void *context, double *r, double *g) {
    tr_tangent_solve(&((trSim *)context)->tangent, r, g);
}

static trStatus evaluate(void *context, double t, const double *q, const double *v,
                         const trEquations **out) {
    trSim *s = context;
    s->at_state = s->evaluated = false;
    s->stats.evaluations++;
    *out = &s->eval.equations;
    TR_TRY(tr_system_eval(s->system, t, q, v, &s->eval));
    s->evaluated = true;
    return TR_OK;
}

static trStatus constrain(void *context, const double *F, const double *b, double *x, double *y) {
    trSim             *s = context;
    const trEquations *e = &s->eval.equations;
    trStatus           status = tr_kernel_factor(&s->kernel, e);
    if (status == TR_OK) {
        status = s->kernel.kind->solve(s->kernel.work, e, F, b, x, y);
    }
    return status == TR_OK ? TR_OK : tr_explain(s, status, s->eval.t);
}

static void move(void *context, const double *q0, const double *x, double *q) {
    const trSim *s = context;
    memcpy(q, q0, (size_t)s->nq * sizeof *q);
    tr_system_retract(s->system, x, q);
}

static void compose(void *context, const double *dq, double *x) {
    tr_system_compose(((const trSim *)context)->system, dq, x);
}

static void plan_state(trSim *s, trDaeState *state) {
    state->q = tr_new_array(s->arena, double, s->nq);
    state->v = tr_new_array(s->arena, double, s->nv);
    state->a = tr_new_array(s->arena, double, s->nv);
    state->lambda = tr_new_array(s->arena, double, s->m);
}

trStatus tr_implicit_plan(trSim *s) {
    s->slope = tr_new_array(s->arena, double, 2 * s->nq);
    plan_state(s, &s->now);
    plan_state(s, &s->next);
    s->dae = (trDae){.nq = s->nq,
                     .nv = s->nv,
                     .m = s->m,
                     .context = s,
                     .residual = residual,
                     .factor = factor,
                     .solve = solve,
                     .constrain = constrain,
                     .evaluate = evaluate,
                     .move = move,
                     .compose = compose};
    const trImplicitKind   *kind = s->integrator->implicit;
    const trImplicitOptions options = {.rho = s->def.rho, .epsilon = s->def.epsilon};
    if (kind->needs_tangent) {
        TR_TRY(tr_tangent_plan(s->arena, s->system, &s->tangent));
    } else if (s->nz > 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "state '%s': integrator '%s' cannot take further states; take dop853",
                       s->system->state_name[0], s->integrator->name);
    }
    trStatus status =
        kind->plan(s->arena, &s->dae, &s->eval.equations, &options, &s->integrator_work);
    return status == TR_E_MODEL && s->eval.equations.nonlinear ? tr_blame_nonlinear(s, status)
                                                               : status;
}

void tr_implicit_begin(trSim *s) {
    s->now.t = s->t;
    memcpy(s->now.q, s->x, (size_t)s->nq * sizeof *s->x);
    memcpy(s->now.v, s->x + s->nq, (size_t)s->nv * sizeof *s->x);
    memcpy(s->now.a, s->a, (size_t)s->nv * sizeof *s->a);
    memcpy(s->now.lambda, s->lambda, (size_t)s->m * sizeof *s->lambda);
    s->power = tr_sim_power(s, s->lambda);
    s->integrator->implicit->begin(s->integrator_work, s->now.a, s->now.lambda);
}

// A step this much shorter than the one asked for, to a goal that is close, is not left to the
// method: it would divide the rounding of positions by the square of h to get v' and lambda.
#define SHORT 1e-3

// q (+) h v + h^2 v' / 2, v + h v'; v' and lambda stay. What is left out is of the order of h, less
// than the method's own error of the order of the full step squared.
static trStatus drift(trSim *s, double h) {
    const trDaeState *now = &s->now;
    double           *x = s->x_row;  // memory
    s->next.t = now->t + h;
    for (int i = 0; i < s->nv; i++) {
        x[i] = h * (now->v[i] + 0.5 * h * now->a[i]);
        s->next.v[i] = now->v[i] + h * now->a[i];
        s->next.a[i] = now->a[i];
    }
    memcpy(s->next.lambda, now->lambda, (size_t)s->m * sizeof *now->lambda);
    move(s, now->q, x, s->next.q);
    return TR_OK;
}

// W by the trapezoidal rule, which has the order of the methods.
trStatus tr_implicit_attempt(trSim *s, double h) {
    bool     is_short = h < SHORT * s->def.step;
    trStatus status = is_short ? drift(s, h)
                               : s->integrator->implicit->attempt(s->integrator_work, &s->dae, h,
                                                                  &s->now, &s->next);
    if (status == TR_NO_CONVERGENCE && s->evaluated) {
        return tr_explain_row(s, status, s->t + h, tr_worst_row(&s->eval.equations));
    }
    TR_TRY(status);
    TR_TRY(tr_system_eval(s->system, s->next.t, s->next.q, s->next.v, &s->eval));
    s->power_next = tr_sim_power(s, s->next.lambda);
    memcpy(s->x_new, s->next.q, (size_t)s->nq * sizeof *s->x);
    memcpy(s->x_new + s->nq, s->next.v, (size_t)s->nv * sizeof *s->x);
    s->x_new[s->nx - 1] = s->x[s->nx - 1] + 0.5 * h * (s->power + s->power_next);
    return TR_OK;
}

void tr_implicit_accept(trSim *s) {
    trDaeState old = s->now;
    s->now = s->next;
    s->next = old;
    s->now.t = s->t;
    s->power = s->power_next;
    s->integrator->implicit->accept(s->integrator_work);
}

// Positions by the cubic with the right velocities at both ends; the rest is of second order at
// best, and linear.
void tr_implicit_interpolate(trSim *s, double h, double theta) {
    double  rest = 1.0 - theta;
    double *q0 = s->slope, *q1 = s->slope + s->nq;  // rates of q at the ends
    tr_system_rate(s->system, s->now.q, s->now.v, q0);
    tr_system_rate(s->system, s->next.q, s->next.v, q1);
    for (int i = 0; i < s->nq; i++) {
        double jump = s->next.q[i] - s->now.q[i];
        s->x_row[i] = s->now.q[i] + theta * jump +
                      theta * rest * (rest * (h * q0[i] - jump) - theta * (h * q1[i] - jump));
    }
    for (int i = 0; i < s->nv; i++) {
        s->x_row[s->nq + i] = rest * s->now.v[i] + theta * s->next.v[i];
        s->a[i] = rest * s->now.a[i] + theta * s->next.a[i];
    }
    for (int i = 0; i < s->m; i++) {
        s->lambda[i] = rest * s->now.lambda[i] + theta * s->next.lambda[i];
    }
    s->x_row[s->nx - 1] = rest * s->x[s->nx - 1] + theta * s->x_new[s->nx - 1];
}
