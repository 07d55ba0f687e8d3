// SPDX-License-Identifier: MIT
// Maggi's equations as a projection: with rows B kept over a step, e = B v is linear in v, and
// integrating e is integrating v and replacing it by the vector with the same B v that satisfies
//
//     A v = b1,    B v = e
//
// B = Gamma' or unit rows, by the basis chosen, renewed at every accepted state. Positions are
// left: their velocities satisfy the constraints in every evaluation.
// Reference: Laulusa and Bauchau, J. Comput. Nonlinear Dyn. 3 (2008) 011004, sections 2.2.1 and
// 4.2.

#include "projection/held.h"

// Of angles, where coordinates are extracted. For a rod about its end the angle then counts as much
// as the place of its center. No choice lasts here, so that turning points do little harm.
#define ANGLE 3.0

static const trPickKind pick = {.angle = ANGLE};

const trProjectionKind tr_projection_basis = {
    .name = "basis",
    .summary = "velocities with the same B v, B chosen again at every step",
    .source = "Laulusa & Bauchau 2008, sections 2.2.1 and 4.2",
    // TR_BY_UNITS with all bases but extraction
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_POSE) | TR_DENSE | TR_BY_UNITS,
    .weight = TR_WEIGHT_NONE,
    .pick = &pick,
    .velocities_only = true,
    .size = sizeof(trBasisOptions),
    .fields = tr_basis_fields,
};
