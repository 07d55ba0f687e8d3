// SPDX-License-Identifier: MIT
// A program may set a locale in which numbers have a comma: files are the same, and are read alike.

#include "verify/runs.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 41
#define COMMAND_SIZE 512

// Names made from numbers are those of results, too.
static const char model_text[] =
    "local m = model { name = 'pendulum ' .. 1.5, gravity = { 0, -9.81 } }\n"
    "local a = m:body { name = 'rod ' .. 0.5, mass = 1, inertia = 0.1, at = { 0.5, 0 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0 } }\n"
    "m:simulate { duration = 0.75, sample = 0.125 }\n"
    "return m\n";

// Made here, as systems need not have one. False: it cannot be made.
static bool set_comma(const Scratch *scratch) {
    char        command[COMMAND_SIZE];
    const char *source = "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\n"
                         "END LC_NUMERIC\n";
    FILE       *file = fopen(scratch->path, "w");
    assert_true(file != NULL && fputs(source, file) >= 0 && fclose(file) == 0);
    snprintf(command, sizeof command, "localedef -c -i %s %s/comma >/dev/null 2>&1", scratch->path,
             scratch->folder);
    // NOLINTNEXTLINE(cert-env33-c,concurrency-mt-unsafe): a tool of the system, with paths of ours.
    int outcome = system(command);
    (void)outcome;  // it warns of categories that are missing
    setenv("LOCPATH", scratch->folder, 1);
    return setlocale(LC_NUMERIC, "comma") != NULL && localeconv()->decimal_point[0] == ',';
}

static void drop_comma(const Scratch *scratch) {
    char command[COMMAND_SIZE];
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf %s/comma", scratch->folder);
    // NOLINTNEXTLINE(cert-env33-c,concurrency-mt-unsafe)
    assert_int_equal(system(command), 0);
}

static char *write_table(const char *path) {
    trModel    *model = NULL;
    trSystem   *system = NULL;
    trSim      *sim = NULL;
    trRecorder *recorder = NULL;
    trSimDef    def = tr_sim_def_default();
    assert_int_equal(tr_lua_load_text("a.lua", model_text, strlen(model_text), NULL, &model, &def),
                     TR_OK);
    assert_true(def.duration == 0.75);
    assert_int_equal(tr_system_build(model, &system), TR_OK);
    assert_int_equal(tr_sim_create(system, &def, &sim), TR_OK);
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "csv", path), TR_OK);
    assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    tr_system_destroy(system);
    tr_model_destroy(model);
    return read_text(path);
}

static void files_are_the_same_with_a_comma(void **state) {
    const Run four_bar = {"benchmark/four_bar.lua", 1.0, ROWS, NULL, NULL};
    Scratch   place, scratch, results;
    char      first[256] = "";
    assert_true(scratch_make(&place, "source") == 0 && scratch_make(&scratch, "r.csv") == 0 &&
                scratch_make(&results, "r.h5") == 0);
    char *usual = write_table(scratch.path);
    assert_non_null(strstr(usual, "rod 0.5.x"));
    run_to_file(&four_bar, results.path);  // with notes that this file prints
    bool  comma = set_comma(&place);
    char *table = write_table(scratch.path);
    assert_string_equal(table, usual);
    free(table);
    free(usual);
    trVerification *seen = NULL;
    trVerifyOptions options = tr_verify_options_default();
    long            findings = count_findings(results.path, true, first, sizeof first);
    assert_int_equal(tr_verify(results.path, &options, &seen), TR_OK);
    assert_true(!comma || localeconv()->decimal_point[0] == ',');  // it is the program's again
    drop_comma(&place);
    assert_int_equal(findings, 0);
    for (int i = 0; i < seen->notes; i++) {
        assert_null(strstr(seen->note[i], "did not note"));
    }
    tr_verification_free(seen);
    scratch_drop(&scratch);
    scratch_drop(&results);
    scratch_drop(&place);
    if (!comma) {
        print_message("no locale with a comma could be made\n");
        skip();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_the_same_with_a_comma),
    };
    return cmocka_run_group_tests_name("locale", tests, NULL, NULL);
}
