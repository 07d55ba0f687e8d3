// SPDX-License-Identifier: MIT
// What several kinds share: placing two ends, and the rows that more than one joint is made of.

#ifndef TR_JOINT_SHARED_H
#define TR_JOINT_SHARED_H

#include <math.h>

#include "joint/joint.h"

// Two ends, each given as `world1` (world, at the start) or `point1` (in body axes, from the frame
// origin), and likewise for body 2; one that is not given is the frame origin of its body. On
// return p1, p2 are relative to the centers of mass, in body axes, and `length` is the distance of
// the ends at the start.
trStatus tr_place_ends(trVec2 world1, trVec2 world2, trVec2 *p1, trVec2 *p2, const trPlace2 *place1,
                       const trPlace2 *place2, double *length);

// The same for a rod, which needs a direction: ends that coincide at the start are refused.
trStatus tr_place_rod(trVec2 world1, trVec2 world2, trVec2 *p1, trVec2 *p2, const trPlace2 *place1,
                      const trPlace2 *place2, double *length);

// One row of one body: a force along x and y, and a moment.
static inline void tr_write_side2(double fx, double fy, double moment, double *J) {
    J[0] = fx;
    J[1] = fy;
    J[2] = moment;
}

// Two points stay together: the rows of a pin. With the arms s1, s2 of the points:
//
//     phi = (r2 + s2) - (r1 + s1)
//     J1  = (-I, -z x s1)             J2 = (I, z x s2)
//     b   = omega2^2 s2 - omega1^2 s1
static inline void tr_rows_pin2(const trMotion2 *m1, const trMotion2 *m2, trVec2 p1, trVec2 p2,
                                trJointRows *out) {
    trVec2 s1 = tr_arm2(m1, p1), s2 = tr_arm2(m2, p2);
    double w1 = m1->omega * m1->omega, w2 = m2->omega * m2->omega;

    out->phi[0] = (m2->r.x + s2.x) - (m1->r.x + s1.x);
    out->phi[1] = (m2->r.y + s2.y) - (m1->r.y + s1.y);
    tr_write_side2(-1.0, 0.0, s1.y, out->J[0]);
    tr_write_side2(0.0, -1.0, -s1.x, out->J[0] + 3);
    tr_write_side2(1.0, 0.0, -s2.y, out->J[1]);
    tr_write_side2(0.0, 1.0, s2.x, out->J[1] + 3);
    out->b1[0] = 0.0;
    out->b1[1] = 0.0;
    out->b[0] = w2 * s2.x - w1 * s1.x;
    out->b[1] = w2 * s2.y - w1 * s1.y;
}

// The component of d = P2 - P1 along a unit vector w that is fixed in body 1. With the arms
// s1, s2 of the points, z x w the vector w turned by +90 degrees, and w' = omega1 (z x w):
//
//     phi = w.d
//     J1  = (-w, w x (s1 + d))        J2 = (w, s2 x w)
//     b   = omega2^2 w.s2 + omega1^2 w.(d - s1) - 2 omega1 (z x w).d'
static inline void tr_row_along2(const trMotion2 *m1, const trMotion2 *m2, trVec2 p1, trVec2 p2,
                                 trVec2 w1, trJointRows *out) {
    trVec2 w = tr_rotate2(m1->c, m1->s, w1);
    trVec2 s1 = tr_arm2(m1, p1), s2 = tr_arm2(m2, p2);
    trVec2 d = tr_sub2(tr_add2(m2->r, s2), tr_add2(m1->r, s1));
    trVec2 d_dot = tr_sub2(tr_arm_velocity2(m2, s2), tr_arm_velocity2(m1, s1));

    out->phi[0] = tr_dot2(w, d);
    tr_write_side2(-w.x, -w.y, tr_cross2(w, tr_add2(s1, d)), out->J[0]);
    tr_write_side2(w.x, w.y, tr_cross2(s2, w), out->J[1]);
    out->b1[0] = 0.0;
    out->b[0] = m2->omega * m2->omega * tr_dot2(w, s2) +
                m1->omega * m1->omega * tr_dot2(w, tr_sub2(d, s1)) -
                2.0 * m1->omega * tr_cross2(w, d_dot);
}

// The distance of two points, with d = P2 - P1, l = |d|, u = d / l and the arms s1, s2:
//
//     phi = l
//     J1  = (-u, u x s1)        J2 = (u, s2 x u)
//     b   = omega2^2 u.s2 - omega1^2 u.s1 - (u x d')^2 / l
//
// Not a number where the points coincide, for want of a direction.
static inline void tr_row_distance2(const trMotion2 *m1, const trMotion2 *m2, trVec2 p1, trVec2 p2,
                                    trJointRows *out) {
    trVec2 s1 = tr_arm2(m1, p1), s2 = tr_arm2(m2, p2);
    trVec2 d = tr_sub2(tr_add2(m2->r, s2), tr_add2(m1->r, s1));
    trVec2 d_dot = tr_sub2(tr_arm_velocity2(m2, s2), tr_arm_velocity2(m1, s1));
    double l = sqrt(tr_dot2(d, d));
    trVec2 u = tr_scale2(1.0 / l, d);
    double across = tr_cross2(u, d_dot);

    out->phi[0] = l;
    tr_write_side2(-u.x, -u.y, tr_cross2(u, s1), out->J[0]);
    tr_write_side2(u.x, u.y, tr_cross2(s2, u), out->J[1]);
    out->b1[0] = 0.0;
    out->b[0] = m2->omega * m2->omega * tr_dot2(u, s2) - m1->omega * m1->omega * tr_dot2(u, s1) -
                across * across / l;
}

// The tangent of constant rows.
static inline void tr_tangent_none2(const void *params, const trMotion2 *const *m,
                                    const double *lambda, double *K) {
}

// The angle of body 2 relative to body 1.
static inline void tr_row_angle2(const trMotion2 *m1, const trMotion2 *m2, int row,
                                 trJointRows *out) {
    tr_write_side2(0.0, 0.0, -1.0, out->J[0] + 3 * row);
    tr_write_side2(0.0, 0.0, 1.0, out->J[1] + 3 * row);
    out->phi[row] = m2->angle - m1->angle;
    out->b1[row] = 0.0;
    out->b[row] = 0.0;
}

#endif
