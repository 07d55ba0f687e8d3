// SPDX-License-Identifier: MIT
// What happens between rows: a missed obstacle and a motion that jumps are found, by velocities
// that do not follow from accelerations; an obstacle that was met is no deviation, however far
// apart rows are.

#include "verify/runs.h"

#include <stdlib.h>
#include <string.h>

#define OBSTACLE "../tests/verify/obstacle.lua"

static int make_scratch(void **state) {
    static Scratch scratch;
    *state = &scratch;
    return scratch_make(&scratch, "r.h5");
}

static int drop_scratch(void **state) {
    scratch_drop(*state);
    return 0;
}

static trVerification *verify(const char *path) {
    trVerification *seen = NULL;
    trVerifyOptions options = tr_verify_options_default();
    options.no_checksums = true;
    assert_int_equal(tr_verify(path, &options, &seen), TR_OK);
    return seen;
}

// Rows every 2 mm to 40 mm; the bump is about 20 mm wide.
static const int rows[] = {2001, 801, 201, 134, 101};

static void a_missed_obstacle_is_found(void **state) {
    const Scratch *scratch = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Run run = {OBSTACLE, 4.0, rows[i], NULL, NULL};
        run_with_steps(&run, 1.0, scratch->path);
        trVerification *seen = verify(scratch->path);
        assert_true(seen->findings > 0);
        assert_int_equal(seen->findings, seen->figure[TR_VERIFY_MOTION].findings +
                                             seen->figure[TR_VERIFY_WORK].findings);
        assert_non_null(strstr(seen->figure[TR_VERIFY_MOTION].worst.what, "column 'v.x': "));
        tr_verification_free(seen);
    }
}

static void an_obstacle_that_was_met_is_no_deviation(void **state) {
    const Scratch *scratch = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Run run = {OBSTACLE, 4.0, rows[i], NULL, NULL};
        run_with_steps(&run, 2e-3, scratch->path);
        assert_int_equal(count_findings(scratch->path, false, NULL, 0), 0);
    }
}

static int column_of(const char *path, const char *name) {
    trResult *result = NULL;
    assert_int_equal(tr_result_open(path, &result), TR_OK);
    int column = tr_result_find(result, name);
    tr_result_close(result);
    assert_true(column > 0);
    return column;
}

// From one row on the puck slides sideways: every row satisfies all equations.
static void a_velocity_that_jumps_is_found(void **state) {
    const Scratch *scratch = *state;
    const Run      run = {OBSTACLE, 1.0, 41, NULL, NULL};
    const double   sideways = 1e-4;
    long           count = 0;
    int            columns = 0;
    run_to_file(&run, scratch->path);
    double *table = read_table(scratch->path, &count, &columns);
    int     y = column_of(scratch->path, "q.y"), v = column_of(scratch->path, "v.y");
    for (long i = 20; i < count; i++) {
        double since = table[i * columns] - table[20 * columns];
        put_number(scratch->path, i, y, table[i * columns + y] + sideways * since);
        put_number(scratch->path, i, v, table[i * columns + v] + sideways);
    }
    trVerification *seen = verify(scratch->path);
    assert_int_equal(seen->figure[TR_VERIFY_BALANCE].findings, 0);
    assert_int_equal(seen->figure[TR_VERIFY_MOTION].findings, 1);
    assert_int_equal(seen->figure[TR_VERIFY_MOTION].worst.row, 20);
    tr_verification_free(seen);
    free(table);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_scratch, drop_scratch)
    const struct CMUnitTest tests[] = {
        TEST(a_missed_obstacle_is_found),
        TEST(an_obstacle_that_was_met_is_no_deviation),
        TEST(a_velocity_that_jumps_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
