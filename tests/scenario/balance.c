// SPDX-License-Identifier: MIT
// Momentum balance of every planar body, from recorded columns alone: motions of the centers of
// mass are made from the columns of the body frames, with r = R com,
//
//     v_com = v + omega x r,    a_com = a + alpha x r - omega^2 r

#include "scenario/balance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_MOTION ((trMotion2){.c = 1.0})

// The sum of all loads on one body, at its center of mass.
typedef struct Sum {
    trVec2  force;
    double  moment;
    Balance balance;
} Sum;

static void add(Sum *sum, trVec2 force, double moment, trVec2 arm) {
    Balance *b = &sum->balance;
    double   size = hypot(force.x, force.y), turned = tr_cross2(arm, force);
    sum->force = tr_add2(sum->force, force);
    sum->moment += moment + turned;
    b->largest_force = fmax(b->largest_force, size);
    b->largest_moment = fmax(b->largest_moment, fmax(fabs(moment), fabs(turned)));
    b->largest_reach = fmax(b->largest_reach, fmax(fabs(moment), size * hypot(arm.x, arm.y)));
}

static trMotion2 motion_of(const Run *run, long row, const trBody *body) {
    trMotion2 m = {.angle = run_part(run, row, body->name, "angle")};
    m.c = cos(m.angle);
    m.s = sin(m.angle);
    m.omega = run_part(run, row, body->name, "omega");
    trVec2 arm = tr_rotate2(m.c, m.s, body->com);
    trVec2 at = {run_part(run, row, body->name, "x"), run_part(run, row, body->name, "y")};
    trVec2 v = {run_part(run, row, body->name, "vx"), run_part(run, row, body->name, "vy")};
    m.r = tr_add2(at, arm);
    m.v = tr_add2(v, tr_scale2(m.omega, tr_perp2(arm)));
    return m;
}

// Subtracts m a and J alpha and keeps what is left.
static void subtract_inertia(const Run *run, long row, const trBody *body, const trMotion2 *m,
                             Sum *sum) {
    trVec2 arm = tr_rotate2(m->c, m->s, body->com);
    double alpha = run_part(run, row, body->name, "alpha");
    trVec2 a = {run_part(run, row, body->name, "ax"), run_part(run, row, body->name, "ay")};
    a = tr_add2(a, tr_scale2(alpha, tr_perp2(arm)));
    a = tr_sub2(a, tr_scale2(m->omega * m->omega, arm));
    add(sum, tr_scale2(-body->mass, a), -body->inertia * alpha, (trVec2){0.0, 0.0});
    sum->balance.force = hypot(sum->force.x, sum->force.y);
    sum->balance.moment = fabs(sum->moment);
}

// The recorded reaction acts on body 2 at the joint's point, its opposite there on body 1. Not so
// for gears, whose moments are not opposite: tests/sim/test_levels.c balances one.
static void add_reaction(const Run *run, long row, const trJoint *joint, const trMotion2 *m1,
                         const trMotion2 *m2, Sum *sum) {
    trVec2 point =
        tr_joint_reaction_point(joint->kind, joint->params, (const trMotion2 *const[]){m1, m2});
    trVec2 force = {run_part(run, row, joint->name, "Fx"), run_part(run, row, joint->name, "Fy")};
    double moment = run_part(run, row, joint->name, "M");
    if (joint->body1 != TR_GROUND) {
        add(&sum[joint->body1], tr_scale2(-1.0, force), -moment, tr_sub2(point, m1->r));
    }
    if (joint->body2 != TR_GROUND) {
        add(&sum[joint->body2], force, moment, tr_sub2(point, m2->r));
    }
}

static void add_force(double t, const trForce *force, const trMotion2 *m1, const trMotion2 *m2,
                      Sum *sum) {
    const trVec2 at_center = {0.0, 0.0};
    trForceOut   out = {0};
    force->kind->eval(force->params, t, m1, m2, &out);
    if (force->body1 != TR_GROUND) {
        add(&sum[force->body1], (trVec2){out.on1.fx, out.on1.fy}, out.on1.moment, at_center);
    }
    if (force->body2 != TR_GROUND) {
        add(&sum[force->body2], (trVec2){out.on2.fx, out.on2.fy}, out.on2.moment, at_center);
    }
}

void balance_row(const Run *run, long row, Balance *out) {
    const trSystem *system = run->system;
    if (system->space->dim == 3) {
        balance_row3(run, row, out);
        return;
    }
    size_t     bodies = (size_t)system->bodies;
    trMotion2 *motion = calloc(bodies + 1, sizeof *motion);  // body i stands at i + 1
    Sum       *sum = calloc(bodies + 1, sizeof *sum);
    if (motion == NULL || sum == NULL) {
        abort();
    }
    motion[0] = NO_MOTION;
    for (int i = 0; i < system->bodies; i++) {
        motion[i + 1] = motion_of(run, row, &system->body[i]);
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
