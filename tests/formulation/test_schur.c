// SPDX-License-Identifier: MIT
// The sparse kernel against its dense twin on planar systems with bodies that lack mass or
// inertia, with redundant rows, and with motions that nothing determines.

#include <math.h>
#include <string.h>

#include "formulation/planar_equations.h"
#include "formulation/schur.h"
#include "support/test.h"

#define TRIALS 100

static const Case cases[] = {
    {"open chain", "mmmm", {{2, -1, 0, 0}, {2, 0, 1, 0}, {3, 1, 2, 0}, {1, 2, 3, 0}}, 0},
    {"closed loop", "mmm", {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, -1, 2, 0}}, 0},
    {"massless coupler", "m-m", {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, -1, 2, 0}}, 0},
    {"coupler without inertia", "mJm", {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}}, 0},
    {"slider without inertia",
     "mmJ",
     {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, -1, 2, 0}},
     0},
    {"two massless bodies in series",
     "m--m",
     {{2, -1, 0, 0}, {3, 0, 1, 0}, {2, 1, 2, 0}, {2, 2, 3, 0}},
     0},
    {"two massless bodies and pins",
     "m--m",
     {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, 2, 3, 0}},
     0},
    {"three massless bodies in a tree",
     "m---",
     {{2, -1, 0, 0}, {3, 0, 1, 0}, {3, 1, 2, 0}, {3, 1, 3, 0}},
     0},
    {"massless body between ground and a body", "-m", {{3, -1, 0, 0}, {2, 0, 1, 0}}, 0},
    {"massless body on the ground twice", "-m", {{2, -1, 0, 0}, {2, 0, 1, 0}, {1, -1, 0, 0}}, 0},
    {"redundant rows", "mmm", {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, 1, 2, 1}}, 2},
    {"redundant pairs and singles",
     "mmmm",
     {{2, -1, 0, 0},
      {2, -1, 0, 1},
      {1, 0, 1, 0},
      {2, 1, 2, 0},
      {1, 0, 1, 2},
      {3, 2, 3, 0},
      {3, 2, 3, 1}},
     6},
    {"redundant rows beside a massless body",
     "m-mm",
     {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, -1, 3, 0}, {2, -1, 3, 1}},
     2},
    {"redundant rows on a massless body",
     "m-m",
     {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 0, 1, 1}, {2, 1, 2, 0}, {2, -1, 2, 0}},
     0},
    {"redundant rows on two massless bodies",
     "m--m",
     {{3, 0, 1, 0}, {2, 1, 2, 0}, {2, 1, 2, 1}, {2, 2, 3, 0}, {3, 0, 1, 4}},
     0},
    {"redundant ground joints of a massless body",
     "-m",
     {{3, -1, 0, 0}, {3, -1, 0, 1}, {2, 0, 1, 0}},
     0},
    {"only massless bodies", "--", {{3, -1, 0, 0}, {3, 0, 1, 0}}, 0},
};

#define CASES (sizeof cases / sizeof *cases)

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

typedef struct Solution {
    trStatus status;
    double   a[MAX_N], lambda[MAX_M];
    double   force[MAX_N];  // -A' lambda, which is unique where lambda is not
    trRank   rank;
    int      rows[MAX_M];  // dropped
} Solution;

static void solve(const char *name, const Problem *p, Solution *out) {
    const trFormulationKind *kind = tr_formulation_find(name);
    trArena                 *arena = tr_arena_create();
    void                    *work = NULL;
    memset(out, 0, sizeof *out);
    assert_int_equal(kind->plan(arena, &p->e, NULL, &work), TR_OK);
    tr_arena_seal(arena);
    out->status = kind->factor(work, &p->e);
    if (out->status == TR_OK) {
        out->status = kind->solve(work, &p->e, p->Q, p->b, out->a, out->lambda);
    }
    tr_rows_tmul_sub(&p->e.A, out->lambda, out->force);
    out->rank = kind->rank(work);
    memcpy(out->rows, out->rank.rows, (size_t)out->rank.dropped * sizeof *out->rows);
    tr_arena_destroy(arena);
}

// Solutions that are refined: bodies are kept, or rows were dropped.
static bool is_refined(const Case *c) {
    return c->dropped > 0 || strpbrk(c->mass, "-J") != NULL;
}

// What is measured: the largest difference to the dense solution, relative to 1 + its largest
// entry, of accelerations and of constraint forces. Over these systems it is at most 1.0e-13 where
// the sparse solution is refined; 1e-12 is asked for. Without refinement the condition of the
// worst drawn system shows, 1e4.
static void check_against_dense(const Case *c, const Problem *p) {
    static Solution sparse, dense;
    double          tolerance = is_refined(c) ? 1e-12 : 1e-11;
    solve("lagrange", p, &sparse);
    solve("lagrange_dense", p, &dense);
    if (sparse.status != TR_OK || dense.status != TR_OK) {
        fail_msg("%s: %s", c->name, tr_last_error());
    }
    double size_a = 1.0 + largest(p->e.nv, dense.a), size_f = 1.0 + largest(p->e.nv, dense.force);
    for (int i = 0; i < p->e.nv; i++) {
        double a = fabs(sparse.a[i] - dense.a[i]), f = fabs(sparse.force[i] - dense.force[i]);
        if (!(a <= tolerance * size_a) || !(f <= tolerance * size_f)) {
            fail_msg("%s: velocity %d differs by %.2g, its force by %.2g", c->name, i, a, f);
        }
    }
    assert_int_equal(sparse.rank.dropped, c->dropped);
    assert_int_equal(sparse.rank.rank, p->e.m - c->dropped);
    assert_int_equal(sparse.rank.free_column, -1);
}

static void for_all_cases(void (*check)(const Case *c, const Problem *p)) {
    static Problem p;
    for (size_t i = 0; i < CASES; i++) {
        trRandom random = {31 + i};
        planar_lay_out(&p, &cases[i]);
        for (int trial = 0; trial < TRIALS; trial++) {
            planar_draw(&p, &cases[i], &random);
            check(&cases[i], &p);
        }
    }
}

static void solutions_agree_with_the_dense_twin(void **state) {
    for_all_cases(check_against_dense);
}

// Residuals are rounding of the terms that are added, whatever the condition.
static void check_residuals(const Case *c, const Problem *p) {
    static Solution s;
    double          force[MAX_N], reached[MAX_M];
    solve("lagrange", p, &s);
    assert_int_equal(s.status, TR_OK);
    double size = 1.0 + largest(p->e.nv, s.a) + largest(p->e.m, s.lambda);
    tr_mass_mul(&p->e.M, s.a, force);
    for (int i = 0; i < p->e.nv; i++) {
        force[i] -= p->Q[i] + s.force[i];
    }
    tr_rows_mul(&p->e.A, s.a, reached);
    for (int i = 0; i < p->e.m; i++) {
        reached[i] -= p->b[i];
    }
    if (!(largest(p->e.nv, force) <= 1e-14 * size) || !(largest(p->e.m, reached) <= 1e-14 * size)) {
        fail_msg("%s: residuals %.2g and %.2g of %.2g", c->name, largest(p->e.nv, force),
                 largest(p->e.m, reached), size);
    }
}

static void the_equations_hold_to_rounding(void **state) {
    for_all_cases(check_residuals);
}

static void check_dropped(const Case *c, const Problem *p) {
    static Solution s;
    bool            seen[MAX_M] = {false};
    solve("lagrange", p, &s);
    for (int i = 0; i < s.rank.dropped; i++) {
        assert_in_range(s.rows[i], 0, p->e.m - 1);
        assert_false(seen[s.rows[i]]);
        seen[s.rows[i]] = true;
        assert_true(s.lambda[s.rows[i]] == 0.0);
    }
    if (strpbrk(c->mass, "-J") == NULL) {
        assert_true(s.rank.gap > 1e-8 && s.rank.gap <= 1.0 + 1e-12);
        assert_in_range(s.rank.gap_row, 0, p->e.m - 1);
        assert_false(seen[s.rank.gap_row]);
    }
}

static void dropped_rows_are_listed_once_and_bear_nothing(void **state) {
    for_all_cases(check_dropped);
}

// diag(A M^-1 A'), by its definition.
static void check_norms(const Case *c, const Problem *p) {
    static double A[MAX_M * MAX_N];
    trArena      *arena = tr_arena_create();
    trSchur       s;
    assert_int_equal(tr_schur_plan(arena, &p->e, &s), TR_OK);
    assert_int_equal(tr_schur_factor(&s, &p->e), TR_OK);
    tr_rows_dense(&p->e.A, A);
    for (int i = 0; i < p->e.m && strpbrk(c->mass, "-J") == NULL; i++) {
        double sum = 0.0;
        for (int j = 0; j < p->e.nv; j++) {
            sum += A[i + j * p->e.m] * A[i + j * p->e.m] / p->mass[j];
        }
        assert_true(fabs(s.row_norm[i] - sum) <= 1e-14 * sum);
    }
    tr_arena_destroy(arena);
}

static void row_norms_are_the_diagonal_of_the_mobility(void **state) {
    for_all_cases(check_norms);
}

static void check_free(const char *kind, const Case *c, const Problem *p, int first, int last) {
    static Solution s;
    solve(kind, p, &s);
    if (s.status != TR_SINGULAR || s.rank.free_column < first || s.rank.free_column > last) {
        fail_msg("%s, %s: status %d, column %d", kind, c->name, (int)s.status, s.rank.free_column);
    }
    assert_non_null(strstr(tr_last_error(), "inertia"));
}

static void check_free_with_both(const Case *c, const Problem *p, int column) {
    check_free("lagrange", c, p, column, column);
    check_free("lagrange_dense", c, p, column, column);
}

static void a_massless_body_without_joints_is_named(void **state) {
    static Problem p;
    const Case     c = {"lone body", "m-m", {{2, -1, 0, 0}, {2, 0, 2, 0}}, 0};
    trRandom       random = {41};
    planar_lay_out(&p, &c);
    planar_draw(&p, &c, &random);
    check_free_with_both(&c, &p, 3);
}

// A pin at the center of mass: J = (I, 0), so that nothing holds the rotation.
static void a_rotation_without_inertia_is_named(void **state) {
    static Problem    p;
    static const Case list[] = {{"pinned massless body", "m-", {{2, -1, 0, 0}, {2, 0, 1, 0}}, 0},
                                {"body without inertia", "mJ", {{2, -1, 0, 0}, {2, 0, 1, 0}}, 0}};
    for (int i = 0; i < 2; i++) {
        static const double pin[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
        trRandom            random = {42};
        planar_lay_out(&p, &list[i]);
        planar_draw(&p, &list[i], &random);
        memcpy(p.value + p.side_value[2], pin, sizeof pin);
        check_free_with_both(&list[i], &p, 5);
    }
}

// Nine columns without mass and eight rows: one motion of the three links is free, and one of
// their velocities is named.
static void a_free_motion_of_several_massless_bodies_is_named(void **state) {
    static Problem p;
    const Case     c = {"free chain",
                        "m---m",
                        {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, 2, 3, 0}, {2, 3, 4, 0}},
                        0};
    trRandom       random = {43};
    planar_lay_out(&p, &c);
    for (int trial = 0; trial < TRIALS; trial++) {
        planar_draw(&p, &c, &random);
        planar_make_pins(&p, &random);
        check_free("lagrange", &c, &p, 3, 11);
    }
}

static void a_system_without_joints_is_free(void **state) {
    static Problem  p;
    static Solution s;
    const Case      c = {"no joints", "mm", {{0}}, 0};
    trRandom        random = {44};
    planar_lay_out(&p, &c);
    planar_draw(&p, &c, &random);
    solve("lagrange", &p, &s);
    assert_int_equal(s.status, TR_OK);
    for (int i = 0; i < p.e.nv; i++) {
        assert_true(fabs(s.a[i] * p.mass[i] - p.Q[i]) <= 1e-15);
    }
}

static void a_dense_mass_matrix_is_refused_with_advice(void **state) {
    static Problem p;
    static double  dense[MAX_N * MAX_N];
    trArena       *arena = tr_arena_create();
    trSchur        s;
    planar_lay_out(&p, &cases[0]);
    p.e.M = (trMass){.n = p.e.nv, .dense = dense};
    assert_int_equal(tr_schur_plan(arena, &p.e, &s), TR_E_UNSUPPORTED);
    assert_non_null(strstr(tr_last_error(), "lagrange_dense"));
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_agree_with_the_dense_twin),
        cmocka_unit_test(the_equations_hold_to_rounding),
        cmocka_unit_test(dropped_rows_are_listed_once_and_bear_nothing),
        cmocka_unit_test(row_norms_are_the_diagonal_of_the_mobility),
        cmocka_unit_test(a_massless_body_without_joints_is_named),
        cmocka_unit_test(a_rotation_without_inertia_is_named),
        cmocka_unit_test(a_free_motion_of_several_massless_bodies_is_named),
        cmocka_unit_test(a_system_without_joints_is_free),
        cmocka_unit_test(a_dense_mass_matrix_is_refused_with_advice),
    };
    return cmocka_run_group_tests_name("schur", tests, NULL, NULL);
}
