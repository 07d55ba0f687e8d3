// SPDX-License-Identifier: MIT
// The registry of formulations.

#include "formulation/formulation.h"

#define TR_LIST "formulation/formulations.def"
#define TR_FORMULATION TR_ENTRY
#define TR_FAMILY formulation
#define TR_KIND trFormulationKind
#include "base/registry.h"
