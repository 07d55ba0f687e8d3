// SPDX-License-Identifier: MIT
// Planar bodies at ports that are nearly points and turn freely in their module.
//
// Joints act on such a body at its center of mass alone, so that J is all that resists a load at a
// port with the arm r. The port yields 1 / m + r^2 / J, in which 1 / m drowns: with J below 1e-8 m
// r^2, rows along and across the arm would count as dependent. A J below 1e-7 m r^2 is therefore
// enlarged to that, as in space (spins.c): loads at the port turn the body as if it had no inertia
// either way, and other motion changes by parts of 1e-7. Bodies that joints or forces of the module
// turn, or that spin at the start, stay as they are.

#include <math.h>

#include "system/system.h"

#define POINT 1e-7    // of m r^2
#define LEVER 1e-10   // of r: arm of a force that does not turn the body
#define FASTEST 10.0  // spin at the start that moves nothing else with this J [rad/s]

static const double no_turns[TR_JOINT_TURNS] = {0.0};

static trMotion2 start_of(const trSystem *s, int body) {
    if (body == TR_GROUND) {
        return (trMotion2){.c = 1.0};
    }
    const double *q = s->q0 + s->space->nq * body;
    return (trMotion2){.r = {q[0], q[1]}, .angle = q[2], .c = cos(q[2]), .s = sin(q[2])};
}

// arm[i] becomes 0 if the load turns body i. A moment without a force does, and so does a force
// that is zero at the start, of which nothing is known.
static void exclude(double fx, double fy, double moment, int body, double *arm) {
    double force = hypot(fx, fy);
    if (body != TR_GROUND && !(force > 0.0 && fabs(moment) <= LEVER * arm[body] * force)) {
        arm[body] = 0.0;
    }
}

static void exclude_joint(const trSystem *s, const trJoint *joint, double *arm) {
    trJointAlone rows;
    trMotion2    start[TR_JOINT_BODIES];
    trMotions    m;
    for (int k = 0; k < joint->bodies; k++) {
        start[k] = start_of(s, joint->body[k]);
        m.flat[k] = &start[k];
    }
    tr_joint_alone(joint, 0.0, &m, no_turns, &rows);
    for (int i = 0; i < 3 * joint->kind->rows; i += 3) {
        for (int k = 0; k < joint->bodies; k++) {
            const double *J = rows.J[k] + i;
            exclude(J[0], J[1], J[2], joint->body[k], arm);
        }
    }
}

static void exclude_force(const trSystem *s, const trForce *force, double *arm) {
    double     turn[TR_JOINT_TURNS];
    trForceOut out = {.near = no_turns, .turn = turn};
    trMotion2  m1 = start_of(s, force->body1), m2 = start_of(s, force->body2);
    force->kind->eval(force->params, 0.0, &m1, &m2, &out);
    exclude(out.on1.fx, out.on1.fy, out.on1.moment, force->body1, arm);
    exclude(out.on2.fx, out.on2.fy, out.on2.moment, force->body2, arm);
}

// The longest arm of a port on each body.
static void find_arms(const trSystem *s, double *arm) {
    for (int i = 0; i < s->frames; i++) {
        const trFrame *frame = &s->frame[i];
        if (frame->port && frame->body != TR_GROUND) {
            trVec2 com = s->body[frame->body].com;
            arm[frame->body] =
                fmax(arm[frame->body], hypot(frame->at.x - com.x, frame->at.y - com.y));
        }
    }
}

void tr_enlarge_planar_spins(trSystem *s, double *arm, trBody *body) {
    find_arms(s, arm);
    for (int i = 0; i < s->joints; i++) {
        exclude_joint(s, &s->joint[i], arm);
    }
    for (int i = 0; i < s->varying; i++) {
        exclude_force(s, &s->force[i], arm);
    }
    for (int i = 0; i < s->bodies; i++) {
        double least = POINT * body[i].mass * arm[i] * arm[i];
        if (body[i].inertia > 0.0 && body[i].inertia < least &&
            fabs(body[i].angular_velocity) <= FASTEST) {
            body[i].inertia = least;
            s->space->mass(&body[i], s->mass + s->space->nv * i);
        }
    }
}
