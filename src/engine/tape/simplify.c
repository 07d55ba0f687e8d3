// SPDX-License-Identifier: MIT
// Recording an operation: worked out where its operands are constants, left out where it changes
// nothing.
//
//     x + 0 = x      x - 0 = x      0 - x = -x     x + -y = x - y    x - -y = x + y    --x = x
//     x * 0 = 0      x * 1 = x      x * -1 = -x    x / 1 = x         0 / x = 0
//     x ^ 0 = 1      x ^ 1 = x      x ^ 2 = x x    x ^ 3 = x x x     x ^ -1 = 1 / x
//     x ^ 0.5 = sqrt x              where(c, where(c, x, y), z) = where(c, x, z)
//
// A branch that stands still has no derivative, however steep what follows is: of sqrt(max(0, x))
// below x = 0. So a 0 that is a branch stays one (idle), also in choices within choices:
//
//     x * where(c, y, 0) = where(c, x y, 0)                -where(c, y, 0) = where(c, -y, 0)
//     where(c, y, 0) + where(c, z, 0) = where(c, y + z, 0)
//     where(c, y, 0) + where(d, z, 0) = where(c or d, where(c, y, 0) + where(d, z, 0), 0)
//
// A product that is 0 wherever one factor is would not do in place of this: a factor may be 0 at an
// instant without having been chosen, and the derivative of the product is then the other factor.
//
// x * 0 and 0 / x are 0 even where x is no number: sparsity needs it. Nothing else hides one: x - x
// stays.

#include "base/law.h"
#include "tape/node.h"
#include "tape/op.h"

#define NESTED 3     // choices within choices that are looked into
#define DEEPEST 100  // choices within choices that are gone into, one after another
#define BOTH 25      // one with work in both branches counts for so many: work doubles there

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

static int record(trTape *tape, trTapeOp op, int a, int b, int c) {
    return tr_tape_append(tape, (trTapeNode){.op = op, .operand = {a, b, c}});
}

// Sums and products are kept with the older operand first, so that a + b and b + a are one.
static int record_ordered(trTape *tape, trTapeOp op, int a, int b) {
    return a < b ? record(tape, op, a, b, -1) : record(tape, op, b, a, -1);
}

// Whether one of the branches, or of the branches of these and so on, is 0.
static bool has_idle_branch(const trTape *tape, int node, int depth) {
    const trTapeNode *n = &tape->node[node];
    for (int k = 1; n->op == TR_OP_WHERE && k < 3 && tape->depth < DEEPEST; k++) {
        if (is(tape, n->operand[k], 0.0) ||
            (depth > 0 && has_idle_branch(tape, n->operand[k], depth - 1))) {
            return true;
        }
    }
    return false;
}

// A condition that holds on the branches of `node` that are not 0.
static int activity(trTape *tape, int node, int depth) {
    if (is(tape, node, 0.0) || !has_idle_branch(tape, node, depth)) {
        return tr_tape_constant(tape, is(tape, node, 0.0) ? 0.0 : 1.0);
    }
    const trTapeNode n = tape->node[node];  // a copy: recording may move the nodes
    int              yes = activity(tape, n.operand[1], depth - 1);
    int              no = activity(tape, n.operand[2], depth - 1);
    return yes >= 0 && no >= 0 && is(tape, yes, 1.0) && is(tape, no, 0.0)
               ? n.operand[0]
               : tr_tape_op(tape, TR_OP_WHERE, n.operand[0], yes, no);
}

static int negate(trTape *tape, int a) {
    if (has_op(tape, a, TR_OP_NEG)) {
        return first_operand(tape, a);
    }
    if (has_idle_branch(tape, a, NESTED)) {
        const trTapeNode n = tape->node[a];  // a copy: recording may move the nodes
        int              yes = tr_tape_op(tape, TR_OP_NEG, n.operand[1], -1, -1);
        int              no = tr_tape_op(tape, TR_OP_NEG, n.operand[2], -1, -1);
        return tr_tape_op(tape, TR_OP_WHERE, n.operand[0], yes, no);
    }
    return record(tape, TR_OP_NEG, a, -1, -1);
}

// The sum of two that have idle branches is idle where both are.
static int add_branches(trTape *tape, int a, int b) {
    const trTapeNode m = tape->node[a], n = tape->node[b];  // copies: recording may move the nodes
    if (m.operand[0] == n.operand[0]) {
        bool both =
            has_op(tape, m.operand[1], TR_OP_WHERE) && has_op(tape, m.operand[2], TR_OP_WHERE);
        tape->depth += both ? BOTH : 0;
        int yes = tr_tape_op(tape, TR_OP_ADD, m.operand[1], n.operand[1], -1);
        int no = tr_tape_op(tape, TR_OP_ADD, m.operand[2], n.operand[2], -1);
        tape->depth -= both ? BOTH : 0;
        return tr_tape_op(tape, TR_OP_WHERE, m.operand[0], yes, no);
    }
    int either = activity(tape, b, NESTED);
    either = tr_tape_op(tape, TR_OP_WHERE, activity(tape, a, NESTED), tr_tape_constant(tape, 1.0),
                        either);
    return tr_tape_op(tape, TR_OP_WHERE, either, record_ordered(tape, TR_OP_ADD, a, b),
                      tr_tape_constant(tape, 0.0));
}

static int add(trTape *tape, int a, int b) {
    if (is(tape, a, 0.0) || is(tape, b, 0.0)) {
        return is(tape, a, 0.0) ? b : a;
    }
    if (has_op(tape, b, TR_OP_NEG)) {
        return tr_tape_op(tape, TR_OP_SUB, a, first_operand(tape, b), -1);
    }
    if (has_op(tape, a, TR_OP_NEG)) {
        return tr_tape_op(tape, TR_OP_SUB, b, first_operand(tape, a), -1);
    }
    if (has_idle_branch(tape, a, NESTED) && has_idle_branch(tape, b, NESTED)) {
        return add_branches(tape, a, b);
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
    if (has_op(tape, b, TR_OP_NEG)) {
        return tr_tape_op(tape, TR_OP_ADD, a, first_operand(tape, b), -1);
    }
    return record(tape, TR_OP_SUB, a, b, -1);
}

// pair[0] pair[1], where pair[which] has an idle branch. What is idle stays so, even if the other
// is a constant that is not a number. The first factor's choice stays the outer one.
static int multiply_branch(trTape *tape, const int *pair, int which) {
    int              part[2], zero = tr_tape_constant(tape, 0.0);
    const trTapeNode n = tape->node[pair[which]];  // a copy: recording may move the nodes
    if (!has_idle_branch(tape, pair[which], 0)) {
        int product = record_ordered(tape, TR_OP_MUL, pair[0], pair[1]);
        return tr_tape_op(tape, TR_OP_WHERE, activity(tape, pair[which], NESTED), product, zero);
    }
    for (int k = 0; k < 2; k++) {
        int first = which == 0 ? n.operand[k + 1] : pair[0];
        int second = which == 0 ? pair[1] : n.operand[k + 1];
        part[k] =
            is(tape, n.operand[k + 1], 0.0) ? zero : tr_tape_op(tape, TR_OP_MUL, first, second, -1);
    }
    return tr_tape_op(tape, TR_OP_WHERE, n.operand[0], part[0], part[1]);
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
    for (int k = 0; k < 2; k++) {
        if (has_idle_branch(tape, pair[k], NESTED)) {
            return multiply_branch(tape, pair, k);
        }
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
        return p == 2.0 ? square : tr_tape_op(tape, TR_OP_MUL, square, a, -1);
    }
    return record(tape, TR_OP_POW, a, b, -1);
}

// Within a branch, the same condition is known.
static int choose(trTape *tape, int condition, int yes, int no) {
    if (has_op(tape, yes, TR_OP_WHERE) && first_operand(tape, yes) == condition) {
        yes = tape->node[yes].operand[1];
    }
    if (has_op(tape, no, TR_OP_WHERE) && first_operand(tape, no) == condition) {
        no = tape->node[no].operand[2];
    }
    return record(tape, TR_OP_WHERE, condition, yes, no);
}

static bool all_constant(const trTape *tape, int count, const int *operand, double *value) {
    for (int k = 0; k < count && k < 3; k++) {
        if (!tr_tape_is_constant(tape, operand[k], &value[k])) {
            return false;
        }
    }
    return count > 0;
}

static int simplify(trTape *tape, trTapeOp op, int a, int b, int c) {
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
    case TR_OP_WHERE:
        return choose(tape, a, b, c);
    default:
        return record(tape, op, a, tr_op_operands(op) > 1 ? b : -1, -1);
    }
}

int tr_tape_op(trTape *tape, trTapeOp op, int a, int b, int c) {
    const int operand[3] = {a, b, c};
    double    value[3] = {0.0, 0.0, 0.0};
    int       count = tr_op_operands(op);
    for (int k = 0; k < count && k < 3; k++) {
        if (operand[k] < 0 || operand[k] >= tape->count) {
            return -1;
        }
    }
    if (all_constant(tape, count, operand, value)) {
        return tr_tape_constant(tape, tr_op_value(op, value[0], value[1], value[2]));
    }
    tape->depth++;
    int node = simplify(tape, op, a, b, c);
    tape->depth--;
    return node;
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
