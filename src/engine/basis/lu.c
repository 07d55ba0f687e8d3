// SPDX-License-Identifier: MIT
// Free motions by LU factorization with full pivoting.
//
//     A(rows, columns) = L [U1 U2]        Gamma(columns) = [-U1 \ U2; I],  B = Gamma'
//
// Each column of Gamma is the motion where one independent velocity is 1 and the others are 0. The
// columns are not orthonormal, and B Gamma is not I. When a pivot moves to another velocity, Gamma
// jumps more than that of any other basis.
// Reference: Laulusa and Bauchau, J. Comput. Nonlinear Dyn. 3 (2008) 011004, section 4.1.

#include "basis/full_lu.h"
#include "basis/parts.h"

#define SMALLEST 1e-13  // rounding leaves about n eps in a pivot that is zero

static trStatus plan(trArena *arena, int n, int m, void **work) {
    trFullLu *lu = tr_new(arena, trFullLu);
    if (lu != NULL) {
        tr_full_lu_plan(arena, n, m, lu);
    }
    *work = lu;
    return tr_arena_status(arena);
}

static trStatus make(void *work, const double *A, double tolerance, const trBasis *previous,
                     trBasis *out) {
    trFullLu *lu = work;
    double    threshold = 0.0;
    (void)previous;
    TR_TRY(tr_basis_threshold(A, (size_t)lu->m * (size_t)lu->n, tolerance, SMALLEST, &threshold));
    tr_full_lu_factor(lu, A, threshold);
    out->columns = lu->n - lu->rank;
    tr_full_lu_null_space(lu, out->Gamma);
    tr_basis_transposed_complement(lu->n, out);
    return TR_OK;
}

const trBasisKind tr_basis_lu = {
    .name = "lu",
    .summary = "null space of A by LU with full pivoting; not orthonormal",
    .source = "Laulusa & Bauchau 2008, section 4.1",
    .traits = TR_BY_UNITS,
    .smallest = SMALLEST,
    .plan = plan,
    .make = make,
};
