// SPDX-License-Identifier: MIT
// What bases have in common. Matrices are stored column by column.

#ifndef TR_BASIS_PARTS_H
#define TR_BASIS_PARTS_H

#include "basis/basis.h"
#include "la/rrqr.h"

// Rounding leaves about n eps in a pivot, singular value or rest that is zero.
#define TR_BASIS_SMALLEST 1e-13

// Gamma = the last n - r columns of Q in A'P = Q R; `qr` is of size n x m.
trStatus tr_basis_by_qr(trRrqr *qr, const double *A, double threshold, trBasis *out);

#endif
