// SPDX-License-Identifier: MIT
// Models turned as a whole, with ground and gravity (turned/prelude.lua).

#ifndef TESTS_SCENARIO_TURNED_H
#define TESTS_SCENARIO_TURNED_H

#include "base/vec3.h"
#include "trammel/model.h"

#define TURNS 24

// Loads a model file, given from the root of the sources, behind prelude.lua. Fails the test where
// it cannot be loaded.
trModel *turned_load(const char *file, int turn);

// The rotation by which prelude.lua turns models of this dimension.
trQuat turned_by(int dim, int turn);

#endif
