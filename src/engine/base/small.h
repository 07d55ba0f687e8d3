// SPDX-License-Identifier: MIT
// Numbers that are zero beside anything. Far down a long chain angles, rates and forces fall below
// any bound, and products of such numbers are denormal, with which arithmetic is a hundred times
// slower.

#ifndef TR_BASE_SMALL_H
#define TR_BASE_SMALL_H

#include <math.h>

#include "base/status.h"

TR_INLINE double tr_or_zero(double x) {
    return fabs(x) < 1e-100 ? 0.0 : x;
}

#endif
