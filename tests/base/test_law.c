// SPDX-License-Identifier: MIT
// Laws: values, slopes and integrals belong together; tables are smooth and keep monotony.

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/law.h"
#include "support/test.h"

// Rounding of a sum of a few terms, each at most `size`.
static double rounding(double size) {
    return 32.0 * DBL_EPSILON * size;
}

static void near(double actual, double expected, double tolerance) {
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", actual, expected, tolerance);
    }
}

static int make_arena(void **state) {
    *state = tr_arena_create();
    return *state == NULL;
}

static int drop_arena(void **state) {
    tr_arena_destroy(*state);
    return 0;
}

// Three cubic pieces that jump at their breaks. The last starts at 3 and goes on.
static const trLaw *jumping_law(void **state) {
    const double breaks[] = {-2.0, 1.0, 3.0};
    const double c[] = {1.0, -2.0, 0.5, 0.25, 4.0, 1.0, -1.0, 0.5, -3.0, 0.0, 2.0, -0.125};
    const trLaw *law = NULL;
    assert_int_equal(tr_law_pieces(*state, 3, breaks, 4, c, &law), TR_OK);
    return law;
}

static void pieces_hold_from_their_break_and_the_outer_ones_go_on(void **state) {
    const trLaw *law = jumping_law(state);
    near(tr_law_value(law, -2.0), 1.0, 0.0);
    near(tr_law_value(law, -3.0), 1.0 + 2.0 + 0.5 - 0.25, rounding(4.0));
    near(tr_law_value(law, 1.0), 4.0, 0.0);
    near(tr_law_value(law, 2.0), 4.5, rounding(4.0));
    near(tr_law_value(law, 5.0), -3.0 + 8.0 - 1.0, rounding(8.0));
    near(tr_law_slope(law, 2.0), 1.0 - 2.0 + 1.5, rounding(2.0));
    near(tr_law_slope(law, 5.0), 8.0 - 1.5, rounding(8.0));
    near(tr_law_curvature(law, 2.0), -2.0 + 3.0, rounding(3.0));
    near(tr_law_curvature(law, 5.0), 4.0 - 1.5, rounding(4.0));
}

// Simpson's rule is exact for cubics, so inside a piece it must give the integral's difference.
static void the_integral_belongs_to_the_values(void **state) {
    const trLaw *law = jumping_law(state);
    const double ranges[][2] = {{-5.0, -2.0}, {-2.0, -0.5}, {-0.5, 0.99}, {1.0, 2.99}, {3.0, 6.0}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        double a = ranges[i][0], b = ranges[i][1];
        double simpson =
            (b - a) / 6.0 *
            (tr_law_value(law, a) + 4.0 * tr_law_value(law, 0.5 * (a + b)) + tr_law_value(law, b));
        near(tr_law_integral(law, b) - tr_law_integral(law, a), simpson, rounding(50.0));
    }
}

static void the_integral_is_continuous_and_zero_at_zero(void **state) {
    const trLaw *law = jumping_law(state);
    near(tr_law_integral(law, 0.0), 0.0, 0.0);
    for (int i = 0; i < law->pieces; i++) {
        double at = law->breaks[i], before = nextafter(at, -10.0);
        near(tr_law_integral(law, before), tr_law_integral(law, at), rounding(20.0));
    }

    // Zero may lie outside the breaks on either side as well.
    const double line[] = {2.0, 1.0, 3.0, 0.0};
    const double after[] = {5.0, 6.0}, before[] = {-6.0, -5.0};
    const trLaw *right = NULL, *left = NULL;
    assert_int_equal(tr_law_pieces(*state, 2, after, 2, line, &right), TR_OK);
    assert_int_equal(tr_law_pieces(*state, 2, before, 2, line, &left), TR_OK);
    near(tr_law_integral(right, 0.0), 0.0, 0.0);
    near(tr_law_integral(left, 0.0), 0.0, 0.0);
    // From 0 to 5 along 2 + (x - 5): (-3 + 2) / 2 * 5; then 2.5 over [5, 6] and 3 a unit.
    near(tr_law_integral(right, 7.0), -2.5 + 2.5 + 3.0, rounding(10.0));
    // From 0 down to -6: -(5 * 3) - 2.5.
    near(tr_law_integral(left, -6.0), -17.5, rounding(20.0));
}

static void a_linear_law_is_a_spring(void **state) {
    const trLaw *law = NULL;
    assert_int_equal(tr_law_linear(*state, 8.0, &law), TR_OK);
    near(tr_law_value(law, -0.5), -4.0, 0.0);
    near(tr_law_slope(law, 7.0), 8.0, 0.0);
    near(tr_law_integral(law, -0.5), 1.0, 0.0);
}

// Steep and flat parts side by side: slopes that are not limited overshoot here.
static const double table_x[] = {-1.0, 0.0, 0.5, 2.0, 2.1, 3.0, 4.0};
static const double table_y[] = {0.0, 0.1, 0.2, 0.3, 10.0, 10.0, 10.5};
#define POINTS 7

static const trLaw *steep_table(void **state) {
    const trLaw *law = NULL;
    assert_int_equal(tr_law_table(*state, POINTS, table_x, table_y, &law), TR_OK);
    return law;
}

static void a_table_meets_its_points_smoothly(void **state) {
    const trLaw *law = steep_table(state);
    // Over a distance e a slope changes by e |y''|; |y''| < 6 * 97 / 0.1 with 97 the largest
    // secant.
    const double e = 1e-10, bend = 5820.0;
    for (int i = 0; i < POINTS; i++) {
        near(tr_law_value(law, table_x[i]), table_y[i], rounding(10.0));
        near(tr_law_value(law, table_x[i] - e), table_y[i], 300.0 * e);
        near(tr_law_slope(law, table_x[i] - e), tr_law_slope(law, table_x[i] + e),
             2.0 * e * bend + rounding(bend));
    }
}

static void a_table_keeps_monotony(void **state) {
    const trLaw *law = steep_table(state);
    double       last = tr_law_value(law, -1.0);
    for (int i = 1; i <= 5000; i++) {
        double value = tr_law_value(law, -1.0 + 1e-3 * i);
        assert_true(value >= last - rounding(10.0));
        last = value;
    }
    near(tr_law_value(law, 2.7), 10.0, rounding(10.0));  // flat data stay flat

    // Parabolas give four times the secant at x = 1; with it the cubic would rise to 8.037.
    const double x[] = {0.0, 1.0, 2.0, 3.0}, y[] = {0.0, 7.0, 8.0, 8.0};
    assert_int_equal(tr_law_table(*state, 4, x, y, &law), TR_OK);
    near(tr_law_slope(law, 1.0), 3.0, rounding(4.0));
    for (int i = 0; i <= 300; i++) {
        assert_true(tr_law_value(law, 0.01 * i) <= 8.0 + rounding(8.0));
    }
}

static void a_table_follows_a_falling_line_and_turns_at_an_extremum(void **state) {
    const double x[] = {0.0, 1.0, 2.0, 4.0}, y[] = {3.0, 1.0, -1.0, 5.0};
    const trLaw *law = NULL;
    assert_int_equal(tr_law_table(*state, 4, x, y, &law), TR_OK);
    near(tr_law_slope(law, 1.0), -2.0, rounding(2.0));
    near(tr_law_slope(law, 2.0), 0.0, 0.0);
    for (int i = 0; i <= 400; i++) {
        assert_true(tr_law_value(law, 0.01 * i) >= -1.0 - rounding(1.0));
    }
}

// Slopes from parabolas are exact for a parabola, and far from its vertex no limit acts.
static void a_table_of_a_parabola_is_the_parabola(void **state) {
    const double x[] = {1.0, 1.5, 2.5, 3.0, 4.0};
    double       y[5];
    for (int i = 0; i < 5; i++) {
        y[i] = x[i] * x[i];
    }
    const trLaw *law = NULL;
    assert_int_equal(tr_law_table(*state, 5, x, y, &law), TR_OK);
    for (int i = 0; i <= 30; i++) {
        double at = 1.0 + 0.1 * i;
        near(tr_law_value(law, at), at * at, rounding(16.0));
        near(tr_law_slope(law, at), 2.0 * at, rounding(60.0));
    }
    near(tr_law_integral(law, 4.0) - tr_law_integral(law, 1.0), 21.0, rounding(60.0));
}

static void a_table_goes_on_along_its_end_slopes(void **state) {
    const double x[] = {1.0, 2.0, 3.0}, y[] = {1.0, 4.0, 9.0};
    const trLaw *law = NULL;
    assert_int_equal(tr_law_table(*state, 3, x, y, &law), TR_OK);
    near(tr_law_value(law, -9.0), 1.0 - 20.0, rounding(30.0));
    near(tr_law_value(law, 13.0), 9.0 + 60.0, rounding(70.0));
    near(tr_law_integral(law, 13.0) - tr_law_integral(law, 3.0), 390.0, rounding(900.0));
    near(tr_law_integral(law, 1.0) - tr_law_integral(law, -9.0), -90.0, rounding(900.0));

    assert_int_equal(tr_law_table(*state, 2, x, y, &law), TR_OK);
    near(tr_law_value(law, 0.0), -2.0, rounding(4.0));
    near(tr_law_value(law, 3.0), 7.0, rounding(7.0));
}

static void what_is_no_law_is_refused(void **state) {
    const double c[] = {1.0, 2.0}, bad[] = {1.0, NAN};
    const double falling[] = {1.0, 0.5}, equal[] = {1.0, 1.0}, rising[] = {0.0, 1.0};
    const trLaw *law = NULL;
    assert_int_equal(tr_law_pieces(*state, 2, falling, 1, c, &law), TR_E_ARGUMENT);
    assert_int_equal(tr_law_pieces(*state, 2, equal, 1, c, &law), TR_E_ARGUMENT);
    assert_int_equal(tr_law_pieces(*state, 2, bad, 1, c, &law), TR_E_ARGUMENT);
    assert_int_equal(tr_law_pieces(*state, 2, rising, 1, bad, &law), TR_E_ARGUMENT);
    assert_int_equal(tr_law_pieces(*state, 0, rising, 1, c, &law), TR_E_ARGUMENT);
    assert_int_equal(tr_law_pieces(*state, 2, rising, 0, c, &law), TR_E_ARGUMENT);
    assert_int_equal(tr_law_table(*state, 1, rising, c, &law), TR_E_ARGUMENT);
    assert_int_equal(tr_law_table(*state, 2, equal, c, &law), TR_E_ARGUMENT);
    assert_int_equal(tr_law_table(*state, 2, rising, bad, &law), TR_E_ARGUMENT);
    assert_int_equal(tr_law_linear(*state, INFINITY, &law), TR_E_ARGUMENT);
    assert_null(law);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_arena, drop_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(pieces_hold_from_their_break_and_the_outer_ones_go_on),
        TEST(the_integral_belongs_to_the_values),
        TEST(the_integral_is_continuous_and_zero_at_zero),
        TEST(a_linear_law_is_a_spring),
        TEST(a_table_meets_its_points_smoothly),
        TEST(a_table_keeps_monotony),
        TEST(a_table_follows_a_falling_line_and_turns_at_an_extremum),
        TEST(a_table_of_a_parabola_is_the_parabola),
        TEST(a_table_goes_on_along_its_end_slopes),
        TEST(what_is_no_law_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
