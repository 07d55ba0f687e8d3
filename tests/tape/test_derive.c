// SPDX-License-Identifier: MIT
// What derivatives and programs promise besides being right: sparsity, nothing twice, nothing in
// vain, and branches that leave no trace.

#include <math.h>
#include <string.h>

#include "support/test.h"
#include "tape/derive.h"
#include "tape/expression.h"
#include "tape/program.h"

#define EXPRESSIONS 500
#define SLOTS 4096

static const int inputs[INPUTS] = {0, 1, 2, 3};

typedef struct Fixture {
    trArena     *arena;
    trTape      *tape;
    trDerive     derive;
    const trLaw *law[LAWS];
} Fixture;

static int make(void **state) {
    static Fixture f;
    f = (Fixture){.arena = tr_arena_create()};
    f.tape = tr_tape_create(f.arena);
    tr_derive_begin(&f.derive, f.tape, f.arena);
    *state = &f;
    return expression_laws(f.arena, f.law) != TR_OK;
}

static int drop(void **state) {
    tr_arena_destroy(((Fixture *)*state)->arena);
    return 0;
}

static int op1(Fixture *f, trTapeOp op, int a) {
    return tr_tape_op(f->tape, op, a, -1, -1);
}

static int op2(Fixture *f, trTapeOp op, int a, int b) {
    return tr_tape_op(f->tape, op, a, b, -1);
}

static int number(Fixture *f, double value) {
    return tr_tape_constant(f->tape, value);
}

static int input(Fixture *f, int i) {
    return tr_tape_input(f->tape, i);
}

static bool is_constant_zero(const trTape *tape, int node) {
    double value = 1.0;
    return tr_tape_is_constant(tape, node, &value) && value == 0.0;
}

static void gradient(Fixture *f, int node, int out[INPUTS]) {
    assert_int_equal(tr_derive_gradient(&f->derive, node, INPUTS, inputs, out), TR_OK);
}

// --- sparsity ---

// The inputs that the construction uses, as bits.
static unsigned used_inputs(const Expression *e) {
    unsigned depends[STEPS] = {0};
    for (int i = 0; i < e->count; i++) {
        const Step *s = &e->step[i];
        depends[i] = s->op == TR_OP_INPUT ? 1u << s->which : 0u;
        for (int k = 0; k < expression_operands(s->op); k++) {
            depends[i] |= depends[s->operand[k]];
        }
    }
    return depends[e->count - 1];
}

static void what_does_not_depend_on_an_input_has_the_derivative_0(void **state) {
    Fixture *f = *state;
    trRandom random = {3};
    int      absent = 0;
    for (int n = 0; n < EXPRESSIONS; n++) {
        Expression e;
        int        out[INPUTS];
        expression_random(&random, true, f->law, &e);
        gradient(f, expression_record(&e, f->tape), out);
        for (int i = 0; i < INPUTS; i++) {
            bool is_absent = (used_inputs(&e) & (1u << i)) == 0;
            assert_true(!is_absent || is_constant_zero(f->tape, out[i]));
            absent += is_absent;
        }
    }
    assert_true(absent > EXPRESSIONS);
}

// f = sin(x0 x1) + max(x2, x3) + x2^2: entries of the matrix of second derivatives.
static void second_derivatives_are_sparse(void **state) {
    Fixture *f = *state;
    int      wave = op1(f, TR_OP_SIN, op2(f, TR_OP_MUL, input(f, 0), input(f, 1)));
    int      top = op2(f, TR_OP_MAX, input(f, 2), input(f, 3));
    int      square = op2(f, TR_OP_POW, input(f, 2), number(f, 2.0));
    int      node = op2(f, TR_OP_ADD, op2(f, TR_OP_ADD, wave, top), square);
    int      first[INPUTS], second[INPUTS];
    double   value = 0.0;
    gradient(f, node, first);
    for (int i = 0; i < INPUTS; i++) {
        gradient(f, first[i], second);
        for (int j = 0; j < INPUTS; j++) {
            bool filled = (i < 2 && j < 2) || (i == 2 && j == 2);
            assert_int_equal(is_constant_zero(f->tape, second[j]), !filled);
        }
    }
    gradient(f, first[2], second);
    assert_true(tr_tape_is_constant(f->tape, second[2], &value) && value == 2.0);
}

static void what_stands_still_has_the_rate_0(void **state) {
    Fixture *f = *state;
    int      rate[2] = {-1, input(f, 5)}, out = -1;
    int      still = op1(f, TR_OP_EXP, op2(f, TR_OP_MUL, input(f, 0), input(f, 3)));
    int      moving = op2(f, TR_OP_ADD, still, input(f, 1));
    tr_derive_set_rates(&f->derive, 2, rate);
    assert_int_equal(tr_derive_rate(&f->derive, still, &out), TR_OK);
    assert_true(is_constant_zero(f->tape, out));
    assert_int_equal(tr_derive_rate(&f->derive, moving, &out), TR_OK);
    assert_int_equal(out, input(f, 5));
}

// --- sharing ---

static void a_function_recorded_again_adds_nothing(void **state) {
    Fixture *f = *state;
    trRandom random = {4};
    for (int n = 0; n < EXPRESSIONS; n++) {
        Expression e;
        int        first[INPUTS], again[INPUTS];
        expression_random(&random, true, f->law, &e);
        int node = expression_record(&e, f->tape);
        gradient(f, node, first);
        int count = tr_tape_count(f->tape);
        assert_int_equal(expression_record(&e, f->tape), node);
        gradient(f, node, again);
        assert_memory_equal(first, again, sizeof first);
        assert_int_equal(tr_tape_count(f->tape), count);
    }
}

// u = x0 x1; sin(u) + cos(u): the nodes x0, x1, u, sin, cos, sum. The gradient with its seed 1 and
// its zero needs the following more.
static void repeated_subexpressions_are_counted_once(void **state) {
    Fixture *f = *state;
    int      out[INPUTS];
    int      u = op2(f, TR_OP_MUL, input(f, 0), input(f, 1));
    int      v = op2(f, TR_OP_MUL, input(f, 1), input(f, 0));
    int      sum = op2(f, TR_OP_ADD, op1(f, TR_OP_SIN, u), op1(f, TR_OP_COS, v));
    assert_int_equal(tr_tape_count(f->tape), 6);
    assert_int_equal(tr_derive_gradient(&f->derive, sum, 2, inputs, out), TR_OK);
    // 0, 1, -sin u, cos u - sin u, and its products with x1 and x0
    assert_int_equal(tr_tape_count(f->tape), 12);
}

// Many nodes that differ in their law alone share the table with which repetitions are found.
static void laws_of_one_argument_are_told_apart(void **state) {
    Fixture *f = *state;
    int      x = input(f, 0), last = x;
    for (int i = 0; i < EXPRESSIONS; i++) {
        const trLaw *law = NULL;
        assert_int_equal(tr_law_linear(f->arena, 1.0 + i, &law), TR_OK);
        int node = tr_tape_law(f->tape, law, 0, x);
        assert_true(node > last);
        assert_int_equal(tr_tape_law(f->tape, law, 0, x), node);
        last = node;
    }
}

// --- programs ---

static int operands_of(const trInstruction *i) {
    return expression_operands((trTapeOp)i->op);
}

// Every constant, input and instruction is a result or serves one.
static void assert_lean(const trProgram *p) {
    bool needed[SLOTS] = {false};
    int  known = p->constants + p->inputs;
    assert_true(p->slots <= SLOTS);
    assert_int_equal(p->slots, known + p->count);
    for (int i = 0; i < p->outputs; i++) {
        needed[p->output[i]] = true;
    }
    for (int i = p->count - 1; i >= 0; i--) {
        const int slot[3] = {p->code[i].a, p->code[i].b, p->code[i].c};
        assert_true(needed[known + i]);
        for (int k = 0; k < operands_of(&p->code[i]); k++) {
            assert_true(slot[k] < known + i);
            needed[slot[k]] = true;
        }
    }
    for (int i = 0; i < known; i++) {
        assert_true(needed[i]);
    }
}

static void a_program_does_only_what_its_results_need(void **state) {
    Fixture *f = *state;
    trRandom random = {5};
    for (int n = 0; n < EXPRESSIONS; n++) {
        Expression e;
        trProgram  p;
        int        node[1 + INPUTS];
        expression_random(&random, true, f->law, &e);
        node[0] = expression_record(&e, f->tape);
        gradient(f, node[0], node + 1);
        assert_int_equal(tr_program_compile(f->arena, f->tape, 1 + INPUTS, node, &p), TR_OK);
        assert_lean(&p);
        assert_int_equal(tr_program_compile(f->arena, f->tape, 1, node, &p), TR_OK);
        assert_lean(&p);
    }
}

static double value_of(Fixture *f, int node, double x) {
    trProgram p;
    double    slot[SLOTS], at[INPUTS] = {x, x, x, x};
    assert_int_equal(tr_program_compile(f->arena, f->tape, 1, &node, &p), TR_OK);
    assert_true(p.slots <= SLOTS);
    tr_program_begin(&p, slot);
    tr_program_run(&p, at, slot);
    return slot[p.output[0]];
}

// --- branches ---

// x = x0 = -4. The derivatives of f, first and second, by the gradient and by the rate.
static void derivatives_of(Fixture *f, int node, double out[4]) {
    int      first[INPUTS], second[INPUTS], one = number(f, 1.0), rate = -1, rate2 = -1;
    trDerive d;
    tr_derive_begin(&d, f->tape, f->arena);
    tr_derive_set_rates(&d, 1, &one);
    gradient(f, node, first);
    gradient(f, first[0], second);
    assert_int_equal(tr_derive_rate(&d, node, &rate), TR_OK);
    assert_int_equal(tr_derive_rate(&d, rate, &rate2), TR_OK);
    out[0] = value_of(f, first[0], -4.0);
    out[1] = value_of(f, second[0], -4.0);
    out[2] = value_of(f, rate, -4.0);
    out[3] = value_of(f, rate2, -4.0);
}

static void stands_still(Fixture *f, const char *what, int node) {
    double out[4];
    derivatives_of(f, node, out);
    for (int i = 0; i < 4; i++) {
        if (!(out[i] == 0.0)) {
            fail_msg("%s: derivative %d is %g", what, i, out[i]);
        }
    }
}

static void a_branch_that_is_not_taken_leaves_no_trace(void **state) {
    Fixture *f = *state;
    int      x = input(f, 0), zero = number(f, 0.0), five = number(f, 5.0);
    int      negative = op2(f, TR_OP_LESS, x, zero), below = op2(f, TR_OP_LESS, x, number(f, -2.0));
    int      root = op1(f, TR_OP_SQRT, x);  // not a number
    int      start = op1(f, TR_OP_SQRT, op2(f, TR_OP_MAX, zero, x));
    int      twice = op2(f, TR_OP_ADD, root, op1(f, TR_OP_SIN, root));
    int      one = tr_tape_op(f->tape, TR_OP_WHERE, negative, five, root);
    int      other = tr_tape_op(f->tape, TR_OP_WHERE, below, five, root);
    stands_still(f, "sqrt(max(0, x))", start);
    stands_still(f, "its cube root", op2(f, TR_OP_POW, start, number(f, 1.0 / 3.0)));
    stands_still(f, "where(c, 5, sqrt(x))", one);
    stands_still(f, "where(c, 5, -sqrt(x))",
                 tr_tape_op(f->tape, TR_OP_WHERE, negative, five, op1(f, TR_OP_NEG, root)));
    stands_still(f, "a root that is used twice",
                 tr_tape_op(f->tape, TR_OP_WHERE, negative, five, twice));
    stands_still(f, "a root in two choices", op2(f, TR_OP_MUL, one, other));
    stands_still(f, "a root in a choice within one",
                 tr_tape_op(f->tape, TR_OP_WHERE, negative, one,
                            op2(f, TR_OP_ADD, other, op2(f, TR_OP_MUL, root, x))));
    stands_still(f, "a root on both sides of a choice",
                 tr_tape_op(f->tape, TR_OP_WHERE, below, one, op2(f, TR_OP_SUB, other, twice)));
    stands_still(f, "a condition that is not known",
                 tr_tape_op(f->tape, TR_OP_WHERE, negative, five, op2(f, TR_OP_MIN, root, x)));
}

// Where a slope is infinite, a factor that happens to be 0 does not hide it.
static void a_singular_slope_stays_visible(void **state) {
    Fixture  *f = *state;
    double    out[4];
    int       away = op2(f, TR_OP_ADD, input(f, 0), number(f, 4.0));  // 0
    int       root = op1(f, TR_OP_SQRT, op2(f, TR_OP_MUL, away, away));
    const int singular[] = {root,
                            op1(f, TR_OP_SQRT, away),
                            op2(f, TR_OP_MUL, away, root),
                            op1(f, TR_OP_ASIN, op2(f, TR_OP_ADD, away, number(f, 1.0))),
                            op2(f, TR_OP_POW, away, number(f, 0.3)),
                            op2(f, TR_OP_ATAN2, away, op2(f, TR_OP_MUL, away, away))};
    for (size_t i = 0; i < sizeof singular / sizeof *singular; i++) {
        derivatives_of(f, singular[i], out);
        assert_false(isfinite(out[0]) || isfinite(out[1]) || isfinite(out[2]) || isfinite(out[3]));
    }
}

static void a_steep_hyperbolic_tangent_is_flat_far_away(void **state) {
    Fixture *f = *state;
    stands_still(f, "tanh(1000 x)",
                 op1(f, TR_OP_TANH, op2(f, TR_OP_MUL, number(f, 1000.0), input(f, 0))));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_does_not_depend_on_an_input_has_the_derivative_0),
        TEST(second_derivatives_are_sparse),
        TEST(what_stands_still_has_the_rate_0),
        TEST(a_function_recorded_again_adds_nothing),
        TEST(repeated_subexpressions_are_counted_once),
        TEST(laws_of_one_argument_are_told_apart),
        TEST(a_program_does_only_what_its_results_need),
        TEST(a_branch_that_is_not_taken_leaves_no_trace),
        TEST(a_singular_slope_stays_visible),
        TEST(a_steep_hyperbolic_tangent_is_flat_far_away),
    };
    return cmocka_run_group_tests_name("derive", tests, NULL, NULL);
}
