// SPDX-License-Identifier: MIT
// The rule of the recommendation, on made-up rows.

#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "support/test.h"

#define ROWS 3

typedef struct Made {
    trCompareRow row[ROWS];
    double       time[2];
    trCompare    compare;
} Made;

// They project after steps.
static const char *const names[ROWS] = {"one", "two", "three"};

// Three methods that are alike in everything.
static Made *make(void) {
    static Made made;
    made = (Made){.time = {0.0, 1.0}};
    for (int i = 0; i < ROWS; i++) {
        made.row[i] = (trCompareRow){.name = names[i],
                                     .label = names[i],
                                     .projects = true,
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

static void says(const Made *made, const char *part) {
    if (strstr(made->compare.sentence, part) == NULL) {
        fail_msg("'%s' is not in '%s'", part, made->compare.sentence);
    }
}

// Error times time squared: four times the error for half the time is the same.
static void an_error_is_worth_the_time_that_smaller_steps_would_take(void **state) {
    Made *m = make();
    m->row[0].ranked.length = 3.1e-6;
    m->row[1].ranked.length = 4e-6;
    m->row[2].evaluations = 200;
    assert_int_equal(choice(m), 2);
    says(m, "(200 evaluations");
    says(m, "1.0e-06 m is the smallest of those that do.");
    m->row[0].ranked.length = 2.9e-6;
    m->row[0].seconds = m->row[1].seconds = 0.99;  // else it would be beaten
    assert_int_equal(choice(m), 0);
    says(m, "within a factor of 3 of the smallest of those that do");
    // A hundredth of the error for ten times the time is worth it, for twenty times it is not, even
    // with a factor of 3 on top.
    m = make();
    m->row[1].ranked.length = 1e-8;
    m->row[1].evaluations = 50;
    m->row[1].seconds = 10.0;
    assert_int_equal(choice(m), 1);
    m->row[1].seconds = 20.0;
    assert_int_equal(choice(m), 0);
    says(m, "good for its cost: the smallest of those that do, 1.0e-08 m of two, takes 20 times");
}

static void among_equals_counters_decide(void **state) {
    Made *m = make();
    m->row[0].ranked.length = m->row[1].ranked.length = 0.99e-6;  // else they would be beaten
    m->row[0].seconds = 1.8;                                      // 3.2 times the price
    m->row[0].evaluations = 10;
    m->row[1].evaluations = 99;
    m->row[1].seconds = 1.7;  // 2.9 times
    assert_int_equal(choice(m), 1);
    m->row[0].seconds = m->row[1].seconds = 1.8;
    assert_int_equal(choice(m), 2);
    m = make();
    m->row[2].factorizations = 99;
    assert_int_equal(choice(m), 2);
    m = make();
    m->row[1].ranked.length = 0.9e-6;
    assert_int_equal(choice(m), 1);
}

// By circle, then error times the square of time; what has the same figures stands behind.
static void rows_are_sorted_by_merit_and_folded(void **state) {
    Made *m = make();
    int   order[ROWS];
    m->compare.order = order;
    for (int i = 0; i < ROWS; i++) {
        m->row[i].error = m->row[i].ranked;
    }
    m->row[0].state = TR_COMPARE_FAILED;
    m->row[1].seconds = 2.0;
    m->row[1].level[2].worst = 3e-13;
    assert_int_equal(choice(m), 2);
    tr_compare_sort(&m->compare);
    assert_int_equal(m->compare.ranked, ROWS);
    assert_true(order[0] == 2 && order[1] == 1 && order[2] == 0);
    assert_true(m->row[2].rank == 1 && m->row[1].rank == 2 && m->row[0].rank == 3);
    assert_true(m->row[1].same_as == 2 && m->row[0].same_as == -1 && m->row[2].same_as == -1);
    m->row[1].error.length *= 1.2;
    tr_compare_sort(&m->compare);
    assert_int_equal(m->row[1].same_as, -1);
    m->row[1].shown = false;
    tr_compare_sort(&m->compare);
    assert_true(m->compare.ranked == 2 && m->row[1].rank == 0);
}

// Whoever only happens to stay on the constraints, in a short run, comes after those that do.
static void holding_the_constraints_by_chance_is_not_enough(void **state) {
    Made *m = make();
    m->row[0].projects = false;
    m->row[0].evaluations = 10;
    assert_int_equal(choice(m), 1);
    m->row[1].level[0].worst = m->row[2].level[0].worst = 1e-9;
    assert_int_equal(choice(m), 0);
    says(m, "it alone holds positions to 0.0e+00 and velocities to 0.0e+00, with an error of 1.0e");
}

static void what_does_not_hold_the_constraints_loses(void **state) {
    Made *m = make();
    m->row[0].level[0].worst = m->row[1].level[1].worst = 1.1e-10;
    m->row[2].ranked.length = 1e-3;
    assert_int_equal(choice(m), 2);
    assert_non_null(strstr(m->compare.sentence, "it alone holds positions to 0.0e+00"));
    // If none does, all count, and the sentence says so.
    m->row[2].level[0].worst = 1e-9;
    m->row[1].evaluations = 99;
    assert_int_equal(choice(m), 1);
    assert_non_null(strstr(m->compare.sentence, "none holds positions and velocities to 1e-10"));
    assert_non_null(strstr(m->compare.sentence, "1.1e-10"));
}

static void only_what_finished_and_is_known_counts(void **state) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_is_worth_the_time_that_smaller_steps_would_take),
        cmocka_unit_test(among_equals_counters_decide),
        cmocka_unit_test(rows_are_sorted_by_merit_and_folded),
        cmocka_unit_test(holding_the_constraints_by_chance_is_not_enough),
        cmocka_unit_test(what_does_not_hold_the_constraints_loses),
        cmocka_unit_test(only_what_finished_and_is_known_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
