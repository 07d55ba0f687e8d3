// SPDX-License-Identifier: MIT
// The registry of carries.

#include "carry/carry.h"

#define TR_LIST "carry/carries.def"
#define TR_CARRY TR_ENTRY
#define TR_FAMILY carry
#define TR_KIND trCarryKind
#include "base/registry.h"
