// SPDX-License-Identifier: MIT
// Generalized-alpha on the second face: index 3, positions are constrained, velocities and
// accelerations follow.
//
//     x = h v_n + h^2 ((1/2 - beta) a_n + beta a_n+1),        q_n+1 = q_n (+) x
//     v_n+1 = v_n + h ((1 - gamma) a_n + gamma a_n+1)
//     (1 - alpha_m) a_n+1 + alpha_m a_n = (1 - alpha_f) v'_n+1 + alpha_f v'_n
//     M v' + A' lambda = Q,   phi = 0        at n + 1
//
// The algorithm's a is not the acceleration v'. One number, the spectral radius rho at infinity,
// sets alpha_m, alpha_f, beta and gamma; the method is of second order for all of them.
//
// Newton's method corrects q_n+1 by dq: x changes to that of q_n (+) x (+) dq, v by
// gamma / (beta h) and v' by (1 - alpha_m) / (beta h^2 (1 - alpha_f)) times the change of x.

#include <math.h>

#include "integrator/integrator.h"

#define MAX_ITERATIONS 12
#define CLOSE_ENOUGH 1e-10  // of dq, relative to 1 + max|q|: Newton's method squares it once more

typedef struct Work {
    int                nq, nv, m;
    double             alpha_m, alpha_f, beta, gamma;
    double            *a, *a_next;  // nv: the algorithm's acceleration
    double            *x, *x_old;   // nv: from q_n to q_n+1
    double            *rate;        // m: A v - b1
    double            *z_dot;       // nz
    double            *y;           // nv + m: residual, then corrections
    trNewtonMatrix     matrix;
    trIntegratorCounts counts;
} Work;

static trStatus plan(trArena *arena, const trDae *dae, const trEquations *e,
                     const trIntegratorSettings *settings, void **work) {
    const double      rho = settings->rho;
    int               nv = dae->nv;
    const trPlacement place[] = {
        {TR_PART_M, 0, 0},      {TR_PART_D, 0, 0},       {TR_PART_K, 0, 0},
        {TR_PART_AT, 0, nv},    {TR_PART_AT_VEL, 0, nv}, {TR_PART_A, nv, 0},
        {TR_PART_V_VEL, nv, 0}, {TR_PART_N_VEL, nv, 0},  {TR_PART_E, nv, nv}};
    (void)e;
    Work *w = tr_new(arena, Work);
    if (w == NULL) {
        return TR_E_MEMORY;
    }
    w->nq = dae->nq;
    w->nv = dae->nv;
    w->m = dae->m;
    w->alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    w->alpha_f = rho / (rho + 1.0);
    w->gamma = 0.5 + w->alpha_f - w->alpha_m;
    w->beta = 0.25 * (w->gamma + 0.5) * (w->gamma + 0.5);
    w->a = tr_new_array(arena, double, w->nv);
    w->a_next = tr_new_array(arena, double, w->nv);
    w->x = tr_new_array(arena, double, w->nv);
    w->x_old = tr_new_array(arena, double, w->nv);
    w->rate = tr_new_array(arena, double, w->m);
    w->z_dot = tr_new_array(arena, double, dae->nz);
    w->y = tr_new_array(arena, double, w->nv + w->m);
    TR_TRY(tr_arena_status(arena));
    *work = w;
    return tr_newton_plan(arena, dae->tangent, nv + dae->m, 9, place, &w->matrix);
}

static trStatus begin(void *work, const trDae *dae, const trDaeState *s) {
    (void)dae;
    Work *w = work;
    for (int i = 0; i < w->nv; i++) {
        w->a[i] = w->a_next[i] = s->a[i];
    }
    return TR_OK;
}

// The algorithm's acceleration from v' at both ends.
static double blend(const Work *w, int i, double rate_old, double rate_new) {
    return ((1.0 - w->alpha_f) * rate_new + w->alpha_f * rate_old - w->alpha_m * w->a[i]) /
           (1.0 - w->alpha_m);
}

// v' and lambda stay as they were.
static void predict(Work *w, double h, const trDaeState *s, trDaeState *next) {
    next->t = s->t + h;
    for (int i = 0; i < w->nv; i++) {
        double a = blend(w, i, s->a[i], s->a[i]);
        next->a[i] = s->a[i];
        next->v[i] = s->v[i] + h * ((1.0 - w->gamma) * w->a[i] + w->gamma * a);
        w->x[i] = h * s->v[i] + h * h * ((0.5 - w->beta) * w->a[i] + w->beta * a);
    }
    for (int i = 0; i < w->m; i++) {
        next->lambda[i] = s->lambda[i];
    }
}

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// Rows of bodies and multipliers are divided by ca, rows of velocities by cv: so all entries keep
// their size as the step becomes small.
static trStatus factor(Work *w, const trDae *dae, const trDaeState *next, double cv, double ca) {
    const double coefficient[] = {1.0, cv / ca, 1.0 / ca, 1.0, 1.0, 1.0, 1.0, 1.0 / cv, 1.0};
    TR_TRY(dae->linearize(dae->context, next, w->x));
    w->counts.jacobians++;
    w->counts.factorizations++;
    tr_newton_fill(&w->matrix, coefficient);
    return tr_newton_factor(&w->matrix);
}

// One correction; `size` receives that of dq.
static trStatus correct(Work *w, const trDae *dae, double h, const double *q0, trDaeState *next,
                        double *size) {
    double        cv = w->gamma / (w->beta * h);
    double        ca = (1.0 - w->alpha_m) / (w->beta * h * h * (1.0 - w->alpha_f));
    double       *dq = w->y, *dlambda = w->y + w->nv;
    trDaeResidual out = {.r = dq, .phi = dlambda, .rate = w->rate, .z_dot = w->z_dot};
    TR_TRY(dae->residual(dae->context, next, &out));
    TR_TRY(factor(w, dae, next, cv, ca));
    for (int i = 0; i < w->nv; i++) {
        dq[i] /= -ca;
    }
    for (int i = 0; i < w->m; i++) {
        dlambda[i] = dae->holonomic[i] ? -dlambda[i] : -w->rate[i] / cv;
    }
    tr_newton_solve(&w->matrix, w->y);
    tr_tangent_unscale(dae->tangent, dlambda);
    w->counts.iterations++;
    for (int i = 0; i < w->nv; i++) {
        w->x_old[i] = w->x[i];
    }
    dae->compose(dae->context, dq, w->x);
    for (int i = 0; i < w->nv; i++) {
        next->v[i] += cv * (w->x[i] - w->x_old[i]);
        next->a[i] += ca * (w->x[i] - w->x_old[i]);
    }
    for (int i = 0; i < w->m; i++) {
        next->lambda[i] += ca * dlambda[i];
    }
    dae->move(dae->context, q0, w->x, next->q);
    *size = largest(w->nv, dq);
    return TR_OK;
}

static trStatus attempt(void *work, const trDae *dae, double *step, const trDaeState *s,
                        trDaeState *next, double *error) {
    Work  *w = work;
    double h = *step;
    *error = 0.0;
    predict(w, h, s, next);
    dae->move(dae->context, s->q, w->x, next->q);
    double size = INFINITY, allowed = CLOSE_ENOUGH * (1.0 + largest(w->nq, s->q));
    for (int k = 0; k < MAX_ITERATIONS && size > allowed; k++) {
        TR_TRY(correct(w, dae, h, s->q, next, &size));
    }
    if (!(size <= allowed)) {
        return tr_fail(TR_NO_CONVERGENCE,
                       "t = %.9g s: Newton's method did not converge in %d iterations (it moves by "
                       "%.2g still); take a smaller step",
                       next->t, MAX_ITERATIONS, size);
    }
    for (int i = 0; i < w->nv; i++) {
        w->a_next[i] = blend(w, i, s->a[i], next->a[i]);
    }
    return TR_OK;
}

static void accept(void *work) {
    Work *w = work;
    for (int i = 0; i < w->nv; i++) {
        w->a[i] = w->a_next[i];
    }
}

static void count(const void *work, trIntegratorCounts *counts) {
    *counts = ((const Work *)work)->counts;
}

static const char *const forms[] = {"index3", NULL};

static const trImplicitKind implicit = {
    .needs_tangent = true,
    .own_reactions = true,
    .without_states = true,
    .forms = forms,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .accept = accept,
};

const trIntegratorKind tr_integrator_generalized_alpha = {
    .name = "generalized_alpha",
    .summary = "implicit, for stiff systems: constraints on positions (index 3), damping by rho",
    .source = "Chung & Hulbert 1993; Arnold & Bruls 2007; Bruls, Cardona & Arnold 2012",
    .traits = TR_COPES_NONHOLONOMIC | TR_COPES_SINGULAR_MASS | TR_COPES_REDUNDANT |
              TR_COPES_SINGULAR_POSE,
    .order = 2,
    .dense_order = 2,
    .evaluations = 3,
    .count = count,
    .implicit = &implicit,
};
