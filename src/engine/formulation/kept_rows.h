// SPDX-License-Identifier: MIT
// What the formulations that eliminate multipliers share: independent rows of A, free motions with
// their inertia, one step of refinement.
//
//     M_G = M + a^2 A'A = L L'      Y = L \ A'      Y D^-1 P = Q R
//     kept: |R_kk| > rank_tolerance
//
// as lagrange_dense decides. The kept rows then enter with length one, in the Euclidean metric, and
// dropped rows as zeros. Matrices are stored column by column.

#ifndef TR_FORMULATION_KEPT_ROWS_H
#define TR_FORMULATION_KEPT_ROWS_H

#include "basis/basis.h"
#include "formulation/dense_parts.h"

// Solves once: F (n), right (m: b divided by the lengths of rows) -> a, lambda. It must not look at
// dropped rows in `right`: they may contradict others, and what they ask for is no force.
typedef void (*trSolveOnce)(void *work, const trEquations *e, const double *F, const double *right,
                            double *a, double *lambda);

typedef struct trKeptRows {
    trSolveOnce  once;
    trMetric     metric;    // M_G: M and A as they are, and which rows are kept
    double      *length;    // m: of kept rows; 1 for others
    double      *A;         // m x n: kept rows of length one; others zero
    double      *M_Gamma;   // n x columns: M Gamma
    double      *inertia;   // columns x columns: Gamma' M Gamma = l l'
    double      *diagonal;  // columns: of it
    double      *motion;    // columns: a free motion without inertia
    double      *right;     // m
    trRefinement refinement;
} trKeptRows;

void     tr_kept_rows_plan(trArena *arena, const trEquations *e, trSolveOnce once, trKeptRows *out);
trStatus tr_kept_rows_factor(trKeptRows *k, const trEquations *e);
// M_Gamma, and the Cholesky factor of `inertia`. TR_SINGULAR where a free motion has none.
trStatus tr_kept_rows_inertia(trKeptRows *k, const trEquations *e, const trBasis *basis);
// z (columns) = inertia \ Gamma'f.
void tr_kept_rows_accelerate(const trKeptRows *k, const trBasis *basis, const double *f, double *z);
// Solves, and once more for the residuals.
void   tr_kept_rows_solve(trKeptRows *k, void *work, const trEquations *e, const double *F,
                          const double *b, double *a, double *lambda);
trRank tr_kept_rows_rank(const trKeptRows *k);

#endif
