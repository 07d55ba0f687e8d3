// SPDX-License-Identifier: MIT
// What the files of the tangent share.

#ifndef TR_SYSTEM_TANGENT_PARTS_H
#define TR_SYSTEM_TANGENT_PARTS_H

#include "system/functions.h"
#include "system/tangent.h"

#define TR_WIDEST 7  // velocities of a body, in any space

static inline trPartBlock tr_part_block(trPart part, int row, int column, int rows, int columns) {
    return (trPartBlock){part, row, column, rows, columns, 0};
}

// The walk through all blocks, body by body, joint by joint, force by force. It is taken twice to
// plan a tangent, to count and to list the blocks, and once for each evaluation, to fill them.
// While a tangent is planned, `e` and `state` are NULL, and numbers are not looked at.

// The next block: `from`, where it is not NULL, becomes its numbers; `stride` from row to row.
// Returns where they are; NULL while the tangent is planned. Blocks without rows are passed over.
double *tr_put_block(trTangent *t, trPartBlock block, int stride, const double *from);
// Of one body by another, width x width: K, with D (or NULL) the change by velocities, which change
// with positions where v = q' of quaternions.
void tr_put_pair_block(trTangent *t, trPart part, const trEval *e, const int body[2], int stride,
                       const double *K, const double *D);
// Some rows of A for one body.
typedef struct trRowBlock {
    int group;  // of A
    int body;
    int row, rows;  // of A
    int value;      // where they start among the values of A
} trRowBlock;

// Rows of positions: A, V, N and AT. Where T = 1, V is A and has no numbers of its own.
void tr_put_rows(trTangent *t, const trEval *e, const trTangentState *state, const trRowBlock *b);
// Rows of velocities: V_VEL and AT_VEL.
void tr_put_velocity_rows(trTangent *t, const trEval *e, const trTangentState *state,
                          const trRowBlock *b);
// All of it (tangent.c).
void tr_tangent_walk(trTangent *t, const trEval *e, const trTangentState *state);
// B (rows x nv) becomes B T^-1.
void tr_tangent_chain(const trTangent *t, const trTangentState *state, int body, int rows,
                      int stride, double *B);

// --- zeros (tangent_zeros.c) ---

// Boxes of K of a joint, one for each pair of its bodies.
void tr_find_boxes(const trSystem *s, int joint, trPartBox *box);

// --- recorded equations (tangent_recorded.c) ---

trStatus tr_recorded_plan(trArena *arena, const trSystem *s, trTangent *t);
void     tr_recorded_put(trTangent *t, const trEval *e, const trTangentState *state);

// --- v = q' of quaternions (tangent_quaternion.c) ---

void tr_quaternion_begin(trTangent *t, const trEval *e, const trTangentState *state);
void tr_quaternion_put(trTangent *t, const trEval *e, const trTangentState *state, int body);
// A block K (6 x 6) for (v, W), with D (or NULL) the change by (v, W), becomes 7 x 7.
void tr_quaternion_widen(const trEval *e, const int body[2], int stride, const double *K,
                         const double *D, double *wide);
// The change of rows by (v, W), N (rows x 6), becomes rows x 7; J (rows x 7): of A, or NULL.
void tr_quaternion_widen_rows(const trEval *e, int body, int rows, int stride, const double *N,
                              const double *J, double *wide);

// --- joints and forces (tangent_differences.c) ---

// t->K becomes d(J' lambda)/dq; N (nonholonomic x width of all bodies) d(J v - b1)/dq.
void tr_joint_tangent(trTangent *t, const trEval *e, int joint, const double *lambda);
void tr_rate_tangent(const trEval *e, int joint, double *N);
// t->K becomes -dQ/dq, t->D -dQ/dv.
void tr_force_tangent(trTangent *t, const trEval *e, int force, int bodies);

#endif
