// SPDX-License-Identifier: MIT
// Opens the modules of an assembly in this process.

#include "cli/glue_carrier.h"

#include "base/status.h"
#include "cli/open_module.h"

// A model has the outputs that it is asked for; other modules have what they have.
static trStatus open_file(trArena *arena, const trModuleUse *use, trModule *out) {
    int          outputs = use->source == TR_MODULE_MODEL && use->outputs > 0 ? use->outputs : 0;
    const char **argument = tr_new_array(arena, const char *, use->arguments + outputs);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < use->arguments; i++) {
        argument[i] = use->argument[i];
    }
    for (int i = 0; i < outputs; i++) {
        argument[use->arguments + i] = tr_arena_format(arena, "@output=%s", use->output[i]);
    }
    TR_TRY(tr_arena_status(arena));
    return tr_cli_open_module(use->path, use->arguments + outputs, argument, out);
}

static trStatus open_one(trArena *arena, const trModuleUse *use, trModule *out) {
    trStatus status = TR_OK;
    if (use->source == TR_MODULE_COMMAND) {
        status = tr_fail(TR_E_UNSUPPORTED, "a command runs in a process of its own, under mpirun");
    } else {
        status = open_file(arena, use, out);
    }
    return status == TR_OK ? TR_OK : tr_blame(status, "%s: module '%s': ", use->origin, use->name);
}

static void close_all(int count, const trModule *module) {
    for (int i = count - 1; i >= 0; i--) {
        if (module[i].close != NULL) {
            module[i].close(module[i].self);
        }
    }
}

static trStatus open_all(trArena *arena, const trGlueAssembly *assembly, const char **name,
                         trModule *module, trCarrier **out) {
    int      count = 0;
    trStatus status = TR_OK;
    for (; status == TR_OK && count < assembly->modules; count++) {
        name[count] = assembly->module[count].name;
        status = open_one(arena, &assembly->module[count], &module[count]);
    }
    if (status != TR_OK) {
        close_all(count - 1, module);
        return status;
    }
    status = tr_carrier_create_local(count, name, module, out);
    if (status != TR_OK) {
        close_all(count, module);
    }
    return status;
}

trStatus tr_cli_glue_carrier(const trGlueAssembly *assembly, trCarrier **out) {
    trArena *arena = tr_arena_create();
    *out = NULL;
    if (arena == NULL) {
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    const char **name = tr_new_array(arena, const char *, assembly->modules);
    trModule    *module = tr_new_array(arena, trModule, assembly->modules);
    trStatus     status = tr_arena_status(arena);
    status = status == TR_OK ? open_all(arena, assembly, name, module, out) : status;
    tr_arena_destroy(arena);
    return status;
}
