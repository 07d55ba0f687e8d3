// SPDX-License-Identifier: MIT
// The index-1 augmented Lagrangian in two forms that are the same but for rounding, with H = M +
// alpha A'A:
//
//     whole           H a_i+1 = M a_i + alpha A' b,  M a_0 = Q         (24)
//                     H v = M v_0                                      (30)
//     by increments   H (a_i+1 - a_i) = -alpha A' (A a_i - b)
//                     H (v - v_0) = -alpha A' A v_0
//
// Positions are corrected alike in both. The whole form rounds v relative to alpha / M at every
// step.

#include <math.h>
#include <string.h>

#include "paper_004_dense.h"
#include "study.h"

#define STEP 1e-3  // [s]
#define STEPS 10000
#define ROUNDS 3      // of the accelerations
#define CLOSED 1e-12  // positions are corrected above this [m]
#define GRAVITY 9.81  // [m/s^2]
#define STATE (2 * COORDINATES)

// H a = F + alpha A'b, then rounds.
static void accelerate(Dense *d, bool whole, double *a) {
    memcpy(a, d->Q, COORDINATES * sizeof *a);
    dense_add_pull(d, ALPHA, d->b, a);
    dense_solve_penalty(d, a);
    for (int round = 1; round < ROUNDS; round++) {
        double gap[ROWS], next[COORDINATES] = {0.0};
        if (whole) {
            for (int k = 0; k < COORDINATES; k++) {
                next[k] = d->mass[k] * a[k];
            }
            dense_add_pull(d, ALPHA, d->b, next);
            dense_solve_penalty(d, next);
            memcpy(a, next, sizeof next);
        } else {
            tr_rows_mul(&d->eval.equations.A, a, gap);
            for (int i = 0; i < ROWS; i++) {
                gap[i] -= d->b[i];
            }
            dense_add_pull(d, -ALPHA, gap, next);
            dense_solve_penalty(d, next);
            for (int k = 0; k < COORDINATES; k++) {
                a[k] += next[k];
            }
        }
    }
}

static void slope(Dense *d, bool whole, const double *x, double *rate) {
    dense_look(d, x, x + COORDINATES);
    memcpy(rate, x + COORDINATES, COORDINATES * sizeof *rate);
    accelerate(d, whole, rate + COORDINATES);
}

static void runge_kutta(Dense *d, bool whole, double *x) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double              sum[STATE] = {0.0}, stage[STATE], k[STATE] = {0.0};
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < STATE; i++) {
            stage[i] = x[i] + at[j] * STEP * k[i];
        }
        slope(d, whole, stage, k);
        for (int i = 0; i < STATE; i++) {
            sum[i] += weight[j] * k[i];
        }
    }
    for (int i = 0; i < STATE; i++) {
        x[i] += STEP / 6.0 * sum[i];
    }
}

static void project(Dense *d, bool whole, double *x) {
    double *v = x + COORDINATES, change[COORDINATES];
    dense_look(d, x, v);
    for (int round = 0; round < 3 && norm(ROWS, d->phi) > CLOSED; round++) {
        memset(change, 0, sizeof change);
        dense_add_pull(d, -ALPHA, d->phi, change);
        dense_solve_penalty(d, change);
        for (int k = 0; k < COORDINATES; k++) {
            x[k] += change[k];
        }
        dense_look(d, x, v);
    }
    for (int k = 0; k < COORDINATES; k++) {
        change[k] = whole ? d->mass[k] * v[k] : 0.0;
    }
    if (!whole) {
        dense_add_pull(d, -ALPHA, d->rate, change);
    }
    dense_solve_penalty(d, change);
    for (int k = 0; k < COORDINATES; k++) {
        v[k] = whole ? change[k] : v[k] + change[k];
    }
}

static double energy(const Dense *d, const double *x) {
    double sum = 0.0;
    for (int k = 0; k < COORDINATES; k++) {
        double v = x[COORDINATES + k], height = k % 3 == 1 ? x[k] : 0.0;
        sum += d->mass[k] * (0.5 * v * v + GRAVITY * height);
    }
    return sum;
}

TotalForm run_augmented_lagrangian(Dense *dense, const double *q_start, bool whole) {
    double    x[STATE] = {0.0};
    TotalForm out = {0};
    memcpy(x, q_start, COORDINATES * sizeof *x);
    const double start = energy(dense, x);
    for (int i = 0; i < STEPS; i++) {
        runge_kutta(dense, whole, x);
        project(dense, whole, x);
        out.end = energy(dense, x) - start;
        out.largest = fmax(out.largest, fabs(out.end));
    }
    return out;
}
