// SPDX-License-Identifier: MIT
// A basis of the motions that the constraints leave free: the columns of Gamma span the null space
// of A,
//
//     A Gamma = 0        Gamma: n x (n - r), r the rank of A
//
// and a complement B of the rows of A, (n - r) x n, so that [A_r; B] can be inverted. Velocities
// are then v = Gamma e + (what the constraints prescribe) with e = B v. Matrices are stored column
// by column.

#ifndef TR_BASIS_BASIS_H
#define TR_BASIS_BASIS_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct trBasisKind {
    const char *name;
    const char *summary;
    const char *source;
    bool        orthonormal;  // Gamma' Gamma = I
    bool        continuous;   // stays close to `previous`, where one is given
    // The smallest singular value of the rows, relative to the largest, that it can tell from zero
    // whatever the tolerance.
    double smallest;
    trStatus (*plan)(trArena *arena, int n, int m, void **work);
    // A: m x n, rows divided by their nominal norms. Singular values (or pivots) of A up to
    // `tolerance` count as zero. `previous` (n x previous_columns) or NULL. Fills Gamma (n x n at
    // most), B (likewise, its rows n - r apart) and `columns` = n - r.
    trStatus (*make)(void *work, const double *A, double tolerance, const double *previous,
                     int previous_columns, double *Gamma, double *B, int *columns);
} trBasisKind;

int                tr_basis_count(void);
const trBasisKind *tr_basis_at(int index);
const trBasisKind *tr_basis_find(const char *name);  // NULL if unknown

#endif
