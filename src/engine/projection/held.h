// SPDX-License-Identifier: MIT
// Steps that leave some combinations of velocities as they are: rows B, chosen at accepted states
// and held in between,
//
//     [A_r; B] step = [right_r; 0]
//
// Positions answer to holonomic rows alone, velocities to all: where there are others, each has its
// own B. Rows are compared in the metric T^2 of nominal masses (formulation/row_weights.h), so that
// rank does not depend on units. Neither does B where it is chosen in that metric:
//
//     extracts    unit rows of independent coordinates (coordinates.h)
//     by_mass     Gamma' T^2, with Gamma' T^2 Gamma = I
//
// In T angles have several times their inertia. The place of a link has turning points, next to
// which it is a bad parameter of the motion; its angle has none.

#ifndef TR_PROJECTION_HELD_H
#define TR_PROJECTION_HELD_H

#include "basis/basis.h"
#include "basis/complement.h"
#include "projection/projection.h"

// Rows B for one set of constraint rows.
typedef struct trHeldSet {
    bool    holonomic_only;
    bool    chosen;      // there is a B
    trBasis held;        // B, and the free motions where it was chosen
    trBasis found;       // memory of the choice
    int    *coordinate;  // n: of extraction, those whose unit rows B has
    int     lost_row;    // one that was dependent where B was chosen, or -1
} trHeldSet;

typedef struct trHeld {
    int                n, m;
    const trBasisKind *kind;
    void              *basis_work;
    trHeldSet          set[2];  // of velocities; of positions, where they differ
    int                sets;
    bool               extracts;     // B has unit rows
    bool               by_mass;      // the basis is one of velocities times T, else of velocities
    double             angle;        // by which the masses of angles are multiplied in T
    double            *mass;         // n: nominal
    double            *root;         // n: T
    double            *A;            // m x n: A T^-1, rows divided by their nominal norms
    double            *independent;  // m x n: those rows that are, others zero
    double            *norm;         // m: largest norms of rows of A T^-1 at accepted states
    double            *right;        // m
    int               *best;         // n: memory of partition
    double            *B;            // n x n: B T^-1, rows of length one
    double            *C, *square;   // n x n: memory
    double            *memory;       // 5 n
    trComplement       c;
    int                lost_row;  // of the last step that could not be made
    int64_t            renewals;
} trHeld;

trStatus tr_held_plan(trArena *arena, const trEquations *e, const trBasisKind *basis, trHeld *out);
// Nominal norms grow to those of `e`: at accepted states.
void tr_held_note_norms(trHeld *h, const trEquations *e);
// Fills h->A for this set of rows and finds their rank.
trStatus tr_held_rows(trHeld *h, const trHeldSet *set, const trEquations *e);
// A basis of the motions that the rows in h->A leave free; of T v where it is by mass.
trStatus tr_held_basis(trHeld *h, const trBasis *previous, trBasis *out);
// B of this set anew, from the rows in h->A.
trStatus tr_held_choose(trHeld *h, trHeldSet *set);

// The same for every kind that holds rows (trPickKind); `work` is a trHeld.
trStatus tr_held_step(void *work, const trEquations *e, bool positions, const double *right,
                      double *step);
int      tr_held_lost_row(const void *work);
int64_t  tr_held_renewals(const void *work);

#endif
