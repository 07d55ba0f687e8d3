// SPDX-License-Identifier: MIT
// The second face: the system as an implicit integrator sees it, and the bookkeeping around one.
//
// The integrator's own accelerations and multipliers belong to its states: results show them, not
// those that the equations at acceleration level would give there.

#include <math.h>
#include <string.h>

#include "sim/sim.h"

static void put_state(const trSim *s, const trDaeState *state, double work, double *x) {
    memcpy(x, state->q, (size_t)s->nq * sizeof *x);
    memcpy(x + s->nq, state->v, (size_t)s->nv * sizeof *x);
    memcpy(x + s->nq + s->nv, state->z, (size_t)s->nz * sizeof *x);
    x[s->nx - 1] = work;
}

static trStatus look(trSim *s, double t, const double *q, const double *v, const double *z) {
    s->at_state = s->evaluated = false;
    s->stats.evaluations++;
    s->eval.z = z;
    TR_TRY(tr_system_eval(s->system, t, q, v, &s->eval));
    s->evaluated = true;
    return TR_OK;
}

// Of a row that others imply, nothing is asked.
static double unless_left_out(const trSim *s, int row, double value) {
    return s->tangent.left_out != NULL && s->tangent.left_out[row] ? 0.0 : value;
}

// r = M a + A' lambda - Q - C, by its opposite.
static trStatus residual(void *context, const trDaeState *state, trDaeResidual *out) {
    trSim             *s = context;
    const trEquations *e = &s->eval.equations;
    TR_TRY(look(s, state->t, state->q, state->v, state->z));
    if (s->eval.C != NULL) {
        TR_TRY(tr_eval_nonideal(&s->eval, state->lambda));
    }
    tr_mass_mul(&e->M, state->a, out->r);
    for (int i = 0; i < s->nv; i++) {
        out->r[i] = e->Q[i] + (s->eval.C != NULL ? s->eval.C[i] : 0.0) - out->r[i];
    }
    tr_rows_tmul_sub(&e->A, state->lambda, out->r);
    for (int i = 0; i < s->nv; i++) {
        out->r[i] = -out->r[i];
    }
    tr_sim_rates(s, state->v, out->rate);
    for (int i = 0; i < s->m; i++) {
        out->phi[i] = unless_left_out(s, i, e->holonomic[i] ? e->phi[i] : 0.0);
        out->rate[i] = unless_left_out(s, i, out->rate[i]);
    }
    for (int i = 0; i < s->nz; i++) {
        out->z_dot[i] = s->eval.z_dot[i];
    }
    out->power = tr_sim_power(s, state->lambda);
    out->e = e;
    return TR_OK;
}

// A step is a rotation vector of less than one turn; a margin is left, as in system/eval.c.
#define MOST_TURN 5.0  // [rad]

static trStatus check_turns(void *context, double t, const double *x) {
    trSim          *s = context;
    const trSystem *system = s->system;
    int             nv = system->space->nv;
    for (int i = 0; system->space->compose != NULL && i < system->bodies; i++) {
        const double *turn = x + nv * i + 3;
        if (!(tr_length3((trVec3){turn[0], turn[1], turn[2]}) <= MOST_TURN)) {
            tr_fail(TR_NO_CONVERGENCE,
                    "turns by more than %g rad within the step to t = %.9g s; take a smaller step",
                    MOST_TURN, t);
            s->evaluated = false;  // the words are here, not at a joint
            return tr_blame_body(TR_NO_CONVERGENCE, &system->body[i]);
        }
    }
    return TR_OK;
}

#define AHEAD 1e-6  // of what moves by 1 in a unit of time [m], [rad]

// The equations a little later along the motion.
static trStatus look_ahead(trSim *s, const trDaeState *state, double *by) {
    double fastest = 0.0;
    for (int i = 0; i < s->nv; i++) {
        fastest = fmax(fastest, fabs(state->v[i]));
    }
    *by = AHEAD / (1.0 + fastest);
    for (int i = 0; i < s->nv; i++) {
        s->x_row[i] = *by * state->v[i];
    }
    memcpy(s->x_stage, state->q, (size_t)s->nq * sizeof *s->x_stage);
    tr_system_retract(s->system, s->x_row, s->x_stage);
    s->stats.evaluations++;
    s->ahead.z = state->z;
    return tr_system_eval(s->system, state->t + *by, s->x_stage, state->v, &s->ahead);
}

static bool needs_rates(const trSim *s) {
    const trImplicitKind *kind = s->integrator->implicit;
    return kind->needs_rates || (kind->rates_form != NULL && s->def.form != NULL &&
                                 strcmp(kind->rates_form, s->def.form) == 0);
}

static trStatus linearize(void *context, const trDaeState *state, const double *x) {
    trSim         *s = context;
    trTangentState at = {.v = state->v, .a = state->a, .lambda = state->lambda, .x = x};
    if (x != NULL) {
        TR_TRY(check_turns(s, state->t, x));
    }
    if (needs_rates(s)) {
        TR_TRY(look_ahead(s, state, &at.ahead_by));
        at.ahead = &s->ahead;
    }
    tr_tangent_evaluate(&s->tangent, &s->eval, &at);
    return TR_OK;
}

static void turn(void *context, trSwing *out) {
    const trSim *s = context;
    tr_swing_evaluate(&s->tangent, &s->eval, out);
}

static trStatus evaluate(void *context, double t, const double *q, const double *v,
                         const trEquations **out) {
    trSim *s = context;
    *out = &s->eval.equations;
    return look(s, t, q, v, s->eval.z);
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

static void rate(void *context, const double *q, const double *v, double *q_dot) {
    tr_system_rate(((const trSim *)context)->system, q, v, q_dot);
}

static void pull(void *context, const double *q, const double *q_dot, double *v) {
    tr_system_pull(((const trSim *)context)->system, q, q_dot, v);
}

static void x_rate(void *context, const double *x, const double *v, double *x_dot) {
    tr_system_x_rate(((const trSim *)context)->system, x, v, x_dot);
}

// Errors of positions become errors of the numbers q, as those of explicit methods are measured.
static double norm(void *context, const trDaeState *from, const trDaeState *to, const double *dx,
                   const double *dv, const double *dz, double dwork) {
    trSim            *s = context;
    const trTolerance tolerance = {s->def.rtol, s->def.atol};
    double           *x[2] = {s->x_stage, s->x_row}, *e = s->x_next;
    put_state(s, from, from->work, x[0]);
    put_state(s, to, dwork != 0.0 ? to->work : from->work, x[1]);
    for (int i = 0; i < s->nx; i++) {
        e[i] = 0.0;
    }
    if (dx != NULL) {
        tr_system_rate(s->system, to->q, dx, e);
    }
    for (int i = 0; dv != NULL && i < s->nv; i++) {
        e[s->nq + i] = dv[i];
    }
    for (int i = 0; dz != NULL && i < s->nz; i++) {
        e[s->nq + s->nv + i] = dz[i];
    }
    e[s->nx - 1] = dwork;
    return tr_error_norm(&s->ode, e, x[0], x[1], &tolerance);
}

// A sum over all groups is at least that of the worst.
static void weigh(void *context, const trDaeState *state, double *weight) {
    trSim  *s = context;
    double *x = s->x_row;
    put_state(s, state, state->work, x);
    for (int g = 0; g < tr_error_groups(&s->ode); g++) {
        trErrorGroup group = tr_error_group(&s->ode, g);
        double       mean = 1.0 / sqrt((double)(group.count[0] + group.count[1]));
        for (int part = 0; part < 2; part++) {
            for (int i = group.first[part]; i < group.first[part] + group.count[part]; i++) {
                weight[i] = mean * s->weight[i] / (s->def.atol + s->def.rtol * fabs(x[i]));
            }
        }
    }
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
    return (trIntegratorSettings){.tolerance = {def->rtol, def->atol},
                                  .step = def->step,
                                  .min_step = def->min_step,
                                  .max_step = def->max_step,
                                  .rho = def->rho,
                                  .epsilon = def->epsilon,
                                  .form = def->form};
}

static trStatus refuse_states(const trSim *s) {
    return tr_fail(TR_E_UNSUPPORTED,
                   "state '%s': integrator '%s' cannot take further states; take dop853",
                   s->system->state_name[0], s->integrator->name);
}

trStatus tr_implicit_plan(trSim *s) {
    s->slope = tr_new_array(s->arena, double, 2 * s->nq);
    plan_state(s, &s->now);
    plan_state(s, &s->next);
    s->dae = (trDae){.nq = s->nq,
                     .nv = s->nv,
                     .m = s->m,
                     .nz = s->nz,
                     .holonomic = s->system->holonomic,
                     .context = s,
                     .tangent = &s->tangent,
                     .residual = residual,
                     .linearize = linearize,
                     .turn = turn,
                     .constrain = constrain,
                     .evaluate = evaluate,
                     .check_turns = check_turns,
                     .move = move,
                     .compose = compose,
                     .rate = rate,
                     .pull = pull,
                     .x_rate = x_rate,
                     .norm = norm,
                     .weigh = weigh};
    const trImplicitKind      *kind = s->integrator->implicit;
    const trIntegratorSettings settings = tr_sim_settings(s);
    const char                *warning = kind->warn != NULL ? kind->warn(&settings) : NULL;
    if (warning != NULL) {
        s->warning[s->warnings++] = warning;
    }
    if (s->nz > 0 && !kind->needs_tangent) {
        return refuse_states(s);
    }
    if (kind->needs_tangent) {
        TR_TRY(tr_tangent_plan(s->arena, s->system, &s->tangent));
    }
    if (needs_rates(s)) {
        TR_TRY(tr_eval_plan(s->arena, s->system, s->def.rank_tolerance, &s->ahead));
    }
    trStatus status =
        kind->plan(s->arena, &s->dae, &s->eval.equations, &settings, &s->integrator_work);
    return status == TR_E_MODEL && s->eval.equations.nonlinear ? tr_blame_nonlinear(s, status)
                                                               : status;
}

trStatus tr_implicit_begin(trSim *s) {
    const trImplicitKind *kind = s->integrator->implicit;
    s->now.t = s->t;
    memcpy(s->now.q, s->x, (size_t)s->nq * sizeof *s->x);
    memcpy(s->now.v, s->x + s->nq, (size_t)s->nv * sizeof *s->x);
    memcpy(s->now.z, s->x + s->nq + s->nv, (size_t)s->nz * sizeof *s->x);
    memcpy(s->now.a, s->a, (size_t)s->nv * sizeof *s->a);
    memcpy(s->now.lambda, s->lambda, (size_t)s->m * sizeof *s->lambda);
    s->now.work = s->x[s->nx - 1];
    s->power = tr_sim_power(s, s->lambda);
    return kind->begin != NULL ? kind->begin(s->integrator_work, &s->dae, &s->now) : TR_OK;
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
    for (int i = 0; i < s->nz; i++) {
        s->next.z[i] = now->z[i] + h * s->eval.z_dot[i];
    }
    move(s, now->q, x, s->next.q);
    return TR_OK;
}

static double trapezoid(trSim *s, double h) {
    s->power_next = tr_sim_power(s, s->next.lambda);
    return s->now.work + 0.5 * h * (s->power + s->power_next);
}

// Whether it is a row that keeps Newton's method from its end. An adaptive method has other
// reasons, and words for them, once positions satisfy the rows within the tolerances.
static bool misses_a_row(const trSim *s) {
    int row = tr_worst_row(&s->eval.equations);
    return !s->adaptive || (row >= 0 && !(fabs(s->eval.phi[row]) <= s->def.atol));
}

trStatus tr_implicit_attempt(trSim *s, double *h, double *error) {
    const trImplicitKind *kind = s->integrator->implicit;
    bool                  is_short = !s->adaptive && *h < SHORT * s->def.step;
    trStatus              status = is_short
                                       ? drift(s, *h)
                                       : kind->attempt(s->integrator_work, &s->dae, h, &s->now, &s->next, error);
    if (status == TR_NO_CONVERGENCE && s->evaluated) {
        int row = tr_worst_row(&s->eval.equations);
        return misses_a_row(s) ? tr_explain_row(s, status, s->t + *h, row)
                               : tr_name_row(s, status, row);
    }
    TR_TRY(status);
    s->eval.z = s->next.z;
    TR_TRY(tr_system_eval(s->system, s->next.t, s->next.q, s->next.v, &s->eval));
    s->next.work = kind->integrates_work && !is_short ? s->next.work : trapezoid(s, *h);
    put_state(s, &s->next, s->next.work, s->x_new);
    return TR_OK;
}

// Where ends of steps are put on the constraints, the next one starts there.
void tr_implicit_accept(trSim *s) {
    const trImplicitKind *kind = s->integrator->implicit;
    trDaeState            old = s->now;
    s->now = s->next;
    s->next = old;
    s->now.t = s->t;
    s->power = s->power_next;
    if (s->step != NULL) {
        memcpy(s->now.q, s->x, (size_t)s->nq * sizeof *s->x);
        memcpy(s->now.v, s->x + s->nq, (size_t)s->nv * sizeof *s->x);
    }
    if (kind->accept != NULL) {
        kind->accept(s->integrator_work);
    }
}

void tr_implicit_settle(trSim *s) {
    if (!s->integrator->implicit->own_reactions) {
        memcpy(s->now.a, s->a, (size_t)s->nv * sizeof *s->a);
        memcpy(s->now.lambda, s->lambda, (size_t)s->m * sizeof *s->lambda);
    }
}

// Rows that were redundant from the start and still are. Those that become dependent on the way, in
// a singular pose, are needed beside it: there the matrix is regular by TR_PART_E.
void tr_implicit_leave_out(trSim *s) {
    bool *left_out = s->tangent.left_out, changed = false;
    for (int i = 0; left_out != NULL && i < s->m; i++) {
        s->redundant[i] = s->stats.steps == 0 ? s->dependent[i] : s->redundant[i];
        bool leave = s->redundant[i] && s->dependent[i];
        changed |= leave != left_out[i];
        left_out[i] = leave;
    }
    if (changed && s->integrator->implicit != NULL) {  // multipliers that belong to the others
        memcpy(s->now.lambda, s->lambda, (size_t)s->m * sizeof *s->lambda);
    }
}

// Positions by the cubic with the right velocities at both ends; the rest is of second order at
// best, and linear.
static void through_both_ends(trSim *s, double h, double theta) {
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
    for (int i = 0; i < s->nz; i++) {
        s->x_row[s->nq + s->nv + i] = rest * s->now.z[i] + theta * s->next.z[i];
    }
    s->x_row[s->nx - 1] = rest * s->x[s->nx - 1] + theta * s->x_new[s->nx - 1];
}

trStatus tr_implicit_interpolate(trSim *s, double h, double theta) {
    const trImplicitKind *kind = s->integrator->implicit;
    if (kind->interpolate == NULL) {
        through_both_ends(s, h, theta);
        return TR_OK;
    }
    trDaeState row = {.t = s->t + theta * h,
                      .q = s->x_row,
                      .v = s->x_row + s->nq,
                      .z = s->x_row + s->nq + s->nv,
                      .a = s->a,
                      .lambda = s->lambda};
    TR_TRY(kind->interpolate(s->integrator_work, &s->dae, h, theta, &s->now, &s->next, &row));
    s->x_row[s->nx - 1] = row.work;
    return TR_OK;
}
