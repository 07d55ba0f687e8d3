// SPDX-License-Identifier: MIT
// What results of all kinds call their columns: a list that grows, and what a frame, a load and a
// violation are called and measured in.

#ifndef TR_SIM_COLUMN_LIST_H
#define TR_SIM_COLUMN_LIST_H

#include <string.h>

#include "base/arena.h"
#include "system/system.h"
#include "trammel/record.h"

typedef struct trColumnList {
    trArena  *arena;   // owns all of it
    int       count;   // of columns
    int       room;    // for them
    trColumn *column;  // count
} trColumnList;

// A failure is the arena's.
void tr_columns_add(trColumnList *list, const char *name, const char *unit);
// "owner.x", "owner.y", ... of the kinds x, y, ...; without an owner they are as they are.
void tr_columns_add_all(trColumnList *list, const char *owner, int count, const trColumn *kind);
// "m/s^2" from "m" and "/s^2"; where no unit was given none is known.
const char *tr_columns_unit(trColumnList *list, const char *unit, const char *per);
// Whether memory was there for all of them, and each has a name of its own.
trStatus tr_columns_check(const trColumnList *list);

// Columns of one body or frame, and of one joint or force, without their owner's name.
int tr_columns_of_frame(int dim, const trColumn **out) TR_SHARED;
int tr_columns_of_load(int dim, const trColumn **out) TR_SHARED;
// Their numbers in that order; what follows them is returned.
double *tr_columns_fill_frame(int dim, const trBodyState *f, const trAcceleration *a,
                              double *to) TR_SHARED;
double *tr_columns_fill_load(int dim, trVec3 force, trVec3 moment, double *to);

// A state at which the equations were evaluated.
typedef struct trColumnState {
    const double *q, *v, *a, *lambda;
} trColumnState;

// Bodies, frames, joints, and forces that vary (columns.c). Loads of joints are those of body 1 on
// body 2, or on ground where body 2 is ground; of forces likewise.
void    tr_columns_add_bodies(trColumnList *list, const trSystem *system);
double *tr_columns_fill_bodies(const trEval *eval, const trColumnState *state, double *to);

static inline double *tr_columns_put(double *to, int count, const double *numbers) {
    memcpy(to, numbers, (size_t)count * sizeof *to);
    return to + count;
}

// What a row of phi is measured in.
typedef enum trQuantity { TR_LENGTH, TR_ANGLE, TR_OTHER, TR_QUANTITIES } trQuantity;

// All columns of a run, with violations of the first `kinds` quantities (columns.c).
void tr_columns_name(const trSystem *system, int kinds, trColumnList *to) TR_SHARED;

static inline trQuantity tr_quantity_of(const char *unit) {
    return strcmp(unit, "m") == 0 ? TR_LENGTH : strcmp(unit, "rad") == 0 ? TR_ANGLE : TR_OTHER;
}

#endif
