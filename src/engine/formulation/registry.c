// SPDX-License-Identifier: MIT
// The table of formulations, in the order of formulations.def.

#include "formulation/formulation.h"

#include <string.h>

#define TR_FORMULATION(name) extern const trFormulationKind tr_formulation_##name;
#include "formulation/formulations.def"
#undef TR_FORMULATION

static const trFormulationKind *const kinds[] = {
#define TR_FORMULATION(name) &tr_formulation_##name,
#include "formulation/formulations.def"
#undef TR_FORMULATION
};

int tr_formulation_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trFormulationKind *tr_formulation_at(int index) {
    return kinds[index];
}

const trFormulationKind *tr_formulation_find(const char *name) {
    for (int i = 0; i < tr_formulation_count(); i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}
