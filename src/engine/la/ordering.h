// SPDX-License-Identifier: MIT
// In which order to eliminate the nodes of a symmetric sparse matrix, and which entries that makes.
//
// Minimum degree on the explicit elimination graph; among equals, first come first served. So a
// chain is eliminated from both ends alternately, which gives the processor two independent
// strands of work, and chains, trees and ladders get no more fill than they must.

#ifndef TR_LA_ORDERING_H
#define TR_LA_ORDERING_H

#include <stdbool.h>

#include "base/arena.h"

// A graph without loops: the neighbors of node i stand at neighbor[start[i]] ... start[i + 1] - 1.
typedef struct trGraph {
    int         nodes;
    const int  *start;     // nodes + 1
    const int  *neighbor;  // start[nodes]; each edge stands at both ends
    const bool *late;      // nodes: to be eliminated only after all of its neighbors; may be NULL
    const bool *second;    // nodes: only after all that are neither late nor second; may be NULL
} trGraph;

typedef struct trElimination {
    int  nodes;
    int *order;     // nodes: the node at a position
    int *position;  // nodes: the position of a node
    int *column;    // nodes + 1: first entry of each position in `row`
    int *row;       // later positions that a position is coupled with, increasing
} trElimination;

trStatus tr_eliminate_graph(trArena *arena, const trGraph *graph, trElimination *out);

#endif
