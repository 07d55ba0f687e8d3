// SPDX-License-Identifier: MIT
// The registry of projections.

#include "projection/projection.h"

#define TR_LIST "projection/projections.def"
#define TR_PROJECTION TR_ENTRY
#define TR_FAMILY projection
#define TR_KIND trProjectionKind
#include "base/registry.h"
