// SPDX-License-Identifier: MIT
// What each operation does with numbers: once, for folding constants and for programs.
//
// What is not a number decides nothing, and must not be hidden by a comparison that is false.

#ifndef TR_TAPE_OP_H
#define TR_TAPE_OP_H

#include <math.h>

#include "tape/tape.h"

static inline double tr_op_less(double a, double b) {
    return isnan(a) || isnan(b) ? NAN : a < b ? 1.0 : 0.0;
}

static inline double tr_op_choose(double condition, double yes, double no) {
    return isnan(condition) ? NAN : condition != 0.0 ? yes : no;
}

static inline double tr_op_sign(double a) {
    return isnan(a) ? a : (double)(a > 0.0) - (double)(a < 0.0);
}

static inline double tr_op_value(trTapeOp op, double a, double b, double c) {
    switch (op) {
    case TR_OP_ADD:
        return a + b;
    case TR_OP_SUB:
        return a - b;
    case TR_OP_MUL:
        return a * b;
    case TR_OP_DIV:
        return a / b;
    case TR_OP_POW:
        return pow(a, b);
    case TR_OP_NEG:
        return -a;
    case TR_OP_SIN:
        return sin(a);
    case TR_OP_COS:
        return cos(a);
    case TR_OP_TAN:
        return tan(a);
    case TR_OP_ASIN:
        return asin(a);
    case TR_OP_ACOS:
        return acos(a);
    case TR_OP_ATAN:
        return atan(a);
    case TR_OP_ATAN2:
        return atan2(a, b);
    case TR_OP_SINH:
        return sinh(a);
    case TR_OP_COSH:
        return cosh(a);
    case TR_OP_TANH:
        return tanh(a);
    case TR_OP_EXP:
        return exp(a);
    case TR_OP_LOG:
        return log(a);
    case TR_OP_SQRT:
        return sqrt(a);
    case TR_OP_ABS:
        return fabs(a);
    case TR_OP_SIGN:
        return tr_op_sign(a);
    case TR_OP_MIN:
        return isnan(b) || b < a ? b : a;
    case TR_OP_MAX:
        return isnan(b) || b > a ? b : a;
    case TR_OP_LESS:
        return tr_op_less(a, b);
    case TR_OP_WHERE:
        return tr_op_choose(a, b, c);
    default:
        return NAN;
    }
}

#endif
