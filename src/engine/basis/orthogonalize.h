// SPDX-License-Identifier: MIT
// Gram-Schmidt orthogonalization, twice, with pivoting: the rows of A first, then what completes
// them.
//
//     V = [V1 V2]        V1 spans the rows of A,  V2 the free motions
//
// The bases gram_schmidt and liang_lance are V2.

#ifndef TR_BASIS_ORTHOGONALIZE_H
#define TR_BASIS_ORTHOGONALIZE_H

#include "basis/basis.h"

typedef struct trOrthogonal {
    int     n, m;
    int     count;  // columns of V so far
    double *V;      // n x n
    double *X;      // n x m: rows of A, less their part along V
    bool   *used;   // m
} trOrthogonal;

// For the table of a basis. `previous` is followed where none of its columns is swallowed by V1.
void     tr_orthogonal_plan(trArena *arena, int n, int m, void *work);
trStatus tr_orthogonal_make(void *work, const double *A, double threshold, const trBasis *previous,
                            trBasis *out);
// V1: rows of A, the largest rest first, until no rest is above the threshold.
void tr_orthogonal_rows(trOrthogonal *o, const double *A, double threshold);
// Adds the part of x (n) that is perpendicular to V, scaled to 1; false if it is below `least`.
bool tr_orthogonal_add(trOrthogonal *o, const double *x, double least);
// The unit vector farthest from the orthonormal columns of V, n x count.
int tr_farthest_axis(int n, int count, const double *V);
// Unit vectors, the one farthest from V first, until V is square.
void tr_orthogonal_complete(trOrthogonal *o);

#endif
