// SPDX-License-Identifier: MIT
// Spatial bodies in the rates of their quaternions, as Udwadia and Wanichanon (2013, section 4) and
// Marques, Souto and Flores (2017) write them: q = (x, y, z, e0, e1, e2, e3) and v = q'.
//
//     W = P u',   P = 2 E(u) / |u|^2       E(u) u' = vector part of (conjugate of u) u'
//     M = diag(m, m, m, P'JP)              of rank 6 for 7 velocities
//     (u.u - 1) / 2 = 0                    a row for each body
//
// A joint's block (f, c) for (v, W) becomes (f, c P). With |u| = 1 all this is what the papers
// have; away from it the equations stay exact, because W' = P u'' - k W with k = 2 u.u' / |u|^2:
//
//     P'J P u'' = P'(moment - W x J W + k J W)        b = b(body) + k c W

#include "system/spatial.h"

static trLift lift(const double *u, const double *u_dot) {
    double       n = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3], k = 2.0 / n;
    const double E[3][4] = {
        {-u[1], u[0], u[3], -u[2]}, {-u[2], -u[3], u[0], u[1]}, {-u[3], u[2], -u[1], u[0]}};
    double W[3] = {0.0, 0.0, 0.0};
    trLift out = {.k = 0.0};
    for (int j = 0; j < 4; j++) {
        out.k += k * u[j] * u_dot[j];
        for (int i = 0; i < 3; i++) {
            out.P[i][j] = k * E[i][j];
            W[i] += out.P[i][j] * u_dot[j];
        }
    }
    out.W = tr_vec3_of(W);
    return out;
}

// P x for x of four numbers, and P' y.
static trVec3 lower(const trLift *l, const double *x) {
    double y[3];
    for (int i = 0; i < 3; i++) {
        y[i] = l->P[i][0] * x[0] + l->P[i][1] * x[1] + l->P[i][2] * x[2] + l->P[i][3] * x[3];
    }
    return tr_vec3_of(y);
}

static void raise(const trLift *l, trVec3 y, double *x) {
    for (int j = 0; j < 4; j++) {
        x[j] = l->P[0][j] * y.x + l->P[1][j] * y.y + l->P[2][j] * y.z;
    }
}

static void start_velocity(const trBody *body, const double *q, double *v) {
    trVec3 linear, W;
    tr_spatial_start_velocity(body, q, &linear, &W);
    trQuat rate = tr_quat_mul(tr_quat_of(q + 3), (trQuat){0.0, W.x, W.y, W.z});
    tr_vec3_put(linear, v);
    tr_quat_put((trQuat){0.5 * rate.w, 0.5 * rate.x, 0.5 * rate.y, 0.5 * rate.z}, v + 3);
}

static trBodyState state(const trBody *body, const double *q, const double *v) {
    trLift l = lift(q + 3, v + 3);
    return tr_spatial_state(body, q, tr_vec3_of(v), l.W);
}

static trAcceleration acceleration(const trBody *body, const double *q, const double *v,
                                   const double *a) {
    trLift l = lift(q + 3, v + 3);
    trVec3 W_dot = tr_add_scaled3(lower(&l, a + 3), -l.k, l.W);
    return tr_spatial_acceleration(body, q, l.W, tr_vec3_of(a), W_dot);
}

static double kinetic(const trBody *body, const double *q, const double *v) {
    return tr_spatial_kinetic(body, tr_vec3_of(v), lift(q + 3, v + 3).W);
}

// The block of M of one body, in a dense M of order nv.
static void set_mass(const trBody *body, const trLift *l, int nv, double *M) {
    trVec3       J = body->spatial.place.inertia;
    const double moment[3] = {J.x, J.y, J.z};
    for (int k = 0; k < 3; k++) {
        M[k * (nv + 1)] = body->mass;
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) {
                sum += l->P[k][i] * moment[k] * l->P[k][j];
            }
            M[(3 + i) * nv + 3 + j] = sum;
        }
    }
}

static void move(const trSystem *s, const double *q, const double *v, trEval *e) {
    for (int i = 0; i < s->bodies; i++) {
        trLift *l = &e->lift[i];
        *l = lift(q + 7 * i + 3, v + 7 * i + 3);
        tr_spatial_move(&e->motion3[i + 1], q + 7 * i, tr_vec3_of(v + 7 * i), l->W);
        set_mass(&s->body[i], l, s->nv, e->M + (ptrdiff_t)(7 * i) * (s->nv + 1));
    }
}

static void add_load(const trEval *e, int body, const trForceOut *out, int side, double *Q) {
    const trLoad3 *load = side == 1 ? &out->at1 : &out->at2;
    double         part[4];
    raise(&e->lift[body], tr_unrotate3(&e->motion3[body + 1].R, load->moment), part);
    Q[0] += load->force.x;
    Q[1] += load->force.y;
    Q[2] += load->force.z;
    for (int k = 0; k < 4; k++) {
        Q[3 + k] += part[k];
    }
}

static void add_inertia(const trSystem *s, const trEval *e, const double *v, double *Q) {
    for (int i = 0; i < s->bodies; i++) {
        const trLift *l = &e->lift[i];
        trVec3        J = s->body[i].spatial.place.inertia, W = l->W;
        trVec3        JW = {J.x * W.x, J.y * W.y, J.z * W.z};
        double        part[4];
        raise(l, tr_add_scaled3(tr_spatial_gyroscopic(&s->body[i], W), l->k, JW), part);
        for (int k = 0; k < 4; k++) {
            Q[7 * i + 3 + k] += part[k];
        }
    }
}

// With |u| = 1, P P' = 4 I: c = (c P) P' / 4.
static trLoad3 joint_load(const trEval *e, int body, int rows, const double *J,
                          const double *lambda) {
    const trLift *l = &e->lift[body];
    double        sum[7] = {0.0}, norm = 0.0;
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < 7; k++) {
            sum[k] -= J[7 * i + k] * lambda[i];
        }
    }
    for (int j = 0; j < 4; j++) {
        norm += l->P[0][j] * l->P[0][j];
    }
    trVec3 moment = tr_scale3(1.0 / norm, lower(l, sum + 3));
    return (trLoad3){tr_vec3_of(sum), tr_rotate3(&e->motion3[body + 1].R, moment)};
}

static void widen(const trEval *e, int body, int rows, const double *J6, double *J7, double *b) {
    const trLift *l = &e->lift[body];
    for (int i = 0; i < rows; i++) {
        trVec3 c = tr_vec3_of(J6 + 6 * i + 3);
        for (int k = 0; k < 3; k++) {
            J7[7 * i + k] = J6[6 * i + k];
        }
        raise(l, c, J7 + 7 * i + 3);
        b[i] += l->k * tr_dot3(c, l->W);
    }
}

// The row of a body's quaternion: u.u' = 0, u.u'' = -u'.u'.
static void norm_row(const double *q, const double *v, trJointRows *out) {
    double length = 0.0, rate = 0.0;
    for (int k = 0; k < 3; k++) {
        out->J[1][k] = 0.0;
    }
    for (int k = 3; k < 7; k++) {
        out->J[1][k] = q[k];
        length += q[k] * q[k];
        rate += v[k] * v[k];
    }
    out->phi[0] = 0.5 * (length - 1.0);
    out->b1[0] = 0.0;
    out->b[0] = -rate;
}

const trSpace tr_space_quaternion = {
    .name = "quaternion",
    .dim = 3,
    .nq = 7,
    .nv = 7,
    .q_name = {"x", "y", "z", "e0", "e1", "e2", "e3"},
    .v_name = {"x", "y", "z", "e0", "e1", "e2", "e3"},
    .start = tr_spatial_start,
    .start_velocity = start_velocity,
    .state = state,
    .acceleration = acceleration,
    .kinetic = kinetic,
    .move = move,
    .add_load = add_load,
    .joint_load = joint_load,
    .add_inertia = add_inertia,
    .widen = widen,
    .norm_row = norm_row,
};
