// SPDX-License-Identifier: MIT
// Full-rank factorization by Gram-Schmidt orthogonalization with column pivoting, every column
// orthogonalized twice:
//
//     X P = F [R_r R_d]        F'F = I        rank r: the leading columns with R_kk > tolerance
//
// so that X^+ = R' (R R')^-1 F' with R = [R_r R_d] P'. As accurate as singular values where columns
// are far from orthogonal, and without an iteration. Matrices are stored column by column; nothing
// is allocated after planning.

#ifndef TR_LA_GRAM_SCHMIDT_H
#define TR_LA_GRAM_SCHMIDT_H

#include "base/arena.h"

typedef struct trGramSchmidt {
    int     rows, columns;
    int     rank;   // of the last factorization
    double *X;      // rows x columns: filled by the caller; its leading columns become F
    double *R;      // columns x columns: R_kj of pivot column j at j columns + k
    int    *pivot;  // columns: which column of X became column k
} trGramSchmidt;

void tr_gram_schmidt_plan(trArena *arena, int rows, int columns, trGramSchmidt *out);
// `tolerance` is absolute: scale the columns before.
void tr_gram_schmidt_factor(trGramSchmidt *g, double tolerance);

void tr_gram_schmidt_solve_r(const trGramSchmidt *g, double *y);   // y = R_r \ y
void tr_gram_schmidt_solve_rt(const trGramSchmidt *g, double *y);  // y = R_r' \ y

#endif
