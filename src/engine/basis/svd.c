// SPDX-License-Identifier: MIT
// Free motions by singular values.
//
//     A = U [S 0] [V1 V2]'        Gamma = V2: right singular vectors to singular values of zero
//
// The most reliable rank, and the most expensive. Vectors to equal singular values are any
// orthonormal basis of their space, so Gamma jumps from one state to the next.
// Reference: Mani, Haug and Atkinson, J. Mech. Transm. Autom. Des. 107 (1985) 82-87; Singh and
// Likins, J. Appl. Mech. 52 (1985) 943-948.

#include <lapacke.h>
#include <string.h>

#include "basis/parts.h"

typedef struct Work {
    int     n, m;
    double *A;       // m x n
    double *sigma;   // min(n, m)
    double *V;       // n x n, transposed
    double *memory;  // memory_size
    int     memory_size;
} Work;

static int decompose(Work *w, double *memory, int size) {
    return LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'A', w->m, w->n, w->A, w->m, w->sigma, NULL,
                               1, w->V, w->n, memory, size);
}

static void plan(trArena *arena, int n, int m, void *work) {
    Work  *w = work;
    double asked = 1.0;
    w->n = n;
    w->m = m;
    w->A = tr_new_array(arena, double, (size_t)m *(size_t)n);
    w->sigma = tr_new_array(arena, double, m < n ? m : n);
    w->V = tr_new_array(arena, double, (size_t)n *(size_t)n);
    if (n > 0 && m > 0 && tr_arena_status(arena) == TR_OK) {
        decompose(w, &asked, -1);
    }
    w->memory_size = (int)asked;
    w->memory = tr_new_array(arena, double, w->memory_size);
}

static trStatus make(void *work, const double *A, double threshold, const trBasis *previous,
                     trBasis *out) {
    Work        *w = work;
    const size_t n = (size_t)w->n;
    const int    count = w->m < w->n ? w->m : w->n;
    int          rank = 0;
    for (size_t k = 0; k < n * n; k++) {
        w->V[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
    }
    memcpy(w->A, A, n * (size_t)w->m * sizeof *A);
    if (count > 0 && decompose(w, w->memory, w->memory_size) != 0) {
        return tr_fail(TR_NO_CONVERGENCE, "singular values of the constraints did not converge");
    }
    while (rank < count && w->sigma[rank] > threshold) {
        rank++;
    }
    out->columns = w->n - rank;
    for (size_t j = 0; j < (size_t)out->columns; j++) {
        for (size_t i = 0; i < n; i++) {
            out->Gamma[j * n + i] = w->V[i * n + (size_t)rank + j];
        }
    }
    return TR_OK;
}

const trBasisKind tr_basis_svd = {
    .name = "svd",
    .summary = "right singular vectors of A to singular values of zero",
    .source = "Laulusa & Bauchau 2008, section 4.1",
    .traits = TR_BY_UNITS,
    .orthonormal = true,
    .smallest = TR_BASIS_SMALLEST,
    .size = sizeof(Work),
    .plan = plan,
    .make = make,
};
