// SPDX-License-Identifier: MIT
// Free motions that follow those of the state before, as closely as any orthonormal basis can.
//
//     A'P = [Q1 N] [R; 0]        N'Gamma_before = U S W'        Gamma = N U W'
//
// U W' is the orthogonal factor of the polar decomposition, and Gamma minimizes |Gamma -
// Gamma_before| among all orthonormal bases (Procrustes' problem). Without a basis before, or with
// one of another size, Gamma = N as householder has it. Reference: Kim and Vanderploeg, J. Mech.
// Transm. Autom. Des. 108 (1986) 183-188, who update Q; the minimum is what their update aims at.

#include <lapacke.h>
#include <string.h>

#include "basis/parts.h"
#include "la/dense.h"

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

static void plan(trArena *arena, int n, int m, void *work) {
    Work        *w = work;
    const size_t size = (size_t)n * (size_t)n;
    double       asked = 1.0;
    tr_rrqr_plan(arena, n, m, &w->qr);
    w->N = tr_new_array(arena, double, size);
    w->C = tr_new_array(arena, double, size);
    w->U = tr_new_array(arena, double, size);
    w->W = tr_new_array(arena, double, size);
    w->sigma = tr_new_array(arena, double, n);
    if (n > 0 && tr_arena_status(arena) == TR_OK) {
        decompose(w, n, &asked, -1);
    }
    w->memory_size = (int)asked;
    w->memory = tr_new_array(arena, double, w->memory_size);
}

// Z = X Y: rows x k times k x k.
static void multiply(int rows, int k, const double *X, const double *Y, double *Z) {
    memset(Z, 0, (size_t)rows * (size_t)k * sizeof *Z);
    for (int j = 0; j < k; j++) {
        tr_add_columns(rows, k, X, Y + (ptrdiff_t)j * k, Z + (ptrdiff_t)j * rows);
    }
}

static trStatus follow(Work *w, const trBasis *previous, trBasis *out) {
    const int    n = w->qr.rows, k = out->columns;
    const size_t size = (size_t)n * (size_t)k;
    memcpy(w->N, out->Gamma, size * sizeof(double));
    tr_inner(n, k, k, w->N, previous->Gamma, w->C);
    if (decompose(w, k, w->memory, w->memory_size) != 0) {
        return tr_fail(TR_NO_CONVERGENCE, "the basis of free motions did not converge");
    }
    multiply(k, k, w->U, w->W, w->C);
    multiply(n, k, w->N, w->C, out->Gamma);
    return TR_OK;
}

static trStatus make(void *work, const double *A, double threshold, const trBasis *previous,
                     trBasis *out) {
    Work *w = work;
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
    .smallest = TR_BASIS_SMALLEST,
    .size = sizeof(Work),
    .plan = plan,
    .make = make,
};
