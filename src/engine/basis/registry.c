// SPDX-License-Identifier: MIT
// The table of bases, in the order of bases.def.

#include "basis/basis.h"

#include <string.h>

#include "base/spell.h"

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

static const char *name_at(const void *context, int index) {
    (void)context;
    return kinds[index]->name;
}

trStatus tr_basis_choose(const char *name, const trBasisKind **out) {
    *out = tr_basis_find(name);
    if (*out != NULL) {
        return TR_OK;
    }
    trStatus    status = tr_fail(TR_E_ARGUMENT, "unknown basis '%s'; known are", name);
    const char *near = tr_spell_nearest(name, tr_basis_count(), name_at, NULL);
    for (int i = 0; i < tr_basis_count(); i++) {
        status = tr_add_hint(status, "%s %s", i > 0 ? "," : "", kinds[i]->name);
    }
    return near != NULL ? tr_add_hint(status, "; did you mean '%s'?", near) : status;
}

void tr_basis_plan(trArena *arena, int n, trBasis *out) {
    *out = (trBasis){0};
    out->Gamma = tr_new_array(arena, double, (size_t)n *(size_t)n);
    out->B = tr_new_array(arena, double, (size_t)n *(size_t)n);
}
