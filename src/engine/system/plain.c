// SPDX-License-Identifier: MIT
// Coordinates of a user's own: every one is a body of the system with one number, v = q'. Masses,
// forces and constraints are recorded (traced.h); nothing here knows what a coordinate means.

#include "system/system.h"

static void start(const trBody *body, double *q) {
    q[0] = body->at.x;
}

static void start_velocity(const trBody *body, const double *q, double *v) {
    (void)q;
    v[0] = body->velocity.x;
}

static trBodyState state(const trBody *body, const double *q, const double *v) {
    (void)body;
    return (trBodyState){.x = q[0], .quaternion = {1.0, 0.0, 0.0, 0.0}, .vx = v[0]};
}

static trAcceleration acceleration(const trBody *body, const double *q, const double *v,
                                   const double *a) {
    (void)body;
    (void)q;
    (void)v;
    return (trAcceleration){.origin = {a[0], 0.0, 0.0}};
}

static void retract(const double *dv, double *q) {
    q[0] += dv[0];
}

static void difference(const double *q1, const double *q0, double *dv) {
    dv[0] = q1[0] - q0[0];
}

static void move(const trSystem *system, const double *q, const double *v, trEval *eval) {
    (void)system;
    (void)q;
    (void)v;
    (void)eval;
}

const trSpace tr_space_plain = {
    .name = "plain",
    .dim = 0,
    .nq = 1,
    .nv = 1,
    .start = start,
    .start_velocity = start_velocity,
    .state = state,
    .acceleration = acceleration,
    .retract = retract,
    .difference = difference,
    .move = move,
};
