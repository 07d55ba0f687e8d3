// SPDX-License-Identifier: MIT
// What the files share that derive and compile recorded equations: a tape to derive on, and lists
// that grow.

#ifndef TR_SYSTEM_TRACED_WORK_H
#define TR_SYSTEM_TRACED_WORK_H

#include "system/traced.h"
#include "tape/derive.h"

#define TR_TRACED_WIDTH 6  // most velocities of a body

typedef struct trTracedWork {
    const trModel  *model;
    const trTraced *traced;
    trTape         *tape;
    trArena        *arena, *scratch;  // what stays, and what does not
    trTracedSystem *system;
    trDerive        motion;  // rates of a motion: true or virtual velocities
    trDerive        time;    // time changes, all else rests
    int             unit;    // the rate of time
    // results of the program:
    int  nodes, node_room;
    int *node;
    // sides of rows:
    int           sides, side_room;
    trTracedSide *side;
    // inputs of a node:
    int  inputs, input_room;
    int *input;
    // bodies that something depends on:
    int *stamp;  // by body: who saw it last, + 1
    int *near;   // nears: those seen by one
    int  nears;
} trTracedWork;

// Rates by velocity inputs of this kind (TR_INPUT_V with t' = 1 and z', or TR_INPUT_VIRTUAL with
// all else at rest).
trStatus tr_work_begin(trTracedWork *w, trInput velocity);

trStatus tr_work_put(trTracedWork *w, int node);
trStatus tr_work_put_all(trTracedWork *w, int count, const int *node, int *first);

// A side of one row with room for its nodes, one per velocity of a body.
trStatus tr_work_add_side(trTracedWork *w, int row, int body);

// w->input: those that the node depends on.
trStatus tr_work_list_inputs(trTracedWork *w, int node);
trStatus tr_work_depends_on(trTracedWork *w, int node, trInput kind, bool *out);
// Bodies by whose inputs of this kind the node changes join w->near; `from` is who asks.
trStatus tr_work_note_near(trTracedWork *w, int node, trInput kind, int from);
// d(node) by the inputs of this kind of all near bodies, body after body, in `out`.
trStatus tr_work_derive(trTracedWork *w, int node, trInput kind, int *out);

static inline int tr_work_zero(trTracedWork *w) {
    return tr_tape_constant(w->tape, 0.0);
}

// M, Q, z', energy of a system of the user's own (traced_general.c).
trStatus tr_work_general(trTracedWork *w);

// Second derivatives, after the sides of all rows are known (traced_tangent.c).
trStatus tr_traced_tangent(trTracedWork *w);

// A program whose inputs stand where evaluations put them.
trStatus tr_traced_program(const trTracedWork *w, int outputs, const int *node, trProgram *out);

#endif
