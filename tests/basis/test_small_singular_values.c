// SPDX-License-Identifier: MIT
// Which singular values bases can tell from zero, and how accurate they are near that limit. Six
// rows of ten columns with singular values 1, 1, 1, 1, 1 and s.

#include <float.h>
#include <math.h>
#include <string.h>

#include "basis/matrices.h"
#include "support/test.h"

#define N 10
#define M 6

// Pivots are within a factor of this of the singular value that they stand for: sqrt(N M), by the
// interlacing of singular values, but for growth that does not occur in so small matrices.
#define PIVOT 8.0

static int columns_at(const trBasisKind *kind, double s, double tolerance, double *violation) {
    static double A[MAX_SIZE], Z[MAX_SIZE];
    trArena      *arena = tr_arena_create();
    Random        random = {41};
    trBasisMaker  maker;
    trBasis       basis;
    rows_with_least_singular_value(N, M, s, &random, A);
    tr_basis_plan(arena, N, &basis);
    assert_int_equal(tr_basis_begin(arena, kind, N, M, &maker), TR_OK);
    assert_int_equal(tr_basis_make(&maker, A, tolerance, NULL, &basis), TR_OK);
    multiply(M, N, basis.columns, A, basis.Gamma, Z);
    *violation = largest(M * basis.columns, Z);
    int columns = basis.columns;
    tr_arena_destroy(arena);
    return columns;
}

static void the_tolerance_decides(void **state) {
    double violation = 0.0;
    for (int k = 0; k < tr_basis_count(); k++) {
        for (int power = 2; power <= 6; power++) {
            double s = pow(10.0, -power);
            assert_int_equal(columns_at(tr_basis_at(k), s, s / PIVOT, &violation), N - M);
            assert_int_equal(columns_at(tr_basis_at(k), s, s * PIVOT, &violation), N - M + 1);
        }
    }
}

// |A|_F is sqrt(5) here.
static void the_limit_of_each_is_as_claimed(void **state) {
    double violation = 0.0;
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        const double       limit = sqrt(5.0) * kind->smallest;
        assert_int_equal(columns_at(kind, PIVOT * limit, 0.0, &violation), N - M);
        assert_int_equal(columns_at(kind, limit / PIVOT, 0.0, &violation), N - M + 1);
        assert_int_equal(columns_at(kind, 0.0, 0.0, &violation), N - M + 1);
    }
}

// The rank of A'A is lost where all others see it well.
static void squared_singular_values_are_lost_first(void **state) {
    double violation = 0.0;
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        const bool         squares = strcmp(kind->name, "zero_eigenvalue") == 0;
        int                columns = columns_at(kind, 1e-9, 0.0, &violation);
        assert_int_equal(columns, squares ? N - M + 1 : N - M);
    }
}

// Orthogonal transformations and pivoted eliminations leave A Gamma at rounding however small s is.
// Eigenvectors of A'A are off by eps / s^2 along a direction that A multiplies by s.
static void free_motions_stay_free_near_the_limit(void **state) {
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        const bool         squares = strcmp(kind->name, "zero_eigenvalue") == 0;
        for (int power = 1; power <= (squares ? 6 : 12); power++) {
            double s = pow(10.0, -power), violation = 0.0;
            assert_int_equal(columns_at(kind, s, 0.0, &violation), N - M);
            double allowed = 20.0 * DBL_EPSILON * (squares ? 1.0 / s : 1.0);
            if (!(violation <= allowed)) {
                fail_msg("%s at 1e-%d: A Gamma is %.3g, allowed %.3g", kind->name, power, violation,
                         allowed);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tolerance_decides),
        cmocka_unit_test(the_limit_of_each_is_as_claimed),
        cmocka_unit_test(squared_singular_values_are_lost_first),
        cmocka_unit_test(free_motions_stay_free_near_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
