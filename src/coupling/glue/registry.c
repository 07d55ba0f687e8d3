// SPDX-License-Identifier: MIT
// The table of gluing algorithms, in the order of gluings.def.

#include <string.h>

#include "glue/glue.h"

#define TR_GLUING(name) extern const trGluingKind tr_gluing_##name;
#include "glue/gluings.def"
#undef TR_GLUING

static const trGluingKind *const kinds[] = {
#define TR_GLUING(name) &tr_gluing_##name,
#include "glue/gluings.def"
#undef TR_GLUING
};

int tr_gluing_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trGluingKind *tr_gluing_at(int index) {
    return kinds[index];
}

const trGluingKind *tr_gluing_find(const char *name) {
    for (int i = 0; i < tr_gluing_count(); i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}
