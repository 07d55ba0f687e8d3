// SPDX-License-Identifier: MIT
// The registry of stabilizations.

#include "stabilization/stabilization.h"

#define TR_LIST "stabilization/stabilizations.def"
#define TR_STABILIZATION TR_ENTRY
#define TR_FAMILY stabilization
#define TR_KIND trStabilizationKind
#include "base/registry.h"
