// SPDX-License-Identifier: MIT
// The registry of bases.

#include "basis/basis.h"

#include <math.h>

#define TR_LIST "basis/bases.def"
#define TR_BASIS TR_ENTRY
#define TR_FAMILY basis
#define TR_KIND trBasisKind
#include "base/registry.h"
#undef TR_BASIS

const char *const tr_basis_names[] = {
#define TR_BASIS(name) #name,
#include "basis/bases.def"
#undef TR_BASIS
    NULL};

// clang-format off
const trField tr_basis_fields[] = {
    TR_OPTION(trBasisOptions, basis, TR_FIELD_TEXT, 0, NAN, "", "null-space basis of the maggi methods", "householder", tr_basis_names),
    TR_FIELD_END,
};
// clang-format on

const trBasisKind *tr_basis_chosen(const void *options) {
    const trBasisOptions *o = options;
    return o != NULL && o->basis != NULL ? tr_basis_find(o->basis) : &tr_basis_householder;
}
