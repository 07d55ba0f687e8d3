// SPDX-License-Identifier: MIT
// Options: settings that only some choices read. Given to others they would be ignored in silence,
// so they are refused.

#include <string.h>

#include "integrator/integrator.h"
#include "sim/def.h"

static const trReader readers[] = {
    {"alpha", "stabilization", "baumgarte"},
    {"beta", "stabilization", "baumgarte"},
    {"mu", "stabilization", "bayo"},
    {"omega", "stabilization", "bayo"},
    {"relaxation", "stabilization", "braun_goldfarb"},
    {"penalty", "formulation", "penalty"},
    {"penalty", "formulation", "augmented_lagrangian"},
    {"inverse", "formulation", "udwadia_kalaba"},
    {"gauge", "formulation", "udwadia_schutte"},
    {"gauge", "formulation", "udwadia_wanichanon"},
    {"gauge_weights", "formulation", "udwadia_wanichanon"},
    {"gauge_z", "formulation", "udwadia_wanichanon"},
    {"basis", "formulation", "maggi"},
    {"basis", "stage_projection", "basis"},
    {"basis", "step_projection", "basis"},
    {"epsilon", "integrator", "park_chiou"},
    {"rho", "integrator", "generalized_alpha"},
    {"rho", "integrator", "hht"},
    {"form", "integrator", "generalized_alpha"},
    {"form", "integrator", "hht"},
    {"form", "integrator", "newmark"},
    {"form", "integrator", "radau5"},
    {"form", "integrator", "ida"},
};

#define READERS ((int)(sizeof readers / sizeof *readers))

int tr_reader_count(void) {
    return READERS;
}

const trReader *tr_reader_at(int index) {
    return &readers[index];
}

bool tr_is_option(const char *setting) {
    for (int i = 0; i < READERS; i++) {
        if (strcmp(readers[i].setting, setting) == 0) {
            return true;
        }
    }
    return false;
}

const char *tr_option_left_out(const char *setting) {
    static const char *const words[][2] = {
        {"basis", "householder"},
        {"inverse", "svd"},
        {"form", "the integrator's own"},
        {"penalty", "from masses and rows"},
        {"gauge", "from masses and rows"},
        {"gauge_weights", "ones"},
        {"gauge_z", "alpha^2 b"},
        {"relaxation", "the step where it is fixed, else 0.05 s"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i][0], setting) == 0) {
            return words[i][1];
        }
    }
    return NULL;
}

// A member of the definition, by its name in the field table.
static const trField *field_of(const char *setting) {
    const trField *f = tr_sim_def_fields;
    while (f->name != NULL && strcmp(f->name, setting) != 0) {
        f++;
    }
    return f;
}

static const char *word_of(const trSimDef *def, const char *choice) {
    const char *word = NULL;
    memcpy(&word, (const char *)def + field_of(choice)->offset, sizeof word);
    return word;
}

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
    fill_open(&full);
    for (int i = 0; i < READERS; i++) {
        const char *word = word_of(&full, readers[i].choice);
        if (strcmp(readers[i].setting, setting) == 0 && word != NULL &&
            strcmp(readers[i].kind, word) == 0) {
            return true;
        }
    }
    return !tr_is_option(setting);
}

bool tr_sim_def_gives(const trSimDef *def, const char *setting) {
    const trSimDef plain = tr_sim_def_default();
    const trField *f = field_of(setting);
    const char    *given = (const char *)def + f->offset,
               *otherwise = (const char *)&plain + f->offset;
    double    number[2];
    trNumbers list;
    switch (f->kind) {
    case TR_FIELD_TEXT:
        return word_of(def, setting) != NULL;
    case TR_FIELD_NUMBERS:
        memcpy(&list, given, sizeof list);
        return list.count > 0;
    case TR_FIELD_BOOL:
        return *(const bool *)given != *(const bool *)otherwise;
    default:
        memcpy(&number[0], given, sizeof(double));
        memcpy(&number[1], otherwise, sizeof(double));
        return number[0] != number[1];
    }
}

void tr_sim_def_forget(trSimDef *def, const char *setting) {
    const trSimDef plain = tr_sim_def_default();
    const trField *f = field_of(setting);
    size_t         size = f->kind == TR_FIELD_TEXT      ? sizeof(const char *)
                          : f->kind == TR_FIELD_NUMBERS ? sizeof(trNumbers)
                          : f->kind == TR_FIELD_BOOL    ? sizeof(bool)
                                                        : sizeof(double);
    memcpy((char *)def + f->offset, (const char *)&plain + f->offset, size);
}

void tr_sim_def_forget_unread(trSimDef *def) {
    for (int i = 0; i < READERS; i++) {
        if (!tr_sim_def_reads(def, readers[i].setting)) {
            tr_sim_def_forget(def, readers[i].setting);
        }
    }
}

static bool method_reads(const char *method, const char *setting) {
    const trSimDef def = {.method = method};
    return tr_sim_def_reads(&def, setting);
}

// The k-th that reads it: methods, then integrators that are no methods; NULL: there are no more.
static const char *reader_name(const char *setting, int k) {
    for (int i = 0; i < tr_method_count(); i++) {
        const char *name = tr_method_at(i)->name;
        if (method_reads(name, setting) && k-- == 0) {
            return name;
        }
    }
    for (int i = 0; i < READERS; i++) {
        const trReader *r = &readers[i];
        bool counts = strcmp(r->choice, "integrator") == 0 && strcmp(r->setting, setting) == 0 &&
                      tr_method_find(r->kind) == NULL && tr_integrator_find(r->kind) != NULL;
        if (counts && k-- == 0) {
            return r->kind;
        }
    }
    return NULL;
}

// "; maggi and maggi_frozen do: ...", or the choice where none of them does.
static trStatus add_readers(const char *setting) {
    int count = 0;
    while (reader_name(setting, count) != NULL) {
        count++;
    }
    for (int k = 0; k < count; k++) {
        const char *before = k == 0 ? "; " : k < count - 1 ? ", " : " and ";
        tr_add_hint(TR_E_ARGUMENT, "%s%s", before, reader_name(setting, k));
    }
    for (int i = 0; count == 0 && i < READERS; i++) {
        if (strcmp(readers[i].setting, setting) == 0) {
            tr_add_hint(TR_E_ARGUMENT, "; %s '%s'", readers[i].choice, readers[i].kind);
        }
    }
    return tr_add_hint(TR_E_ARGUMENT, "%s, or leave '%s' out",
                       count > 1 ? " do: take one of these" : " does: take it", setting);
}

trStatus tr_sim_def_check_options(const trSimDef *def) {
    for (int i = 0; i < READERS; i++) {
        const char *setting = readers[i].setting;
        if (!tr_sim_def_gives(def, setting) || tr_sim_def_reads(def, setting)) {
            continue;
        }
        if (def->method == NULL || method_reads(def->method, setting)) {
            tr_fail(TR_E_ARGUMENT, "'%s' is not read by what is chosen", setting);
        } else {
            tr_fail(TR_E_ARGUMENT, "'%s' is not read by method '%s'", setting, def->method);
        }
        return add_readers(setting);
    }
    return TR_OK;
}
