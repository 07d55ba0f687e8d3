// SPDX-License-Identifier: MIT
// The matrix of all three stages of radau5, each with parts of its own.
//
//     sum_j inverse[i][j] / h B dY_j + J_i dY_i = - r_i        B: S, M and 1 of x, v and z

#ifndef TR_INTEGRATOR_RADAU5_FULL_H
#define TR_INTEGRATOR_RADAU5_FULL_H

#include "integrator/radau5_matrices.h"

typedef struct trRadauFull {
    trRadauLayout  at;
    trNewtonMatrix matrix;  // 3 n
    double        *y;       // 3 n: right side, then solution
} trRadauFull;

trStatus tr_radau_full_plan(trArena *arena, const trDae *dae, trRadauFull *out);

#endif
