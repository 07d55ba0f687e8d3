// SPDX-License-Identifier: MIT
// Momentum balance of every spatial body, from recorded columns alone. With r = R com,
//
//     v_com = v + omega x r,    a_com = a + alpha x r + omega x (omega x r)
//     d(J omega)/dt = J alpha + omega x (J omega),    J in principal axes: R J R'

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/balance.h"
#include "support/test.h"

static const trVec3 none = {0.0, 0.0, 0.0};

// The sum of all loads on one body, at its center of mass.
typedef struct Sum {
    trVec3  force, moment;
    Balance balance;
} Sum;

static void add(Sum *sum, trVec3 force, trVec3 moment, trVec3 arm) {
    Balance *b = &sum->balance;
    trVec3   turned = tr_cross3(arm, force);
    double   size = tr_length3(force), own = tr_length3(moment);
    sum->force = tr_add3(sum->force, force);
    sum->moment = tr_add3(sum->moment, tr_add3(moment, turned));
    b->largest_force = fmax(b->largest_force, size);
    b->largest_moment = fmax(b->largest_moment, fmax(own, tr_length3(turned)));
    b->largest_reach = fmax(b->largest_reach, fmax(own, size * tr_length3(arm)));
}

trMotion3 balance_motion3(const Run *run, long row, int body) {
    if (body == TR_GROUND) {
        return (trMotion3){.u = {1.0, 0.0, 0.0, 0.0}, .R = tr_identity3()};
    }
    const trBody   *b = &run->system->body[body];
    const trPlace3 *place = &b->spatial.place;
    trQuat          frame = run_turn(run, row, b->name);
    trVec3          arm = tr_quat_rotate(frame, place->com);
    trMotion3       m = {.u = tr_quat_mul(frame, place->principal)};
    m.R = tr_quat_matrix(m.u);
    m.w = run_vector(run, row, b->name, "w");
    m.r = tr_add3(run_vector(run, row, b->name, ""), arm);
    m.v = tr_add3(run_vector(run, row, b->name, "v"), tr_cross3(m.w, arm));
    return m;
}

// J a for a vector a in world axes.
static trVec3 times_inertia(const trBody *body, const trMotion3 *m, trVec3 a) {
    trVec3 J = body->spatial.place.inertia, A = tr_unrotate3(&m->R, a);
    return tr_rotate3(&m->R, (trVec3){J.x * A.x, J.y * A.y, J.z * A.z});
}

// Subtracts m a and both parts of d(J omega)/dt and keeps what is left.
static void subtract_inertia(const Run *run, long row, const trBody *body, const trMotion3 *m,
                             Sum *sum) {
    trVec3 arm = tr_quat_rotate(run_turn(run, row, body->name), body->spatial.place.com);
    trVec3 alpha = run_vector(run, row, body->name, "alpha");
    trVec3 a = run_vector(run, row, body->name, "a");
    a = tr_add3(a, tr_cross3(alpha, arm));
    a = tr_add3(a, tr_cross3(m->w, tr_cross3(m->w, arm)));
    trVec3 gyro = tr_cross3(m->w, times_inertia(body, m, m->w));
    add(sum, tr_scale3(-body->mass, a), tr_scale3(-1.0, times_inertia(body, m, alpha)), none);
    add(sum, none, tr_scale3(-1.0, gyro), none);
    sum->balance.force = tr_length3(sum->force);
    sum->balance.moment = tr_length3(sum->moment);
}

// The recorded reaction acts on body 2 at the joint's point, or, in the axes of the frame that the
// joint reports in, at that frame's origin; its opposite there on body 1. Not so for gears.
static void add_reaction(const Run *run, long row, const trJoint *joint, const trMotion3 *m1,
                         const trMotion3 *m2, Sum *sum) {
    trVec3 point =
        tr_joint_reaction_point3(joint->kind, joint->params, (const trMotion3 *const[]){m1, m2});
    trVec3 force = run_vector(run, row, joint->name, "F");
    trVec3 moment = run_vector(run, row, joint->name, "M");
    if (joint->report >= 0) {
        const char *frame = run->system->frame[joint->report].name;
        trQuat      turn = run_turn(run, row, frame);
        point = run_vector(run, row, frame, "");
        force = tr_quat_rotate(turn, force);
        moment = tr_quat_rotate(turn, moment);
    }
    if (joint->body1 != TR_GROUND) {
        add(&sum[joint->body1], tr_scale3(-1.0, force), tr_scale3(-1.0, moment),
            tr_sub3(point, m1->r));
    }
    if (joint->body2 != TR_GROUND) {
        add(&sum[joint->body2], force, moment, tr_sub3(point, m2->r));
    }
}

// Forces that count turns cannot be made from one row, but for bushings, of less than half a turn.
static void add_force(double t, const trForce *force, const trMotion3 *m1, const trMotion3 *m2,
                      Sum *sum) {
    const double near[TR_JOINT_TURNS] = {0.0};
    double       turn[TR_JOINT_TURNS];
    trForceOut   out = {.near = near, .turn = turn};
    assert_true(force->kind->turns == 0 || strcmp(force->kind->name, "bushing") == 0);
    force->kind->eval3(force->params, t, m1, m2, &out);
    if (force->body1 != TR_GROUND) {
        add(&sum[force->body1], out.at1.force, out.at1.moment, none);
    }
    if (force->body2 != TR_GROUND) {
        add(&sum[force->body2], out.at2.force, out.at2.moment, none);
    }
}

void balance_row3(const Run *run, long row, Balance *out) {
    const trSystem *system = run->system;
    size_t          bodies = (size_t)system->bodies;
    trMotion3      *motion = calloc(bodies + 1, sizeof *motion);  // body i stands at i + 1
    Sum            *sum = calloc(bodies + 1, sizeof *sum);
    if (motion == NULL || sum == NULL) {
        abort();
    }
    for (int i = TR_GROUND; i < system->bodies; i++) {
        motion[i + 1] = balance_motion3(run, row, i);
    }
    for (int j = 0; j < system->joints; j++) {
        const trJoint *joint = &system->joint[j];
        add_reaction(run, row, joint, &motion[joint->body1 + 1], &motion[joint->body2 + 1], sum);
    }
    for (int k = 0; k < system->forces; k++) {
        const trForce *force = &system->force[k];
        add_force(run_value(run, row, "t"), force, &motion[force->body1 + 1],
                  &motion[force->body2 + 1], sum);
    }
    for (int i = 0; i < system->bodies; i++) {
        subtract_inertia(run, row, &system->body[i], &motion[i + 1], &sum[i]);
        out[i] = sum[i].balance;
    }
    free(sum);
    free(motion);
}
