// SPDX-License-Identifier: MIT
// The numbers of the parts of the tangent, in the order in which tangent_plan.c lists them.

#include <string.h>

#include "system/tangent_parts.h"

// Against 1, or the row's own pivot if that is less: what a row changes by its own scaled
// multiplier. The pivot of a row that became dependent is then this and not rounding, which is a
// thousand times smaller.
#define NEXT_TO_NOTHING 1e-12

int tr_put_block(trTangent *t, int at, int rows, int columns, int stride, const double *block) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            t->value[at++] = block[i * stride + j];
        }
    }
    return at;
}

int tr_put_pair_block(trTangent *t, int at, const trEval *e, const int body[2], int stride,
                      const double *K, const double *D) {
    int    nv = t->system->space->nv;
    double wide[TR_WIDEST * TR_WIDEST];
    if (t->system->space->widen == NULL) {
        return tr_put_block(t, at, nv, nv, stride, K);
    }
    tr_quaternion_widen(e, body, stride, K, D, wide);
    return tr_put_block(t, at, nv, nv, nv, wide);
}

// Of n bodies.
static int put_pairs(trTangent *t, int at, const trEval *e, int n, const int *body, const double *K,
                     const double *D) {
    int width = t->width;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const int pair[2] = {body[i], body[j]};
            int       from = n * width * width * i + width * j;
            if (pair[0] != TR_GROUND && pair[1] != TR_GROUND) {
                at = tr_put_pair_block(t, at, e, pair, n * width, K + from,
                                       D == NULL ? NULL : D + from);
            }
        }
    }
    return at;
}

void tr_tangent_chain(const trTangent *t, const trTangentState *state, int body, int rows,
                      int stride, double *B) {
    const trSpace *space = t->system->space;
    if (state->x != NULL && space->chain != NULL) {
        space->chain(state->x + space->nv * body, rows, stride, B);
    }
}

// --- rows ---

static int put_transposed(trTangent *t, int at, const trEval *e, const trRowBlock *b) {
    int           columns = t->system->space->nv;
    const double *J = e->value + b->value;
    double        scale = t->scale[b->group];
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < b->rows; i++) {
            t->value[at++] = scale * J[i * columns + j];
        }
    }
    return at;
}

// N by the rate of A along the motion:
//     d(A v - b1)/dq = A' + W x A        the second in columns of rotations by W alone
static int put_rates(trTangent *t, int at, const trEval *e, const trTangentState *state,
                     const trRowBlock *b) {
    const trSpace *space = t->system->space;
    int            nv = space->nv;
    const double  *now = e->value + b->value, *W = state->v + nv * b->body + 3;
    double        *N = t->value + at;
    if (state->ahead == NULL) {
        memset(N, 0, (size_t)(b->rows * nv) * sizeof *N);
        return at + b->rows * nv;
    }
    for (int i = 0; i < b->rows * nv; i++) {
        N[i] = (state->ahead->value[b->value + i] - now[i]) / state->ahead_by;
    }
    for (int i = 0; space->chain != NULL && i < b->rows; i++) {
        const double *A = now + i * nv + 3;
        N[i * nv + 3] += W[1] * A[2] - W[2] * A[1];
        N[i * nv + 4] += W[2] * A[0] - W[0] * A[2];
        N[i * nv + 5] += W[0] * A[1] - W[1] * A[0];
    }
    return at + b->rows * nv;
}

// B T^-1, or B where T = 1.
static int put_chained(trTangent *t, int at, const trEval *e, const trTangentState *state,
                       const trRowBlock *b) {
    int nv = t->system->space->nv, end = tr_put_block(t, at, b->rows, nv, nv, e->value + b->value);
    tr_tangent_chain(t, state, b->body, b->rows, nv, t->value + at);
    return end;
}

int tr_put_rows(trTangent *t, int at, const trEval *e, const trTangentState *state,
                const trRowBlock *b) {
    const trSpace *space = t->system->space;
    at = tr_put_block(t, at, b->rows, space->nv, space->nv, e->value + b->value);
    if (space->chain != NULL) {
        at = put_chained(t, at, e, state, b);
    }
    return put_transposed(t, put_rates(t, at, e, state, b), e, b);
}

int tr_put_velocity_rows(trTangent *t, int at, const trEval *e, const trTangentState *state,
                         const trRowBlock *b) {
    return put_transposed(t, put_chained(t, at, e, state, b), e, b);
}

// --- bodies, joints, forces ---

// M, and D = [W]x J - [J W]x of W x J W.
static void put_spatial(trTangent *t, int i, const trTangentState *state) {
    int           nv = t->system->space->nv, at = t->body_value[i] + 3;
    const double *mass = t->system->mass + nv * i, *J = mass + 3, *W = state->v + nv * i + 3;
    const double *S = tr_tangent_weight(t) + nv * i + 3;
    double        B[2][3][6] = {
               // chain works on columns 3 to 5
        {{0.0, 0.0, 0.0, J[0]}, {0.0, 0.0, 0.0, 0.0, J[1]}, {0.0, 0.0, 0.0, 0.0, 0.0, J[2]}},
        {{0.0, 0.0, 0.0, 0.0, (J[2] - J[1]) * W[2], (J[2] - J[1]) * W[1]},
                {0.0, 0.0, 0.0, (J[0] - J[2]) * W[2], 0.0, (J[0] - J[2]) * W[0]},
                {0.0, 0.0, 0.0, (J[1] - J[0]) * W[1], (J[1] - J[0]) * W[0], 0.0}}};
    const double spin[9] = {0.0,         S[0] * W[2], -S[0] * W[1], -S[1] * W[2], 0.0,
                            S[1] * W[0], S[2] * W[1], -S[2] * W[0], 0.0};
    memcpy(t->value + at - 3, mass, 3 * sizeof *mass);
    for (int k = 0; k < 2; k++) {
        tr_tangent_chain(t, state, i, 3, 6, B[k][0]);
        at = tr_put_block(t, at, 3, 3, 6, B[k][0] + 3);
    }
    for (int k = 0; k < 9; k++) {
        t->value[at + k] = 0.5 * spin[k];
    }
}

static void put_body(trTangent *t, const trEval *e, int i, const trTangentState *state) {
    const trSystem *s = t->system;
    int             nv = s->space->nv;
    if (s->space->widen != NULL) {
        tr_quaternion_put(t, e, state, i);
    } else if (s->space->dim == 3) {
        put_spatial(t, i, state);
    } else if (!s->dense) {
        memcpy(t->value + t->body_value[i], s->mass + nv * i, (size_t)nv * sizeof *s->mass);
    }
}

// K of d(J' lambda)/dq, by differences where the kind does not say.
static void joint_tangent(trTangent *t, const trEval *e, int j, const double *lambda) {
    const trJoint     *joint = &t->system->joint[j];
    const trJointKind *kind = joint->kind;
    const double      *part = lambda + t->system->pattern.group_row[j];
    const int          width = joint->bodies * t->width;
    const trMotions    m = tr_eval_motions(e, joint);
    memset(t->K, 0, (size_t)(width * width) * sizeof *t->K);
    if (kind->tangent != NULL) {
        kind->tangent(joint->params, m.flat, part, t->K);
    } else if (kind->tangent3 != NULL) {
        kind->tangent3(joint->params, m.solid, part, t->K);
    } else {
        tr_joint_differences(e, j, part, t->K);
    }
}

static void rate_tangent(const trEval *e, int j, double *N) {
    const trJoint     *joint = &e->system->joint[j];
    const trJointKind *kind = joint->kind;
    const trMotions    m = tr_eval_motions(e, joint);
    if (kind->rate_tangent != NULL) {
        kind->rate_tangent(joint->params, m.flat, N);
    } else if (kind->rate_tangent3 != NULL) {
        kind->rate_tangent3(joint->params, m.solid, N);
    } else {
        tr_rate_differences(e, j, N);
    }
}

// N of one body, in columns of it; `stride`: of all bodies of the joint.
static int put_velocity_changes(trTangent *t, int at, const trEval *e, const trRowBlock *b,
                                int stride, const double *N) {
    int    nv = t->system->space->nv;
    double wide[TR_JOINT_ROWS * TR_WIDEST];
    if (t->system->space->widen == NULL) {
        return tr_put_block(t, at, b->rows, nv, stride, N);
    }
    tr_quaternion_widen_rows(e, b->body, b->rows, stride, N, e->value + b->value, wide);
    return tr_put_block(t, at, b->rows, nv, nv, wide);
}

static int put_boxes(trTangent *t, int at, const trEval *e, int j) {
    const trJoint   *joint = &t->system->joint[j];
    const trPartBox *box = &t->box[t->first_box[j]];
    const int       *body = joint->body;
    const int        n = joint->bodies, width = t->width, stride = n * width;
    if (t->system->space->widen != NULL) {
        return put_pairs(t, at, e, n, body, t->K, NULL);
    }
    for (int k = 0; k < n * n; k++) {
        if (body[k / n] != TR_GROUND && body[k % n] != TR_GROUND) {
            int from = (k / n * width + box[k].row) * stride + k % n * width + box[k].column;
            at = tr_put_block(t, at, box[k].rows, box[k].columns, stride, t->K + from);
        }
    }
    return at;
}

static void put_joint(trTangent *t, const trEval *e, int j, const trTangentState *state) {
    const trSystem *s = t->system;
    const trJoint  *joint = &s->joint[j];
    const int      *body = joint->body, *side = s->side[j];
    int             nv = s->space->nv, slow = joint->kind->nonholonomic;
    int             fast = joint->kind->rows - slow;
    double          N[TR_JOINT_ROWS * TR_JOINT_BODIES * 6] = {0.0};
    joint_tangent(t, e, j, state->lambda);
    if (slow > 0) {
        rate_tangent(e, j, N);
    }
    int at = put_boxes(t, t->joint_value[j], e, j);
    for (int k = 0; k < joint->bodies; k++) {
        const trRowBlock rows = {j, body[k], fast, side[k]};
        const trRowBlock rates = {j, body[k], slow, side[k] + fast * nv};
        if (body[k] != TR_GROUND && fast > 0) {
            at = tr_put_rows(t, at, e, state, &rows);
        }
        if (body[k] != TR_GROUND && slow > 0) {
            at = tr_put_velocity_rows(t, at, e, state, &rates);
            at = put_velocity_changes(t, at, e, &rates, joint->bodies * t->width, N + t->width * k);
        }
    }
}

static void force_tangent(trTangent *t, const trEval *e, int i, int bodies) {
    const trForce     *force = &t->system->force[i];
    const trForceKind *kind = force->kind;
    int                one = force->body1 + 1, two = force->body2 + 1;
    trForceTangent     out = {.K = t->K, .D = t->D, .near = e->near + t->system->force_turn[i]};
    const size_t       side = (size_t)t->width * (size_t)bodies;
    memset(t->K, 0, side * side * sizeof *t->K);
    memset(t->D, 0, side * side * sizeof *t->D);
    if (kind == &tr_function_force) {
        tr_function_tangent(e, i, t->width, t->K, t->D);
    } else if (kind->tangent != NULL) {
        kind->tangent(force->params, e->t, &e->motion2[one], &e->motion2[two], &out);
    } else if (kind->tangent3 != NULL) {
        kind->tangent3(force->params, e->t, &e->motion3[one], &e->motion3[two], &out);
    } else {
        tr_force_differences(e, i, t->K, t->D);
    }
}

static void put_force(trTangent *t, const trEval *e, int i, const trTangentState *state) {
    const trForce *force = &t->system->force[i];
    const int     *body = NULL;
    int            pair[2], count = tr_force_bodies(force, &body, pair);
    int            width = t->width, side = width * count;
    force_tangent(t, e, i, count);
    int at = put_pairs(t, t->force_value[i], e, count, body, t->K, t->D);
    for (int k = 0; k < count; k++) {
        if (body[k] != TR_GROUND) {
            tr_tangent_chain(t, state, body[k], side, side, t->D + width * k);
        }
    }
    put_pairs(t, at, e, count, body, t->D, NULL);
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
            int row = by_row ? block->row + i / block->columns : block->column + i % block->columns;
            if (t->left_out[row]) {
                t->value[block->value + i] = 0.0;
            }
        }
    }
}

void tr_tangent_evaluate(trTangent *t, const trEval *e, const trTangentState *state) {
    const trSystem *s = t->system;
    put_weights(t, e);
    if (s->space->widen != NULL) {
        tr_quaternion_begin(t, e, state);
    }
    for (int i = 0; i < s->bodies; i++) {
        put_body(t, e, i, state);
    }
    for (int j = 0; j < s->joints; j++) {
        put_joint(t, e, j, state);
    }
    for (int i = 0; i < s->varying; i++) {
        if (s->force[i].kind != &tr_traced_force) {
            put_force(t, e, i, state);
        }
    }
    if (s->traced != NULL) {
        tr_recorded_evaluate(t, e, state);
    }
    put_diagonals(t, e);
    tr_swing_note(t, e);
    for (int i = 0; i < s->m; i++) {
        if (t->left_out[i]) {
            clear_left_out(t);
            break;
        }
    }
}
