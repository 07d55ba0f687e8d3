// SPDX-License-Identifier: MIT
// Vectors, rotation matrices and quaternions of space.

#ifndef TR_BASE_VEC3_H
#define TR_BASE_VEC3_H

#include <math.h>

#include "base/shared.h"

typedef struct trVec3 {
    double x, y, z;
} trVec3;

// A matrix by its columns; of a rotation they are the turned axes.
typedef struct trMat3 {
    trVec3 x, y, z;
} trMat3;

// w + x i + y j + z k.
typedef struct trQuat {
    double w, x, y, z;
} trQuat;

// Of three numbers, and back.
static inline trVec3 tr_vec3_of(const double *x) {
    return (trVec3){x[0], x[1], x[2]};
}

static inline void tr_vec3_put(trVec3 a, double *x) {
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

// Likewise of four: w, x, y, z.
static inline trQuat tr_quat_of(const double *x) {
    return (trQuat){x[0], x[1], x[2], x[3]};
}

static inline void tr_quat_put(trQuat q, double *x) {
    x[0] = q.w;
    tr_vec3_put((trVec3){q.x, q.y, q.z}, x + 1);
}

static inline trVec3 tr_add3(trVec3 a, trVec3 b) {
    return (trVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline trVec3 tr_sub3(trVec3 a, trVec3 b) {
    return (trVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline trVec3 tr_scale3(double k, trVec3 a) {
    return (trVec3){k * a.x, k * a.y, k * a.z};
}

// a + k b
static inline trVec3 tr_add_scaled3(trVec3 a, double k, trVec3 b) {
    return (trVec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

static inline double tr_dot3(trVec3 a, trVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline trVec3 tr_cross3(trVec3 a, trVec3 b) {
    return (trVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double tr_length3(trVec3 a) {
    return sqrt(tr_dot3(a, a));
}

// R a
static inline trVec3 tr_rotate3(const trMat3 *R, trVec3 a) {
    return (trVec3){R->x.x * a.x + R->y.x * a.y + R->z.x * a.z,
                    R->x.y * a.x + R->y.y * a.y + R->z.y * a.z,
                    R->x.z * a.x + R->y.z * a.y + R->z.z * a.z};
}

// R' a
static inline trVec3 tr_unrotate3(const trMat3 *R, trVec3 a) {
    return (trVec3){tr_dot3(R->x, a), tr_dot3(R->y, a), tr_dot3(R->z, a)};
}

static inline trMat3 tr_identity3(void) {
    return (trMat3){{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
}

// p q: first q, then p.
static inline trQuat tr_quat_mul(trQuat p, trQuat q) {
    return (trQuat){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                    p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                    p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                    p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

static inline trQuat tr_quat_conjugate(trQuat q) {
    return (trQuat){q.w, -q.x, -q.y, -q.z};
}

static inline trQuat tr_quat_unit(trQuat q) {
    double k = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (trQuat){k * q.w, k * q.x, k * q.y, k * q.z};
}

static inline trVec3 tr_quat_vector(trQuat q) {
    return (trVec3){q.x, q.y, q.z};
}

// The matrix of a unit quaternion.
static inline trMat3 tr_quat_matrix(trQuat q) {
    double x = 2.0 * q.x, y = 2.0 * q.y, z = 2.0 * q.z;
    double wx = q.w * x, wy = q.w * y, wz = q.w * z;
    double xx = q.x * x, xy = q.x * y, xz = q.x * z, yy = q.y * y, yz = q.y * z, zz = q.z * z;
    return (trMat3){{1.0 - (yy + zz), xy + wz, xz - wy},
                    {xy - wz, 1.0 - (xx + zz), yz + wx},
                    {xz + wy, yz - wx, 1.0 - (xx + yy)}};
}

// The vector a turned by a unit quaternion, and turned back.
static inline trVec3 tr_quat_rotate(trQuat q, trVec3 a) {
    trVec3 u = tr_quat_vector(q), ua = tr_cross3(u, a);
    return tr_add_scaled3(tr_add_scaled3(a, 2.0 * q.w, ua), 2.0, tr_cross3(u, ua));
}

static inline trVec3 tr_quat_unrotate(trQuat q, trVec3 a) {
    return tr_quat_rotate(tr_quat_conjugate(q), a);
}

// The rotation by |a| about a.
static inline trQuat tr_quat_exp(trVec3 a) {
    double half = 0.5 * tr_length3(a);
    double k = half > 1e-8 ? 0.5 * sin(half) / half : 0.5;  // sin(h) / h = 1 - h^2 / 6
    return tr_quat_unit((trQuat){cos(half), k * a.x, k * a.y, k * a.z});
}

// Its inverse: axis times angle, the angle at most pi.
static inline trVec3 tr_quat_log(trQuat q) {
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double k = sine > 1e-8 ? 2.0 * atan2(sine, sign * q.w) / sine : 2.0;
    return tr_scale3(sign * k, tr_quat_vector(q));
}

// The quaternion of a rotation matrix (Shepperd 1978: divide by the largest of the four).
trQuat tr_quat_of_matrix(const trMat3 *R);

// The shortest rotation that takes the unit vector a to the unit vector b.
trQuat tr_quat_between(trVec3 a, trVec3 b) TR_SHARED;

// Eigenvalues (increasing) and the axes of a symmetric tensor given as xx, yy, zz, xy, xz, yz.
// The axes are right-handed. A diagonal tensor keeps its axes to the last bit.
void tr_principal_axes(const double tensor[6], double value[3], trMat3 *axes);

// A unit vector perpendicular to the unit vector a.
trVec3 tr_perpendicular3(trVec3 a);

#endif
