// SPDX-License-Identifier: MIT
// The blocks of the parts of the tangent and their numbers: body by body, joint by joint, force by
// force.

#include <string.h>

#include "system/tangent_parts.h"

// Against 1, or the row's own pivot if that is less: what a row changes by its own scaled
// multiplier. The pivot of a row that became dependent is then this and not rounding, which is a
// thousand times smaller.
#define NEXT_TO_NOTHING 1e-12

double *tr_put_block(trTangent *t, trPartBlock block, int stride, const double *from) {
    const int columns = block.columns == 0 ? 1 : block.columns;
    double   *to = t->value != NULL ? t->value + t->at : NULL;
    block.value = t->at;
    t->at += block.rows * columns;
    if (to == NULL && block.rows > 0) {
        if (t->block != NULL) {
            t->block[t->blocks] = block;
        }
        t->blocks++;
    }
    for (int i = 0; to != NULL && from != NULL && i < block.rows; i++) {
        for (int j = 0; j < columns; j++) {
            to[i * columns + j] = from[i * stride + j];
        }
    }
    return to;
}

void tr_put_pair_block(trTangent *t, trPart part, const trEval *e, const int body[2], int stride,
                       const double *K, const double *D) {
    const int nv = t->system->space->nv;
    double    wide[TR_WIDEST * TR_WIDEST];
    if (e != NULL && t->system->space->widen != NULL) {
        tr_quaternion_widen(e, body, stride, K, D, wide);
        K = wide;
        stride = nv;
    }
    tr_put_block(t, tr_part_block(part, nv * body[0], nv * body[1], nv, nv), stride, K);
}

// Of n bodies, those that are not ground.
static void put_pairs(trTangent *t, trPart part, const trEval *e, int n, const int *body,
                      const double *K, const double *D) {
    const int width = t->width;
    for (int k = 0; k < n * n; k++) {
        const int pair[2] = {body[k / n], body[k % n]};
        const int from = n * width * width * (k / n) + width * (k % n);
        if (pair[0] != TR_GROUND && pair[1] != TR_GROUND) {
            tr_put_pair_block(t, part, e, pair, n * width, K + from, D == NULL ? NULL : D + from);
        }
    }
}

void tr_tangent_chain(const trTangent *t, const trTangentState *state, int body, int rows,
                      int stride, double *B) {
    const trSpace *space = t->system->space;
    if (state != NULL && state->x != NULL && space->chain != NULL) {
        space->chain(state->x + space->nv * body, rows, stride, B);
    }
}

// --- rows ---

static void put_transposed(trTangent *t, trPart part, const trEval *e, const trRowBlock *b) {
    const int         nv = t->system->space->nv;
    const trPartBlock block = tr_part_block(part, nv * b->body, b->row, nv, b->rows);
    double           *to = tr_put_block(t, block, 0, NULL);
    for (int k = 0; e != NULL && to != NULL && k < nv * b->rows; k++) {
        to[k] = t->scale[b->group] * e->value[b->value + k % b->rows * nv + k / b->rows];
    }
}

// N by the rate of A along the motion:
//     d(A v - b1)/dq = A' + W x A        the second in columns of rotations by W alone
static void put_rates(trTangent *t, const trEval *e, const trTangentState *state,
                      const trRowBlock *b) {
    const trSpace    *space = t->system->space;
    const int         nv = space->nv;
    const trPartBlock block = tr_part_block(TR_PART_N, b->row, nv * b->body, b->rows, nv);
    double           *N = tr_put_block(t, block, 0, NULL);
    if (e == NULL || N == NULL) {
        return;
    }
    if (state->ahead == NULL) {
        memset(N, 0, (size_t)(b->rows * nv) * sizeof *N);
        return;
    }
    const double *now = e->value + b->value, *W = state->v + nv * b->body + 3;
    for (int i = 0; i < b->rows * nv; i++) {
        N[i] = (state->ahead->value[b->value + i] - now[i]) / state->ahead_by;
    }
    for (int i = 0; space->chain != NULL && i < b->rows; i++) {
        const double *A = now + i * nv + 3;
        N[i * nv + 3] += W[1] * A[2] - W[2] * A[1];
        N[i * nv + 4] += W[2] * A[0] - W[0] * A[2];
        N[i * nv + 5] += W[0] * A[1] - W[1] * A[0];
    }
}

static double *put_side(trTangent *t, trPart part, const trEval *e, const trRowBlock *b) {
    const int         nv = t->system->space->nv;
    const trPartBlock block = tr_part_block(part, b->row, nv * b->body, b->rows, nv);
    return tr_put_block(t, block, nv, e != NULL ? e->value + b->value : NULL);
}

void tr_put_rows(trTangent *t, const trEval *e, const trTangentState *state, const trRowBlock *b) {
    const trSpace *space = t->system->space;
    put_side(t, TR_PART_A, e, b);
    if (space->chain == NULL) {  // T = 1: V is A
        t->at -= b->rows * space->nv;
    }
    tr_tangent_chain(t, state, b->body, b->rows, space->nv, put_side(t, TR_PART_V, e, b));
    put_rates(t, e, state, b);
    put_transposed(t, TR_PART_AT, e, b);
}

void tr_put_velocity_rows(trTangent *t, const trEval *e, const trTangentState *state,
                          const trRowBlock *b) {
    double *V = put_side(t, TR_PART_V_VEL, e, b);
    tr_tangent_chain(t, state, b->body, b->rows, t->system->space->nv, V);
    put_transposed(t, TR_PART_AT_VEL, e, b);
}

// --- bodies, joints, forces ---

// M, D = [W]x J - [J W]x of W x J W, and half of -[W]x S. T^-1 mixes rotations alone.
static void put_spatial(trTangent *t, int i, const trTangentState *state) {
    static const trPart parts[3] = {TR_PART_M, TR_PART_D, TR_PART_SPIN};
    const int           nv = t->system->space->nv, row = nv * i, turn = row + 3;
    const double       *J = t->system->mass + turn;
    double              B[3][3][6] = {{{0.0}}};  // chain works on columns 3 to 5
    for (int k = 0; state != NULL && k < 3; k++) {
        const int     y = (k + 1) % 3, z = (k + 2) % 3;
        const double *W = state->v + turn, S = tr_tangent_weight(t)[turn + k];
        B[0][k][3 + k] = J[k];
        B[1][k][3 + y] = (J[z] - J[y]) * W[z];
        B[1][k][3 + z] = (J[z] - J[y]) * W[y];
        B[2][k][3 + y] = 0.5 * (S * W[z]);
        B[2][k][3 + z] = 0.5 * (-S * W[y]);
    }
    tr_put_block(t, tr_part_block(TR_PART_M, row, row, 3, 0), 1, t->system->mass + row);
    for (int k = 0; k < 3; k++) {
        if (parts[k] != TR_PART_SPIN) {
            tr_tangent_chain(t, state, i, 3, 6, B[k][0]);
        }
        tr_put_block(t, tr_part_block(parts[k], turn, turn, 3, 3), 6, B[k][0] + 3);
    }
}

static void put_body(trTangent *t, const trEval *e, int i, const trTangentState *state) {
    const trSystem *s = t->system;
    const int       nv = s->space->nv;
    if (s->space->widen != NULL) {
        tr_quaternion_put(t, e, state, i);
    } else if (s->space->dim == 3) {
        put_spatial(t, i, state);
    } else if (!s->dense) {
        tr_put_block(t, tr_part_block(TR_PART_M, nv * i, nv * i, nv, 0), 1, s->mass + nv * i);
    }
}

// N of one body, in columns of it; `stride`: of all bodies of the joint.
static void put_velocity_changes(trTangent *t, const trEval *e, const trRowBlock *b, int stride,
                                 const double *N) {
    const int         nv = t->system->space->nv;
    const trPartBlock block = tr_part_block(TR_PART_N_VEL, b->row, nv * b->body, b->rows, nv);
    double            wide[TR_JOINT_ROWS * TR_WIDEST];
    if (e != NULL && t->system->space->widen != NULL) {
        tr_quaternion_widen_rows(e, b->body, b->rows, stride, N, e->value + b->value, wide);
        N = wide;
        stride = nv;
    }
    tr_put_block(t, block, stride, N);
}

static void put_boxes(trTangent *t, const trEval *e, int j) {
    const trJoint   *joint = &t->system->joint[j];
    const trPartBox *box = &t->box[t->first_box[j]];
    const int       *body = joint->body;
    const int        n = joint->bodies, width = t->width, stride = n * width;
    if (t->system->space->widen != NULL) {
        put_pairs(t, TR_PART_K, e, n, body, t->K, NULL);
        return;
    }
    for (int k = 0; k < n * n; k++) {
        const int row = body[k / n], column = body[k % n];
        if (row != TR_GROUND && column != TR_GROUND) {
            const trPartBlock block =
                tr_part_block(TR_PART_K, width * row + box[k].row, width * column + box[k].column,
                              box[k].rows, box[k].columns);
            tr_put_block(t, block, stride,
                         t->K + (k / n * width + box[k].row) * stride + k % n * width +
                             box[k].column);
        }
    }
}

// Rows of positions stand before those of velocities.
static void put_joint(trTangent *t, const trEval *e, int j, const trTangentState *state) {
    const trSystem *s = t->system;
    const trJoint  *joint = &s->joint[j];
    const int      *body = joint->body, *side = s->side[j];
    const int       nv = s->space->nv, row = s->pattern.group_row[j];
    const int       slow = joint->kind->nonholonomic, fast = joint->kind->rows - slow;
    double          N[TR_JOINT_ROWS * TR_JOINT_BODIES * 6] = {0.0};
    if (e != NULL) {
        tr_joint_tangent(t, e, j, state->lambda);
    }
    if (e != NULL && slow > 0) {
        tr_rate_tangent(e, j, N);
    }
    put_boxes(t, e, j);
    for (int k = 0; k < joint->bodies; k++) {
        const trRowBlock rows = {j, body[k], row, fast, side[k]};
        const trRowBlock rates = {j, body[k], row + fast, slow, side[k] + fast * nv};
        if (body[k] != TR_GROUND && fast > 0) {
            tr_put_rows(t, e, state, &rows);
        }
        if (body[k] != TR_GROUND && slow > 0) {
            tr_put_velocity_rows(t, e, state, &rates);
            put_velocity_changes(t, e, &rates, joint->bodies * t->width, N + t->width * k);
        }
    }
}

static void put_force(trTangent *t, const trEval *e, int i, const trTangentState *state) {
    const trForce *force = &t->system->force[i];
    const int     *body = NULL;
    int            pair[2], count = tr_force_bodies(force, &body, pair);
    int            width = t->width, side = width * count;
    if (force->kind == &tr_traced_force) {  // recorded
        return;
    }
    if (e != NULL) {
        tr_force_tangent(t, e, i, count);
    }
    put_pairs(t, TR_PART_K, e, count, body, t->K, t->D);
    for (int k = 0; k < count; k++) {
        if (body[k] != TR_GROUND) {
            tr_tangent_chain(t, state, body[k], side, side, t->D + width * k);
        }
    }
    put_pairs(t, TR_PART_D, e, count, body, t->D, NULL);
}

// --- diagonals ---

// The mean of those that have inertia stands for those that have none, apart for motions along axes
// and rotations.
static void put_weights(trTangent *t, const trEval *e) {
    const trSystem *s = t->system;
    double         *S = t->value + t->diagonal_value, mean[2] = {0.0, 0.0};
    int             count[2] = {0, 0};
    for (int i = 0; i < s->nv; i++) {
        bool turns = tr_space_turns(s->space, i % s->space->nv);
        S[i] = s->dense ? e->M[(ptrdiff_t)i * (s->nv + 1)] : s->mass[i];
        mean[turns] += S[i];
        count[turns] += S[i] > 0.0;
    }
    for (int i = 0; i < s->nv; i++) {
        bool turns = tr_space_turns(s->space, i % s->space->nv);
        if (!(S[i] > 0.0)) {
            S[i] = count[turns] > 0 ? mean[turns] / count[turns] : 1.0;
        }
    }
}

// (A S^-1 A')_ii of the rows of a group, scaled: 1 for lengths, but next to nothing for angles
// where bodies are large.
static void put_pivots(const trTangent *t, const trEval *e, int group, double *pivot) {
    const trRows *A = &e->equations.A;
    const double *S = tr_tangent_weight(t);
    for (int i = A->group_row[group]; i < A->group_row[group + 1]; i++) {
        pivot[i] = 0.0;
        for (int k = A->group_side[group]; k < A->group_side[group + 1]; k++) {
            int           width = A->side_width[k], row = i - A->group_row[group];
            const double *entry = e->value + A->side_value[k] + (ptrdiff_t)row * width;
            for (int c = 0; c < width; c++) {
                pivot[i] += t->scale[group] * entry[c] * entry[c] / S[A->side_column[k] + c];
            }
        }
    }
}

static void put_diagonals(trTangent *t, const trEval *e) {
    const trSystem *s = t->system;
    double         *E = t->value + t->diagonal_value + s->nv, *E_pos = E + s->m;
    for (int group = 0; group < s->pattern.groups; group++) {
        put_pivots(t, e, group, E);
    }
    for (int i = 0; i < s->m; i++) {
        double pivot = E[i] > 0.0 && E[i] < 1.0 ? E[i] : 1.0;
        E[i] = t->left_out[i] ? -1.0 : -NEXT_TO_NOTHING * pivot;
        E_pos[i] = s->holonomic[i] ? E[i] : -1.0;
    }
    for (int i = 0; i < s->states; i++) {
        E_pos[s->m + i] = 1.0;
    }
}

// Rows that are left out neither hold nor push.
static void clear_left_out(trTangent *t) {
    for (int b = 0; b < t->blocks; b++) {
        const trPartBlock *block = &t->block[b];
        bool               by_row = block->part == TR_PART_A || block->part == TR_PART_V ||
                      block->part == TR_PART_N || block->part == TR_PART_V_VEL ||
                      block->part == TR_PART_N_VEL;
        bool by_column =
            block->part == TR_PART_AT || block->part == TR_PART_AT_VEL || block->part == TR_PART_C;
        for (int i = 0; (by_row || by_column) && i < block->rows * block->columns; i++) {
            int row = 0, column = 0;
            tr_part_entry(block, i, &row, &column);
            if (t->left_out[by_row ? row : column]) {
                t->value[block->value + i] = 0.0;
            }
        }
    }
}

void tr_tangent_walk(trTangent *t, const trEval *e, const trTangentState *state) {
    const trSystem *s = t->system;
    t->at = 0;
    for (int i = 0; i < s->bodies; i++) {
        put_body(t, e, i, state);
    }
    for (int j = 0; j < s->joints; j++) {
        put_joint(t, e, j, state);
    }
    for (int i = 0; i < s->varying; i++) {
        put_force(t, e, i, state);
    }
    if (s->traced != NULL) {
        tr_recorded_put(t, e, state);
    }
    t->diagonal_value = t->at;
    tr_put_block(t, tr_part_block(TR_PART_S, 0, 0, s->nv, 0), 0, NULL);
    tr_put_block(t, tr_part_block(TR_PART_E, 0, 0, s->m, 0), 0, NULL);
    tr_put_block(t, tr_part_block(TR_PART_E_POS, 0, 0, s->m, 0), 0, NULL);
    tr_put_block(t, tr_part_block(TR_PART_ONE_Z, 0, 0, s->states, 0), 0, NULL);
}

void tr_tangent_evaluate(trTangent *t, const trEval *e, const trTangentState *state) {
    const trSystem *s = t->system;
    put_weights(t, e);
    if (s->space->widen != NULL) {
        tr_quaternion_begin(t, e, state);
    }
    tr_tangent_walk(t, e, state);
    put_diagonals(t, e);
    tr_swing_note(t, e);
    for (int i = 0; i < s->m; i++) {
        if (t->left_out[i]) {
            clear_left_out(t);
            break;
        }
    }
}
