// SPDX-License-Identifier: MIT
// The contract between mechanics and methods: the equations of motion at one instant.
//
//     M a + A' lambda = Q        A v = b1        A a = b        phi = 0 (holonomic rows)
//
// A has a fixed pattern. Its rows come in groups (one per joint), each group touches a few column
// ranges (one per body), and each such *side* is a small dense block, stored row after row.

#ifndef TR_SYSTEM_EQUATIONS_H
#define TR_SYSTEM_EQUATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// M: diagonal (bodies, whose velocities belong to centers of mass), or dense (quaternion
// coordinates, systems of the user's own). Exactly one pointer is set.
typedef struct trMass {
    int           n;
    const double *diagonal;  // n
    const double *dense;     // n x n, symmetric
} trMass;

typedef struct trRows {
    int           m, n;         // rows, columns
    int           groups;       // of rows
    const int    *group_row;    // groups + 1: first row of each group
    const int    *group_side;   // groups + 1: first side of each group
    const int    *side_column;  // sides: first column
    const int    *side_width;   // sides: columns
    const int    *side_value;   // sides: where its block starts in `value`
    const double *value;        // blocks, rows-of-group x width each, row after row
} trRows;

#define TR_MEASURE_ANGLE 0

// C of constraints that are not ideal is part of Q, unless it depends on lambda: then it is added
// by sim/nonideal.c.
typedef struct trEquations {
    int           nv, m;           // velocities; constraint rows
    trMass        M;               // positive semidefinite
    trRows        A;               // m x nv
    const double *Q;               // nv
    const double *b, *b1;          // m; acceleration and velocity level
    const double *phi;             // m; zero in nonholonomic rows
    const bool   *holonomic;       // m
    bool          nonlinear;       // A and b1 depend on v: A v - b1 is linear in v near v only
    const double *row_size;        // m: phi changes by this for a change of 1; NULL: 1
    const int    *measure;         // nv: equal numbers, equal units; 0: angles; NULL: one unit
    const double *row_scale;       // m: running maximum of sqrt(A M^-1 A')_ii over accepted states
    const bool   *spare;           // m: others imply these rows and are kept instead; NULL: none
    double        rank_tolerance;  // on A; squared on pivots of A M^-1 A'
    int64_t       stamp;           // equal stamps mean equal M, A and spare; 0: not known
} trEquations;

// What rank_tolerance may be. It is squared on pivots, which rounding leaves at about 1e-14 of
// their nominal size; beyond the upper bound rows at an angle of several degrees would count as
// one.
#define TR_RANK_TOLERANCE_MIN 1e-6
#define TR_RANK_TOLERANCE_MAX 0.1

// Whether some rows hold velocities alone.
static inline bool tr_has_velocity_rows(const trEquations *e) {
    bool any = false;
    for (int i = 0; e->holonomic != NULL && i < e->m; i++) {
        any |= !e->holonomic[i];
    }
    return any;
}

int    tr_rows_values(const trRows *A);                                // in its blocks
void   tr_rows_mul(const trRows *A, const double *x, double *y);       // y = A x
void   tr_rows_tmul_sub(const trRows *A, const double *x, double *y);  // y = y - A' x
void   tr_rows_dense(const trRows *A, double *dense);                  // m x n, column by column
double tr_mass_form(const trMass *M, const double *x);                 // x' M x
void   tr_mass_mul(const trMass *M, const double *x, double *y);       // y = M x

#endif
