// SPDX-License-Identifier: MIT
// Opens the modules of an assembly in this process, or meets them under mpirun.

#include "cli/glue_parts.h"

#include "base/status.h"
#include "cli/glue_mpi.h"
#include "cli/open_module.h"

const char **tr_cli_module_arguments(trArena *arena, const trModuleUse *use, double start,
                                     int *count) {
    int          outputs = use->source == TR_MODULE_MODEL && use->outputs > 0 ? use->outputs : 0;
    const char **argument = tr_new_array(arena, const char *, use->arguments + outputs + 2);
    *count = use->arguments + outputs;
    for (int i = 0; argument != NULL && i < *count; i++) {
        argument[i] = i < use->arguments
                          ? use->argument[i]
                          : tr_arena_format(arena, "@output=%s", use->output[i - use->arguments]);
    }
    if (argument != NULL && use->source == TR_MODULE_FMU) {
        argument[(*count)++] = tr_arena_format(arena, "@start=%.17g", start);
    }
    return argument;
}

static trStatus open_file(trArena *arena, const trModuleUse *use, double start, trModule *out) {
    int          count = 0;
    const char **argument = tr_cli_module_arguments(arena, use, start, &count);
    TR_TRY(tr_arena_status(arena));
    return tr_cli_open_module(use->path, count, argument, out);
}

static trStatus open_one(trArena *arena, const trModuleUse *use, double start, trModule *out) {
    trStatus status = TR_OK;
    if (use->source == TR_MODULE_COMMAND) {
        status = tr_fail(TR_E_UNSUPPORTED, "a command runs in a process of its own; add --mpi");
    } else {
        status = open_file(arena, use, start, out);
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
        status = open_one(arena, &assembly->module[count], assembly->def.start, &module[count]);
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

static trStatus open_carrier(trArena *arena, const trGlueAssembly *assembly, trCarrier **out) {
    const char **name = tr_new_array(arena, const char *, assembly->modules);
    trModule    *module = tr_new_array(arena, trModule, assembly->modules);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < assembly->modules; i++) {
        name[i] = assembly->module[i].name;
    }
    return tr_cli_under_mpirun()
               ? tr_cli_mpi_carrier(assembly->modules, name, assembly->def.timeout,
                                    tr_cli_catch_signals(), out)
               : open_all(arena, assembly, name, module, out);
}

trStatus tr_cli_glue_carrier(const trGlueAssembly *assembly, trCarrier **out) {
    trArena *arena = tr_arena_create();
    *out = NULL;
    if (arena == NULL) {
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    trStatus status = open_carrier(arena, assembly, out);
    tr_arena_destroy(arena);
    return status;
}

void tr_cli_glue_end(trCarrier *carrier, trExit code) {
    if (tr_cli_under_mpirun()) {
        tr_cli_mpi_end(carrier, code);
    } else {
        tr_carrier_destroy(carrier);
    }
}
