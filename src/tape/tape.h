// SPDX-License-Identifier: MIT
// A tape is a recorded function of time: a list of elementary operations in order, each on results
// that stand before it. It is evaluated together with its first two derivatives by Taylor
// arithmetic, so that a driven joint gets f, f', f'' exactly.

#ifndef TR_TAPE_TAPE_H
#define TR_TAPE_TAPE_H

#include <stdbool.h>

#include "base/arena.h"
#include "trammel/model.h"

#define TR_TAPE_MAX 512  // operations on one tape; evaluation uses this much stack

typedef enum trTapeOp {
    TR_OP_CONSTANT,
    TR_OP_TIME,
    TR_OP_ADD,
    TR_OP_SUB,
    TR_OP_MUL,
    TR_OP_DIV,
    TR_OP_POW,
    TR_OP_NEG,
    TR_OP_SIN,
    TR_OP_COS,
    TR_OP_TAN,
    TR_OP_ASIN,
    TR_OP_ACOS,
    TR_OP_ATAN,
    TR_OP_SINH,
    TR_OP_COSH,
    TR_OP_TANH,
    TR_OP_EXP,
    TR_OP_LOG,
    TR_OP_SQRT,
    TR_OP_ABS,
    TR_OP_MIN,
    TR_OP_MAX,
    TR_OP_LESS,   // 1 where a < b, else 0
    TR_OP_WHERE,  // b where a is not 0, else c
} trTapeOp;

trTape  *tr_tape_create(trArena *arena);
void     tr_tape_finish(trTape *tape, int result, const char *name);  // name: for error messages
int      tr_tape_constant(trTape *tape, double value);  // number of the node, or -1 if full
int      tr_tape_time(trTape *tape);
int      tr_tape_op(trTape *tape, trTapeOp op, int a, int b, int c);  // unused operands: -1
bool     tr_tape_is_constant(const trTape *tape, int node, double *value);
trStatus tr_tape_status(const trTape *tape);  // TR_E_MODEL when the function was too long

// Instants at which the function changes its formula, as far as they can be known; at most
// TR_TAPE_MAX of them. Returns how many, in no order.
int tr_tape_breaks(const trTape *tape, double *times);

// A number or a function of time, as a parameter struct holds it.
typedef struct trFunction {
    double        constant;
    const trTape *tape;  // NULL for a constant
} trFunction;

// f, f', f'' at time t.
typedef struct trJet {
    double value, first, second;
} trJet;

trJet tr_function_jet(const trFunction *f, double t);

#endif
