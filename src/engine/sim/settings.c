// SPDX-License-Identifier: MIT
// Settings: members of trSimDef, and options, which stand in the tables of the kinds that read
// them. An option that no kind of a simulation reads would be ignored in silence, so it is refused.

#include <string.h>

#include "base/spell.h"
#include "integrator/integrator.h"
#include "projection/projection.h"
#include "sim/def.h"
#include "stabilization/stabilization.h"

// --- the kinds ---

typedef struct Kind {
    const char    *name;    // NULL after the last one
    const trField *fields;  // or NULL
} Kind;

static Kind method_at(int i) {
    return (Kind){.name = i < tr_method_count() ? tr_method_at(i)->name : NULL};
}

static Kind formulation_at(int i) {
    const trFormulationKind *kind = i < tr_formulation_count() ? tr_formulation_at(i) : NULL;
    return kind == NULL ? (Kind){0} : (Kind){kind->name, kind->fields};
}

static Kind stabilization_at(int i) {
    const trStabilizationKind *kind = i < tr_stabilization_count() ? tr_stabilization_at(i) : NULL;
    return kind == NULL ? (Kind){0} : (Kind){kind->name, kind->fields};
}

static Kind projection_at(int i) {
    const trProjectionKind *kind = i < tr_projection_count() ? tr_projection_at(i) : NULL;
    return kind == NULL ? (Kind){0} : (Kind){kind->name, kind->fields};
}

static Kind stage_at(int i) {
    const trStageKind *kind = i < tr_stage_count() ? tr_stage_at(i) : NULL;
    const char        *by = kind != NULL ? kind->projection : NULL;
    return kind == NULL ? (Kind){0}
                        : (Kind){kind->name, by != NULL ? tr_projection_find(by)->fields : NULL};
}

static Kind integrator_at(int i) {
    const trIntegratorKind *kind = i < tr_integrator_count() ? tr_integrator_at(i) : NULL;
    return kind == NULL ? (Kind){0} : (Kind){kind->name, kind->fields};
}

static bool has_forms(const char *integrator) {
    const trIntegratorKind *kind = tr_integrator_find(integrator);
    return kind != NULL && kind->implicit != NULL && kind->implicit->forms != NULL;
}

typedef struct Family {
    const char *choice;  // the member of trSimDef that names a kind
    Kind (*at)(int index);
    bool none;  // there need not be one: "none"
} Family;

static const Family families[] = {
    {"method", method_at, false},
    {"formulation", formulation_at, false},
    {"stabilization", stabilization_at, true},
    {"stage_projection", stage_at, true},
    {"step_projection", projection_at, true},
    {"integrator", integrator_at, false},
};

#define FAMILIES ((int)(sizeof families / sizeof *families))

bool tr_setting_reader(const char *setting, int k, trReader *out) {
    const bool form = strcmp(setting, "form") == 0;
    for (int i = 0; i < FAMILIES; i++) {
        for (int j = 0; families[i].at(j).name != NULL; j++) {
            const Kind     kind = families[i].at(j);
            const trField *field = tr_field_find(kind.fields, setting);
            const bool     formed = form && families[i].at == integrator_at && has_forms(kind.name);
            if ((field != NULL || formed) && k-- == 0) {
                *out = (trReader){families[i].choice, kind.name, field};
                return true;
            }
        }
    }
    return false;
}

bool tr_is_option(const char *setting) {
    trReader reader;
    return tr_setting_reader(setting, 0, &reader);
}

// --- all settings ---

// What `initial` is, by its older name.
// clang-format off
static const trField assemble[] = {
    {"assemble", TR_FIELD_BOOL, 0, 0, 1.0, "", "false: refuse a start that violates the constraints instead of correcting it", NULL, NULL, NULL},
    TR_FIELD_END,
};
// clang-format on

const trField *tr_setting_find(const char *name) {
    const trField *member = tr_field_find(tr_sim_def_fields, name);
    trReader       reader = {.field = tr_field_find(assemble, name)};
    (void)tr_setting_reader(name, 0, &reader);
    return member != NULL ? member : reader.field;
}

static void add_setting(trFieldList *all, const trField *field) {
    for (int i = 0; i < all->count; i++) {
        if (strcmp(all->at[i]->name, field->name) == 0) {
            return;
        }
    }
    if (all->count < TR_FIELDS_MOST) {
        all->at[all->count++] = field;
    }
}

// The order is that of notes in result files: first these, then others by kind.
static void add_options(trFieldList *all) {
    const char *at = "alpha beta rho form basis inverse penalty mu omega relaxation epsilon gauge "
                     "gauge_weights gauge_z";
    while (*at != '\0') {
        char   name[TR_SETTING_NAME] = "";
        size_t length = strcspn(at, " ");
        add_setting(all, tr_setting_find(memcpy(name, at, length)));
        at += length;
        at += *at == ' ';
    }
    for (int i = 0; i < FAMILIES; i++) {
        for (int j = 0; families[i].at(j).name != NULL; j++) {
            const trField *f = families[i].at(j).fields;
            for (; f != NULL && f->name != NULL; f++) {
                add_setting(all, f);
            }
        }
    }
}

static bool is_member(const char *name) {
    return tr_field_find(tr_sim_def_fields, name) != NULL;
}

trFieldList tr_settings(void) {
    trFieldList all = {0};
    for (const trField *f = tr_sim_def_fields; f->name != NULL; f++) {
        if (tr_is_option(f->name)) {
            add_options(&all);  // all at the place of the first
        }
        add_setting(&all, f);
    }
    add_setting(&all, assemble);
    return all;
}

// --- values ---

static const char *word_of(const trSimDef *def, const char *choice) {
    return tr_sim_def_value(def, tr_setting_find(choice)).text;
}

// --- words ---

static const char *name_at(const void *context, int i) {
    const Family *family = context;
    return family->none && i == 0 ? "none" : family->at(i - family->none).name;
}

static trStatus check_choice(const trSimDef *def, const Family *family) {
    const char *choice = family->choice, *value = word_of(def, choice);
    int         count = 0;
    for (; value != NULL && name_at(family, count) != NULL; count++) {
        if (strcmp(name_at(family, count), value) == 0) {
            return TR_OK;
        }
    }
    if (value == NULL) {
        return TR_OK;
    }
    if (family->at == integrator_at && tr_integrator_is_absent(value)) {
        return tr_fail(TR_E_ARGUMENT,
                       "integrator '%s' needs SUNDIALS, which this build does not have; use radau5 "
                       "for stiff systems, else dop853",
                       value);
    }
    if (family->at == method_at && tr_integrator_find(value) != NULL) {
        return tr_fail(TR_E_ARGUMENT,
                       "unknown method '%s'; it is an integrator: integrator = \"%s\"", value,
                       value);
    }
    if (family->at == integrator_at && tr_method_find(value) != NULL) {
        return tr_fail(TR_E_ARGUMENT, "unknown integrator '%s'; it is a method: method = \"%s\"",
                       value, value);
    }
    return tr_spell_refuse(choice, value, count, name_at, family);
}

trStatus tr_sim_def_check(const trSimDef *def) {
    for (const trField *f = tr_sim_def_fields; f->name != NULL; f++) {  // which have lists of words
        const trParam one[] = {tr_field_param(f, def), {0}};
        if (f->words != NULL && one->text != NULL) {
            TR_TRY(tr_fields_check(tr_sim_def_fields, one));
        }
    }
    for (int i = 0; i < FAMILIES; i++) {
        TR_TRY(check_choice(def, &families[i]));
    }
    return TR_OK;
}

bool tr_sim_def_is_strict(const trSimDef *def) {
    return def->initial != NULL && strcmp(def->initial, TR_STRICT) == 0;
}

trParam tr_sim_def_value(const trSimDef *def, const trField *setting) {
    if (setting == assemble) {
        return (trParam){.key = setting->name,
                         .kind = TR_PARAM_BOOL,
                         .number = tr_sim_def_is_strict(def) ? 0.0 : 1.0};
    }
    const trField *member = tr_field_find(tr_sim_def_fields, setting->name);
    const trParam *option = tr_param_find(def->options, setting->name);
    return member != NULL   ? tr_field_param(member, def)
           : option != NULL ? *option
                            : tr_field_fallback(setting);
}

bool tr_sim_def_is_plain(const trSimDef *def, const trField *setting) {
    const trSimDef plain = tr_sim_def_default();
    const trParam  value = tr_sim_def_value(def, setting),
                  otherwise = tr_sim_def_value(&plain, setting);
    return tr_param_equal(&value, &otherwise);
}

bool tr_sim_def_gives(const trSimDef *def, const trField *setting) {
    return tr_param_find(def->options, setting->name) != NULL ||
           (setting != assemble && !tr_sim_def_is_plain(def, setting));
}

// A copy to the arena; of a list by itself, as what is taken with a type is kept in checkpoints.
static trParam copy_param(trArena *arena, const trParam *p) {
    trParam copy = *p;
    size_t  size = (size_t)p->count * sizeof *p->numbers;
    copy.key = tr_arena_text(arena, p->key);
    copy.text = p->text != NULL ? tr_arena_text(arena, p->text) : NULL;
    if (p->count > 0 && p->numbers != NULL) {
        double *numbers = tr_arena_take(arena, (size_t)p->count, sizeof *p->numbers);
        copy.numbers = numbers != NULL ? memcpy(numbers, p->numbers, size) : NULL;
    }
    return copy;
}

// Options that are not in `params`, then those that are.
static void put_options(trArena *arena, const trParam *params, trSimDef *def) {
    int      count = tr_param_count(params) + tr_param_count(def->options), used = 0;
    trParam *all = tr_arena_take(arena, (size_t)count + 1, sizeof *all);
    for (const trParam *p = def->options; all != NULL && p != NULL && p->key != NULL; p++) {
        if (tr_param_find(params, p->key) == NULL) {
            all[used++] = *p;
        }
    }
    for (const trParam *p = params; all != NULL && p != NULL && p->key != NULL; p++) {
        if (!is_member(p->key) && strcmp(p->key, assemble->name) != 0) {
            all[used++] = copy_param(arena, p);
        }
    }
    def->options = all;
}

trStatus tr_sim_def_bind(trArena *arena, const trParam *params, trSimDef *def) {
    const trFieldList all = tr_settings();
    trField           table[TR_FIELDS_MOST + 1] = {0};
    for (int i = 0; i < all.count; i++) {
        table[i] = *all.at[i];
    }
    TR_TRY(tr_fields_check(table, params));
    TR_TRY(tr_fields_take(arena, tr_sim_def_fields, params, def));
    const trParam *old = tr_param_find(params, assemble->name);
    if (old != NULL && tr_param_find(params, "initial") != NULL) {
        return tr_fail(TR_E_MODEL, "'initial' and 'assemble' say the same; keep the first");
    }
    if (old != NULL) {
        def->initial = old->number != 0.0 ? TR_ASSEMBLE : TR_STRICT;
    }
    put_options(arena, params, def);
    return tr_arena_status(arena);
}

void tr_sim_def_forget(trArena *arena, trSimDef *def, const char *setting) {
    const trField *member = tr_field_find(tr_sim_def_fields, setting);
    if (member != NULL) {
        const trSimDef plain = tr_sim_def_default();
        tr_field_copy(member, &plain, def);
        return;
    }
    int      count = tr_param_count(def->options), used = 0;
    trParam *rest = tr_arena_take(arena, (size_t)count + 1, sizeof *rest);
    for (int i = 0; rest != NULL && i < count; i++) {
        if (strcmp(def->options[i].key, setting) != 0) {
            rest[used++] = def->options[i];
        }
    }
    def->options = rest;
}

void tr_sim_def_forget_unread(trArena *arena, trSimDef *def) {
    const trFieldList all = tr_settings();
    for (int i = 0; i < all.count; i++) {
        if (!tr_sim_def_reads(def, all.at[i]->name)) {
            tr_sim_def_forget(arena, def, all.at[i]->name);
        }
    }
}

// --- who reads what is given ---

// What stands where the user left a choice open.
static void fill_open(trSimDef *def) {
    const trMethod *method = tr_method_find(def->method != NULL ? def->method : TR_DEFAULT_METHOD);
    if (method == NULL) {
        return;
    }
    const struct {
        const char **word, *preset;
    } choices[] = {{&def->formulation, method->formulation},
                   {&def->stabilization, method->stabilization},
                   {&def->stage_projection, method->stage_projection},
                   {&def->step_projection, method->step_projection},
                   {&def->integrator, method->integrator},
                   {&def->integrator, TR_DEFAULT_INTEGRATOR}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        *choices[i].word = *choices[i].word != NULL ? *choices[i].word : choices[i].preset;
    }
}

bool tr_sim_def_reads(const trSimDef *def, const char *setting) {
    trSimDef full = *def;
    trReader reader;
    fill_open(&full);
    for (int k = 0; tr_setting_reader(setting, k, &reader); k++) {
        const char *word = word_of(&full, reader.choice);
        if (word != NULL && strcmp(reader.kind, word) == 0) {
            return true;
        }
    }
    return !tr_is_option(setting);
}
