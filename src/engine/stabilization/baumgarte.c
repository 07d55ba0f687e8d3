// SPDX-License-Identifier: MIT
// Baumgarte: violations of a row obey phi'' + 2 alpha phi' + beta^2 phi = 0,
//
//     b = b - 2 alpha (A v - b1) - beta^2 phi
//
// and psi' + alpha psi = 0 where a row holds velocities alone.
// Reference: Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972), 1-16.

#include "stabilization/stabilization.h"

#include <math.h>

typedef struct Options {
    double alpha, beta;  // [1/s]
} Options;

// clang-format off
static const trField fields[] = {
    TR_FIELD(Options, alpha, TR_FIELD_REAL, TR_NOT_NEGATIVE, 5.0, "1/s", "Baumgarte gain on velocity violation"),
    TR_FIELD(Options, beta, TR_FIELD_REAL, TR_NOT_NEGATIVE | TR_FOLLOWS, 5.0, "1/s", "Baumgarte gain on position violation"),
    TR_FIELD_END,
};
// clang-format on

static double rate(const void *options) {
    const Options *o = options;
    return fmax(o->alpha, o->beta);
}

static void change(const void *options, const trEquations *e, const double *drift, double *b) {
    const Options *o = options;
    tr_stabilize(e, o->alpha, o->beta * o->beta, drift, b);
}

const trStabilizationKind tr_stabilization_baumgarte = {
    .name = "baumgarte",
    .title = "Baumgarte",
    .summary = "b gets - 2 alpha (A v - b1) - beta^2 phi",
    .source = "Baumgarte 1972; Marques, Souto & Flores 2017, eq. (13)",
    .traits = TR_COPES_ALL,
    .size = sizeof(Options),
    .fields = fields,
    .rate = rate,
    .change = change,
};
