// SPDX-License-Identifier: MIT
// Free motions by Gram-Schmidt orthogonalization.
//
//     V = [V1 V2] = GSO[A' I]        Gamma = V2
//
// Rows of A are taken with the largest rest first, then unit vectors in the same way; each is
// orthogonalized twice, which keeps V orthonormal to rounding whatever the condition of A.

#include "basis/orthogonalize.h"
#include "basis/parts.h"

const trBasisKind tr_basis_gram_schmidt = {
    .name = "gram_schmidt",
    .summary = "completes the rows of A by Gram-Schmidt with pivoting, twice",
    .source = "Laulusa & Bauchau 2008, section 4.1",
    .traits = TR_BY_UNITS,
    .orthonormal = true,
    .smallest = TR_BASIS_SMALLEST,
    .size = sizeof(trOrthogonal),
    .plan = tr_orthogonal_plan,
    .make = tr_orthogonal_make,
};
