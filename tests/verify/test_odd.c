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

static trVerification *verify(const char *path, bool unseen) {
    trVerification *seen = NULL;
    trVerifyOptions options = tr_verify_options_default();
    options.find_unseen = unseen;
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
    trVerification *seen = verify(path, false);
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
    trVerification *seen = verify(files->copy.path, false);
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
        finds(files->copy.path, TR_VERIFY_TIME, "the first rows of the run are missing");
    }
    copy_file(files, &(Change){.first = 4, .outcome = "interrupted"});
    finds(files->copy.path, TR_VERIFY_TIME, "the first rows of the run are missing");
    copy_file(files, &(Change){.rows = -1});
    finds(files->copy.path, TR_VERIFY_TIME, "the rows of the run are missing");
    copy_file(files, &(Change){.rows = ROWS - 3});
    finds(files->copy.path, TR_VERIFY_TIME, "the last rows of the run are missing");
    copy_file(files, &(Change){.rows = ROWS - 3, .outcome = "interrupted"});
    finds_nothing(files->copy.path);
    copy_file(files, &(Change){.rows = 1, .outcome = "interrupted"});
    finds_nothing(files->copy.path);
    copy_file(files, &(Change){.rows = -1, .outcome = "failed: at once"});
    finds_nothing(files->copy.path);
}

// The flywheel has turned by 50 rad where the rest begins, and its spring knows.
static void turns_before_the_rest_of_a_run_are_told_by_loads(void **state) {
    const Files *files = *state;
    const Run    turns = {"../tests/verify/turns.lua", 2.0, 201, NULL, NULL};
    run_to_file(&turns, files->good.path);
    copy_file(files, &(Change){.first = 50});
    finds(files->copy.path, TR_VERIFY_TIME, "the first rows of the run are missing");
    assert_int_equal(count_findings(files->copy.path, true, NULL, 0), 1);
}

// Times alone, of all rows: 1e-6 of the distance of rows is 10 times what is explained, which is
// 1e-9 of the duration, 4e-8 of that distance.
static void every_time_is_seen(void **state) {
    const Files *files = *state;
    run_to_file(&four_bar, files->good.path);
    for (long i = 0; i < ROWS; i++) {
        double t = (double)i / (ROWS - 1), step = 1e-6 / (ROWS - 1);
        put_number(files->good.path, i, 0, i % 2 == 0 ? t + step : t - step);
        assert_true(count_findings(files->good.path, false, NULL, 0) > 0);
        put_number(files->good.path, i, 0, t + 0.4 / (ROWS - 1));
        assert_true(count_findings(files->good.path, false, NULL, 0) > 0);
        put_number(files->good.path, i, 0, i == ROWS - 1 ? 1.0 : (double)i * (1.0 / (ROWS - 1)));
    }
    finds_nothing(files->good.path);
}

// What the run did not note is said, and not judged.
static void without_notes_times_are_judged_by_neighbors(void **state) {
    const Files *files = *state;
    run_to_file(&four_bar, files->good.path);
    copy_file(files, &(Change){.rows = ROWS - 3, .without = "duration"});
    trVerification *seen = verify(files->copy.path, false);
    assert_int_equal(seen->findings, 0);
    assert_true(seen->notes > 0 && strstr(seen->note[0], "did not note its start") != NULL);
    tr_verification_free(seen);
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

// Beside a bushing of 1e8 N/m rounding of positions is 1e-8 N. Columns of loads are seen better
// than that: by the balance with one another, to 1e-11 of the terms of each equation.
static void loads_beside_a_stiff_bushing_are_seen(void **state) {
    const Files *files = *state;
    const Run    suspension = {"guide/suspension.lua", 0.5, ROWS, NULL, "dop853"};
    const char  *names[] = {"pivot.Fy", "pivot.Fz", "tire.Fz", "guide.Mx"};
    trResult    *result = NULL;
    long         rows = 0;
    int          columns = 0, at[4];
    run_to_file(&suspension, files->good.path);
    assert_int_equal(tr_result_open(files->good.path, &result), TR_OK);
    for (int i = 0; i < 4; i++) {
        at[i] = tr_result_find(result, names[i]);
        assert_true(at[i] > 0);
    }
    tr_result_close(result);
    double *table = read_table(files->good.path, &rows, &columns);
    for (int i = 0; i < 4; i++) {
        double old = table[20 * columns + at[i]];
        double more = fmax(3e-9, 1e-10 * fabs(old));
        put_number(files->good.path, 20, at[i], old + more);
        if (count_findings(files->good.path, false, NULL, 0) == 0) {
            fail_msg("%s = %g: %g more is not found", names[i], old, more);
        }
        put_number(files->good.path, 20, at[i], old);
    }
    finds_nothing(files->good.path);
    free(table);
}

// W and the balance together, so that only the power between rows can tell. `more` = 0: as it was.
static void add_work(const char *path, const double *table, long row, double more) {
    trResult *result = NULL;
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    int columns = tr_result_columns(result), work = tr_result_find(result, "energy.work");
    int balance = tr_result_find(result, "energy.balance");
    tr_result_close(result);
    assert_true(work > 0 && balance > 0);
    put_number(path, row, work, table[row * columns + work] + more);
    put_number(path, row, balance, table[row * columns + balance] - more);
}

static long work_findings(const Files *files, const char *outcome) {
    copy_file(files, &(Change){.outcome = outcome});
    trVerification *seen = verify(files->copy.path, false);
    long            findings = seen->figure[TR_VERIFY_WORK].findings;
    assert_int_equal(seen->figure[TR_VERIFY_ENERGY].findings, 0);
    tr_verification_free(seen);
    return findings;
}

// Where a run fails, power may grow without bound within one row: work is not judged in the last
// rows then, and in all others it is.
static void work_is_not_judged_where_a_run_fails(void **state) {
    const Files *files = *state;
    const Run    driven = {"guide/driven.lua", 0.5, ROWS, NULL, NULL};
    long         rows = 0;
    int          columns = 0;
    run_to_file(&driven, files->good.path);
    double *table = read_table(files->good.path, &rows, &columns);
    assert_int_equal(work_findings(files, "done"), 0);
    add_work(files->good.path, table, ROWS - 1, 1e3);
    assert_true(work_findings(files, "done") > 0);
    assert_true(work_findings(files, "interrupted") > 0);
    assert_int_equal(work_findings(files, "failed: at the end"), 0);
    add_work(files->good.path, table, ROWS - 1, 0.0);
    add_work(files->good.path, table, ROWS / 2, 1e3);
    assert_true(work_findings(files, "failed: at the end") > 0);
    free(table);
}

static void columns_in_no_equation_are_named(void **state) {
    const Files *files = *state;
    run_to_file(&coin, files->good.path);
    trVerification *seen = verify(files->good.path, true);
    assert_int_equal(seen->findings, 0);
    assert_int_equal(seen->unseen, 2);  // the table is the same everywhere
    assert_string_equal(seen->unseen_column[0], "coin.x");
    assert_string_equal(seen->unseen_column[1], "coin.y");
    tr_verification_free(seen);
    run_to_file(&four_bar, files->good.path);
    seen = verify(files->good.path, true);
    assert_int_equal(seen->unseen, 0);
    tr_verification_free(seen);
    seen = verify(files->good.path, false);
    assert_int_equal(seen->unseen, -1);
    tr_verification_free(seen);
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
    trVerification *seen = verify(files->good.path, false);
    assert_true(most > 0.0 && seen->energy_drift == most);
    assert_true(seen->energy_start == table[columns - 5]);
    assert_string_equal(seen->energy_unit, "J");
    tr_verification_free(seen);
    put_number(files->good.path, 10, columns - 5, table[columns - 5] + 3.0);
    seen = verify(files->good.path, false);
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
        TEST(turns_before_the_rest_of_a_run_are_told_by_loads),
        TEST(every_time_is_seen),
        TEST(without_notes_times_are_judged_by_neighbors),
        TEST(numbers_that_are_none),
        TEST(loads_beside_a_stiff_bushing_are_seen),
        TEST(work_is_not_judged_where_a_run_fails),
        TEST(columns_in_no_equation_are_named),
        TEST(drift_of_energy_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
