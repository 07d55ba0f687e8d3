// SPDX-License-Identifier: MIT
// Dense matrices, column by column: products, and symmetric positive definite ones by Cholesky
// factors in place,
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

static inline void tr_swap(double *x, double *y) {
    const double kept = *x;
    *x = *y;
    *y = kept;
}

static inline void tr_swap_ints(int *i, int *j) {
    const int kept = *i;
    *i = *j;
    *j = kept;
}

void tr_transpose(int m, int n, const double *A, double *At);  // A: m x n, At: n x m

void   tr_fill(int n, double value, double *x);
void   tr_add(int n, const double *x, double *y);                       // y = y + x
void   tr_subtract_from(int n, const double *x, double *y);             // y = x - y
void   tr_divide(int n, const double *x, const double *by, double *y);  // y_i = x_i / by_i
double tr_dot(int n, const double *x, const double *y);
double tr_length(int n, const double *x);
void   tr_subtract_scaled(int n, double factor, const double *x, double *y);  // y = y - factor x

// X: n x count.
void tr_add_columns(int n, int count, const double *X, const double *y, double *x);  // x = x + X y
void tr_subtract_columns(int n, int count, const double *X, const double *y,
                         double *x);                                                 // x = x - X y
void tr_dot_columns(int n, int count, const double *X, const double *x, double *y);  // y = X'x
// Z = X'Y, of n x rows and n x columns.
void tr_inner(int n, int rows, int columns, const double *X, const double *Y, double *Z);
// The lower half of Z = X'Y, which is symmetric, both of n x count.
void tr_gram(int n, int count, const double *X, const double *Y, double *Z);

#endif
