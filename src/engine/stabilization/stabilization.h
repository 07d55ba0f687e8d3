// SPDX-License-Identifier: MIT
// A stabilization changes what the constraints ask for, so that violations die out by themselves:
// the right side b of A a = b, and for some also the rate of positions.

#ifndef TR_STABILIZATION_STABILIZATION_H
#define TR_STABILIZATION_STABILIZATION_H

#include "base/field.h"
#include "base/registry.h"
#include "base/traits.h"
#include "system/equations.h"

typedef struct trStabilizationKind {
    const char    *name;
    const char    *title;  // as people say it
    const char    *summary;
    const char    *source;
    unsigned       traits;
    size_t         size;    // of its options
    const trField *fields;  // of them
    // What depends on the run: the step where it is fixed, else 0 [s]. Or NULL.
    void (*fill)(void *options, double step);
    // The largest rate at which violations die out [1/s]: an explicit step must resolve it.
    double (*rate)(const void *options);
    // b (m) from the equations and from drift = A v - b1 (m).
    void (*change)(const void *options, const trEquations *e, const double *drift, double *b);
    // q' = v + dv, with dv the smallest in the metric M with A dv = right (m); NULL: q' = v.
    void (*slide)(const void *options, const trEquations *e, const double *drift, double *right);
} trStabilizationKind;

// b = b - 2 damping (A v - b1) - stiffness phi, or - damping (A v - b1) where a row holds
// velocities.
static inline void tr_stabilize(const trEquations *e, double damping, double stiffness,
                                const double *drift, double *b) {
    for (int i = 0; i < e->m; i++) {
        b[i] = e->holonomic[i] ? e->b[i] - 2.0 * damping * drift[i] - stiffness * e->phi[i]
                               : e->b[i] - damping * drift[i];
    }
}

TR_REGISTRY(stabilization, trStabilizationKind);

#endif
