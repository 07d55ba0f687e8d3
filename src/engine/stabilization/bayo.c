// SPDX-License-Identifier: MIT
// What penalty and augmented Lagrangian methods add to b: violations swing with frequency omega and
// damping ratio mu,
//
//     b = b - 2 mu omega (A v - b1) - omega^2 phi
//
// and psi' + mu omega psi = 0 where a row holds velocities alone.
// Reference: Bayo, Garcia de Jalon and Serna, Comput. Methods Appl. Mech. Eng. 71 (1988), 183-195.

#include "stabilization/stabilization.h"

#include <math.h>

typedef struct Options {
    double mu, omega;  // damping ratio, frequency [1/s]
} Options;

// clang-format off
static const trField fields[] = {
    TR_FIELD(Options, mu, TR_FIELD_REAL, TR_NOT_NEGATIVE, 1.0, "", "damping ratio of violations in penalty and augmented_lagrangian"),
    TR_FIELD(Options, omega, TR_FIELD_REAL, TR_NOT_NEGATIVE, 10.0, "1/s", "frequency of violations in penalty and augmented_lagrangian"),
    TR_FIELD_END,
};
// clang-format on

static double rate(const void *options) {
    const Options *o = options;
    return o->omega * fmax(1.0, o->mu);
}

static void change(const void *options, const trEquations *e, const double *drift, double *b) {
    const Options *o = options;
    tr_stabilize(e, o->mu * o->omega, o->omega * o->omega, drift, b);
}

const trStabilizationKind tr_stabilization_bayo = {
    .name = "bayo",
    .title = "penalty",
    .summary = "b gets - 2 mu omega (A v - b1) - omega^2 phi",
    .source = "Bayo et al. 1988; Marques, Souto & Flores 2017, eqs. (21), (24)",
    .traits = TR_COPES_ALL,
    .size = sizeof(Options),
    .fields = fields,
    .rate = rate,
    .change = change,
};
