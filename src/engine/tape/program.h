// SPDX-License-Identifier: MIT
// A program evaluates chosen results of a tape: what they need, in order, and nothing else. It is
// constant; numbers live in the caller's `slot` array:
//
//     constants, then inputs, then the result of every instruction
//
// so that one evaluation is one pass over the instructions.

#ifndef TR_TAPE_PROGRAM_H
#define TR_TAPE_PROGRAM_H

#include "tape/tape.h"

typedef struct trInstruction {
    short op;       // trTapeOp
    short order;    // of a law's derivative
    int   a, b, c;  // slots; of a law, b is its number
} trInstruction;

typedef struct trProgram {
    int                  slots;      // size of the array
    int                  constants;  // slots before the inputs
    const double        *constant;   // constants
    int                  inputs;     // those that are used
    int                 *input;      // inputs: their numbers
    int                  count;      // of instructions
    const trInstruction *code;       // count
    const trLaw *const  *law;
    int                  outputs;
    const int           *output;  // outputs: slots
} trProgram;

// Everything is taken from `arena`. A node may be asked for more than once.
trStatus tr_program_compile(trArena *arena, const trTape *tape, int outputs, const int *node,
                            trProgram *out);

void tr_program_begin(const trProgram *p, double *slot);  // once: constants
// `input` holds all inputs of the tape by number. Results stand in slot[output[i]].
void tr_program_run(const trProgram *p, const double *input, double *slot);

#endif
