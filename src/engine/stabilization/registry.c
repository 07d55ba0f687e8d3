// SPDX-License-Identifier: MIT
// The table of stabilizations, in the order of stabilizations.def.

#include "stabilization/stabilization.h"

#include <string.h>

#define TR_STABILIZATION(name) extern const trStabilizationKind tr_stabilization_##name;
#include "stabilization/stabilizations.def"
#undef TR_STABILIZATION

static const trStabilizationKind *const kinds[] = {
#define TR_STABILIZATION(name) &tr_stabilization_##name,
#include "stabilization/stabilizations.def"
#undef TR_STABILIZATION
};

int tr_stabilization_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trStabilizationKind *tr_stabilization_at(int index) {
    return kinds[index];
}

const trStabilizationKind *tr_stabilization_find(const char *name) {
    for (int i = 0; i < tr_stabilization_count(); i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}
