// SPDX-License-Identifier: MIT
// Tangents of rows that pull two bodies against each other: a force F on body 2 with the arm x2
// from its center of mass, and -F on body 1 with the arm x1,
//
//     J' lambda = (-F, -R1'(x1 x F), F, R2'(x2 x F))
//
// How F and the arms change is the kind's business. A tangent is made column by column: one for
// each of the 12 ways to shift the bodies a little.

#ifndef TR_JOINT_TANGENTS3_PULL_H
#define TR_JOINT_TANGENTS3_PULL_H

#include "joint/contact3.h"

// A small shift of the two bodies, in world axes: of the centers of mass, and turns.
typedef struct trShift3 {
    trVec3 r1, turn1, r2, turn2;
} trShift3;

// A force and its arms, or how they change with a shift.
typedef struct trPull3 {
    trVec3 F, x1, x2;
} trPull3;

// The shift along one coordinate: world axes for the centers, body axes for the turns.
static inline trShift3 tr_shift3(const trMotion3 *m1, const trMotion3 *m2, int column) {
    const trMat3  world = tr_identity3();
    const trMat3 *axes[4] = {&world, &m1->R, &world, &m2->R};
    const trMat3 *of = axes[column / 3];
    trShift3      shift = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    trVec3 *const part[4] = {&shift.r1, &shift.turn1, &shift.r2, &shift.turn2};
    *part[column / 3] = column % 3 == 0 ? of->x : column % 3 == 1 ? of->y : of->z;
    return shift;
}

// Adds `a` to three rows of a column of K (12 x 12).
static inline void tr_add_to_column3(trVec3 a, int row, int column, double *K) {
    K[12 * row + column] += a.x;
    K[12 * (row + 1) + column] += a.y;
    K[12 * (row + 2) + column] += a.z;
}

// The change of R'(x x F): R'(dx x F + x x dF - turn x (x x F)).
static inline trVec3 tr_moment_change3(const trMotion3 *m, trVec3 turn, trVec3 x, trVec3 dx,
                                       const trPull3 *pull, const trPull3 *change) {
    trVec3 moved = tr_add3(tr_cross3(dx, pull->F), tr_cross3(x, change->F));
    trVec3 turned = tr_cross3(turn, tr_cross3(x, pull->F));
    return tr_unrotate3(&m->R, tr_sub3(moved, turned));
}

// Adds the change of J' lambda under a shift to a column of K.
static inline void tr_tangent_column3(const trMotion3 *m1, const trMotion3 *m2,
                                      const trShift3 *shift, const trPull3 *pull,
                                      const trPull3 *change, int column, double *K) {
    trVec3 M1 = tr_moment_change3(m1, shift->turn1, pull->x1, change->x1, pull, change);
    trVec3 M2 = tr_moment_change3(m2, shift->turn2, pull->x2, change->x2, pull, change);
    tr_add_to_column3(tr_scale3(-1.0, change->F), 0, column, K);
    tr_add_to_column3(tr_scale3(-1.0, M1), 3, column, K);
    tr_add_to_column3(change->F, 6, column, K);
    tr_add_to_column3(M2, 9, column, K);
}

// The change of the slip under a shift, with the velocities v, W kept: omega = R W turns along.
//
//     d slip = (turn2 x omega2) x x2 + omega2 x dx2 - (turn1 x omega1) x x1 - omega1 x dx1
static inline trVec3 tr_slip_change3(const trMotion3 *m1, const trMotion3 *m2,
                                     const trShift3 *shift, const trPull3 *pull,
                                     const trPull3 *change) {
    trVec3 of2 =
        tr_add3(tr_cross3(tr_cross3(shift->turn2, m2->w), pull->x2), tr_cross3(m2->w, change->x2));
    trVec3 of1 =
        tr_add3(tr_cross3(tr_cross3(shift->turn1, m1->w), pull->x1), tr_cross3(m1->w, change->x1));
    return tr_sub3(of2, of1);
}

// tr_row_distance3: F = lambda u, with the arms s1, s2 of the points.
//
//     du = (dd - u (u.dd)) / l,    dd = dr2 + turn2 x s2 - dr1 - turn1 x s1
static inline void tr_tangent_distance3(const trMotion3 *m1, const trMotion3 *m2, trVec3 p1,
                                        trVec3 p2, double lambda, double *K) {
    trVec3  s1 = tr_arm3(m1, p1), s2 = tr_arm3(m2, p2);
    trVec3  d = tr_sub3(tr_add3(m2->r, s2), tr_add3(m1->r, s1));
    double  l = tr_length3(d);
    trVec3  u = tr_scale3(1.0 / l, d);
    trPull3 pull = {tr_scale3(lambda, u), s1, s2};
    for (int column = 0; column < 12; column++) {
        trShift3 shift = tr_shift3(m1, m2, column);
        trVec3   ds1 = tr_cross3(shift.turn1, s1), ds2 = tr_cross3(shift.turn2, s2);
        trVec3   dd = tr_sub3(tr_add3(shift.r2, ds2), tr_add3(shift.r1, ds1));
        trPull3  change = {tr_scale3(lambda, tr_unit_rate3(u, l, dd)), ds1, ds2};
        tr_tangent_column3(m1, m2, &shift, &pull, &change, column, K);
    }
}

#endif
