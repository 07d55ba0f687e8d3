// SPDX-License-Identifier: MIT
// What rows weigh beside masses, however rows are written and whichever units lengths have:
//
//     weight_i = 1 / sum over j of A_ij^2 / mass_j
//
// with the diagonal of M as masses. A column without mass has the one with which it moves its rows
// as much as the other columns do: mass_j = the largest A_ij^2 weight_i of its rows. Where M is not
// diagonal columns have the mean mass of those with the same unit: the diagonal of a body in
// quaternion coordinates vanishes in some orientations and tells nothing.

#ifndef TR_FORMULATION_ROW_WEIGHTS_H
#define TR_FORMULATION_ROW_WEIGHTS_H

#include "system/equations.h"

// `mass`: nv. `weight`: m, 0 for rows of zeros.
void tr_row_weights(const trEquations *e, double *mass, double *weight);

#endif
