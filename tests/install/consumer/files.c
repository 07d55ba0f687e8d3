// SPDX-License-Identifier: MIT
// A model in Lua, run with its rows in an HDF5 file, which is read back: all libraries beside the
// core. Usage: files RESULT

#include <stdio.h>
#include <string.h>
#include <trammel/fmi.h>
#include <trammel/trammel.h>

static const char model_text[] =
    "local m = model { name = 'pendulum', gravity = { 0, -9.81 } }\n"
    "local rod = m:body { name = 'rod', mass = 1, inertia = 1/12, at = { 0.5, 0 } }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, rod, point = { 0, 0 } }\n"
    "m:simulate { duration = 2 }\n"
    "return m\n";

static trStatus record(const trSystem *system, const trSimDef *def, const char *path) {
    trSim      *sim = NULL;
    trRecorder *recorder = NULL;
    trStatus    status = tr_sim_create(system, def, &sim);
    if (status == TR_OK) {
        status = tr_recorder_create(&recorder);
    }
    if (status == TR_OK) {
        status = tr_recorder_add_hdf5(recorder, path);
    }
    if (status == TR_OK) {
        status = tr_sim_run(sim, recorder, NULL);
    }
    if (status == TR_OK) {
        status = tr_recorder_close(recorder, "done");
    }
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    return status;
}

int main(int argc, char **argv) {
    trModel  *model = NULL;
    trSystem *system = NULL;
    trResult *result = NULL;
    trSimDef  def = tr_sim_def_default();
    trStatus  status = argc == 2 ? tr_lua_load_text("pendulum.lua", model_text, strlen(model_text),
                                                    NULL, &model, &def)
                                 : TR_E_ARGUMENT;
    if (status == TR_OK) {
        status = tr_system_build(model, &system);
    }
    if (status == TR_OK) {
        status = record(system, &def, argv[1]);
    }
    if (status == TR_OK) {
        status = tr_result_open(argv[1], &result);
    }
    if (status == TR_OK) {
        printf("trammel %s: %ld rows; verify knows '%s', an FMU makes %d substeps\n", tr_version(),
               tr_result_rows(result), tr_verify_word(TR_VERIFY_MARK),
               tr_fmu_def_default().substeps);
    } else {
        fprintf(stderr, "%s\n", tr_last_error());
    }
    tr_result_close(result);
    tr_system_destroy(system);
    tr_model_destroy(model);
    return status == TR_OK ? 0 : 1;
}
