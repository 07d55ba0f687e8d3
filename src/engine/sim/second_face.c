// SPDX-License-Identifier: MIT
// The second face: the system as an implicit integrator sees it. Functions of trDae
// (integrator/integrator.h), with the sim as their context.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "sim/sim.h"

static trStatus look(trSim *s, double t, const double *q, const double *v, const double *z) {
    s->at_state = s->second.evaluated = false;
    s->notes.stats.evaluations++;
    s->eval.z = z;
    TR_TRY(tr_system_eval(s->system, t, q, v, &s->eval));
    s->second.evaluated = true;
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
    tr_copy(s->nz, s->eval.z_dot, out->z_dot);
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
            s->second.evaluated = false;  // the words are here, not at a joint
            return tr_blame_body(TR_NO_CONVERGENCE, &system->body[i]);
        }
    }
    return TR_OK;
}

#define AHEAD 1e-6  // of what moves by 1 in a unit of time [m], [rad]

// The equations a little later along the motion.
static trStatus look_ahead(trSim *s, const trDaeState *state, double *by) {
    *by = AHEAD / (1.0 + tr_largest(s->nv, state->v));
    for (int i = 0; i < s->nv; i++) {
        s->work.x_row[i] = *by * state->v[i];
    }
    memcpy(s->work.x_stage, state->q, (size_t)s->nq * sizeof *s->work.x_stage);
    tr_system_retract(s->system, s->work.x_row, s->work.x_stage);
    s->notes.stats.evaluations++;
    s->second.ahead.z = state->z;
    return tr_system_eval(s->system, state->t + *by, s->work.x_stage, state->v, &s->second.ahead);
}

static trStatus linearize(void *context, const trDaeState *state, const double *x) {
    trSim         *s = context;
    trTangentState at = {.v = state->v, .a = state->a, .lambda = state->lambda, .x = x};
    if (x != NULL) {
        TR_TRY(check_turns(s, state->t, x));
    }
    if (tr_implicit_needs_rates(s)) {
        TR_TRY(look_ahead(s, state, &at.ahead_by));
        at.ahead = &s->second.ahead;
    }
    tr_tangent_evaluate(&s->tangent, &s->eval, &at);
    return TR_OK;
}

static void swing(void *context, trSwing *out) {
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
    trStatus           status = tr_kernel_factor(&s->methods.kernel, e);
    if (status == TR_OK) {
        status = s->methods.kernel.kind->solve(s->methods.kernel.work, e, F, b, x, y);
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
    double           *x[2] = {s->work.x_stage, s->work.x_row}, *e = s->x_next;
    tr_implicit_put(s, from, from->work, x[0]);
    tr_implicit_put(s, to, dwork != 0.0 ? to->work : from->work, x[1]);
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
    double *x = s->work.x_row;
    tr_implicit_put(s, state, state->work, x);
    for (int g = 0; g < tr_error_groups(&s->ode); g++) {
        trErrorGroup group = tr_error_group(&s->ode, g);
        double       mean = 1.0 / sqrt((double)group.count);
        for (int k = 0; k < group.count; k++) {
            int i = tr_error_component(&group, k);
            weight[i] = mean * s->stepper.weight[i] / (s->def.atol + s->def.rtol * fabs(x[i]));
        }
    }
}

trDae tr_second_face(trSim *s) {
    return (trDae){.nq = s->nq,
                   .nv = s->nv,
                   .m = s->m,
                   .nz = s->nz,
                   .holonomic = s->system->holonomic,
                   .context = s,
                   .tangent = &s->tangent,
                   .residual = residual,
                   .linearize = linearize,
                   .swing = swing,
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
}
