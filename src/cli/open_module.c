// SPDX-License-Identifier: MIT
// A file as a module, by the end of its name.

#include "cli/open_module.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/spell.h"
#include "cli/cli.h"
#include "trammel/fmi.h"

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

// What follows "@key=", or NULL.
static const char *option(const char *argument, const char *key) {
    size_t length = strlen(key);
    return argument[0] == '@' && strncmp(argument + 1, key, length) == 0 &&
                   argument[1 + length] == '='
               ? argument + length + 2
               : NULL;
}

// --- model files ---

// Parameters, and which columns are outputs.
static trStatus open_model(trArena *arena, const char *path, int arguments,
                           const char *const *argument, trModule *out) {
    const char **set = tr_new_array(arena, const char *, arguments + 1);
    const char **output = tr_new_array(arena, const char *, arguments);
    trSimDef     def = tr_sim_def_default();  // of the model by itself
    trModel     *model = NULL;
    int          sets = 0, outputs = 0;
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < arguments; i++) {
        const char *name = option(argument[i], "output");
        if (name != NULL) {
            output[outputs++] = name;
        } else if (argument[i][0] == '@') {
            return tr_fail(TR_E_MODEL, "%s: '%s' is not an option of model files", path,
                           argument[i]);
        } else {
            set[sets++] = argument[i];
        }
    }
    TR_TRY(tr_cli_load(path, set, &model, &def));
    trStatus status = tr_module_open_model(model, out);
    if (status != TR_OK) {
        tr_model_destroy(model);
        return status;
    }
    status = tr_module_choose_outputs(out, outputs, output);
    if (status != TR_OK) {
        out->close(out->self);
    }
    return status;
}

// --- FMUs ---

static const char *const fmu_options[] = {"kind",           "strict",         "substeps",
                                          "explicit_steps", "correct_states", "start"};

#define FMU_OPTIONS ((int)(sizeof fmu_options / sizeof *fmu_options))

static const char *fmu_option_word(const void *context, int i) {
    return fmu_options[i];
}

static trStatus read_bool(const char *key, const char *text, int *out) {
    *out = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    if (!*out && strcmp(text, "false") != 0 && strcmp(text, "0") != 0) {
        return tr_fail(TR_E_MODEL, "%s = '%s' must be true or false", key, text);
    }
    return TR_OK;
}

static trStatus read_count(const char *key, const char *text, int *out) {
    char *end = NULL;
    long  value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > INT_MAX) {
        return tr_fail(TR_E_MODEL, "%s = '%s' must be a whole number, at least 1", key, text);
    }
    *out = (int)value;
    return TR_OK;
}

static trStatus choose_kind(const char *word, trFmuDef *def) {
    if (strcmp(word, "me") == 0 || strcmp(word, "model_exchange") == 0) {
        def->kind = TR_FMU_MODEL_EXCHANGE;
    } else if (strcmp(word, "cs") == 0 || strcmp(word, "co_simulation") == 0) {
        def->kind = TR_FMU_CO_SIMULATION;
    } else {
        return tr_fail(TR_E_MODEL, "kind = '%s' is not possible; choose me or cs", word);
    }
    return TR_OK;
}

static trStatus unknown_fmu_option(const char *argument) {
    char key[64] = "";
    strncat(key, argument + 1, strcspn(argument + 1, "=") < 63 ? strcspn(argument + 1, "=") : 63);
    const char *nearest = tr_spell_nearest(key, FMU_OPTIONS, fmu_option_word, NULL);
    tr_fail(TR_E_MODEL, "an FMU has no option '%s'", key);
    return nearest != NULL ? tr_add_hint(TR_E_MODEL, "; did you mean '%s'?", nearest) : TR_E_MODEL;
}

static trStatus take_fmu_option(const char *argument, trFmuDef *def) {
    const char *value = NULL;
    if ((value = option(argument, "kind")) != NULL) {
        return choose_kind(value, def);
    }
    if ((value = option(argument, "strict")) != NULL) {
        return read_bool("strict", value, &def->strict);
    }
    if ((value = option(argument, "substeps")) != NULL) {
        return read_count("substeps", value, &def->substeps);
    }
    if ((value = option(argument, "explicit_steps")) != NULL) {
        return read_bool("explicit_steps", value, &def->explicit_steps);
    }
    if ((value = option(argument, "correct_states")) != NULL) {
        return read_bool("correct_states", value, &def->correct_states);
    }
    if ((value = option(argument, "start")) != NULL) {
        def->start = strtod(value, NULL);
        return TR_OK;
    }
    return unknown_fmu_option(argument);
}

// "mass=2", or a text.
static trFmuSet setting(trArena *arena, const char *argument) {
    const char *equals = strchr(argument, '=');
    char       *name = tr_arena_text(arena, argument), *end = NULL;
    trFmuSet    set = {.name = name};
    if (name != NULL && equals != NULL) {
        name[equals - argument] = '\0';
        set.value = strtod(equals + 1, &end);
        set.text = end == equals + 1 || *end != '\0' ? equals + 1 : NULL;
    }
    return set;
}

// "@port.tip.x=arm.x"
static trFmuAlias alias_of(trArena *arena, const char *argument) {
    const char *key = argument + strlen("@port."), *equals = strchr(key, '=');
    char       *name = tr_arena_text(arena, key);
    if (name != NULL && equals != NULL) {
        name[equals - key] = '\0';
    }
    return (trFmuAlias){.key = name, .variable = equals != NULL ? equals + 1 : ""};
}

static trStatus open_fmu(trArena *arena, const char *path, int arguments,
                         const char *const *argument, trModule *out) {
    trFmuDef    def = tr_fmu_def_default();
    trFmuSet   *set = tr_new_array(arena, trFmuSet, arguments);
    trFmuAlias *alias = tr_new_array(arena, trFmuAlias, arguments);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < arguments; i++) {
        if (strncmp(argument[i], "@port.", strlen("@port.")) == 0) {
            alias[def.aliases++] = alias_of(arena, argument[i]);
        } else if (argument[i][0] == '@') {
            TR_TRY(take_fmu_option(argument[i], &def));
        } else {
            set[def.sets++] = setting(arena, argument[i]);
        }
    }
    TR_TRY(tr_arena_status(arena));
    def.set = set;
    def.alias = alias;
    return tr_fmu_open(path, &def, out);
}

// --- any ---

static trStatus open_file(trArena *arena, const char *path, int arguments,
                          const char *const *argument, trModule *out) {
    if (ends_with(path, ".so")) {
        return tr_module_open_program(path, arguments, argument, out);
    }
    if (ends_with(path, ".fmu")) {
        return open_fmu(arena, path, arguments, argument, out);
    }
    if (ends_with(path, ".lua")) {
        return open_model(arena, path, arguments, argument, out);
    }
    return tr_fail(
        TR_E_MODEL,
        "%s: not a module; modules are model files (.lua), FMUs (.fmu) and shared libraries (.so)",
        path);
}

trStatus tr_cli_open_module(const char *path, int arguments, const char *const *argument,
                            trModule *out) {
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    trStatus status = open_file(arena, path, arguments, argument, out);
    tr_arena_destroy(arena);
    return status;
}
