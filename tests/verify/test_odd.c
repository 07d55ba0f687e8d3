// SPDX-License-Identifier: MIT
// Files that no run would write: another model's text, other columns, missing rows, numbers that
// are none. Nothing crashes, nothing passes that is wrong, and words say what it is.

#include "verify/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trammel/hdf5.h"

#define ROWS 41

static const Run four_bar = {"benchmark/four_bar.lua", 1.0, ROWS, NULL, NULL};
static const Run coin = {"guide/coin.lua", 0.1, ROWS, NULL, NULL};

// What a copy changes. Zero: nothing.
typedef struct Change {
    long        first, rows;    // of the source; rows < 0: none
    const char *column, *name;  // a column and its new name
    const char *text;           // the model's
    const char *without;        // a note that is left out
    const char *outcome;
} Change;

typedef struct Files {
    Scratch good, copy;
} Files;

static int make_files(void **state) {
    static Files files;
    *state = &files;
    return scratch_make(&files.good, "good.h5") || scratch_make(&files.copy, "copy.h5");
}

static int drop_files(void **state) {
    Files *files = *state;
    scratch_drop(&files->good);
    scratch_drop(&files->copy);
    return 0;
}

static void copy_notes(trResult *from, const Change *change, trRecorder *to) {
    static const char *const keys[] = {
        "model_text", "model_parameters", "method", "formulation", "stabilization", "integrator",
        "start",      "duration",         "sample", "rtol"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *text = tr_result_note(from, keys[i]);
        bool        model = strcmp(keys[i], "model_text") == 0 && change->text != NULL;
        bool        left = change->without != NULL && strcmp(keys[i], change->without) == 0;
        if (text != NULL && !left) {
            assert_int_equal(tr_recorder_note(to, keys[i], model ? change->text : text), TR_OK);
        }
    }
}

static void copy_file(const Files *files, const Change *change) {
    trResult   *from = NULL;
    trRecorder *to = NULL;
    assert_int_equal(tr_result_open(files->good.path, &from), TR_OK);
    int       columns = tr_result_columns(from);
    long      count = change->rows == 0  ? tr_result_rows(from) - change->first
                      : change->rows < 0 ? 0
                                         : change->rows;
    trColumn *column = calloc((size_t)columns, sizeof *column);
    double   *row = calloc((size_t)columns, sizeof *row);
    assert_true(column != NULL && row != NULL);
    for (int i = 0; i < columns; i++) {
        column[i] = *tr_result_column(from, i);
        bool renamed = change->column != NULL && strcmp(column[i].name, change->column) == 0;
        column[i].name = renamed ? change->name : column[i].name;
    }
    assert_int_equal(tr_recorder_create(&to), TR_OK);
    assert_int_equal(tr_recorder_add_hdf5(to, files->copy.path), TR_OK);
    copy_notes(from, change, to);
    assert_int_equal(tr_recorder_begin(to, columns, column, count), TR_OK);
    for (long i = 0; i < count; i++) {
        assert_int_equal(tr_result_read(from, change->first + i, 1, row), TR_OK);
        assert_int_equal(tr_recorder_row(to, row), TR_OK);
    }
    const char *outcome = change->outcome != NULL ? change->outcome : "done";
    assert_int_equal(tr_recorder_close(to, outcome), TR_OK);
    tr_recorder_destroy(to);
    tr_result_close(from);
    free(column);
    free(row);
}

static char *model_text(const char *path) {
    trResult *result = NULL;
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    const char *text = tr_result_note(result, "model_text");
    char       *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    memcpy(copy, text, strlen(text) + 1);
    tr_result_close(result);
    return copy;
}

static trVerification *verify(const char *path) {
    trVerification *seen = NULL;
    trVerifyOptions options = tr_verify_options_default();
    if (tr_verify(path, &options, &seen) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return seen;
}

static void refuses(const char *path, const char *words) {
    trVerification *seen = NULL;
    trVerifyOptions options = tr_verify_options_default();
    assert_int_equal(tr_verify(path, &options, &seen), TR_E_IO);
    assert_null(seen);
    assert_non_null(strstr(tr_last_error(), words));
}

static void finds(const char *path, trVerifyKind kind, const char *words) {
    trVerification *seen = verify(path);
    if (seen->figure[kind].findings == 0 || strstr(seen->figure[kind].worst.what, words) == NULL) {
        fail_msg("%s: %ld findings, '%s'", words, seen->figure[kind].findings,
                 seen->figure[kind].worst.what == NULL ? "" : seen->figure[kind].worst.what);
    }
    tr_verification_free(seen);
}

static void finds_nothing(const char *path) {
    char first[256];
    if (count_findings(path, true, first, sizeof first) != 0) {
        fail_msg("%s", first);
    }
}

static void a_plain_copy_passes(void **state) {
    const Files *files = *state;
    run_to_file(&four_bar, files->good.path);
    copy_file(files, &(Change){0});
    finds_nothing(files->copy.path);
}

static void another_models_text_is_refused(void **state) {
    const Files *files = *state;
    run_to_file(&coin, files->good.path);
    char *text = model_text(files->good.path);
    run_to_file(&four_bar, files->good.path);
    copy_file(files, &(Change){.text = text});
    refuses(files->copy.path, "columns are not those of the model text");
    free(text);
}

// The same bodies and joints with another gravity: only the physics can tell.
static void an_altered_model_is_found_in_every_row(void **state) {
    const Files *files = *state;
    run_to_file(&four_bar, files->good.path);
    char *text = model_text(files->good.path), *place = strstr(text, "9.81");
    assert_non_null(place);
    place[3] = '2';
    copy_file(files, &(Change){.text = text});
    trVerification *seen = verify(files->copy.path);
    assert_int_equal(seen->figure[TR_VERIFY_TEXT].findings, 0);
    assert_int_equal(seen->figure[TR_VERIFY_BALANCE].findings, ROWS);
    tr_verification_free(seen);
    free(text);
}

static void renamed_columns_are_refused(void **state) {
    const Files *files = *state;
    run_to_file(&four_bar, files->good.path);
    copy_file(files, &(Change){.column = "crank.ax", .name = "crank.ay"});
    refuses(files->copy.path, "columns are not those of the model text");
    copy_file(files, &(Change){.column = "violation.position.length", .name = "x"});
    refuses(files->copy.path, "columns are not those of the model text");
    copy_file(files, &(Change){.column = "t", .name = "time"});
    refuses(files->copy.path, "columns are not those of the model text");
}

// Rows that are missing were lost, unless they are the last ones and the run says that it did not
// end.
static void rows_are_those_that_were_asked_for(void **state) {
    const Files *files = *state;
    run_to_file(&four_bar, files->good.path);
    for (long first = 1; first < ROWS; first += 13) {
        copy_file(files, &(Change){.first = first});
        finds(files->copy.path, TR_VERIFY_TIME, "missing");
    }
    copy_file(files, &(Change){.first = 4, .outcome = "interrupted"});
    finds(files->copy.path, TR_VERIFY_TIME, "missing");
    copy_file(files, &(Change){.rows = -1});
    finds(files->copy.path, TR_VERIFY_TIME, "missing");
    copy_file(files, &(Change){.rows = ROWS - 3});
    finds(files->copy.path, TR_VERIFY_TIME, "missing");
    copy_file(files, &(Change){.rows = ROWS - 3, .outcome = "interrupted"});
    finds_nothing(files->copy.path);
    copy_file(files, &(Change){.rows = 1, .outcome = "interrupted"});
    finds_nothing(files->copy.path);
    copy_file(files, &(Change){.rows = -1, .outcome = "failed: at once"});
    finds_nothing(files->copy.path);
}

static void numbers_that_are_none(void **state) {
    const Files *files = *state;
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e308};
    run_to_file(&four_bar, files->good.path);
    long    rows = 0;
    int     columns = 0;
    double *table = read_table(files->good.path, &rows, &columns);
    for (int c = 0; c < columns; c++) {
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            put_number(files->good.path, 20, c, bad[k]);
            if (count_findings(files->good.path, false, NULL, 0) == 0) {
                fail_msg("column %d: %g is not found", c, bad[k]);
            }
        }
        put_number(files->good.path, 20, c, table[20 * columns + c]);
    }
    put_number(files->good.path, 20, 5, NAN);
    finds(files->good.path, TR_VERIFY_NUMBER, "not finite");
    free(table);
}

// The largest distance of `energy.balance` from its first number, whatever else is off.
static void drift_of_energy_is_told(void **state) {
    const Files *files = *state;
    long         rows = 0;
    int          columns = 0;
    double       most = 0.0;
    run_to_file(&four_bar, files->good.path);
    double *table = read_table(files->good.path, &rows, &columns);
    for (long i = 0; i < rows; i++) {
        most = fmax(most, fabs(table[i * columns + columns - 5] - table[columns - 5]));
    }
    trVerification *seen = verify(files->good.path);
    assert_true(most > 0.0 && seen->energy_drift == most);
    assert_true(seen->energy_start == table[columns - 5]);
    assert_string_equal(seen->energy_unit, "J");
    tr_verification_free(seen);
    put_number(files->good.path, 10, columns - 5, table[columns - 5] + 3.0);
    seen = verify(files->good.path);
    assert_true(fabs(seen->energy_drift - 3.0) < 1e-12);
    tr_verification_free(seen);
    free(table);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_files, drop_files)
    const struct CMUnitTest tests[] = {
        TEST(a_plain_copy_passes),
        TEST(another_models_text_is_refused),
        TEST(an_altered_model_is_found_in_every_row),
        TEST(renamed_columns_are_refused),
        TEST(rows_are_those_that_were_asked_for),
        TEST(numbers_that_are_none),
        TEST(drift_of_energy_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
