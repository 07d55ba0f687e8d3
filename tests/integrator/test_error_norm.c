// SPDX-License-Identifier: MIT
// The error norm of adaptive integrators: what enters it, by which tolerance, weight and group.

#include <math.h>

#include "integrator/explicit.h"
#include "support/test.h"

// x1' = x2, x2' = -x1 in the first two, and a quadrature with a huge rate behind them.
static trStatus with_quadrature(void *context, double t, const double *x, double *xdot) {
    (void)context;
    xdot[0] = x[1];
    xdot[1] = -x[0];
    xdot[2] = 1e9 * sin(30.0 * t);
    return TR_OK;
}

static void quadratures_do_not_enter_the_error_norm(void **state) {
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        const trTolerance       tolerance = {.rtol = 1e-6, .atol = 1e-6};
        double                  error[2], x[3] = {-1.0, 0.5, 0.0}, x_new[3];
        for (int counted = 2; counted <= 3; counted++) {
            trArena *arena = tr_arena_create();
            void    *work = NULL;
            trOde    ode = {.nx = 3, .nerror = counted, .rhs = with_quadrature};
            assert_int_equal(kind->plan(arena, 3, &tolerance, &work), TR_OK);
            assert_int_equal(kind->begin(work, &ode, 0.0, x), TR_OK);
            assert_int_equal(kind->attempt(work, &ode, 0.0, 0.2, x, x_new, &error[counted - 2]),
                             TR_OK);
            tr_arena_destroy(arena);
        }
        if (kind->error_order > 0) {
            assert_true(error[0] < 1e2);
            assert_true(error[1] > 1e4 * error[0]);
        }
    }
}

// With atol far below |x| the error of x' = x is the same number at x = -100 and at x = 100; a norm
// that forgets |x| gives one that is larger by many orders, or negative.
static void tolerance_is_relative_to_negative_components_too(void **state) {
    const trTolerance tolerance = {.rtol = 1e-6, .atol = 1e-15};
    double            rate = 1.0;
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        const trOde             ode = {.nx = 1, .nerror = 1, .context = &rate, .rhs = linear};
        double                  error[2];
        for (int side = 0; side < 2; side++) {
            trArena *arena = tr_arena_create();
            void    *work = NULL;
            double   x = side == 0 ? 100.0 : -100.0, x_new;
            assert_int_equal(kind->plan(arena, 1, &tolerance, &work), TR_OK);
            assert_int_equal(kind->begin(work, &ode, 0.0, &x), TR_OK);
            assert_int_equal(kind->attempt(work, &ode, 0.0, 0.1, &x, &x_new, &error[side]), TR_OK);
            tr_arena_destroy(arena);
        }
        assert_true(error[0] == error[1]);
    }
    const double      e[2] = {3e-4, 4e-4}, x[2] = {-100.0, 1.0}, x_new[2] = {-90.0, -200.0};
    const trTolerance mixed = {.rtol = 1e-6, .atol = 1e-6};
    // scales 1e-6 + 1e-4 and 1e-6 + 2e-4
    double       expected = sqrt(0.5 * (pow(3e-4 / 1.01e-4, 2.0) + pow(4e-4 / 2.01e-4, 2.0)));
    const double weight[2] = {2.0, 3.0};
    double       heavier = sqrt(0.5 * (pow(6e-4 / 1.01e-4, 2.0) + pow(12e-4 / 2.01e-4, 2.0)));
    const trOde  plain = {.nerror = 2}, weighted = {.nerror = 2, .weight = weight}, none = {0};
    assert_true(fabs(tr_error_norm(&plain, e, x, x_new, &mixed) - expected) < 1e-12);
    assert_true(fabs(tr_error_norm(&weighted, e, x, x_new, &mixed) - heavier) < 1e-12);
    assert_true(tr_error_norm(&none, e, x, x_new, &mixed) == 0.0);
}

// A weight multiplies the estimate.
static void weights_enter_the_estimates(void **state) {
    const trTolerance tolerance = {.rtol = 1e-6, .atol = 1e-6};
    const double      weight = 3.0;
    double            rate = 0.7;
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        double                  error[2];
        for (int k = 0; k < 2; k++) {
            trArena *arena = tr_arena_create();
            void    *work = NULL;
            double   x = 1.0, x_new;
            trOde    ode = {.nx = 1, .nerror = 1, .context = &rate, .rhs = linear};
            ode.weight = k == 0 ? NULL : &weight;
            assert_int_equal(kind->plan(arena, 1, &tolerance, &work), TR_OK);
            assert_int_equal(kind->begin(work, &ode, 0.0, &x), TR_OK);
            assert_int_equal(kind->attempt(work, &ode, 0.0, 0.5, &x, &x_new, &error[k]), TR_OK);
            tr_arena_destroy(arena);
        }
        assert_true(fabs(error[1] - 3.0 * error[0]) <= 1e-14 * error[1]);
        assert_int_equal(error[0] > 0.0, kind->error_order > 0);
    }
}

// x' = rate x for the first number, and nothing for the others.
static trStatus lone(void *context, double t, const double *x, double *xdot) {
    xdot[1] = xdot[2] = xdot[3] = 0.0;
    return linear(context, t, x, xdot);
}

// The first number alone, and beside three that stand still: in a group of its own with one of them
// it counts as in a system of those two.
static void an_error_does_not_shrink_beside_other_groups(void **state) {
    const trTolerance tolerance = {.rtol = 1e-6, .atol = 1e-6};
    double            rate = 0.7;
    for (int i = 0; i < explicit_count(); i++) {
        const trIntegratorKind *kind = explicit_at(i);
        double                  error[2];
        for (int k = 0; k < 2; k++) {
            trArena *arena = tr_arena_create();
            void    *work = NULL;
            double   x[4] = {1.0, 1.0, 1.0, 1.0}, x_new[4];
            trOde    ode = {.nx = 4, .nerror = k == 0 ? 2 : 4, .context = &rate, .rhs = lone};
            ode.groups = k == 0 ? 0 : 2;
            ode.part[0] = ode.part[1] = 1;
            assert_int_equal(kind->plan(arena, 4, &tolerance, &work), TR_OK);
            assert_int_equal(kind->begin(work, &ode, 0.0, x), TR_OK);
            assert_int_equal(kind->attempt(work, &ode, 0.0, 0.5, x, x_new, &error[k]), TR_OK);
            tr_arena_destroy(arena);
        }
        assert_true(error[1] == error[0]);
        assert_int_equal(error[0] > 0.0, kind->error_order > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadratures_do_not_enter_the_error_norm),
        cmocka_unit_test(tolerance_is_relative_to_negative_components_too),
        cmocka_unit_test(weights_enter_the_estimates),
        cmocka_unit_test(an_error_does_not_shrink_beside_other_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
