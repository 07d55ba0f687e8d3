// SPDX-License-Identifier: MIT
// One altered number is found: by check marks always, by physics alone wherever it enters an
// equation.

#include "verify/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK_TRIALS 100
#define TRIALS 60  // of each model and seed
#define FIRST_SEED 11
#define LEAST 1e-11    // of the largest number beside it
#define ROUNDING 1e-5  // of the largest of all, times LEAST: no more than rounding of anything
#define KEPT 0.1       // of its tolerance: what a run may leave from row to row in any case

static const Run runs[] = {
    {"benchmark/four_bar.lua", 1.0, 41, NULL, NULL},
    {"guide/slider_crank.lua", 0.5, 41, NULL, NULL},
    {"guide/driven.lua", 0.5, 41, NULL, NULL},
    {"guide/spring.lua", 1.0, 41, NULL, NULL},
    {"guide/track.lua", 0.5, 41, NULL, NULL},
    {"guide/universal.lua", 0.5, 41, NULL, NULL},
    {"guide/top.lua", 0.2, 41, NULL, NULL},
    {"guide/sled.lua", 0.5, 41, NULL, NULL},
    {"guide/sliding_block.lua", 0.5, 41, NULL, NULL},
    {"guide/equations.lua", 0.5, 41, NULL, NULL},
    {"guide/suspension.lua", 0.5, 41, NULL, "dop853"},
    {"guide/coin.lua", 0.1, 41, NULL, NULL},
    {"benchmark/slider_crank_driven.lua", 0.01, 41, NULL, NULL},
    {"benchmark/bricard.lua", 0.5, 41, NULL, NULL},
    {"benchmark/flyball.lua", 0.5, 41, NULL, NULL},
    {"benchmark/appell_hamel.lua", 0.3, 41, NULL, NULL},
    {"benchmark/sphere_friction.lua", 0.3, 41, NULL, NULL},
    {"benchmark/free_body.lua", 0.5, 41, NULL, NULL},
    {"benchmark/four_bar_massless_coupler.lua", 0.5, 41, NULL, NULL},
    {"benchmark/spatial_slider_crank.lua", 0.5, 41, NULL, NULL},
    {"benchmark/helicopter_pitch_link.lua", 0.2, 41, NULL, NULL},
    {"papers/quaternion.lua", 0.3, 41, NULL, NULL},
};

static int make_scratch(void **state) {
    static Scratch scratch;
    *state = &scratch;
    return scratch_make(&scratch, "r.h5");
}

static int drop_scratch(void **state) {
    scratch_drop(*state);
    return 0;
}

static void check_marks_find_every_altered_number(void **state) {
    const Scratch *scratch = *state;
    const Run      run = {"benchmark/four_bar.lua", 0.2, 21, NULL, NULL};
    uint32_t       seed = 3;
    long           rows = 0;
    int            columns = 0, found = 0;
    run_to_file(&run, scratch->path);
    double *table = read_table(scratch->path, &rows, &columns);
    for (int i = 0; i < MARK_TRIALS; i++) {
        long   row = (long)next_random(&seed) % rows;
        int    column = (int)next_random(&seed) % columns;
        double old = table[row * columns + column], value = nextafter(old, INFINITY);
        char   first[256], begin[64];
        put_number(scratch->path, row, column, value);
        snprintf(begin, sizeof begin, "row %ld, ", row);
        found += count_findings(scratch->path, true, first, sizeof first) > 0 &&
                 strncmp(first, begin, strlen(begin)) == 0;
        put_number(scratch->path, row, column, old);
    }
    assert_int_equal(found, MARK_TRIALS);
    assert_int_equal(count_findings(scratch->path, true, NULL, 0), 0);
    free(table);
}

// The largest number of a column, and of all columns with its unit.
static double scale_of(const double *table, long rows, int columns, int column) {
    double most = 0.0;
    for (long i = 0; i < rows; i++) {
        most = fmax(most, fabs(table[i * columns + column]));
    }
    return most;
}

// The largest number with a unit.
static double scale_of_unit(trResult *result, const double *table, const char *unit) {
    int    columns = tr_result_columns(result);
    long   rows = tr_result_rows(result);
    double most = 0.0;
    for (int i = 0; i < columns; i++) {
        bool same = strcmp(tr_result_column(result, i)->unit, unit) == 0;
        most = same ? fmax(most, scale_of(table, rows, columns, i)) : most;
    }
    return most;
}

// Of each column what stands beside it in its equations: numbers with its unit, and beside a moment
// forces times their arms.
static double *scales_of_units(const char *path, const double *table) {
    trResult *result = NULL;
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    int     columns = tr_result_columns(result);
    long    rows = tr_result_rows(result);
    double *most = calloc((size_t)columns, sizeof *most), all = 0.0;
    double  arm = scale_of_unit(result, table, "m"), force = scale_of_unit(result, table, "N");
    assert_non_null(most);
    for (int i = 0; i < columns; i++) {
        all = fmax(all, scale_of(table, rows, columns, i));
    }
    for (int k = 0; k < columns; k++) {
        const char *unit = tr_result_column(result, k)->unit;
        bool        moment = strcmp(unit, "N m") == 0;
        most[k] = fmax(scale_of_unit(result, table, unit), moment ? force * arm : 0.0);
        most[k] = fmax(most[k], ROUNDING * all);
    }
    tr_result_close(result);
    return most;
}

static void tell_miss(const char *path, const char *model, long row, int column, double old) {
    trResult *result = NULL;
    double    values[4096];
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    assert_true(tr_result_columns(result) <= 4096);
    assert_int_equal(tr_result_read(result, row, 1, values), TR_OK);
    print_message("%s row %ld %s: %.12g -> %.12g is not found\n", model, row,
                  tr_result_column(result, column)->name, old, values[column]);
    tr_result_close(result);
}

static double setting(trResult *result, const char *key) {
    const char *text = tr_result_note(result, key);
    assert_non_null(text);
    return strtod(text, NULL);
}

// What a run was asked to keep to.
typedef struct Asked {
    double rtol, atol;
} Asked;

// The columns that the file, as it was written, says no equation feels; to be freed.
static bool *unseen_columns(const char *path, Asked *asked) {
    trVerification *whole = NULL;
    trResult       *result = NULL;
    trVerifyOptions options = tr_verify_options_default();
    options.find_unseen = true;
    assert_int_equal(tr_verify(path, &options, &whole), TR_OK);
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    bool *unseen = calloc((size_t)whole->columns, sizeof *unseen);
    assert_non_null(unseen);
    for (int i = 0; i < whole->unseen; i++) {
        unseen[tr_result_find(result, whole->unseen_column[i])] = true;
    }
    *asked = (Asked){setting(result, "rtol"), setting(result, "atol")};
    tr_result_close(result);
    tr_verification_free(whole);
    return unseen;
}

// A number and what becomes of it.
typedef struct Change {
    long   row;
    int    column;
    double old, value;
} Change;

// Any number, by 1e-6 to 1e-2 of itself; by as much of its column where it is zero.
static Change choose(const double *table, long rows, int columns, uint32_t *seed) {
    Change c = {.row = (long)next_random(seed) % rows, .column = (int)next_random(seed) % columns};
    double part = pow(10.0, -6.0 + 4.0 * next_part(seed));
    double scale;
    scale = scale_of(table, rows, columns, c.column);
    c.old = table[c.row * columns + c.column];
    c.value = c.old + (next_part(seed) < 0.5 ? -part : part) * (c.old != 0.0 ? c.old : scale);
    return c;
}

static int below;  // what the run leaves open

// What enters an equation of its row is found. What does not is told by the rows around it alone,
// z' = g and q' = N v between them; these the run itself kept to its tolerance and no better, so
// that less than a part of it is not known to be wrong.
static bool is_left_open(const Change *c, bool unseen, const Asked *asked) {
    double change = fabs(c->value - c->old);
    return unseen && change <= KEPT * (asked->atol + asked->rtol * fabs(c->old));
}

// Trials and misses of one run. A change of less than LEAST of what stands beside a number is the
// rounding of that: a violation of 1e-16 m, the force along an axis in which nothing pulls.
static void try_run(const Run *run, const char *path, uint32_t *seed, int *tried, int *missed) {
    long  rows = 0;
    int   columns = 0;
    char  first[256];
    Asked asked;
    run_to_file(run, path);
    double *table = read_table(path, &rows, &columns);
    if (count_findings(path, true, first, sizeof first) > 0) {
        fail_msg("%s: as it was written: %s", run->model, first);
    }
    double *of_unit = scales_of_units(path, table);
    bool   *unseen = unseen_columns(path, &asked);
    for (int i = 0; i < TRIALS; i++) {
        Change c = choose(table, rows, columns, seed);
        if (fabs(c.value - c.old) <= LEAST * of_unit[c.column]) {
            continue;
        }
        if (is_left_open(&c, unseen[c.column], &asked)) {
            below++;
            continue;
        }
        (*tried)++;
        put_number(path, c.row, c.column, c.value);
        if (count_findings(path, false, first, sizeof first) == 0) {
            tell_miss(path, run->model, c.row, c.column, c.old);
            (*missed)++;
        }
        put_number(path, c.row, c.column, c.old);
    }
    free(unseen);
    free(of_unit);
    free(table);
}

static int seeds = 1, first_seed = FIRST_SEED;

static void physics_finds_what_enters_equations(void **state) {
    const Scratch *scratch = *state;
    int            tried = 0, missed = 0;
    for (int k = 0; k < seeds; k++) {
        uint32_t seed = (uint32_t)(first_seed + k);
        for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
            try_run(&runs[i], scratch->path, &seed, &tried, &missed);
        }
    }
    print_message("%d of %d altered numbers are found; %d more were below what the run keeps\n",
                  tried - missed, tried, below);
    assert_true(below < tried / 100);
    assert_int_equal(missed, 0);
}

// A state on which nothing depends, by a millionth of itself in every row, of the whole column in
// the first, where it is zero. The second row is the hardest: z is small there, and rows stand to
// one side of it.
static void a_millionth_of_a_state_is_found_in_every_row(void **state) {
    const Scratch *scratch = *state;
    const Run      run = {"guide/sled.lua", 0.5, 41, NULL, NULL};
    trResult      *result = NULL;
    long           rows = 0;
    int            columns = 0;
    run_to_file(&run, scratch->path);
    assert_int_equal(tr_result_open(scratch->path, &result), TR_OK);
    int column = tr_result_find(result, "z.path");
    tr_result_close(result);
    assert_true(column > 0);
    double *table = read_table(scratch->path, &rows, &columns);
    double  most = scale_of(table, rows, columns, column);
    for (long i = 0; i < rows; i++) {
        double old = table[i * columns + column], part = i % 2 == 0 ? 1e-6 : -1e-6;
        put_number(scratch->path, i, column, old + part * (old != 0.0 ? old : most));
        if (count_findings(scratch->path, false, NULL, 0) == 0) {
            tell_miss(scratch->path, run.model, i, column, old);
            fail();
        }
        put_number(scratch->path, i, column, old);
    }
    free(table);
}

// Arguments: how many seeds, and the first of them.
int main(int argc, char **argv) {
    seeds = argc > 1 ? atoi(argv[1]) : seeds;
    first_seed = argc > 2 ? atoi(argv[2]) : first_seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(check_marks_find_every_altered_number, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(a_millionth_of_a_state_is_found_in_every_row, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(physics_finds_what_enters_equations, make_scratch,
                                        drop_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
