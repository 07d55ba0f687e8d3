// SPDX-License-Identifier: MIT
// Velocities with different units on one scale: what is compared, or added, must not depend on the
// unit of length.

#ifndef TR_FORMULATION_UNIT_SIZES_H
#define TR_FORMULATION_UNIT_SIZES_H

#include <stddef.h>

#include "system/equations.h"

static inline int tr_measure_of(const trEquations *e, int column) {
    return e->measure != NULL ? e->measure[column] : 0;
}

// The diagonal of M; 0 where M is known by its solves only.
static inline double tr_mass_of(const trMass *M, int column) {
    return M->dense != NULL      ? M->dense[column * ((ptrdiff_t)M->n + 1)]
           : M->diagonal != NULL ? M->diagonal[column]
                                 : 0.0;
}

// Of columns with this measure that have a mass, `mass` (nv; NULL: those of M); 0 without any.
double tr_mean_mass(const trEquations *e, int measure, const double *mass);

// size_j v_j has the unit of the first velocity: 1, and for turns the typical arm of the joints.
// Where `measure` is given, A tells arms in some pose. `size`: nv. `work`: m.
void tr_unit_sizes(const trEquations *e, double *size, double *work);

#endif
