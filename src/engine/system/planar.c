// SPDX-License-Identifier: MIT
// Planar bodies: q = (x, y, angle) and v = q' of the center of mass.

#include <math.h>

#include "base/small.h"
#include "system/system.h"

// The center of mass stands at r = at + R com and moves with v = velocity + omega x (R com).
static void start(const trBody *body, double *q) {
    trVec2 arm = tr_rotate2(cos(body->angle), sin(body->angle), body->com);
    q[0] = body->at.x + arm.x;
    q[1] = body->at.y + arm.y;
    q[2] = body->angle;
}

static void start_velocity(const trBody *body, const double *q, double *v) {
    trVec2 arm = tr_rotate2(cos(q[2]), sin(q[2]), body->com);
    v[0] = body->velocity.x - body->angular_velocity * arm.y;
    v[1] = body->velocity.y + body->angular_velocity * arm.x;
    v[2] = body->angular_velocity;
}

static void mass(const trBody *body, double *out) {
    out[0] = out[1] = body->mass;
    out[2] = body->inertia;
}

// The frame's origin stands at r - R com.
static trBodyState state(const trBody *body, const double *q, const double *v) {
    trVec2 arm = tr_rotate2(cos(q[2]), sin(q[2]), body->com);
    return (trBodyState){.x = q[0] - arm.x,
                         .y = q[1] - arm.y,
                         .angle = q[2],
                         .quaternion = {cos(0.5 * q[2]), 0.0, 0.0, sin(0.5 * q[2])},
                         .vx = v[0] + v[2] * arm.y,
                         .vy = v[1] - v[2] * arm.x,
                         .omega = v[2],
                         .wz = v[2]};
}

// a - alpha x arm + omega^2 arm, with arm = R com.
static trAcceleration acceleration(const trBody *body, const double *q, const double *v,
                                   const double *a) {
    trVec2 arm = tr_rotate2(cos(q[2]), sin(q[2]), body->com);
    double w2 = v[2] * v[2];
    return (trAcceleration){
        .origin = {a[0] + a[2] * arm.y + w2 * arm.x, a[1] - a[2] * arm.x + w2 * arm.y, 0.0},
        .angular = {0.0, 0.0, a[2]}};
}

static double kinetic(const trBody *body, const double *q, const double *v) {
    return 0.5 * (body->mass * (v[0] * v[0] + v[1] * v[1]) + body->inertia * v[2] * v[2]);
}

static void move(const trSystem *s, const double *q, const double *v, trEval *e) {
    for (int i = 0; i < s->bodies; i++) {
        trMotion2 *m = &e->motion2[i + 1];
        m->r = (trVec2){q[3 * i], q[3 * i + 1]};
        m->angle = tr_or_zero(q[3 * i + 2]);
        m->c = cos(m->angle);
        m->s = sin(m->angle);
        m->v = (trVec2){v[3 * i], v[3 * i + 1]};
        m->omega = tr_or_zero(v[3 * i + 2]);
    }
}

static void add_load(const trEval *e, int body, const trForceOut *out, int side, double *Q) {
    const trLoad2 *load = side == 1 ? &out->on1 : &out->on2;
    Q[0] += load->fx;
    Q[1] += load->fy;
    Q[2] += load->moment;
}

static trLoad3 joint_load(const trEval *e, int body, int rows, const double *J,
                          const double *lambda) {
    trLoad3 load = {0};
    for (int i = 0; i < rows; i++) {
        load.force.x -= J[3 * i] * lambda[i];
        load.force.y -= J[3 * i + 1] * lambda[i];
        load.moment.z -= J[3 * i + 2] * lambda[i];
    }
    return load;
}

const trSpace tr_space_planar = {
    .name = "planar",
    .dim = 2,
    .nq = 3,
    .nv = 3,
    .q_name = {"x", "y", "angle"},
    .v_name = {"x", "y", "angle"},
    .start = start,
    .start_velocity = start_velocity,
    .mass = mass,
    .state = state,
    .acceleration = acceleration,
    .kinetic = kinetic,
    .move = move,
    .add_load = add_load,
    .joint_load = joint_load,
};
