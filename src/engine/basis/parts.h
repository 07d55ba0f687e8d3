// SPDX-License-Identifier: MIT
// What bases have in common. Matrices are stored column by column.

#ifndef TR_BASIS_PARTS_H
#define TR_BASIS_PARTS_H

#include "basis/basis.h"
#include "la/rrqr.h"

// Checks that A (count entries) is finite, and gives max(tolerance, smallest |A|_F), up to which
// singular values or pivots count as zero.
trStatus tr_basis_threshold(const double *A, size_t count, double tolerance, double smallest,
                            double *threshold);

void tr_basis_transpose(int m, int n, const double *A, double *At);  // A: m x n, At: n x m

// B = Gamma'.
void tr_basis_transposed_complement(int n, trBasis *basis);

// Gamma = the last n - r columns of Q in A'P = Q R; `qr` is of size n x m.
trStatus tr_basis_by_qr(trRrqr *qr, const double *A, double threshold, trBasis *out);
// The same from what is factored already.
void tr_basis_from_qr(trRrqr *qr, trBasis *out);

#endif
