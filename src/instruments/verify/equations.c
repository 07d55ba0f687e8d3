// SPDX-License-Identifier: MIT
// Systems of the user's own equations: M a + A' lambda - Q - C, term by term, from the recorded
// functions at the stored q, v, a, z and lambda.

#include <math.h>

#include "verify/verify.h"

#define SETTLED 1e-12  // of the largest load: C settles where multipliers change by a tenth of it
#define SOLVED 10.0    // roundings of a solution, besides one for each unknown

static void add_term(trBalance *b, double term) {
    b->rest[0] += term;
    b->size[0] += fabs(term);
}

static void add_mass(trVerifier *V) {
    const trMass *M = &V->eval.equations.M;
    for (int i = 0; i < M->n; i++) {
        V->balance[i] = (trBalance){.force = 0.0};
        for (int j = 0; j < M->n; j++) {
            double entry = M->dense != NULL ? M->dense[i + (ptrdiff_t)j * M->n]
                           : i == j         ? M->diagonal[i]
                                            : 0.0;
            add_term(&V->balance[i], entry * V->a[j]);
        }
    }
}

static void add_multipliers(trVerifier *V) {
    const trRows *A = &V->eval.equations.A;
    for (int g = 0; g < A->groups; g++) {
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            const double *block = A->value + A->side_value[s];
            for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
                for (int j = 0; j < A->side_width[s]; j++) {
                    add_term(&V->balance[A->side_column[s] + j], *block++ * V->lambda[i]);
                }
            }
        }
    }
}

static double mass_of(const trVerifier *V, int i) {
    const trMass *M = &V->eval.equations.M;
    return M->dense != NULL ? M->dense[i + (ptrdiff_t)i * M->n] : M->diagonal[i];
}

static void add_loads(trVerifier *V) {
    for (int i = 0; i < V->system->nv; i++) {
        trBalance *b = &V->balance[i];
        add_term(b, -V->eval.Q[i]);
        if (V->eval.C != NULL) {
            add_term(b, -V->eval.C[i]);
        }
        V->scale.force = fmax(V->scale.force, b->size[0]);
    }
}

// Terms that are all zero but for rounding: forces of others, and M v in place of M a, explain
// that.
void tr_verify_equations(trVerifier *V) {
    const trSystem *s = V->system;
    add_mass(V);
    add_multipliers(V);
    add_loads(V);
    double stated = tr_states_error(V) ? V->stated : 0.0, count = SOLVED + s->nv + s->m;
    stated += V->eval.C != NULL ? SETTLED : 0.0;
    double recalled = tr_recall(&V->recalled[0], V->scale.force);
    for (int i = 0; i < s->nv; i++) {
        trBalance *b = &V->balance[i];
        double     change = V->steady ? fabs(V->nudged.Q[i] - V->eval.Q[i]) / V->nudge : 0.0;
        double     mass = mass_of(V, i), most = V->scale.force;
        change = tr_recall(&V->change[i], change);
        V->scale.a = mass > 0.0 ? fmax(V->scale.a, b->size[0] / mass) : V->scale.a;
        tr_see(V, TR_VERIFY_BALANCE,
               (trDeviation){.off = b->rest[0],
                             .size = V->loose ? recalled : b->size[0],
                             .slack = (V->loose ? TR_NUDGED * change : 0.0) + stated * most +
                                      V->gapped[i] +
                                      TR_ROUNDING * count * (most + mass * V->scale.rate),
                             .unit = "",
                             .role = "coordinate",
                             .name = s->body[i].name,
                             .detail = "M a + A' lambda = Q + C"});
    }
}
