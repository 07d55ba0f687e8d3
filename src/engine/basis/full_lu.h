// SPDX-License-Identifier: MIT
// LU factorization with full pivoting and a rank decision.
//
//     A(row, column) = L [U1 U2; 0 0]        rank r: the pivots that are above the threshold
//
// Pivot columns are those of the dependent velocities; the others can be prescribed.

#ifndef TR_BASIS_FULL_LU_H
#define TR_BASIS_FULL_LU_H

#include "base/arena.h"

typedef struct trFullLu {
    int     m, n, rank;
    double *U;       // m x n: L below the diagonal, U on and above it
    int    *row;     // m: which row of A became row k
    int    *column;  // n: which column of A became column k
} trFullLu;

void tr_full_lu_plan(trArena *arena, int n, int m, trFullLu *out);
void tr_full_lu_factor(trFullLu *lu, const double *A, double threshold);
// Gamma(column) = [-U1 \ U2; I], n x (n - rank).
void tr_full_lu_null_space(const trFullLu *lu, double *Gamma);

#endif
