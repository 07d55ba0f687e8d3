// SPDX-License-Identifier: MIT
// Full-rank factorizations are exact to rounding where columns are nearly dependent, and agree with
// singular values.

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/gram_schmidt.h"
#include "la/svd.h"
#include "support/test.h"

#define ROWS 12
#define COLUMNS 9

// Powers of numbers between 0 and 1: nine columns with a condition of about 1e6.
static void fill(double *X) {
    for (int j = 0; j < COLUMNS; j++) {
        for (int i = 0; i < ROWS; i++) {
            X[j * ROWS + i] = pow((i + 0.5) / ROWS, j);
        }
    }
}

static void columns_are_orthonormal_and_reproduce_the_matrix(void **state) {
    double        X[ROWS * COLUMNS];
    trArena      *arena = tr_arena_create();
    trGramSchmidt g;
    tr_gram_schmidt_plan(arena, ROWS, COLUMNS, &g);
    assert_int_equal(tr_arena_status(arena), TR_OK);
    fill(X);
    memcpy(g.X, X, sizeof X);
    tr_gram_schmidt_factor(&g, 1e-12);
    assert_int_equal(g.rank, COLUMNS);
    for (int j = 0; j < COLUMNS; j++) {
        for (int k = 0; k < COLUMNS; k++) {
            double sum = 0.0;
            for (int i = 0; i < ROWS; i++) {
                sum += g.X[j * ROWS + i] * g.X[k * ROWS + i];
            }
            assert_true(fabs(sum - (j == k ? 1.0 : 0.0)) <= 1e-14);
        }
        for (int i = 0; i < ROWS; i++) {
            double sum = 0.0;
            for (int k = 0; k < COLUMNS; k++) {
                sum += g.X[k * ROWS + i] * g.R[j * COLUMNS + k];
            }
            assert_true(fabs(sum - X[g.pivot[j] * ROWS + i]) <= 1e-14);
        }
        for (int k = j + 1; k < COLUMNS; k++) {
            assert_true(g.R[j * COLUMNS + k] == 0.0);
        }
        assert_true(j == 0 || g.R[j * (COLUMNS + 1)] <= g.R[(j - 1) * (COLUMNS + 1)]);
    }
    tr_arena_destroy(arena);
}

// X y = x in the least squares sense, by both.
static void least_squares_agree_with_singular_values(void **state) {
    double        X[ROWS * COLUMNS], x[ROWS], y[COLUMNS], by_pivot[COLUMNS], other[COLUMNS];
    trArena      *arena = tr_arena_create();
    trGramSchmidt g;
    trSvd         svd;
    tr_gram_schmidt_plan(arena, ROWS, COLUMNS, &g);
    tr_svd_plan(arena, ROWS, COLUMNS, &svd);
    assert_int_equal(tr_arena_status(arena), TR_OK);
    fill(X);
    for (int i = 0; i < ROWS; i++) {
        x[i] = cos(3.0 * i);
    }
    memcpy(g.X, X, sizeof X);
    memcpy(svd.X, X, sizeof X);
    tr_gram_schmidt_factor(&g, 1e-12);
    assert_int_equal(tr_svd_factor(&svd), TR_OK);
    tr_dot_columns(ROWS, g.rank, g.X, x, y);
    tr_gram_schmidt_solve_r(&g, y);
    for (int k = 0; k < COLUMNS; k++) {
        by_pivot[g.pivot[k]] = y[k];
    }
    tr_dot_columns(ROWS, svd.count, svd.U, x, y);
    double condition = svd.S[0] / svd.S[svd.count - 1], size = 0.0;
    for (int k = 0; k < COLUMNS; k++) {
        y[k] /= svd.S[k];
    }
    tr_svd_mul_v(&svd, svd.count, y, other);
    for (int k = 0; k < COLUMNS; k++) {
        size = fmax(size, fabs(other[k]));
    }
    assert_true(condition > 1e5);
    // Each has the error eps times the condition, and eps condition^2 |rest| / |X|, |rest| < 4.
    double within = 1e-16 * condition * (size + 4.0 * condition / svd.S[0]);
    for (int k = 0; k < COLUMNS; k++) {
        assert_true(fabs(by_pivot[k] - other[k]) <= within);
    }
    tr_arena_destroy(arena);
}

static void dependent_columns_come_last(void **state) {
    double        X[ROWS * COLUMNS];
    trArena      *arena = tr_arena_create();
    trGramSchmidt g;
    tr_gram_schmidt_plan(arena, ROWS, COLUMNS, &g);
    fill(X);
    for (int i = 0; i < ROWS; i++) {
        X[4 * ROWS + i] = 0.1 * X[i] - 0.2 * X[ROWS + i];
        X[6 * ROWS + i] = 0.0;
    }
    memcpy(g.X, X, sizeof X);
    tr_gram_schmidt_factor(&g, 1e-12);
    assert_int_equal(g.rank, COLUMNS - 2);
    assert_int_equal(g.pivot[COLUMNS - 1] + g.pivot[COLUMNS - 2], 4 + 6);
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_orthonormal_and_reproduce_the_matrix),
        cmocka_unit_test(least_squares_agree_with_singular_values),
        cmocka_unit_test(dependent_columns_come_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
