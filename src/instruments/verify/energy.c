// SPDX-License-Identifier: MIT
// Energies at the stored state against the stored ones, and T + V - W. Kinetic energy is summed
// body by body; that of a system of the user's own is v'M v / 2.

#include <math.h>

#include "verify/verify.h"

#define SUM 5e-4  // times the tolerance of 1e-12: two sums of three terms, two roundings each

static double kinetic_of(const trVerifier *V, int i) {
    const trBody *body = &V->system->body[i];
    if (V->system->space->dim == 2) {
        const double *v = V->v + 3 * i;
        return 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1]) + body->inertia * v[2] * v[2]);
    }
    const double *v = V->v + 6 * i;
    const trVec3  J = body->spatial.place.inertia;
    return 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + J.x * v[3] * v[3] +
                  J.y * v[4] * v[4] + J.z * v[5] * v[5]);
}

static double kinetic(const trVerifier *V) {
    double sum = 0.0;
    if (V->system->space->dim == 0) {
        return 0.5 * tr_mass_form(&V->eval.equations.M, V->v);
    }
    for (int i = 0; i < V->system->bodies; i++) {
        sum += kinetic_of(V, i);
    }
    return sum;
}

static void see_energy(trVerifier *V, trVerifyKind kind, int column, double found, double size,
                       double slack) {
    const trColumn *c = tr_result_column(V->result, V->layout.energy + column);
    tr_see(V, kind,
           (trDeviation){.off = V->row[V->layout.energy + column] - found,
                         .size = size,
                         .slack = slack,
                         .unit = c->unit,
                         .role = "column",
                         .name = c->name,
                         .detail =
                             column == 3 ? "is not T + V - W" : "does not follow from the state"});
}

void tr_verify_energy(trVerifier *V) {
    const double *stored = V->row + V->layout.energy;
    double        T = kinetic(V), E = V->eval.potential;
    double        change = V->steady ? fabs(V->nudged.potential - E) / V->nudge : 0.0;
    change = tr_recall(&V->V_change, change);
    double terms = fabs(stored[0]) + fabs(stored[1]) + fabs(stored[2]);
    double own = V->system->space->dim == 0 ? 2.0 * T : 0.0;  // V is E - T there
    bool   nothing = V->system->space->dim == 0 && V->system->traced->energy < 0;
    see_energy(V, TR_VERIFY_KINETIC, 0, T, 0.1 * T, 0.0);
    see_energy(V, TR_VERIFY_POTENTIAL, 1, E, 0.1 * (fabs(E) + own),
               nothing ? 0.0 : TR_NUDGED * change);
    see_energy(V, TR_VERIFY_ENERGY, 3, stored[0] + stored[1] - stored[2], SUM * terms, 0.0);

    V->power += V->eval.power;
    for (int i = 0; V->eval.C != NULL && i < V->system->nv; i++) {
        V->power += V->eval.C[i] * V->v[i];
    }
    for (int i = V->system->m - V->system->recorded; i < V->system->m; i++) {
        V->power -= V->lambda[i] * V->eval.b1[i];
    }
}
