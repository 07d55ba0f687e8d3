// SPDX-License-Identifier: MIT
// The table of projections, in the order of projections.def.

#include "projection/projection.h"

#include <string.h>

#define TR_PROJECTION(name) extern const trProjectionKind tr_projection_##name;
#include "projection/projections.def"
#undef TR_PROJECTION

static const trProjectionKind *const kinds[] = {
#define TR_PROJECTION(name) &tr_projection_##name,
#include "projection/projections.def"
#undef TR_PROJECTION
};

int tr_projection_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trProjectionKind *tr_projection_at(int index) {
    return kinds[index];
}

const trProjectionKind *tr_projection_find(const char *name) {
    for (int i = 0; i < tr_projection_count(); i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}
