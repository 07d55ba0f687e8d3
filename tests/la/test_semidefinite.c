// SPDX-License-Identifier: MIT
// Symmetric systems that are positive semidefinite: rank, solutions, which unknowns are dropped.

#include <math.h>
#include <stdbool.h>

#include "la/semidefinite.h"
#include "support/random.h"
#include "support/test.h"

#define MOST 12
#define TOLERANCE 1e-4

// S = B B' with B of n x rank.
static void fill(trSemidefinite *s, int rank, trRandom *random) {
    double B[MOST][MOST];
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < rank; k++) {
            B[i][k] = random_real(random);
        }
    }
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            double sum = 0.0;
            for (int k = 0; k < rank; k++) {
                sum += B[i][k] * B[j][k];
            }
            s->S[i * s->n + j] = sum;
        }
        s->nominal[i] = s->S[i * s->n + i];
    }
}

// right = S y, which is in the range of S for every y.
static double multiply(const trSemidefinite *s, const double *y, double *right) {
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        right[i] = 0.0;
        for (int j = 0; j < s->n; j++) {
            right[i] += s->S[i * s->n + j] * y[j];
        }
        most = fmax(most, fabs(right[i]));
    }
    return most;
}

static int dropped(const trSemidefinite *s) {
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        count += tr_semidefinite_dropped(s, i) ? 1 : 0;
    }
    return count;
}

// All sizes and ranks. Solutions are right in what S makes of them, S x = S y, and where S is
// regular and not close to singular, x = y. Rounding is multiplied by at most 1 / TOLERANCE^2.
static void systems_of_every_rank_are_solved(void **state) {
    trRandom random = {11};
    for (int n = 1; n <= MOST; n++) {
        for (int rank = 0; rank <= n; rank++) {
            trArena       *arena = tr_arena_create();
            trSemidefinite s;
            double         y[MOST], right[MOST], x[MOST], back[MOST];
            tr_semidefinite_plan(arena, n, &s);
            assert_int_equal(tr_arena_status(arena), TR_OK);
            fill(&s, rank, &random);
            for (int i = 0; i < n; i++) {
                y[i] = random_real(&random);
            }
            double size = multiply(&s, y, right);
            tr_semidefinite_factor(&s, TOLERANCE);
            assert_int_equal(s.rank, rank);
            assert_int_equal(dropped(&s), n - rank);
            tr_semidefinite_solve(&s, right, x);
            multiply(&s, x, back);
            for (int i = 0; i < n; i++) {
                assert_true(fabs(back[i] - right[i]) <= 1e-7 * size);
                assert_true(!tr_semidefinite_dropped(&s, i) || x[i] == 0.0);
            }
            tr_arena_destroy(arena);
        }
    }
}

// (2 1; 1 2) x = (3, 0): x = (2, -1), exact in binary but for the roots.
static void a_small_system_is_exact(void **state) {
    trArena       *arena = tr_arena_create();
    trSemidefinite s;
    const double   S[] = {2, 1, 1, 2}, right[] = {3, 0};
    double         x[2];
    tr_semidefinite_plan(arena, 2, &s);
    for (int i = 0; i < 4; i++) {
        s.S[i] = S[i];
        s.nominal[i / 2] = 2.0;
    }
    tr_semidefinite_factor(&s, TOLERANCE);
    tr_semidefinite_solve(&s, right, x);
    assert_true(fabs(x[0] - 2.0) < 1e-15 && fabs(x[1] + 1.0) < 1e-15);
    tr_arena_destroy(arena);
}

// A row twice: of the two, the first carries all, whatever stands before them.
static void the_first_of_equal_rows_stays(void **state) {
    trArena       *arena = tr_arena_create();
    trSemidefinite s;
    const double   S[] = {1, 0, 0, 0, 4, 4, 0, 4, 4}, right[] = {1, 8, 8};
    double         x[3];
    tr_semidefinite_plan(arena, 3, &s);
    for (int i = 0; i < 9; i++) {
        s.S[i] = S[i];
        s.nominal[i / 3] = S[4 * (i / 3)];
    }
    tr_semidefinite_factor(&s, TOLERANCE);
    tr_semidefinite_solve(&s, right, x);
    assert_int_equal(s.rank, 2);
    assert_false(tr_semidefinite_dropped(&s, 1));
    assert_true(tr_semidefinite_dropped(&s, 2));
    assert_true(x[0] == 1.0 && x[1] == 2.0 && x[2] == 0.0);
    tr_arena_destroy(arena);
}

// Rows (0 1), (1 0.03) and (1 0) in the metric diag(1, 533), of which two are needed. The first
// sees what is soft by itself, and stays although it once was larger: made from the others, it
// would have 33 times their rounding.
static void rows_that_see_most_stay(void **state) {
    trArena       *arena = tr_arena_create();
    trSemidefinite s;
    const double   row[3][2] = {{0, 1}, {1, 0.03}, {1, 0}}, nominal[] = {2000, 1.4797, 1};
    tr_semidefinite_plan(arena, 3, &s);
    for (int i = 0; i < 9; i++) {
        const double *a = row[i / 3], *b = row[i % 3];
        s.S[i] = a[0] * b[0] + 533 * a[1] * b[1];
        s.nominal[i / 3] = nominal[i / 3];
    }
    tr_semidefinite_factor(&s, TOLERANCE);
    assert_int_equal(s.rank, 2);
    assert_false(tr_semidefinite_dropped(&s, 0));
    tr_arena_destroy(arena);
}

// A row that has become 0 is dropped because of what it once was, not because it is the smallest.
static void rows_are_judged_by_their_nominal_size(void **state) {
    trArena       *arena = tr_arena_create();
    trSemidefinite s;
    for (int k = 0; k < 2; k++) {
        tr_semidefinite_plan(arena, 2, &s);
        s.S[0] = 1.0;
        s.S[3] = 1e-10;
        s.nominal[0] = 1.0;
        s.nominal[1] = k == 0 ? 1e-10 : 1.0;
        tr_semidefinite_factor(&s, TOLERANCE);
        assert_int_equal(s.rank, k == 0 ? 2 : 1);
    }
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_of_every_rank_are_solved),
        cmocka_unit_test(a_small_system_is_exact),
        cmocka_unit_test(the_first_of_equal_rows_stays),
        cmocka_unit_test(rows_that_see_most_stay),
        cmocka_unit_test(rows_are_judged_by_their_nominal_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
