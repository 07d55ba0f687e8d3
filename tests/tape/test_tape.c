// SPDX-License-Identifier: MIT
// Tapes: values against the C library, derivatives against differences, and the places where the
// plain formulas have no answer.

#include <float.h>
#include <math.h>
#include <string.h>

#include "support/test.h"
#include "tape/tape.h"

static int make_tape(void **state) {
    trArena *arena = tr_arena_create();
    *state = arena;
    return arena == NULL;
}

static int drop_tape(void **state) {
    tr_arena_destroy(*state);
    return 0;
}

static trJet jet_of(trTape *tape, int result, double t) {
    tr_tape_finish(tape, result, "f");
    assert_int_equal(tr_tape_status(tape), TR_OK);
    return tr_function_jet(&(trFunction){.tape = tape}, t);
}

static void near(const char *what, double actual, double expected, double tolerance) {
    if (!(fabs(actual - expected) <= tolerance)) {
        fail_msg("%s: %.17g is not %.17g within %g", what, actual, expected, tolerance);
    }
}

static void jet_is(trJet jet, double value, double first, double second) {
    near("f", jet.value, value, 0.0);
    near("f'", jet.first, first, 0.0);
    near("f''", jet.second, second, 0.0);
}

// Fourth-order central differences with h = 1e-3. What they leave out is h^4/30 times the fifth
// derivative, here below 1e4, so 4e-10; rounding adds 1.5 eps |f| / h, below 1e-11.
#define H 1e-3
#define DIFFERENCE_TOLERANCE 1e-9

static void derivatives_match_differences(const char *what, trTape *tape, double t) {
    const trFunction f = {.tape = tape};
    trJet            at = tr_function_jet(&f, t);
    trJet            p1 = tr_function_jet(&f, t + H), p2 = tr_function_jet(&f, t + 2.0 * H);
    trJet            m1 = tr_function_jet(&f, t - H), m2 = tr_function_jet(&f, t - 2.0 * H);
    double           first = (8.0 * (p1.value - m1.value) - (p2.value - m2.value)) / (12.0 * H);
    double           second = (8.0 * (p1.first - m1.first) - (p2.first - m2.first)) / (12.0 * H);
    near(what, at.first, first, DIFFERENCE_TOLERANCE);
    near(what, at.second, second, DIFFERENCE_TOLERANCE);
}

// c0 + c1 t + c2 t^2 on the tape: an argument with both derivatives.
static int parabola(trTape *tape, double c0, double c1, double c2) {
    int t = tr_tape_time(tape);
    int line = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, c2), t, -1);
    line = tr_tape_op(tape, TR_OP_ADD, line, tr_tape_constant(tape, c1), -1);
    line = tr_tape_op(tape, TR_OP_MUL, line, t, -1);
    return tr_tape_op(tape, TR_OP_ADD, line, tr_tape_constant(tape, c0), -1);
}

static double negative(double x) {
    return -x;
}

static void functions_of_one_argument_are_right(void **state) {
    const struct {
        trTapeOp op;
        double (*f)(double);
        const char *name;
    } cases[] = {
        {TR_OP_NEG, negative, "neg"}, {TR_OP_SIN, sin, "sin"},    {TR_OP_COS, cos, "cos"},
        {TR_OP_TAN, tan, "tan"},      {TR_OP_ASIN, asin, "asin"}, {TR_OP_ACOS, acos, "acos"},
        {TR_OP_ATAN, atan, "atan"},   {TR_OP_SINH, sinh, "sinh"}, {TR_OP_COSH, cosh, "cosh"},
        {TR_OP_TANH, tanh, "tanh"},   {TR_OP_EXP, exp, "exp"},    {TR_OP_LOG, log, "log"},
        {TR_OP_SQRT, sqrt, "sqrt"},   {TR_OP_ABS, fabs, "abs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int side = 0; side < 2; side++) {
            trTape *tape = tr_tape_create(*state);
            double  sign = side == 0 ? 1.0 : -1.0, t = 0.7;
            if (side == 1 && (cases[i].op == TR_OP_LOG || cases[i].op == TR_OP_SQRT)) {
                continue;  // not defined there
            }
            int    u = parabola(tape, sign * 0.3, sign * 0.2, sign * 0.1);
            double x = sign * ((0.1 * t + 0.2) * t + 0.3);
            trJet  jet = jet_of(tape, tr_tape_op(tape, cases[i].op, u, -1, -1), t);
            near(cases[i].name, jet.value, cases[i].f(x), 4.0 * DBL_EPSILON);
            derivatives_match_differences(cases[i].name, tape, t);
        }
    }
}

static double sum(double a, double b) {
    return a + b;
}
static double difference(double a, double b) {
    return a - b;
}
static double product(double a, double b) {
    return a * b;
}
static double quotient(double a, double b) {
    return a / b;
}
static double is_less(double a, double b) {
    return a < b ? 1.0 : 0.0;
}

static void functions_of_two_arguments_are_right(void **state) {
    const struct {
        trTapeOp op;
        double (*f)(double, double);
        const char *name;
    } cases[] = {
        {TR_OP_ADD, sum, "add"},      {TR_OP_SUB, difference, "sub"}, {TR_OP_MUL, product, "mul"},
        {TR_OP_DIV, quotient, "div"}, {TR_OP_POW, pow, "pow"},        {TR_OP_MIN, fmin, "min"},
        {TR_OP_MAX, fmax, "max"},     {TR_OP_LESS, is_less, "less"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int side = 0; side < 2; side++) {  // either argument is once the larger one
            trTape *tape = tr_tape_create(*state);
            double  t = 0.7;
            int     a = parabola(tape, 0.9, -0.3, 0.2), b = parabola(tape, 1.2, 0.5, 0.4);
            double  x = (0.2 * t - 0.3) * t + 0.9, y = (0.4 * t + 0.5) * t + 1.2;
            int    result = tr_tape_op(tape, cases[i].op, side == 0 ? a : b, side == 0 ? b : a, -1);
            double expected = side == 0 ? cases[i].f(x, y) : cases[i].f(y, x);
            near(cases[i].name, jet_of(tape, result, t).value, expected, 8.0 * DBL_EPSILON);
            derivatives_match_differences(cases[i].name, tape, t);
        }
    }
}

static trJet power_of_time(void **state, double exponent, double t) {
    trTape *tape = tr_tape_create(*state);
    int     base = tr_tape_time(tape);
    return jet_of(tape, tr_tape_op(tape, TR_OP_POW, base, tr_tape_constant(tape, exponent), -1), t);
}

static void whole_powers_are_right_at_zero_and_below(void **state) {
    jet_is(power_of_time(state, 0.0, 0.0), 1.0, 0.0, 0.0);
    jet_is(power_of_time(state, 1.0, 0.0), 0.0, 1.0, 0.0);
    jet_is(power_of_time(state, 2.0, 0.0), 0.0, 0.0, 2.0);
    jet_is(power_of_time(state, 3.0, 0.0), 0.0, 0.0, 0.0);
    jet_is(power_of_time(state, 2.5, 0.0), 0.0, 0.0, 0.0);
    jet_is(power_of_time(state, 3.0, -2.0), -8.0, 12.0, -12.0);
    jet_is(power_of_time(state, -1.0, -2.0), -0.5, -0.25, -0.25);
    assert_true(isnan(power_of_time(state, 0.5, -2.0).value));
}

static void a_constant_to_the_power_of_time_is_an_exponential(void **state) {
    trTape *tape = tr_tape_create(*state);
    int     two = tr_tape_constant(tape, 2.0);
    trJet   jet = jet_of(tape, tr_tape_op(tape, TR_OP_POW, two, tr_tape_time(tape), -1), 3.0);
    double  rate = log(2.0);
    near("2^t", jet.value, 8.0, 0.0);
    near("2^t", jet.first, 8.0 * rate, 16.0 * DBL_EPSILON * 8.0);
    near("2^t", jet.second, 8.0 * rate * rate, 16.0 * DBL_EPSILON * 8.0);
}

static void a_branch_that_is_not_taken_leaves_no_trace(void **state) {
    trTape *tape = tr_tape_create(*state);
    int     t = tr_tape_time(tape), one = tr_tape_constant(tape, 1.0);
    int     early = tr_tape_op(tape, TR_OP_LESS, t, one, -1);
    int     later = tr_tape_op(tape, TR_OP_SUB, t, one, -1);
    int     root = tr_tape_op(tape, TR_OP_SQRT, later, -1, -1);  // not a number before t = 1
    int     five = tr_tape_constant(tape, 5.0);
    int     result = tr_tape_op(tape, TR_OP_WHERE, early, five, root);
    jet_is(jet_of(tape, result, 0.5), 5.0, 0.0, 0.0);
    jet_is(jet_of(tape, result, 5.0), 2.0, 0.25, -0.03125);
    // The condition is a strict one: at t = 1 the second branch holds.
    near("at the switch", jet_of(tape, result, 1.0).value, 0.0, 0.0);
}

static void what_is_constant_for_a_while_has_no_derivatives(void **state) {
    // sqrt(max(0, t - 1)): the slope of the root at 0 is infinite, but nothing moves before t = 1.
    trTape *tape = tr_tape_create(*state);
    int later = tr_tape_op(tape, TR_OP_SUB, tr_tape_time(tape), tr_tape_constant(tape, 1.0), -1);
    int start = tr_tape_op(tape, TR_OP_MAX, tr_tape_constant(tape, 0.0), later, -1);
    int root = tr_tape_op(tape, TR_OP_SQRT, start, -1, -1);
    jet_is(jet_of(tape, root, 0.5), 0.0, 0.0, 0.0);
    jet_is(jet_of(tape, root, 5.0), 2.0, 0.25, -0.03125);
    // sqrt(t^2) is flat at 0 by its argument's first derivative only: that must not pass for zero.
    trTape *other = tr_tape_create(*state);
    int     t = tr_tape_time(other);
    int     square = tr_tape_op(other, TR_OP_MUL, t, t, -1);
    int     root_of_square = tr_tape_op(other, TR_OP_SQRT, square, -1, -1);
    assert_true(!isfinite(jet_of(other, root_of_square, 0.0).second));
}

static void what_is_not_a_number_stays_visible(void **state) {
    const trTapeOp ops[] = {TR_OP_MIN, TR_OP_MAX, TR_OP_LESS, TR_OP_ADD, TR_OP_POW, TR_OP_DIV};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        for (int side = 0; side < 2; side++) {
            trTape *tape = tr_tape_create(*state);
            int     bad = tr_tape_op(tape, TR_OP_LOG, tr_tape_time(tape), -1, -1);
            int     two = tr_tape_constant(tape, 2.0);
            int result = tr_tape_op(tape, ops[i], side == 0 ? bad : two, side == 0 ? two : bad, -1);
            assert_true(isnan(jet_of(tape, result, -1.0).value));
        }
    }
    trTape *tape = tr_tape_create(*state);
    int     bad = tr_tape_op(tape, TR_OP_LOG, tr_tape_time(tape), -1, -1);
    int     two = tr_tape_constant(tape, 2.0);
    trJet   jet = jet_of(tape, bad, -1.0);
    assert_true(isnan(jet.value) && isnan(jet.first) && isnan(jet.second));
    assert_true(isnan(jet_of(tape, tr_tape_op(tape, TR_OP_WHERE, bad, two, two), -1.0).second));
}

static void constants_are_worked_out_while_recording(void **state) {
    trTape *tape = tr_tape_create(*state);
    double  value = 0.0;
    int     two = tr_tape_constant(tape, 2.0), three = tr_tape_constant(tape, 3.0);
    assert_true(tr_tape_is_constant(tape, tr_tape_op(tape, TR_OP_POW, two, three, -1), &value));
    assert_true(value == 8.0);
    int choice = tr_tape_op(tape, TR_OP_WHERE, tr_tape_constant(tape, 0.0), two, three);
    assert_true(tr_tape_is_constant(tape, choice, &value));
    assert_true(value == 3.0);
    int moving = tr_tape_op(tape, TR_OP_ADD, two, tr_tape_time(tape), -1);
    assert_false(tr_tape_is_constant(tape, moving, &value));
    moving = tr_tape_op(tape, TR_OP_ADD, tr_tape_time(tape), two, -1);
    assert_false(tr_tape_is_constant(tape, moving, &value));
    assert_false(tr_tape_is_constant(tape, -1, &value));
    jet_is(jet_of(tape, choice, 1.0), 3.0, 0.0, 0.0);
}

// less(t, 1), max(2 t, 3), abs(t - 4) change at 1, 1.5 and 4; less(sin(t), 0) is not looked into.
static void changes_of_formula_are_found(void **state) {
    trTape       *tape = tr_tape_create(*state);
    int           t = tr_tape_time(tape), one = tr_tape_constant(tape, 1.0);
    int           twice = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, 2.0), t, -1);
    int           late = tr_tape_op(tape, TR_OP_SUB, t, tr_tape_constant(tape, 4.0), -1);
    int           wave = tr_tape_op(tape, TR_OP_SIN, t, -1, -1);
    int           sum = tr_tape_op(tape, TR_OP_LESS, t, one, -1);
    int           count = 0;
    const double *times = NULL;
    sum = tr_tape_op(tape, TR_OP_ADD, sum,
                     tr_tape_op(tape, TR_OP_MAX, twice, tr_tape_constant(tape, 3.0), -1), -1);
    sum = tr_tape_op(tape, TR_OP_ADD, sum, tr_tape_op(tape, TR_OP_ABS, late, -1, -1), -1);
    sum = tr_tape_op(tape, TR_OP_ADD, sum, tr_tape_op(tape, TR_OP_LESS, wave, one, -1), -1);
    tr_tape_finish(tape, sum, "changes");
    assert_int_equal(tr_tape_breaks(*state, tape, 1, &sum, &count, &times), TR_OK);
    assert_int_equal(count, 3);
    assert_true(times[0] == 1.0 && times[1] == 1.5 && times[2] == 4.0);
}

static void a_function_without_a_tape_is_its_constant(void **state) {
    jet_is(tr_function_jet(&(trFunction){.constant = 4.0}, 9.0), 4.0, 0.0, 0.0);
}

static void a_function_that_is_too_long_is_refused(void **state) {
    trTape *tape = tr_tape_create(*state);
    int     node = tr_tape_time(tape);
    for (int i = 0; i < 1000; i++) {
        node = tr_tape_op(tape, TR_OP_SIN, node, -1, -1);
    }
    tr_tape_finish(tape, node, "motor");
    assert_int_equal(tr_tape_status(tape), TR_E_MODEL);
    assert_non_null(strstr(tr_last_error(), "the function takes 7996 operations"));
    assert_true(isnan(tr_function_jet(&(trFunction){.tape = tape}, 0.0).value));
    assert_int_equal(tr_tape_op(tape, TR_OP_ADD, -1, node, -1), -1);

    trTape *empty = tr_tape_create(*state);
    tr_tape_finish(empty, -1, "idle");
    assert_int_equal(tr_tape_status(empty), TR_E_MODEL);
    assert_string_equal(tr_last_error(), "function 'idle' has no result");
}

static void what_is_recorded_twice_is_kept_once(void **state) {
    trTape *tape = tr_tape_create(*state);
    int     x = tr_tape_input(tape, 1), y = tr_tape_input(tape, 2);
    int     one = tr_tape_op(tape, TR_OP_ADD, x, y, -1);
    assert_int_equal(tr_tape_op(tape, TR_OP_ADD, y, x, -1), one);
    assert_int_equal(tr_tape_op(tape, TR_OP_SIN, one, -1, -1),
                     tr_tape_op(tape, TR_OP_SIN, one, -1, -1));
    assert_int_equal(tr_tape_input(tape, 2), y);
    assert_int_equal(tr_tape_constant(tape, 0.5), tr_tape_constant(tape, 0.5));
    assert_int_not_equal(tr_tape_constant(tape, 0.0), tr_tape_constant(tape, -0.0));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_tape, drop_tape)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(functions_of_one_argument_are_right),
        TEST(functions_of_two_arguments_are_right),
        TEST(whole_powers_are_right_at_zero_and_below),
        TEST(a_constant_to_the_power_of_time_is_an_exponential),
        TEST(a_branch_that_is_not_taken_leaves_no_trace),
        TEST(what_is_constant_for_a_while_has_no_derivatives),
        TEST(what_is_not_a_number_stays_visible),
        TEST(constants_are_worked_out_while_recording),
        TEST(changes_of_formula_are_found),
        TEST(a_function_without_a_tape_is_its_constant),
        TEST(a_function_that_is_too_long_is_refused),
        TEST(what_is_recorded_twice_is_kept_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
