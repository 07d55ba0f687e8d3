// SPDX-License-Identifier: MIT
// Dormand and Prince's pair of orders 5 and 4, with local extrapolation.
//
//     k_i = f(t + c_i h, x + h sum_j a_ij k_j)      x_new = x + h sum_j a_7j k_j
//     error estimate = h sum_j e_j k_j              (order 5 minus order 4)
//
// Between steps it uses the continuous extension of order four,
//
//     x(theta) = x + theta (d + s (g + theta (p + s r))),   s = 1 - theta, d = x_new - x,
//     g = h k1 - d,  p = d - h k7 - g,  r = h sum_j d_j k_j
//
// Reference: Dormand and Prince, J. Comp. Appl. Math. 6 (1980), 19-26; Hairer, Norsett and Wanner,
// Solving Ordinary Differential Equations I, II.4 to II.6.

#include "integrator/integrator.h"

#include <math.h>
#include <string.h>

static const double c2 = 1.0 / 5.0, c3 = 3.0 / 10.0, c4 = 4.0 / 5.0, c5 = 8.0 / 9.0;

static const double a21 = 1.0 / 5.0;
static const double a31 = 3.0 / 40.0, a32 = 9.0 / 40.0;
static const double a41 = 44.0 / 45.0, a42 = -56.0 / 15.0, a43 = 32.0 / 9.0;
static const double a51 = 19372.0 / 6561.0, a52 = -25360.0 / 2187.0, a53 = 64448.0 / 6561.0,
                    a54 = -212.0 / 729.0;
static const double a61 = 9017.0 / 3168.0, a62 = -355.0 / 33.0, a63 = 46732.0 / 5247.0,
                    a64 = 49.0 / 176.0, a65 = -5103.0 / 18656.0;
static const double a71 = 35.0 / 384.0, a73 = 500.0 / 1113.0, a74 = 125.0 / 192.0,
                    a75 = -2187.0 / 6784.0, a76 = 11.0 / 84.0;

static const double e1 = 71.0 / 57600.0, e3 = -71.0 / 16695.0, e4 = 71.0 / 1920.0,
                    e5 = -17253.0 / 339200.0, e6 = 22.0 / 525.0, e7 = -1.0 / 40.0;

static const double d1 = -12715105075.0 / 11282082432.0, d3 = 87487479700.0 / 32700410799.0,
                    d4 = -10690763975.0 / 1880347072.0, d5 = 701980252875.0 / 199316789632.0,
                    d6 = -1453857185.0 / 822651844.0, d7 = 69997945.0 / 29380423.0;

typedef struct Work {
    int         nx;
    trTolerance tolerance;
    double     *k[8];               // nx each; k[1] to k[7], as they are numbered above
    double     *y;                  // nx: the state at a stage
    double     *x, *d, *g, *p, *r;  // nx each: of the continuous extension
} Work;

static trStatus plan(trArena *arena, int nx, const trTolerance *tolerance, void **work) {
    Work *w = tr_new(arena, Work);
    if (w != NULL) {
        w->nx = nx;
        w->tolerance = *tolerance;
        for (int i = 1; i <= 7; i++) {
            w->k[i] = tr_new_array(arena, double, nx);
        }
        w->y = tr_new_array(arena, double, nx);
        w->x = tr_new_array(arena, double, nx);
        w->d = tr_new_array(arena, double, nx);
        w->g = tr_new_array(arena, double, nx);
        w->p = tr_new_array(arena, double, nx);
        w->r = tr_new_array(arena, double, nx);
    }
    *work = w;
    return tr_arena_status(arena);
}

static trStatus begin(void *work, const trOde *ode, double t, const double *x) {
    Work *w = work;
    return ode->rhs(ode->context, t, x, w->k[1]);
}

static trStatus stages(Work *w, const trOde *ode, double t, double h, const double *x,
                       double *x_new) {
    const int n = w->nx;
    double *restrict k1 = w->k[1], *restrict k2 = w->k[2], *restrict k3 = w->k[3];
    double *restrict k4 = w->k[4], *restrict k5 = w->k[5], *restrict k6 = w->k[6];
    double *restrict y = w->y;

    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a21 * k1[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c2 * h, y, k2));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a31 * k1[i] + a32 * k2[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c3 * h, y, k3));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a41 * k1[i] + a42 * k2[i] + a43 * k3[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c4 * h, y, k4));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a51 * k1[i] + a52 * k2[i] + a53 * k3[i] + a54 * k4[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c5 * h, y, k5));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a61 * k1[i] + a62 * k2[i] + a63 * k3[i] + a64 * k4[i] + a65 * k5[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + h, y, k6));
    for (int i = 0; i < n; i++) {
        x_new[i] = x[i] + h * (a71 * k1[i] + a73 * k3[i] + a74 * k4[i] + a75 * k5[i] + a76 * k6[i]);
    }
    return ode->rhs(ode->context, t + h, x_new, w->k[7]);
}

static trStatus attempt(void *work, const trOde *ode, double t, double h, const double *x,
                        double *x_new, double *error) {
    Work *w = work;
    TR_TRY(stages(w, ode, t, h, x, x_new));

    const double *restrict k1 = w->k[1], *restrict k3 = w->k[3], *restrict k4 = w->k[4];
    const double *restrict k5 = w->k[5], *restrict k6 = w->k[6], *restrict k7 = w->k[7];
    double *restrict difference = w->r;  // memory: w->y stays that of stage 6
    for (int i = 0; i < ode->nerror; i++) {
        difference[i] =
            h * (e1 * k1[i] + e3 * k3[i] + e4 * k4[i] + e5 * k5[i] + e6 * k6[i] + e7 * k7[i]);
    }
    *error = tr_error_norm(ode, difference, x, x_new, &w->tolerance);
    if (!isfinite(*error)) {
        return tr_fail(TR_NOT_FINITE, "the error estimate is not a finite number");
    }
    return TR_OK;
}

static trStatus prepare_dense(void *work, const trOde *ode, double t, double h, const double *x,
                              const double *x_new) {
    Work *w = work;
    const double *restrict k1 = w->k[1], *restrict k3 = w->k[3], *restrict k4 = w->k[4];
    const double *restrict k5 = w->k[5], *restrict k6 = w->k[6], *restrict k7 = w->k[7];
    double *restrict d = w->d, *restrict g = w->g, *restrict p = w->p, *restrict r = w->r;
    (void)ode;
    (void)t;

    memcpy(w->x, x, (size_t)w->nx * sizeof(double));
    for (int i = 0; i < w->nx; i++) {
        d[i] = x_new[i] - x[i];
        g[i] = h * k1[i] - d[i];
        p[i] = d[i] - h * k7[i] - g[i];
        r[i] = h * (d1 * k1[i] + d3 * k3[i] + d4 * k4[i] + d5 * k5[i] + d6 * k6[i] + d7 * k7[i]);
    }
    return TR_OK;
}

static void interpolate(const void *work, double h, double theta, double *x) {
    const Work *w = work;
    const double *restrict x0 = w->x, *restrict d = w->d, *restrict g = w->g;
    const double *restrict p = w->p, *restrict r = w->r;
    const double s = 1.0 - theta;
    (void)h;
    for (int i = 0; i < w->nx; i++) {
        x[i] = x0[i] + theta * (d[i] + s * (g[i] + theta * (p[i] + s * r[i])));
    }
}

static const double *slope(const void *work) {
    return ((const Work *)work)->k[1];
}

static void last_stage(const void *work, const double **x, const double **slope_there) {
    const Work *w = work;
    *x = w->y;
    *slope_there = w->k[6];
}

const trIntegratorKind tr_integrator_dopri5 = {
    .name = "dopri5",
    .summary = "Dormand-Prince 5(4), adaptive step",
    .source = "Dormand & Prince 1980",
    .traits = TR_COPES_ALL,
    .order = 5,
    .error_order = 5,
    .dense_order = 5,
    .evaluations = 7,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .prepare_dense = prepare_dense,
    .interpolate = interpolate,
    .slope = slope,
    .last_stage = last_stage,
    .stable = 3.25,
};
