// SPDX-License-Identifier: MIT
// Frames fixed in bodies: where they are, how they move, and reactions given in them.
//
//     position  x + arm        velocity  v + omega x arm        arm = R at
//     acceleration  a + alpha x arm + omega x (omega x arm)

#include <stddef.h>

#include "system/system.h"

static trQuat turn_of(const trBodyState *body) {
    return tr_quat_of(body->quaternion);
}

static trVec3 omega_of(const trBodyState *body) {
    return (trVec3){body->wx, body->wy, body->wz};
}

trBodyState tr_frame_state(const trFrame *frame, const trBodyState *body) {
    trBodyState state = *body;
    trVec3      arm = tr_quat_rotate(turn_of(body), frame->at);
    trVec3      rate = tr_cross3(omega_of(body), arm);
    trQuat      turn = tr_quat_mul(turn_of(body), frame->turn);
    state.x += arm.x;
    state.y += arm.y;
    state.z += arm.z;
    state.angle += frame->angle;
    tr_quat_put(turn, state.quaternion);
    state.vx += rate.x;
    state.vy += rate.y;
    state.vz += rate.z;
    return state;
}

trAcceleration tr_frame_acceleration(const trFrame *frame, const trBodyState *body,
                                     const trAcceleration *a) {
    trVec3 arm = tr_quat_rotate(turn_of(body), frame->at), w = omega_of(body);
    trVec3 turning = tr_add3(tr_cross3(a->angular, arm), tr_cross3(w, tr_cross3(w, arm)));
    return (trAcceleration){.origin = tr_add3(a->origin, turning), .angular = a->angular};
}

const char *tr_system_frame_name(const trSystem *s, int frame) {
    return frame >= 0 && frame < s->frames ? s->frame[frame].name : NULL;
}

trBodyState tr_system_frame_state(const trSystem *s, int frame, const double *q, const double *v) {
    if (frame < 0 || frame >= s->frames) {
        return tr_system_body_state(s, TR_GROUND, q, v);
    }
    trBodyState body = tr_system_body_state(s, s->frame[frame].body, q, v);
    return tr_frame_state(&s->frame[frame], &body);
}

trLoad3 tr_system_report(const trEval *e, int j, const double *q, const double *v,
                         const double *lambda, trVec3 *point) {
    trLoad3 load = tr_system_reaction(e, j, 2, lambda, point);
    int     report = e->system->joint[j].report;
    if (report < 0) {
        return load;
    }
    trBodyState frame = tr_system_frame_state(e->system, report, q, v);
    trVec3      at = {frame.x, frame.y, frame.z};
    trVec3      moment = tr_add3(load.moment, tr_cross3(tr_sub3(*point, at), load.force));
    *point = at;
    return (trLoad3){tr_quat_unrotate(turn_of(&frame), load.force),
                     tr_quat_unrotate(turn_of(&frame), moment)};
}
