// SPDX-License-Identifier: MIT
// What several planar kinds share for implicit methods: how the rows of joint/shared.h change with
// the positions. A holonomic row has J = dphi/dq, so that d(J' lambda)/dq is lambda times the
// second derivatives of phi.
//
// q = (x1, y1, angle1, x2, y2, angle2); matrices are 6 x 6, row after row. With the arms s1, s2,
// d = P2 - P1 has the derivatives
//
//     d_r1 = -I       d_angle1 = -z x s1       d_angle1,angle1 =  s1
//     d_r2 =  I       d_angle2 =  z x s2       d_angle2,angle2 = -s2       all others zero

#ifndef TR_JOINT_TANGENTS_H
#define TR_JOINT_TANGENTS_H

#include <math.h>

#include "joint/joint.h"

// K of n bodies (3 n x 3 n) gains that of two of them (6 x 6).
static inline void tr_gain_pair2(double *K, int n, int first, int second, const double *pair) {
    const int body[2] = {first, second};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            int row = 3 * body[i / 3] + i % 3, column = 3 * body[j / 3] + j % 3;
            K[3 * n * row + column] += pair[6 * i + j];
        }
    }
}

// Entries (i, j) and (j, i), i != j, of a symmetric gain.
static inline void tr_tangent_pair2(double *K, int i, int j, double gain) {
    K[6 * i + j] += gain;
    K[6 * j + i] += gain;
}

// tr_rows_pin2: phi = d, so only the turning arms count.
//
//     K_angle1,angle1 = lambda.s1        K_angle2,angle2 = -lambda.s2
static inline void tr_tangent_pin2(const trMotion2 *m1, const trMotion2 *m2, trVec2 p1, trVec2 p2,
                                   const double *lambda, double *K) {
    trVec2 force = {lambda[0], lambda[1]};
    K[6 * 2 + 2] += tr_dot2(force, tr_arm2(m1, p1));
    K[6 * 5 + 5] -= tr_dot2(force, tr_arm2(m2, p2));
}

// tr_row_along2: phi = w.d with w fixed in body 1, so that w_angle1 = z x w, and
// (z x w).(z x s) = w.s.
//
//     K_r1,angle1     = -lambda (z x w)              K_r2,angle1     = lambda (z x w)
//     K_angle1,angle1 = -lambda w.(s1 + d)           K_angle1,angle2 = lambda w.s2
//     K_angle2,angle2 = -lambda w.s2
static inline void tr_tangent_along2(const trMotion2 *m1, const trMotion2 *m2, trVec2 p1, trVec2 p2,
                                     trVec2 w1, double lambda, double *K) {
    trVec2 w = tr_scale2(lambda, tr_rotate2(m1->c, m1->s, w1)), across = tr_perp2(w);
    trVec2 s2 = tr_arm2(m2, p2);
    trVec2 d = tr_sub2(tr_add2(m2->r, s2), tr_add2(m1->r, tr_arm2(m1, p1)));
    trVec2 end = tr_add2(tr_arm2(m1, p1), d);  // P2 from the center of mass of body 1
    tr_tangent_pair2(K, 0, 2, -across.x);
    tr_tangent_pair2(K, 1, 2, -across.y);
    tr_tangent_pair2(K, 3, 2, across.x);
    tr_tangent_pair2(K, 4, 2, across.y);
    tr_tangent_pair2(K, 5, 2, tr_dot2(w, s2));
    K[6 * 2 + 2] -= tr_dot2(w, end);
    K[6 * 5 + 5] -= tr_dot2(w, s2);
}

// The distance l = |d| of two points with its first and second derivatives.
typedef struct trDistance2 {
    double l;      // [m]
    double J[6];   // dl/dq
    double H[36];  // second derivatives, 6 x 6
} trDistance2;

// With u = d / l and n = z x u:
//
//     J_i  = u.d_i
//     H_ij = (n.d_i) (n.d_j) / l + u.d_ij        because I - u u' = n n' in the plane
//
// J and H are not numbers where the points coincide, for want of a direction.
static inline trDistance2 tr_distance2(const trMotion2 *m1, const trMotion2 *m2, trVec2 p1,
                                       trVec2 p2) {
    trVec2 s1 = tr_arm2(m1, p1), s2 = tr_arm2(m2, p2);
    trVec2 d = tr_sub2(tr_add2(m2->r, s2), tr_add2(m1->r, s1));
    double l = sqrt(tr_dot2(d, d));
    trVec2 u = tr_scale2(1.0 / l, d), n = tr_perp2(u);
    double turn1 = tr_dot2(u, s1), turn2 = tr_dot2(u, s2);

    trDistance2 out = {.l = l, .J = {-u.x, -u.y, tr_cross2(u, s1), u.x, u.y, tr_cross2(s2, u)}};
    double      across[6] = {-n.x, -n.y, -turn1, n.x, n.y, turn2};  // n.d_i
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            out.H[6 * i + j] = across[i] * across[j] / l;
        }
    }
    out.H[6 * 2 + 2] += turn1;
    out.H[6 * 5 + 5] -= turn2;
    return out;
}

// tr_row_distance2: K = lambda H.
static inline void tr_tangent_distance2(const trMotion2 *m1, const trMotion2 *m2, trVec2 p1,
                                        trVec2 p2, double lambda, double *K) {
    trDistance2 distance = tr_distance2(m1, m2, p1, p2);
    for (int i = 0; i < 36; i++) {
        K[i] += lambda * distance.H[i];
    }
}

#endif
