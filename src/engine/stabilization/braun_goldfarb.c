// SPDX-License-Identifier: MIT
// Braun and Goldfarb: violations of positions and of velocities each relax with one time constant,
//
//     q' = v - P (A v - b1 + phi / T)        P = M^-1 A' (A M^-1 A')^+
//     v' = a0 - P (A a0 - b + (A v - b1) / T)
//
// T is a fixed number: with the trial step in its place the step control stalls.
// Reference: Braun and Goldfarb, Comput. Methods Appl. Mech. Eng. 198 (2009), 3151-3160.

#include "stabilization/stabilization.h"

static double rate(const trGains *gains) {
    return 1.0 / gains->relaxation;
}

static void change(const trGains *gains, const trEquations *e, const double *drift, double *b) {
    for (int i = 0; i < e->m; i++) {
        b[i] = e->b[i] - drift[i] / gains->relaxation;
    }
}

static void slide(const trGains *gains, const trEquations *e, const double *drift, double *right) {
    for (int i = 0; i < e->m; i++) {
        right[i] = -drift[i] - (e->holonomic[i] ? e->phi[i] / gains->relaxation : 0.0);
    }
}

const trStabilizationKind tr_stabilization_braun_goldfarb = {
    .name = "braun_goldfarb",
    .title = "Braun-Goldfarb",
    .summary = "positions and velocities relax onto the constraints with one time constant",
    .source = "Braun & Goldfarb 2009, as reconstructed from Masarati 2011",
    .traits = TR_COPES_ALL,
    .rate = rate,
    .change = change,
    .slide = slide,
};
