// SPDX-License-Identifier: MIT
// The recorder: several sinks at once, the order of calls, and the flush once a second, on a clock
// that the test moves.

#include "base/clock.h"
#include "record/scratch.h"
#include "support/test.h"
#include "trammel/hdf5.h"
#include "trammel/record.h"

// Stands in for base/clock.c, so that no test has to wait.
static double now = 100.0;

double tr_clock_wall(void) {
    return now;
}

double tr_clock_cpu(void) {
    return now;
}

static const trColumn columns[] = {{"t", "s"}, {"x", "m"}};
static const double   rows[3][2] = {{0.0, 1.0}, {0.5, 2.0}, {1.0, 4.0}};

static int make_scratch(void **state) {
    static Scratch scratch;
    *state = &scratch;
    return scratch_make(&scratch, "r");
}

static int drop_scratch(void **state) {
    scratch_drop(*state);
    return 0;
}

static trRecorder *recorder_with(const char *kind, const char *path) {
    trRecorder *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(strcmp(kind, "hdf5") == 0 ? tr_recorder_add_hdf5(recorder, path)
                                               : tr_recorder_add(recorder, kind, path),
                     TR_OK);
    return recorder;
}

static void file_is(const char *path, const char *expected) {
    char *text = read_text(path);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void every_sink_gets_every_row(void **state) {
    const Scratch *scratch = *state;
    trRecorder    *recorder = recorder_with("csv", scratch->path);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    assert_int_equal(tr_recorder_note(recorder, "model", "crank"), TR_OK);
    assert_null(tr_recorder_table(recorder));
    assert_int_equal(tr_recorder_begin(recorder, 2, columns, 3), TR_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tr_recorder_row(recorder, rows[i]), TR_OK);
    }
    assert_int_equal(tr_recorder_rows(recorder), 3);
    assert_int_equal(tr_recorder_columns(recorder), 2);
    assert_int_equal(tr_recorder_find(recorder, "x"), 1);
    assert_int_equal(tr_recorder_find(recorder, "y"), -1);
    assert_memory_equal(tr_recorder_table(recorder), rows, sizeof rows);
    assert_int_equal(tr_recorder_close(recorder, "done"), TR_OK);
    file_is(scratch->path, "t [s],x [m]\n0,1\n0.5,2\n1,4\n");
    assert_memory_equal(tr_recorder_table(recorder), rows, sizeof rows);  // until it is destroyed
    tr_recorder_destroy(recorder);
}

// Files of HDF5 are closed here, so that a test sees what is on disk by then.
static const char *seen_at_close;  // path of another file; NULL: none
static char        text_at_close[100];

herr_t __real_H5Fclose(hid_t file);
herr_t __wrap_H5Fclose(hid_t file);

herr_t __wrap_H5Fclose(hid_t file) {
    if (seen_at_close != NULL) {
        char *text = read_text(seen_at_close);
        assert_non_null(text);
        snprintf(text_at_close, sizeof text_at_close, "%s", text);
        free(text);
    }
    return __real_H5Fclose(file);
}

// A run that says it is done cannot be resumed: what was not written by then would be missing.
static void rows_are_written_everywhere_before_a_file_says_done(void **state) {
    const Scratch *scratch = *state;
    char           table[sizeof scratch->path + 4];
    snprintf(table, sizeof table, "%s.csv", scratch->path);
    for (int csv_first = 0; csv_first < 2; csv_first++) {
        trRecorder *recorder =
            csv_first ? recorder_with("csv", table) : recorder_with("hdf5", scratch->path);
        assert_int_equal(csv_first ? tr_recorder_add_hdf5(recorder, scratch->path)
                                   : tr_recorder_add(recorder, "csv", table),
                         TR_OK);
        assert_int_equal(tr_recorder_begin(recorder, 2, columns, 3), TR_OK);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(tr_recorder_row(recorder, rows[i]), TR_OK);
        }
        seen_at_close = table;
        assert_int_equal(tr_recorder_close(recorder, "done"), TR_OK);
        seen_at_close = NULL;
        assert_string_equal(text_at_close, "t [s],x [m]\n0,1\n0.5,2\n1,4\n");
        tr_recorder_destroy(recorder);
    }
    remove(table);
}

static void rows_that_waited_a_second_are_flushed(void **state) {
    const Scratch *scratch = *state;
    trRecorder    *recorder = recorder_with("csv", scratch->path);
    assert_int_equal(tr_recorder_begin(recorder, 2, columns, 0), TR_OK);
    assert_int_equal(tr_recorder_row(recorder, rows[0]), TR_OK);
    now += 0.875;
    assert_int_equal(tr_recorder_tick(recorder), TR_OK);
    file_is(scratch->path, "t [s],x [m]\n");
    now += 0.125;
    assert_int_equal(tr_recorder_tick(recorder), TR_OK);
    file_is(scratch->path, "t [s],x [m]\n0,1\n");
    // The second counts from the last flush.
    assert_int_equal(tr_recorder_row(recorder, rows[1]), TR_OK);
    now += 0.875;
    assert_int_equal(tr_recorder_tick(recorder), TR_OK);
    file_is(scratch->path, "t [s],x [m]\n0,1\n");
    tr_recorder_destroy(recorder);
    file_is(scratch->path, "t [s],x [m]\n0,1\n0.5,2\n");
}

static void notes_reach_the_file_and_the_last_word_counts(void **state) {
    const Scratch *scratch = *state;
    trRecorder    *recorder = recorder_with("hdf5", scratch->path);
    assert_int_equal(tr_recorder_note(recorder, "model", "draft"), TR_OK);
    assert_int_equal(tr_recorder_note(recorder, "method", "lagrange"), TR_OK);
    assert_int_equal(tr_recorder_note(recorder, "model", "crank"), TR_OK);
    assert_int_equal(tr_recorder_begin(recorder, 2, columns, 0), TR_OK);
    tr_recorder_destroy(recorder);

    const char *const expected[][2] = {{"model", "crank"}, {"method", "lagrange"}};
    hid_t             file = H5Fopen(scratch->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    for (int i = 0; i < 2; i++) {
        char  text[64] = {0};
        hid_t attribute = H5Aopen(file, expected[i][0], H5P_DEFAULT);
        hid_t type = H5Aget_type(attribute);
        assert_true(H5Tget_size(type) < sizeof text);
        assert_true(H5Aread(attribute, type, text) >= 0);
        assert_string_equal(text, expected[i][1]);
        H5Tclose(type);
        H5Aclose(attribute);
    }
    char  outcome[2048] = {0};
    hid_t set = H5Dopen2(file, "outcome", H5P_DEFAULT);
    hid_t type = H5Dget_type(set);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, outcome) >= 0);
    assert_string_equal(outcome, "abandoned");
    H5Tclose(type);
    H5Dclose(set);
    H5Fclose(file);
}

static void more_rows_than_planned_are_refused(void **state) {
    trRecorder *recorder = recorder_with("memory", NULL);
    assert_int_equal(tr_recorder_begin(recorder, 2, columns, 2), TR_OK);
    assert_int_equal(tr_recorder_row(recorder, rows[0]), TR_OK);
    assert_int_equal(tr_recorder_row(recorder, rows[1]), TR_OK);
    assert_int_equal(tr_recorder_row(recorder, rows[2]), TR_E_ARGUMENT);
    assert_string_equal(tr_last_error(), "memory: only 2 rows were planned");
    assert_int_equal(tr_recorder_rows(recorder), 2);
    tr_recorder_destroy(recorder);
}

// The first sink is open when the second one cannot be; it must be closed all the same. The probe
// finds nothing wrong with a device, which HDF5 then refuses.
static void a_recorder_that_cannot_begin_can_be_closed(void **state) {
    const Scratch *scratch = *state;
    trRecorder    *recorder = recorder_with("csv", scratch->path);
    assert_int_equal(tr_recorder_add_hdf5(recorder, "/dev/null"), TR_OK);
    assert_int_equal(tr_recorder_begin(recorder, 2, columns, 1), TR_E_IO);
    assert_string_equal(tr_last_error(), "/dev/null: cannot create: not a file");
    assert_int_equal(tr_recorder_row(recorder, rows[0]), TR_E_ARGUMENT);
    assert_int_equal(tr_recorder_close(recorder, "failed"), TR_OK);
    tr_recorder_destroy(recorder);
    file_is(scratch->path, "t [s],x [m]\n");
}

static void write_old_results(const char *path) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs("old", file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void old_results_stay_where_another_file_cannot_be_written(void **state) {
    const Scratch *scratch = *state;
    write_old_results(scratch->path);
    trRecorder *recorder = recorder_with("csv", scratch->path);
    assert_int_equal(tr_recorder_add_hdf5(recorder, "no-such-folder/r.h5"), TR_OK);
    assert_int_equal(tr_recorder_begin(recorder, 2, columns, 1), TR_E_IO);
    assert_string_equal(tr_last_error(),
                        "no-such-folder/r.h5: cannot create: No such file or directory");
    assert_int_equal(tr_recorder_row(recorder, rows[0]), TR_E_ARGUMENT);
    tr_recorder_destroy(recorder);
    file_is(scratch->path, "old");
    // A folder is as little a file.
    recorder = recorder_with("csv", scratch->path);
    assert_int_equal(tr_recorder_add(recorder, "csv", scratch->folder), TR_OK);
    assert_int_equal(tr_recorder_begin(recorder, 2, columns, 1), TR_E_IO);
    assert_non_null(strstr(tr_last_error(), ": cannot create: Is a directory"));
    tr_recorder_destroy(recorder);
    file_is(scratch->path, "old");
}

static void two_sinks_cannot_have_the_same_file(void **state) {
    const Scratch *scratch = *state;
    char           other[SCRATCH_PATH + 2], expected[2 * SCRATCH_PATH];
    const char    *name = strrchr(scratch->path, '/') + 1;
    snprintf(other, sizeof other, "%s/./%s", scratch->folder, name);
    const char *const paths[] = {scratch->path, other};
    for (int i = 0; i < 2; i++) {
        trRecorder *recorder = recorder_with("csv", scratch->path);
        assert_int_equal(tr_recorder_add_hdf5(recorder, paths[i]), TR_OK);
        assert_int_equal(tr_recorder_begin(recorder, 2, columns, 1), TR_E_ARGUMENT);
        snprintf(expected, sizeof expected,
                 "%s: csv and hdf5 cannot both be written to it; choose two files", paths[i]);
        assert_string_equal(tr_last_error(), expected);
        tr_recorder_destroy(recorder);
        assert_int_equal(access(scratch->path, F_OK), -1);
    }
    // Nor is there a second standard output.
    trRecorder *twice = recorder_with("csv", "-");
    assert_int_equal(tr_recorder_add(twice, "csv", "-"), TR_OK);
    assert_int_equal(tr_recorder_begin(twice, 2, columns, 1), TR_E_ARGUMENT);
    tr_recorder_destroy(twice);
    // Memory has no file, whatever its path says.
    trRecorder *recorder = recorder_with("csv", scratch->path);
    assert_int_equal(tr_recorder_add(recorder, "memory", scratch->path), TR_OK);
    assert_int_equal(tr_recorder_begin(recorder, 2, columns, 1), TR_OK);
    tr_recorder_destroy(recorder);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_scratch, drop_scratch)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_sink_gets_every_row),
        TEST(rows_are_written_everywhere_before_a_file_says_done),
        TEST(rows_that_waited_a_second_are_flushed),
        TEST(notes_reach_the_file_and_the_last_word_counts),
        TEST(more_rows_than_planned_are_refused),
        TEST(a_recorder_that_cannot_begin_can_be_closed),
        TEST(old_results_stay_where_another_file_cannot_be_written),
        TEST(two_sinks_cannot_have_the_same_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
