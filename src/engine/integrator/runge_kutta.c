// SPDX-License-Identifier: MIT
#include "integrator/runge_kutta.h"

#include <math.h>
#include <string.h>

trStatus tr_runge_kutta_plan(trArena *arena, int nx, const trTolerance *tolerance,
                             const trRungeKuttaTable *table, void **work) {
    trRungeKutta *w = tr_new(arena, trRungeKutta);
    if (w != NULL) {
        w->table = table;
        w->nx = nx;
        w->tolerance = *tolerance;
        for (int i = 1; i <= table->all; i++) {
            w->k[i] = tr_new_array(arena, double, nx);
        }
        w->y = tr_new_array(arena, double, nx);
        for (int i = 0; i < table->vectors; i++) {
            w->dense[i] = tr_new_array(arena, double, nx);
        }
    }
    *work = w;
    return tr_arena_status(arena);
}

trStatus tr_runge_kutta_begin(void *work, const trOde *ode, double t, const double *x) {
    trRungeKutta *w = work;
    return ode->rhs(ode->context, t, x, w->k[1]);
}

void tr_runge_kutta_sum(const trRungeKutta *w, const trStageWeights weight, double *restrict sum) {
    bool first = true;
    for (int j = 1; j <= w->table->all; j++) {
        const double *restrict k = w->k[j];
        const double by = weight[j];
        for (int i = 0; first && by != 0.0 && i < w->nx; i++) {
            sum[i] = by * k[i];
        }
        for (int i = 0; !first && by != 0.0 && i < w->nx; i++) {
            sum[i] += by * k[i];
        }
        first = first && by == 0.0;
    }
}

// y = x + h sum_j weight_j k_j
static void move(const trRungeKutta *w, const trStageWeights weight, double h,
                 const double *restrict x, double *restrict y) {
    tr_runge_kutta_sum(w, weight, y);
    for (int i = 0; i < w->nx; i++) {
        y[i] = x[i] + h * y[i];
    }
}

trStatus tr_runge_kutta_stages(trRungeKutta *w, const trOde *ode, double t, double h,
                               const double *x, const int range[2], double *y) {
    for (int i = range[0]; i <= range[1]; i++) {
        move(w, w->table->a[i], h, x, y);
        TR_TRY(ode->rhs(ode->context, t + w->table->c[i] * h, y, w->k[i]));
    }
    return TR_OK;
}

trStatus tr_runge_kutta_advance(trRungeKutta *w, const trOde *ode, double t, double h,
                                const double *x, double *x_new) {
    const int range[2] = {2, w->table->stages};
    TR_TRY(tr_runge_kutta_stages(w, ode, t, h, x, range, w->y));
    move(w, w->table->b, h / w->table->divisor, x, x_new);
    return TR_OK;
}

trStatus tr_runge_kutta_check(double error) {
    return isfinite(error) ? TR_OK
                           : tr_fail(TR_NOT_FINITE, "the error estimate is not a finite number");
}

void tr_runge_kutta_prepare(trRungeKutta *w, double h, const double *x, const double *x_new,
                            const double *k_end) {
    const double *restrict k1 = w->k[1];
    double *restrict d = w->dense[1], *restrict g = w->dense[2], *restrict p = w->dense[3];
    memcpy(w->dense[0], x, (size_t)w->nx * sizeof *x);
    for (int i = 0; i < w->nx; i++) {
        d[i] = x_new[i] - x[i];
        g[i] = h * k1[i] - d[i];
        p[i] = d[i] - h * k_end[i] - g[i];
    }
    for (int term = 0; term < w->table->terms; term++) {
        double *r = w->dense[4 + term];
        tr_runge_kutta_sum(w, w->table->d[term], r);
        for (int i = 0; i < w->nx; i++) {
            r[i] *= h;
        }
    }
}

// From the innermost term outwards.
void tr_runge_kutta_interpolate(const void *work, double h, double theta, double *restrict x) {
    const trRungeKutta *w = work;
    const double        s = 1.0 - theta;
    const int           last = w->table->vectors - 1;
    memcpy(x, w->dense[last], (size_t)w->nx * sizeof *x);
    for (int k = last - 1; k >= 0; k--) {
        const double *restrict term = w->dense[k];
        const double by = k % 2 == 0 ? theta : s;
        for (int i = 0; i < w->nx; i++) {
            x[i] = term[i] + by * x[i];
        }
    }
}

const double *tr_runge_kutta_slope(const void *work) {
    return ((const trRungeKutta *)work)->k[1];
}

void tr_runge_kutta_last_stage(const void *work, const double **x, const double **slope) {
    const trRungeKutta *w = work;
    *x = w->y;
    *slope = w->k[w->table->stages];
}
