// SPDX-License-Identifier: MIT
// The parts of the tangent body by body, joint by joint, force by force.

#include "system/tangent_parts.h"

#include <math.h>

#define NEXT_TO_NOTHING 1e-12  // against 1, what a row changes by its own scaled multiplier

void tr_list_block(trBlockList *list, trPart part, int row, int rows, int column, int columns) {
    if (rows == 0) {
        return;
    }
    if (list->block != NULL) {
        list->block[list->count] = (trPartBlock){part, row, column, rows, columns, list->values};
    }
    list->count++;
    list->values += columns == 0 ? rows : rows * columns;
}

void tr_list_diagonal(trBlockList *list, trPart part, int n) {
    tr_list_block(list, part, 0, n, 0, 0);
}

// Between the bodies of a pair, those that are not ground.
static void list_pair(trBlockList *list, trPart part, int nv, int body1, int body2) {
    const int body[2] = {body1, body2};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            if (body[i] != TR_GROUND && body[j] != TR_GROUND) {
                tr_list_block(list, part, nv * body[i], nv, nv * body[j], nv);
            }
        }
    }
}

// Rows of positions stand before those of velocities.
static void list_joint(trBlockList *list, const trSystem *s, int j) {
    const trJoint *joint = &s->joint[j];
    const int      body[2] = {joint->body1, joint->body2};
    int            nv = s->space->nv, row = s->pattern.group_row[j];
    int            slow = joint->kind->nonholonomic, fast = joint->kind->rows - slow;
    list_pair(list, TR_PART_K, nv, body[0], body[1]);
    for (int k = 0; k < 2; k++) {
        int column = nv * body[k];
        if (body[k] == TR_GROUND) {
            continue;
        }
        tr_list_block(list, TR_PART_A, row, fast, column, nv);
        tr_list_block(list, TR_PART_V, row, fast, column, nv);
        tr_list_block(list, TR_PART_N, row, fast, column, nv);
        tr_list_block(list, TR_PART_V_VEL, row + fast, slow, column, nv);
        tr_list_block(list, TR_PART_N_VEL, row + fast, slow, column, nv);
        if (fast > 0) {
            tr_list_block(list, TR_PART_AT, column, nv, row, fast);
        }
        if (slow > 0) {
            tr_list_block(list, TR_PART_AT_VEL, column, nv, row + fast, slow);
        }
    }
}

static void list_body(trBlockList *list, const trSystem *s, int i) {
    int nv = s->space->nv, row = nv * i;
    if (!s->dense) {
        tr_list_block(list, TR_PART_M, row, nv, row, nv);
    }
    if (s->space->dim == 3) {
        tr_list_block(list, TR_PART_D, row, nv, row, nv);
        tr_list_block(list, TR_PART_SPIN, row + 3, 3, row + 3, 3);
    }
}

static void list_blocks(trTangent *t, int *body, int *joint, int *force, trBlockList *list) {
    const trSystem *s = t->system;
    int             nv = s->space->nv;
    list->count = list->values = 0;
    for (int i = 0; i < s->bodies; i++) {
        body[i] = list->values;
        list_body(list, s, i);
    }
    for (int j = 0; j < s->joints; j++) {
        joint[j] = list->values;
        list_joint(list, s, j);
    }
    for (int i = 0; i < s->varying; i++) {
        force[i] = list->values;
        if (s->force[i].kind != &tr_traced_force) {
            list_pair(list, TR_PART_K, nv, s->force[i].body1, s->force[i].body2);
            list_pair(list, TR_PART_D, nv, s->force[i].body1, s->force[i].body2);
        }
    }
    t->recorded_value = list->values;
    tr_recorded_list(s, t, list);
    t->diagonal_value = list->values;
    tr_list_diagonal(list, TR_PART_S, s->nv);
    tr_list_diagonal(list, TR_PART_E, s->m);
    tr_list_diagonal(list, TR_PART_E_POS, s->m);
}

static void refuse_without_tangent(const char *kind) {
    tr_fail(TR_E_UNSUPPORTED,
            "its kind '%s' has no tangent, which implicit integrators need; take dop853", kind);
}

static trStatus check_kinds(const trSystem *s) {
    if (s->space->widen != NULL) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "implicit integrators need coordinates = \"body\", not \"%s\"",
                       s->space->name);
    }
    if (s->states > 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "state '%s': implicit integrators have no further states; take dop853",
                       s->state_name[0]);
    }
    if (s->traced != NULL && s->traced->nonideal.outputs > 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "nonideal: implicit integrators have ideal constraints only; take dop853");
    }
    for (int j = 0; j < s->joints; j++) {
        const trJointKind *kind = s->joint[j].kind;
        bool               planar = kind->dim == 2;
        bool               rate = kind->nonholonomic == 0 ||
                    (planar ? kind->rate_tangent != NULL : kind->rate_tangent3 != NULL);
        if (!rate || (planar ? kind->tangent == NULL : kind->tangent3 == NULL)) {
            refuse_without_tangent(kind->name);
            return tr_blame_joint(TR_E_UNSUPPORTED, &s->joint[j]);
        }
    }
    for (int i = 0; i < s->varying; i++) {
        const trForceKind *kind = s->force[i].kind;
        if (kind == &tr_traced_force) {
            continue;
        }
        if (kind->dim == 2 ? kind->tangent == NULL : kind->tangent3 == NULL) {
            refuse_without_tangent(kind->name);
            return tr_blame_force(TR_E_UNSUPPORTED, &s->force[i]);
        }
    }
    return TR_OK;
}

// The mass that two points of the bodies have against each other, 1 / (1/m1 + 1/m2). One without
// mass is passed over; where there is none at all, any number serves.
static void find_scales(const trSystem *s, double *scale) {
    for (int j = 0; j < s->joints; j++) {
        const int body[2] = {s->joint[j].body1, s->joint[j].body2};
        double    sum = 0.0;
        for (int k = 0; k < 2; k++) {
            double mass = body[k] == TR_GROUND ? 0.0 : s->body[body[k]].mass;
            sum += mass > 0.0 ? 1.0 / mass : 0.0;
        }
        scale[j] = sum > 0.0 && isfinite(sum) ? 1.0 / sum : 1.0;
    }
}

trStatus tr_tangent_plan(trArena *arena, const trSystem *s, trTangent *out) {
    *out = (trTangent){.system = s};
    TR_TRY(check_kinds(s));
    int  nv = s->space->nv;
    int *body = tr_new_array(arena, int, s->bodies);
    int *joint = tr_new_array(arena, int, s->joints);
    int *force = tr_new_array(arena, int, s->varying);
    out->K = tr_new_array(arena, double, 4 * nv * nv);
    out->D = tr_new_array(arena, double, 4 * nv * nv);
    out->rows = tr_new_array(arena, double, TR_JOINT_ROWS * 2 * nv);
    out->scale = tr_new_array(arena, double, s->pattern.groups);
    out->left_out = tr_new_array(arena, bool, s->m);
    TR_TRY(tr_recorded_plan(arena, s, out));
    TR_TRY(tr_arena_status(arena));
    find_scales(s, out->scale);
    trBlockList list = {0};
    list_blocks(out, body, joint, force, &list);
    list.block = tr_new_array(arena, trPartBlock, list.count);
    out->value = tr_new_array(arena, double, list.values);
    TR_TRY(tr_arena_status(arena));
    list_blocks(out, body, joint, force, &list);
    out->blocks = list.count;
    out->block = list.block;
    out->body_value = body;
    out->joint_value = joint;
    out->force_value = force;
    return TR_OK;
}

int tr_put_block(trTangent *t, int at, int rows, int columns, int stride, const double *block) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            t->value[at++] = block[i * stride + j];
        }
    }
    return at;
}

int tr_put_transposed(trTangent *t, int at, int rows, int columns, double scale,
                      const double *block) {
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++) {
            t->value[at++] = scale * block[i * columns + j];
        }
    }
    return at;
}

int tr_put_rates(trTangent *t, int at, const trEval *e, const trTangentState *state, int value,
                 int rows, int body) {
    const trSpace *space = t->system->space;
    int            nv = space->nv;
    const double  *now = e->value + value, *W = state->v + nv * body + 3;
    for (int i = 0; i < rows * nv; i++) {
        t->value[at + i] = state->ahead == NULL
                               ? 0.0
                               : (state->ahead->value[value + i] - now[i]) / state->ahead_by;
    }
    for (int i = 0; state->ahead != NULL && space->dim == 3 && i < rows; i++) {
        const double *A = now + i * nv + 3;
        double       *N = t->value + at + i * nv + 3;
        N[0] += W[1] * A[2] - W[2] * A[1];
        N[1] += W[2] * A[0] - W[0] * A[2];
        N[2] += W[0] * A[1] - W[1] * A[0];
    }
    return at + rows * nv;
}

static int put_pair(trTangent *t, int at, const int body[2], const double *pair) {
    int nv = t->system->space->nv;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            if (body[i] != TR_GROUND && body[j] != TR_GROUND) {
                at = tr_put_block(t, at, nv, nv, 2 * nv, pair + 2 * nv * nv * i + nv * j);
            }
        }
    }
    return at;
}

static void clear_pair(trTangent *t) {
    int nv = t->system->space->nv;
    for (int i = 0; i < 4 * nv * nv; i++) {
        t->K[i] = t->D[i] = 0.0;
    }
}

// B T^-1
static void chain(const trTangent *t, const trTangentState *state, int body, int rows, int stride,
                  double *B) {
    const trSpace *space = t->system->space;
    if (state->x != NULL && space->chain != NULL) {
        space->chain(state->x + space->nv * body, rows, stride, B);
    }
}

// M, and D = [W]x J - [J W]x of W x J W.
static void put_body(trTangent *t, int i, const trTangentState *state) {
    const trSystem *s = t->system;
    int             nv = s->space->nv, at = t->body_value[i];
    const double   *mass = s->mass + nv * i;
    if (!s->dense) {
        for (int k = 0; k < nv * nv; k++) {
            t->D[k] = k % (nv + 1) == 0 ? mass[k / (nv + 1)] : 0.0;
        }
        chain(t, state, i, nv, nv, t->D);
        at = tr_put_block(t, at, nv, nv, nv, t->D);
    }
    if (s->space->dim == 3) {
        const double *W = state->v + nv * i + 3, *J = mass + 3;
        const double  D[3][3] = {{0.0, (J[2] - J[1]) * W[2], (J[2] - J[1]) * W[1]},
                                 {(J[0] - J[2]) * W[2], 0.0, (J[0] - J[2]) * W[0]},
                                 {(J[1] - J[0]) * W[1], (J[1] - J[0]) * W[0], 0.0}};
        for (int k = 0; k < nv * nv; k++) {
            t->D[k] = k / nv >= 3 && k % nv >= 3 ? D[k / nv - 3][k % nv - 3] : 0.0;
        }
        chain(t, state, i, nv, nv, t->D);
        at = tr_put_block(t, at, nv, nv, nv, t->D);
        const double *S = tr_tangent_weight(t) + nv * i + 3;
        const double  spin[9] = {0.0,         S[0] * W[2], -S[0] * W[1], -S[1] * W[2], 0.0,
                                 S[1] * W[0], S[2] * W[1], -S[2] * W[0], 0.0};
        for (int k = 0; k < 9; k++) {
            t->value[at + k] = 0.5 * spin[k];
        }
    }
}

static void joint_tangents(trTangent *t, const trEval *e, int j, const double *lambda, double *N) {
    const trJoint *joint = &t->system->joint[j];
    const double  *part = lambda + t->system->pattern.group_row[j];
    int            one = joint->body1 + 1, two = joint->body2 + 1;
    if (e->motion2 != NULL) {
        const trMotion2 *m1 = &e->motion2[one], *m2 = &e->motion2[two];
        joint->kind->tangent(joint->params, e->t, m1, m2, part, t->K);
        if (joint->kind->nonholonomic > 0) {
            joint->kind->rate_tangent(joint->params, e->t, m1, m2, N);
        }
        return;
    }
    const trMotion3 *m1 = &e->motion3[one], *m2 = &e->motion3[two];
    joint->kind->tangent3(joint->params, e->t, m1, m2, part, t->K);
    if (joint->kind->nonholonomic > 0) {
        joint->kind->rate_tangent3(joint->params, e->t, m1, m2, N);
    }
}

static void put_joint(trTangent *t, const trEval *e, int j, const trTangentState *state) {
    const trSystem *s = t->system;
    const trJoint  *joint = &s->joint[j];
    const int       body[2] = {joint->body1, joint->body2};
    int             nv = s->space->nv, slow = joint->kind->nonholonomic;
    int             fast = joint->kind->rows - slow;
    double          N[TR_JOINT_ROWS * 2 * 6] = {0.0};
    clear_pair(t);
    joint_tangents(t, e, j, state->lambda, N);
    int at = put_pair(t, t->joint_value[j], body, t->K);
    for (int k = 0; k < 2; k++) {
        if (body[k] == TR_GROUND) {
            continue;
        }
        int           value = k == 0 ? s->side1[j] : s->side2[j];
        const double *J = e->value + value, *slow_rows = J + fast * nv;
        for (int i = 0; i < joint->kind->rows * nv; i++) {
            t->rows[i] = J[i];
        }
        chain(t, state, body[k], joint->kind->rows, nv, t->rows);
        at = tr_put_block(t, at, fast, nv, nv, J);
        at = tr_put_block(t, at, fast, nv, nv, t->rows);
        at = tr_put_rates(t, at, e, state, value, fast, body[k]);
        at = tr_put_block(t, at, slow, nv, nv, t->rows + fast * nv);
        at = tr_put_block(t, at, slow, nv, 2 * nv, N + nv * k);
        at = tr_put_transposed(t, at, fast, nv, t->scale[j], J);
        at = tr_put_transposed(t, at, slow, nv, t->scale[j], slow_rows);
    }
}

static void put_force(trTangent *t, const trEval *e, int i, const trTangentState *state) {
    const trSystem *s = t->system;
    const trForce  *force = &s->force[i];
    const int       body[2] = {force->body1, force->body2};
    int             nv = s->space->nv, one = body[0] + 1, two = body[1] + 1;
    trForceTangent  out = {.K = t->K, .D = t->D, .near = e->near + s->force_turn[i]};
    clear_pair(t);
    if (e->motion2 != NULL) {
        force->kind->tangent(force->params, e->t, &e->motion2[one], &e->motion2[two], &out);
    } else {
        force->kind->tangent3(force->params, e->t, &e->motion3[one], &e->motion3[two], &out);
    }
    for (int k = 0; k < 2; k++) {
        if (body[k] != TR_GROUND) {
            chain(t, state, body[k], 2 * nv, 2 * nv, t->D + nv * k);
        }
    }
    put_pair(t, put_pair(t, t->force_value[i], body, t->K), body, t->D);
}

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

static void put_diagonals(trTangent *t) {
    const trSystem *s = t->system;
    double         *E = t->value + t->diagonal_value + s->nv, *E_pos = E + s->m;
    for (int i = 0; i < s->m; i++) {
        E[i] = t->left_out[i] ? -1.0 : -NEXT_TO_NOTHING;
        E_pos[i] = s->holonomic[i] ? E[i] : -1.0;
    }
}

// Rows that are left out neither hold nor push.
static void clear_left_out(trTangent *t) {
    for (int b = 0; b < t->blocks; b++) {
        const trPartBlock *block = &t->block[b];
        bool               by_row = block->part == TR_PART_A || block->part == TR_PART_V ||
                      block->part == TR_PART_N || block->part == TR_PART_V_VEL ||
                      block->part == TR_PART_N_VEL;
        bool by_column = block->part == TR_PART_AT || block->part == TR_PART_AT_VEL;
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
    for (int i = 0; i < s->bodies; i++) {
        put_body(t, i, state);
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
    put_diagonals(t);
    for (int i = 0; i < s->m; i++) {
        if (t->left_out[i]) {
            clear_left_out(t);
            break;
        }
    }
}
