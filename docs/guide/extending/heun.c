// SPDX-License-Identifier: MIT
// Heun's method of order two, with a fixed step.
//
//     k1 = f(t, x),    k2 = f(t + h, x + h k1),    x_new = x + h/2 (k1 + k2)
//
// Between steps it interpolates by the cubic through both states and both slopes (Hermite).
// Reference: Heun, Z. Math. Phys. 45 (1900), 23-38.

#include <string.h>

#include "integrator/integrator.h"

typedef struct Work {
    int     nx;
    double *k1, *k2, *y;              // nx each
    double *start, *end, *end_slope;  // nx each: for interpolation
} Work;

static trStatus plan(trArena *arena, int nx, const trTolerance *tolerance, void **work) {
    Work *w = tr_new(arena, Work);
    (void)tolerance;
    if (w != NULL) {
        w->nx = nx;
        w->k1 = tr_new_array(arena, double, nx);
        w->k2 = tr_new_array(arena, double, nx);
        w->y = tr_new_array(arena, double, nx);
        w->start = tr_new_array(arena, double, nx);
        w->end = tr_new_array(arena, double, nx);
        w->end_slope = tr_new_array(arena, double, nx);
    }
    *work = w;
    return tr_arena_status(arena);
}

static trStatus begin(void *work, const trOde *ode, double t, const double *x) {
    Work *w = work;
    return ode->rhs(ode->context, t, x, w->k1);
}

static trStatus attempt(void *work, const trOde *ode, double t, double h, const double *x,
                        double *x_new, double *error) {
    Work *w = work;
    for (int i = 0; i < w->nx; i++) {
        w->y[i] = x[i] + h * w->k1[i];
    }
    TR_TRY(ode->rhs(ode->context, t + h, w->y, w->k2));
    for (int i = 0; i < w->nx; i++) {
        x_new[i] = x[i] + 0.5 * h * (w->k1[i] + w->k2[i]);
    }
    *error = 0.0;
    return TR_OK;
}

static trStatus prepare_dense(void *work, const trOde *ode, double t, double h, const double *x,
                              const double *x_new) {
    Work  *w = work;
    size_t bytes = (size_t)w->nx * sizeof(double);
    memcpy(w->start, x, bytes);
    memcpy(w->end, x_new, bytes);
    return ode->rhs(ode->context, t + h, x_new, w->end_slope);
}

static void interpolate(const void *work, double h, double theta, double *x) {
    const Work  *w = work;
    const double s = 1.0 - theta;
    for (int i = 0; i < w->nx; i++) {
        double d = w->end[i] - w->start[i];
        double left = h * w->k1[i] - d, right = d - h * w->end_slope[i];
        x[i] = w->start[i] + theta * (d + s * (left * s + right * theta));
    }
}

static const double *slope(const void *work) {
    return ((const Work *)work)->k1;
}

const trIntegratorKind tr_integrator_heun = {
    .name = "heun",
    .summary = "Heun's method of order 2, fixed step",
    .source = "Heun 1900",
    .order = 2,
    .error_order = 0,
    .dense_order = 3,
    .evaluations = 2,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .prepare_dense = prepare_dense,
    .interpolate = interpolate,
    .slope = slope,
};
