// SPDX-License-Identifier: MIT
// Velocities with different units on one scale: what is compared, or added, must not depend on the
// unit of length.

#ifndef TR_FORMULATION_UNIT_SIZES_H
#define TR_FORMULATION_UNIT_SIZES_H

#include "system/equations.h"

// size_j v_j has the unit of the first velocity: 1, and for turns the typical arm of the joints.
// Where `measure` is given, A tells arms in some pose. `size`: nv. `work`: m.
void tr_unit_sizes(const trEquations *e, double *size, double *work);

#endif
