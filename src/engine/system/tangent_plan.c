// SPDX-License-Identifier: MIT
// Memory of a tangent.

#include <math.h>

#include "base/keep.h"
#include "system/tangent_parts.h"

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
    tr_tangent_walk(out, NULL, NULL);
    out->block = tr_new_array(arena, trPartBlock, out->blocks);
    TR_TRY(tr_arena_status(arena));
    out->blocks = 0;
    tr_tangent_walk(out, NULL, NULL);
    out->value = tr_new_array(arena, double, out->at);
    tr_keep_int(arena, &out->leader, -1, s->bodies - 1);
    return tr_arena_status(arena);
}
