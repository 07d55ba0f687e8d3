// SPDX-License-Identifier: MIT
// Explicit Runge-Kutta methods, by their tables. Stages are numbered from 1, as in print:
//
//     k_i = f(t + c_i h, x + h sum_j a_ij k_j)       x_new = x + h / divisor sum_j b_j k_j
//
// Between steps, with k_e the slope at the end, s = 1 - theta and r_i = h sum_j d_ij k_j,
//
//     x(theta) = x + theta (d + s (g + theta (p + s (r_1 + theta (r_2 + s (r_3 + theta r_4))))))
//     d = x_new - x,  g = h k_1 - d,  p = d - h k_e - g

#ifndef TR_INTEGRATOR_RUNGE_KUTTA_H
#define TR_INTEGRATOR_RUNGE_KUTTA_H

#include "integrator/integrator.h"

#define TR_RUNGE_KUTTA_STAGES 16
#define TR_RUNGE_KUTTA_TERMS 4

typedef double trStageWeights[TR_RUNGE_KUTTA_STAGES + 1];  // from 1 on; those of zero are skipped

typedef struct trRungeKuttaTable {
    int            stages;   // of a step
    int            all;      // with those of dense output
    int            vectors;  // of dense output
    trStageWeights c, a[TR_RUNGE_KUTTA_STAGES + 1], b;
    double         divisor;
    int            terms;  // r
    trStageWeights d[TR_RUNGE_KUTTA_TERMS];
    trStageWeights e[2];  // of error estimates
} trRungeKuttaTable;

typedef struct trRungeKutta {
    const trRungeKuttaTable *table;
    int                      nx;
    trTolerance              tolerance;
    double                  *k[TR_RUNGE_KUTTA_STAGES + 1];     // nx each
    double                  *y;                                // nx: the state at a stage
    double                  *dense[TR_RUNGE_KUTTA_TERMS + 4];  // nx each: x, d, g, p, r_i
} trRungeKutta;

trStatus tr_runge_kutta_plan(trArena *arena, int nx, const trTolerance *tolerance,
                             const trRungeKuttaTable *table, void **work);
// sum = sum_j weight_j k_j
void tr_runge_kutta_sum(const trRungeKutta *w, const trStageWeights weight, double *sum);
// Stages range[0] to range[1]; y is memory.
trStatus tr_runge_kutta_stages(trRungeKutta *w, const trOde *ode, double t, double h,
                               const double *x, const int range[2], double *y);
// From the second stage to x_new.
trStatus tr_runge_kutta_advance(trRungeKutta *w, const trOde *ode, double t, double h,
                                const double *x, double *x_new);
// TR_NOT_FINITE for an error that is no number.
trStatus tr_runge_kutta_check(double error);
// The terms of dense output, with k_end the slope at the end.
void tr_runge_kutta_prepare(trRungeKutta *w, double h, const double *x, const double *x_new,
                            const double *k_end);

// Members of trIntegratorKind.
trStatus      tr_runge_kutta_begin(void *work, const trOde *ode, double t, const double *x);
void          tr_runge_kutta_interpolate(const void *work, double h, double theta, double *x);
const double *tr_runge_kutta_slope(const void *work);
void          tr_runge_kutta_last_stage(const void *work, const double **x, const double **slope);

#endif
