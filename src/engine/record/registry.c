// SPDX-License-Identifier: MIT
// The registry of sinks.

#include "record/sink.h"

#define TR_LIST "record/sinks.def"
#define TR_SINK TR_ENTRY
#define TR_FAMILY sink
#define TR_KIND trSinkKind
#include "base/registry.h"
