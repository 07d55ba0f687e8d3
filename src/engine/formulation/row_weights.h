// SPDX-License-Identifier: MIT
// What rows weigh beside masses, however rows are written and whichever units lengths have:
//
//     weight_i = 1 / sum over j of A_ij^2 / mass_j
//
// with the diagonal of M as masses. A column without mass has the one with which it moves its rows
// as much as the other columns do, mass_j = the largest A_ij^2 weight_i of its rows, but at most
// the mean mass of those with the same unit. Where M is not diagonal columns have that mean: the
// diagonal of a body in quaternion coordinates vanishes in some orientations and tells nothing.

#ifndef TR_FORMULATION_ROW_WEIGHTS_H
#define TR_FORMULATION_ROW_WEIGHTS_H

#include <stddef.h>

#include "system/equations.h"

// Whether a column of a side is a turn of its body, whose velocities begin with shifts.
static inline bool tr_is_turn(const trEquations *e, int side, int column) {
    return e->measure != NULL && e->measure[column] != e->measure[e->A.side_column[side]];
}

// With the arm r and masses m, J of a body a row has the mobility 1 / m and r^2 / J in it: how many
// times more by its turns than by its other velocities. 0 where it has only one of them. `row`: of
// the rows of the group to which the side belongs.
double tr_share_of_turns(const trEquations *e, const double *mass, int side, int row);

// `mass`: nv. `weight`: m, 0 for rows of zeros.
void tr_row_weights(const trEquations *e, double *mass, double *weight);

#endif
