// SPDX-License-Identifier: MIT
// Rows B kept for many steps: positions by Newton's method and velocities, both with B held,
//
//     [A; B] dq = [-phi; 0]        [A; B] dv = [b1 - A v; 0]        B = Gamma0' W
//
// with W the metric of nominal masses (held.h). B is renewed where the free motions Gamma have
// turned too far from it,
//
//     smallest singular value of Gamma' W Gamma0 < 0.9        (Gamma' W Gamma = I)
//
// which is the cosine of the largest angle between the two spaces. See docs/theory/maggi.md.

#include <math.h>

#include "la/dense.h"
#include "la/symmetric.h"
#include "projection/held.h"

#define LEAST_COSINE 0.9
#define ANGLE 10.0  // weight of angles, as in partition.c

// By the smallest cosine of the angle between the free motions found and those held: C = Gamma' W
// Gamma0, and the root of the smallest eigenvalue of C'C.
static trStatus fits(trHeld *h, const trHeldSet *set, bool *out) {
    const int k = set->held.columns;
    double   *values = h->memory;
    *out = true;
    if (k == 0) {
        return TR_OK;
    }
    tr_inner(h->n, k, k, set->found.Gamma, set->held.Gamma, h->C);
    tr_gram(k, k, h->C, h->C, h->square);
    TR_TRY(tr_symmetric_eigen(k, h->square, values, values + k));
    *out = sqrt(fmax(values[0], 0.0)) >= LEAST_COSINE;
    return TR_OK;
}

// The criterion needs an orthonormal basis, and all of those hold the same.
static const trPickKind pick = {.by_mass = true, .angle = ANGLE, .fits = fits};

const trProjectionKind tr_projection_frozen = {
    .name = "frozen",
    .summary = "positions and velocities with the same B v, B kept until free motions turn away",
    .source = "Laulusa & Bauchau 2008, section 4.1",
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_POSE) | TR_DENSE,
    .weight = TR_WEIGHT_NONE,
    .pick = &pick,
};
