// SPDX-License-Identifier: MIT
// The first face for methods that own their step: projection of their states, and solutions of
// (1 - gamma J) y = r.
//
// x = (q, v, z, W) moves by y = (y_q, y_v, y_z, y_W), y_q in the directions of v. How A and b
// change is neglected, which is not stiff (docs/theory/sundials.md). The unknown is what da does to
// positions, w = gamma^2 da; with p = r_q + gamma r_v and mu = gamma^2 dlambda:
//
//     [ M + gamma D + gamma^2 K   A'   gamma^2 Z     ] [ w   ]   [ -gamma^2 (K p + D r_v)         ]
//     [ A                                            ] [ mu  ] = [ 0                              ]
//     [ gamma G_Q + G_V                1 + gamma G_Z ] [ y_z ]   [ r_z - gamma (G_Q p + G_V r_v)  ]
//
//     y_q = p + w,    y_v = r_v + w / gamma,    y_W = r_W
//
// Of a quaternion u, r is 2 vec(u* r) / |u|^2 in the directions of v; what points along u stays as
// it is.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "sim/sim.h"

// In the order of the coefficients in factor().
static trStatus plan_matrix(trSim *s) {
    int               nv = s->nv, z = s->nv + s->m;
    const trPlacement place[] = {
        {TR_PART_M, 0, 0},   {TR_PART_AT, 0, nv},    {TR_PART_AT_VEL, 0, nv}, {TR_PART_C, 0, nv},
        {TR_PART_A, nv, 0},  {TR_PART_V_VEL, nv, 0}, {TR_PART_E, nv, nv},     {TR_PART_ONE_Z, z, z},
        {TR_PART_G_V, z, 0}, {TR_PART_D, 0, 0},      {TR_PART_G_Q, z, 0},     {TR_PART_G_Z, z, z},
        {TR_PART_K, 0, 0},   {TR_PART_Z, 0, z}};
    TR_TRY(tr_tangent_plan(s->arena, s->system, &s->tangent));
    s->owned.a = tr_new_array(s->arena, double, s->nv);
    s->owned.q = tr_new_array(s->arena, double, s->nq);
    s->owned.p = tr_new_array(s->arena, double, s->nv);
    s->owned.w = tr_new_array(s->arena, double, z + s->nz);
    TR_TRY(tr_swing_plan(s->arena, &s->tangent, &s->owned.swing));
    return tr_newton_plan(s->arena, &s->tangent, z + s->nz, 14, place, &s->owned.matrix);
}

static trStatus factor(trSim *s, double t, double gamma) {
    double       g = gamma, g2 = gamma * gamma;
    const double coefficient[] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, g, g, g, g2, g2};
    s->owned.gamma = gamma;
    tr_newton_fill(&s->owned.matrix, coefficient);
    trStatus status = tr_newton_factor(&s->owned.matrix);
    return status == TR_OK ? TR_OK : tr_blame(status, "t = %.9g s: ", t);
}

static trStatus prepare(void *context, double t, const double *x, double gamma) {
    trSim *s = context;
    if (x != NULL) {
        s->notes.stats.evaluations++;
        memcpy(s->work.x_stage, x, (size_t)s->nx * sizeof *x);
        TR_TRY(tr_sim_to_state(s, s->methods.stage, INFINITY, t, s->work.x_stage));
        TR_TRY(tr_sim_accelerate(s, t, s->work.x_stage, s->owned.a));
        const trTangentState at = {
            .v = s->work.x_stage + s->nq, .a = s->owned.a, .lambda = s->lambda};
        tr_tangent_evaluate(&s->tangent, &s->eval, &at);
    }
    return factor(s, t, gamma);
}

// y += factor part x
static void add_part(const trTangent *t, trPart part, double factor, const double *x, double *y) {
    for (int b = 0; b < t->blocks; b++) {
        const trPartBlock *block = &t->block[b];
        const double      *value = t->value + block->value;
        for (int i = 0; block->part == part && i < block->rows; i++) {
            for (int k = 0; k < block->columns; k++) {
                y[block->row + i] += factor * value[i * block->columns + k] * x[block->column + k];
            }
        }
    }
}

// dq += factor N(q) dv
static void add_rate(trSim *s, double factor, const double *dv, double *dq) {
    double *rate = s->work.x_stage;  // memory
    tr_system_rate(s->system, s->owned.q, dv, rate);
    tr_add_scaled(s->nq, factor, rate, dq);
}

// Changes of the numbers q become those in the directions of v, p. What no v can do, along a
// quaternion, is left in r.
static trStatus solve(void *context, double *r) {
    trSim           *s = context;
    const trTangent *t = &s->tangent;
    double           gamma = s->owned.gamma, *p = s->owned.p, *w = s->owned.w;
    double          *r_v = r + s->nq, *r_z = r_v + s->nv, *w_z = w + s->nv + s->m;
    memcpy(s->owned.q, s->eval.q, (size_t)s->nq * sizeof *r);
    tr_swing_evaluate(t, &s->eval, &s->owned.swing);
    tr_system_pull(s->system, s->owned.q, r, p);
    add_rate(s, -1.0, p, r);
    tr_add_scaled(s->nv, gamma, r_v, p);
    tr_swing_back(t, &s->owned.swing, p, NULL);
    tr_swing_back(t, &s->owned.swing, r_v, NULL);
    memset(w, 0, (size_t)(s->nv + s->m) * sizeof *w);
    memcpy(w_z, r_z, (size_t)s->nz * sizeof *w);
    add_part(t, TR_PART_K, -gamma * gamma, p, w);
    add_part(t, TR_PART_D, -gamma * gamma, r_v, w);
    add_part(t, TR_PART_G_Q, -gamma, p, w_z);
    add_part(t, TR_PART_G_V, -gamma, r_v, w_z);
    tr_newton_solve(&s->owned.matrix, w);
    for (int i = 0; i < s->nv; i++) {
        p[i] += w[i];
        r_v[i] += w[i] / gamma;
    }
    memcpy(r_z, w_z, (size_t)s->nz * sizeof *w);
    tr_swing_forth(t, &s->owned.swing, p, NULL);
    tr_swing_forth(t, &s->owned.swing, r_v, NULL);
    add_rate(s, 1.0, p, r);
    return TR_OK;
}

#define MAX_DODGES 4  // attempts to end a step beside a singular pose

// Where rows have just become dependent, those dropped are not enforced: a step should not end
// there (tr_dodge in passing.c). The projection has factored at x.
static bool dodges(trSim *s) {
    bool singular = s->methods.step == &s->methods.by_mass &&
                    s->methods.kernel.kind->rank(s->methods.kernel.work).rank < s->rows.rank;
    s->owned.dodges = singular && s->owned.dodges < MAX_DODGES ? s->owned.dodges + 1 : 0;
    return s->owned.dodges > 0;
}

// To rounding in every step: a history of many steps takes what is left out in one and put right in
// the next for an error of high order. A correction that is no small one is a jump of a constraint
// (jumps.c): the step is repeated.
static trStatus project(void *context, double t, double *x) {
    trSim *s = context;
    memcpy(s->x_new, x, (size_t)s->nx * sizeof *x);
    tr_system_normalize(s->system, x);
    if (s->methods.step == NULL) {
        return TR_OK;
    }
    TR_TRY(tr_sim_to_state(s, s->methods.step, 0.0, t, x));
    if (dodges(s)) {
        return tr_explain(s, TR_SINGULAR, t);
    }
    memcpy(s->x_next, x, (size_t)s->nx * sizeof *x);
    return tr_check_jump(s, t);
}

static trStatus plan(trSim *s) {
    const trOwnerKind         *kind = s->stepper.kind->owner;
    const trIntegratorSettings settings = tr_sim_settings(s);
    bool projects = s->methods.step != NULL || s->system->space->normalize != NULL;
    s->ode.project = kind->projects_steps && projects ? project : NULL;
    if (kind->needs_tangent) {
        TR_TRY(plan_matrix(s));
        s->ode.prepare = prepare;
        s->ode.solve = solve;
    }
    return kind->plan(s->arena, &s->ode, &settings, &s->stepper.work);
}

static trStatus restart(trSim *s) {
    return s->stepper.kind->owner->restart(s->stepper.work, &s->ode, s->t, s->x);
}

static trStatus attempt(trSim *s, double *h, double *error) {
    *error = 0.0;  // it has met its tolerances
    return s->stepper.kind->owner->step(s->stepper.work, &s->ode, s->t, h, s->x_new);
}

static trStatus settle(trSim *s) {
    return tr_sim_accelerate(s, s->t, s->x, s->a_now);
}

static trStatus interpolate(trSim *s, double h, double theta, bool first) {
    return s->stepper.kind->owner->interpolate(s->stepper.work, s->t + theta * h, s->work.x_row);
}

static const double *acceleration(const trSim *s) {
    return s->a_now;
}

const trDriver tr_owner_driver = {
    .same_step = 1e-9,
    .plan = plan,
    .restart = restart,
    .attempt = attempt,
    .settle = settle,
    .interpolate = interpolate,
    .acceleration = acceleration,
};
