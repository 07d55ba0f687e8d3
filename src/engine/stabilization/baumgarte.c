// SPDX-License-Identifier: MIT
// Baumgarte: violations of a row obey phi'' + 2 alpha phi' + beta^2 phi = 0,
//
//     b = b - 2 alpha (A v - b1) - beta^2 phi
//
// and psi' + alpha psi = 0 where a row holds velocities alone.
// Reference: Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972), 1-16.

#include "stabilization/stabilization.h"

#include <math.h>

static double rate(const trGains *gains) {
    return fmax(gains->alpha, gains->beta);
}

static void change(const trGains *gains, const trEquations *e, const double *drift, double *b) {
    double alpha = gains->alpha, beta = gains->beta;
    for (int i = 0; i < e->m; i++) {
        b[i] = e->holonomic[i] ? e->b[i] - 2.0 * alpha * drift[i] - beta * beta * e->phi[i]
                               : e->b[i] - alpha * drift[i];
    }
}

const trStabilizationKind tr_stabilization_baumgarte = {
    .name = "baumgarte",
    .title = "Baumgarte",
    .summary = "b gets - 2 alpha (A v - b1) - beta^2 phi",
    .source = "Baumgarte 1972; Marques, Souto & Flores 2017, eq. (13)",
    .traits = TR_COPES_ALL,
    .rate = rate,
    .change = change,
};
