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
#define TR_OP(name, operands, value) \
    case TR_OP_##name:               \
        return value;
#include "tape/ops.def"
#undef TR_OP
    default:
        return NAN;
    }
}

#endif
