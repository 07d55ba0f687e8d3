// SPDX-License-Identifier: MIT
// The classical Runge-Kutta method of order four, with a fixed step.
//
// Between steps it interpolates by the cubic through both states and both slopes (Hermite); the
// slope at the end is evaluated only when that is asked for.
// Reference: Kutta, Z. Math. Phys. 46 (1901), 435-453.

#include <string.h>

#include "integrator/runge_kutta.h"

static const trRungeKuttaTable table = {
    .stages = 4,
    .all = 4,
    .vectors = 3,
    .c = {0, 0, 0.5, 0.5, 1},
    .a = {[2] = {0, 0.5}, [3] = {0, 0, 0.5}, [4] = {0, 0, 0, 1}},
    .b = {0, 1, 2, 2, 1},
    .divisor = 6,
};

static trStatus plan(trArena *arena, int nx, const trTolerance *tolerance, void **work) {
    return tr_runge_kutta_plan(arena, nx, tolerance, &table, work);
}

static trStatus attempt(void *work, const trOde *ode, double t, double h, const double *x,
                        double *x_new, double *error) {
    *error = 0.0;
    return tr_runge_kutta_advance(work, ode, t, h, x, x_new);
}

// Both states, and the slope at the end.
static trStatus prepare_dense(void *work, const trOde *ode, double t, double h, const double *x,
                              const double *x_new) {
    const trRungeKutta *w = work;
    memcpy(w->dense[0], x, (size_t)w->nx * sizeof *x);
    memcpy(w->dense[1], x_new, (size_t)w->nx * sizeof *x);
    return ode->rhs(ode->context, t + h, x_new, w->dense[2]);
}

// x(theta) = start + theta (d + s ((h k1 - d) s + (d - h k_end) theta)) with d = end - start and
// s = 1 - theta, which has the slopes k1 and k_end at its ends.
static void interpolate(const void *work, double h, double theta, double *x) {
    const trRungeKutta *w = work;
    const double *restrict x0 = w->dense[0], *restrict x1 = w->dense[1];
    const double *restrict k0 = w->k[1], *restrict k_end = w->dense[2];
    const double s = 1.0 - theta;
    for (int i = 0; i < w->nx; i++) {
        double d = x1[i] - x0[i];
        x[i] = x0[i] + theta * (d + s * ((h * k0[i] - d) * s + (d - h * k_end[i]) * theta));
    }
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
    .begin = tr_runge_kutta_begin,
    .attempt = attempt,
    .prepare_dense = prepare_dense,
    .interpolate = interpolate,
    .slope = tr_runge_kutta_slope,
};
