// SPDX-License-Identifier: MIT
// The table of forces, made from forces.def.

#include <string.h>

#include "force/force.h"

#define TR_FORCE(folder, name) extern const trForceKind tr_force_##folder##_##name;
#include "force/forces.def"
#undef TR_FORCE

#define TR_FORCE(folder, name) &tr_force_##folder##_##name,
static const trForceKind *const kinds[] = {
#include "force/forces.def"
};
#undef TR_FORCE

int tr_force_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trForceKind *tr_force_at(int index) {
    return kinds[index];
}

const trForceKind *tr_force_find(const char *name, int dim) {
    for (int i = 0; i < tr_force_count(); i++) {
        if (kinds[i]->dim == dim && strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}
