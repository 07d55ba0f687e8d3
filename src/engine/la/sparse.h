// SPDX-License-Identifier: MIT
// Square sparse matrices without symmetry, for implicit methods: LU factors by KLU of SuiteSparse.
//
//     P R^-1 A Q = L U + F        R: largest entry of each row; F: blocks above the diagonal ones
//
// The pattern is planned once, from a list of entries in which a place may occur several times;
// then values change as often as wanted:
//
//     tr_sparse_clear(&A);
//     A.value[A.position[e]] += x;                  for each entry e of the list
//     TR_TRY(tr_sparse_factor(&A, &column));
//     tr_sparse_solve(&A, x);                       any number of times
//
// Reference: T. A. Davis, E. Palamadai Natarajan, Algorithm 907: KLU, a direct sparse solver for
// circuit simulation problems, ACM Trans. Math. Softw. 37 (2010) 36.

#ifndef TR_LA_SPARSE_H
#define TR_LA_SPARSE_H

#include <stdint.h>

#include "base/arena.h"

typedef struct trSparseFactor trSparseFactor;  // what KLU owns

typedef struct trSparse {
    int             n;                 // rows, and columns
    int             entries;           // of the list
    int             nonzeros;          // different places in the list
    int            *column;            // n + 1: where each column starts in row and value
    int            *row;               // nonzeros, increasing in each column
    double         *value;             // nonzeros
    int            *position;          // entries: where in value each entry of the list is summed
    int             fill;              // nonzeros of L and U, since pivots were chosen last
    int64_t         factorizations;    // with a fresh choice of pivots
    int64_t         refactorizations;  // with the pivots of an earlier one, tried
    trSparseFactor *factor;
} trSparse;

// Makes the pattern of an n x n matrix from places (row[e], column[e]), counted from 0, and
// analyzes it: block triangular form and order of elimination. TR_E_ARGUMENT if a place is outside.
// KLU's own memory is released by tr_sparse_free, or with the arena.
trStatus tr_sparse_plan(trArena *arena, int n, int entries, const int *row, const int *column,
                        trSparse *out);

void tr_sparse_clear(trSparse *A);  // all values become zero

// Factors the present values, with the pivots of the last time where they are still good. Then
// nothing is allocated; a fresh choice of pivots, as the first time, allocates inside KLU.
//
// TR_SINGULAR, with a column that depends on others in `singular_column` (may be NULL), if a pivot
// is zero or no more than rounding of its column; TR_NOT_FINITE likewise, if a value or pivot is
// infinite or not a number; TR_E_MEMORY. After a failure there are no factors to solve with.
trStatus tr_sparse_factor(trSparse *A, int *singular_column);

void tr_sparse_solve(const trSparse *A, double *x);  // x = A \ x, n; after a successful factor

void tr_sparse_free(trSparse *A);  // what KLU owns, now; may be repeated; needs the arena alive

#endif
