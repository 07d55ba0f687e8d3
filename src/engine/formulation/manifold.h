// SPDX-License-Identifier: MIT
// Constrained states as methods see them: equations at any state, and steps along velocities.

#ifndef TR_FORMULATION_MANIFOLD_H
#define TR_FORMULATION_MANIFOLD_H

#include "base/status.h"
#include "system/equations.h"

typedef struct trManifold {
    int   nq, nv, m;
    void *context;
    // The equations at a state; they stay valid until the next call.
    trStatus (*evaluate)(void *context, double t, const double *q, const double *v,
                         const trEquations **out);
    void (*retract)(void *context, const double *dv, double *q);  // q moves by dv
    double (*reach)(void *context, const double *dv);  // part of dv to take, at most 1; NULL: all
} trManifold;

#endif
