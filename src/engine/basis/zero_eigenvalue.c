// SPDX-License-Identifier: MIT
// Free motions by eigenvectors to eigenvalues of zero.
//
//     A'A x = s^2 x        Gamma: the x with s = 0
//
// A'A squares singular values: a ratio of 1e-5 becomes 1e-10, and one below 1e-7 is lost in the
// rounding of A'A. Vectors of Gamma are off by about eps / s^2 in the direction of a small s.
// Meant for comparison; svd does the same without the loss.
// Reference: Walton and Steeves, NASA TR R-326 (1969); Kamman and Huston, J. Appl. Mech. 51 (1984)
// 899-903.

#include <lapacke.h>
#include <string.h>

#include "basis/parts.h"
#include "la/dense.h"

#define SMALLEST 1e-7  // its square is what rounding of A'A leaves of zero, with a margin

typedef struct Work {
    int     n, m;
    double *X;       // n x n: A'A, then its eigenvectors
    double *value;   // n, ascending
    double *memory;  // memory_size
    int     memory_size;
} Work;

static int decompose(Work *w, double *memory, int size) {
    return LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', w->n, w->X, w->n, w->value, memory, size);
}

static void plan(trArena *arena, int n, int m, void *work) {
    Work  *w = work;
    double asked = 1.0;
    w->n = n;
    w->m = m;
    w->X = tr_new_array(arena, double, (size_t)n *(size_t)n);
    w->value = tr_new_array(arena, double, n);
    if (n > 0 && tr_arena_status(arena) == TR_OK) {
        decompose(w, &asked, -1);
    }
    w->memory_size = (int)asked;
    w->memory = tr_new_array(arena, double, w->memory_size);
}

static trStatus make(void *work, const double *A, double threshold, const trBasis *previous,
                     trBasis *out) {
    Work *w = work;
    tr_gram(w->m, w->n, A, A, w->X);
    if (w->n > 0 && decompose(w, w->memory, w->memory_size) != 0) {
        return tr_fail(TR_NO_CONVERGENCE, "eigenvalues of A'A did not converge");
    }
    out->columns = 0;
    while (out->columns < w->n && !(w->value[out->columns] > threshold * threshold)) {
        out->columns++;
    }
    memcpy(out->Gamma, w->X, (size_t)w->n * (size_t)out->columns * sizeof(double));
    return TR_OK;
}

const trBasisKind tr_basis_zero_eigenvalue = {
    .name = "zero_eigenvalue",
    .summary = "eigenvectors of A'A to eigenvalues of zero; loses half of the digits",
    .source = "Laulusa & Bauchau 2008, section 4.1",
    .traits = TR_BY_UNITS,
    .orthonormal = true,
    .smallest = SMALLEST,
    .size = sizeof(Work),
    .plan = plan,
    .make = make,
};
