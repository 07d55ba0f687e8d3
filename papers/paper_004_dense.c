// SPDX-License-Identifier: MIT
// Corrections of positions by Marques, Souto and Flores, round by round, in the letters of
// system/equations.h (D of the paper is A here):
//
//     (41)        dq = -A' (A A')^-1 phi
//     (50)        dq = -M A' (A A')^-1 phi                  printed
//                 dq = -M^-1 A' (A A')^-1 phi               M inverted, the rest as printed
//                 dq = -M^-1 A' (A M^-1 A')^-1 phi          works: A dq = -phi
//     (26)-(28)   (M + alpha A'A) dq = -M (q - q_0) - A' lambda
//                 lambda <- lambda + alpha phi              printed, from 0 or from alpha phi
//                 ... - A' (lambda + alpha phi)             works, from lambda = 0

#include "paper_004_dense.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "study.h"

typedef enum Kind {
    DIRECT,
    WEIGHTED_PRINTED,
    WEIGHTED_HALF,
    WEIGHTED,
    PENALTY_PRINTED,
    PENALTY_STARTED,
    PENALTY,
} Kind;

static const Correction kinds[CORRECTIONS] = {
    [DIRECT] = {.equation = "(41)", .formula = "A'(A A')^-1 phi"},
    [WEIGHTED_PRINTED] = {.equation = "(50), printed", .formula = "M A'(A A')^-1 phi"},
    [WEIGHTED_HALF] = {.equation = "(50), M inverted", .formula = "M^-1 A'(A A')^-1 phi"},
    [WEIGHTED] = {.equation = "(50), corrected", .formula = "M^-1 A'(A M^-1 A')^-1 phi"},
    [PENALTY_PRINTED] = {.equation = "(26) to (28), printed", .formula = "lambda from 0"},
    [PENALTY_STARTED] = {.equation = "(26) to (28), printed", .formula = "lambda from alpha phi"},
    [PENALTY] = {.equation = "(26) to (28), corrected", .formula = "lambda + alpha phi, from 0"},
};

// Table 1: x, y [m] and angle [rad] of crank, coupler and follower.
static const double printed[COORDINATES] = {0.5,    0.8660, 1.0472, 2.8235, 2.5535,
                                            0.4332, 3.5735, 1.6875, 1.0042};

void dense_begin(const trSystem *system, Dense *dense) {
    memset(dense, 0, sizeof *dense);
    dense->arena = tr_arena_create();
    must(dense->arena == NULL ? TR_E_MEMORY : TR_OK);
    must(tr_eval_plan(dense->arena, system, tr_sim_def_default().rank_tolerance, &dense->eval));
    const trEquations *e = &dense->eval.equations;
    must(e->nv == COORDINATES && e->m == ROWS ? TR_OK : TR_E_MODEL);
    dense->mass = e->M.diagonal;
    dense->phi = e->phi;
    dense->b = e->b;
    dense->Q = e->Q;
}

void dense_end(Dense *dense) {
    tr_arena_destroy(dense->arena);
}

void dense_look(Dense *dense, const double *q, const double *v) {
    must(tr_system_eval(dense->eval.system, 0.0, q, v, &dense->eval));
    tr_rows_dense(&dense->eval.equations.A, dense->A);
    tr_rows_mul(&dense->eval.equations.A, v, dense->rate);
}

void dense_add_pull(const Dense *dense, double factor, const double *x, double *y) {
    for (int k = 0; k < COORDINATES; k++) {
        for (int i = 0; i < ROWS; i++) {
            y[k] += factor * dense->A[k * ROWS + i] * x[i];
        }
    }
}

void dense_solve(int n, double *S, double *x) {
    double diagonal[COORDINATES];
    must(tr_cholesky_factor(n, S, diagonal, NULL));
    tr_cholesky_forward(n, S, 1, x);
    tr_cholesky_backward(n, S, x);
}

void dense_solve_penalty(const Dense *dense, double *x) {
    double S[COORDINATES * COORDINATES];
    for (int i = 0; i < COORDINATES * COORDINATES; i++) {
        int row = i % COORDINATES, column = i / COORDINATES;
        S[i] = row == column ? dense->mass[row] : 0.0;
        for (int k = 0; k < ROWS; k++) {
            S[i] += ALPHA * dense->A[row * ROWS + k] * dense->A[column * ROWS + k];
        }
    }
    dense_solve(COORDINATES, S, x);
}

// y = (A W A')^-1 phi with a diagonal W, then dq = -U A' y.
static void by_rows(const Dense *d, Kind kind, double *dq) {
    double S[ROWS * ROWS], y[ROWS];
    for (int i = 0; i < ROWS * ROWS; i++) {
        S[i] = 0.0;
        for (int k = 0; k < COORDINATES; k++) {
            double w = kind == WEIGHTED ? 1.0 / d->mass[k] : 1.0;
            S[i] += w * d->A[k * ROWS + i % ROWS] * d->A[k * ROWS + i / ROWS];
        }
    }
    memcpy(y, d->phi, sizeof y);
    dense_solve(ROWS, S, y);
    memset(dq, 0, COORDINATES * sizeof *dq);
    dense_add_pull(d, -1.0, y, dq);
    for (int k = 0; k < COORDINATES; k++) {
        dq[k] *= kind == DIRECT ? 1.0 : kind == WEIGHTED_PRINTED ? d->mass[k] : 1.0 / d->mass[k];
    }
}

static void by_penalty(const Dense *d, Kind kind, const double *q, const double *lambda,
                       double *dq) {
    for (int k = 0; k < COORDINATES; k++) {
        dq[k] = -d->mass[k] * (q[k] - printed[k]);
    }
    dense_add_pull(d, -1.0, lambda, dq);
    if (kind == PENALTY) {
        dense_add_pull(d, -ALPHA, d->phi, dq);
    }
    dense_solve_penalty(d, dq);
}

static void correct_by(Dense *d, Kind kind, double *size) {
    static const double rest[COORDINATES] = {0.0};
    double              q[COORDINATES], dq[COORDINATES], lambda[ROWS];
    memcpy(q, printed, sizeof q);
    dense_look(d, q, rest);
    size[0] = norm(ROWS, d->phi);
    for (int i = 0; i < ROWS; i++) {
        lambda[i] = kind == PENALTY_STARTED ? ALPHA * d->phi[i] : 0.0;
    }
    for (int round = 1; round <= CORRECTION_ROUNDS; round++) {
        if (kind >= PENALTY_PRINTED) {
            by_penalty(d, kind, q, lambda, dq);
        } else {
            by_rows(d, kind, dq);
        }
        for (int k = 0; k < COORDINATES; k++) {
            q[k] += dq[k];
        }
        dense_look(d, q, rest);
        size[round] = norm(ROWS, d->phi);
        bool moved = norm(COORDINATES, dq) > 0.0;  // else (29) ends the rounds
        for (int i = 0; i < ROWS && moved; i++) {
            lambda[i] += ALPHA * d->phi[i];
        }
    }
}

void correct_printed_pose(Dense *dense, Correction out[CORRECTIONS]) {
    memcpy(out, kinds, sizeof kinds);
    for (int k = 0; k < CORRECTIONS; k++) {
        correct_by(dense, (Kind)k, out[k].size);
    }
}
