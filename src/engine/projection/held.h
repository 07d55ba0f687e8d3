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

struct trPickKind {
    const trBasisKind *basis;    // NULL: that of the option
    bool               by_mass;  // whatever the basis is
    double             angle;    // by which the masses of angles are multiplied in T
    // At an accepted state, with its free motions in set->found: whether B may stay. NULL: never.
    trStatus (*fits)(trHeld *h, const trHeldSet *set, bool *fits);
};

struct trHeld {
    int               n, m;
    const trPickKind *kind;
    trBasisMaker      maker;
    trHeldSet         set[2];  // of velocities; of positions, where they differ
    int               sets;
    bool              extracts;     // B has unit rows
    bool              by_mass;      // the basis is one of velocities times T, else of velocities
    double           *mass;         // n: nominal
    double           *root;         // n: T
    double           *A;            // m x n: A T^-1, rows divided by their nominal norms
    double           *independent;  // m x n: those rows that are, others zero
    double           *norm;         // m: largest norms of rows of A T^-1 at accepted states
    double           *right;        // m
    int              *best;         // n: memory of partition
    double           *B;            // n x n: B T^-1, rows of length one
    double           *C, *square;   // n x n: memory
    double           *memory;       // 5 n
    trComplement      c;
    int               lost_row;  // a dependent one, of the last step that could not be made, or -1
    int64_t           renewals;  // so far
};

// `options` are those of the projection, trBasisOptions or NULL.
trStatus tr_held_plan(trArena *arena, const trEquations *e, const trPickKind *kind,
                      const void *options, trHeld **out);
// The state of `e` was accepted.
trStatus tr_held_renew(trHeld *h, const trEquations *e);
// A step = right; for positions in holonomic rows only.
trStatus tr_held_step(trHeld *h, const trEquations *e, bool positions, const double *right,
                      double *step);

#endif
