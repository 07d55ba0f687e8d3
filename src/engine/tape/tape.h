// SPDX-License-Identifier: MIT
// A tape is a recorded expression: a list of elementary operations in order, each on results that
// stand before it. What is recorded twice is kept once, constants are worked out while recording,
// and derivatives are recorded on the same tape (derive.h). A program (program.h) evaluates it.
//
// Inputs are numbered. Input 0 is time; what the others are is the owner's business.

#ifndef TR_TAPE_TAPE_H
#define TR_TAPE_TAPE_H

#include <stdbool.h>

#include "base/arena.h"
#include "trammel/model.h"

struct trTimeFunction;  // trammel/control.h

#define TR_TAPE_MAX 4000000  // operations on one tape

typedef enum trTapeOp {
#define TR_OP(name, operands, value) TR_OP_##name,
#include "tape/ops.def"
#undef TR_OP
} trTapeOp;

trTape *tr_tape_create(trArena *arena) TR_SHARED;  // NULL: out of memory

// Each returns the number of a node, or -1 once the tape is full or memory is short; -1 as an
// operand gives -1, so that only the end of a recording needs to be looked at.
int tr_tape_constant(trTape *tape, double value) TR_SHARED;
int tr_tape_input(trTape *tape, int index) TR_SHARED;
int tr_tape_time(trTape *tape) TR_SHARED;                                  // input 0
int tr_tape_op(trTape *tape, trTapeOp op, int a, int b, int c) TR_SHARED;  // unused operands: -1
// Derivative `order` (0 to 3) of a law that lives as long as the tape.
int tr_tape_law(trTape *tape, const trLaw *law, int order, int a) TR_SHARED;

int  tr_tape_count(const trTape *tape);  // nodes so far
bool tr_tape_is_constant(const trTape *tape, int node, double *value);

// TR_E_MODEL when the recording was too long, TR_E_MEMORY.
trStatus tr_tape_room(const trTape *tape) TR_SHARED;

// Instants at which a result changes its formula, as far as they can be known, in no order.
// `times` lives in the arena.
trStatus tr_tape_breaks(trArena *arena, const trTape *tape, int results, const int *node,
                        int *count, const double **times);

// --- functions of time ---

// The node is the function that this tape stands for; name: for error messages.
void tr_tape_finish(trTape *tape, int result, const char *name) TR_SHARED;
// The tape stands for a function in C (trammel/control.h), which lives as long as the tape.
void tr_tape_call(trTape *tape, const struct trTimeFunction *function);
// Instants at which the function changes its formula, as far as they can be known, in no order.
trStatus tr_tape_function_breaks(trArena *arena, const trTape *tape, int *count,
                                 const double **times);
trStatus tr_tape_status(const trTape *tape) TR_SHARED;  // TR_E_MODEL when the function was too long

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
