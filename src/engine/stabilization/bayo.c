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

static double rate(const trGains *gains) {
    return gains->omega * fmax(1.0, gains->mu);
}

static void change(const trGains *gains, const trEquations *e, const double *drift, double *b) {
    double damping = gains->mu * gains->omega, stiffness = gains->omega * gains->omega;
    for (int i = 0; i < e->m; i++) {
        b[i] = e->holonomic[i] ? e->b[i] - 2.0 * damping * drift[i] - stiffness * e->phi[i]
                               : e->b[i] - damping * drift[i];
    }
}

const trStabilizationKind tr_stabilization_bayo = {
    .name = "bayo",
    .title = "penalty",
    .summary = "b gets - 2 mu omega (A v - b1) - omega^2 phi",
    .source = "Bayo et al. 1988; Marques, Souto & Flores 2017, eqs. (21), (24)",
    .traits = TR_COPES_ALL,
    .rate = rate,
    .change = change,
};
