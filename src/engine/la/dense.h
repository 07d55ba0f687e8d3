// SPDX-License-Identifier: MIT
// Dense symmetric positive definite matrices by Cholesky factors, column by column, in place.
//
//     M = L L'

#ifndef TR_LA_DENSE_H
#define TR_LA_DENSE_H

#include "base/arena.h"

// Overwrites the lower triangle of M (n x n) with L. TR_SINGULAR, with the first column that is
// linearly dependent on those before it in `column` (may be NULL), if M is not positive definite
// to working precision. `diagonal` is memory, n.
trStatus tr_cholesky_factor(int n, double *M, double *diagonal, int *column);

void tr_cholesky_forward(int n, const double *L, int count, double *X);  // X = L \ X, n x count
void tr_cholesky_backward(int n, const double *L, double *x);            // x = L' \ x

#endif
