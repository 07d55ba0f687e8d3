// SPDX-License-Identifier: MIT
// What every basis of free motions owes: A Gamma = 0, the right span, orthonormal columns where it
// claims them, a complement, the same answer every time, no heap request.

#include <math.h>
#include <string.h>

#include "basis/complement.h"
#include "basis/matrices.h"
#include "basis/null_space_projectors.h"
#include "formulation/golden.h"
#include "support/allocations.h"
#include "support/test.h"

// Rows have length one, entries are rounded to 1e-16, and these matrices have condition numbers up
// to 1e2: what rounding leaves is n times that at most.
#define ROUNDING 1e-13

static const struct {
    int n, m, rank;
} cases[] = {
    {12, 5, 5}, {12, 7, 5}, {6, 6, 6}, {6, 8, 6}, {5, 9, 3}, {4, 0, 0}, {1, 1, 1}, {20, 14, 11},
};
#define CASES ((int)(sizeof cases / sizeof *cases))

static void assert_small(const trBasisKind *kind, int n, int m, const char *what, double off) {
    if (!(off <= ROUNDING)) {
        fail_msg("%s, %d x %d: %s is off by %.3g", kind->name, m, n, what, off);
    }
}

static void columns_are_the_free_motions(void **state) {
    static double A[MAX_SIZE], Z[MAX_SIZE];
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        Random             random = {17};
        for (int i = 0; i < CASES; i++) {
            trArena *arena = NULL;
            int      n = cases[i].n, m = cases[i].m;
            random_rows(n, m, cases[i].rank, &random, A);
            trBasis basis = make_alone(kind, n, m, A, &arena);
            assert_int_equal(basis.columns, n - cases[i].rank);
            multiply(m, n, basis.columns, A, basis.Gamma, Z);
            assert_small(kind, n, m, "A Gamma", largest(m * basis.columns, Z));
            multiply_transposed(basis.columns, n, basis.columns, basis.Gamma, basis.Gamma, Z);
            double off = away_from_identity(basis.columns, Z);
            if (kind->orthonormal) {
                assert_small(kind, n, m, "Gamma' Gamma", off);
            } else if (i == 0) {
                assert_true(off > 0.01);  // it would be worth claiming
            }
            tr_arena_destroy(arena);
        }
    }
}

static void spans_agree_with_singular_vectors(void **state) {
    static double A[MAX_SIZE], P[MAX_SIZE], expected[MAX_SIZE];
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        Random             random = {23};
        for (int i = 0; i < CASES; i++) {
            trArena *arena = NULL, *other = NULL;
            int      n = cases[i].n, m = cases[i].m;
            random_rows(n, m, cases[i].rank, &random, A);
            trBasis basis = make_alone(kind, n, m, A, &arena);
            trBasis svd = make_alone(tr_basis_find("svd"), n, m, A, &other);
            projector(n, &basis, P);
            projector(n, &svd, expected);
            // A'A has the square of the condition: 1e-16 times 1e4.
            double off = difference(n * n, P, expected);
            assert_small(kind, n, m, "span",
                         strcmp(kind->name, "zero_eigenvalue") == 0 ? 0.01 * off : off);
            tr_arena_destroy(arena);
            tr_arena_destroy(other);
        }
    }
}

// Tables hold what was computed elsewhere with 16 digits.
static void spans_agree_with_the_tables(void **state) {
    static GoldenSystem s;
    static double       A[MAX_SIZE], P[MAX_SIZE];
    for (int k = 0; k < tr_basis_count() * golden_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k % tr_basis_count());
        const int          at = k / tr_basis_count();
        trArena           *arena = NULL;
        golden_begin(&s, golden_at(at));
        const int n = s.golden->n, m = s.golden->m;
        tr_rows_dense(&s.equations.A, A);
        trBasis basis = make_alone(kind, n, m, A, &arena);
        assert_string_equal(projectors[at].name, s.golden->name);
        assert_int_equal(basis.columns, n - s.golden->rank);
        projector(n, &basis, P);
        for (int i = 0, place = 0; i < n; i++) {
            for (int j = 0; j <= i; j++, place++) {
                if (!(fabs(P[j * n + i] - projectors[at].P[place]) <= 1e-12)) {
                    fail_msg("%s, %s: projector (%d, %d) is %.17g, not %.17g", kind->name,
                             s.golden->name, i, j, P[j * n + i], projectors[at].P[place]);
                }
            }
        }
        tr_arena_destroy(arena);
    }
}

// [A_r; B] x = [right_r; y] and [A_r; B]' [lambda_r; e] = f, checked by multiplying back.
static void check_complement(const trBasisKind *kind, int i, const double *A, const trBasis *basis,
                             trArena *arena) {
    const int    n = cases[i].n, m = cases[i].m, columns = basis->columns;
    trComplement c;
    double       right[MAX_N], y[MAX_N], x[MAX_N], back[MAX_N], lambda[MAX_N], e[MAX_N];
    tr_complement_plan(arena, n, m, &c);
    long before = allocations;
    assert_int_equal(tr_complement_rows(&c, A, 1e-8), TR_OK);
    assert_int_equal(c.rank, cases[i].rank);
    assert_int_equal(tr_complement_factor(&c, A, basis->B, columns), TR_OK);
    if (!(c.condition >= 1.0 && c.condition < 1e4)) {
        fail_msg("%s, %d x %d: condition of the complement %.3g", kind->name, m, n, c.condition);
    }
    for (int k = 0; k < n; k++) {
        x[k] = 1.0 + 0.1 * k;
        y[k] = 0.5 - 0.2 * k;
    }
    multiply(m, n, 1, A, x, right);  // so that dependent rows do not contradict others
    tr_complement_solve(&c, right, y, x);
    multiply(m, n, 1, A, x, back);
    assert_small(kind, n, m, "A x", 0.01 * difference(m, back, right));
    multiply(columns, n, 1, basis->B, x, back);
    assert_small(kind, n, m, "B x", 0.01 * difference(columns, back, y));

    tr_complement_transposed(&c, x, lambda, e);
    assert_int_equal(allocations, before);
    multiply_transposed(n, m, 1, A, lambda, back);
    multiply_transposed(n, columns, 1, basis->B, e, right);
    for (int k = 0; k < n; k++) {
        back[k] += right[k];
    }
    assert_small(kind, n, m, "A'lambda + B'e", 0.001 * difference(n, back, x));
    for (int k = 0; k < m - c.rank; k++) {
        assert_true(lambda[c.dropped[k]] == 0.0);
    }
}

static void complements_make_the_rows_square(void **state) {
    static double A[MAX_SIZE], Z[MAX_SIZE];
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        Random             random = {29};
        for (int i = 0; i < CASES; i++) {
            trArena *arena = NULL;
            random_rows(cases[i].n, cases[i].m, cases[i].rank, &random, A);
            trBasis basis = make_alone(kind, cases[i].n, cases[i].m, A, &arena);
            check_complement(kind, i, A, &basis, arena);
            if (strcmp(kind->name, "lu") != 0) {
                multiply(basis.columns, cases[i].n, basis.columns, basis.B, basis.Gamma, Z);
                assert_small(kind, cases[i].n, cases[i].m, "B Gamma",
                             away_from_identity(basis.columns, Z));
            }
            tr_arena_destroy(arena);
        }
    }
}

static void what_is_no_complement_is_refused(void **state) {
    const double A[8] = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0};  // x = 0, y = 0 of four
    const double B[8] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0};  // x and z: w is left out
    trArena     *arena = tr_arena_create();
    trComplement c;
    tr_complement_plan(arena, 4, 2, &c);
    assert_int_equal(tr_complement_rows(&c, A, 1e-8), TR_OK);
    assert_int_equal(tr_complement_factor(&c, A, B, 2), TR_SINGULAR);
    assert_int_equal(tr_complement_factor(&c, A, B, 1), TR_E_ARGUMENT);
    tr_arena_destroy(arena);
}

static void answers_are_the_same_every_time_without_heap_requests(void **state) {
    static double A[MAX_SIZE], other[MAX_SIZE], Gamma[MAX_SIZE], B[MAX_SIZE];
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        trArena           *arena = tr_arena_create();
        Random             random = {31};
        trBasisMaker       maker;
        trBasis            basis;
        random_rows(20, 14, 11, &random, A);
        random_rows(20, 14, 14, &random, other);
        tr_basis_plan(arena, 20, &basis);
        assert_int_equal(tr_basis_begin(arena, kind, 20, 14, &maker), TR_OK);
        tr_arena_seal(arena);
        long before = allocations;
        assert_int_equal(tr_basis_make(&maker, A, 1e-8, NULL, &basis), TR_OK);
        memcpy(Gamma, basis.Gamma, 20 * 9 * sizeof *Gamma);
        memcpy(B, basis.B, 20 * 9 * sizeof *B);
        assert_int_equal(tr_basis_make(&maker, other, 1e-8, NULL, &basis), TR_OK);
        assert_int_equal(basis.columns, 6);
        assert_int_equal(tr_basis_make(&maker, A, 1e-8, NULL, &basis), TR_OK);
        assert_int_equal(basis.columns, 9);
        assert_memory_equal(Gamma, basis.Gamma, 20 * 9 * sizeof *Gamma);
        assert_memory_equal(B, basis.B, 20 * 9 * sizeof *B);
        assert_int_equal(allocations, before);
        tr_arena_destroy(arena);
    }
}

static void rows_that_are_no_numbers_are_refused(void **state) {
    for (int k = 0; k < tr_basis_count(); k++) {
        trArena     *arena = tr_arena_create();
        double       A[6] = {1.0, 0.0, NAN, 1.0, 0.0, 0.0};
        trBasisMaker maker;
        trBasis      basis;
        tr_basis_plan(arena, 3, &basis);
        assert_int_equal(tr_basis_begin(arena, tr_basis_at(k), 3, 2, &maker), TR_OK);
        assert_int_equal(tr_basis_make(&maker, A, 1e-8, NULL, &basis), TR_NOT_FINITE);
        A[2] = INFINITY;
        assert_int_equal(tr_basis_make(&maker, A, 1e-8, NULL, &basis), TR_NOT_FINITE);
        tr_arena_destroy(arena);
    }
}

static void bases_are_found_by_name(void **state) {
    assert_int_equal(tr_basis_count(), 8);
    for (int k = 0; k < tr_basis_count(); k++) {
        const trBasisKind *kind = tr_basis_at(k);
        assert_ptr_equal(tr_basis_find(kind->name), kind);
        assert_true(strlen(kind->summary) > 0 && strlen(kind->source) > 0);
    }
    assert_null(tr_basis_find("magic"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_the_free_motions),
        cmocka_unit_test(spans_agree_with_singular_vectors),
        cmocka_unit_test(spans_agree_with_the_tables),
        cmocka_unit_test(complements_make_the_rows_square),
        cmocka_unit_test(what_is_no_complement_is_refused),
        cmocka_unit_test(answers_are_the_same_every_time_without_heap_requests),
        cmocka_unit_test(rows_that_are_no_numbers_are_refused),
        cmocka_unit_test(bases_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
