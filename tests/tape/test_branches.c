// SPDX-License-Identifier: MIT
// Branches within branches: what is not taken leaves no trace in derivatives, however it is
// written, and no depth of them is too much. Laws that are called change their formula where their
// pieces meet.

#include <math.h>

#include "base/law.h"
#include "support/test.h"
#include "tape/derive.h"
#include "tape/program.h"

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

static int op1(trTape *tape, trTapeOp op, int a) {
    return tr_tape_op(tape, op, a, -1, -1);
}

static int op2(trTape *tape, trTapeOp op, int a, int b) {
    return tr_tape_op(tape, op, a, b, -1);
}

// where(x < edge, yes, no)
static int before(trTape *tape, double edge, int yes, int no) {
    int condition = op2(tape, TR_OP_LESS, tr_tape_input(tape, 1), tr_tape_constant(tape, edge));
    return tr_tape_op(tape, TR_OP_WHERE, condition, yes, no);
}

// df/dx by the adjoint method, where a node gathers what all that use it hand back. x is input 1.
static double slope_of(trArena *arena, trTape *tape, int f, double x) {
    const int    number = 1;
    const double input[2] = {0.0, x};
    double       slot[256];
    int          slope = -1;
    trDerive     d;
    trProgram    program;
    tr_derive_begin(&d, tape, arena);
    assert_int_equal(tr_derive_gradient(&d, f, 1, &number, &slope), TR_OK);
    assert_int_equal(tr_program_compile(arena, tape, 1, &slope, &program), TR_OK);
    assert_in_range(program.slots, 1, 256);
    tr_program_begin(&program, slot);
    tr_program_run(&program, input, slot);
    return slot[program.output[0]];
}

// sqrt(x) is recorded once: what both inner branches make of it meets there. Below x = 0 it is no
// number, but not taken.
static void a_part_of_several_branches_has_no_derivative_where_none_is_taken(void **state) {
    trTape *tape = tr_tape_create(*state);
    int     zero = tr_tape_constant(tape, 0.0), two = tr_tape_constant(tape, 2.0);
    int     root = op1(tape, TR_OP_SQRT, tr_tape_input(tape, 1));
    int     inner = before(tape, 1.0, root, op2(tape, TR_OP_MUL, two, root));
    int     f = before(tape, 0.0, zero, inner);
    assert_true(slope_of(*state, tape, f, -1.0) == 0.0);
    assert_true(slope_of(*state, tape, f, 0.25) == 1.0);
    assert_true(slope_of(*state, tape, f, 4.0) == 0.5);
}

static void a_sum_in_a_branch_has_no_derivative_where_it_is_not_taken(void **state) {
    trTape *tape = tr_tape_create(*state);
    int     zero = tr_tape_constant(tape, 0.0);
    int     logarithm = op1(tape, TR_OP_LOG, tr_tape_input(tape, 1));
    int     square = op2(tape, TR_OP_MUL, logarithm, logarithm);
    int     f = before(tape, 0.0, zero, op2(tape, TR_OP_ADD, logarithm, square));
    int     g = op2(tape, TR_OP_SUB, tr_tape_input(tape, 1), f);  // hands back -1
    assert_true(slope_of(*state, tape, f, -1.0) == 0.0);
    assert_true(slope_of(*state, tape, g, -1.0) == 1.0);
    // (1 + 2 log x) / x at x = 2; rounding: a few eps
    assert_true(fabs(slope_of(*state, tape, f, 2.0) - (0.5 + log(2.0))) <= 1e-15);
    assert_true(fabs(slope_of(*state, tape, g, 2.0) - (0.5 - log(2.0))) <= 1e-15);
}

// A product goes into branches to a depth; without a limit this takes all of the stack.
static void branches_may_be_as_deep_as_the_tape(void **state) {
    trTape *tape = tr_tape_create(*state);
    int     zero = tr_tape_constant(tape, 0.0), deep = tr_tape_input(tape, 1);
    for (int i = 0; i < 400000; i++) {
        deep = before(tape, -i, deep, zero);
    }
    int count = tr_tape_count(tape);
    int product = op2(tape, TR_OP_MUL, op1(tape, TR_OP_SIN, tr_tape_time(tape)), deep);
    assert_true(product >= 0);
    assert_in_range(tr_tape_count(tape) - count, 1, 1000);
}

static void the_hyperbolic_tangent_has_derivatives_where_it_is_flat(void **state) {
    trTape *tape = tr_tape_create(*state);
    int     steep = op2(tape, TR_OP_MUL, tr_tape_constant(tape, 1000.0), tr_tape_time(tape));
    trJet   jet = jet_of(tape, op1(tape, TR_OP_TANH, steep), 1.0);  // cosh(1000) is no number
    assert_true(jet.value == 1.0 && jet.first == 0.0 && jet.second == 0.0);
}

static void laws_change_their_formula_where_pieces_meet(void **state) {
    static const double x[3] = {0.0, 1.0, 4.0}, y[3] = {0.0, 2.0, 3.0};
    const trLaw        *law = NULL;
    const double       *times = NULL;
    int                 count = 0;
    trTape             *tape = tr_tape_create(*state);
    assert_int_equal(tr_law_table(*state, 3, x, y, &law), TR_OK);
    // law(2 t - 1): t = 0.5, 1, 2.5
    int twice = op2(tape, TR_OP_MUL, tr_tape_constant(tape, 2.0), tr_tape_time(tape));
    int node = tr_tape_law(tape, law, 0, op2(tape, TR_OP_SUB, twice, tr_tape_constant(tape, 1.0)));
    assert_int_equal(tr_tape_breaks(*state, tape, 1, &node, &count, &times), TR_OK);
    assert_int_equal(count, 3);
    assert_true(times[0] == 0.5 && times[1] == 1.0 && times[2] == 2.5);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_tape, drop_tape)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_part_of_several_branches_has_no_derivative_where_none_is_taken),
        TEST(a_sum_in_a_branch_has_no_derivative_where_it_is_not_taken),
        TEST(branches_may_be_as_deep_as_the_tape),
        TEST(the_hyperbolic_tangent_has_derivatives_where_it_is_flat),
        TEST(laws_change_their_formula_where_pieces_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
