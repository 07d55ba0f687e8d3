// SPDX-License-Identifier: MIT
// Reactions as they are stored, and whether their joints can transmit them: a load on body 2 that
// is -J2' lambda for some lambda does no work on what the joint leaves free. A hinge without
// friction has no moment about its axis.

#include <math.h>

#include "verify/verify.h"

trLoad3 tr_stored_reaction(const trVerifier *V, int j, trVec3 *point) {
    const trSystem *s = V->system;
    const trJoint  *joint = &s->joint[j];
    const double   *c = V->row + V->layout.joint + V->layout.per_load * j;
    const trEval   *e = &V->eval;
    const trMotions m = tr_eval_motions(e, joint);
    trLoad3         load = {tr_columns3(c), {0.0, 0.0, 0.0}};
    if (e->motion3 != NULL) {
        load.moment = tr_columns3(c + 3);
        *point = joint->kind->reaction_point3(joint->params, m.solid);
    } else {
        trVec2 p = joint->kind->reaction_point(joint->params, m.flat);
        load = (trLoad3){{c[0], c[1], 0.0}, {0.0, 0.0, c[2]}};
        *point = (trVec3){p.x, p.y, 0.0};
    }
    if (joint->report < 0) {
        return load;
    }
    trBodyState frame = tr_system_frame_state(s, joint->report, V->q, V->v);
    trQuat      turn = {frame.quaternion[0], frame.quaternion[1], frame.quaternion[2],
                        frame.quaternion[3]};
    *point = (trVec3){frame.x, frame.y, frame.z};
    return (trLoad3){tr_quat_rotate(turn, load.force), tr_quat_rotate(turn, load.moment)};
}

// x (n) loses its part along y; both have been scaled.
static void remove_part(int n, const double *y, double *x) {
    double dot = 0.0;
    for (int k = 0; k < n; k++) {
        dot += x[k] * y[k];
    }
    for (int k = 0; k < n; k++) {
        x[k] -= dot * y[k];
    }
}

static double length_of(int n, const double *x) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

#define DEPENDENT 1e-8  // what is left of a row that others make up

// Takes the part of x (n) that rows of J (rows x n, columns times `scale`) make up.
static void remove_rows(int n, int rows, const double *J, const double *scale, double *x) {
    double basis[TR_JOINT_ROWS][6];
    int    count = 0;
    for (int i = 0; i < rows; i++) {
        double *y = basis[count];
        for (int k = 0; k < n; k++) {
            y[k] = J[n * i + k] * scale[k];
        }
        double before = length_of(n, y);
        for (int twice = 0; twice < 2; twice++) {
            for (int j = 0; j < count; j++) {
                remove_part(n, basis[j], y);
            }
        }
        double after = length_of(n, y);
        if (!(after > DEPENDENT * before)) {
            continue;
        }
        for (int k = 0; k < n; k++) {
            y[k] /= after;
        }
        count++;
    }
    for (int twice = 0; twice < 2; twice++) {
        for (int j = 0; j < count; j++) {
            remove_part(n, basis[j], x);
        }
    }
}

// The load in the velocities of the body: force, moment about the center of mass, in the axes of
// its equations. Returns the arm.
static double generalized(const trVerifier *V, int body, const trLoad3 *load, trVec3 point,
                          double *x) {
    trVec3 arm = tr_sub3(point, tr_verify_center(V, body));
    trVec3 moment = tr_add3(load->moment, tr_cross3(arm, load->force));
    x[0] = load->force.x;
    x[1] = load->force.y;
    if (V->eval.motion3 == NULL) {
        x[2] = moment.z;
        return tr_length3(arm);
    }
    moment = tr_unrotate3(&V->eval.motion3[body + 1].R, moment);
    x[2] = load->force.z;
    x[3] = moment.x;
    x[4] = moment.y;
    x[5] = moment.z;
    return tr_length3(arm);
}

// -J1' lambda of a gear, with the lambda of which -J2' lambda is the load on body 2.
static trLoad3 geared(const trVerifier *V, int j, const trLoad3 *load, trVec3 point) {
    const trSystem *s = V->system;
    const double   *J2 = V->eval.value + s->side[j][1];
    double          x[6] = {0.0}, up = 0.0, down = 0.0;
    (void)generalized(V, s->joint[j].body2, load, point, x);
    for (int k = 0; k < s->space->nv; k++) {
        up -= J2[k] * x[k];
        down += J2[k] * J2[k];
    }
    const double lambda = up / down;
    return s->space->joint_load(&V->eval, s->joint[j].body1, 1, V->eval.value + s->side[j][0],
                                &lambda);
}

trLoad3 tr_opposite_reaction(const trVerifier *V, int j, const trLoad3 *load, trVec3 point) {
    const trJoint *joint = &V->system->joint[j];
    bool           both = joint->body1 != TR_GROUND && joint->body2 != TR_GROUND;
    if (both && (joint->kind->traits & TR_GEARED) != 0) {
        return geared(V, j, load, point);  // no force: the same about any point
    }
    return (trLoad3){tr_scale3(-1.0, load->force), tr_scale3(-1.0, load->moment)};
}

// Moments count by the length `arm`, so that both are forces.
static void see_load(trVerifier *V, int j, int body, const double *J, const trLoad3 *load,
                     trVec3 point) {
    const trJoint *joint = &V->system->joint[j];
    int            n = V->system->space->nv, planar = V->system->space->dim == 2;
    double         x[6] = {0.0}, scale[6] = {0.0};
    double         arm = generalized(V, body, load, point, x);
    double         F = tr_length3(load->force), M = tr_length3(load->moment);
    double         far = tr_length3(point) + tr_length3(tr_verify_center(V, body));
    arm = fmax(arm, F > 0.0 ? fmin(M / F, 1.0) : 1.0);
    arm = arm > 0.0 ? arm : 1.0;
    for (int k = 0; k < n; k++) {
        scale[k] = tr_space_turns(V->system->space, k) ? 1.0 / arm : 1.0;
        x[k] *= scale[k];
    }
    remove_rows(n, joint->kind->rows, J, scale, x);
    double force = planar ? hypot(x[0], x[1]) : length_of(3, x);
    double moment = arm * (planar ? fabs(x[2]) : length_of(3, x + 3));
    bool   turns = moment > arm * force;
    tr_see(V, TR_VERIFY_REACTION,
           (trDeviation){.off = turns ? moment : force,
                         .size = (F + M / arm) * (turns ? arm : 1.0),
                         .slack = TR_ROUNDINGS_BALANCE * TR_ROUNDING * F * (far / arm) *
                                  (turns ? arm : 1.0),
                         .unit = turns ? "N m" : "N",
                         .role = "joint",
                         .name = joint->name,
                         .detail = turns ? "a moment that it cannot transmit"
                                         : "a force that it cannot transmit"});
}

void tr_verify_reactions(trVerifier *V) {
    const trSystem *s = V->system;
    for (int j = 0; j < s->joints; j++) {
        const trJoint *joint = &s->joint[j];
        trVec3         point, w1, w2;
        trLoad3        load = tr_stored_reaction(V, j, &point);
        bool           second = joint->body2 != TR_GROUND;
        int            body = second ? joint->body2 : joint->body1;
        see_load(V, j, body, V->eval.value + (second ? s->side[j][1] : s->side[j][0]), &load,
                 point);
        // Power: on body 2 where its point moves against that of body 1, and what a gear adds.
        trVec3 v1 = tr_verify_velocity(V, joint->body1, &w1);
        trVec3 v2 = tr_verify_velocity(V, joint->body2, &w2);
        v1 = tr_add3(v1, tr_cross3(w1, tr_sub3(point, tr_verify_center(V, joint->body1))));
        v2 = tr_add3(v2, tr_cross3(w2, tr_sub3(point, tr_verify_center(V, joint->body2))));
        trLoad3 other = tr_opposite_reaction(V, j, &load, point);
        V->power += tr_dot3(load.force, tr_sub3(v2, v1)) + tr_dot3(load.moment, tr_sub3(w2, w1)) +
                    tr_dot3(tr_add3(load.moment, other.moment), w1);
    }
}
