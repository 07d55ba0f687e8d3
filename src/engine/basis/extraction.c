// SPDX-License-Identifier: MIT
// Free motions by extraction: some of the velocities themselves are the independent ones.
//
//     B: unit rows of the columns without a pivot in LU with full pivoting
//     [A_r; B] Gamma = [0; I]        one elementary velocity problem for each column
//
// Pivot columns are the dependent velocities. By the paper's words these would be extracted; the
// complement is then badly conditioned, and singular for some rows.
// Reference: Laulusa and Bauchau, J. Comput. Nonlinear Dyn. 3 (2008) 011004, section 4.2.

#include <string.h>

#include "basis/complement.h"
#include "basis/full_lu.h"
#include "basis/parts.h"

typedef struct Work {
    trFullLu     lu;
    trComplement c;
    double      *A;     // m x n: dependent rows are zero
    double      *none;  // m: zeros
    double      *unit;  // n
} Work;

static void plan(trArena *arena, int n, int m, void *work) {
    Work *w = work;
    tr_full_lu_plan(arena, n, m, &w->lu);
    tr_complement_plan(arena, n, m, &w->c);
    w->A = tr_new_array(arena, double, (size_t)m *(size_t)n);
    w->none = tr_new_array(arena, double, m);
    w->unit = tr_new_array(arena, double, n);
}

static trStatus make(void *work, const double *A, double threshold, const trBasis *previous,
                     trBasis *out) {
    Work        *w = work;
    trFullLu    *lu = &w->lu;
    const size_t n = (size_t)lu->n, m = (size_t)lu->m;
    tr_full_lu_factor(lu, A, threshold);
    memcpy(w->A, A, m * n * sizeof(double));
    for (size_t k = (size_t)lu->rank; k < m; k++) {
        for (size_t j = 0; j < n; j++) {
            w->A[j * m + (size_t)lu->row[k]] = 0.0;
        }
    }
    const size_t columns = n - (size_t)lu->rank;
    out->columns = (int)columns;
    memset(out->B, 0, columns * n * sizeof(double));
    for (size_t k = 0; k < columns; k++) {
        out->B[(size_t)lu->column[(size_t)lu->rank + k] * columns + k] = 1.0;
    }
    TR_TRY(tr_complement_rows(&w->c, w->A, 0.0));
    TR_TRY(tr_complement_factor(&w->c, w->A, out->B, out->columns));
    for (size_t k = 0; k < columns; k++) {
        memset(w->unit, 0, columns * sizeof(double));
        w->unit[k] = 1.0;
        tr_complement_solve(&w->c, w->none, w->unit, out->Gamma + k * n);
    }
    return TR_OK;
}

const trBasisKind tr_basis_extraction = {
    .name = "extraction",
    .summary = "independent velocities themselves, found by LU with full pivoting",
    .source = "Laulusa & Bauchau 2008, section 4.2",
    .extracts = true,
    .smallest = TR_BASIS_SMALLEST,
    .size = sizeof(Work),
    .plan = plan,
    .make = make,
};
