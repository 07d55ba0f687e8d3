// SPDX-License-Identifier: MIT
// The same model, built and run twice, gives the same bits in every column.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scenario/scenario.h"

#define SET(text) ((const char *const[]){text, NULL})

static void simulate(const char *file, const char *const *set, double duration, Run *run) {
    trSimDef def;
    trStatus status = run_load(file, set, &def, run);
    def.duration = duration;
    if (status != TR_OK || run_simulate(run, &def) != TR_OK) {
        fail_msg("%s: %s", file, tr_last_error());
    }
}

static void check_twice(const char *file, const char *const *set, double duration) {
    Run first, second;
    simulate(file, set, duration, &first);
    simulate(file, set, duration, &second);
    assert_int_equal(first.columns, second.columns);
    assert_int_equal(first.rows, second.rows);
    assert_true(first.rows > 1);
    // Rows are compared as bytes: equal numbers with other signs of zero would be a difference.
    for (long i = 0; i < first.rows * first.columns; i++) {
        if (memcmp(&first.table[i], &second.table[i], sizeof(double)) != 0) {
            fail_msg("%s: '%s' differs in row %ld", file, first.column[i % first.columns].name,
                     i / first.columns);
        }
    }
    run_free(&second);
    run_free(&first);
}

static void a_regular_run_repeats_bit_for_bit(void **state) {
    (void)state;
    check_twice("four_bar.lua", NULL, 5.0);
}

static void a_run_through_singular_positions_repeats_bit_for_bit(void **state) {
    (void)state;
    check_twice("n_four_bar.lua", SET("N=5"), 3.0);
}

static void a_redundant_run_repeats_bit_for_bit(void **state) {
    (void)state;
    check_twice("redundant_parallelogram.lua", NULL, 5.0);
}

static void a_massless_run_repeats_bit_for_bit(void **state) {
    (void)state;
    check_twice("four_bar_massless_coupler.lua", NULL, 5.0);
}

static void a_driven_run_repeats_bit_for_bit(void **state) {
    (void)state;
    check_twice("slider_crank_driven.lua", NULL, 0.1);
}

static void a_nonholonomic_run_repeats_bit_for_bit(void **state) {
    (void)state;
    check_twice("knife_edge.lua", NULL, 10.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_regular_run_repeats_bit_for_bit),
        cmocka_unit_test(a_run_through_singular_positions_repeats_bit_for_bit),
        cmocka_unit_test(a_redundant_run_repeats_bit_for_bit),
        cmocka_unit_test(a_massless_run_repeats_bit_for_bit),
        cmocka_unit_test(a_driven_run_repeats_bit_for_bit),
        cmocka_unit_test(a_nonholonomic_run_repeats_bit_for_bit),
    };
    return cmocka_run_group_tests_name("determinism", tests, NULL, NULL);
}
