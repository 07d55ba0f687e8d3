// SPDX-License-Identifier: MIT
// The registry of gluing algorithms.

#include "glue/glue.h"

#define TR_LIST "glue/gluings.def"
#define TR_GLUING TR_ENTRY
#define TR_FAMILY gluing
#define TR_KIND trGluingKind
#include "base/registry.h"
