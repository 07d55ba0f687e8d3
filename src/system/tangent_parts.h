// SPDX-License-Identifier: MIT
// What the files of the tangent share.

#ifndef TR_SYSTEM_TANGENT_PARTS_H
#define TR_SYSTEM_TANGENT_PARTS_H

#include "system/tangent.h"

// The places of entries, while they are listed.
typedef struct trEntries {
    int *row, *column;  // NULL: only counted
    int  count;
} trEntries;

// A block of rows x columns entries.
void tr_entries_add(trEntries *list, int row, int rows, int column, int columns);

// Adds `scale` times numbers to the entries from `entry` on; returns the next entry.
int tr_tangent_add(trTangent *t, int entry, int rows, int columns, int stride, double scale,
                   const double *block);

// --- recorded equations (tangent_recorded.c) ---

trStatus tr_recorded_plan(trArena *arena, const trSystem *s, trTangent *t);
// Places of rows, blocks and rates.
void tr_recorded_list(const trSystem *s, trTangent *t, trEntries *list);
void tr_recorded_add(trTangent *t, const trEval *e, const trTangentState *at);

#endif
