// SPDX-License-Identifier: MIT
// What a system tells in the user's terms: sizes, names, body frames, reactions.

#include <math.h>

#include "system/system.h"

int tr_system_nq(const trSystem *s) {
    return s->nq;
}

int tr_system_nv(const trSystem *s) {
    return s->nv;
}

int tr_system_m(const trSystem *s) {
    return s->m;
}

const char *tr_system_name(const trSystem *s) {
    return s->name;
}

int tr_system_bodies(const trSystem *s) {
    return s->bodies;
}

int tr_system_joints(const trSystem *s) {
    return s->joints;
}

static bool is_body(const trSystem *s, int body) {
    return body >= 0 && body < s->bodies;
}

const char *tr_system_body_name(const trSystem *s, int body) {
    const char *other = body == TR_GROUND ? "ground" : NULL;
    return is_body(s, body) ? s->body[body].name : other;
}

const char *tr_system_joint_name(const trSystem *s, int joint) {
    return joint >= 0 && joint < s->joints ? s->joint[joint].name : NULL;
}

// The frame's origin stands at r - R com.
trBodyState tr_body_frame(const trBody *body, const double *q, const double *v) {
    trVec2 arm = tr_rotate2(cos(q[2]), sin(q[2]), body->com);
    return (trBodyState){.x = q[0] - arm.x,
                         .y = q[1] - arm.y,
                         .angle = q[2],
                         .vx = v[0] + v[2] * arm.y,
                         .vy = v[1] - v[2] * arm.x,
                         .omega = v[2]};
}

// a - alpha x arm + omega^2 arm, with arm = R com.
void tr_body_frame_acceleration(const trBody *body, const double *q, const double *v,
                                const double *a, double out[3]) {
    trVec2 arm = tr_rotate2(cos(q[2]), sin(q[2]), body->com);
    out[0] = a[0] + a[2] * arm.y + v[2] * v[2] * arm.x;
    out[1] = a[1] - a[2] * arm.x + v[2] * v[2] * arm.y;
    out[2] = a[2];
}

trBodyState tr_system_body_state(const trSystem *s, int body, const double *q, const double *v) {
    if (!is_body(s, body)) {
        return (trBodyState){0};
    }
    return tr_body_frame(&s->body[body], q + 3 * (size_t)body, v + 3 * (size_t)body);
}

// -J' lambda of one side: force and moment at the center of mass.
static trLoad2 load_at_center(const double *J, int rows, const double *lambda) {
    trLoad2 load = {0};
    for (int i = 0; i < rows; i++) {
        load.fx -= J[3 * i] * lambda[i];
        load.fy -= J[3 * i + 1] * lambda[i];
        load.moment -= J[3 * i + 2] * lambda[i];
    }
    return load;
}

trLoad2 tr_system_reaction(const trEval *e, int j, int side, const double *lambda, trVec2 *point) {
    const trSystem  *s = e->system;
    const trJoint   *joint = &s->joint[j];
    const trMotion2 *m1 = &e->motion[joint->body1 + 1], *m2 = &e->motion[joint->body2 + 1];
    const double    *part = lambda + s->pattern.group_row[j];
    int              start = side == 1 ? s->side1[j] : s->side2[j];
    double           sign = 1.0;
    const trMotion2 *m = side == 1 ? m1 : m2;
    if (start < 0) {  // ground bears the opposite of the other side
        start = side == 1 ? s->side2[j] : s->side1[j];
        m = side == 1 ? m2 : m1;
        sign = -1.0;
    }
    trLoad2 load = load_at_center(e->value + start, joint->kind->rows, part);
    *point = joint->kind->reaction_point(joint->params, m1, m2);
    // M about P = M about the center - (P - r) x F
    trVec2 arm = tr_sub2(*point, m->r), force = {load.fx, load.fy};
    return (trLoad2){.fx = sign * load.fx,
                     .fy = sign * load.fy,
                     .moment = sign * (load.moment - tr_cross2(arm, force))};
}
