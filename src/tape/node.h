// SPDX-License-Identifier: MIT
// The inside of a tape, for the files of this folder.

#ifndef TR_TAPE_NODE_H
#define TR_TAPE_NODE_H

#include "tape/tape.h"

typedef struct trTapeNode {
    trTapeOp op;
    int      operand[3];  // nodes that stand before, or -1
    double   value;       // of a constant
} trTapeNode;

struct trTape {
    trArena    *arena;
    const char *name;
    int         count;     // of nodes
    int         result;    // a node, or -1
    int         time;      // the node that is time, or -1
    bool        overflow;  // more than TR_TAPE_MAX operations were asked for
    trTapeNode  node[TR_TAPE_MAX];
};

#endif
