// SPDX-License-Identifier: MIT
// Derivatives of a recorded function f(x1, x2, ...) made of operations w_k = g(w_i, w_j):
//
//     gradient (reverse)    W_k = df/dw_k :   W_i += W_k dg/dw_i        from f back to the inputs
//     rate (forward)        w_k' = dg/dw_i w_i' + dg/dw_j w_j'          from the inputs on
//
// Both take the partial derivatives of the operations from one place.

#include "tape/derive.h"

#include <stdlib.h>

#include "tape/node.h"

static int constant(trTape *tape, double value) {
    return tr_tape_constant(tape, value);
}

static int op1(trTape *tape, trTapeOp op, int a) {
    return tr_tape_op(tape, op, a, -1, -1);
}

static int op2(trTape *tape, trTapeOp op, int a, int b) {
    return tr_tape_op(tape, op, a, b, -1);
}

// 1 where a < b (or where it is not, if `otherwise`), else 0.
static int choose(trTape *tape, int a, int b, bool otherwise) {
    int condition = op2(tape, TR_OP_LESS, a, b);
    return tr_tape_op(tape, TR_OP_WHERE, condition, constant(tape, otherwise ? 0.0 : 1.0),
                      constant(tape, otherwise ? 1.0 : 0.0));
}

// 1 / sqrt((1 - x) (1 + x)): both factors exact near the ends.
static int arc_slope(trTape *tape, int x) {
    int one = constant(tape, 1.0);
    int square = op2(tape, TR_OP_MUL, op2(tape, TR_OP_SUB, one, x), op2(tape, TR_OP_ADD, one, x));
    return op2(tape, TR_OP_DIV, one, op1(tape, TR_OP_SQRT, square));
}

// a^b: b a^(b - 1), and a^b log a.
static int power_slope(trTape *tape, int f, int a, int b, int which) {
    if (which == 0) {
        int less = op2(tape, TR_OP_POW, a, op2(tape, TR_OP_SUB, b, constant(tape, 1.0)));
        return op2(tape, TR_OP_MUL, b, less);
    }
    return op2(tape, TR_OP_MUL, f, op1(tape, TR_OP_LOG, a));
}

// The angle of (x, y): x / (x^2 + y^2) for y, -y / (x^2 + y^2) for x.
static int angle_slope(trTape *tape, int y, int x, int which) {
    int square = op2(tape, TR_OP_ADD, op2(tape, TR_OP_MUL, x, x), op2(tape, TR_OP_MUL, y, y));
    return op2(tape, TR_OP_DIV, which == 0 ? x : op1(tape, TR_OP_NEG, y), square);
}

// a / b: 1 / b, and -(a / b) / b.
static int quotient_slope(trTape *tape, int f, int b, int which) {
    return op2(tape, TR_OP_DIV, which == 0 ? constant(tape, 1.0) : op1(tape, TR_OP_NEG, f), b);
}

// 1 / cosh(x)^2 = 4 e / (1 + e)^2, e = exp(-2 |x|): nothing overflows, in its derivatives neither.
static int hyperbolic_tangent_slope(trTape *tape, int x) {
    int e = op2(tape, TR_OP_MUL, constant(tape, -2.0), op1(tape, TR_OP_ABS, x));
    e = op1(tape, TR_OP_EXP, e);
    int sum = op2(tape, TR_OP_ADD, constant(tape, 1.0), e);
    int square = op2(tape, TR_OP_MUL, sum, sum);
    return op2(tape, TR_OP_DIV, op2(tape, TR_OP_MUL, constant(tape, 4.0), e), square);
}

// d(node)/d(operand) of an operation on two or three.
static int partial_of_many(trTape *tape, int f, const trTapeNode *n, int which) {
    int a = n->operand[0], b = n->operand[1];
    switch (n->op) {
    case TR_OP_ADD:
        return constant(tape, 1.0);
    case TR_OP_SUB:
        return constant(tape, which == 0 ? 1.0 : -1.0);
    case TR_OP_MUL:
        return which == 0 ? b : a;
    case TR_OP_DIV:
        return quotient_slope(tape, f, b, which);
    case TR_OP_POW:
        return power_slope(tape, f, a, b, which);
    case TR_OP_ATAN2:
        return angle_slope(tape, a, b, which);
    case TR_OP_MIN:
        return choose(tape, b, a, which == 0);
    case TR_OP_MAX:
        return choose(tape, a, b, which == 0);
    case TR_OP_WHERE:
        return which == 0 ? constant(tape, 0.0)
                          : tr_tape_op(tape, TR_OP_WHERE, a, constant(tape, which == 1 ? 1.0 : 0.0),
                                       constant(tape, which == 1 ? 0.0 : 1.0));
    default:  // LESS
        return constant(tape, 0.0);
    }
}

// d(node)/d(operand) of an operation on one.
static int partial_of_one(trTape *tape, int f, const trTapeNode *n) {
    int a = n->operand[0], one = constant(tape, 1.0);
    switch (n->op) {
    case TR_OP_NEG:
        return constant(tape, -1.0);
    case TR_OP_SIN:
        return op1(tape, TR_OP_COS, a);
    case TR_OP_COS:
        return op1(tape, TR_OP_NEG, op1(tape, TR_OP_SIN, a));
    case TR_OP_TAN:
        return op2(tape, TR_OP_ADD, one, op2(tape, TR_OP_MUL, f, f));
    case TR_OP_ASIN:
        return arc_slope(tape, a);
    case TR_OP_ACOS:
        return op1(tape, TR_OP_NEG, arc_slope(tape, a));
    case TR_OP_ATAN:
        return op2(tape, TR_OP_DIV, one, op2(tape, TR_OP_ADD, one, op2(tape, TR_OP_MUL, a, a)));
    case TR_OP_SINH:
        return op1(tape, TR_OP_COSH, a);
    case TR_OP_COSH:
        return op1(tape, TR_OP_SINH, a);
    case TR_OP_TANH:
        return hyperbolic_tangent_slope(tape, a);
    case TR_OP_EXP:
        return f;
    case TR_OP_LOG:
        return op2(tape, TR_OP_DIV, one, a);
    case TR_OP_SQRT:
        return op2(tape, TR_OP_DIV, constant(tape, 0.5), f);
    case TR_OP_ABS:
        return tr_tape_op(tape, TR_OP_WHERE, op2(tape, TR_OP_LESS, a, constant(tape, 0.0)),
                          constant(tape, -1.0), one);
    case TR_OP_LAW:
        return tr_tape_law(tape, n->law, n->index + 1, a);
    default:  // SIGN
        return constant(tape, 0.0);
    }
}

static int partial(trTape *tape, int f, int which) {
    const trTapeNode n = tape->node[f];  // a copy: recording may move the nodes
    return tr_op_operands(n.op) == 1 ? partial_of_one(tape, f, &n)
                                     : partial_of_many(tape, f, &n, which);
}

// --- what a function needs ---

void tr_derive_begin(trDerive *d, trTape *tape, trArena *scratch) {
    *d = (trDerive){.tape = tape, .scratch = scratch};
}

// A larger copy of an array, filled up.
static int *enlarge(trArena *arena, const int *old, int count, int room, int filler) {
    int *larger = tr_new_array(arena, int, room);
    for (int i = 0; larger != NULL && i < room; i++) {
        larger[i] = i < count ? old[i] : filler;
    }
    return larger;
}

static trStatus make_room(trDerive *d) {
    if (d->tape->count <= d->room) {
        return TR_OK;
    }
    int room = 2 * d->tape->count;
    d->listed = enlarge(d->scratch, d->listed, 0, room, 0);
    d->list = enlarge(d->scratch, d->list, 0, room, -1);
    d->adjoint = enlarge(d->scratch, d->adjoint, 0, room, -1);
    d->rate = enlarge(d->scratch, d->rate, d->room, room, -1);
    TR_TRY(tr_arena_status(d->scratch));
    d->room = room;
    return TR_OK;
}

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

// Lists the nodes that `node` is made of, itself too, in order. Those with a known rate are left
// out if asked.
static int list_needed(trDerive *d, int node, bool skip_known) {
    int count = 0;
    d->list[count++] = node;
    d->listed[node] = 1;
    for (int i = 0; i < count; i++) {
        const trTapeNode *n = &d->tape->node[d->list[i]];
        for (int k = 0; k < tr_op_operands(n->op); k++) {
            int  operand = n->operand[k];
            bool known = skip_known && d->rate[operand] >= 0;
            if (d->listed[operand] == 0 && !known) {
                d->listed[operand] = 1;
                d->list[count++] = operand;
            }
        }
    }
    for (int i = 0; i < count; i++) {
        d->listed[d->list[i]] = 0;
    }
    qsort(d->list, (size_t)count, sizeof *d->list, compare);
    return count;
}

// --- gradient ---

static void spread_adjoint(trDerive *d, int node) {
    trTape          *tape = d->tape;
    const trTapeNode n = tape->node[node];
    for (int k = 0; k < tr_op_operands(n.op); k++) {
        int  part = tr_tape_op(tape, TR_OP_MUL, d->adjoint[node], partial(tape, node, k), -1);
        int *adjoint = &d->adjoint[n.operand[k]];
        *adjoint = *adjoint < 0 ? part : tr_tape_op(tape, TR_OP_ADD, *adjoint, part, -1);
    }
}

trStatus tr_derive_gradient(trDerive *d, int node, int count, const int *input, int *out) {
    trTape *tape = d->tape;
    TR_TRY(make_room(d));
    int zero = tr_tape_constant(tape, 0.0), needed = list_needed(d, node, false);
    d->adjoint[node] = tr_tape_constant(tape, 1.0);
    for (int i = needed - 1; i >= 0; i--) {
        int adjoint = d->adjoint[d->list[i]];
        if (adjoint >= 0 && adjoint != zero) {
            spread_adjoint(d, d->list[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        int x = tr_tape_input(tape, input[i]);
        out[i] = x >= 0 && x < d->room && d->adjoint[x] >= 0 ? d->adjoint[x] : zero;
    }
    for (int i = 0; i < needed; i++) {
        d->adjoint[d->list[i]] = -1;
    }
    return tr_tape_room(tape);
}

// --- rate ---

void tr_derive_set_rates(trDerive *d, int inputs, const int *input_rate) {
    d->inputs = inputs;
    d->input_rate = input_rate;
}

static int rate_of(trDerive *d, int node) {
    trTape          *tape = d->tape;
    const trTapeNode n = tape->node[node];  // a copy: recording may move the nodes
    int              sum = tr_tape_constant(tape, 0.0), zero = sum;
    if (n.op == TR_OP_INPUT) {
        int rate = n.index < d->inputs ? d->input_rate[n.index] : -1;
        return rate < 0 ? zero : rate;
    }
    for (int k = 0; k < tr_op_operands(n.op); k++) {
        int rate = d->rate[n.operand[k]];
        if (rate != zero) {
            // In this order: of two choices the outer one decides whether the inner one counts.
            int part = tr_tape_op(tape, TR_OP_MUL, partial(tape, node, k), rate, -1);
            sum = tr_tape_op(tape, TR_OP_ADD, sum, part, -1);
        }
    }
    return sum;
}

trStatus tr_derive_rate(trDerive *d, int node, int *out) {
    TR_TRY(make_room(d));
    int needed = d->rate[node] >= 0 ? 0 : list_needed(d, node, true);
    for (int i = 0; i < needed; i++) {
        d->rate[d->list[i]] = rate_of(d, d->list[i]);
    }
    *out = d->rate[node];
    return tr_tape_room(d->tape);
}

int tr_derive_inputs(trDerive *d, int node, int room, int *input) {
    int count = 0;
    if (make_room(d) != TR_OK) {
        return 0;
    }
    int needed = list_needed(d, node, false);
    for (int i = 0; i < needed; i++) {
        const trTapeNode *n = &d->tape->node[d->list[i]];
        if (n->op == TR_OP_INPUT) {
            if (count < room) {
                input[count] = n->index;
            }
            count++;
        }
    }
    return count;
}
