// SPDX-License-Identifier: MIT
// Some methods come in variants: bases of maggi, inverses of udwadia_kalaba, factors and gains. A
// value after a colon gives the one setting that a method has for itself, "maggi:svd".

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spell.h"
#include "compare/compare.h"
#include "integrator/integrator.h"

#define NAME_MOST 64

// The setting, and another that follows it.
typedef struct Variant {
    const char *method, *key, *second;
} Variant;

static const Variant variants[] = {
    {"augmented_lagrangian", "penalty", NULL},
    {"augmented_lagrangian_projected", "penalty", NULL},
    {"baumgarte", "alpha", "beta"},
    {"braun_goldfarb", "relaxation", NULL},
    {"maggi", "basis", NULL},
    {"maggi_frozen", "basis", NULL},
    {"park_chiou", "epsilon", NULL},
    {"penalty", "penalty", NULL},
    {"udwadia_kalaba", "inverse", NULL},
    {"udwadia_schutte", "gauge", NULL},
    {"udwadia_wanichanon", "gauge", NULL},
};

#define VARIANTS ((int)(sizeof variants / sizeof *variants))

static const trMethod integrators[] = {
    {"cvode", "lagrange", "none", "none", "mass_orthogonal", "cvode", NULL, NULL, NULL},
    {"ida", "lagrange", "none", "none", "none", "ida", NULL, NULL, NULL},
    {"radau5", "lagrange", "none", "none", "none", "radau5", NULL, NULL, NULL},
};

const trMethod *tr_compare_integrator(int index) {
    const int all = (int)(sizeof integrators / sizeof *integrators);
    for (int i = 0; i < all; i++) {
        if (tr_integrator_find(integrators[i].name) != NULL && index-- == 0) {
            return &integrators[i];
        }
    }
    return NULL;
}

static const trMethod *find_integrator(const char *name) {
    int i = 0;
    while (tr_compare_integrator(i) != NULL && strcmp(tr_compare_integrator(i)->name, name) != 0) {
        i++;
    }
    return tr_compare_integrator(i);
}

static const Variant *find_variant(const trMethod *method) {
    for (int i = 0; i < VARIANTS; i++) {
        if (strcmp(variants[i].method, method->name) == 0) {
            return &variants[i];
        }
    }
    return NULL;
}

const char *tr_compare_variant_key(const trMethod *method) {
    const Variant *variant = find_variant(method);
    return variant != NULL ? variant->key : NULL;
}

static const char *method_name(const void *context, int i) {
    (void)context;
    return tr_method_at(i)->name;
}

static trStatus refuse_name(const char *name) {
    const char *near = tr_spell_nearest(name, tr_method_count(), method_name, NULL);
    tr_fail(TR_E_ARGUMENT, "unknown method '%s'", name);
    return near != NULL ? tr_add_hint(TR_E_ARGUMENT, "; did you mean '%s'?", near)
                        : tr_add_hint(TR_E_ARGUMENT, "; 'trammel methods' lists them");
}

static bool is_text(const char *key) {
    const trField *f = tr_sim_def_fields;
    while (f->name != NULL && strcmp(f->name, key) != 0) {
        f++;
    }
    return f->kind == TR_FIELD_TEXT;
}

static trStatus set_value(trArena *arena, const char *label, const char *key, const char *value,
                          trSimDef *def) {
    trParam param[] = {{.key = key, .kind = TR_PARAM_TEXT, .text = value}, {0}};
    if (!is_text(key)) {
        char *end = NULL;
        param[0].kind = TR_PARAM_NUMBER;
        param[0].number = strtod(value, &end);
        if (end == value || *end != '\0' || !isfinite(param[0].number)) {
            return tr_fail(TR_E_ARGUMENT,
                           "method '%s': %s needs a number after the colon, not '%s'", label, key,
                           value);
        }
    }
    trStatus status = tr_sim_def_bind(arena, param, def);
    return status == TR_OK ? TR_OK : tr_add_hint(TR_E_ARGUMENT, "; in method '%s'", label);
}

trStatus tr_compare_variant(trArena *arena, const char *label, const trMethod **method,
                            trSimDef *def) {
    char   name[NAME_MOST] = "";
    size_t length = strcspn(label, ":");
    memcpy(name, label, length < NAME_MOST ? length : 0);
    *method = tr_method_find(name);
    if (*method != NULL) {
        def->method = (*method)->name;
    } else if ((*method = find_integrator(name)) != NULL) {
        def->step = def->min_step = 0.0;  // they choose their own
    } else {
        return refuse_name(name[0] != '\0' ? name : label);
    }
    def->integrator = (*method)->integrator != NULL ? (*method)->integrator : def->integrator;
    tr_sim_def_forget_unread(def);  // options are for those methods that have them
    if (label[length] == '\0') {
        return TR_OK;
    }
    const Variant *variant = find_variant(*method);
    const char    *value = label + length + 1;
    if (variant == NULL) {
        return tr_fail(TR_E_ARGUMENT, "method '%s' takes no option: write it without '%s'", name,
                       label + length);
    }
    if (value[0] == '\0') {
        return tr_fail(TR_E_ARGUMENT, "method '%s' has nothing after the colon; it gives %s", label,
                       variant->key);
    }
    TR_TRY(set_value(arena, label, variant->key, value, def));
    return variant->second != NULL ? set_value(arena, label, variant->second, value, def) : TR_OK;
}
