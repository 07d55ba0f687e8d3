// SPDX-License-Identifier: MIT
// What a kernel does beyond one good factorization: it forgets one that failed, refines where rows
// are nearly dependent, and notices a massless body that becomes free in a later pose.

#include <math.h>
#include <string.h>

#include "formulation/planar_equations.h"
#include "formulation/schur.h"
#include "support/test.h"

// A formulation that counts its factorizations and fails when told to.
typedef struct Counter {
    int  calls;
    bool fails;
} Counter;

static trStatus count_factor(void *work, const trEquations *e) {
    Counter *counter = work;
    (void)e;
    counter->calls++;
    return counter->fails ? TR_SINGULAR : TR_OK;
}

static const trFormulationKind counting = {.name = "counting", .factor = count_factor};

static trStatus factor_at(trKernel *kernel, Counter *counter, int64_t stamp, bool fails) {
    counter->fails = fails;
    return tr_kernel_factor(kernel, &(trEquations){.stamp = stamp});
}

static void equations_are_factored_once_for_each_stamp(void **state) {
    Counter  counter = {0};
    trKernel kernel = {.kind = &counting, .work = &counter};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(factor_at(&kernel, &counter, 7, false), TR_OK);
        assert_int_equal(counter.calls, 1);
    }
    assert_int_equal(factor_at(&kernel, &counter, 8, false), TR_OK);
    assert_int_equal(counter.calls, 2);
    // 0 says that nothing is known.
    assert_int_equal(factor_at(&kernel, &counter, 0, false), TR_OK);
    assert_int_equal(factor_at(&kernel, &counter, 0, false), TR_OK);
    assert_int_equal(counter.calls, 4);
    assert_int_equal(kernel.factorizations, 4);
}

// Neither the equations that failed nor those before them are factored afterwards.
static void after_a_failure_nothing_is_factored(void **state) {
    for (int64_t next = 7; next <= 8; next++) {
        Counter  counter = {0};
        trKernel kernel = {.kind = &counting, .work = &counter};
        assert_int_equal(factor_at(&kernel, &counter, 7, false), TR_OK);
        assert_int_equal(factor_at(&kernel, &counter, 8, true), TR_SINGULAR);
        assert_int_equal(factor_at(&kernel, &counter, next, false), TR_OK);
        assert_int_equal(counter.calls, 3);
    }
}

typedef struct Solution {
    double a[MAX_N], lambda[MAX_M];
} Solution;

// (F - M a - A' lambda, b - A a) of a solution in two parts, summed in long double.
static void residuals(const Problem *p, const Solution *s, const Solution *rest, double *force,
                      double *level) {
    static double dense[MAX_M * MAX_N];
    int           n = p->e.nv, m = p->e.m;
    tr_rows_dense(&p->e.A, dense);
    for (int j = 0; j < n; j++) {
        long double sum = p->Q[j];
        sum -= (long double)p->mass[j] * ((long double)s->a[j] + rest->a[j]);
        for (int i = 0; i < m; i++) {
            sum -= dense[i + j * m] * ((long double)s->lambda[i] + rest->lambda[i]);
        }
        force[j] = (double)sum;
    }
    for (int i = 0; i < m; i++) {
        long double sum = p->b[i];
        for (int j = 0; j < n; j++) {
            sum -= dense[i + j * m] * ((long double)s->a[j] + rest->a[j]);
        }
        level[i] = (double)sum;
    }
}

// How far a solution is from the exact one, which is found by many sweeps of refinement with
// accurate residuals, whatever the kernel itself refines.
static void find_rest(trSchur *s, const Problem *p, const Solution *found, Solution *rest) {
    double force[MAX_N], level[MAX_M], da[MAX_N], dlambda[MAX_M];
    memset(rest, 0, sizeof *rest);
    for (int sweep = 0; sweep < 40; sweep++) {
        residuals(p, found, rest, force, level);
        assert_int_equal(tr_schur_solve(s, &p->e, force, level, da, dlambda), TR_OK);
        for (int i = 0; i < p->e.nv; i++) {
            rest->a[i] += da[i];
        }
        for (int i = 0; i < p->e.m; i++) {
            rest->lambda[i] += dlambda[i];
        }
    }
}

static double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// Makes joint `to` a copy of joint `from`, but for `change` in what row i says of coordinate i.
static void make_nearly_equal(Problem *p, int from, int to, double change) {
    for (int s = p->group_side[to], t = p->group_side[from]; s < p->group_side[to + 1]; s++, t++) {
        int rows = p->group_row[to + 1] - p->group_row[to];
        for (int k = 0; k < 3 * rows; k++) {
            p->value[p->side_value[s] + k] =
                p->value[p->side_value[t] + k] + (k % 4 == 0 ? change : 0.0);
        }
    }
}

// Renews b = A x for some x, so that dependent rows do not contradict each other.
static void renew_right_side(Problem *p, trRandom *random) {
    double reached[MAX_N];
    for (int i = 0; i < p->e.nv; i++) {
        reached[i] = random_real(random);
    }
    tr_rows_mul(&p->e.A, reached, p->b);
}

// Solves and returns how far accelerations and multipliers are off, relative to the largest.
static void errors_of(const Problem *p, int dropped, double *a, double *lambda) {
    trArena        *arena = tr_arena_create();
    trSchur         s;
    static Solution found, rest;
    assert_int_equal(tr_schur_plan(arena, &p->e, &s), TR_OK);
    assert_int_equal(tr_schur_factor(&s, &p->e), TR_OK);
    assert_int_equal(tr_schur_rank(&s).dropped, dropped);
    assert_int_equal(tr_schur_solve(&s, &p->e, p->Q, p->b, found.a, found.lambda), TR_OK);
    find_rest(&s, p, &found, &rest);
    *a = largest(p->e.nv, rest.a) / largest(p->e.nv, found.a);
    *lambda = largest(p->e.m, rest.lambda) / largest(p->e.m, found.lambda);
    tr_arena_destroy(arena);
}

// Two rows differ by 2e-3, so that S has a condition of 1e6 and more. Without refinement the
// accelerations are off by up to 1.5e-8, with it by 6e-13.
static void solutions_with_dropped_rows_are_refined(void **state) {
    static Problem p;
    const Case     c = {"nearly dependent",
                        "mmm",
                        {{2, -1, 0, 0}, {1, 0, 1, 0}, {1, 0, 1, 0}, {2, 1, 2, 0}, {2, 1, 2, 1}},
                        2};
    trRandom       random = {51};
    double         a = 0.0, lambda = 0.0, worst = 0.0;
    planar_lay_out(&p, &c);
    for (int trial = 0; trial < 50; trial++) {
        planar_draw(&p, &c, &random);
        make_nearly_equal(&p, 1, 2, 2e-3);
        renew_right_side(&p, &random);
        errors_of(&p, 2, &a, &lambda);
        worst = fmax(worst, a);
    }
    assert_true(worst <= 1e-11);
}

// Two rows on a massless link differ by 1e-2, so that compliance leaves about 1e-4 of some
// multipliers after a sweep. Beside an acceleration of 1e12 no change of another one counts; if
// sweeps ended for that, multipliers would be off by 4e-8. They are by 2e-13.
static void multipliers_are_refined_beside_large_accelerations(void **state) {
    static Problem p;
    const Case     c = {"massless link and a fast body",
                        "m-mm",
                        {{2, -1, 0, 0}, {1, 0, 1, 0}, {1, 0, 1, 0}, {2, 1, 2, 0}},
                        0};
    trRandom       random = {52};
    double         a = 0.0, lambda = 0.0, worst = 0.0;
    planar_lay_out(&p, &c);
    for (int trial = 0; trial < 50; trial++) {
        planar_draw(&p, &c, &random);
        make_nearly_equal(&p, 1, 2, 1e-2);
        renew_right_side(&p, &random);
        p.Q[9] = 1e12;
        errors_of(&p, 0, &a, &lambda);
        worst = fmax(worst, lambda);
    }
    assert_true(worst <= 1e-11);
}

// Rows that touch a massless body have compliance: their pivots say nothing about independence.
static void the_gap_is_that_of_rows_without_compliance(void **state) {
    static Problem p;
    const Case     c = {"beside a massless body",
                        "mm-m",
                        {{2, -1, 0, 0}, {2, 0, 1, 0}, {2, 1, 2, 0}, {2, 2, 3, 0}, {1, 1, 2, 0}},
                        0};
    trRandom       random = {53};
    planar_lay_out(&p, &c);
    for (int trial = 0; trial < 50; trial++) {
        trArena *arena = tr_arena_create();
        trSchur  s;
        planar_draw(&p, &c, &random);
        assert_int_equal(tr_schur_plan(arena, &p.e, &s), TR_OK);
        assert_int_equal(tr_schur_factor(&s, &p.e), TR_OK);
        trRank rank = tr_schur_rank(&s);
        assert_in_range(rank.gap_row, 0, 3);
        assert_true(rank.gap > 1e-8 && rank.gap <= 1.0 + 1e-12);
        assert_int_equal(rank.unjudged, 5);
        tr_arena_destroy(arena);
    }
}

// A pin of body `side` at the arm (x, y) from its center of mass: J = +-(I, z x arm).
static void set_pin(Problem *p, int side, double sign, double x, double y) {
    const double pin[] = {sign, 0.0, -sign * y, 0.0, sign, sign * x};
    memcpy(p->value + p->side_value[side], pin, sizeof pin);
}

// Both pins of a massless link meet in one point: its rotation about that point is free, up to the
// rounding of what is left of its pivots.
static void a_massless_body_that_becomes_free_in_a_later_pose_is_named(void **state) {
    static Problem p;
    const Case     c = {"massless link", "m-m", {{2, 0, 1, 0}, {2, 1, 2, 0}}, 0};
    trRandom       random = {54};
    planar_lay_out(&p, &c);
    for (int trial = 0; trial < 50; trial++) {
        trArena *arena = tr_arena_create();
        trSchur  s;
        double   x = random_real(&random), y = random_real(&random);
        planar_draw(&p, &c, &random);
        set_pin(&p, 0, -1.0, random_real(&random), random_real(&random));
        set_pin(&p, 1, 1.0, x, y);
        set_pin(&p, 2, -1.0, x + 1.0, y - 0.5);
        set_pin(&p, 3, 1.0, random_real(&random), random_real(&random));
        assert_int_equal(tr_schur_plan(arena, &p.e, &s), TR_OK);
        assert_int_equal(tr_schur_factor(&s, &p.e), TR_OK);
        assert_int_equal(tr_schur_rank(&s).free_column, -1);
        set_pin(&p, 2, -1.0, x, y);
        assert_int_equal(tr_schur_factor(&s, &p.e), TR_SINGULAR);
        assert_in_range(tr_schur_rank(&s).free_column, 3, 5);
        tr_arena_destroy(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_are_factored_once_for_each_stamp),
        cmocka_unit_test(after_a_failure_nothing_is_factored),
        cmocka_unit_test(solutions_with_dropped_rows_are_refined),
        cmocka_unit_test(multipliers_are_refined_beside_large_accelerations),
        cmocka_unit_test(the_gap_is_that_of_rows_without_compliance),
        cmocka_unit_test(a_massless_body_that_becomes_free_in_a_later_pose_is_named),
    };
    return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
