// SPDX-License-Identifier: MIT
// The classical Runge-Kutta method of order four, with a fixed step.
//
//     k1 = f(t, x)                    k2 = f(t + h/2, x + h/2 k1)
//     k3 = f(t + h/2, x + h/2 k2)     k4 = f(t + h, x + h k3)
//     x_new = x + h/6 (k1 + 2 k2 + 2 k3 + k4)
//
// Between steps it interpolates by the cubic through both states and both slopes (Hermite); the
// slope at the end is evaluated only when that is asked for.
// Reference: Kutta, Z. Math. Phys. 46 (1901), 435-453.

#include "integrator/integrator.h"

#include <string.h>

typedef struct Work {
    int     nx;
    double *k1, *k2, *k3, *k4;        // nx each
    double *y;                        // nx: the state at a stage
    double *start, *end, *slope_end;  // nx each: for interpolation
} Work;

static trStatus plan(trArena *arena, int nx, const trTolerance *tolerance, void **work) {
    (void)tolerance;
    Work *w = tr_new(arena, Work);
    if (w != NULL) {
        w->nx = nx;
        w->k1 = tr_new_array(arena, double, nx);
        w->k2 = tr_new_array(arena, double, nx);
        w->k3 = tr_new_array(arena, double, nx);
        w->k4 = tr_new_array(arena, double, nx);
        w->y = tr_new_array(arena, double, nx);
        w->start = tr_new_array(arena, double, nx);
        w->end = tr_new_array(arena, double, nx);
        w->slope_end = tr_new_array(arena, double, nx);
    }
    *work = w;
    return tr_arena_status(arena);
}

static trStatus begin(void *work, const trOde *ode, double t, const double *x) {
    Work *w = work;
    return ode->rhs(ode->context, t, x, w->k1);
}

// y = x + h k
static void advance(int n, const double *restrict x, double h, const double *restrict k,
                    double *restrict y) {
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * k[i];
    }
}

static trStatus attempt(void *work, const trOde *ode, double t, double h, const double *x,
                        double *x_new, double *error) {
    Work *w = work;
    advance(w->nx, x, 0.5 * h, w->k1, w->y);
    TR_TRY(ode->rhs(ode->context, t + 0.5 * h, w->y, w->k2));
    advance(w->nx, x, 0.5 * h, w->k2, w->y);
    TR_TRY(ode->rhs(ode->context, t + 0.5 * h, w->y, w->k3));
    advance(w->nx, x, h, w->k3, w->y);
    TR_TRY(ode->rhs(ode->context, t + h, w->y, w->k4));

    const double *restrict k1 = w->k1, *restrict k2 = w->k2, *restrict k3 = w->k3,
                           *restrict k4 = w->k4;
    for (int i = 0; i < w->nx; i++) {
        x_new[i] = x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
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
    return ode->rhs(ode->context, t + h, x_new, w->slope_end);
}

// x(theta) = start + theta (d + s ((h k1 - d) s + (d - h k_end) theta)) with d = end - start and
// s = 1 - theta, which has the slopes k1 and k_end at its ends.
static void interpolate(const void *work, double h, double theta, double *x) {
    const Work *w = work;
    const double *restrict x0 = w->start, *restrict x1 = w->end;
    const double *restrict k0 = w->k1, *restrict k_end = w->slope_end;
    const double s = 1.0 - theta;
    for (int i = 0; i < w->nx; i++) {
        double d = x1[i] - x0[i];
        x[i] = x0[i] + theta * (d + s * ((h * k0[i] - d) * s + (d - h * k_end[i]) * theta));
    }
}

static const double *slope(const void *work) {
    return ((const Work *)work)->k1;
}

const trIntegratorKind tr_integrator_rk4 = {
    .name = "rk4",
    .summary = "classical Runge-Kutta of order 4, fixed step",
    .source = "Kutta 1901",
    .traits = TR_COPES_ALL,
    .order = 4,
    .error_order = 0,
    .dense_order = 4,
    .evaluations = 4,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .prepare_dense = prepare_dense,
    .interpolate = interpolate,
    .slope = slope,
};
