// SPDX-License-Identifier: MIT
// Mass-orthogonal correction: the smallest change in the kinetic metric, W = M. It does not depend
// on units and, where constraints do not depend on time, never increases the kinetic energy.
//
//     dq = -M^-1 A' (A M^-1 A')^+ phi        dv = M^-1 A' (A M^-1 A')^+ (b1 - A v)
//
// Reference: Marques, Souto and Flores, Multibody Syst. Dyn. 39 (2017), eq. (50) and (51), which
// need M^-1 where M is printed.

#include "projection/projection.h"

const trProjectionKind tr_projection_mass_orthogonal = {
    .name = "mass_orthogonal",
    .summary = "smallest change in the kinetic metric (W = M)",
    .source = "Marques, Souto & Flores 2017, eqs. (50), (51) corrected",
    .traits = TR_COPES_ALL,
    .weight = TR_WEIGHT_MASS,
};
