// SPDX-License-Identifier: MIT
// Direct correction: the smallest change of coordinates, W = I. It depends on units.
//
//     dq = -A' (A A')^+ phi        dv = A' (A A')^+ (b1 - A v)
//
// Reference: Marques, Souto and Flores, Multibody Syst. Dyn. 39 (2017), eq. (41) and (49).

#include "projection/projection.h"

const trProjectionKind tr_projection_direct = {
    .name = "direct",
    .summary = "smallest change of the coordinates (W = I)",
    .source = "Marques, Souto & Flores 2017, eqs. (41), (49)",
    .traits = TR_COPES_ALL | TR_BY_UNITS,
    .weight = TR_WEIGHT_IDENTITY,
};
