// SPDX-License-Identifier: MIT
// Every part of a tangent against differences of the equations themselves, at a random state that
// satisfies nothing. A failure fails the test.

#ifndef TR_TESTS_SUPPORT_TANGENT_CHECK_H
#define TR_TESTS_SUPPORT_TANGENT_CHECK_H

#include "system/tangent.h"

// An entry of a part, as the sum of its blocks.
double tangent_entry(const trTangent *t, trPart part, int i, int k);

// `what` stands in messages; `tolerance` is relative to the largest number of a function and its
// changes. TR_PART_N is known by a one-sided difference and has a tolerance of its own.
void tangent_check(const trSystem *system, const char *what, double tolerance);

#endif
