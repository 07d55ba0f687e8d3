// SPDX-License-Identifier: MIT
// The registry of a family of kinds, made from its .def list. The family's header declares it,
//
//     TR_REGISTRY(formulation, trFormulationKind)
//
// and its registry.c makes the table, in the order of the list:
//
//     #define TR_LIST "formulation/formulations.def"
//     #define TR_FORMULATION TR_ENTRY
//     #define TR_FAMILY formulation
//     #define TR_KIND trFormulationKind
//     #include "base/registry.h"
//
// With TR_BY_DIM, names are unique in each dimension only.

#ifndef TR_BASE_REGISTRY_H
#define TR_BASE_REGISTRY_H

#include "base/shared.h"

// The number of kinds, the kind of an index, its name (for base/spell.h), and the kind of a name,
// or NULL.
#define TR_REGISTRY_OF(family, Kind)         \
    int         tr_##family##_count(void);   \
    const Kind *tr_##family##_at(int index); \
    const char *tr_##family##_word(const void *unused, int i)
#define TR_REGISTRY(family, Kind) \
    TR_REGISTRY_OF(family, Kind); \
    const Kind *tr_##family##_find(const char *name) TR_SHARED
#define TR_REGISTRY_BY_DIM(family, Kind) \
    TR_REGISTRY_OF(family, Kind);        \
    const Kind *tr_##family##_find(const char *name, int dim) TR_SHARED

#endif

#ifdef TR_LIST

#include <string.h>

#define TR_PASTE_3(a, b, c) a##b##c
#define TR_PASTE(a, b, c) TR_PASTE_3(a, b, c)
#ifdef TR_BY_DIM
#define TR_SYMBOL(folder, name) TR_PASTE(tr_, TR_FAMILY, _##folder##_##name)
#else
#define TR_SYMBOL(name) TR_PASTE(tr_, TR_FAMILY, _##name)
#endif

#define TR_ENTRY(...) extern const TR_KIND TR_SYMBOL(__VA_ARGS__);
#include TR_LIST
#undef TR_ENTRY

#define TR_ENTRY(...) &TR_SYMBOL(__VA_ARGS__),
static const TR_KIND *const kinds[] = {
#include TR_LIST
};
#undef TR_ENTRY

int TR_PASTE(tr_, TR_FAMILY, _count)(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const TR_KIND *TR_PASTE(tr_, TR_FAMILY, _at)(int index) {
    return kinds[index];
}

const char *TR_PASTE(tr_, TR_FAMILY, _word)(const void *unused, int i) {
    return kinds[i]->name;
}

#ifdef TR_BY_DIM
#define TR_FITS(kind) ((kind)->dim == dim)
const TR_KIND *TR_PASTE(tr_, TR_FAMILY, _find)(const char *name, int dim) {
#else
#define TR_FITS(kind) true
const TR_KIND *TR_PASTE(tr_, TR_FAMILY, _find)(const char *name) {
#endif
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (TR_FITS(kinds[i]) && strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

#endif
