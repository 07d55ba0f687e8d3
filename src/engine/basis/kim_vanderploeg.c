// SPDX-License-Identifier: MIT
// Free motions that follow those of the state before, as closely as any orthonormal basis can.
//
//     A'P = [Q1 N] [R; 0]        N'Gamma_before = U S W'        Gamma = N U W'
//
// U W' is the orthogonal factor of the polar decomposition, and Gamma minimizes |Gamma -
// Gamma_before| among all orthonormal bases (Procrustes' problem). Without a basis before, or with
// one of another size, Gamma = N as householder has it.
// Reference: Kim and Vanderploeg, J. Mech. Transm. Autom. Des. 108 (1986) 183-188, who update Q;
// the minimum is what their update aims at.

#include <lapacke.h>
#include <string.h>

#include "basis/parts.h"

#define SMALLEST 1e-13  // rounding leaves about n eps in a pivot that is zero

typedef struct Work {
    trRrqr  qr;      // n x m
    double *N;       // n x n
    double *C;       // n x n: N'Gamma_before, then U W'
    double *U, *W;   // n x n; W transposed
    double *sigma;   // n
    double *memory;  // memory_size
    int     memory_size;
} Work;

static int decompose(Work *w, int k, double *memory, int size) {
    return LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', k, k, w->C, k, w->sigma, w->U, k, w->W,
                               k, memory, size);
}

static trStatus plan(trArena *arena, int n, int m, void **work) {
    Work  *w = tr_new(arena, Work);
    size_t size = (size_t)n * (size_t)n;
    if (w != NULL) {
        tr_rrqr_plan(arena, n, m, &w->qr);
        w->N = tr_new_array(arena, double, size);
        w->C = tr_new_array(arena, double, size);
        w->U = tr_new_array(arena, double, size);
        w->W = tr_new_array(arena, double, size);
        w->sigma = tr_new_array(arena, double, n);
        double asked = 1.0;
        if (n > 0 && tr_arena_status(arena) == TR_OK) {
            decompose(w, n, &asked, -1);
        }
        w->memory_size = (int)asked;
        w->memory = tr_new_array(arena, double, w->memory_size);
    }
    *work = w;
    return tr_arena_status(arena);
}

// Z = X Y or X'Y: rows x k times k x columns.
static void multiply(bool transposed, const int size[3], const double *X, const double *Y,
                     double *Z) {
    const size_t rows = (size_t)size[0], inner = (size_t)size[1], columns = (size_t)size[2];
    for (size_t j = 0; j < columns; j++) {
        for (size_t i = 0; i < rows; i++) {
            double sum = 0.0;
            for (size_t k = 0; k < inner; k++) {
                sum += (transposed ? X[i * inner + k] : X[k * rows + i]) * Y[j * inner + k];
            }
            Z[j * rows + i] = sum;
        }
    }
}

static trStatus follow(Work *w, const trBasis *previous, trBasis *out) {
    const int    n = w->qr.rows, k = out->columns;
    const size_t size = (size_t)n * (size_t)k;
    memcpy(w->N, out->Gamma, size * sizeof(double));
    multiply(true, (const int[3]){k, n, k}, w->N, previous->Gamma, w->C);
    if (decompose(w, k, w->memory, w->memory_size) != 0) {
        return tr_fail(TR_NO_CONVERGENCE, "the basis of free motions did not converge");
    }
    multiply(false, (const int[3]){k, k, k}, w->U, w->W, w->C);
    multiply(false, (const int[3]){n, k, k}, w->N, w->C, out->Gamma);
    tr_basis_transposed_complement(n, out);
    return TR_OK;
}

static trStatus make(void *work, const double *A, double tolerance, const trBasis *previous,
                     trBasis *out) {
    Work  *w = work;
    double threshold = 0.0;
    TR_TRY(tr_basis_threshold(A, (size_t)w->qr.rows * (size_t)w->qr.columns, tolerance, SMALLEST,
                              &threshold));
    TR_TRY(tr_basis_by_qr(&w->qr, A, threshold, out));
    if (previous == NULL || previous->columns != out->columns || out->columns == 0) {
        return TR_OK;
    }
    return follow(w, previous, out);
}

const trBasisKind tr_basis_kim_vanderploeg = {
    .name = "kim_vanderploeg",
    .summary = "the orthonormal basis that is nearest to the one before; continuous",
    .source = "Kim & Vanderploeg 1986; Laulusa & Bauchau 2008, section 4.2",
    .traits = TR_BY_UNITS,
    .orthonormal = true,
    .continuous = true,
    .smallest = SMALLEST,
    .plan = plan,
    .make = make,
};
