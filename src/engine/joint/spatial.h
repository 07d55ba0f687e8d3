// SPDX-License-Identifier: MIT
// What several spatial kinds share: placing points, axes and markers, and the rows that more than
// one joint is made of.
//
// Directions and arms are in world axes here. A row with the rate f.v + c.omega of a body gets the
// block (f, R'c), because its angular velocity is in body axes: omega = R W.

#ifndef TR_JOINT_SPATIAL_H
#define TR_JOINT_SPATIAL_H

#include <math.h>

#include "joint/joint.h"

// A frame fixed in a body: its orientation against the principal axes, as quaternion and matrix.
typedef struct trMarker3 {
    trQuat k;
    trMat3 K;
} trMarker3;

// --- placing: from what a user writes to body axes ---
//
// A user writes points and directions in the world at the start, or in the body frame, points from
// its origin. Prepared they are in principal axes, points from the center of mass. What is not
// given is NAN.

// `point` (world) or `point1` and `point2`; with one of these, the other is where it is at the
// start; with none, the frame origin of body 2.
trStatus tr_place_point3(trVec3 world, trVec3 *p1, trVec3 *p2, const trPlace3 *place1,
                         const trPlace3 *place2);
// Two ends, `world1` or `point1`, `world2` or `point2`; not given: the frame origin of the body.
// `length` receives their distance at the start.
trStatus tr_place_ends3(trVec3 world1, trVec3 world2, trVec3 *p1, trVec3 *p2,
                        const trPlace3 *place1, const trPlace3 *place2, double *length);
// The same for a rod, which needs a direction: ends that coincide at the start are refused.
trStatus tr_place_rod3(trVec3 world1, trVec3 world2, trVec3 *p1, trVec3 *p2, const trPlace3 *place1,
                       const trPlace3 *place2, double *length);
// A direction in one body, `axis` (world) or `own`, by their names in the model file; normalized.
// Neither given, or a zero vector: refused.
trStatus tr_place_axis3(trVec3 world, trVec3 *own, const trPlace3 *place, const char *world_name,
                        const char *own_name);
// A direction that both bodies share: `axis` (world), or `axis1` and `axis2`; with one of these,
// the other is where it is at the start.
trStatus tr_place_axes3(trVec3 world, trVec3 *axis1, trVec3 *axis2, const trPlace3 *place1,
                        const trPlace3 *place2);
// Frames with z along the prepared axes, not turned against each other about z at the start: frame
// 1 is the world's turned by the shortest rotation from z to axis 1, frame 2 is frame 1 turned by
// the shortest from axis 1 to axis 2.
void tr_place_markers3(trVec3 axis1, trVec3 axis2, const trPlace3 *place1, const trPlace3 *place2,
                       trMarker3 *k1, trMarker3 *k2);
// Frames that coincide at the start, with z along axis1 (prepared, in body 1).
void tr_place_coincident3(trVec3 axis1, const trPlace3 *place1, const trPlace3 *place2,
                          trMarker3 *k1, trMarker3 *k2);

trMarker3 tr_marker3(trQuat k);

// Principal axes to the world, at the start.
static inline trQuat tr_place_turn3(const trPlace3 *place) {
    return tr_quat_mul(place->orientation, place->principal);
}

static inline trMat3 tr_transpose33(const trMat3 *A) {
    return (trMat3){{A->x.x, A->y.x, A->z.x}, {A->x.y, A->y.y, A->z.y}, {A->x.z, A->y.z, A->z.z}};
}

// --- writing rows ---

static inline void tr_clear_side3(double *J) {
    for (int i = 0; i < 6; i++) {
        J[i] = 0.0;
    }
}

// A single row of n bodies, to which parts will be added.
static inline void tr_clear_row3(int n, trJointRows *out) {
    for (int k = 0; k < n; k++) {
        tr_clear_side3(out->J[k]);
    }
    out->phi[0] = out->b1[0] = out->b[0] = 0.0;
}

// The rows of a joint from `row` on.
static inline trJointRows tr_rows_from(const trJointRows *out, int row) {
    return (trJointRows){.t = out->t,
                         .J = {out->J[0] + 6 * row, out->J[1] + 6 * row},
                         .phi = out->phi + row,
                         .b1 = out->b1 + row,
                         .b = out->b + row,
                         .near = out->near,
                         .turn = out->turn};
}

// One row of one side: rate f.v + c.omega.
static inline void tr_write_side3(const trMotion3 *m, trVec3 f, trVec3 c, double *J) {
    tr_vec3_put(f, J);
    tr_vec3_put(tr_unrotate3(&m->R, c), J + 3);
}

static inline trVec3 tr_arm3(const trMotion3 *m, trVec3 p) {
    return tr_rotate3(&m->R, p);
}

static inline trVec3 tr_arm_velocity3(const trMotion3 *m, trVec3 arm) {
    return tr_add3(m->v, tr_cross3(m->w, arm));
}

// World position of a point given from the center of mass, in body axes.
static inline trVec3 tr_point3(const trMotion3 *m, trVec3 p) {
    return tr_add3(m->r, tr_arm3(m, p));
}

// omega x (omega x arm)
static inline trVec3 tr_centripetal3(const trMotion3 *m, trVec3 arm) {
    return tr_cross3(m->w, tr_cross3(m->w, arm));
}

// Two points stay together: three rows along the world's axes. With the arms s1, s2 of the points:
//
//     phi = (r2 + s2) - (r1 + s1)
//     phi' = v2 + omega2 x s2 - v1 - omega1 x s1
//     b   = omega1 x (omega1 x s1) - omega2 x (omega2 x s2)
//
// The block of body 2 is (I, -[s2]x R2) with -[s2]x R2 = -R2 [p2]x, that of body 1 its negative.
static inline void tr_rows_point3(const trMotion3 *m1, const trMotion3 *m2, trVec3 p1, trVec3 p2,
                                  trJointRows *out) {
    trVec3 s1 = tr_arm3(m1, p1), s2 = tr_arm3(m2, p2);
    trMat3 R1t = tr_transpose33(&m1->R), R2t = tr_transpose33(&m2->R);
    // Row i of R [p]x is (row i of R) x p.
    const trVec3 row1[3] = {R1t.x, R1t.y, R1t.z}, row2[3] = {R2t.x, R2t.y, R2t.z};
    const trVec3 along1[3] = {{-1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, {0.0, 0.0, -1.0}};
    for (int i = 0; i < 3; i++) {
        double *J1 = out->J[0] + 6 * i, *J2 = out->J[1] + 6 * i;
        tr_vec3_put(along1[i], J1);
        tr_vec3_put(tr_cross3(row1[i], p1), J1 + 3);
        tr_vec3_put(tr_scale3(-1.0, along1[i]), J2);
        tr_vec3_put(tr_cross3(p2, row2[i]), J2 + 3);
        out->b1[i] = 0.0;
    }
    tr_vec3_put(tr_sub3(tr_add3(m2->r, s2), tr_add3(m1->r, s1)), out->phi);
    tr_vec3_put(tr_sub3(tr_centripetal3(m1, s1), tr_centripetal3(m2, s2)), out->b);
}

// The component of d = P2 - P1 along a unit vector n that is fixed in body 1:
//
//     phi  = n.d
//     phi' = n.v2 + omega2.(s2 x n) - n.v1 - omega1.((s1 + d) x n)
//     b    = -n.(omega2 x (omega2 x s2)) + n.(omega1 x (omega1 x s1))
//            - 2 (omega1 x n).d' - (omega1 x (omega1 x n)).d
static inline void tr_row_along3(const trMotion3 *m1, const trMotion3 *m2, trVec3 p1, trVec3 p2,
                                 trVec3 n1, trJointRows *out) {
    trVec3 n = tr_rotate3(&m1->R, n1), s1 = tr_arm3(m1, p1), s2 = tr_arm3(m2, p2);
    trVec3 d = tr_sub3(tr_add3(m2->r, s2), tr_add3(m1->r, s1));
    trVec3 d_dot = tr_sub3(tr_arm_velocity3(m2, s2), tr_arm_velocity3(m1, s1));
    trVec3 n_dot = tr_cross3(m1->w, n);

    out->phi[0] = tr_dot3(n, d);
    tr_write_side3(m1, tr_scale3(-1.0, n), tr_cross3(n, tr_add3(s1, d)), out->J[0]);
    tr_write_side3(m2, n, tr_cross3(s2, n), out->J[1]);
    out->b1[0] = 0.0;
    out->b[0] = tr_dot3(n, tr_sub3(tr_centripetal3(m1, s1), tr_centripetal3(m2, s2))) -
                2.0 * tr_dot3(n_dot, d_dot) - tr_dot3(tr_cross3(m1->w, n_dot), d);
}

// The angle of two directions a1, a2, fixed in the bodies, against a right angle; to first order,
// and with the right sign everywhere:
//
//     phi  = a1.a2
//     phi' = (omega2 - omega1).(a2 x a1)
//     b    = -2 (omega1 x a1).(omega2 x a2) - a1.(omega2 x (omega2 x a2)) - a2.(omega1 x (omega1 x
//     a1))
static inline void tr_row_perpendicular3(const trMotion3 *m1, const trMotion3 *m2, trVec3 axis1,
                                         trVec3 axis2, trJointRows *out) {
    const trVec3 none = {0.0, 0.0, 0.0};
    trVec3       a1 = tr_rotate3(&m1->R, axis1), a2 = tr_rotate3(&m2->R, axis2);
    trVec3       c = tr_cross3(a2, a1);

    out->phi[0] = tr_dot3(a1, a2);
    tr_write_side3(m1, none, tr_scale3(-1.0, c), out->J[0]);
    tr_write_side3(m2, none, c, out->J[1]);
    out->b1[0] = 0.0;
    out->b[0] = -2.0 * tr_dot3(tr_cross3(m1->w, a1), tr_cross3(m2->w, a2)) -
                tr_dot3(a1, tr_centripetal3(m2, a2)) - tr_dot3(a2, tr_centripetal3(m1, a1));
}

// The angle of a direction a2 of body 2 about an axis of body 1, from a direction x of body 1 that
// is across it. With y = axis x x, and u = a2.x, w = a2.y of tr_row_perpendicular3:
//
//     phi   = atan2(w, u)
//     phi'  = (u w' - w u') / (u^2 + w^2)
//     phi'' = (u w'' - w u'' - 2 phi' (u u' + w w')) / (u^2 + w^2)
static inline void tr_row_swing3(const trMotion3 *m1, const trMotion3 *m2, trVec3 axis, trVec3 x,
                                 trVec3 a2, trJointRows *out) {
    const trVec3 own[2] = {x, tr_cross3(axis, x)}, w = tr_sub3(m2->w, m1->w);
    double       J[2][2][6], f[2], b1[2], b[2], rate[2];
    for (int i = 0; i < 2; i++) {
        trJointRows row = {.J = {J[i][0], J[i][1]}, .phi = &f[i], .b1 = &b1[i], .b = &b[i]};
        tr_row_perpendicular3(m1, m2, own[i], a2, &row);
        rate[i] = tr_dot3(w, tr_cross3(tr_rotate3(&m2->R, a2), tr_rotate3(&m1->R, own[i])));
    }
    const double k = 1.0 / (f[0] * f[0] + f[1] * f[1]);
    const double turning = k * (f[0] * rate[1] - f[1] * rate[0]);
    for (int i = 0; i < 6; i++) {
        out->J[0][i] = k * (f[0] * J[1][0][i] - f[1] * J[0][0][i]);
        out->J[1][i] = k * (f[0] * J[1][1][i] - f[1] * J[0][1][i]);
    }
    out->phi[0] = atan2(f[1], f[0]);
    out->b1[0] = 0.0;
    out->b[0] = k * (f[0] * b[1] - f[1] * b[0] + 2.0 * turning * (f[0] * rate[0] + f[1] * rate[1]));
}

// Marker 2 against marker 1: the rotation p, a unit quaternion that is continuous over any number
// of turns, and in axes of marker 2
//
//     w = omega2 - omega1,      p' = p w / 2,      w' = alpha2 - alpha1 + c,   c = omega2 x omega1
typedef struct trRelative3 {
    trQuat p;
    trVec3 w, c;
} trRelative3;

static inline trRelative3 tr_relative3(const trMotion3 *m1, const trMotion3 *m2,
                                       const trMarker3 *k1, const trMarker3 *k2) {
    trQuat turn1 = tr_quat_mul(m1->u, k1->k), turn2 = tr_quat_mul(m2->u, k2->k);
    trVec3 w = tr_unrotate3(&m2->R, tr_sub3(m2->w, m1->w));
    trVec3 c = tr_unrotate3(&m2->R, tr_cross3(m2->w, m1->w));
    return (trRelative3){tr_quat_mul(tr_quat_conjugate(turn1), turn2), tr_unrotate3(&k2->K, w),
                         tr_unrotate3(&k2->K, c)};
}

// The blocks of a row whose rate is g.w, with g in axes of marker 2.
static inline void tr_write_turn3(const trMotion3 *m1, const trMotion3 *m2, const trMarker3 *k2,
                                  trVec3 g, double *J1, double *J2) {
    trVec3 C2 = tr_rotate3(&k2->K, g), C1 = tr_unrotate3(&m1->R, tr_rotate3(&m2->R, C2));
    tr_clear_side3(J1);
    tr_clear_side3(J2);
    tr_vec3_put(tr_scale3(-1.0, C1), J1 + 3);
    tr_vec3_put(C2, J2 + 3);
}

// Marker 2 is not turned against marker 1 about one of the axes of marker 2 (0, 1, 2: x, y, z), in
// the sense of the vector part of p:
//
//     phi = 2 p_i,    phi' = g.w,    phi'' = g.w' - |w|^2 phi / 4
//     g = (p_w, -p_z, p_y), (p_z, p_w, -p_x), (-p_y, p_x, p_w)    for i = x, y, z
//
// x and y together: z of both markers is parallel, for |phi| = 2 sin(half the angle between them)
// is largest where they are opposite; such a pose is no solution. All three: the markers coincide.
static inline void tr_row_turn3(const trMotion3 *m1, const trMotion3 *m2, const trMarker3 *k2,
                                const trRelative3 *rel, int axis, trJointRows *out) {
    trQuat p = rel->p;
    trVec3 g = axis == 0   ? (trVec3){p.w, -p.z, p.y}
               : axis == 1 ? (trVec3){p.z, p.w, -p.x}
                           : (trVec3){-p.y, p.x, p.w};
    double component = axis == 0 ? p.x : axis == 1 ? p.y : p.z;

    out->phi[0] = 2.0 * component;
    tr_write_turn3(m1, m2, k2, g, out->J[0], out->J[1]);
    out->b1[0] = 0.0;
    out->b[0] = 0.5 * tr_dot3(rel->w, rel->w) * component - tr_dot3(g, rel->c);
}

// The rows of axes first ... end - 1, from `row` on.
static inline void tr_rows_turn3(const trMotion3 *const *m, const trMarker3 *k1,
                                 const trMarker3 *k2, int first, int end, int row,
                                 trJointRows *out) {
    trRelative3 rel = tr_relative3(m[0], m[1], k1, k2);
    for (int axis = first; axis < end; axis++) {
        trJointRows turn = tr_rows_from(out, row + axis - first);
        tr_row_turn3(m[0], m[1], k2, &rel, axis, &turn);
    }
}

// `raw` plus the whole number of periods that brings it nearest to `near`.
static inline double tr_unwrap(double raw, double near, double period) {
    return raw + period * round((near - raw) / period);
}

// How far marker 2 is turned about z against marker 1: the angle of the rotation about z that is
// left when the shortest one that makes the z axes parallel is taken away. In axes of marker 2:
//
//     angle   = 2 atan2(p_z, p_w)         repeats after two turns
//     angle'  = g.w                       g = (h_x, h_y, 1)
//     angle'' = g.w' + drift              drift = (g.w) (h_y w_x - h_x w_y)
//     h_x = (p_x p_z - p_w p_y) / (p_w^2 + p_z^2),    h_y = (p_w p_x + p_y p_z) / (p_w^2 + p_z^2)
//
// from p' = p w / 2: with k = h_y - i h_x = (p_x + i p_y) / (p_w + i p_z) and W = w_x + i w_y it
// gives k' = W / 2 - i w_z k + k^2 conj(W) / 2. Not a number where the z axes are opposite, and
// only there.
typedef struct trTwist3 {
    double angle;  // in (-2 pi, 2 pi] [rad]
    trVec3 g;
    double drift;  // [rad/s^2]
} trTwist3;

#define TR_TWIST_PERIOD (4.0 * 3.14159265358979323846)  // [rad]

static inline trTwist3 tr_twist3(const trRelative3 *rel) {
    trQuat p = rel->p;
    trVec3 w = rel->w;
    double k = 1.0 / (p.w * p.w + p.z * p.z);
    trVec3 g = {k * (p.x * p.z - p.w * p.y), k * (p.w * p.x + p.y * p.z), 1.0};
    return (trTwist3){2.0 * atan2(p.z, p.w), g, tr_dot3(g, w) * (g.y * w.x - g.x * w.y)};
}

// The row phi = angle of tr_twist3, counted on from `near`; `turn` receives it.
static inline void tr_row_twist3(const trMotion3 *m1, const trMotion3 *m2, const trMarker3 *k2,
                                 const trRelative3 *rel, double near, double *turn,
                                 trJointRows *out) {
    trTwist3 twist = tr_twist3(rel);
    *turn = tr_unwrap(twist.angle, near, TR_TWIST_PERIOD);
    out->phi[0] = *turn;
    tr_write_turn3(m1, m2, k2, twist.g, out->J[0], out->J[1]);
    out->b1[0] = 0.0;
    out->b[0] = -twist.drift - tr_dot3(twist.g, rel->c);
}

// The same by itself, not counted.
static inline void tr_row_angle3(const trMotion3 *m1, const trMotion3 *m2, const trMarker3 *k1,
                                 const trMarker3 *k2, trJointRows *out) {
    trRelative3 rel = tr_relative3(m1, m2, k1, k2);
    double      turn;
    tr_row_twist3(m1, m2, k2, &rel, 0.0, &turn, out);
}

#endif
