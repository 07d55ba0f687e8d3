// SPDX-License-Identifier: MIT
// Free motions by LU factorization with full pivoting.
//
//     A(rows, columns) = L [U1 U2]        Gamma(columns) = [-U1 \ U2; I],  B = Gamma'
//
// Each column of Gamma is the motion where one independent velocity is 1 and the others are 0. The
// columns are not orthonormal, and B Gamma is not I.

#include "basis/full_lu.h"
#include "basis/parts.h"

static void plan(trArena *arena, int n, int m, void *work) {
    tr_full_lu_plan(arena, n, m, work);
}

static trStatus make(void *work, const double *A, double threshold, const trBasis *previous,
                     trBasis *out) {
    trFullLu *lu = work;
    tr_full_lu_factor(lu, A, threshold);
    out->columns = lu->n - lu->rank;
    tr_full_lu_null_space(lu, out->Gamma);
    return TR_OK;
}

const trBasisKind tr_basis_lu = {
    .name = "lu",
    .summary = "null space of A by LU with full pivoting; not orthonormal",
    .source = "Laulusa & Bauchau 2008, section 4.1",
    .traits = TR_BY_UNITS,
    .smallest = TR_BASIS_SMALLEST,
    .size = sizeof(trFullLu),
    .plan = plan,
    .make = make,
};
