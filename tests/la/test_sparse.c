// SPDX-License-Identifier: MIT
// Sparse factors against LAPACK's dense ones; pivots are kept while they are good and chosen anew
// when they are not; singular matrices are told and a column of the dependent ones is named.

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "la/sparse.h"
#include "support/random.h"
#include "support/test.h"

#define MAX_N 60
#define MAX_ENTRIES (6 * MAX_N)

// A matrix as a list of entries, in which places occur several times.
typedef struct List {
    int    n, count;
    int    row[MAX_ENTRIES], column[MAX_ENTRIES];
    double x[MAX_ENTRIES];
} List;

static void add(List *list, int row, int column, double x) {
    list->row[list->count] = row;
    list->column[list->count] = column;
    list->x[list->count++] = x;
}

// A random permutation of 0 ... n - 1.
static void shuffle(trRandom *random, int n, int *order) {
    for (int i = 0; i < n; i++) {
        int at = random_int(random, 0, i);
        order[i] = order[at];
        order[at] = i;
    }
}

// One strong entry in each row and column, so that the matrix is regular, and weak ones anywhere:
// a diagonal may well be missing, and some places occur twice.
static List random_list(trRandom *random, int n) {
    List list = {.n = n};
    int  order[MAX_N] = {0};
    shuffle(random, n, order);
    for (int i = 0; i < n; i++) {
        add(&list, i, order[i], 4.0 + random_real(random));
    }
    for (int i = 0; i < 3 * n; i++) {
        int row = random_int(random, 0, n - 1), column = random_int(random, 0, n - 1);
        add(&list, row, column, random_real(random));
        if (i % 5 == 0) {
            add(&list, row, column, random_real(random));
        }
    }
    return list;
}

static trSparse plan(trArena *arena, const List *list) {
    trSparse A;
    if (tr_sparse_plan(arena, list->n, list->count, list->row, list->column, &A) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    tr_arena_seal(arena);  // Whatever asks for memory later fails.
    return A;
}

static void fill(trSparse *A, const List *list) {
    tr_sparse_clear(A);
    for (int e = 0; e < list->count; e++) {
        A->value[A->position[e]] += list->x[e];
    }
}

static void factor(trSparse *A, const List *list) {
    fill(A, list);
    if (tr_sparse_factor(A, NULL) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

// x = A \ b by dgesv, and the reciprocal condition of A.
static double solve_dense(const List *list, double *x) {
    static double M[MAX_N * MAX_N];
    lapack_int    n = list->n, pivot[MAX_N];
    double        rcond = 0.0;
    memset(M, 0, sizeof M);
    for (int e = 0; e < list->count; e++) {
        M[list->column[e] * list->n + list->row[e]] += list->x[e];
    }
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, M, n);
    assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, M, n, pivot, x, n), 0);
    assert_int_equal(LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, M, n, norm, &rcond), 0);
    return rcond;
}

// Both solutions are off by at most n DBL_EPSILON / rcond of the largest number, times the growth
// of the factors. Multipliers are at most 10 with good pivots, and seldom twice in one place: 100.
static void check_solution(const trSparse *A, const List *list, trRandom *random) {
    double x[MAX_N], expected[MAX_N], largest = 0.0;
    for (int i = 0; i < list->n; i++) {
        x[i] = expected[i] = random_real(random);
    }
    double rcond = solve_dense(list, expected);
    tr_sparse_solve(A, x);
    for (int i = 0; i < list->n; i++) {
        largest = fmax(largest, fabs(expected[i]));
    }
    for (int i = 0; i < list->n; i++) {
        if (!(fabs(x[i] - expected[i]) <= 100.0 * list->n * DBL_EPSILON / rcond * largest)) {
            fail_msg("n = %d: x[%d] is %.17g, should be %.17g", list->n, i, x[i], expected[i]);
        }
    }
}

static void solutions_are_those_of_lapack(void **state) {
    trRandom random = {3};
    for (int trial = 0; trial < 200; trial++) {
        trArena *arena = tr_arena_create();
        List     list = random_list(&random, 1 + trial % MAX_N);
        trSparse A = plan(arena, &list);
        factor(&A, &list);
        check_solution(&A, &list, &random);
        check_solution(&A, &list, &random);
        tr_arena_destroy(arena);
    }
}

static void entries_of_one_place_are_summed(void **state) {
    trArena *arena = tr_arena_create();
    List     list = {.n = 3};
    add(&list, 2, 0, 1.0);
    add(&list, 0, 0, 2.0);
    add(&list, 2, 2, 3.0);
    add(&list, 2, 0, 4.0);
    add(&list, 1, 1, 8.0);
    add(&list, 2, 0, 16.0);
    add(&list, 1, 1, 32.0);
    trSparse     A = plan(arena, &list);
    const int    column[4] = {0, 2, 3, 4}, row[4] = {0, 2, 1, 2};
    const int    position[7] = {1, 0, 3, 1, 2, 1, 2};
    const double value[4] = {2.0, 21.0, 40.0, 3.0};
    fill(&A, &list);
    fill(&A, &list);  // Clearing forgets the first time.
    assert_int_equal(A.nonzeros, 4);
    assert_memory_equal(A.column, column, sizeof column);
    assert_memory_equal(A.row, row, sizeof row);
    assert_memory_equal(A.position, position, sizeof position);
    for (int i = 0; i < 4; i++) {
        assert_true(A.value[i] == value[i]);
    }
    tr_arena_destroy(arena);
}

// Values that change by a tenth leave strong entries strong.
static void pivots_are_chosen_once_while_values_change_little(void **state) {
    trRandom random = {5};
    for (int trial = 0; trial < 20; trial++) {
        trArena *arena = tr_arena_create();
        List     list = random_list(&random, 20 + 2 * trial);
        trSparse A = plan(arena, &list);
        for (int time = 0; time < 50; time++) {
            List now = list;
            for (int e = 0; e < now.count; e++) {
                now.x[e] *= 1.0 + 0.1 * random_real(&random);
            }
            factor(&A, &now);
            check_solution(&A, &now, &random);
        }
        assert_int_equal(A.factorizations, 1);
        assert_int_equal(A.refactorizations, 49);
        tr_arena_destroy(arena);
    }
}

// Strong entries on the diagonal, which then nearly vanish, while those beside it become strong.
// With the old pivots twelve digits were lost.
static void bad_pivots_are_chosen_anew(void **state) {
    const double weak[] = {1e-12, 0.0};
    trRandom     random = {7};
    for (int trial = 0; trial < 40; trial++) {
        int      n = 2 + trial, last = n - 1;
        trArena *arena = tr_arena_create();
        List     list = {.n = n};
        for (int i = 0; i < n; i++) {
            add(&list, i, i, 4.0 + random_real(&random));
        }
        for (int i = 0; i < n; i++) {
            add(&list, i, i == last ? 0 : i + 1, random_real(&random));
        }
        trSparse A = plan(arena, &list);
        factor(&A, &list);
        check_solution(&A, &list, &random);

        List changed = list;
        for (int i = 0; i < n; i++) {
            changed.x[i] = weak[trial % 2];
            changed.x[n + i] = 4.0 + random_real(&random);
        }
        factor(&A, &changed);
        check_solution(&A, &changed, &random);
        assert_int_equal(A.factorizations, 2);
        factor(&A, &changed);
        check_solution(&A, &changed, &random);
        assert_int_equal(A.factorizations, 2);  // The new pivots are kept in their turn.
        tr_arena_destroy(arena);
    }
}

// Multiplies each row and each column by a power of two, which is exact.
static void change_units(trRandom *random, List *list) {
    int row[MAX_N], column[MAX_N];
    for (int i = 0; i < list->n; i++) {
        row[i] = random_int(random, -20, 20);
        column[i] = random_int(random, -20, 20);
    }
    for (int e = 0; e < list->count; e++) {
        list->x[e] = ldexp(list->x[e], row[list->row[e]] + column[list->column[e]]);
    }
}

// Half full, with a strong diagonal, and column `made` a combination of two others, up to rounding.
static List dependent_list(trRandom *random, int n, int made, int from1, int from2) {
    List list = {.n = n};
    for (int i = 0; i < n; i++) {
        double row[12] = {0.0};
        for (int j = 0; j < n; j++) {
            row[j] = random_int(random, 0, 1) * random_real(random);
        }
        row[i] = 3.0 + random_real(random);
        row[made] = 0.3 * row[from1] - 1.7 * row[from2];
        for (int j = 0; j < n; j++) {
            if (row[j] != 0.0) {
                add(&list, i, j, row[j]);
            }
        }
    }
    return list;
}

static void dependent_columns_are_named_in_any_units(void **state) {
    trRandom random = {11};
    for (int trial = 0; trial < 200; trial++) {
        trArena *arena = tr_arena_create();
        int      n = random_int(&random, 3, 12), order[MAX_N] = {0}, named = -1;
        shuffle(&random, n, order);
        List list = dependent_list(&random, n, order[0], order[1], order[2]);
        change_units(&random, &list);
        trSparse A = plan(arena, &list);
        fill(&A, &list);
        assert_int_equal(tr_sparse_factor(&A, &named), TR_SINGULAR);
        assert_true(named == order[0] || named == order[1] || named == order[2]);
        assert_non_null(strstr(tr_last_error(), "depends on others"));
        tr_arena_destroy(arena);
    }
}

// The same units make no regular matrix singular.
static void units_do_not_make_a_matrix_singular(void **state) {
    trRandom random = {13};
    for (int trial = 0; trial < 200; trial++) {
        trArena *arena = tr_arena_create();
        List     list = random_list(&random, 1 + trial % MAX_N);
        change_units(&random, &list);
        trSparse A = plan(arena, &list);
        factor(&A, &list);
        tr_arena_destroy(arena);
    }
}

// A column without entries, one whose values are zero, and one that becomes zero later.
static void empty_columns_are_named(void **state) {
    trArena *arena = tr_arena_create();
    List     list = {.n = 4};
    int      named = -1;
    for (int i = 0; i < 4; i++) {
        add(&list, i, i == 2 ? 0 : i, 1.0 + i);
    }
    trSparse A = plan(arena, &list);
    fill(&A, &list);
    assert_int_equal(tr_sparse_factor(&A, &named), TR_SINGULAR);
    assert_int_equal(named, 2);
    tr_arena_destroy(arena);

    for (int gone = 0; gone < 4; gone++) {
        arena = tr_arena_create();
        list = (List){.n = 4};
        for (int i = 0; i < 4; i++) {
            add(&list, i, i, 1.0 + i);
            add(&list, i, (i + 1) % 4, 0.5);
        }
        A = plan(arena, &list);
        factor(&A, &list);
        List zeroed = list;
        for (int e = 0; e < list.count; e++) {
            zeroed.x[e] *= list.column[e] == gone ? 0.0 : 1.0;
        }
        fill(&A, &zeroed);
        assert_int_equal(tr_sparse_factor(&A, &named), TR_SINGULAR);
        assert_int_equal(named, gone);
        assert_int_equal(tr_sparse_factor(&A, NULL), TR_SINGULAR);

        trRandom random = {17};
        factor(&A, &list);  // A failure is not remembered.
        check_solution(&A, &list, &random);
        tr_arena_destroy(arena);
    }
}

static void what_is_not_finite_is_named(void **state) {
    const double bad[] = {NAN, INFINITY, -INFINITY};
    trRandom     random = {19};
    for (int i = 0; i < 3; i++) {
        trArena *arena = tr_arena_create();
        List     list = random_list(&random, 10);
        trSparse A = plan(arena, &list);
        int      named = -1;
        factor(&A, &list);
        double kept = list.x[5];
        list.x[5] = bad[i];
        fill(&A, &list);
        assert_int_equal(tr_sparse_factor(&A, &named), TR_NOT_FINITE);
        assert_int_equal(named, list.column[5]);
        list.x[5] = kept;
        factor(&A, &list);
        check_solution(&A, &list, &random);
        tr_arena_destroy(arena);
    }
}

static void places_outside_are_refused(void **state) {
    const int bad[][2] = {{3, 0}, {0, 3}, {-1, 0}, {0, -1}};
    trArena  *arena = tr_arena_create();
    trSparse  A;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(tr_sparse_plan(arena, 3, 1, &bad[i][0], &bad[i][1], &A), TR_E_ARGUMENT);
    }
    assert_int_equal(tr_sparse_plan(arena, -1, 0, NULL, NULL, &A), TR_E_ARGUMENT);
    tr_arena_destroy(arena);
}

static void nothing_is_a_matrix_too(void **state) {
    trArena *arena = tr_arena_create();
    trSparse A;
    assert_int_equal(tr_sparse_plan(arena, 0, 0, NULL, NULL, &A), TR_OK);
    tr_sparse_clear(&A);
    assert_int_equal(tr_sparse_factor(&A, NULL), TR_OK);
    tr_sparse_solve(&A, NULL);
    tr_arena_destroy(arena);
}

// Twice, and once more with the arena: the sanitizers see what is released twice or never.
static void what_is_freed_may_be_freed_again(void **state) {
    trArena *arena = tr_arena_create();
    trRandom random = {23};
    List     list = random_list(&random, 10);
    trSparse A = plan(arena, &list);
    factor(&A, &list);
    tr_sparse_free(&A);
    tr_sparse_free(&A);
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_lapack),
        cmocka_unit_test(entries_of_one_place_are_summed),
        cmocka_unit_test(pivots_are_chosen_once_while_values_change_little),
        cmocka_unit_test(bad_pivots_are_chosen_anew),
        cmocka_unit_test(dependent_columns_are_named_in_any_units),
        cmocka_unit_test(units_do_not_make_a_matrix_singular),
        cmocka_unit_test(empty_columns_are_named),
        cmocka_unit_test(what_is_not_finite_is_named),
        cmocka_unit_test(places_outside_are_refused),
        cmocka_unit_test(nothing_is_a_matrix_too),
        cmocka_unit_test(what_is_freed_may_be_freed_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
