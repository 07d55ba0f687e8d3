// SPDX-License-Identifier: MIT
// Eigenvalues of a matrix without structure, with eigenvectors.
//
//     X v = s v
//
// Matrices are stored column by column. The matrix is balanced first.

#ifndef TR_LA_EIGEN_H
#define TR_LA_EIGEN_H

#include "base/arena.h"

typedef struct trEigen {
    int     n;
    double *X;        // n x n: filled by the caller, then destroyed
    double *re, *im;  // n: the eigenvalues; of a pair the one with im > 0 stands first
    double *V;        // n x n: columns; of a pair, real and imaginary part of the first one's
    double *scale;    // n: memory, as the next ones
    double *workspace;
    int     workspace_size;
} trEigen;

void tr_eigen_plan(trArena *arena, int n, trEigen *out);
// TR_NO_CONVERGENCE where the iteration of LAPACK fails.
trStatus tr_eigen_factor(trEigen *eigen);

#endif
