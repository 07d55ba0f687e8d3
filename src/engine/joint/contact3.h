// SPDX-License-Identifier: MIT
// Rows of two points that move against each other: their distance, and the slip of one body over
// the other where they touch.

#ifndef TR_JOINT_CONTACT3_H
#define TR_JOINT_CONTACT3_H

#include "joint/spatial.h"

// The distance of two points, with d = P2 - P1, l = |d|, u = d / l and the arms s1, s2:
//
//     phi  = l
//     phi' = u.v2 + omega2.(s2 x u) - u.v1 - omega1.(s1 x u)
//     b    = u.(omega1 x (omega1 x s1)) - u.(omega2 x (omega2 x s2)) - |u x d'|^2 / l
//
// Not a number where the points coincide, for want of a direction.
static inline void tr_row_distance3(const trMotion3 *m1, const trMotion3 *m2, trVec3 p1, trVec3 p2,
                                    trJointRows *out) {
    trVec3 s1 = tr_arm3(m1, p1), s2 = tr_arm3(m2, p2);
    trVec3 d = tr_sub3(tr_add3(m2->r, s2), tr_add3(m1->r, s1));
    trVec3 d_dot = tr_sub3(tr_arm_velocity3(m2, s2), tr_arm_velocity3(m1, s1));
    double l = tr_length3(d);
    trVec3 u = tr_scale3(1.0 / l, d), across = tr_cross3(u, d_dot);

    out->phi[0] = l;
    tr_write_side3(m1, tr_scale3(-1.0, u), tr_cross3(u, s1), out->J[0]);
    tr_write_side3(m2, u, tr_cross3(s2, u), out->J[1]);
    out->b1[0] = 0.0;
    out->b[0] = tr_dot3(u, tr_sub3(tr_centripetal3(m1, s1), tr_centripetal3(m2, s2))) -
                tr_dot3(across, across) / l;
}

// The velocity of body 2's material at a place less that of body 1's, with the arms x1, x2 of that
// place from the two centers of mass:
//
//     slip = v2 + omega2 x x2 - v1 - omega1 x x1
static inline trVec3 tr_slip3(const trMotion3 *m1, const trMotion3 *m2, trVec3 x1, trVec3 x2) {
    return tr_sub3(tr_arm_velocity3(m2, x2), tr_arm_velocity3(m1, x1));
}

// A component of the slip at P in a direction f, where both move as they like. With x1 = P - r1 and
// x2 = P - r2:
//
//     psi = f.slip
//         = f.v2 + omega2.(x2 x f) - f.v1 - omega1.(x1 x f)
//     b   = -f'.slip - f.(omega2 x (P' - v2) - omega1 x (P' - v1))
//
// Writes no phi: that is the caller's, if there is one.
static inline void tr_row_slip3(const trMotion3 *m1, const trMotion3 *m2, trVec3 P, trVec3 P_dot,
                                trVec3 f, trVec3 f_dot, trJointRows *out) {
    trVec3 x1 = tr_sub3(P, m1->r), x2 = tr_sub3(P, m2->r);
    trVec3 moved =
        tr_sub3(tr_cross3(m2->w, tr_sub3(P_dot, m2->v)), tr_cross3(m1->w, tr_sub3(P_dot, m1->v)));

    tr_write_side3(m1, tr_scale3(-1.0, f), tr_cross3(f, x1), out->J[0]);
    tr_write_side3(m2, f, tr_cross3(x2, f), out->J[1]);
    out->b1[0] = 0.0;
    out->b[0] = -tr_dot3(f_dot, tr_slip3(m1, m2, x1, x2)) - tr_dot3(f, moved);
}

// The rate of the unit vector h / |h|, from `unit` itself, |h| and h'.
static inline trVec3 tr_unit_rate3(trVec3 unit, double length, trVec3 h_dot) {
    return tr_scale3(1.0 / length, tr_add_scaled3(h_dot, -tr_dot3(unit, h_dot), unit));
}

#endif
