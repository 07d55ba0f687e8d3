// SPDX-License-Identifier: MIT
// How the equations change with positions, velocities and multipliers: the parts of which matrices
// of Newton's method are made (newton_matrix.h), with exact derivatives of every joint, force and
// recorded function. A kind of joint or force without tangents of its own is differentiated by
// central differences, right to about 1e-9 of its size: Newton's method needs no more.
//
// Where an integrator moves by q = q0 (+) x and its velocities and accelerations change with x, the
// change of x is T^-1 dq: M, D and rows of velocities are then multiplied by T^-1 from the right.

#ifndef TR_SYSTEM_TANGENT_H
#define TR_SYSTEM_TANGENT_H

#include "system/newton_matrix.h"
#include "system/system.h"

// A dense block of a part, row after row, or numbers on a diagonal.
typedef struct trPartBlock {
    trPart part;
    int    row, column;    // of its first entry in the part
    int    rows, columns;  // columns = 0: a diagonal of `rows` entries
    int    value;          // where its numbers start
} trPartBlock;

static inline int tr_part_entries(const trPartBlock *b) {
    return b->columns == 0 ? b->rows : b->rows * b->columns;
}

// Where entry i stands in the part.
static inline void tr_part_entry(const trPartBlock *b, int i, int *row, int *column) {
    *row = b->row + (b->columns == 0 ? i : i / b->columns);
    *column = b->column + (b->columns == 0 ? i : i % b->columns);
}

// Which rows and columns of a block are not always zero.
typedef struct trPartBox {
    int row, rows, column, columns;  // rows = 0: none
} trPartBox;

struct trTangent {
    const trSystem  *system;
    int              width;  // velocities of a body as joints and forces know them
    int              blocks;
    trPartBlock     *block;
    double          *value;      // of the blocks
    int              at;         // where those of the next block start, on a walk
    const int       *first_box;  // joints
    const trPartBox *box;        // of K by each pair of a joint's bodies: 1 1, 1 2, ..., 2 1, ...
    int              diagonal_value;  // of S, E and the like
    double          *slot, *input;    // of recorded tangents
    double          *K, *D;           // of the bodies of one joint or force
    double          *rows;            // TR_JOINT_ROWS x nv
    double          *load;            // nv: Q - A' lambda; of quaternion coordinates alone
    double          *scale;           // groups: of multipliers [kg]
    bool            *left_out;        // m: rows that others imply; set by the caller
    int              leader;          // a body that most others turn with; -1: none
    double          *pose;            // 4 bodies: orientations where the parts were made
    double          *A;               // values of A there
};

// Where the parts are made.
typedef struct trTangentState {
    const double *v, *a;   // nv
    const double *lambda;  // m
    const double *x;       // nv, as above; NULL: T = 1
    // The equations a little later along the motion, at (t + ahead_by, q (+) ahead_by v): for
    // TR_PART_N, which is zero without.
    const trEval *ahead;
    double        ahead_by;  // [s]
} trTangentState;

trStatus tr_tangent_plan(trArena *arena, const trSystem *system, trTangent *out);

// Values of all parts at what was evaluated last.
void tr_tangent_evaluate(trTangent *t, const trEval *eval, const trTangentState *state);

// How far the mechanism has turned since the parts were made, at what was evaluated last.
void tr_swing_evaluate(const trTangent *t, const trEval *eval, trSwing *out);
// For that: notes where it stands, and who leads.
void tr_swing_note(trTangent *t, const trEval *eval);

#endif
