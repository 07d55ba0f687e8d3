// SPDX-License-Identifier: MIT
// The registry of bases.

#include "basis/basis.h"

#include "base/spell.h"

#define TR_LIST "basis/bases.def"
#define TR_BASIS TR_ENTRY
#define TR_FAMILY basis
#define TR_KIND trBasisKind
#include "base/registry.h"
#undef TR_BASIS

trStatus tr_basis_choose(const char *name, const trBasisKind **out) {
    *out = tr_basis_find(name);
    return *out != NULL ? TR_OK
                        : tr_spell_refuse("basis", name, tr_basis_count(), tr_basis_word, NULL);
}

void tr_basis_plan(trArena *arena, int n, trBasis *out) {
    *out = (trBasis){0};
    out->Gamma = tr_new_array(arena, double, (size_t)n *(size_t)n);
    out->B = tr_new_array(arena, double, (size_t)n *(size_t)n);
}
