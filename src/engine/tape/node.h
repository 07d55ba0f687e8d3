// SPDX-License-Identifier: MIT
// The inside of a tape, for the files of this folder.

#ifndef TR_TAPE_NODE_H
#define TR_TAPE_NODE_H

#include <stdint.h>

#include "tape/program.h"
#include "tape/tape.h"

typedef struct trTapeNode {
    trTapeOp     op;
    int          operand[3];  // nodes that stand before, or -1
    double       value;       // of a constant
    int          index;       // of an input; of a law, the order of its derivative
    const trLaw *law;
} trTapeNode;

struct trTape {
    trArena    *arena;
    int         count, room;  // of nodes
    trTapeNode *node;         // room
    int         buckets;      // a power of two
    int        *bucket;       // buckets: a node that hashes there, or -1; open addressing
    bool        overflow;     // more than TR_TAPE_MAX operations were asked for
    int         depth;        // of operations within operations that are being simplified
    // of a function of time:
    const char                  *name;
    int                          result;    // a node, or -1
    bool                         compiled;  // jet is there
    trProgram                    jet;       // f, f', f''
    const struct trTimeFunction *call;      // the same in C; NULL: it is recorded
};

// The node, which may be there already; -1 when there is no room.
int tr_tape_append(trTape *tape, trTapeNode node);
int tr_op_operands(trTapeOp op);
// Marks what the results are made of. Operands stand before what uses them: one pass backwards.
void tr_tape_mark(const trTape *tape, int results, const int *node, bool *needed);

#endif
