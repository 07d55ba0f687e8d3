// SPDX-License-Identifier: MIT
// What users recorded, compiled: one program for everything that an evaluation needs.
//
// With D the rate along the motion at zero acceleration (q' from v, v' = 0, t' = 1), a row of A and
// its right sides are
//
//     phi(q, t) = 0       A = d(D phi)/dv      b1 = -phi_t        b = -D D phi
//     psi(q, v, t) = 0    A = d psi/dv         b1 = A v - psi     b = -D psi
//
// so that A v - b1 is the rate of phi, or psi itself, and A a - b the rate of that.

#ifndef TR_SYSTEM_TRACED_H
#define TR_SYSTEM_TRACED_H

#include "model/traced.h"
#include "system/newton_matrix.h"
#include "tape/program.h"

// Recorded rows of one constraint that depend on the same bodies: a group of A.
typedef struct trTracedGroup {
    int constraint;
    int row, rows;  // among the recorded ones; at most TR_JOINT_ROWS
    int side, sides;
} trTracedGroup;

// One block of a group: entries of A for one body. Of N in tangents a single row.
typedef struct trTracedSide {
    int  row;  // its first, among the recorded ones
    int  rows;
    int  body;  // a coordinate, in a system of the user's own
    int *node;  // rows x velocities of the body
} trTracedSide;

// A place in M whose mirror image was recorded differently.
typedef struct trTracedPair {
    int i, j;
} trTracedPair;

// A block of the tangent: how residuals of body i change with body j.
typedef struct trTracedBlock {
    int i, j;
} trTracedBlock;

// One number of a part that changes with multipliers or further states, or says how these change.
typedef struct trTracedEntry {
    trPart part;
    int    row, column;  // in the part; multipliers are counted among the recorded ones
} trTracedEntry;

// For implicit methods, with r = A' lambda + M a - Q - C of what was recorded, and q moved by dq in
// the directions of v:
//
//     K = dr/dq at constant a        D = dr/dv        N = d psi/dq
typedef struct trTracedTangent {
    trProgram            program;
    int                  blocks;
    const trTracedBlock *block;
    // outputs: for every block K, then D, width x width each, row after row; then N; then entries
    int                  sides;  // of N
    const trTracedSide  *side;
    int                  entries;
    const trTracedEntry *entry;
    int                  a;  // where accelerations start among the inputs
    int                  inputs;
} trTracedTangent;

typedef struct trTracedSystem {
    trProgram            program;
    trTracedTangent      tangent;
    trProgram            energy_slope;   // dE/dv, one output per coordinate; none without energy
    trProgram            nonideal;       // C if it depends on lambda: one output per coordinate
    bool                 reactive;       // there is such a C
    bool                 nonlinear;      // some A depends on v
    int                  nonlinear_row;  // the first such row, among recorded ones
    int                  q, v, z, u, lambda, inputs;  // where they start among the inputs; how many
    int                  width;                       // velocities of a body, as recorded
    int                  rows;
    int                  groups;
    const trTracedGroup *group;  // groups
    int                  sides;
    const trTracedSide  *side;  // sides, group after group
    // first outputs:
    int                 phi, b1, b;     // rows each; phi is psi in nonholonomic rows
    int                 A;              // of every side rows x width, one after the other
    int                 M;              // n x n, column after column; -1: constant and diagonal
    int                 Q;              // n, with C if that does not depend on lambda; -1: bodies
    int                 C;              // n: that C alone; -1: there is none
    int                 rate, states;   // z'
    int                 energy;         // E and its rate D E; -1: not given
    int                 inertia_power;  // n: v_i (dM/dt v)_i / 2 [W]; -1: M is constant
    int                 force, forces;  // 14 each: loads on bodies 1 and 2, potential, its own rate
    int                 pairs;
    const trTracedPair *pair;
    const double       *diagonal;  // n: M, if it is constant and diagonal
    const trGeneral    *general;   // of the model: where its functions stand; NULL: bodies
    int                 breaks;
    const double       *break_time;  // breaks: when a function changes its formula, in no order [s]
} trTracedSystem;

#define TR_TRACED_LOADS 14

// Where an input of the tape stands in the vector that programs read.
int tr_traced_place(const trTracedSystem *t, int number);

// Derives and compiles. Sides and sizes are known then, and A can be laid out.
trStatus tr_traced_compile(const trModel *model, trArena *arena, trTracedSystem *out);

#endif
