// SPDX-License-Identifier: MIT
// What each family tells about itself.

#ifndef TR_REGISTRY_REGISTRY_H
#define TR_REGISTRY_REGISTRY_H

#include "base/field.h"
#include "trammel/registry.h"

typedef struct trFamilyKind {
    const char *name;
    int (*count)(void);
    void (*describe)(int index, trKindInfo *out);  // all but `fields`
    trFieldList (*fields)(int index);              // NULL: there are none
} trFamilyKind;

extern const trFamilyKind tr_family_joints, tr_family_forces, tr_family_parts, tr_family_methods,
    tr_family_formulations, tr_family_stabilizations, tr_family_stage_projections,
    tr_family_projections, tr_family_carries, tr_family_bases, tr_family_settings,
    tr_family_integrators, tr_family_couplings, tr_family_schemes;

void tr_fact_bool(trKindInfo *info, const char *key, bool value);
void tr_fact_integer(trKindInfo *info, const char *key, int value);
void tr_fact_number(trKindInfo *info, const char *key, double value);
void tr_fact_text(trKindInfo *info, const char *key, const char *text);
// One of a list; NULL for an empty one.
void tr_fact_item(trKindInfo *info, const char *key, const char *text);
// A boolean for each of base/traits.h.
void tr_fact_traits(trKindInfo *info, unsigned traits);

// What a part or a method can support.
typedef struct trTrait {
    unsigned    bit;
    const char *key;
    const char *refusal;  // what is refused without it, and what to do
} trTrait;

#define TR_TRAITS 5
extern const trTrait tr_traits[TR_TRAITS];

#endif
