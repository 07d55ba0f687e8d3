// SPDX-License-Identifier: MIT
// Small dense systems S x = r with x'S x >= 0, S symmetric or not (gyroscopic terms and the
// geometry of springs make compliances that are not): elimination with diagonal pivoting.
//
//     P S P' = L U        pivots not above tolerance^2 of what nominal diagonals give are dropped
//
// Unknowns of dropped pivots are 0: of redundant rows, those with the largest pivots carry
// everything, and of equal ones the first. Pivots are compared in the same `scale` for all rows of
// one unit. If each row had a separate scale, a row that is barely sensitive to a motion could be
// kept instead of a sensitive one, and its rounding would be amplified in the others.

#ifndef TR_LA_SEMIDEFINITE_H
#define TR_LA_SEMIDEFINITE_H

#include "base/arena.h"

typedef struct trSemidefinite {
    int     n, rank;
    double  smallest;  // of the pivots that were kept, against nominal diagonals; 1: there are none
    double *S;         // n x n, row after row: filled by the caller, kept
    double *nominal;   // n: what S_ii is compared with; set by the caller
    double *scale;     // n: in which pivots are chosen; 1 unless the caller sets it
    double *LU;        // n x n, row after row: rows and columns in the order of `pivot`
    int    *pivot;     // n: which unknown stands at place k
    double *x, *r;     // n: memory
} trSemidefinite;

void tr_semidefinite_plan(trArena *arena, int n, trSemidefinite *out);
void tr_semidefinite_factor(trSemidefinite *s, double tolerance);
// x = S \ right, n, with one refinement; `x` and `right` must differ.
void tr_semidefinite_solve(trSemidefinite *s, const double *right, double *x);
// rest = right - S x, n.
void tr_semidefinite_rest(const trSemidefinite *s, const double *right, const double *x,
                          double *rest);
// Whether row i was dropped in the last factorization.
bool tr_semidefinite_dropped(const trSemidefinite *s, int i);

#endif
