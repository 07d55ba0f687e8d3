// SPDX-License-Identifier: MIT
// From a file to a module, and to what is known of it.

#include <string.h>

#include "base/definition.h"
#include "fmi/work.h"

static trStatus check_def(const char *path, const trFmuDef *def) {
    if (def->substeps < 1 || def->substeps > 100000) {
        return tr_fail(TR_E_ARGUMENT, "%s: substeps = %d, but it must be from 1 to 100000", path,
                       def->substeps);
    }
    if (!(def->difference_step > 0.0)) {
        return tr_fail(TR_E_ARGUMENT, "%s: difference_step must be positive", path);
    }
    return TR_OK;
}

static const trDefinition definition = {"trFmuDef", "tr_fmu_def_default()",
                                        TR_FIRST_LAYOUT(trFmuDef, compliance), sizeof(trFmuDef)};

// NULL: the defaults.
static trStatus complete_def(const trFmuDef *given, trFmuDef *out) {
    *out = tr_fmu_def_default();
    return given != NULL ? tr_definition_take(&definition, given, out) : TR_OK;
}

typedef struct Owned {
    trFmuInfo info;  // first: it is handed out
    trArena  *arena;
} Owned;

trStatus tr_fmu_read(const char *path, const trFmuDef *given, trFmuInfo **out) {
    trFmuDef     def;
    trFmuArchive archive;
    trFmuList    warnings;
    *out = NULL;
    TR_TRY(complete_def(given, &def));
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    Owned      *owned = tr_new(arena, Owned);
    const char *name = tr_arena_text(arena, path);
    trStatus    status = tr_fmu_list_plan(arena, &warnings);
    status = status == TR_OK ? tr_fmu_archive_open(arena, name, &archive) : status;
    status = status == TR_OK ? tr_fmu_describe(&archive, &def, &owned->info, &warnings) : status;
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    owned->arena = arena;
    *out = &owned->info;
    return TR_OK;
}

void tr_fmu_info_free(trFmuInfo *info) {
    if (info != NULL) {
        tr_arena_destroy(((Owned *)info)->arena);
    }
}

static trStatus check_ports(trFmuWork *w) {
    const trFmuInfo *info = &w->info;
    if (info->ports == 0) {
        return tr_fail(TR_E_MODEL,
                       "%s: has no ports: no inputs named \"port.fx\"; name its variables by "
                       "aliases, 'trammel fmu' lists them",
                       info->path);
    }
    w->ports = info->ports;
    w->dim = info->port[0].dim;
    for (int i = 0; i < info->ports; i++) {
        if (info->port[i].missing != NULL) {
            return tr_fail(TR_E_MODEL, "%s: port '%s': has no '%s'; name the variable by an alias",
                           info->path, info->port[i].name, info->port[i].missing);
        }
    }
    return TR_OK;
}

static trStatus check_repeats(trFmuWork *w) {
    if (w->instance.kind != TR_FMU_CO_SIMULATION || w->info.repeats[TR_FMU_CO_SIMULATION]) {
        return TR_OK;
    }
    const char *cannot = w->info.version[0] == '3' ? "State" : "state";
    if (!w->def.explicit_steps) {
        return tr_fail(
            TR_E_UNSUPPORTED,
            "%s: cannot repeat a step (no canGetAndSetFMU%s), which joints need; %s"
            "take it with explicit steps, whose loads come one step late",
            w->info.path, cannot,
            (w->info.kinds & TR_FMU_MODEL_EXCHANGE) != 0 ? "open it for Model Exchange, or " : "");
    }
    if (w->differs) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "%s: cannot repeat a step and does not provide accelerations of its ports; "
                       "export it with one of both",
                       w->info.path);
    }
    w->once = true;
    tr_fmu_list_add(&w->notes,
                    "explicit steps: it cannot repeat one (canGetAndSetFMU%s), so loads "
                    "act one step late",
                    cannot);
    return TR_OK;
}

static void tell_port(trFmuWork *w, const trFmuPort *port) {
    for (int i = 0; i < TR_PORT_V(w->dim); i++) {
        if (!port->moves[i]) {
            tr_fmu_list_add(&w->notes, "port '%s' has no '%s.%s': it does not move there",
                            port->name, port->name, tr_fmu_key(w->dim, 3, i));
        } else if (port->a[i] < 0) {
            tr_fmu_list_add(&w->notes,
                            "port '%s': acceleration '%s.%s' by differences of velocities",
                            port->name, port->name, tr_fmu_key(w->dim, 2, i));
        }
    }
}

static void tell(trFmuWork *w) {
    bool exchange = w->instance.kind == TR_FMU_MODEL_EXCHANGE;
    tr_fmu_list_add(&w->notes, "FMI %s, %s", w->info.version,
                    exchange ? "Model Exchange" : "Co-Simulation");
    for (int i = 0; i < w->info.ports; i++) {
        tell_port(w, &w->info.port[i]);
    }
    tr_fmu_list_add(&w->notes, "compliance by %s",
                    w->derives           ? "directional derivatives"
                    : w->over_step       ? "differences of repeated steps"
                    : tr_fmu_can_hold(w) ? "differences at constant state"
                                         : "differences");
    for (int i = 0; i < w->info.warnings; i++) {
        tr_fmu_list_add(&w->notes, "modelDescription.xml: %s", w->info.warning[i]);
    }
}

// Model Exchange goes on to continuous time at once; Co-Simulation stays in initialization until
// its first step, since only there loads may be changed and answers read without a step.
static trStatus start(trFmuWork *w) {
    trFmuKind kind = w->instance.kind;
    w->t = w->def.start;
    w->step = (trGlueStep){.t = w->t};
    w->accepted = w->begin_old = true;
    w->initializing = kind == TR_FMU_CO_SIMULATION;
    w->derives = w->info.derives[kind] && !w->differs;
    w->over_step =
        w->def.compliance == TR_FMU_STEP || (kind == TR_FMU_CO_SIMULATION && !w->derives);
    TR_TRY(tr_fmu_set_loads(w, 1.0));
    if (kind == TR_FMU_MODEL_EXCHANGE) {
        TR_TRY(tr_fmu_leave_initialization(w));
        TR_TRY(tr_fmu_iterate_events(w));
    } else if (w->differs) {
        TR_TRY(tr_fmu_leave_initialization(w));
    }
    TR_TRY(tr_fmu_advance(w));
    return tr_fmu_plan_keeping(w);
}

static trStatus open_file(trFmuWork *w, const char *path) {
    trFmuArchive archive;
    trFmuList    warnings;
    const char  *folder = NULL;
    size_t       left = TR_FMU_MOST_BYTES;
    TR_TRY(check_def(path, &w->def));
    TR_TRY(tr_fmu_list_plan(w->arena, &warnings));
    TR_TRY(tr_fmu_list_plan(w->arena, &w->notes));
    path = tr_arena_text(w->arena, path);
    TR_TRY(tr_arena_status(w->arena));
    TR_TRY(tr_fmu_archive_open(w->arena, path, &archive));
    TR_TRY(tr_fmu_describe(&archive, &w->def, &w->info, &warnings));
    TR_TRY(check_ports(w));
    TR_TRY(tr_fmu_folder_create(w->arena, &folder));
    TR_TRY(tr_fmu_archive_unpack(&archive, "binaries/", folder, &left));
    TR_TRY(tr_fmu_archive_unpack(&archive, "resources/", folder, &left));
    TR_TRY(tr_fmu_instance_create(w->arena, &w->info, &w->def, folder, &w->instance));
    TR_TRY(tr_fmu_lay_out(w));
    TR_TRY(check_repeats(w));
    TR_TRY(start(w));
    tell(w);
    return tr_arena_status(w->arena);
}

trStatus tr_fmu_open(const char *path, const trFmuDef *given, trModule *out) {
    trArena *arena = tr_arena_create();
    *out = (trModule){0};
    trFmuWork *w = arena != NULL ? tr_new(arena, trFmuWork) : NULL;
    if (w == NULL) {
        tr_arena_destroy(arena);
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    w->arena = arena;
    trStatus status = complete_def(given, &w->def);
    status = status == TR_OK ? open_file(w, path) : status;
    if (status != TR_OK) {
        // What comes from a call of the FMU does not name the file.
        if (strncmp(tr_last_error(), path, strlen(path)) != 0) {
            status = tr_blame(status, "%s: ", path);
        }
        tr_fmu_close(w);
        return status;
    }
    tr_fmu_fill_module(w, out);
    return TR_OK;
}

int tr_fmu_notes(const trModule *module) {
    const trFmuWork *w = module->self;
    return w->notes.count;
}

const char *tr_fmu_note(const trModule *module, int index) {
    const trFmuWork *w = module->self;
    return w->notes.text[index];
}
