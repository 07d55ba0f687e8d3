// SPDX-License-Identifier: MIT
#include "faults/stages.h"

#include <stdio.h>

#include "base/status.h"
#include "trammel/hdf5.h"

void made_destroy(Made *made) {
    tr_compare_destroy(made->compare);
    tr_modes_free(&made->modes);
    tr_recorder_destroy(made->recorder);
    tr_sim_destroy(made->sim);
    tr_system_destroy(made->system);
    tr_model_destroy(made->model);
    glued_destroy(&made->glued);
}

static trStatus load(Made *made) {
    const Case *what = made->what;
    char        path[512];
    const char *set[] = {what->set, NULL};
    snprintf(path, sizeof path, SOURCE_DIR "/models/%s", what->file);
    made->def = tr_sim_def_default();
    TR_TRY(tr_lua_load(path, set, &made->model, &made->def));
    // Settings of the file belong to its method.
    if (what->method != NULL || what->formulation != NULL || what->integrator != NULL) {
        made->def = tr_sim_def_default();
        made->def.method = what->method;
        made->def.formulation = what->formulation;
        made->def.integrator = what->integrator;
        made->def.rtol = made->def.atol = 1e-5;
    }
    made->def.step = what->step > 0.0 ? what->step : made->def.step;
    made->def.duration = what->duration;
    made->def.sample = what->duration / 2.0;
    made->def.times = (trNumbers){0};
    return TR_OK;
}

static trStatus build(Made *made) {
    return tr_system_build(made->model, &made->system);
}

static trStatus create(Made *made) {
    return tr_sim_create(made->system, &made->def, &made->sim);
}

static trStatus record(Made *made) {
    TR_TRY(tr_recorder_create(&made->recorder));
    TR_TRY(tr_recorder_add(made->recorder, "memory", NULL));
    if (!made->what->memory_only) {
        TR_TRY(tr_recorder_add(made->recorder, "csv", "faults.csv"));
        TR_TRY(tr_recorder_add_hdf5(made->recorder, "faults.h5"));
    }
    return tr_recorder_note(made->recorder, "model", "under attack");
}

static void keep_end(Made *made, int count, const double *numbers) {
    for (int i = 0; i < count && made->numbers < MOST_NUMBERS; i++) {
        made->end[made->numbers++] = numbers[i];
    }
}

static trStatus run(Made *made) {
    TR_TRY(tr_sim_run(made->sim, made->recorder, NULL));
    keep_end(made, tr_system_nq(made->system), tr_sim_q(made->sim));
    keep_end(made, tr_system_nv(made->system), tr_sim_v(made->sim));
    return TR_OK;
}

static trStatus close_files(Made *made) {
    return tr_recorder_close(made->recorder, "done");
}

static trStatus modes(Made *made) {
    trModesOptions options = tr_modes_options_default();
    TR_TRY(tr_modes_find(made->system, &options, &made->modes));
    for (int i = 0; i < made->modes.count; i++) {
        keep_end(made, 1, &made->modes.mode[i].undamped);
    }
    return tr_modes_record(&made->modes, made->recorder);
}

// A method that was refused or failed is a row with a reason: here, it is a failure.
static trStatus compare(Made *made) {
    static const char *const methods[] = {"direct", "maggi:svd"};
    trCompareOptions         options = {.struct_size = sizeof(trCompareOptions),
                                        .methods = methods,
                                        .method_count = 2,
                                        .repeat = 1};
    TR_TRY(tr_compare_create(made->system, &made->def, &options, &made->compare));
    const trCompare *c = made->compare;
    if (c->reference.status != TR_OK) {
        return tr_fail(c->reference.status, "%s", c->reference.reason);
    }
    for (int i = 0; i < c->rows; i++) {
        if (c->row[i].state != TR_COMPARE_DONE) {
            return tr_fail(TR_E_MEMORY, "%s", c->row[i].reason);
        }
        keep_end(made, 1, &c->row[i].energy_end);
    }
    return TR_OK;
}

const Stage stage_load = {"load", load}, stage_build = {"build", build},
            stage_create = {"create", create}, stage_record = {"record", record},
            stage_run = {"run", run}, stage_close = {"close", close_files},
            stage_modes = {"modes", modes}, stage_compare = {"compare", compare};
