// SPDX-License-Identifier: MIT
#include "registry/registry.h"

#include <string.h>

#include "base/spell.h"
#include "base/traits.h"

static const trFamilyKind *const families[TR_FAMILIES] = {
    [TR_JOINTS] = &tr_family_joints,
    [TR_FORCES] = &tr_family_forces,
    [TR_MODEL_PARTS] = &tr_family_parts,
    [TR_METHODS] = &tr_family_methods,
    [TR_FORMULATIONS] = &tr_family_formulations,
    [TR_STABILIZATIONS] = &tr_family_stabilizations,
    [TR_STAGE_PROJECTIONS] = &tr_family_stage_projections,
    [TR_PROJECTIONS] = &tr_family_projections,
    [TR_CARRIES] = &tr_family_carries,
    [TR_BASES] = &tr_family_bases,
    [TR_SETTINGS] = &tr_family_settings,
    [TR_INTEGRATORS] = &tr_family_integrators,
    [TR_COUPLINGS] = &tr_family_couplings,
    [TR_SCHEMES] = &tr_family_schemes,
};

const trTrait tr_traits[TR_TRAITS] = {
    {TR_COPES_REDUNDANT, "redundant_rows",
     "rows that depend on each other: free redundant directions, or use direct_mass"},
    {TR_COPES_SINGULAR_MASS, "singular_mass",
     "velocities without inertia: give them some, or use direct_mass"},
    {TR_COPES_NONHOLONOMIC, "nonholonomic", "rows that hold velocities alone: use direct_mass"},
    {TR_COPES_NONIDEAL, "nonideal", "forces of s:nonideal that use reactions: use direct_mass"},
    {TR_COPES_SINGULAR_POSE, "singular_pose",
     "poses where rows become dependent: a step that ends in one is an error; use direct_mass"},
};

// --- facts ---

static void add(trKindInfo *info, trFact fact) {
    if (info->facts < TR_FACTS_MOST) {
        info->fact[info->facts++] = fact;
    }
}

void tr_fact_bool(trKindInfo *info, const char *key, bool value) {
    add(info, (trFact){key, TR_FACT_BOOL, value ? 1.0 : 0.0, NULL});
}

void tr_fact_integer(trKindInfo *info, const char *key, int value) {
    add(info, (trFact){key, TR_FACT_INTEGER, value, NULL});
}

void tr_fact_number(trKindInfo *info, const char *key, double value) {
    add(info, (trFact){key, TR_FACT_NUMBER, value, NULL});
}

void tr_fact_text(trKindInfo *info, const char *key, const char *text) {
    add(info, (trFact){key, TR_FACT_TEXT, 0.0, text});
}

void tr_fact_item(trKindInfo *info, const char *key, const char *text) {
    add(info, (trFact){key, TR_FACT_ITEM, 0.0, text});
}

void tr_fact_traits(trKindInfo *info, unsigned traits) {
    for (int i = 0; i < TR_TRAITS; i++) {
        tr_fact_bool(info, tr_traits[i].key, (traits & tr_traits[i].bit) != 0);
    }
    tr_fact_bool(info, "dense", (traits & TR_DENSE) != 0);
    tr_fact_bool(info, "depends_on_units", (traits & TR_BY_UNITS) != 0);
}

// --- the interface ---

static const trFamilyKind *family_of(trFamily family) {
    return (int)family >= 0 && family < TR_FAMILIES ? families[family] : NULL;
}

const char *tr_family_name(trFamily family) {
    const trFamilyKind *kind = family_of(family);
    return kind != NULL ? kind->name : "";
}

int tr_registry_count(trFamily family) {
    const trFamilyKind *kind = family_of(family);
    return kind != NULL ? kind->count() : 0;
}

trKindInfo tr_registry_at(trFamily family, int index) {
    const trFamilyKind *kind = family_of(family);
    trKindInfo          info = {0};
    if (kind != NULL && index >= 0 && index < kind->count()) {
        kind->describe(index, &info);
        info.fields = kind->fields != NULL ? kind->fields(index).count : 0;
    }
    return info;
}

trFieldInfo tr_registry_field(trFamily family, int index, int field) {
    const trFamilyKind *kind = family_of(family);
    if (field < 0 || field >= tr_registry_at(family, index).fields) {
        return (trFieldInfo){0};
    }
    const trField *f = kind->fields(index).at[field];
    return (trFieldInfo){f->name,    tr_field_type_text(f->kind),   f->unit,
                         f->help,    (f->flags & TR_REQUIRED) != 0, f->fallback,
                         f->left_out};
}

static const char *name_at(const void *family, int i) {
    return tr_registry_at(*(const trFamily *)family, i).name;
}

trStatus tr_registry_find(trFamily family, const char *name, int dim, int *out) {
    for (int i = 0; i < tr_registry_count(family); i++) {
        trKindInfo info = tr_registry_at(family, i);
        if (info.name != NULL && strcmp(info.name, name) == 0 &&
            (dim == 0 || info.dim == 0 || info.dim == dim)) {
            *out = i;
            return TR_OK;
        }
    }
    return tr_spell_refuse(tr_family_name(family), name, tr_registry_count(family), name_at,
                           &family);
}
