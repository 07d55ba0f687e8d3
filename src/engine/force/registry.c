// SPDX-License-Identifier: MIT
// The registry of forces.

#include "force/force.h"

#define TR_LIST "force/forces.def"
#define TR_FORCE TR_ENTRY
#define TR_FAMILY force
#define TR_KIND trForceKind
#define TR_BY_DIM
#include "base/registry.h"
