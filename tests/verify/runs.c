// SPDX-License-Identifier: MIT
#include "verify/runs.h"
#include "trammel/hdf5.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#define GOOD(call)                           \
    do {                                     \
        if ((call) != TR_OK) {               \
            fail_msg("%s", tr_last_error()); \
        }                                    \
    } while (0)

static void note(trRecorder *recorder, const char *key, const char *text) {
    if (text != NULL) {
        GOOD(tr_recorder_note(recorder, key, text));
    }
}

// In full, as `trammel run` does.
static void note_number(trRecorder *recorder, const char *key, double value) {
    char text[40];
    snprintf(text, sizeof text, "%.17g s", value);
    note(recorder, key, text);
}

void run_with_steps(const Run *run, double max_step, const char *path) {
    char        file[512];
    trModel    *model = NULL;
    trSystem   *system = NULL;
    trSim      *sim = NULL;
    trRecorder *recorder = NULL;
    trSimDef    def = tr_sim_def_default();
    snprintf(file, sizeof file, "%s/models/%s", SOURCE_DIR, run->model);
    GOOD(tr_lua_load(file, NULL, &model, &def));
    def.duration = run->duration;
    def.times = (trNumbers){0};
    def.max_step = max_step > 0.0 ? max_step : def.max_step;
    def.sample = run->duration / (run->rows - 1);
    def.method = run->method != NULL ? run->method : def.method;
    if (run->integrator != NULL) {  // in place of one that is a method, with its options
        def.integrator = run->integrator;
        def.method = run->method;
        def.options = NULL;
    }
    GOOD(tr_system_build(model, &system));
    GOOD(tr_sim_create(system, &def, &sim));
    GOOD(tr_recorder_create(&recorder));
    GOOD(tr_recorder_add_hdf5(recorder, path));
    trSimDef chosen = tr_sim_def(sim);
    note(recorder, "model_text", tr_model_source(model));
    note(recorder, "model_parameters", tr_model_given(model));
    note(recorder, "method", chosen.method);
    note(recorder, "formulation", chosen.formulation);
    note(recorder, "stabilization", chosen.stabilization);
    note(recorder, "integrator", chosen.integrator);
    note_number(recorder, "start", chosen.start);
    note_number(recorder, "duration", chosen.duration);
    note_number(recorder, "sample", chosen.sample);
    note_number(recorder, "rtol", chosen.rtol);
    note_number(recorder, "atol", chosen.atol);
    GOOD(tr_sim_run(sim, recorder, NULL));
    GOOD(tr_recorder_close(recorder, "done"));
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

void run_to_file(const Run *run, const char *path) {
    run_with_steps(run, 0.0, path);
}

double *read_table(const char *path, long *rows, int *columns) {
    trResult *result = NULL;
    GOOD(tr_result_open(path, &result));
    *rows = tr_result_rows(result);
    *columns = tr_result_columns(result);
    double *table = malloc((size_t)*rows * (size_t)*columns * sizeof *table);
    assert_non_null(table);
    GOOD(tr_result_read(result, 0, *rows, table));
    tr_result_close(result);
    return table;
}

void put_number(const char *path, long row, int column, double value) {
    const hsize_t start[2] = {(hsize_t)row, (hsize_t)column}, count[2] = {1, 1};
    hid_t         file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t         set = H5Dopen2(file, "rows", H5P_DEFAULT), space = H5Dget_space(set);
    hid_t         single = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, single, space, H5P_DEFAULT, &value) >= 0);
    H5Sclose(single);
    H5Sclose(space);
    H5Dclose(set);
    assert_true(H5Fclose(file) >= 0);
}

long count_findings(const char *path, bool checksums, char *first, size_t size) {
    trVerification *seen = NULL;
    trVerifyOptions options = tr_verify_options_default();
    options.no_checksums = !checksums;
    GOOD(tr_verify(path, &options, &seen));
    long findings = seen->findings;
    if (first != NULL) {
        first[0] = '\0';
    }
    if (first != NULL && seen->kept > 0) {
        const trVerifyFinding *f = &seen->finding[0];
        snprintf(first, size, "row %ld, t = %g s: %s, off by %g %s (%s)", f->row, f->time, f->what,
                 f->off, f->unit, tr_verify_word(f->kind));
    }
    tr_verification_free(seen);
    return findings;
}

uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

double next_part(uint32_t *seed) {
    return next_random(seed) / (double)(1u << 24);
}
