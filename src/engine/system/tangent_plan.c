// SPDX-License-Identifier: MIT
// Which blocks the parts of the tangent have: body by body, joint by joint, force by force.

#include <math.h>

#include "base/keep.h"
#include "system/tangent_parts.h"

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

void tr_list_diagonal(trBlockList *list, trPart part, int row, int n) {
    tr_list_block(list, part, row, n, row, 0);
}

void tr_list_rows(trBlockList *list, const trSystem *s, int row, int rows, int body) {
    int nv = s->space->nv, column = nv * body;
    if (rows == 0) {
        return;
    }
    tr_list_block(list, TR_PART_A, row, rows, column, nv);
    if (s->space->chain == NULL) {
        list->values -= rows * nv;
    }
    tr_list_block(list, TR_PART_V, row, rows, column, nv);
    tr_list_block(list, TR_PART_N, row, rows, column, nv);
    tr_list_block(list, TR_PART_AT, column, nv, row, rows);
}

void tr_list_velocity_rows(trBlockList *list, const trSystem *s, int row, int rows, int body) {
    int nv = s->space->nv, column = nv * body;
    if (rows == 0) {
        return;
    }
    tr_list_block(list, TR_PART_V_VEL, row, rows, column, nv);
    tr_list_block(list, TR_PART_AT_VEL, column, nv, row, rows);
}

// Between bodies, those that are not ground.
static void list_pairs(trBlockList *list, trPart part, int nv, int bodies, const int *body) {
    for (int i = 0; i < bodies; i++) {
        for (int j = 0; j < bodies; j++) {
            if (body[i] != TR_GROUND && body[j] != TR_GROUND) {
                tr_list_block(list, part, nv * body[i], nv, nv * body[j], nv);
            }
        }
    }
}

static void list_boxes(trBlockList *list, int nv, const trJoint *joint, const trPartBox *box) {
    const int n = joint->bodies;
    for (int k = 0; k < n * n; k++) {
        int row = joint->body[k / n], column = joint->body[k % n];
        if (row != TR_GROUND && column != TR_GROUND) {
            tr_list_block(list, TR_PART_K, nv * row + box[k].row, box[k].rows,
                          nv * column + box[k].column, box[k].columns);
        }
    }
}

// Rows of positions stand before those of velocities.
static void list_joint(trBlockList *list, const trSystem *s, int j, const trPartBox *box) {
    const trJoint *joint = &s->joint[j];
    const int     *body = joint->body;
    int            nv = s->space->nv, row = s->pattern.group_row[j];
    int            slow = joint->kind->nonholonomic, fast = joint->kind->rows - slow;
    list_boxes(list, nv, joint, box);
    for (int k = 0; k < joint->bodies; k++) {
        if (body[k] != TR_GROUND) {
            tr_list_rows(list, s, row, fast, body[k]);
            tr_list_velocity_rows(list, s, row + fast, slow, body[k]);
            tr_list_block(list, TR_PART_N_VEL, row + fast, slow, nv * body[k], nv);
        }
    }
}

// T^-1 mixes rotations alone.
static void list_body(trBlockList *list, const trSystem *s, int i) {
    int nv = s->space->nv, row = nv * i, turn = row + 3;
    if (s->space->widen != NULL) {
        tr_quaternion_list(s, i, list);
    } else if (s->space->dim == 3) {
        tr_list_diagonal(list, TR_PART_M, row, 3);
        tr_list_block(list, TR_PART_M, turn, 3, turn, 3);
        tr_list_block(list, TR_PART_D, turn, 3, turn, 3);
        tr_list_block(list, TR_PART_SPIN, turn, 3, turn, 3);
    } else if (!s->dense) {
        tr_list_diagonal(list, TR_PART_M, row, nv);
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
        list_joint(list, s, j, &t->box[t->first_box[j]]);
    }
    for (int i = 0; i < s->varying; i++) {
        force[i] = list->values;
        if (s->force[i].kind != &tr_traced_force) {
            const int *bodies = NULL;
            int        pair[2], count = tr_force_bodies(&s->force[i], &bodies, pair);
            list_pairs(list, TR_PART_K, nv, count, bodies);
            list_pairs(list, TR_PART_D, nv, count, bodies);
        }
    }
    t->recorded_value = list->values;
    tr_recorded_list(s, list);
    t->diagonal_value = list->values;
    tr_list_diagonal(list, TR_PART_S, 0, s->nv);
    tr_list_diagonal(list, TR_PART_E, 0, s->m);
    tr_list_diagonal(list, TR_PART_E_POS, 0, s->m);
    tr_list_diagonal(list, TR_PART_ONE_Z, 0, s->states);
}

// The mass that points of the bodies have against each other, 1 / (1/m1 + 1/m2 + ...). One without
// mass is passed over; where there is none at all, any number serves.
static void find_scales(const trSystem *s, double *scale) {
    for (int j = 0; j < s->joints; j++) {
        const trJoint *joint = &s->joint[j];
        double         sum = 0.0;
        for (int k = 0; k < joint->bodies; k++) {
            double mass = joint->body[k] == TR_GROUND ? 0.0 : s->body[joint->body[k]].mass;
            sum += mass > 0.0 ? 1.0 / mass : 0.0;
        }
        scale[j] = sum > 0.0 && isfinite(sum) ? 1.0 / sum : 1.0;
    }
    for (int i = 0; i < s->norms; i++) {  // the inertia that rates of a quaternion have
        trVec3 J = s->body[i].spatial.place.inertia;
        double sum = 4.0 * (J.x + J.y + J.z);
        scale[s->joints + i] = sum > 0.0 && isfinite(sum) ? sum : 1.0;
    }
}

// The boxes of all joints, and in `most` the bodies that one of them has at most.
static trStatus plan_boxes(trArena *arena, const trSystem *s, trTangent *t, int *most) {
    int *first = tr_new_array(arena, int, s->joints), count = 0;
    *most = 2;
    for (int j = 0; first != NULL && j < s->joints; j++) {
        const int bodies = s->joint[j].bodies;
        first[j] = count;
        count += bodies * bodies;
        *most = bodies > *most ? bodies : *most;
    }
    trPartBox *box = tr_new_array(arena, trPartBox, count);
    TR_TRY(tr_arena_status(arena));
    for (int j = 0; j < s->joints; j++) {
        tr_find_boxes(s, j, &box[first[j]]);
    }
    t->first_box = first;
    t->box = box;
    return TR_OK;
}

// The bodies that one force has at most, and no less than `most`.
static int most_bodies(const trSystem *s, int most) {
    for (int i = 0; i < s->varying; i++) {
        const int *body = NULL;
        int        pair[2], count = tr_force_bodies(&s->force[i], &body, pair);
        most = count > most ? count : most;
    }
    return most;
}

trStatus tr_tangent_plan(trArena *arena, const trSystem *s, trTangent *out) {
    int nv = s->space->nv, width = s->space->widen != NULL ? 6 : nv, most = 0;
    *out = (trTangent){.system = s, .width = width, .leader = -1};
    int *body = tr_new_array(arena, int, s->bodies);
    int *joint = tr_new_array(arena, int, s->joints);
    int *force = tr_new_array(arena, int, s->varying);
    TR_TRY(plan_boxes(arena, s, out, &most));
    const int side = width * most_bodies(s, most);
    out->K = tr_new_array(arena, double, (size_t)side *(size_t)side);
    out->D = tr_new_array(arena, double, (size_t)side *(size_t)side);
    out->rows = tr_new_array(arena, double, TR_JOINT_ROWS *nv);
    out->load = tr_new_array(arena, double, s->space->widen != NULL ? s->nv : 0);
    out->scale = tr_new_array(arena, double, s->pattern.groups);
    out->left_out = tr_new_array(arena, bool, s->m);
    out->pose = tr_new_array(arena, double, 4 * s->bodies);
    out->A = tr_new_array(arena, double, s->values);
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
    tr_keep_int(arena, &out->leader, -1, s->bodies - 1);
    return tr_arena_status(arena);
}
