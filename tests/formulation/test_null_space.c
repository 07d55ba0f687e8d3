// SPDX-License-Identifier: MIT
// Formulations in terms of free motions: Maggi's equations in every basis, and motions that lose
// their inertia when a row is dropped.

#include <math.h>
#include <string.h>

#include "basis/basis.h"
#include "formulation/golden.h"
#include "support/allocations.h"
#include "support/test.h"

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

typedef struct Solution {
    double a[GOLDEN_N], force[GOLDEN_N];  // force: -A' lambda
} Solution;

static Solution solve_at(const trFormulationKind *kind, void *work, const trEquations *e) {
    Solution s = {{0.0}, {0.0}};
    double   lambda[GOLDEN_M];
    trStatus status = kind->factor(work, e);
    if (status == TR_OK) {
        status = kind->solve(work, e, e->Q, e->b, s.a, lambda);
    }
    if (status != TR_OK) {
        fail_msg("%s: %s", kind->name, tr_last_error());
    }
    tr_rows_tmul_sub(&e->A, lambda, s.force);
    return s;
}

static void assert_near(const char *basis, const char *name, int n, const double *x,
                        const double *expected, double within) {
    for (int i = 0; i < n; i++) {
        if (!(fabs(x[i] - expected[i]) <= within)) {
            fail_msg("%s, %s: entry %d is %.17g, not %.17g", basis, name, i, x[i], expected[i]);
        }
    }
}

// The tables are exact. Condition numbers of these systems are up to 1e3; `parjoint` has a = 0 as
// the difference of terms of the size of the forces.
static void check_basis(const trBasisKind *basis, const Golden *g) {
    static GoldenSystem      s;
    const trFormulationKind *kind = tr_formulation_find("maggi");
    const trBasisOptions     options = {.basis = basis->name};
    trArena                 *arena = tr_arena_create();
    void                    *work = NULL;
    golden_begin(&s, g);
    assert_int_equal(kind->plan(arena, &s.equations, &options, &work), TR_OK);
    tr_arena_seal(arena);
    long before = allocations;
    // A basis that follows another must give the same: the disturbed state comes first.
    (void)solve_at(kind, work, golden_equations(&s, g->t, g->q_off, g->v_off));
    Solution found = solve_at(kind, work, golden_equations(&s, g->t, g->q, g->v));
    assert_int_equal(allocations, before);
    assert_int_equal(kind->rank(work).rank, g->rank);
    double size = largest(g->n, g->Q) + largest(g->n, g->Fc);
    assert_near(basis->name, g->name, g->n, found.a, g->a, 1e-12 * (size + largest(g->n, g->a)));
    assert_near(basis->name, g->name, g->n, found.force, g->Fc, 1e-12 * size);
    tr_arena_destroy(arena);
}

static void accelerations_do_not_depend_on_the_basis(void **state) {
    for (int k = 0; k < tr_basis_count(); k++) {
        for (int i = 0; i < golden_count(); i++) {
            check_basis(tr_basis_at(k), golden_at(i));
        }
    }
}

static void the_basis_may_be_left_out(void **state) {
    static GoldenSystem      s;
    const trFormulationKind *kind = tr_formulation_find("maggi");
    const trBasisOptions     choice[] = {{.basis = "householder"}, {.basis = NULL}};
    Solution                 found[3];
    for (int i = 0; i < 3; i++) {
        trArena *arena = tr_arena_create();
        void    *work = NULL;
        golden_begin(&s, golden_at(6));
        assert_int_equal(kind->plan(arena, &s.equations, i < 2 ? &choice[i] : NULL, &work), TR_OK);
        found[i] = solve_at(kind, work, &s.equations);
        assert_memory_equal(found[i].a, found[0].a, sizeof found[0].a);
        tr_arena_destroy(arena);
    }
}

static void an_unknown_basis_is_refused_with_a_suggestion(void **state) {
    const trFormulationKind *kind = tr_formulation_find("maggi");
    trArena                 *arena = tr_arena_create();
    void                    *options = NULL;
    assert_int_equal(tr_options_bind(arena, kind->size, kind->fields,
                                     TR_PARAMS(TR_WORD("basis", "housholder")), &options),
                     TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "did you mean 'householder'"));
    tr_arena_destroy(arena);
}

// Velocity 1 has no mass and is held by one row. At 1e-6 of its nominal size the row is dropped,
// and what it held is free without inertia; a dense formulation that keeps a^2 A'A does not see it.
static void what_a_dropped_row_held_is_named(void **state) {
    static const char  *kinds[] = {"acceleration_projection", "maggi", "nullspace"};
    static const double mass[3] = {1.0, 0.0, 2.0}, scale[1] = {1.0};
    static const int    group[2] = {0, 1}, first[1] = {0}, width[1] = {3};
    double              value[3] = {0.1, 1.0, 0.0};
    const trEquations   e = {.nv = 3,
                             .m = 1,
                             .M = {.n = 3, .diagonal = mass},
                             .A = {.m = 1,
                                   .n = 3,
                                   .groups = 1,
                                   .group_row = group,
                                   .group_side = group,
                                   .side_column = first,
                                   .side_width = width,
                                   .side_value = first,
                                   .value = value},
                             .row_scale = scale,
                             .rank_tolerance = 1e-4};
    for (int k = 0; k < 3; k++) {
        const trFormulationKind *kind = tr_formulation_find(kinds[k]);
        trArena                 *arena = tr_arena_create();
        void                    *work = NULL;
        assert_int_equal(kind->plan(arena, &e, NULL, &work), TR_OK);
        value[0] = 0.1;
        value[1] = 1.0;
        assert_int_equal(kind->factor(work, &e), TR_OK);
        value[0] = 1e-7;
        value[1] = 1e-6;
        assert_int_equal(kind->factor(work, &e), TR_SINGULAR);
        assert_non_null(strstr(tr_last_error(), "inertia"));
        assert_int_equal(kind->rank(work).dropped, 1);
        assert_int_equal(kind->rank(work).free_column, 1);
        tr_arena_destroy(arena);
    }
}

// Two rows that are nearly parallel (4e-4 apart), in the basis that loses half of the digits: its
// free motions violate the rows by eps / 4e-4 = 5e-13 of their size. Refinement leaves rounding.
static void refinement_removes_the_error_of_the_basis(void **state) {
    static const double      mass[4] = {1.0, 2.0, 3.0, 4.0}, Q[4] = {1e3, -7e2, 5e2, 3e2};
    static const double      b[2] = {0.0, 0.0};
    static const int         row[2] = {0, 2}, side[2] = {0, 1}, first[1] = {0}, width[1] = {4};
    static const double      value[8] = {1.0, 0.3, -0.2, 0.5, 1.0001, 0.2996, -0.1998, 0.50015};
    const trBasisOptions     options = {.basis = "zero_eigenvalue"};
    const trFormulationKind *kind = tr_formulation_find("maggi");
    const trEquations        e = {.nv = 4,
                                  .m = 2,
                                  .M = {.n = 4, .diagonal = mass},
                                  .A = {.m = 2,
                                        .n = 4,
                                        .groups = 1,
                                        .group_row = row,
                                        .group_side = side,
                                        .side_column = first,
                                        .side_width = width,
                                        .side_value = first,
                                        .value = value},
                                  .rank_tolerance = 1e-5};
    trArena                 *arena = tr_arena_create();
    void                    *work = NULL;
    double                   a[4], lambda[2], reached[2];
    assert_int_equal(kind->plan(arena, &e, &options, &work), TR_OK);
    assert_int_equal(kind->factor(work, &e), TR_OK);
    assert_int_equal(kind->rank(work).rank, 2);
    assert_int_equal(kind->solve(work, &e, Q, b, a, lambda), TR_OK);
    tr_rows_mul(&e.A, a, reached);
    assert_true(largest(4, a) > 50.0);
    assert_true(largest(2, reached) < 1e-15 * largest(4, a));
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_do_not_depend_on_the_basis),
        cmocka_unit_test(the_basis_may_be_left_out),
        cmocka_unit_test(an_unknown_basis_is_refused_with_a_suggestion),
        cmocka_unit_test(what_a_dropped_row_held_is_named),
        cmocka_unit_test(refinement_removes_the_error_of_the_basis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
