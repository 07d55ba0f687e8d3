// SPDX-License-Identifier: MIT
// What is wrong with an FMU is said in one line, and leaves nothing behind in the temporary folder.

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "fmi/make_fmu.h"
#include "fmi/oscillator.h"
#include "support/test.h"
#include "trammel/fmi.h"
#include "trammel/module.h"

static char temporary[256];  // TMPDIR of this test

static int entries_of(const char *folder) {
    DIR *list = opendir(folder);
    int  count = 0;
    assert_non_null(list);
    while (readdir(list) != NULL) {
        count++;
    }
    closedir(list);
    return count - 2;  // "." and ".."
}

static Plan whole(int version) {
    return (Plan){
        .version = version, .exchange = true, .co = true, .repeats = true, .serializes = true};
}

static void expect_text(const char *part) {
    if (strstr(tr_last_error(), part) == NULL) {
        fail_msg("'%s' is not in: %s", part, tr_last_error());
    }
    assert_null(strchr(tr_last_error(), '\n'));
}

static void refuses_file(const char *path, const trFmuDef *def, trStatus status, const char *part) {
    trModule module;
    trStatus got = tr_fmu_open(path, def, &module);
    if (got != status) {
        fail_msg("%s in place of %s: %s", tr_status_text(got), tr_status_text(status),
                 got != TR_OK ? tr_last_error() : "");
    }
    expect_text(part);
    expect_text(path);
    assert_null(module.self);
    assert_int_equal(entries_of(temporary), 0);
}

static void refuses(const Plan *plan, const trFmuDef *def, trStatus status, const char *part) {
    char path[256];
    make_path(path, "refused.fmu");
    make_fmu(path, plan);
    refuses_file(path, def, status, part);
    unlink(path);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void missing_files_and_folders(void **state) {
    refuses_file("no/such.fmu", NULL, TR_E_IO, "cannot be read: No such file");
    refuses_file(FMU_FOLDER, NULL, TR_E_IO, "is a folder; give the .fmu file");
}

static void files_that_are_no_zip(void **state) {
    char path[256];
    make_path(path, "text.fmu");
    write_file(path, "this is not a zip file, only text");
    refuses_file(path, NULL, TR_E_IO, "is not a zip file");
    write_file(path, "");
    refuses_file(path, NULL, TR_E_IO, "is not a zip file");
    unlink(path);
}

static void truncated_and_damaged_files(void **state) {
    char        path[256];
    struct stat about;
    Plan        plan = whole(2);
    make_path(path, "cut.fmu");
    make_fmu(path, &plan);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(truncate(path, about.st_size / 2), 0);
    refuses_file(path, NULL, TR_E_IO, "is not a zip file");
    // Bytes inside the packed description: its checksum does not fit.
    make_fmu(path, &plan);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 200, SEEK_SET), 0);
    fputs("damage", file);
    fclose(file);
    refuses_file(path, NULL, TR_E_IO, "'modelDescription.xml' in it is damaged");
    unlink(path);
}

static void descriptions_that_are_none(void **state) {
    Plan plan = whole(2);
    plan.xml = "";
    refuses(&plan, NULL, TR_E_MODEL, "has no modelDescription.xml");
    plan.xml = "<fmiModelDescription fmiVersion=\"2.0\">\n<broken";
    refuses(&plan, NULL, TR_E_MODEL, "modelDescription.xml, line 2: broken: ");
    plan.xml = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<a/>";
    refuses(&plan, NULL, TR_E_MODEL, "modelDescription.xml");
    plan.xml = "<html/>";
    refuses(&plan, NULL, TR_E_MODEL, "is not that of an FMU");
    plan.xml = "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>";
    refuses(&plan, NULL, TR_E_MODEL, "has a document type");
    plan.xml = "<fmiModelDescription fmiVersion=\"2.0\"/>";
    refuses(&plan, NULL, TR_E_MODEL, "has no ports");
}

static void kinds_that_are_not_there(void **state) {
    trFmuDef def = tr_fmu_def_default();
    Plan     plan = whole(2);
    plan.co = false;
    def.kind = TR_FMU_CO_SIMULATION;
    refuses(&plan, &def, TR_E_MODEL, "is not for Co-Simulation");
    plan.co = true;
    plan.exchange = false;
    def.kind = TR_FMU_MODEL_EXCHANGE;
    refuses(&plan, &def, TR_E_MODEL, "is not for Model Exchange; leave the kind out");
    plan.co = false;
    refuses(&plan, NULL, TR_E_MODEL, "nor for Co-Simulation");
}

static void binaries_that_do_not_fit(void **state) {
    Plan plan = whole(2);
    plan.platform = "win64";
    char text[256], path[256];
    snprintf(text, sizeof text, "has no binary for this machine (%s); it has win64",
             make_platform(2));
    refuses(&plan, NULL, TR_E_MODEL, text);
    make_path(path, "library");
    write_file(path, "no library");
    plan = whole(3);
    plan.binary = path;
    refuses(&plan, NULL, TR_E_MODEL, "its binary cannot be loaded: plate.so: ");
    unlink(path);
    plan.binary = FMU_BINARY2;
    refuses(&plan, NULL, TR_E_MODEL, "has no function fmi3");
}

// The folder is right, but the file says in its ELF header that it was built for RISC-V.
static void binaries_of_other_processors_are_refused(void **state) {
    static const char head[64] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\363\0\1";
    char              path[256], text[256];
    make_path(path, "foreign");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(head, 1, sizeof head, file), sizeof head);
    assert_int_equal(fclose(file), 0);
    for (int version = 2; version <= 3; version++) {
        const char *here = make_platform(version);
        Plan        plan = whole(version);
        plan.binary = path;
        snprintf(text, sizeof text,
                 "has no binary for this machine (%s); it has %s (for another processor)", here,
                 here);
        refuses(&plan, NULL, TR_E_MODEL, text);
    }
    unlink(path);
}

static void tokens_that_do_not_fit(void **state) {
    for (int version = 2; version <= 3; version++) {
        Plan plan = whole(version);
        plan.token = "{another}";
        refuses(&plan, NULL, TR_E_MODEL, "refuses to start: wrong ");
    }
}

static void paths_that_lead_out(void **state) {
    static const char *const names[] = {"../evil",   "resources/../../evil",
                                        "/tmp/evil", "binaries\\evil",
                                        "c:/evil",   "resources/.."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Plan plan = whole(2);
        plan.extra = names[i];
        refuses(&plan, NULL, TR_E_MODEL, "would be written outside of its folder");
    }
}

// 65 MB of spaces pack into 64 kB.
static void descriptions_that_grow(void **state) {
    char   path[256];
    int    code = 0;
    size_t size = (size_t)65 << 20;
    char  *spaces = malloc(size);
    assert_non_null(spaces);
    memset(spaces, ' ', size);
    make_path(path, "bomb.fmu");
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    assert_non_null(zip);
    assert_true(
        zip_file_add(zip, "modelDescription.xml", zip_source_buffer(zip, spaces, size, 0), 0) >= 0);
    assert_int_equal(zip_close(zip), 0);
    free(spaces);
    refuses_file(path, NULL, TR_E_MODEL, "is larger than 64 MB, the limit");
    unlink(path);
}

static void answers_that_are_no_numbers(void **state) {
    for (int version = 2; version <= 3; version++) {
        const trFmuSet set = {"trouble", NO_NUMBER, NULL};
        trFmuDef       def = tr_fmu_def_default();
        Plan           plan = whole(version);
        def.sets = 1;
        def.set = &set;
        refuses(&plan, &def, TR_NOT_FINITE, "a value that is not finite for 'tip.ay' at t = 0 s");
    }
}

static void events_without_end(void **state) {
    for (int version = 2; version <= 3; version++) {
        trFmuSet set = {"trouble", NEVER_SETTLES, NULL};
        trFmuDef def = tr_fmu_def_default();
        Plan     plan = whole(version);
        def.sets = 1;
        def.set = &set;
        refuses(&plan, &def, TR_E_SIMULATION, "does not finish its events");
        set.value = ENDS_ITSELF;
        refuses(&plan, &def, TR_E_SIMULATION, "ends the simulation at t = 0 s");
    }
}

static void steps_that_fail(void **state) {
    static const struct {
        int         trouble;
        const char *part;
    } cases[] = {
        {STEP_FAILS, "reports an error when asked to take a step; its message: spring broken"},
        {STEP_IS_FATAL, "reports a fatal error when asked to take a step"},
        {STEP_IS_DISCARDED, "discards it when asked to take a step"}};
    for (int i = 0; i < 6; i++) {
        const trFmuSet set = {"trouble", cases[i / 2].trouble, NULL};
        trFmuDef       def = tr_fmu_def_default();
        Plan           plan = whole(2 + i % 2);
        trModule       m;
        char           path[256];
        def.kind = TR_FMU_CO_SIMULATION;
        def.sets = 1;
        def.set = &set;
        make_path(path, "failing.fmu");
        make_fmu(path, &plan);
        assert_int_equal(tr_fmu_open(path, &def, &m), TR_OK);
        assert_int_equal(m.predict(m.self, &(trGlueStep){.t = 0.0}), 0);
        assert_int_not_equal(m.predict(m.self, &(trGlueStep){.t = 0.1, .h = 0.1}), 0);
        if (strstr(m.error(m.self), cases[i / 2].part) == NULL ||
            strstr(m.error(m.self), "t = 0 s, step 0.1 s: ") == NULL) {
            fail_msg("%s", m.error(m.self));
        }
        m.close(m.self);
        assert_int_equal(entries_of(temporary), 0);
        unlink(path);
    }
}

static void co_simulation_that_cannot_repeat(void **state) {
    trFmuDef def = tr_fmu_def_default();
    Plan     plan = whole(2);
    plan.repeats = false;
    def.kind = TR_FMU_CO_SIMULATION;
    refuses(&plan, &def, TR_E_UNSUPPORTED, "cannot repeat a step (no canGetAndSetFMUstate)");
    def.explicit_steps = 1;
    plan.no_accelerations = true;
    refuses(&plan, &def, TR_E_UNSUPPORTED, "does not provide accelerations");
}

static void steps_and_levels_out_of_order(void **state) {
    char     path[256];
    double   w[6] = {0};
    trModule m;
    Plan     plan = whole(2);
    make_path(path, "order.fmu");
    make_fmu(path, &plan);
    assert_int_equal(tr_fmu_open(path, NULL, &m), TR_OK);
    assert_int_not_equal(m.predict(m.self, &(trGlueStep){.t = 0.3, .h = 0.1}), 0);
    assert_non_null(strstr(m.error(m.self), "is at t = 0 s, but must step from t = 0.2 s"));
    assert_int_not_equal(m.apply(m.self, TR_LEVEL_POSITION, w), 0);
    assert_non_null(strstr(m.error(m.self), "accepts forces only"));
    w[0] = NAN;
    assert_int_not_equal(m.apply(m.self, TR_LEVEL_FORCE, w), 0);
    m.close(m.self);
    unlink(path);
}

static int set_up(void **state) {
    make_path(temporary, "tmp");
    return mkdir(temporary, 0700) != 0 || setenv("TMPDIR", temporary, 1) != 0;
}

static int tear_down(void **state) {
    return rmdir(temporary);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_files_and_folders),
        cmocka_unit_test(files_that_are_no_zip),
        cmocka_unit_test(truncated_and_damaged_files),
        cmocka_unit_test(descriptions_that_are_none),
        cmocka_unit_test(kinds_that_are_not_there),
        cmocka_unit_test(binaries_that_do_not_fit),
        cmocka_unit_test(binaries_of_other_processors_are_refused),
        cmocka_unit_test(tokens_that_do_not_fit),
        cmocka_unit_test(paths_that_lead_out),
        cmocka_unit_test(descriptions_that_grow),
        cmocka_unit_test(answers_that_are_no_numbers),
        cmocka_unit_test(events_without_end),
        cmocka_unit_test(steps_that_fail),
        cmocka_unit_test(co_simulation_that_cannot_repeat),
        cmocka_unit_test(steps_and_levels_out_of_order),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
