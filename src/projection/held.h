// SPDX-License-Identifier: MIT
// Steps that leave some combinations of velocities as they are: rows B, chosen at accepted states
// and held in between,
//
//     [A_r; B] step = [right_r; 0]
//
// Positions answer to holonomic rows alone, velocities to all: where there are others, each has its
// own B.

#ifndef TR_PROJECTION_HELD_H
#define TR_PROJECTION_HELD_H

#include "basis/basis.h"
#include "basis/complement.h"
#include "projection/projection.h"

// Rows B for one set of constraint rows.
typedef struct trHeldSet {
    bool    holonomic_only;
    bool    chosen;    // there is a B
    trBasis held;      // B, and the free motions where it was chosen
    trBasis found;     // memory of the choice
    int     lost_row;  // one that was dependent where B was chosen, or -1
    double influence;  // of partition: largest entry of free motions where B was chosen, at least 1
} trHeldSet;

typedef struct trHeld {
    int                n, m;
    const trBasisKind *kind;
    void              *basis_work;
    trHeldSet          set[2];  // of velocities; of positions, where they differ
    int                sets;
    double            *A;            // m x n: rows divided by their nominal norms
    double            *independent;  // m x n: those rows that are, others zero
    double            *norm;         // m: largest norms of rows at accepted states, W = I
    double            *right;        // m
    double            *C, *square;   // n x n: memory of frozen
    double            *memory;       // 5 n
    trComplement       c;
    int                lost_row;  // of the last step that could not be made
    int64_t            renewals;
} trHeld;

// `fallback` is the basis where the user names none. TR_E_ARGUMENT for an unknown name.
trStatus tr_held_plan(trArena *arena, const trEquations *e, const char *basis, const char *fallback,
                      trHeld *out);
// Nominal norms grow to those of `e`: at accepted states.
void tr_held_note_norms(trHeld *h, const trEquations *e);
// Fills h->A for this set of rows and finds their rank.
trStatus tr_held_rows(trHeld *h, const trHeldSet *set, const trEquations *e);
// A basis of the motions that the rows in h->A leave free.
trStatus tr_held_basis(trHeld *h, const trBasis *previous, trBasis *out);
// B of this set anew, from the rows in h->A.
trStatus tr_held_choose(trHeld *h, trHeldSet *set);

// The same for every kind that holds rows (trPickKind); `work` is a trHeld.
trStatus tr_held_step(void *work, const trEquations *e, bool positions, const double *right,
                      double *step);
int      tr_held_lost_row(const void *work);
int64_t  tr_held_renewals(const void *work);

#endif
