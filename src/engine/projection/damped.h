// SPDX-License-Identifier: MIT
// Damped least squares: from positions that are far from the constraints to the nearest minimum of
// the violations. Where the minimum is zero, Newton's method (newton.c) does the rest.

#ifndef TR_PROJECTION_DAMPED_H
#define TR_PROJECTION_DAMPED_H

#include "projection/projection.h"

// Columns are positions u = dq / scale, then one slack for each row.
typedef struct trDamped {
    trEquations   e;           // nv + m columns
    trKernel      kernel;      // sparse, W = I
    double       *value;       // of e.A
    double       *ones;        // nv + m
    const double *scale;       // nv: what a change of 1 is
    double       *weight;      // m: of rows; the caller sets them, zero leaves a row out
    double       *r;           // m: weight times phi
    double       *right;       // m
    double       *zero;        // nv + m
    double       *step;        // nv + m
    double       *lambda;      // m
    double       *q;           // nq: a trial
    int           nv, nq, m;   // of the equations themselves
    int64_t       iterations;  // so far
} trDamped;

// `e` gives the pattern; `scale` (nv) must live as long as this.
trStatus tr_damped_plan(trArena *arena, const trEquations *e, int nq, const double *scale,
                        trDamped *out);

// Moves q to where sum (weight phi)^2 has a minimum, and sets *norm to the root of it. Ends at once
// where that falls below `enough`. Steps are cut by the reach of the manifold.
trStatus tr_damped_minimize(trDamped *d, const trManifold *manifold, double t, double *q,
                            const double *v, double enough, double *norm);

#endif
