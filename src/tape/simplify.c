// SPDX-License-Identifier: MIT
// Recording an operation: worked out where its operands are constants, left out where it changes
// nothing.
//
//     x + 0 = x      x - 0 = x       0 - x = -x     x + -y = x - y    x - -y = x + y
//     x * 0 = 0      x * 1 = x       x * -1 = -x    x / 1 = x         0 / x = 0       --x = x
//     x ^ 0 = 1      x ^ 1 = x       x ^ 2 = x x    x ^ 3 = x x x     x ^ -1 = 1 / x  x ^ 0.5 =
//     sqrt x
//
//     x * where(c, y, 0) = where(c, x y, 0), and likewise with the zero first
//     where(c, y, 0) + where(c, z, 0) = where(c, y + z, 0), the difference too
//
// The last two make a branch that stands still have no derivative, however steep what follows is:
// of sqrt(max(0, x)) below x = 0. They go into where() within where(), up to a depth: beyond it
// nothing is left out. What may hide a number that is none (x - x = 0) is not done.

#include "base/law.h"
#include "tape/node.h"
#include "tape/op.h"

#define DEEPEST 200  // levels of where() within where()
#define BOTH 25      // a level with work in both branches counts for so many: work doubles there

static bool is(const trTape *tape, int node, double value) {
    double found = 0.0;
    return tr_tape_is_constant(tape, node, &found) && found == value;
}

static bool has_op(const trTape *tape, int node, trTapeOp op) {
    return tape->node[node].op == op;
}

static int first_operand(const trTape *tape, int node) {
    return tape->node[node].operand[0];
}

// Zero, or where() with a branch that is zero, at any level.
static bool is_still(const trTape *tape, int node) {
    return is(tape, node, 0.0) || tape->node[node].idle;
}

static int record(trTape *tape, trTapeOp op, int a, int b, int c) {
    bool idle = op == TR_OP_WHERE && (is_still(tape, b) || is_still(tape, c));
    return tr_tape_append(tape, (trTapeNode){.op = op, .operand = {a, b, c}, .idle = idle});
}

// Sums and products are kept with the older operand first, so that a + b and b + a are one.
static int record_ordered(trTape *tape, trTapeOp op, int a, int b) {
    return a < b ? record(tape, op, a, b, -1) : record(tape, op, b, a, -1);
}

// --- branches ---

static bool is_idle(const trTape *tape, int node) {
    return tape->node[node].idle && tape->depth < DEEPEST;
}

// x * where(c, y, z), of which a branch is zero.
static int multiply_branch(trTape *tape, int x, int choice) {
    const int condition = first_operand(tape, choice);
    int       branch[2] = {tape->node[choice].operand[1], tape->node[choice].operand[2]};
    int       level = is(tape, branch[0], 0.0) || is(tape, branch[1], 0.0) ? 1 : BOTH;
    tape->depth += level;
    for (int k = 0; k < 2; k++) {
        if (!is(tape, branch[k], 0.0)) {
            branch[k] = tr_tape_op(tape, TR_OP_MUL, x, branch[k], -1);
        }
    }
    tape->depth -= level;
    return tr_tape_op(tape, TR_OP_WHERE, condition, branch[0], branch[1]);
}

// Whether both are where() with the same condition and a branch that is zero.
static bool are_parallel(const trTape *tape, int a, int b) {
    return is_idle(tape, a) && is_idle(tape, b) && first_operand(tape, a) == first_operand(tape, b);
}

// The sum or difference of two such.
static int merge_branches(trTape *tape, trTapeOp op, int a, int b) {
    const int condition = first_operand(tape, a);
    int       branch[2], work = 0;
    for (int k = 0; k < 2; k++) {
        work += are_parallel(tape, tape->node[a].operand[k + 1], tape->node[b].operand[k + 1]);
    }
    int level = work > 1 ? BOTH : 1;
    tape->depth += level;
    for (int k = 0; k < 2; k++) {
        branch[k] =
            tr_tape_op(tape, op, tape->node[a].operand[k + 1], tape->node[b].operand[k + 1], -1);
    }
    tape->depth -= level;
    return tr_tape_op(tape, TR_OP_WHERE, condition, branch[0], branch[1]);
}

// --- arithmetic ---

static int negate(trTape *tape, int a) {
    if (is_idle(tape, a)) {
        return multiply_branch(tape, tr_tape_constant(tape, -1.0), a);
    }
    return has_op(tape, a, TR_OP_NEG) ? first_operand(tape, a) : record(tape, TR_OP_NEG, a, -1, -1);
}

static int add(trTape *tape, int a, int b) {
    if (is(tape, a, 0.0) || is(tape, b, 0.0)) {
        return is(tape, a, 0.0) ? b : a;
    }
    if (are_parallel(tape, a, b)) {
        return merge_branches(tape, TR_OP_ADD, a, b);
    }
    if (has_op(tape, b, TR_OP_NEG)) {
        return tr_tape_op(tape, TR_OP_SUB, a, first_operand(tape, b), -1);
    }
    if (has_op(tape, a, TR_OP_NEG)) {
        return tr_tape_op(tape, TR_OP_SUB, b, first_operand(tape, a), -1);
    }
    return record_ordered(tape, TR_OP_ADD, a, b);
}

static int subtract(trTape *tape, int a, int b) {
    if (is(tape, b, 0.0)) {
        return a;
    }
    if (is(tape, a, 0.0)) {
        return negate(tape, b);
    }
    if (are_parallel(tape, a, b)) {
        return merge_branches(tape, TR_OP_SUB, a, b);
    }
    if (has_op(tape, b, TR_OP_NEG)) {
        return tr_tape_op(tape, TR_OP_ADD, a, first_operand(tape, b), -1);
    }
    return record(tape, TR_OP_SUB, a, b, -1);
}

static int multiply(trTape *tape, int a, int b) {
    const int pair[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        int x = pair[k], other = pair[1 - k];
        if (is(tape, x, 0.0)) {
            return x;
        }
        if (is(tape, x, 1.0)) {
            return other;
        }
        if (is(tape, x, -1.0)) {
            return negate(tape, other);
        }
    }
    // The second first: where(c, 1, 0), which derivatives bring, then takes x whole.
    if (is_idle(tape, b) || is_idle(tape, a)) {
        return is_idle(tape, b) ? multiply_branch(tape, a, b) : multiply_branch(tape, b, a);
    }
    return record_ordered(tape, TR_OP_MUL, a, b);
}

static int divide(trTape *tape, int a, int b) {
    if (is(tape, b, 1.0) || is(tape, a, 0.0)) {
        return a;
    }
    return record(tape, TR_OP_DIV, a, b, -1);
}

static int power(trTape *tape, int a, int b) {
    double p = NAN;
    if (!tr_tape_is_constant(tape, b, &p)) {
        return record(tape, TR_OP_POW, a, b, -1);
    }
    if (p == 0.0) {
        return tr_tape_constant(tape, 1.0);
    }
    if (p == 1.0) {
        return a;
    }
    if (p == -1.0) {
        return divide(tape, tr_tape_constant(tape, 1.0), a);
    }
    if (p == 0.5) {
        return record(tape, TR_OP_SQRT, a, -1, -1);
    }
    if (p == 2.0 || p == 3.0) {
        int square = multiply(tape, a, a);
        return p == 2.0 ? square : multiply(tape, square, a);
    }
    return record(tape, TR_OP_POW, a, b, -1);
}

static bool all_constant(const trTape *tape, int count, const int *operand, double *value) {
    for (int k = 0; k < count; k++) {
        if (!tr_tape_is_constant(tape, operand[k], &value[k])) {
            return false;
        }
    }
    return count > 0;
}

int tr_tape_op(trTape *tape, trTapeOp op, int a, int b, int c) {
    const int operand[3] = {a, b, c};
    double    value[3] = {0.0, 0.0, 0.0};
    int       count = tr_op_operands(op);
    for (int k = 0; k < count; k++) {
        if (operand[k] < 0 || operand[k] >= tape->count) {
            return -1;
        }
    }
    if (all_constant(tape, count, operand, value)) {
        return tr_tape_constant(tape, tr_op_value(op, value[0], value[1], value[2]));
    }
    switch (op) {
    case TR_OP_ADD:
        return add(tape, a, b);
    case TR_OP_SUB:
        return subtract(tape, a, b);
    case TR_OP_MUL:
        return multiply(tape, a, b);
    case TR_OP_DIV:
        return divide(tape, a, b);
    case TR_OP_POW:
        return power(tape, a, b);
    case TR_OP_NEG:
        return negate(tape, a);
    default:
        return record(tape, op, a, count > 1 ? b : -1, count > 2 ? c : -1);
    }
}

int tr_tape_law(trTape *tape, const trLaw *law, int order, int a) {
    double x = 0.0;
    if (a < 0 || a >= tape->count) {
        return -1;
    }
    if (tr_tape_is_constant(tape, a, &x)) {
        return tr_tape_constant(tape, tr_law_derivative(law, order, x));
    }
    return tr_tape_append(
        tape, (trTapeNode){.op = TR_OP_LAW, .operand = {a, -1, -1}, .index = order, .law = law});
}
