// SPDX-License-Identifier: MIT
// Momentum balance of every body, from recorded columns: what the pins and forces exert on a body
// must be the rate of its momentum.
//
//     sum of forces = m a,    sum of moments about the center of mass = d(J omega)/dt

#ifndef TR_TESTS_SCENARIO_BALANCE_H
#define TR_TESTS_SCENARIO_BALANCE_H

#include "scenario/scenario.h"

// What is left of the balance of one body in one row, with the largest of its loads. A force that
// points at the center of mass has a moment of zero only up to the rounding of |arm| |force|, the
// reach of the load.
typedef struct Balance {
    double force, moment;   // left over [N], [N m]
    double largest_force;   // [N]
    double largest_moment;  // [N m]
    double largest_reach;   // [N m], moments counted as well
} Balance;

// One entry for each body of the system. `out` has room for all of them.
void balance_row(const Run *run, long row, Balance *out);
void balance_row3(const Run *run, long row, Balance *out);  // of a spatial system

// The motion of a spatial body, as joints and forces see it.
trMotion3 balance_motion3(const Run *run, long row, int body);

#endif
