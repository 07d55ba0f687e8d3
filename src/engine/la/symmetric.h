// SPDX-License-Identifier: MIT
// Symmetric matrices that may be singular or indefinite, n x n, overwritten. `work` has 4 n
// entries.

#ifndef TR_LA_SYMMETRIC_H
#define TR_LA_SYMMETRIC_H

#include "base/status.h"

// Eigenvalues, increasing, and in place of the matrix its eigenvectors, one a column.
trStatus tr_symmetric_eigen(int n, double *matrix, double *values, double *work);

// L with matrix = P L L' P', P by `pivot`, n: entry (i, j) at i + j n; zero in columns >= rank.
trStatus tr_symmetric_root(int n, double *matrix, int *pivot, double *work);

#endif
