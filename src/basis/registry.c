// SPDX-License-Identifier: MIT
// The table of bases, in the order of bases.def.

#include "basis/basis.h"

#include <string.h>

#define TR_BASIS(name) extern const trBasisKind tr_basis_##name;
#include "basis/bases.def"
#undef TR_BASIS

static const trBasisKind *const kinds[] = {
#define TR_BASIS(name) &tr_basis_##name,
#include "basis/bases.def"
#undef TR_BASIS
};

int tr_basis_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trBasisKind *tr_basis_at(int index) {
    return kinds[index];
}

const trBasisKind *tr_basis_find(const char *name) {
    for (int i = 0; i < tr_basis_count(); i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

void tr_basis_plan(trArena *arena, int n, trBasis *out) {
    *out = (trBasis){0};
    out->Gamma = tr_new_array(arena, double, (size_t)n *(size_t)n);
    out->B = tr_new_array(arena, double, (size_t)n *(size_t)n);
}
