// SPDX-License-Identifier: MIT
// Free motions by Householder reflections with column pivoting.
//
//     A'P = [Q1 Q2] [R; 0]        Gamma = Q2,  B = Gamma'
//
// Backward stable, and the cheapest of the orthonormal bases; pivots change places as the mechanism
// moves, and Gamma jumps with them. Reference: Kim and Vanderploeg, J. Mech. Transm. Autom. Des.
// 108 (1986) 183-188.

#include "basis/parts.h"

static void plan(trArena *arena, int n, int m, void *work) {
    tr_rrqr_plan(arena, n, m, work);
}

static trStatus make(void *work, const double *A, double threshold, const trBasis *previous,
                     trBasis *out) {
    return tr_basis_by_qr(work, A, threshold, out);
}

const trBasisKind tr_basis_householder = {
    .name = "householder",
    .summary = "last columns of Q in a pivoted QR factorization of A'",
    .source = "Laulusa & Bauchau 2008, section 4.1",
    .traits = TR_BY_UNITS,
    .orthonormal = true,
    .smallest = TR_BASIS_SMALLEST,
    .size = sizeof(trRrqr),
    .plan = plan,
    .make = make,
};
