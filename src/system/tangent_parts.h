// SPDX-License-Identifier: MIT
// What the files of the tangent share.

#ifndef TR_SYSTEM_TANGENT_PARTS_H
#define TR_SYSTEM_TANGENT_PARTS_H

#include "system/tangent.h"

// Blocks, while they are listed.
typedef struct trBlockList {
    trPartBlock *block;  // NULL: only counted
    int          count;
    int          values;
} trBlockList;

void tr_list_block(trBlockList *list, trPart part, int row, int rows, int column, int columns);
void tr_list_diagonal(trBlockList *list, trPart part, int n);

// Numbers of the next block, from `at` on; returns where those of the one after it start.
int tr_put_block(trTangent *t, int at, int rows, int columns, int stride, const double *block);
int tr_put_transposed(trTangent *t, int at, int rows, int columns, double scale,
                      const double *block);  // the block is rows x columns

// N of rows of positions of one body, by the rate of A along the motion:
//     d(A v - b1)/dq = A' + W x A        the second in columns of rotations alone
int tr_put_rates(trTangent *t, int at, const trEval *e, const trTangentState *state, int value,
                 int rows, int body);

// --- recorded equations (tangent_recorded.c) ---

trStatus tr_recorded_plan(trArena *arena, const trSystem *s, trTangent *t);
void     tr_recorded_list(const trSystem *s, trTangent *t, trBlockList *list);
void     tr_recorded_evaluate(trTangent *t, const trEval *e, const trTangentState *state);

#endif
