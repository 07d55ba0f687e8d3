// SPDX-License-Identifier: MIT
// The matrix that penalty and augmented_lagrangian share, and its Cholesky factor:
//
//     M + A' diag(alpha) A = L L'
//
// It is positive definite if and only if [M; A] has full column rank, not always, as the paper on
// it says. That is judged with a moderate alpha: with a large one nothing can be told from
// rounding. No row is dropped.

#ifndef TR_FORMULATION_PENALTY_MATRIX_H
#define TR_FORMULATION_PENALTY_MATRIX_H

#include "formulation/dense_parts.h"

typedef struct trPenaltyOptions {
    double penalty;  // alpha of all rows; 0: from masses and rows
} trPenaltyOptions;

extern const trField tr_penalty_fields[];

typedef struct trPenaltyMatrix {
    trMetric metric;    // M + g A'A: row norms, and whether there is inertia everywhere
    double   given;     // alpha; 0: `size` times the weights of rows (row_weights.h)
    double   size;      // without unit
    double  *alpha;     // m: at the last factorization
    double   most;      // of alpha beside the weights of rows, without unit: likewise
    double  *L;         // n x n
    double  *diagonal;  // n
} trPenaltyMatrix;

trStatus tr_penalty_plan(trArena *arena, const trEquations *e, const trPenaltyOptions *options,
                         double size, trPenaltyMatrix *out);
// For the tables of formulations whose work begins with one.
trStatus tr_penalty_factor(void *work, const trEquations *e);
void tr_penalty_solve(const trPenaltyMatrix *w, double *x);  // x = (M + A' diag(alpha) A) \ x, n
// What rounding leaves in lambda = alpha (A a - b): see trFormulationKind.
double tr_penalty_rounding(const void *work);

#endif
