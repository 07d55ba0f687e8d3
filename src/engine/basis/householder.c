// SPDX-License-Identifier: MIT
// Free motions by Householder reflections with column pivoting.
//
//     A'P = [Q1 Q2] [R; 0]        Gamma = Q2,  B = Gamma'
//
// The rank is the number of pivots |R_kk| above the threshold. Backward stable, and the cheapest of
// the orthonormal bases; pivots change places as the mechanism moves, and Gamma jumps with them.
// Reference: Kim and Vanderploeg, J. Mech. Transm. Autom. Des. 108 (1986) 183-188; Laulusa and
// Bauchau, J. Comput. Nonlinear Dyn. 3 (2008) 011004, section 4.1.

#include "basis/parts.h"

#define SMALLEST 1e-13  // rounding leaves about n eps in a pivot that is zero

static trStatus plan(trArena *arena, int n, int m, void **work) {
    trRrqr *qr = tr_new(arena, trRrqr);
    if (qr != NULL) {
        tr_rrqr_plan(arena, n, m, qr);
    }
    *work = qr;
    return tr_arena_status(arena);
}

static trStatus make(void *work, const double *A, double tolerance, const trBasis *previous,
                     trBasis *out) {
    trRrqr *qr = work;
    double  threshold = 0.0;
    (void)previous;
    TR_TRY(tr_basis_threshold(A, (size_t)qr->rows * (size_t)qr->columns, tolerance, SMALLEST,
                              &threshold));
    return tr_basis_by_qr(qr, A, threshold, out);
}

const trBasisKind tr_basis_householder = {
    .name = "householder",
    .summary = "last columns of Q in a pivoted QR factorization of A'",
    .source = "Laulusa & Bauchau 2008, section 4.1",
    .traits = TR_BY_UNITS,
    .orthonormal = true,
    .smallest = SMALLEST,
    .plan = plan,
    .make = make,
};
