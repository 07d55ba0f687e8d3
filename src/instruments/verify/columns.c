// SPDX-License-Identifier: MIT
// Columns that follow from others: quaternions have length one, frames follow their bodies, loads
// of forces follow from the state.

#include <math.h>

#include "verify/verify.h"

static const char *column_name(const trVerifier *V, int at) {
    return tr_result_column(V->result, at)->name;
}

static const char *column_unit(const trVerifier *V, int at) {
    return tr_result_column(V->result, at)->unit;
}

// |e|^2 = 1 of a body or frame whose columns begin at `at`.
static void see_quaternion(trVerifier *V, int at) {
    const double *e = V->row + at + 3;
    tr_see(V, TR_VERIFY_QUATERNION,
           (trDeviation){.off = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0,
                         .size = 0.01,  // a few roundings are 1e-14
                         .role = "column",
                         .name = column_name(V, at + 3),
                         .detail = "the quaternion's length is not one"});
}

// --- frames ---

static trBodyState stored_body(const trVerifier *V, int body, trAcceleration *a) {
    const double *c = V->row + V->layout.body + V->layout.per_body * body;
    *a = (trAcceleration){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (body == TR_GROUND) {
        return (trBodyState){.quaternion = {1.0, 0.0, 0.0, 0.0}};
    }
    if (V->system->space->dim == 2) {
        *a = (trAcceleration){{c[6], c[7], 0.0}, {0.0, 0.0, c[8]}};
        return (trBodyState){.x = c[0],
                             .y = c[1],
                             .angle = c[2],
                             .quaternion = {cos(0.5 * c[2]), 0.0, 0.0, sin(0.5 * c[2])},
                             .vx = c[3],
                             .vy = c[4],
                             .omega = c[5],
                             .wz = c[5]};
    }
    *a = (trAcceleration){tr_columns3(c + 13), tr_columns3(c + 16)};
    return (trBodyState){.x = c[0],
                         .y = c[1],
                         .z = c[2],
                         .quaternion = {c[3], c[4], c[5], c[6]},
                         .vx = c[7],
                         .vy = c[8],
                         .vz = c[9],
                         .wx = c[10],
                         .wy = c[11],
                         .wz = c[12]};
}

// What the columns of a frame should be, and the sizes of the terms.
static void expect_frame(const trVerifier *V, const trFrame *frame, double *out, double *size) {
    trAcceleration a;
    trBodyState    body = stored_body(V, frame->body, &a), f = tr_frame_state(frame, &body);
    trAcceleration of = tr_frame_acceleration(frame, &body, &a);
    double         arm = tr_length3(frame->at);
    double         w = tr_length3((trVec3){body.wx, body.wy, body.wz});
    double         alpha = tr_length3(a.angular);
    const double   at[19] = {f.x,
                             f.y,
                             f.z,
                             f.quaternion[0],
                             f.quaternion[1],
                             f.quaternion[2],
                             f.quaternion[3],
                             f.vx,
                             f.vy,
                             f.vz,
                             f.wx,
                             f.wy,
                             f.wz,
                             of.origin.x,
                             of.origin.y,
                             of.origin.z,
                             of.angular.x,
                             of.angular.y,
                             of.angular.z};
    const double   plane[9] = {f.x,     f.y,         f.angle,     f.vx,        f.vy,
                               f.omega, of.origin.x, of.origin.y, of.angular.z};
    bool           planar = V->system->space->dim == 2;
    for (int k = 0; k < V->layout.per_body; k++) {
        bool position = planar ? k < 2 : k < 3, turn = planar ? k == 2 : k >= 3 && k < 7;
        bool velocity = planar ? k == 3 || k == 4 : k >= 7 && k < 10;
        bool pushed = planar ? k == 6 || k == 7 : k >= 13 && k < 16;
        out[k] = planar ? plane[k] : at[k];
        size[k] = fabs(out[k]) + (position   ? arm
                                  : turn     ? 1.0
                                  : velocity ? arm * w
                                  : pushed   ? arm * (alpha + w * w)
                                             : 0.0);
    }
}

static void see_frames(trVerifier *V) {
    double out[19] = {0.0}, size[19] = {0.0};
    for (int i = 0; i < V->system->frames; i++) {
        int at = V->layout.frame + V->layout.per_body * i;
        expect_frame(V, &V->system->frame[i], out, size);
        for (int k = 0; k < V->layout.per_body; k++) {
            tr_see(V, TR_VERIFY_FRAME,
                   (trDeviation){.off = V->row[at + k] - out[k],
                                 .size = 0.1 * size[k],
                                 .unit = column_unit(V, at + k),
                                 .role = "column",
                                 .name = column_name(V, at + k),
                                 .detail = "does not follow from its body"});
        }
        if (V->system->space->dim == 3) {
            see_quaternion(V, at);
        }
    }
}

// --- forces ---

#define FORCES 10.0  // the balance of loads sees columns of forces better than this

static void see_forces(trVerifier *V) {
    const trSystem *s = V->system;
    for (int i = 0; i < s->varying; i++) {
        int          at = V->layout.force + V->layout.per_load * i, n = V->layout.per_load;
        trLoad3      load = tr_eval_force(&V->eval, i);
        trLoad3      beside = V->steady ? tr_eval_force(&V->nudged, i) : load;
        bool         planar = s->space->dim == 2;
        trVec3       F = load.force, M = load.moment, f = beside.force, m = beside.moment;
        const double now[6] = {F.x, F.y, planar ? M.z : F.z, M.x, M.y, M.z};
        double       change[2] = {tr_length3(tr_sub3(f, F)), tr_length3(tr_sub3(m, M))};
        for (int k = 0; k < 2; k++) {
            change[k] = tr_recall(&V->force_change[2 * i + k], change[k] / V->nudge);
        }
        for (int k = 0; k < n; k++) {
            bool turns = k >= n / 2 + (planar ? 1 : 0);
            tr_see(V, TR_VERIFY_FORCE,
                   (trDeviation){.off = V->row[at + k] - now[k],
                                 .size = 10.0 * tr_length3(turns ? M : F),
                                 .slack = FORCES * TR_NUDGED * change[turns],
                                 .unit = column_unit(V, at + k),
                                 .role = "column",
                                 .name = column_name(V, at + k),
                                 .detail = "does not follow from the state"});
        }
    }
}

void tr_verify_columns(trVerifier *V) {
    for (int i = 0; V->system->space->dim == 3 && i < V->system->bodies; i++) {
        see_quaternion(V, V->layout.body + V->layout.per_body * i);
    }
    see_frames(V);
    see_forces(V);
}
