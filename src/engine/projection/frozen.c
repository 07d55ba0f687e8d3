// SPDX-License-Identifier: MIT
// Rows B kept for many steps: positions by Newton's method and velocities, both with B held,
//
//     [A; B] dq = [-phi; 0]        [A; B] dv = [b1 - A v; 0]        B = Gamma0' W
//
// with W the metric of nominal masses (held.h), so that units do not matter. B is renewed where the
// free motions Gamma have turned too far from it,
//
//     smallest singular value of Gamma' W Gamma0 < 0.9        (Gamma' W Gamma = I)
//
// which is the cosine of the largest angle between the two spaces. Never renewed it becomes
// singular, renewed blindly it may be renewed too late.
// Reference: Laulusa and Bauchau, J. Comput. Nonlinear Dyn. 3 (2008) 011004, section 4.1.

#include <math.h>

#include "la/symmetric.h"
#include "projection/held.h"

#define LEAST_COSINE 0.9
#define ANGLE 10.0  // weight of angles, as in partition.c

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    trHeld *h = tr_new(arena, trHeld);
    (void)options;  // the criterion needs an orthonormal one, and all of those hold the same
    *work = h;
    TR_TRY(h == NULL ? TR_E_MEMORY : tr_held_plan(arena, e, tr_basis_chosen(NULL), h));
    h->by_mass = true;
    h->angle = ANGLE;
    return TR_OK;
}

// C = Gamma' W Gamma0, k x k, and C'C in `square`.
static void form_square(const trHeld *h, const trHeldSet *set, double *C, double *square) {
    const size_t n = (size_t)h->n, k = (size_t)set->held.columns;
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            double sum = 0.0;
            for (size_t l = 0; l < n; l++) {
                sum += set->found.Gamma[i * n + l] * set->held.Gamma[j * n + l];
            }
            C[j * k + i] = sum;
        }
    }
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            double sum = 0.0;
            for (size_t l = 0; l < k; l++) {
                sum += C[i * k + l] * C[j * k + l];
            }
            square[j * k + i] = sum;
        }
    }
}

// Of the angle between the free motions found and those held.
static trStatus smallest_cosine(trHeld *h, const trHeldSet *set, double *cosine) {
    const int k = set->held.columns;
    double   *values = h->memory;
    *cosine = 1.0;
    if (k == 0) {
        return TR_OK;
    }
    form_square(h, set, h->C, h->square);
    TR_TRY(tr_symmetric_eigen(k, h->square, values, values + k));
    *cosine = sqrt(fmax(values[0], 0.0));
    return TR_OK;
}

static trStatus renew_set(trHeld *h, trHeldSet *set, const trEquations *e) {
    double cosine = 0.0;
    TR_TRY(tr_held_rows(h, set, e));
    if (set->chosen && set->held.columns == h->n - h->c.rank) {
        TR_TRY(tr_held_basis(h, NULL, &set->found));
        TR_TRY(smallest_cosine(h, set, &cosine));
    }
    return cosine < LEAST_COSINE ? tr_held_choose(h, set) : TR_OK;
}

static trStatus renew(void *work, const trEquations *e) {
    trHeld *h = work;
    tr_held_note_norms(h, e);
    for (int i = 0; i < h->sets; i++) {
        TR_TRY(renew_set(h, &h->set[i], e));
    }
    return TR_OK;
}

static const trPickKind pick = {.plan = plan,
                                .renew = renew,
                                .step = tr_held_step,
                                .lost_row = tr_held_lost_row,
                                .renewals = tr_held_renewals};

const trProjectionKind tr_projection_frozen = {
    .name = "frozen",
    .summary = "positions and velocities with the same B v, B kept until free motions turn away",
    .source = "Laulusa & Bauchau 2008, section 4.1",
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_POSE) | TR_DENSE,
    .weight = TR_WEIGHT_NONE,
    .pick = &pick,
};
