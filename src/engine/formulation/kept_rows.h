// SPDX-License-Identifier: MIT
// What the formulations that eliminate multipliers share: independent rows of A, as lagrange_dense
// finds them, free motions with their inertia, one step of refinement. The kept rows enter with
// length one, in the Euclidean metric, and dropped rows as zeros. Matrices are stored column by
// column.

#ifndef TR_FORMULATION_KEPT_ROWS_H
#define TR_FORMULATION_KEPT_ROWS_H

#include "basis/basis.h"
#include "formulation/dense_parts.h"

typedef struct trKeptRows {
    trMetric metric;    // M_G: M and A as they are, and which rows are kept
    double  *length;    // m: of kept rows; 1 for others
    double  *A;         // m x n: kept rows of length one; others zero
    double  *M_Gamma;   // n x columns: M Gamma
    double  *inertia;   // columns x columns: Gamma' M Gamma = l l'
    double  *diagonal;  // columns: of it
    double  *motion;    // columns: a free motion without inertia
    double  *right;     // m
} trKeptRows;

// Work of so many bytes whose first member it is. `once` must not look at dropped rows: they may
// contradict others, and what they ask for is no force.
trStatus tr_kept_rows_begin(trArena *arena, const trEquations *e, trSolveOnce once, size_t bytes,
                            void **work);
trStatus tr_kept_rows_factor(trKeptRows *k, const trEquations *e);
// M_Gamma, and the Cholesky factor of `inertia`. TR_SINGULAR where a free motion has none.
trStatus      tr_kept_rows_inertia(trKeptRows *k, const trEquations *e, const trBasis *basis);
const double *tr_kept_rows_right(trKeptRows *k, const double *b);  // b / length
// Adds free motions to an acceleration that satisfies the constraints, and leaves the force that
// they exert:  z = inertia \ Gamma' (F - M a),  a = a + Gamma z,  force = F - M a. z: columns.
void tr_kept_rows_accelerate(const trKeptRows *k, const trBasis *basis, const trEquations *e,
                             const double *F, double *a, double *force, double *z);
// lambda_r = R \ Q' force over the lengths of rows, where A_r' P = Q R; `force` is used up.
void tr_kept_rows_multipliers(const trKeptRows *k, trRrqr *qr, double *force, double *lambda);

#endif
