// SPDX-License-Identifier: MIT
// The way of an assembly: a model and a program, glued.

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "faults/stages.h"

void glued_destroy(Glued *g) {
    free(g->bytes);
    tr_glue_destroy(g->glue);
    tr_carrier_destroy(g->carrier);
    tr_system_destroy(g->ports);
    tr_glue_assembly_free(&g->assembly);
    tr_model_destroy(g->arm);
}

// Files: that of the assembly, and that of its first module.
static trStatus load(Made *made) {
    Glued      *g = &made->glued;
    trSimDef    def = tr_sim_def_default();
    const char *set[] = {made->what->set, NULL};
    TR_TRY(tr_glue_assembly_load(SOURCE_DIR "/tests/faults/glued.lua", set, &g->assembly));
    return tr_lua_load(SOURCE_DIR "/models/glue/arm.lua", NULL, &g->arm, &def);
}

static trStatus build(Made *made) {
    return tr_system_build(made->glued.assembly.ports, &made->glued.ports);
}

static trStatus open_arm(Glued *g, trModule *out) {
    const trModuleUse *use = &g->assembly.module[0];
    TR_TRY(tr_module_open_model(g->arm, out));
    g->arm = NULL;  // the module's
    trStatus status = tr_module_choose_outputs(out, use->outputs, use->output);
    if (status != TR_OK) {
        out->close(out->self);
    }
    return status;
}

static trStatus open_both(Made *made) {
    Glued             *g = &made->glued;
    const trModuleUse *use = g->assembly.module;
    const char *const  name[] = {use[0].name, use[1].name};
    trModule           module[2];
    TR_TRY(open_arm(g, &module[0]));
    trStatus status =
        tr_module_open_program(MASS_SPRING, use[1].arguments, use[1].argument, &module[1]);
    if (status == TR_OK) {
        status = tr_carrier_create_local(2, name, module, &g->carrier);
        if (status != TR_OK) {
            module[1].close(module[1].self);
        }
    }
    if (status != TR_OK) {
        module[0].close(module[0].self);
    }
    return status;
}

static trStatus create(Made *made) {
    Glued *g = &made->glued;
    return tr_glue_create(g->ports, g->carrier, &g->assembly.def, &g->glue);
}

static void keep_ports(Made *made) {
    for (int i = 0; i < 2; i++) {
        trBodyState at = tr_glue_port(made->glued.glue, i);
        made->end[made->numbers++] = at.x;
        made->end[made->numbers++] = at.vy;
    }
}

static trStatus run(Made *made) {
    TR_TRY(tr_glue_run(made->glued.glue, made->recorder, NULL));
    keep_ports(made);
    return TR_OK;
}

// Saves, goes a step too far, and back.
static trStatus keep(Made *made) {
    Glued *g = &made->glued;
    size_t size = tr_glue_saved_size(g->glue);
    free(g->bytes);
    g->bytes = malloc(size);
    if (g->bytes == NULL) {
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    TR_TRY(tr_glue_save(g->glue, g->bytes, size));
    TR_TRY(tr_glue_step(g->glue));
    keep_ports(made);
    TR_TRY(tr_glue_restore(g->glue, g->bytes, size));
    made->end[made->numbers++] = tr_glue_time(g->glue);
    return TR_OK;
}

const Stage stage_glue_load = {"load assembly", load}, stage_glue_build = {"build ports", build},
            stage_glue_open = {"open modules", open_both}, stage_glue_create = {"glue", create},
            stage_glue_run = {"run glue", run}, stage_glue_keep = {"save and restore", keep};
