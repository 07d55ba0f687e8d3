// SPDX-License-Identifier: MIT
#include "fmi/instance.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"
#include "base/spell.h"

trStatus tr_fmu_told(trFmuInstance *s, int status, const char *what) {
    static const char *const words[] = {"",
                                        "",
                                        "discards it",
                                        "reports an error",
                                        "reports a fatal error",
                                        "would go on by itself later"};
    if (status == TR_FMU_OK || status == TR_FMU_WARNING) {
        return TR_OK;
    }
    s->fatal = s->fatal || status == TR_FMU_FATAL;
    s->failed = s->failed || status == TR_FMU_FATAL || status == TR_FMU_ERROR;
    trStatus result = tr_fail(
        TR_E_SIMULATION, "the FMU '%s' %s when asked to %s", s->info->name,
        status > 0 && status <= TR_FMU_PENDING ? words[status] : "answers out of order", what);
    if (s->said[0] != '\0') {
        tr_add_hint(result, "; its message: %s", s->said);
    }
    return result;
}

void tr_fmu_hear(trFmuInstance *s, int status, const char *message) {
    if (s == NULL || message == NULL || status == TR_FMU_OK || status == TR_FMU_WARNING) {
        return;
    }
    snprintf(s->said, sizeof s->said, "%s", message);
    tr_make_plain(s->said);
}

// An error names the first that is missing.
static trStatus link_functions(trFmuInstance *s) {
    const bool     serializes = s->info->serializes[s->kind];
    const bool     repeats = s->kind == TR_FMU_CO_SIMULATION && s->info->repeats[s->kind];
    const unsigned uses = (unsigned)s->kind | (serializes ? TR_FMU_SERIALIZES : 0u) |
                          (serializes || repeats ? TR_FMU_REPEATS : 0u);
    s->call = tr_arena_take(s->arena, 1, s->api->size);
    TR_TRY(tr_arena_status(s->arena));
    for (size_t i = 0; i < s->api->symbols; i++) {
        const trFmuSymbol *symbol = &s->api->symbol[i];
        void              *found = dlsym(s->library, symbol->name);
        memcpy((char *)s->call + symbol->offset, &found, sizeof found);
        if (found == NULL && (symbol->needed & uses) != 0) {
            return tr_fail(TR_E_MODEL,
                           "%s: its binary has no function %s, which its description promises; "
                           "export it again, or choose the other kind",
                           s->info->path, symbol->name);
        }
    }
    return TR_OK;
}

static void release(void *instance) {
    trFmuInstance *s = instance;
    if (s->component != NULL && !s->fatal) {
        if (s->initialized && !s->failed) {
            (void)s->call->terminate(s->component);
        }
        s->call->free(s->component);
    }
    s->component = NULL;
    if (s->library != NULL) {
        dlclose(s->library);
    }
}

static const char *settable_name(const void *context, int i) {
    const trFmuInfo *info = context;
    return info->variable[i].has_start ? info->variable[i].name : "";
}

static trStatus set_one(trFmuInstance *s, const trFmuSet *set) {
    const trFmuInfo *info = s->info;
    int              index = tr_fmu_find_variable(info, set->name);
    if (index < 0) {
        tr_fail(TR_E_MODEL, "%s: has no variable '%s'", info->path, set->name);
        return tr_spell_hint_or(TR_E_MODEL, set->name, info->variables, settable_name, info,
                                "; 'trammel fmu' lists them");
    }
    const trFmuVariable *v = &info->variable[index];
    bool                 is_text = v->kind == TR_FMU_STRING;
    if (!v->has_start || strcmp(v->causality, "calculatedParameter") == 0 ||
        strcmp(v->variability, "constant") == 0) {
        return tr_fail(TR_E_MODEL, "%s: '%s' cannot be set: it is calculated by the FMU",
                       info->path, set->name);
    }
    if (v->kind == TR_FMU_OTHER || strcmp(v->causality, "structuralParameter") == 0) {
        return tr_fail(TR_E_UNSUPPORTED, "%s: '%s' cannot be set: its type %s is not supported%s",
                       info->path, set->name, v->type,
                       v->kind == TR_FMU_OTHER ? "" : " as a structural parameter");
    }
    if (is_text != (set->text != NULL)) {
        return tr_fail(TR_E_MODEL, "%s: '%s' is a %s", info->path, set->name,
                       is_text ? "string; write it in quotes" : "number, not a string");
    }
    if (!is_text && v->kind != TR_FMU_REAL &&
        (set->value != floor(set->value) || fabs(set->value) > 9e15 ||
         (v->kind == TR_FMU_INTEGER && fabs(set->value) > 2147483647.0))) {
        return tr_fail(TR_E_MODEL, "%s: '%s' is of type %s, and %g is none", info->path, set->name,
                       v->type, set->value);
    }
    trStatus status =
        tr_fmu_told(s, s->api->set_value(s, v, set->value, set->text), "take a value");
    return status == TR_OK ? status : tr_blame(status, "'%s': ", set->name);
}

static trStatus load(trFmuInstance *s) {
    s->library = dlopen(s->binary, RTLD_LOCAL | RTLD_NOW);
    if (s->library == NULL) {
        // NOLINTNEXTLINE(concurrency-mt-unsafe): glibc keeps this text per thread.
        const char *why = dlerror();
        const char *slash = why != NULL ? strrchr(s->binary, '/') : NULL;
        size_t      folder = slash != NULL ? (size_t)(slash - s->binary) + 1 : 0;
        // The temporary folder says nothing to anybody.
        if (why != NULL && strncmp(why, s->binary, folder) == 0) {
            why += folder;
        }
        return tr_fail(TR_E_MODEL,
                       "%s: its binary cannot be loaded: %s; install what it needs, or export it "
                       "with all libraries inside",
                       s->info->path, why != NULL ? why : "no reason given");
    }
    return link_functions(s);
}

static trStatus choose_kind(const trFmuInfo *info, const trFmuDef *def, trFmuKind *out) {
    *out = def->kind != TR_FMU_ANY                      ? def->kind
           : (info->kinds & TR_FMU_MODEL_EXCHANGE) != 0 ? TR_FMU_MODEL_EXCHANGE
                                                        : TR_FMU_CO_SIMULATION;
    if ((info->kinds & (unsigned)*out) != 0) {
        return TR_OK;
    }
    return tr_fail(TR_E_MODEL, "%s: is not for %s", info->path,
                   info->kinds == 0               ? "Model Exchange nor for Co-Simulation"
                   : *out == TR_FMU_CO_SIMULATION ? "Co-Simulation; leave the kind out, it is for "
                                                    "Model Exchange"
                                                  : "Model Exchange; leave the kind out, it is "
                                                    "for Co-Simulation");
}

static trStatus find_binary(trFmuInstance *s, const char *folder) {
    const trFmuInfo *info = s->info;
    if (info->native == NULL) {
        char list[256] = "";
        for (int i = 0; i < info->platforms; i++) {
            size_t used = strlen(list);
            snprintf(
                list + used, sizeof list - used, "%s%s%s", i > 0 ? ", " : "", info->platform[i],
                tr_fmu_platform_fits(info, info->platform[i]) ? " (for another processor)" : "");
        }
        return tr_fail(TR_E_MODEL, "%s: has no binary for this machine (%s); it has %s", info->path,
                       tr_fmu_platform_name(info),
                       info->platforms > 0 ? list : "none at all: compile its sources");
    }
    s->binary = tr_arena_format(s->arena, "%s/binaries/%s/%s.so", folder, info->native,
                                info->identifier[s->kind]);
    s->resources = tr_arena_format(s->arena, "%s/resources/", folder);
    return tr_arena_status(s->arena);
}

trStatus tr_fmu_instance_create(trArena *arena, const trFmuInfo *info, const trFmuDef *def,
                                const char *folder, trFmuInstance *out) {
    *out = (trFmuInstance){.info = info, .arena = arena, .nx = info->states};
    out->nz = info->indicators;
    out->api = info->version[0] == '3' ? &tr_fmu_api3 : &tr_fmu_api2;
    TR_TRY(choose_kind(info, def, &out->kind));
    TR_TRY(find_binary(out, folder));
    tr_arena_defer(arena, release, out);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(load(out));
    if (!out->api->instantiate(out)) {
        return tr_fail(TR_E_MODEL,
                       "%s: refuses to start%s%s; is its description of the same export as its "
                       "binary (%s)?",
                       info->path, out->said[0] != '\0' ? ": " : "", out->said,
                       info->version[0] == '3' ? "instantiationToken" : "guid");
    }
    for (int i = 0; i < def->sets; i++) {
        TR_TRY(set_one(out, &def->set[i]));
    }
    TR_TRY(tr_fmu_told(out, out->api->enter_initialization(out, def->start), "initialize"));
    if (out->kind == TR_FMU_MODEL_EXCHANGE && out->api->count != NULL) {
        TR_TRY(tr_fmu_told(out, out->api->count(out), "count its states"));
    }
    return TR_OK;
}
