// SPDX-License-Identifier: MIT
// Braun and Goldfarb: violations of positions and of velocities each relax with one time constant,
//
//     q' = v - P (A v - b1 + phi / T)        P = M^-1 A' (A M^-1 A')^+
//     v' = a0 - P (A a0 - b + (A v - b1) / T)
//
// T is a fixed number: with the trial step in its place the step control stalls.
// Reference: Braun and Goldfarb, Comput. Methods Appl. Mech. Eng. 198 (2009), 3151-3160.

#include "stabilization/stabilization.h"

#define RELAXATION 0.05  // where the step is not fixed [s]

typedef struct Options {
    double relaxation;  // T [s]
} Options;

// clang-format off
static const trField fields[] = {
    TR_OPTION(Options, relaxation, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.0, "s", "time constant of braun_goldfarb; 0: a fixed step, otherwise 0.05", "the step where it is fixed, else 0.05 s", NULL),
    TR_FIELD_END,
};
// clang-format on

static void fill(void *options, double step) {
    Options *o = options;
    if (!(o->relaxation > 0.0)) {
        o->relaxation = step > 0.0 ? step : RELAXATION;
    }
}

static double rate(const void *options) {
    return 1.0 / ((const Options *)options)->relaxation;
}

static void change(const void *options, const trEquations *e, const double *drift, double *b) {
    for (int i = 0; i < e->m; i++) {
        const double T = ((const Options *)options)->relaxation;
        b[i] = e->b[i] - drift[i] / T;
    }
}

static void slide(const void *options, const trEquations *e, const double *drift, double *right) {
    for (int i = 0; i < e->m; i++) {
        const double T = ((const Options *)options)->relaxation;
        right[i] = -drift[i] - (e->holonomic[i] ? e->phi[i] / T : 0.0);
    }
}

const trStabilizationKind tr_stabilization_braun_goldfarb = {
    .name = "braun_goldfarb",
    .title = "Braun-Goldfarb",
    .summary = "positions and velocities relax onto the constraints with one time constant",
    .source = "Braun & Goldfarb 2009, as reconstructed from Masarati 2011",
    .traits = TR_COPES_ALL,
    .size = sizeof(Options),
    .fields = fields,
    .fill = fill,
    .rate = rate,
    .change = change,
    .slide = slide,
};
