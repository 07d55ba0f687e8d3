// SPDX-License-Identifier: MIT
// Exact derivatives, recorded on the tape that holds the function: they share its operations, are
// simplified as they are recorded, and can be derived again. What does not depend on an input is
// the constant 0, so that sparsity shows by itself.

#ifndef TR_TAPE_DERIVE_H
#define TR_TAPE_DERIVE_H

#include "tape/tape.h"

// Memory for deriving; it grows with the tape and belongs to an arena that is destroyed afterwards.
typedef struct trDerive {
    trTape    *tape;
    trArena   *scratch;
    int        room;     // of the next four
    int       *listed;   // by node: 1 once it is in `list`, while that is made
    int       *list;     // nodes that the function needs, in order
    int       *adjoint;  // by node: the derivative with respect to it, or -1
    int       *rate;     // by node: its rate as recorded before, or -1
    int        inputs;   // given rates
    const int *input_rate;
} trDerive;

void tr_derive_begin(trDerive *d, trTape *tape, trArena *scratch);

// d(node)/d(input[i]) for `count` inputs, by the adjoint (reverse) method: its cost does not depend
// on how many inputs there are.
trStatus tr_derive_gradient(trDerive *d, int node, int count, const int *input, int *out);

// The rate of a node where input i changes at the rate input_rate[i] (a node, or -1 for none),
// i < inputs; others stand still. To be said before tr_derive_rate, which keeps what it has found.
void     tr_derive_set_rates(trDerive *d, int inputs, const int *input_rate);
trStatus tr_derive_rate(trDerive *d, int node, int *out);

// The numbers of the inputs that a node depends on, at most `room` of them are written. Returns how
// many there are.
int tr_derive_inputs(trDerive *d, int node, int room, int *input);

#endif
