// SPDX-License-Identifier: MIT
// A rigid body that nothing holds, as a module: mass m and inertia J, the same about all axes, so
// that a = f / m - g and alpha = M / J. Its port "frame" is at its center.

#ifndef TR_TESTS_GLUE_FREE_BODY_H
#define TR_TESTS_GLUE_FREE_BODY_H

#include "trammel/module.h"

typedef struct FreeBodyStart {
    int    dim;
    double mass, inertia;  // [kg], [kg m^2]
    double x[7];           // as a port has it
    double v[6];
} FreeBodyStart;

// 0 if it opens.
int free_body_open(const FreeBodyStart *start, trModule *out);

#endif
