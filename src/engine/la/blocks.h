// SPDX-License-Identifier: MIT
// Arithmetic with small blocks for the files of the block factorization. Blocks are stored column
// after column, so that loops run along columns and need no sums across. Sizes are constants after
// inlining, where the caller has constants.

#ifndef TR_LA_BLOCKS_H
#define TR_LA_BLOCKS_H

#include <stdbool.h>

#include "base/status.h"

#define TR_BLOCK_MAX 6  // rows of a block

// C (ra x rb) = C - A (ra x r) B' (B: rb x r).
TR_INLINE void tr_subtract_product(int ra, int rb, int r, const double *A, const double *B,
                                   double *C) {
    for (int j = 0; j < rb; j++) {
        double column[TR_BLOCK_MAX];
        for (int i = 0; i < ra; i++) {
            column[i] = C[j * ra + i];
        }
        for (int k = 0; k < r; k++) {
            for (int i = 0; i < ra; i++) {
                column[i] -= A[k * ra + i] * B[k * rb + j];
            }
        }
        for (int i = 0; i < ra; i++) {
            C[j * ra + i] = column[i];
        }
    }
}

// Y (ra x r) = X G, with a symmetric G (r x r).
TR_INLINE void tr_scale_block(int ra, int r, const double *X, const double *G, double *Y) {
    for (int k = 0; k < r; k++) {
        double column[TR_BLOCK_MAX];
        for (int i = 0; i < ra; i++) {
            column[i] = X[i] * G[k * r];
        }
        for (int j = 1; j < r; j++) {
            for (int i = 0; i < ra; i++) {
                column[i] += X[j * ra + i] * G[k * r + j];
            }
        }
        for (int i = 0; i < ra; i++) {
            Y[k * ra + i] = column[i];
        }
    }
}

// Y (ra x r) = X (L d L')^-1, with L below and d on the diagonal of F.
static inline void tr_divide_block(int ra, int r, const double *X, const double *F, double *Y) {
    for (int k = 0; k < r; k++) {
        for (int i = 0; i < ra; i++) {
            double sum = X[k * ra + i];
            for (int j = 0; j < k; j++) {
                sum -= Y[j * ra + i] * F[j * r + k];
            }
            Y[k * ra + i] = sum;
        }
    }
    for (int k = r - 1; k >= 0; k--) {
        for (int i = 0; i < ra; i++) {
            double sum = Y[k * ra + i] / F[k * (r + 1)];
            for (int j = k + 1; j < r; j++) {
                sum -= Y[j * ra + i] * F[k * r + j];
            }
            Y[k * ra + i] = sum;
        }
    }
}

#endif
