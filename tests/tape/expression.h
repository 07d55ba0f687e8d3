// SPDX-License-Identifier: MIT
// Random expressions as they are constructed: a list of steps, each on results that stand before
// it. They are recorded on a tape, read by an interpreter that knows nothing of tapes
// (reference.h), printed, and made smaller while a test still fails.

#ifndef TR_TESTS_TAPE_EXPRESSION_H
#define TR_TESTS_TAPE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/law.h"
#include "support/random.h"
#include "tape/tape.h"

#define INPUTS 4  // of an expression; input 0 is time
#define STEPS 96  // room of an expression
#define LAWS 2

typedef struct Step {
    trTapeOp op;
    int      operand[3];  // steps that stand before; unused ones are 0
    double   value;       // of a constant
    int      which;       // of an input or a law, its number
} Step;

// The function is the last step.
typedef struct Expression {
    int                 count;
    Step                step[STEPS];
    const trLaw *const *law;        // LAWS
    double              x[INPUTS];  // where it is looked at
} Expression;

// A table and a piecewise cubic that jumps.
trStatus expression_laws(trArena *arena, const trLaw *law[LAWS]);

// Safe: arguments are kept inside of the domains of functions, and x is arbitrary. Otherwise they
// are what they are, and x is made of numbers at which functions end: 0, 1, -1, ...
void expression_random(trRandom *random, bool safe, const trLaw *const *law, Expression *out);

int  expression_operands(trTapeOp op);  // how many
int  expression_record(const Expression *e, trTape *tape);
int  expression_size(const Expression *e);  // steps that the function needs
void expression_print(const Expression *e, char *text, size_t room);

// Replaces subexpressions by their operands or by leaves, and numbers by simpler ones, for as long
// as `fails` holds.
void expression_shrink(Expression *e, bool (*fails)(const Expression *e));

#endif
