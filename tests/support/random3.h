// SPDX-License-Identifier: MIT
// Random spatial mechanisms that are closed as they are described: a tree of joints, further joints
// that close loops, springs, gravity; bodies with full inertia, point masses, rods without axial
// inertia, bodies without mass.

#ifndef TR_TESTS_SUPPORT_RANDOM3_H
#define TR_TESTS_SUPPORT_RANDOM3_H

#include "support/random.h"
#include "trammel/model.h"

// Closed loops: joints besides those of the tree.
trStatus random3_model(trRandom *random, int bodies, int loops, trModel **out);

#endif
