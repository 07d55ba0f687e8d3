// SPDX-License-Identifier: MIT
// Altered numbers are found: by check marks always, by physics alone where they are off by more
// than a ten-thousandth, and so are rows that continue in another motion.
//
// `verify_test_altered SEEDS` tries more seeds.

#include "verify/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK_TRIALS 100
#define TRIALS 25  // of each model and seed
#define PART 1e-4  // of the largest number with its unit
#define NOTHING 1e-9
#define FIRST_SEED 11

static const Run runs[] = {
    {"benchmark/four_bar.lua", 1.0, 41, NULL, NULL},
    {"benchmark/four_bar.lua", 1.0, 101, "baumgarte", NULL},
    {"guide/driven.lua", 0.5, 41, NULL, NULL},
    {"guide/spring.lua", 1.0, 41, NULL, NULL},
    {"guide/track.lua", 0.5, 41, NULL, NULL},
    {"guide/universal.lua", 0.5, 41, NULL, NULL},
    {"guide/top.lua", 0.2, 101, NULL, NULL},
    {"guide/sled.lua", 0.5, 41, NULL, NULL},
    {"guide/sliding_block.lua", 0.5, 41, NULL, NULL},
    {"guide/suspension.lua", 0.5, 41, NULL, "dop853"},
    {"guide/coin.lua", 0.1, 41, NULL, NULL},
    {"benchmark/bricard.lua", 0.5, 41, NULL, NULL},
    {"benchmark/four_bar_massless_coupler.lua", 0.5, 41, NULL, NULL},
    {"benchmark/helicopter_pitch_link.lua", 0.2, 41, NULL, NULL},
    {"papers/quaternion.lua", 0.3, 41, NULL, NULL},
};

static uint32_t seeds = 1;

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

// --- physics alone ---

// Of each column the largest number with its unit; 1 where all are rounding. To be freed.
static double *scales_of_units(const char *path, const double *table) {
    trResult *result = NULL;
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    int     columns = tr_result_columns(result);
    long    rows = tr_result_rows(result);
    double *most = calloc((size_t)columns, sizeof *most);
    assert_non_null(most);
    for (int k = 0; k < columns; k++) {
        for (int c = 0; c < columns; c++) {
            bool same =
                strcmp(tr_result_column(result, k)->unit, tr_result_column(result, c)->unit) == 0;
            for (long i = 0; same && i < rows; i++) {
                most[k] = fmax(most[k], fabs(table[i * columns + c]));
            }
        }
        most[k] = most[k] > NOTHING ? most[k] : 1.0;
    }
    tr_result_close(result);
    return most;
}

static void tell_miss(const char *path, const char *model, long row, int column, double old,
                      double value) {
    trResult *result = NULL;
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    print_message("%s row %ld %s: %.12g -> %.12g is not found\n", model, row,
                  tr_result_column(result, column)->name, old, value);
    tr_result_close(result);
}

static int misses_of(const Run *run, const char *path, uint32_t seed) {
    long rows = 0;
    int  columns = 0, missed = 0;
    run_to_file(run, path);
    double *table = read_table(path, &rows, &columns), *of_unit = scales_of_units(path, table);
    for (int i = 0; i < TRIALS; i++) {
        long   row = (long)next_random(&seed) % rows;
        int    column = (int)next_random(&seed) % columns;
        double old = table[row * columns + column];
        double value = old + (next_part(&seed) < 0.5 ? -PART : PART) * of_unit[column];
        put_number(path, row, column, value);
        if (count_findings(path, false, NULL, 0) == 0) {
            tell_miss(path, run->model, row, column, old, value);
            missed++;
        }
        put_number(path, row, column, old);
    }
    free(table);
    free(of_unit);
    return missed;
}

static void a_ten_thousandth_is_found_without_marks(void **state) {
    const Scratch *scratch = *state;
    int            missed = 0;
    for (uint32_t seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
        for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
            missed += misses_of(&runs[i], scratch->path, seed);
        }
    }
    assert_int_equal(missed, 0);
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(check_marks_find_every_altered_number, make_scratch,
                                        drop_scratch),
        cmocka_unit_test_setup_teardown(a_ten_thousandth_is_found_without_marks, make_scratch,
                                        drop_scratch),
    };
    seeds = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : seeds;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
