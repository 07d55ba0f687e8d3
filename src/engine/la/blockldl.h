// SPDX-License-Identifier: MIT
// Sparse block LDL' of a symmetric matrix with a fixed pattern of small dense blocks. It tolerates
// rank deficiency: a pivot not above its limit is dropped, and its unknown becomes zero.
//
//     S = L D L'     G_p = inverse of D_p on the pivots kept     L_ap = S_ap G_p
//
// G is formed, except for firm nodes: their diagonal blocks keep their own scalar LDL' and are
// solved with, which stays accurate however ill-conditioned they are.
//
// Right-looking: after pivot p,  S_ab = S_ab - L_ap S_bp'  for all a, b in its column. Where those
// go is found once, when planned. Vectors are in elimination order: node i starts at first[i].

#ifndef TR_LA_BLOCKLDL_H
#define TR_LA_BLOCKLDL_H

#include "la/blocks.h"
#include "la/ordering.h"

// One column of blocks.
typedef struct trBlockColumn {
    int size;        // rows and columns of the diagonal block
    int first;       // first unknown
    int diagonal;    // where its diagonal block starts in `value`
    int begin, end;  // its other blocks
    int update;      // first of its update targets
    int uniform;     // the size of all blocks of the column, where it is one and not firm; else 0
    int firm;        // not 0: pivots of this node may not be dropped
} trBlockColumn;

// A block below the diagonal, column after column.
typedef struct trBlockEntry {
    int size;   // rows
    int first;  // first unknown of its rows
    int value;  // where it starts in `value` and `factor`
} trBlockEntry;

typedef struct trBlockLdl {
    int            nodes, n;  // n unknowns
    int            values;    // numbers in all blocks
    int           *position;  // nodes: of a node in elimination order
    int           *first;     // nodes: first unknown of a node
    trBlockColumn *column;    // nodes, in elimination order
    trBlockEntry  *entry;
    const int     *row;      // entries: position of their rows
    int           *target;   // update targets in `value`, column after column
    double        *value;    // values: S; of diagonal blocks the lower half is read
    double        *factor;   // values: L; in place of diagonal blocks G, or d and L of firm ones
    double        *limit;    // n: pivots not above it are dropped; 0: only what is 0
    int            dropped;  // pivots, in the last factorization
} trBlockLdl;

// `size` has the rows of each node, `firm` (may be NULL) those that may not be dropped.
trStatus tr_block_plan(trArena *arena, const trGraph *graph, const int *size, const bool *firm,
                       trBlockLdl *out);

// Where block (i, j) of nodes i and j starts in `value`; *swapped is set if it is stored as (j, i).
int tr_block_find(const trBlockLdl *ldl, int i, int j, bool *swapped);

// Factors what stands in `value`, which is used up. Returns the unknown whose firm pivot vanished,
// or -1 when all is well.
int tr_block_factor(trBlockLdl *ldl);

void tr_block_solve(const trBlockLdl *ldl, double *x);  // n, in place

// The pivots of the last factorization, n; dropped ones are zero.
void tr_block_pivots(const trBlockLdl *ldl, double *pivot);

#endif
