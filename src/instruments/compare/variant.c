// SPDX-License-Identifier: MIT
// Some methods come in variants: bases of maggi, inverses of udwadia_kalaba, factors and gains. A
// value after a colon gives the first option that a method reads, "maggi:svd".

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spell.h"
#include "compare/compare.h"
#include "integrator/integrator.h"

#define NAME_MOST 64

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

// The first option that the method reads, `form` apart, which has a method of its own.
static const trField *find_variant(const trMethod *method) {
    const trFieldList all = tr_settings();
    const trSimDef    def = {.formulation = method->formulation,
                             .stabilization = method->stabilization,
                             .stage_projection = method->stage_projection,
                             .step_projection = method->step_projection,
                             .integrator = method->integrator};
    for (int i = 0; i < all.count; i++) {
        const char *name = all.at[i]->name;
        if (tr_is_option(name) && strcmp(name, "form") != 0 && tr_sim_def_reads(&def, name)) {
            return all.at[i];
        }
    }
    return NULL;
}

static const char *method_name(const void *context, int i) {
    return tr_method_at(i)->name;
}

static trStatus refuse_name(const char *name) {
    const char *near = tr_spell_nearest(name, tr_method_count(), method_name, NULL);
    tr_fail(TR_E_ARGUMENT, "unknown method '%s'", name);
    return near != NULL ? tr_add_hint(TR_E_ARGUMENT, "; did you mean '%s'?", near)
                        : tr_add_hint(TR_E_ARGUMENT, "; 'trammel methods' lists them");
}

static trStatus set_value(trArena *arena, const char *label, const trField *field,
                          const char *value, trSimDef *def) {
    const char *key = field->name;
    trParam     param[] = {{.key = key, .kind = TR_PARAM_TEXT, .text = value}, {0}};
    if (field->kind != TR_FIELD_TEXT) {
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
    tr_sim_def_forget_unread(arena, def);  // options are for those methods that have them
    if (label[length] == '\0') {
        return TR_OK;
    }
    const trField *variant = find_variant(*method);
    const char    *value = label + length + 1;
    if (variant == NULL) {
        return tr_fail(TR_E_ARGUMENT, "method '%s' takes no option: write it without '%s'", name,
                       label + length);
    }
    if (value[0] == '\0') {
        return tr_fail(TR_E_ARGUMENT, "method '%s' has nothing after the colon; it gives %s", label,
                       variant->name);
    }
    TR_TRY(set_value(arena, label, variant, value, def));
    bool follows = (variant[1].flags & TR_FOLLOWS) != 0;  // with the same number
    return follows ? set_value(arena, label, variant + 1, value, def) : TR_OK;
}
