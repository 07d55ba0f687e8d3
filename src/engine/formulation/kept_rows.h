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

typedef struct trKeptRows {
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

// Work of so many bytes whose first member it is. `once` gets b divided by the lengths of rows and
// must not look at dropped ones: they may contradict others, and what they ask for is no force.
trStatus tr_kept_rows_begin(trArena *arena, const trEquations *e, trSolveOnce once, size_t bytes,
                            void **work);
trStatus tr_kept_rows_factor(trKeptRows *k, const trEquations *e);
// M_Gamma, and the Cholesky factor of `inertia`. TR_SINGULAR where a free motion has none.
trStatus tr_kept_rows_inertia(trKeptRows *k, const trEquations *e, const trBasis *basis);
// z (columns) = inertia \ Gamma'f.
void tr_kept_rows_accelerate(const trKeptRows *k, const trBasis *basis, const double *f, double *z);
// For the table of such a formulation: solves, and once more for the residuals.
trStatus tr_kept_rows_solve(void *work, const trEquations *e, const double *F, const double *b,
                            double *a, double *lambda);

#endif
