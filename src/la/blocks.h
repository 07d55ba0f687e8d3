// SPDX-License-Identifier: MIT
// Arithmetic with small blocks, stored row after row, for the files of the block factorization.
// Sizes are constants after inlining, where the caller has constants.

#ifndef TR_LA_BLOCKS_H
#define TR_LA_BLOCKS_H

#include "base/status.h"

// C (ra x rb) = C - A (ra x r) B' (B: rb x r).
TR_INLINE void subtract_product(int ra, int rb, int r, const double *A, const double *B,
                                double *C) {
    for (int i = 0; i < ra; i++) {
        for (int j = 0; j < rb; j++) {
            double sum = C[i * rb + j];
            for (int k = 0; k < r; k++) {
                sum -= A[i * r + k] * B[j * r + k];
            }
            C[i * rb + j] = sum;
        }
    }
}

// The same for a symmetric C (r x r), of which only the lower half is wanted.
TR_INLINE void subtract_lower(int r, const double *A, const double *B, double *C) {
    for (int i = 0; i < r; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = C[i * r + j];
            for (int k = 0; k < r; k++) {
                sum -= A[i * r + k] * B[j * r + k];
            }
            C[i * r + j] = sum;
        }
    }
}

// y = x G for a row x of two and the symmetric G (2 x 2).
TR_INLINE void scale_pair(const double *x, const double *G, double *y) {
    double x0 = x[0], x1 = x[1];
    y[0] = x0 * G[0] + x1 * G[1];
    y[1] = x0 * G[2] + x1 * G[3];
}

// x = (L d L')^-1 x, with L below and d on the diagonal of F.
static inline void divide_by_block(int r, const double *F, double *x) {
    for (int i = 1; i < r; i++) {
        for (int j = 0; j < i; j++) {
            x[i] -= F[i * r + j] * x[j];
        }
    }
    for (int i = r - 1; i >= 0; i--) {
        x[i] /= F[i * (r + 1)];
        for (int j = i + 1; j < r; j++) {
            x[i] -= F[j * r + i] * x[j];
        }
    }
}

// y = x D^+ for one row x of a column's block.
TR_INLINE void scale_row(int r, bool firm, const double *x, const double *F, double *y) {
    for (int k = 0; firm && k < r; k++) {
        y[k] = x[k];
    }
    if (firm) {
        divide_by_block(r, F, y);
        return;
    }
    for (int k = 0; k < r; k++) {
        double sum = 0.0;
        for (int j = 0; j < r; j++) {
            sum += x[j] * F[j * r + k];
        }
        y[k] = sum;
    }
}

#endif
