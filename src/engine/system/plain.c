// SPDX-License-Identifier: MIT
// Coordinates of a user's own: every one is a body of the system with one number, v = q'. Masses,
// forces and constraints are recorded (traced.h); nothing here knows what a coordinate means.

#include "system/system.h"

static void start(const trBody *body, double *q) {
    q[0] = body->at.x;
}

static void start_velocity(const trBody *body, const double *q, double *v) {
    v[0] = body->velocity.x;
}

const trSpace tr_space_plain = {
    .name = "plain",
    .dim = 0,
    .nq = 1,
    .nv = 1,
    .q_name = {""},
    .v_name = {""},
    .start = start,
    .start_velocity = start_velocity,
};
