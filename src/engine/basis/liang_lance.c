// SPDX-License-Identifier: MIT
// Free motions that follow those of the state before, by Gram-Schmidt orthogonalization.
//
//     V = [V1 V2] = GSO[A' E']        Gamma = V2,  E' = Gamma of the state before
//
// Columns of E' keep their order, so that V2 is a smooth function of A as long as E A' has no row
// that V1 swallows. Where one nearly does (the basis before is stale), and where there is none or
// one of another size, it is gram_schmidt.
// Reference: Liang and Lance, J. Mech. Transm. Autom. Des. 109 (1987) 405-411.

#include "basis/orthogonalize.h"
#include "basis/parts.h"

const trBasisKind tr_basis_liang_lance = {
    .name = "liang_lance",
    .summary = "the basis before, made perpendicular to the rows of A by Gram-Schmidt; continuous",
    .source = "Liang & Lance 1987; Laulusa & Bauchau 2008, section 4.2",
    .traits = TR_BY_UNITS,
    .orthonormal = true,
    .continuous = true,
    .smallest = TR_BASIS_SMALLEST,
    .size = sizeof(trOrthogonal),
    .plan = tr_orthogonal_plan,
    .make = tr_orthogonal_make,
};
