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
    int     nq, nv, m;
    double  alpha_m, alpha_f, beta, gamma;
    double *a, *a_next;  // nv: the algorithm's acceleration
    double *x, *x_old;   // nv: from q_n to q_n+1
    double *r;           // nv: residual, then -dq
    double *g;           // m: residual, then -dlambda
    int64_t iterations;
} Work;

static trStatus plan(trArena *arena, const trDae *dae, const trEquations *e,
                     const trImplicitOptions *options, void **work) {
    const double rho = options->rho;
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
    w->r = tr_new_array(arena, double, w->nv);
    w->g = tr_new_array(arena, double, w->m);
    *work = w;
    return tr_arena_status(arena);
}

static void begin(void *work, const double *a, const double *lambda) {
    (void)lambda;
    Work *w = work;
    for (int i = 0; i < w->nv; i++) {
        w->a[i] = w->a_next[i] = a[i];
    }
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

// One correction; `size` receives that of dq.
static trStatus correct(Work *w, const trDae *dae, double h, const double *q0, trDaeState *next,
                        double *size) {
    double cv = w->gamma / (w->beta * h);
    double ca = (1.0 - w->alpha_m) / (w->beta * h * h * (1.0 - w->alpha_f));
    TR_TRY(dae->residual(dae->context, next, w->r, w->g));
    TR_TRY(dae->factor(dae->context, next, w->x, cv, ca));
    dae->solve(dae->context, w->r, w->g);
    w->iterations++;
    for (int i = 0; i < w->nv; i++) {
        w->x_old[i] = w->x[i];
        w->r[i] = -w->r[i];
    }
    dae->compose(dae->context, w->r, w->x);
    for (int i = 0; i < w->nv; i++) {
        next->v[i] += cv * (w->x[i] - w->x_old[i]);
        next->a[i] += ca * (w->x[i] - w->x_old[i]);
    }
    for (int i = 0; i < w->m; i++) {
        next->lambda[i] -= w->g[i];
    }
    dae->move(dae->context, q0, w->x, next->q);
    *size = largest(w->nv, w->r);
    return TR_OK;
}

static trStatus attempt(void *work, const trDae *dae, double h, const trDaeState *s,
                        trDaeState *next) {
    Work *w = work;
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

static int64_t iterations(const void *work) {
    return ((const Work *)work)->iterations;
}

static const trImplicitKind implicit = {
    .needs_tangent = true,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .accept = accept,
    .iterations = iterations,
};

const trIntegratorKind tr_integrator_generalized_alpha = {
    .name = "generalized_alpha",
    .summary = "implicit, for stiff systems: constraints on positions (index 3), damping by rho",
    .source = "Chung & Hulbert 1993; Arnold & Bruls 2007; Bruls, Cardona & Arnold 2012",
    .traits = TR_COPES_NONHOLONOMIC | TR_COPES_SINGULAR_MASS,
    .order = 2,
    .dense_order = 2,
    .evaluations = 3,
    .implicit = &implicit,
};
