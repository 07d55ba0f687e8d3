// SPDX-License-Identifier: MIT
// The rule of the recommendation, on made-up rows.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compare/compare.h"

#define ROWS 3

typedef struct Made {
    trCompareRow row[ROWS];
    double       time[2];
    trCompare    compare;
} Made;

// Three methods that are alike in everything.
static Made *make(void) {
    static Made made;
    made = (Made){.time = {0.0, 1.0}};
    for (int i = 0; i < ROWS; i++) {
        made.row[i] = (trCompareRow){.method = tr_method_at(i),
                                     .shown = true,
                                     .state = TR_COMPARE_DONE,
                                     .measured = true,
                                     .ranks = true,
                                     .ranked = {.length = 1e-6},
                                     .evaluations = 100,
                                     .factorizations = 100,
                                     .seconds = 1.0,
                                     .ratio = 1.0};
    }
    made.compare = (trCompare){.row = made.row,
                               .rows = ROWS,
                               .times = 2,
                               .time = made.time,
                               .base.duration = 1.0,
                               .ranked_until = 1.0,
                               .time_unit = "lagrange"};
    return &made;
}

static int choice(Made *made) {
    tr_compare_recommend(&made->compare);
    return made->compare.recommended;
}

static void the_smallest_error_wins_beyond_a_factor_of_three(void **state) {
    (void)state;
    Made *m = make();
    m->row[0].ranked.length = 3.1e-6;
    m->row[0].seconds = 0.01;  // cheap does not help
    m->row[1].ranked.length = 4e-6;
    assert_int_equal(choice(m), 2);
    assert_non_null(strstr(m->compare.sentence, "1.0e-06 m is the smallest"));
    m->row[0].ranked.length = 2.9e-6;
    assert_int_equal(choice(m), 0);
    assert_non_null(strstr(m->compare.sentence, "within a factor of 3 of the smallest"));
}

static void among_equal_errors_the_cheapest_wins(void **state) {
    (void)state;
    Made *m = make();
    m->row[0].seconds = 1.3;
    m->row[0].evaluations = 10;  // too slow all the same
    m->row[1].evaluations = 99;
    m->row[1].seconds = 1.2;  // not told apart from 1
    assert_int_equal(choice(m), 1);
    m->row[1].seconds = 1.26;
    assert_int_equal(choice(m), 2);
    m = make();
    m->row[2].factorizations = 99;
    assert_int_equal(choice(m), 2);
    m = make();
    m->row[1].ranked.length = 0.9e-6;
    assert_int_equal(choice(m), 1);
}

static void what_does_not_hold_the_constraints_loses(void **state) {
    (void)state;
    Made *m = make();
    m->row[0].level[0].worst = m->row[1].level[1].worst = 1.1e-10;
    m->row[2].ranked.length = 1e-3;
    assert_int_equal(choice(m), 2);
    assert_non_null(strstr(m->compare.sentence, "it holds positions to 0.0e+00"));
    // If none does, all count, and the sentence says so.
    m->row[2].level[0].worst = 1e-9;
    m->row[1].evaluations = 99;
    assert_int_equal(choice(m), 1);
    assert_non_null(strstr(m->compare.sentence, "none holds positions and velocities to 1e-10"));
    assert_non_null(strstr(m->compare.sentence, "1.1e-10"));
}

static void only_what_finished_and_is_known_counts(void **state) {
    (void)state;
    Made *m = make();
    m->row[0].state = TR_COMPARE_FAILED;
    m->row[1].ranks = false;
    m->row[2].ranked.length = 1.0;
    assert_int_equal(choice(m), 2);
    m->row[2].sweep = true;
    assert_int_equal(choice(m), -1);
    m->row[2].sweep = false;
    m->row[2].shown = false;
    assert_int_equal(choice(m), -1);
    assert_non_null(strstr(m->compare.sentence, "No method can be recommended"));
}

static void the_sentence_names_figures_and_units(void **state) {
    (void)state;
    Made *m = make();
    m->row[0].ranked = (trGap){.length = 1e-9, .angle = 2.5e-9};
    m->row[0].ranked_bound = true;
    m->row[0].level[0].worst = 3e-12;
    m->row[0].level[1].worst = 4e-13;
    m->row[0].ratio = 1.25;
    m->compare.ranked_until = 0.5;
    assert_int_equal(choice(m), 0);
    const char *const parts[] = {tr_method_at(0)->name,   "positions to 3.0e-12",
                                 "velocities to 4.0e-13", "at most 2.5e-09 rad up to t = 0.5 s",
                                 "100 evaluations",       "1.25 times the time of lagrange"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strstr(m->compare.sentence, parts[i]) == NULL) {
            fail_msg("'%s' is not in '%s'", parts[i], m->compare.sentence);
        }
    }
    // Times that are not known are not told, and do not exclude.
    for (int i = 0; i < ROWS; i++) {
        m->row[i].seconds = m->row[i].ratio = NAN;
    }
    assert_int_equal(choice(m), 0);
    assert_null(strstr(m->compare.sentence, "times the time"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_error_wins_beyond_a_factor_of_three),
        cmocka_unit_test(among_equal_errors_the_cheapest_wins),
        cmocka_unit_test(what_does_not_hold_the_constraints_loses),
        cmocka_unit_test(only_what_finished_and_is_known_counts),
        cmocka_unit_test(the_sentence_names_figures_and_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
