// SPDX-License-Identifier: MIT
// Spatial bodies: q = (x, y, z, e0, e1, e2, e3) of the center of mass and the principal axes,
// v = (vx, vy, vz, W1, W2, W3) with the angular velocity W in principal axes J = (J1, J2, J3):
//
//     r' = v        e' = e W / 2 (quaternions)        J W' = R' moment - W x J W

#include <math.h>

#include "base/small.h"
#include "system/spatial.h"

#define FULL_TURN 6.28318530717958647693  // [rad]

// The center of mass stands at r = at + (orientation) com.
void tr_spatial_start(const trBody *body, double *q) {
    const trPlace3 *place = &body->spatial.place;
    trQuat          u = tr_quat_mul(place->orientation, place->principal);
    tr_vec3_put(tr_add3(place->at, tr_quat_rotate(place->orientation, place->com)), q);
    tr_quat_put(u, q + 3);
}

// It moves with velocity + omega x arm.
void tr_spatial_start_velocity(const trBody *body, const double *q, trVec3 *v, trVec3 *W) {
    const trBody3 *b = &body->spatial;
    trQuat         u = tr_quat_unit(tr_quat_of(q + 3));
    trVec3         arm = tr_quat_rotate(u, tr_quat_unrotate(b->place.principal, b->place.com));
    *v = tr_add3(b->velocity, tr_cross3(b->angular_velocity, arm));
    *W = tr_quat_unrotate(u, b->angular_velocity);
}

static void start_velocity(const trBody *body, const double *q, double *v) {
    trVec3 linear, W;
    tr_spatial_start_velocity(body, q, &linear, &W);
    tr_vec3_put(linear, v);
    tr_vec3_put(W, v + 3);
}

static void mass(const trBody *body, double *out) {
    out[0] = out[1] = out[2] = body->mass;
    tr_vec3_put(body->spatial.place.inertia, out + 3);
}

// The frame's origin stands at r - (orientation) com.
trBodyState tr_spatial_state(const trBody *body, const double *q, trVec3 v, trVec3 W) {
    const trPlace3 *place = &body->spatial.place;
    trQuat          u = tr_quat_unit(tr_quat_of(q + 3));
    trQuat          e = tr_quat_mul(u, tr_quat_conjugate(place->principal));
    trVec3          arm = tr_quat_rotate(e, place->com), w = tr_quat_rotate(u, W);
    trVec3          at = tr_sub3(tr_vec3_of(q), arm), rate = tr_sub3(v, tr_cross3(w, arm));
    return (trBodyState){.x = at.x,
                         .y = at.y,
                         .z = at.z,
                         .quaternion = {e.w, e.x, e.y, e.z},
                         .vx = rate.x,
                         .vy = rate.y,
                         .vz = rate.z,
                         .wx = w.x,
                         .wy = w.y,
                         .wz = w.z};
}

static trBodyState state(const trBody *body, const double *q, const double *v) {
    return tr_spatial_state(body, q, tr_vec3_of(v), tr_vec3_of(v + 3));
}

// a - alpha x arm - omega x (omega x arm), with alpha = R W'.
trAcceleration tr_spatial_acceleration(const trBody *body, const double *q, trVec3 W, trVec3 a,
                                       trVec3 W_dot) {
    const trPlace3 *place = &body->spatial.place;
    trQuat          u = tr_quat_unit(tr_quat_of(q + 3));
    trVec3          arm = tr_quat_rotate(u, tr_quat_unrotate(place->principal, place->com));
    trVec3          w = tr_quat_rotate(u, W), alpha = tr_quat_rotate(u, W_dot);
    trVec3          turning = tr_add3(tr_cross3(alpha, arm), tr_cross3(w, tr_cross3(w, arm)));
    return (trAcceleration){.origin = tr_sub3(a, turning), .angular = alpha};
}

static trAcceleration acceleration(const trBody *body, const double *q, const double *v,
                                   const double *a) {
    return tr_spatial_acceleration(body, q, tr_vec3_of(v + 3), tr_vec3_of(a), tr_vec3_of(a + 3));
}

// r + dr and e exp(dtheta).
static void retract(const double *dv, double *q) {
    trQuat u = tr_quat_unit(tr_quat_of(q + 3));
    u = tr_quat_unit(tr_quat_mul(u, tr_quat_exp(tr_vec3_of(dv + 3))));
    for (int k = 0; k < 3; k++) {
        q[k] += dv[k];
    }
    tr_quat_put(u, q + 3);
}

static void difference(const double *q1, const double *q0, double *dv) {
    trQuat u1 = tr_quat_unit(tr_quat_of(q1 + 3));
    trQuat u0 = tr_quat_unit(tr_quat_of(q0 + 3));
    for (int k = 0; k < 3; k++) {
        dv[k] = q1[k] - q0[k];
    }
    tr_vec3_put(tr_quat_log(tr_quat_mul(tr_quat_conjugate(u0), u1)), dv + 3);
}

// The rotation vector of exp(x) exp(dtheta), accurate where both are small. Two vectors of less
// than a turn stand for the product; the one nearer to the sum x + dtheta continues x.
static void compose(const double *dq, double *x) {
    trQuat turn = tr_quat_mul(tr_quat_exp(tr_vec3_of(x + 3)), tr_quat_exp(tr_vec3_of(dq + 3)));
    trVec3 near = tr_quat_log(turn);
    double angle = tr_length3(near);
    if (angle > 0.0) {
        trVec3 far = tr_scale3(1.0 - FULL_TURN / angle, near);
        trVec3 sum = tr_add3(tr_vec3_of(x + 3), tr_vec3_of(dq + 3));
        trVec3 to_near = tr_sub3(near, sum), to_far = tr_sub3(far, sum);
        near = tr_dot3(to_far, to_far) < tr_dot3(to_near, to_near) ? far : near;
    }
    for (int k = 0; k < 3; k++) {
        x[k] += dq[k];
    }
    tr_vec3_put(near, x + 3);
}

// T^-1 = 1 + [x]x / 2 + c [x]x^2,   c = (1 - (t/2) cot(t/2)) / t^2,   t = |x|  (1/12 for small t)
static void chain(const double *x, int rows, int stride, double *B) {
    trVec3 turn = tr_vec3_of(x + 3);
    double t = tr_length3(turn);
    double c = t < 1e-3 ? 1.0 / 12.0 + t * t / 720.0 : (1.0 - 0.5 * t / tan(0.5 * t)) / (t * t);
    for (int i = 0; i < rows; i++) {
        trVec3 b = tr_vec3_of(B + i * stride + 3);  // b'[x]x = (b x x)'
        trVec3 bx = tr_cross3(b, turn), bxx = tr_cross3(bx, turn);
        tr_vec3_put(tr_add_scaled3(tr_add_scaled3(b, 0.5, bx), c, bxx), B + i * stride + 3);
    }
}

static void rate(const double *q, const double *v, double *q_dot) {
    for (int k = 0; k < 3; k++) {
        q_dot[k] = v[k];
    }
    q_dot[3] = 0.5 * (-q[4] * v[3] - q[5] * v[4] - q[6] * v[5]);
    q_dot[4] = 0.5 * (q[3] * v[3] + q[5] * v[5] - q[6] * v[4]);
    q_dot[5] = 0.5 * (q[3] * v[4] - q[4] * v[5] + q[6] * v[3]);
    q_dot[6] = 0.5 * (q[3] * v[5] + q[4] * v[4] - q[5] * v[3]);
}

// W = 2 vec((conjugate of e) e') / |e|^2
static void pull(const double *q, const double *q_dot, double *v) {
    const double *e = q + 3, *d = q_dot + 3;
    double        k = 2.0 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    for (int i = 0; i < 3; i++) {
        v[i] = q_dot[i];
    }
    v[3] = k * (e[0] * d[1] - e[1] * d[0] - e[2] * d[3] + e[3] * d[2]);
    v[4] = k * (e[0] * d[2] - e[2] * d[0] - e[3] * d[1] + e[1] * d[3]);
    v[5] = k * (e[0] * d[3] - e[3] * d[0] - e[1] * d[2] + e[2] * d[1]);
}

void tr_spatial_normalize(double *q) {
    double k = 1.0 / sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    for (int i = 3; i < 7; i++) {
        q[i] *= k;
    }
}

double tr_spatial_kinetic(const trBody *body, trVec3 v, trVec3 W) {
    trVec3 J = body->spatial.place.inertia;
    return 0.5 * (body->mass * tr_dot3(v, v) + J.x * W.x * W.x + J.y * W.y * W.y + J.z * W.z * W.z);
}

static double kinetic(const trBody *body, const double *q, const double *v) {
    return tr_spatial_kinetic(body, tr_vec3_of(v), tr_vec3_of(v + 3));
}

void tr_spatial_move(trMotion3 *m, const double *q, trVec3 v, trVec3 W) {
    m->r = tr_vec3_of(q);
    m->u = tr_quat_unit(tr_quat_of(q + 3));
    m->R = tr_quat_matrix(m->u);
    m->v = v;
    m->w = tr_rotate3(&m->R, (trVec3){tr_or_zero(W.x), tr_or_zero(W.y), tr_or_zero(W.z)});
}

static void move(const trSystem *s, const double *q, const double *v, trEval *e) {
    for (int i = 0; i < s->bodies; i++) {
        tr_spatial_move(&e->motion3[i + 1], q + 7 * i, tr_vec3_of(v + 6 * i),
                        tr_vec3_of(v + 6 * i + 3));
    }
}

static void add_load(const trEval *e, int body, const trForceOut *out, int side, double *Q) {
    const trLoad3 *load = side == 1 ? &out->at1 : &out->at2;
    trVec3         moment = tr_unrotate3(&e->motion3[body + 1].R, load->moment);
    Q[0] += load->force.x;
    Q[1] += load->force.y;
    Q[2] += load->force.z;
    Q[3] += moment.x;
    Q[4] += moment.y;
    Q[5] += moment.z;
}

static trLoad3 joint_load(const trEval *e, int body, int rows, const double *J,
                          const double *lambda) {
    double sum[6] = {0.0};
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < 6; k++) {
            sum[k] -= J[6 * i + k] * lambda[i];
        }
    }
    return (trLoad3){tr_vec3_of(sum), tr_rotate3(&e->motion3[body + 1].R, tr_vec3_of(sum + 3))};
}

// -W x J W
trVec3 tr_spatial_gyroscopic(const trBody *body, trVec3 W) {
    trVec3 J = body->spatial.place.inertia;
    return tr_cross3((trVec3){J.x * W.x, J.y * W.y, J.z * W.z}, W);
}

static void add_inertia(const trSystem *s, const trEval *e, const double *v, double *Q) {
    for (int i = 0; i < s->bodies; i++) {
        trVec3 moment = tr_spatial_gyroscopic(&s->body[i], tr_vec3_of(v + 6 * i + 3));
        Q[6 * i + 3] += moment.x;
        Q[6 * i + 4] += moment.y;
        Q[6 * i + 5] += moment.z;
    }
}

const trSpace tr_space_body = {
    .name = "body",
    .dim = 3,
    .nq = 7,
    .nv = 6,
    .q_name = {"x", "y", "z", "e0", "e1", "e2", "e3"},
    .v_name = {"x", "y", "z", "wx", "wy", "wz"},
    .start = tr_spatial_start,
    .start_velocity = start_velocity,
    .mass = mass,
    .state = state,
    .acceleration = acceleration,
    .retract = retract,
    .difference = difference,
    .compose = compose,
    .chain = chain,
    .rate = rate,
    .pull = pull,
    .normalize = tr_spatial_normalize,
    .kinetic = kinetic,
    .move = move,
    .add_load = add_load,
    .joint_load = joint_load,
    .add_inertia = add_inertia,
};
