// SPDX-License-Identifier: MIT
// A stabilization changes what the constraints ask for, so that violations die out by themselves:
// the right side b of A a = b, and for some also the rate of positions.

#ifndef TR_STABILIZATION_STABILIZATION_H
#define TR_STABILIZATION_STABILIZATION_H

#include "base/registry.h"
#include "base/status.h"
#include "base/traits.h"
#include "system/equations.h"

// What a user may choose; each kind looks at its own.
typedef struct trGains {
    double alpha, beta;  // of baumgarte [1/s]
    double mu, omega;    // of bayo: damping ratio, frequency [1/s]
    double relaxation;   // of braun_goldfarb: time constant [s]
} trGains;

typedef struct trStabilizationKind {
    const char *name;
    const char *title;  // as people say it
    const char *summary;
    const char *source;
    unsigned    traits;
    // The largest rate at which violations die out [1/s]: an explicit step must resolve it.
    double (*rate)(const trGains *gains);
    // b (m) from the equations and from drift = A v - b1 (m).
    void (*change)(const trGains *gains, const trEquations *e, const double *drift, double *b);
    // q' = v + dv, with dv the smallest in the metric M with A dv = right (m); NULL: q' = v.
    void (*slide)(const trGains *gains, const trEquations *e, const double *drift, double *right);
} trStabilizationKind;

TR_REGISTRY(stabilization, trStabilizationKind);

#endif
