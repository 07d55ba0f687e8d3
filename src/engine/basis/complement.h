// SPDX-License-Identifier: MIT
// Rows of A made square by complement rows B, and problems with both:
//
//     [A_r; B] x = [right_r; y]        the elementary problems of Maggi's equations
//     [A_r; B]' [lambda_r; e] = f
//
// A_r: independent rows of A, chosen by QR with column pivoting of A'. What was dropped plays no
// part, and its lambda is 0. Matrices are stored column by column.

#ifndef TR_BASIS_COMPLEMENT_H
#define TR_BASIS_COMPLEMENT_H

#include "la/rrqr.h"

typedef struct trComplement {
    int     n, m, rank;
    trRrqr  rows;       // n x m: of A'
    int    *dropped;    // m - rank
    double *K;          // n x n: factors of [A_r; B]
    int    *pivot;      // n
    double *memory;     // 4 n
    int    *counters;   // n: memory of the estimate
    double  condition;  // of [A_r; B], estimated, in the 1-norm
} trComplement;

void tr_complement_plan(trArena *arena, int n, int m, trComplement *out);
// The rank of A (m x n, rows divided by their nominal norms) and its independent rows. Tolerance 0
// drops rows of zeros only.
trStatus tr_complement_rows(trComplement *c, const double *A, double tolerance);
// Factors [A_r; B] with those rows; B has n - rank rows, else TR_E_ARGUMENT. TR_SINGULAR where B is
// no complement to working precision.
trStatus tr_complement_factor(trComplement *c, const double *A, const double *B, int B_rows);
// x (n) from right (m, divided by nominal norms as A is) and y (n - rank; NULL: zero).
void tr_complement_solve(trComplement *c, const double *right, const double *y, double *x);
// lambda (m) and e (n - rank; may be NULL) from f (n).
void tr_complement_transposed(trComplement *c, const double *f, double *lambda, double *e);

#endif
