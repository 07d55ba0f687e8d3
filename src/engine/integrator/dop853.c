// SPDX-License-Identifier: MIT
// DOP853: Dormand and Prince's method of order eight as Hairer, Norsett and Wanner made it.
//
//     k_i = f(t + c_i h, x + h sum_j a_ij k_j), i = 1..12      x_new = x + h sum_j b_j k_j
//     e5 = sum_j er_j k_j,   e3 = sum_j (b_j - bhh_j) k_j      (of orders five and three)
//     error = |h| |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2)          (it behaves as h^8)
//
// with norms as in tr_error_norm. Between steps it uses the continuous extension of order seven,
// which needs the slope at the end and three further stages:
//
//     x(theta) = x + theta (d + s (g + theta (p + s (r4 + theta (r5 + s (r6 + theta r7))))))
//     s = 1 - theta,  d = x_new - x,  g = h k1 - d,  p = d - h k13 - g,  r_i = h sum_j d_ij k_j
//
// Reference: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.5 and II.6.

#include "integrator/integrator.h"

#include <math.h>
#include <string.h>

#include "integrator/dop853_tableau.h"

typedef struct Work {
    int         nx;
    trTolerance tolerance;
    double     *k[17];          // nx each; k[1] to k[16], as they are numbered above
    double     *y;              // nx: the state at a stage
    double     *x, *d, *g, *p;  // nx each: of the continuous extension
    double     *r[8];           // nx each; r[4] to r[7]
} Work;

static trStatus plan(trArena *arena, int nx, const trTolerance *tolerance, void **work) {
    Work *w = tr_new(arena, Work);
    if (w != NULL) {
        w->nx = nx;
        w->tolerance = *tolerance;
        for (int i = 1; i <= 16; i++) {
            w->k[i] = tr_new_array(arena, double, nx);
        }
        w->y = tr_new_array(arena, double, nx);
        w->x = tr_new_array(arena, double, nx);
        w->d = tr_new_array(arena, double, nx);
        w->g = tr_new_array(arena, double, nx);
        w->p = tr_new_array(arena, double, nx);
        for (int i = 4; i <= 7; i++) {
            w->r[i] = tr_new_array(arena, double, nx);
        }
    }
    *work = w;
    return tr_arena_status(arena);
}

static trStatus begin(void *work, const trOde *ode, double t, const double *x) {
    Work *w = work;
    return ode->rhs(ode->context, t, x, w->k[1]);
}

static trStatus stages_2_to_7(Work *w, const trOde *ode, double t, double h, const double *x) {
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
        y[i] = x[i] + h * (a41 * k1[i] + a43 * k3[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c4 * h, y, k4));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a51 * k1[i] + a53 * k3[i] + a54 * k4[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c5 * h, y, k5));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a61 * k1[i] + a64 * k4[i] + a65 * k5[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c6 * h, y, k6));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a71 * k1[i] + a74 * k4[i] + a75 * k5[i] + a76 * k6[i]);
    }
    return ode->rhs(ode->context, t + c7 * h, y, w->k[7]);
}

static trStatus stages_8_to_12(Work *w, const trOde *ode, double t, double h, const double *x) {
    const int n = w->nx;
    double *restrict k1 = w->k[1], *restrict k4 = w->k[4], *restrict k5 = w->k[5];
    double *restrict k6 = w->k[6], *restrict k7 = w->k[7], *restrict k8 = w->k[8];
    double *restrict k9 = w->k[9], *restrict k10 = w->k[10], *restrict k11 = w->k[11];
    double *restrict y = w->y;

    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a81 * k1[i] + a84 * k4[i] + a85 * k5[i] + a86 * k6[i] + a87 * k7[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c8 * h, y, k8));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a91 * k1[i] + a94 * k4[i] + a95 * k5[i] + a96 * k6[i] + a97 * k7[i] +
                           a98 * k8[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c9 * h, y, k9));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a101 * k1[i] + a104 * k4[i] + a105 * k5[i] + a106 * k6[i] +
                           a107 * k7[i] + a108 * k8[i] + a109 * k9[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c10 * h, y, k10));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a111 * k1[i] + a114 * k4[i] + a115 * k5[i] + a116 * k6[i] +
                           a117 * k7[i] + a118 * k8[i] + a119 * k9[i] + a1110 * k10[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c11 * h, y, k11));
    for (int i = 0; i < n; i++) {
        y[i] =
            x[i] + h * (a121 * k1[i] + a124 * k4[i] + a125 * k5[i] + a126 * k6[i] + a127 * k7[i] +
                        a128 * k8[i] + a129 * k9[i] + a1210 * k10[i] + a1211 * k11[i]);
    }
    return ode->rhs(ode->context, t + h, y, w->k[12]);
}

// sum5 and sum3 gain the squares of e5 and e3 of `count` components from `first` on.
static void add_errors(const Work *w, const trOde *ode, int first, int count, const double *x,
                       const double *x_new, double sum[2]) {
    const double *restrict k1 = w->k[1], *restrict k6 = w->k[6], *restrict k7 = w->k[7];
    const double *restrict k8 = w->k[8], *restrict k9 = w->k[9], *restrict k10 = w->k[10];
    const double *restrict k11 = w->k[11], *restrict k12 = w->k[12];
    for (int i = first; i < first + count; i++) {
        double scale = w->tolerance.atol + w->tolerance.rtol * fmax(fabs(x[i]), fabs(x_new[i]));
        scale /= ode->weight == NULL ? 1.0 : ode->weight[i];
        double e5 = er1 * k1[i] + er6 * k6[i] + er7 * k7[i] + er8 * k8[i] + er9 * k9[i] +
                    er10 * k10[i] + er11 * k11[i] + er12 * k12[i];
        double e3 = (b1 - bhh1) * k1[i] + b6 * k6[i] + b7 * k7[i] + b8 * k8[i] +
                    (b9 - bhh9) * k9[i] + b10 * k10[i] + b11 * k11[i] + (b12 - bhh12) * k12[i];
        sum[0] += (e5 / scale) * (e5 / scale);
        sum[1] += (e3 / scale) * (e3 / scale);
    }
}

static double error_of(const Work *w, const trOde *ode, double h, const double *x,
                       const double *x_new) {
    double most = 0.0;
    for (int g = 0; g < tr_error_groups(ode); g++) {
        trErrorGroup group = tr_error_group(ode, g);
        double       sum[2] = {0.0, 0.0}, n = group.count[0] + group.count[1];
        for (int part = 0; part < 2; part++) {
            add_errors(w, ode, group.first[part], group.count[part], x, x_new, sum);
        }
        double denominator = sum[0] + 0.01 * sum[1];
        // Without slopes, at an equilibrium, there is no error and no quotient.
        double error = denominator == 0.0 ? 0.0 : fabs(h) * sum[0] / sqrt(n * denominator);
        most = error <= most ? most : error;  // what is not a number stays
    }
    return most;
}

static trStatus attempt(void *work, const trOde *ode, double t, double h, const double *x,
                        double *x_new, double *error) {
    Work *w = work;
    TR_TRY(stages_2_to_7(w, ode, t, h, x));
    TR_TRY(stages_8_to_12(w, ode, t, h, x));

    const double *restrict k1 = w->k[1], *restrict k6 = w->k[6], *restrict k7 = w->k[7];
    const double *restrict k8 = w->k[8], *restrict k9 = w->k[9], *restrict k10 = w->k[10];
    const double *restrict k11 = w->k[11], *restrict k12 = w->k[12];
    for (int i = 0; i < w->nx; i++) {
        x_new[i] = x[i] + h * (b1 * k1[i] + b6 * k6[i] + b7 * k7[i] + b8 * k8[i] + b9 * k9[i] +
                               b10 * k10[i] + b11 * k11[i] + b12 * k12[i]);
    }
    *error = error_of(w, ode, h, x, x_new);
    if (!isfinite(*error)) {
        return tr_fail(TR_NOT_FINITE, "the error estimate is not a finite number");
    }
    return TR_OK;
}

static trStatus stages_13_to_16(Work *w, const trOde *ode, double t, double h, const double *x,
                                const double *x_new) {
    const int n = w->nx;
    double *restrict k1 = w->k[1], *restrict k6 = w->k[6], *restrict k7 = w->k[7];
    double *restrict k8 = w->k[8], *restrict k9 = w->k[9], *restrict k10 = w->k[10];
    double *restrict k11 = w->k[11], *restrict k12 = w->k[12], *restrict k13 = w->k[13];
    double *restrict k14 = w->k[14], *restrict k15 = w->k[15];
    double *restrict y = w->r[4];  // memory: w->y stays that of stage 12

    TR_TRY(ode->rhs(ode->context, t + h, x_new, k13));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a141 * k1[i] + a147 * k7[i] + a148 * k8[i] + a149 * k9[i] +
                           a1410 * k10[i] + a1411 * k11[i] + a1412 * k12[i] + a1413 * k13[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c14 * h, y, k14));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a151 * k1[i] + a156 * k6[i] + a157 * k7[i] + a158 * k8[i] +
                           a1511 * k11[i] + a1512 * k12[i] + a1513 * k13[i] + a1514 * k14[i]);
    }
    TR_TRY(ode->rhs(ode->context, t + c15 * h, y, k15));
    for (int i = 0; i < n; i++) {
        y[i] = x[i] + h * (a161 * k1[i] + a166 * k6[i] + a167 * k7[i] + a168 * k8[i] +
                           a169 * k9[i] + a1613 * k13[i] + a1614 * k14[i] + a1615 * k15[i]);
    }
    return ode->rhs(ode->context, t + c16 * h, y, w->k[16]);
}

static trStatus prepare_dense(void *work, const trOde *ode, double t, double h, const double *x,
                              const double *x_new) {
    Work *w = work;
    TR_TRY(stages_13_to_16(w, ode, t, h, x, x_new));

    const double *restrict k1 = w->k[1], *restrict k6 = w->k[6], *restrict k7 = w->k[7];
    const double *restrict k8 = w->k[8], *restrict k9 = w->k[9], *restrict k10 = w->k[10];
    const double *restrict k11 = w->k[11], *restrict k12 = w->k[12], *restrict k13 = w->k[13];
    const double *restrict k14 = w->k[14], *restrict k15 = w->k[15], *restrict k16 = w->k[16];
    double *restrict d = w->d, *restrict g = w->g, *restrict p = w->p;
    double *restrict r4 = w->r[4], *restrict r5 = w->r[5];
    double *restrict r6 = w->r[6], *restrict r7 = w->r[7];
    memcpy(w->x, x, (size_t)w->nx * sizeof(double));
    for (int i = 0; i < w->nx; i++) {
        d[i] = x_new[i] - x[i];
        g[i] = h * k1[i] - d[i];
        p[i] = d[i] - h * k13[i] - g[i];
        r4[i] = h * (d41 * k1[i] + d46 * k6[i] + d47 * k7[i] + d48 * k8[i] + d49 * k9[i] +
                     d410 * k10[i] + d411 * k11[i] + d412 * k12[i] + d413 * k13[i] + d414 * k14[i] +
                     d415 * k15[i] + d416 * k16[i]);
        r5[i] = h * (d51 * k1[i] + d56 * k6[i] + d57 * k7[i] + d58 * k8[i] + d59 * k9[i] +
                     d510 * k10[i] + d511 * k11[i] + d512 * k12[i] + d513 * k13[i] + d514 * k14[i] +
                     d515 * k15[i] + d516 * k16[i]);
        r6[i] = h * (d61 * k1[i] + d66 * k6[i] + d67 * k7[i] + d68 * k8[i] + d69 * k9[i] +
                     d610 * k10[i] + d611 * k11[i] + d612 * k12[i] + d613 * k13[i] + d614 * k14[i] +
                     d615 * k15[i] + d616 * k16[i]);
        r7[i] = h * (d71 * k1[i] + d76 * k6[i] + d77 * k7[i] + d78 * k8[i] + d79 * k9[i] +
                     d710 * k10[i] + d711 * k11[i] + d712 * k12[i] + d713 * k13[i] + d714 * k14[i] +
                     d715 * k15[i] + d716 * k16[i]);
    }
    return TR_OK;
}

static void interpolate(const void *work, double h, double theta, double *x) {
    const Work *w = work;
    const double *restrict x0 = w->x, *restrict d = w->d, *restrict g = w->g, *restrict p = w->p;
    const double *restrict r4 = w->r[4], *restrict r5 = w->r[5];
    const double *restrict r6 = w->r[6], *restrict r7 = w->r[7];
    const double s = 1.0 - theta;
    (void)h;
    for (int i = 0; i < w->nx; i++) {
        double inner = r4[i] + theta * (r5[i] + s * (r6[i] + theta * r7[i]));
        x[i] = x0[i] + theta * (d[i] + s * (g[i] + theta * (p[i] + s * inner)));
    }
}

static const double *slope(const void *work) {
    return ((const Work *)work)->k[1];
}

static void last_stage(const void *work, const double **x, const double **slope_there) {
    const Work *w = work;
    *x = w->y;
    *slope_there = w->k[12];
}

const trIntegratorKind tr_integrator_dop853 = {
    .name = "dop853",
    .summary = "Dormand-Prince 8(5,3), adaptive step",
    .source = "Hairer, Norsett & Wanner 1993, II.5",
    .traits = TR_COPES_ALL,
    .order = 8,
    .error_order = 8,
    .dense_order = 8,
    .evaluations = 12,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .prepare_dense = prepare_dense,
    .interpolate = interpolate,
    .slope = slope,
    .last_stage = last_stage,
    .stable = 6.1,
};
