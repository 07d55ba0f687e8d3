// SPDX-License-Identifier: MIT
// Of columns that depend on each other the first ones are kept, whatever their sizes; where columns
// are independent nothing differs from the factorization by the largest pivots.

#include <string.h>

#include "la/rrqr.h"
#include "support/test.h"

#define ROWS 4
#define COLUMNS 4

// The third column is the first less twice the second. Pivots drop the second.
static const double dependent[ROWS * COLUMNS] = {
    1.0, 0.0,  0.0, 0.5,   // 0
    0.0, 2.0,  0.0, 1.0,   // 1
    1.0, -4.0, 0.0, -1.5,  // 2
    0.0, 0.0,  3.0, 0.0,   // 3
};

static void plan(trArena *arena, const double *X, trRrqr *qr, double *memory) {
    tr_rrqr_plan(arena, ROWS, COLUMNS, qr);
    assert_int_equal(tr_arena_status(arena), TR_OK);
    memcpy(qr->X, X, ROWS * COLUMNS * sizeof *X);
    memset(memory, 0, 2 * ROWS * COLUMNS * sizeof *memory);
}

static void the_first_of_dependent_columns_are_kept(void **state) {
    trArena *arena = tr_arena_create();
    trRrqr   qr;
    double   memory[2 * ROWS * COLUMNS];
    plan(arena, dependent, &qr, memory);
    assert_int_equal(tr_rrqr_factor(&qr, 1e-4), TR_OK);
    assert_int_equal(qr.rank, 3);
    assert_int_equal(qr.pivot[3], 1);
    plan(arena, dependent, &qr, memory);
    assert_int_equal(tr_rrqr_factor_first(&qr, 1e-4, NULL, memory), TR_OK);
    assert_int_equal(qr.rank, 3);
    assert_int_equal(qr.pivot[3], 2);
    tr_arena_destroy(arena);
}

static void columns_that_come_last_are_dropped(void **state) {
    trArena   *arena = tr_arena_create();
    trRrqr     qr;
    double     memory[2 * ROWS * COLUMNS];
    const bool last[COLUMNS] = {true};
    plan(arena, dependent, &qr, memory);
    assert_int_equal(tr_rrqr_factor_first(&qr, 1e-4, last, memory), TR_OK);
    assert_int_equal(qr.rank, 3);
    assert_int_equal(qr.pivot[3], 0);
    tr_arena_destroy(arena);
}

static void independent_columns_are_factored_by_their_pivots(void **state) {
    trArena *arena = tr_arena_create();
    trRrqr   one, two;
    double   memory[2 * ROWS * COLUMNS], X[ROWS * COLUMNS];
    memcpy(X, dependent, sizeof X);
    X[2 * ROWS + 3] = 1.0;
    plan(arena, X, &one, memory);
    assert_int_equal(tr_rrqr_factor(&one, 1e-4), TR_OK);
    plan(arena, X, &two, memory);
    assert_int_equal(tr_rrqr_factor_first(&two, 1e-4, NULL, memory), TR_OK);
    assert_int_equal(two.rank, COLUMNS);
    assert_memory_equal(one.X, two.X, sizeof X);
    assert_memory_equal(one.pivot, two.pivot, COLUMNS * sizeof *one.pivot);
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_dependent_columns_are_kept),
        cmocka_unit_test(columns_that_come_last_are_dropped),
        cmocka_unit_test(independent_columns_are_factored_by_their_pivots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
