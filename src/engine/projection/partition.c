// SPDX-License-Identifier: MIT
// Coordinate partitioning: some coordinates are independent, the others follow from them,
//
//     A_dep dq_dep = -phi,  dq_ind = 0        A_dep v_dep = b1 - A_ind v_ind
//
// Independent are those that free motions move most in the metric of the masses (coordinates.h).
// They are chosen anew where others have become clearly better,
//
//     det N_II  <  0.8 times that of the best
//
// Where rows hold velocities alone, positions and velocities have partitions of their own. See
// docs/theory/maggi.md.

#include <math.h>

#include "projection/coordinates.h"
#include "projection/held.h"

#define LEAST_QUALITY 0.8
#define ANGLE 10.0  // weight of angles: less lets a slider-crank be carried by its slider

// Whether the coordinates in use are as good as the best, or nearly.
static trStatus fits(trHeld *h, const trHeldSet *set, bool *out) {
    const int k = set->found.columns;
    double   *N = h->C, *rest = h->square;
    tr_coordinates_fill(h->n, k, set->found.Gamma, N);
    double best = tr_coordinates_choose(h->n, k, N, rest, h->best);
    *out = tr_coordinates_quality(h->n, k, N, rest, set->coordinate) >= log(LEAST_QUALITY) + best;
    return TR_OK;
}

static const trPickKind pick = {.basis = &tr_basis_extraction, .angle = ANGLE, .fits = fits};

const trProjectionKind tr_projection_partition = {
    .name = "partition",
    .summary = "dependent coordinates and velocities from independent ones",
    .source = "Wehage & Haug 1982; Marques, Souto & Flores 2017, eqs. (14), (15)",
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_POSE) | TR_DENSE,
    .weight = TR_WEIGHT_NONE,
    .pick = &pick,
};
