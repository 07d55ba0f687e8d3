// SPDX-License-Identifier: MIT
// The table of carries, in the order of carries.def.

#include "carry/carry.h"

#include <string.h>

#define TR_CARRY(name) extern const trCarryKind tr_carry_##name;
#include "carry/carries.def"
#undef TR_CARRY

static const trCarryKind *const kinds[] = {
#define TR_CARRY(name) &tr_carry_##name,
#include "carry/carries.def"
#undef TR_CARRY
};

int tr_carry_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trCarryKind *tr_carry_at(int index) {
    return kinds[index];
}

const trCarryKind *tr_carry_find(const char *name) {
    for (int i = 0; i < tr_carry_count(); i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}
