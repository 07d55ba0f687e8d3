// SPDX-License-Identifier: MIT
// Records a function of time and evaluates it together with its first two derivatives.
//
// Every operation carries (f, f', f'') forward. Functions of one argument follow the chain rule,
//
//     f = g(u),   f' = g'(u) u',   f'' = g''(u) u'^2 + g'(u) u''
//
// and the others
//
//     f = a b       f' = a'b + a b'         f'' = a''b + 2 a'b' + a b''
//     f = a / b     f' = (a' - f b') / b    f'' = (a'' - 2 f'b' - f b'') / b
//     f = a^b       e = b log a:            f' = f e',   f'' = f (e'' + e'^2)
//
// Where b is constant, a^b is a power of one argument, good at a = 0 and for a < 0 if b is whole.
// Operations on constants are done while recording. MIN, MAX, ABS and WHERE hand on one branch
// alone; where they meet, the derivatives are those of that branch.

#include "tape/node.h"

#include <math.h>
#include <stddef.h>

// A value on its way through the tape.
typedef struct Term {
    double value, first, second;
    bool   constant;  // near this instant; the derivatives are zero, whatever the operation
} Term;

static Term constant_term(double value) {
    return (Term){.value = value, .constant = true};
}

// g(u) from the outer function's value and derivatives at u. Outside the domain of g nothing is a
// number, not even derivatives that have a formula there.
static Term chain(Term u, double g, double g1, double g2) {
    if (u.constant) {
        return constant_term(g);
    }
    if (isnan(g)) {
        return (Term){g, g, g, false};
    }
    return (Term){g, g1 * u.first, g2 * u.first * u.first + g1 * u.second, false};
}

static Term add(Term a, double sign, Term b) {
    return (Term){a.value + sign * b.value, a.first + sign * b.first, a.second + sign * b.second,
                  a.constant && b.constant};
}

static Term multiply(Term a, Term b) {
    return (Term){a.value * b.value, a.first * b.value + a.value * b.first,
                  a.second * b.value + 2.0 * a.first * b.first + a.value * b.second,
                  a.constant && b.constant};
}

static Term divide(Term a, Term b) {
    double f = a.value / b.value;
    if (a.constant && b.constant) {
        return constant_term(f);
    }
    double f1 = (a.first - f * b.first) / b.value;
    double f2 = (a.second - 2.0 * f1 * b.first - f * b.second) / b.value;
    return (Term){f, f1, f2, false};
}

static Term logarithm(Term u) {
    return chain(u, log(u.value), 1.0 / u.value, -1.0 / (u.value * u.value));
}

static Term power(Term a, Term b) {
    double p = b.value, f = pow(a.value, p);
    if (b.constant) {
        // A factor of zero stands before any infinite power: 0^1 and 0^2 have derivatives.
        double g1 = p == 0.0 ? 0.0 : p * pow(a.value, p - 1.0);
        double g2 = p == 0.0 || p == 1.0 ? 0.0 : p * (p - 1.0) * pow(a.value, p - 2.0);
        return chain(a, f, g1, g2);
    }
    Term e = multiply(b, logarithm(a));
    return (Term){isnan(e.value) ? e.value : f, f * e.first, f * (e.second + e.first * e.first),
                  false};
}

static Term square_root(Term u) {
    double g = sqrt(u.value);
    return chain(u, g, 0.5 / g, -0.25 / (g * u.value));
}

static Term tangent(Term u) {
    double g = tan(u.value), g1 = 1.0 + g * g;
    return chain(u, g, g1, 2.0 * g * g1);
}

// asin for sign = 1; acos is a quarter turn minus it.
static Term arc(Term u, double sign, double g) {
    double x = u.value, square = (1.0 - x) * (1.0 + x), root = sqrt(square);
    return chain(u, g, sign / root, sign * x / (square * root));
}

static Term arc_tangent(Term u) {
    double x = u.value, g1 = 1.0 / (1.0 + x * x);
    return chain(u, atan(x), g1, -2.0 * x * g1 * g1);
}

static Term hyperbolic_tangent(Term u) {
    double g = tanh(u.value), c = cosh(u.value), g1 = 1.0 / c / c;
    return chain(u, g, g1, -2.0 * g * g1);
}

static Term function(trTapeOp op, Term u) {
    double x = u.value;
    switch (op) {
    case TR_OP_NEG:
        return (Term){-u.value, -u.first, -u.second, u.constant};
    case TR_OP_SIN:
        return chain(u, sin(x), cos(x), -sin(x));
    case TR_OP_COS:
        return chain(u, cos(x), -sin(x), -cos(x));
    case TR_OP_TAN:
        return tangent(u);
    case TR_OP_ASIN:
        return arc(u, 1.0, asin(x));
    case TR_OP_ACOS:
        return arc(u, -1.0, acos(x));
    case TR_OP_ATAN:
        return arc_tangent(u);
    case TR_OP_SINH:
        return chain(u, sinh(x), cosh(x), sinh(x));
    case TR_OP_COSH:
        return chain(u, cosh(x), sinh(x), cosh(x));
    case TR_OP_TANH:
        return hyperbolic_tangent(u);
    case TR_OP_EXP:
        return chain(u, exp(x), exp(x), exp(x));
    case TR_OP_LOG:
        return logarithm(u);
    case TR_OP_SQRT:
        return square_root(u);
    case TR_OP_ABS:
        return x < 0.0 ? function(TR_OP_NEG, u) : u;
    default:
        return constant_term(NAN);
    }
}

// What is not a number decides nothing, and must not be hidden by a comparison that is false.
static Term less(Term a, Term b) {
    bool undecided = isnan(a.value) || isnan(b.value);
    return constant_term(undecided ? NAN : a.value < b.value ? 1.0 : 0.0);
}

static Term lesser(Term a, Term b) {
    return isnan(b.value) || b.value < a.value ? b : a;
}

static Term greater(Term a, Term b) {
    return isnan(b.value) || b.value > a.value ? b : a;
}

static Term choose(Term condition, Term yes, Term no) {
    if (isnan(condition.value)) {
        return (Term){NAN, NAN, NAN, false};
    }
    return condition.value != 0.0 ? yes : no;
}

static int operand_count(trTapeOp op) {
    switch (op) {
    case TR_OP_CONSTANT:
    case TR_OP_TIME:
        return 0;
    case TR_OP_ADD:
    case TR_OP_SUB:
    case TR_OP_MUL:
    case TR_OP_DIV:
    case TR_OP_POW:
    case TR_OP_MIN:
    case TR_OP_MAX:
    case TR_OP_LESS:
        return 2;
    case TR_OP_WHERE:
        return 3;
    default:
        return 1;
    }
}

static Term apply(trTapeOp op, Term a, Term b, Term c) {
    switch (op) {
    case TR_OP_ADD:
        return add(a, 1.0, b);
    case TR_OP_SUB:
        return add(a, -1.0, b);
    case TR_OP_MUL:
        return multiply(a, b);
    case TR_OP_DIV:
        return divide(a, b);
    case TR_OP_POW:
        return power(a, b);
    case TR_OP_MIN:
        return lesser(a, b);
    case TR_OP_MAX:
        return greater(a, b);
    case TR_OP_LESS:
        return less(a, b);
    case TR_OP_WHERE:
        return choose(a, b, c);
    default:
        return function(op, a);
    }
}

trTape *tr_tape_create(trArena *arena) {
    trTape *tape = tr_new(arena, trTape);
    if (tape != NULL) {
        tape->arena = arena;
        tape->name = "";
        tape->result = -1;
        tape->time = -1;
    }
    return tape;
}

void tr_tape_finish(trTape *tape, int result, const char *name) {
    tape->result = result;
    if (name != NULL) {
        tape->name = tr_arena_text(tape->arena, name);
    }
}

static int append(trTape *tape, trTapeNode node) {
    if (tape->count == TR_TAPE_MAX) {
        tape->overflow = true;
        return -1;
    }
    tape->node[tape->count] = node;
    return tape->count++;
}

int tr_tape_constant(trTape *tape, double value) {
    return append(tape,
                  (trTapeNode){.op = TR_OP_CONSTANT, .operand = {-1, -1, -1}, .value = value});
}

int tr_tape_time(trTape *tape) {
    if (tape->time < 0) {
        tape->time = append(tape, (trTapeNode){.op = TR_OP_TIME, .operand = {-1, -1, -1}});
    }
    return tape->time;
}

bool tr_tape_is_constant(const trTape *tape, int node, double *value) {
    if (node < 0 || node >= tape->count || tape->node[node].op != TR_OP_CONSTANT) {
        return false;
    }
    *value = tape->node[node].value;
    return true;
}

int tr_tape_op(trTape *tape, trTapeOp op, int a, int b, int c) {
    const int  operand[3] = {a, b, c};
    Term       term[3] = {{0}};
    trTapeNode node = {.op = op, .operand = {-1, -1, -1}};
    int        count = operand_count(op);
    bool       constant = count > 0;
    for (int i = 0; i < count; i++) {
        if (operand[i] < 0 || operand[i] >= tape->count) {
            return -1;
        }
        double value = 0.0;
        constant = tr_tape_is_constant(tape, operand[i], &value) && constant;
        term[i] = constant_term(value);
        node.operand[i] = operand[i];
    }
    if (constant) {
        return tr_tape_constant(tape, apply(op, term[0], term[1], term[2]).value);
    }
    return append(tape, node);
}

trStatus tr_tape_status(const trTape *tape) {
    if (tape->overflow) {
        return tr_fail(TR_E_MODEL, "function '%s' has more than %d operations", tape->name,
                       TR_TAPE_MAX);
    }
    if (tape->result < 0 || tape->result >= tape->count) {
        return tr_fail(TR_E_MODEL, "function '%s' has no result", tape->name);
    }
    return TR_OK;
}

static Term operand_term(const Term *terms, int operand) {
    return operand < 0 ? (Term){0} : terms[operand];
}

trJet tr_function_jet(const trFunction *f, double t) {
    const trTape *tape = f->tape;
    if (tape == NULL) {
        return (trJet){f->constant, 0.0, 0.0};
    }
    if (tape->result < 0 || tape->result >= tape->count) {
        return (trJet){NAN, NAN, NAN};
    }
    Term terms[TR_TAPE_MAX];
    for (int i = 0; i <= tape->result; i++) {
        const trTapeNode *node = &tape->node[i];
        if (node->op == TR_OP_CONSTANT) {
            terms[i] = constant_term(node->value);
        } else if (node->op == TR_OP_TIME) {
            terms[i] = (Term){t, 1.0, 0.0, false};
        } else {
            terms[i] =
                apply(node->op, operand_term(terms, node->operand[0]),
                      operand_term(terms, node->operand[1]), operand_term(terms, node->operand[2]));
        }
    }
    Term result = terms[tape->result];
    return (trJet){result.value, result.first, result.second};
}
