// SPDX-License-Identifier: MIT
// Structs by which a program says what it wants. They begin with their size, as it was where the
// program was compiled, and grow at the end only: a smaller one gets the defaults of what it does
// not have.

#ifndef TR_BASE_DEFINITION_H
#define TR_BASE_DEFINITION_H

#include <stddef.h>

#include "base/shared.h"
#include "base/status.h"

// Bytes of the first layout, which ended with `member`: a program may not have less.
#define TR_FIRST_LAYOUT(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

typedef struct trDefinition {
    const char *name;      // "trSimDef"
    const char *defaults;  // the function that makes one
    size_t      first;     // TR_FIRST_LAYOUT
    size_t      size;      // of today
} trDefinition;

// `given` over `out`, which holds the defaults. TR_E_ARGUMENT for sizes that there never were.
trStatus tr_definition_take(const trDefinition *d, const void *given, void *out) TR_SHARED;

#endif
