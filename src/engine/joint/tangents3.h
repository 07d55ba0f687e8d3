// SPDX-License-Identifier: MIT
// Tangents of the rows in joint/spatial.h, for implicit methods: how J' lambda changes with q. Of
// body i the coordinates move by r += dr and u = u exp(dtheta), with dtheta in body axes; forces
// are in world axes, moments in body axes. K (12 x 12, row after row: force 1, moment 1, force 2,
// moment 2 against dr1, dtheta1, dr2, dtheta2) gains the derivatives.
//
// Used throughout, with B = R1' R2 (from axes of body 2 to those of body 1) and [a] b = a x b:
//
//     d(R1 a) = -R1 [a] dtheta1
//     d(B a)  = [B a] dtheta1 - B [a] dtheta2         d(B' a) = [B' a] dtheta2 - B' [a] dtheta1

#ifndef TR_JOINT_TANGENTS3_H
#define TR_JOINT_TANGENTS3_H

#include "joint/spatial.h"

// Where the parts of a body begin among the twelve.
enum {
    TR_FORCE_1 = 0,
    TR_MOMENT_1 = 3,
    TR_FORCE_2 = 6,
    TR_MOMENT_2 = 9,
};

static inline trMat3 tr_mul33(const trMat3 *A, const trMat3 *B) {
    return (trMat3){tr_rotate3(A, B->x), tr_rotate3(A, B->y), tr_rotate3(A, B->z)};
}

// [a], and the product [a] M.
static inline trMat3 tr_skew3(trVec3 a) {
    return (trMat3){{0.0, a.z, -a.y}, {-a.z, 0.0, a.x}, {a.y, -a.x, 0.0}};
}

static inline trMat3 tr_cross33(trVec3 a, const trMat3 *M) {
    return (trMat3){tr_cross3(a, M->x), tr_cross3(a, M->y), tr_cross3(a, M->z)};
}

// R1' R2
static inline trMat3 tr_between33(const trMotion3 *m1, const trMotion3 *m2) {
    return (trMat3){tr_unrotate3(&m1->R, m2->R.x), tr_unrotate3(&m1->R, m2->R.y),
                    tr_unrotate3(&m1->R, m2->R.z)};
}

// The block of K at (row, column) gains k M.
static inline void tr_gain33(double *K, int row, int column, double k, const trMat3 *M) {
    const trVec3 columns[3] = {M->x, M->y, M->z};
    for (int j = 0; j < 3; j++) {
        double *at = K + 12 * row + column + j;
        at[0] += k * columns[j].x;
        at[12] += k * columns[j].y;
        at[24] += k * columns[j].z;
    }
}

// K of n bodies (6 n x 6 n) gains that of two of them (12 x 12).
static inline void tr_gain_pair3(double *K, int n, int first, int second, const double *pair) {
    const int body[2] = {first, second};
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++) {
            int row = 6 * body[i / 6] + i % 6, column = 6 * body[j / 6] + j % 6;
            K[6 * n * row + column] += pair[12 * i + j];
        }
    }
}

// tr_rows_point3, with L = (lambda of the three rows), a force in the world. Forces stay; the
// moments are p2 x R2'L and -p1 x R1'L:
//
//     dmoment2 = [p2][R2'L] dtheta2           dmoment1 = -[p1][R1'L] dtheta1
static inline void tr_tangent_point3(const trMotion3 *m1, const trMotion3 *m2, trVec3 p1, trVec3 p2,
                                     const double *lambda, double *K) {
    trVec3 L = {lambda[0], lambda[1], lambda[2]};
    trMat3 L1 = tr_skew3(tr_unrotate3(&m1->R, L)), L2 = tr_skew3(tr_unrotate3(&m2->R, L));
    trMat3 D1 = tr_cross33(p1, &L1), D2 = tr_cross33(p2, &L2);
    tr_gain33(K, TR_MOMENT_1, TR_MOMENT_1, -1.0, &D1);
    tr_gain33(K, TR_MOMENT_2, TR_MOMENT_2, 1.0, &D2);
}

// Rows tr_row_along3 of the same points, with N = the sum of lambda n1, in axes of body 1. With
// e = R1'(P2 - r1):
//
//     force2  = R1 N = -force1,      moment2 = p2 x B'N,      moment1 = N x e
//     dforce2 = -R1 [N] dtheta1 = -dforce1
//     dmoment2 = [p2] ([B'N] dtheta2 - B'[N] dtheta1)
//     dmoment1 = [N] de,             de = R1'(dr2 - dr1) - B [p2] dtheta2 + [e] dtheta1
static inline void tr_tangent_along3(const trMotion3 *m1, const trMotion3 *m2, trVec3 p2, trVec3 N,
                                     double *K) {
    trMat3 B = tr_between33(m1, m2), Bt = tr_transpose33(&B), Rt = tr_transpose33(&m1->R);
    trMat3 N1 = tr_skew3(N), N2 = tr_skew3(tr_unrotate3(&B, N)), arm = tr_skew3(p2);
    trMat3 e = tr_skew3(tr_unrotate3(&m1->R, tr_sub3(tr_point3(m2, p2), m1->r)));

    trMat3 force = tr_mul33(&m1->R, &N1);
    tr_gain33(K, TR_FORCE_1, TR_MOMENT_1, 1.0, &force);
    tr_gain33(K, TR_FORCE_2, TR_MOMENT_1, -1.0, &force);

    trMat3 own = tr_cross33(p2, &N2), other = tr_mul33(&Bt, &N1);
    other = tr_cross33(p2, &other);
    tr_gain33(K, TR_MOMENT_2, TR_MOMENT_2, 1.0, &own);
    tr_gain33(K, TR_MOMENT_2, TR_MOMENT_1, -1.0, &other);

    trMat3 shift = tr_cross33(N, &Rt), turn1 = tr_cross33(N, &e), turn2 = tr_mul33(&B, &arm);
    turn2 = tr_cross33(N, &turn2);
    tr_gain33(K, TR_MOMENT_1, TR_FORCE_1, -1.0, &shift);
    tr_gain33(K, TR_MOMENT_1, TR_FORCE_2, 1.0, &shift);
    tr_gain33(K, TR_MOMENT_1, TR_MOMENT_1, 1.0, &turn1);
    tr_gain33(K, TR_MOMENT_1, TR_MOMENT_2, -1.0, &turn2);
}

// tr_row_perpendicular3. With a1, a2 in axes of their bodies:
//
//     moment2 = lambda a2 x B'a1,      dmoment2 = lambda [a2] ([B'a1] dtheta2 - B'[a1] dtheta1)
//     moment1 = lambda a1 x B a2,      dmoment1 = lambda [a1] ([B a2] dtheta1 - B [a2] dtheta2)
static inline void tr_tangent_perpendicular3(const trMotion3 *m1, const trMotion3 *m2, trVec3 a1,
                                             trVec3 a2, double lambda, double *K) {
    trMat3 B = tr_between33(m1, m2), Bt = tr_transpose33(&B);
    trMat3 A1 = tr_skew3(a1), A2 = tr_skew3(a2);
    trMat3 other1 = tr_skew3(tr_rotate3(&B, a2)), other2 = tr_skew3(tr_unrotate3(&B, a1));
    trMat3 K11 = tr_cross33(a1, &other1), K22 = tr_cross33(a2, &other2);
    trMat3 K12 = tr_mul33(&B, &A2), K21 = tr_mul33(&Bt, &A1);
    K12 = tr_cross33(a1, &K12);
    K21 = tr_cross33(a2, &K21);
    tr_gain33(K, TR_MOMENT_1, TR_MOMENT_1, lambda, &K11);
    tr_gain33(K, TR_MOMENT_1, TR_MOMENT_2, -lambda, &K12);
    tr_gain33(K, TR_MOMENT_2, TR_MOMENT_1, -lambda, &K21);
    tr_gain33(K, TR_MOMENT_2, TR_MOMENT_2, lambda, &K22);
}

// The moment that rows on the relative rotation exert, sum of lambda g, and its change with that
// rotation, dg = G d where p changes by p d / 2; both in axes of marker 2.
typedef struct trTurnLoad3 {
    trVec3 g;
    trMat3 G;
} trTurnLoad3;

// Rows tr_row_turn3, with l = their lambda about x, y, z (zero where there is no row), and P the
// vector part of p:
//
//     g = p_w l + l x P,      2 G = p_w [l] - l P' + P l' - (l.P) I
static inline trTurnLoad3 tr_load_turn3(trQuat p, trVec3 l) {
    trVec3 P = tr_quat_vector(p), g = tr_add_scaled3(tr_cross3(l, P), p.w, l);
    double lP = tr_dot3(l, P);
    trMat3 skew = tr_skew3(l);
    trVec3 columns[3] = {skew.x, skew.y, skew.z};
    for (int j = 0; j < 3; j++) {
        double Pj = j == 0 ? P.x : j == 1 ? P.y : P.z, lj = j == 0 ? l.x : j == 1 ? l.y : l.z;
        trVec3 diagonal = {j == 0 ? lP : 0.0, j == 1 ? lP : 0.0, j == 2 ? lP : 0.0};
        trVec3 column = tr_sub3(tr_scale3(p.w, columns[j]), diagonal);
        column = tr_add_scaled3(tr_add_scaled3(column, -Pj, l), lj, P);
        columns[j] = tr_scale3(0.5, column);
    }
    return (trTurnLoad3){g, {columns[0], columns[1], columns[2]}};
}

// tr_row_twist3. With h of tr_twist3, k = h_y - i h_x and W = d_x + i d_y:
//
//     g = lambda (h_x, h_y, 1),      dk = W / 2 - i d_z k + k^2 conj(W) / 2
static inline trTurnLoad3 tr_load_twist3(const trRelative3 *rel, double lambda) {
    trVec3 h = tr_twist3(rel).g;
    double square = 0.5 * (h.y * h.y - h.x * h.x), product = h.x * h.y;
    trMat3 G = {{product, 0.5 + square, 0.0}, {square - 0.5, -product, 0.0}, {h.y, -h.x, 0.0}};
    return (trTurnLoad3){tr_scale3(lambda, h),
                         {tr_scale3(lambda, G.x), tr_scale3(lambda, G.y), tr_scale3(lambda, G.z)}};
}

// Two loads on the same markers.
static inline trTurnLoad3 tr_load_sum3(trTurnLoad3 a, trTurnLoad3 b) {
    return (trTurnLoad3){tr_add3(a.g, b.g),
                         {tr_add3(a.G.x, b.G.x), tr_add3(a.G.y, b.G.y), tr_add3(a.G.z, b.G.z)}};
}

// The tangent of such a load. With x = K2 g, H = K2 G K2', y = B x, and the relative rotation
// dtheta2 - B'dtheta1 in axes of body 2:
//
//     moment2 = x,             dmoment2 = H (dtheta2 - B'dtheta1)
//     moment1 = -B x,          dmoment1 = -B H (dtheta2 - B'dtheta1) - [y] dtheta1 + [y] B dtheta2
static inline void tr_tangent_turn3(const trMotion3 *m1, const trMotion3 *m2, const trMarker3 *k2,
                                    const trTurnLoad3 *load, double *K) {
    trMat3 B = tr_between33(m1, m2), Bt = tr_transpose33(&B), back = tr_transpose33(&k2->K);
    trMat3 H = tr_mul33(&load->G, &back);
    H = tr_mul33(&k2->K, &H);
    trVec3 y = tr_rotate3(&B, tr_rotate3(&k2->K, load->g));
    trMat3 turn = tr_skew3(y), turn_B = tr_cross33(y, &B);
    trMat3 HBt = tr_mul33(&H, &Bt), BH = tr_mul33(&B, &H), BHBt = tr_mul33(&B, &HBt);
    tr_gain33(K, TR_MOMENT_2, TR_MOMENT_2, 1.0, &H);
    tr_gain33(K, TR_MOMENT_2, TR_MOMENT_1, -1.0, &HBt);
    tr_gain33(K, TR_MOMENT_1, TR_MOMENT_2, -1.0, &BH);
    tr_gain33(K, TR_MOMENT_1, TR_MOMENT_2, 1.0, &turn_B);
    tr_gain33(K, TR_MOMENT_1, TR_MOMENT_1, 1.0, &BHBt);
    tr_gain33(K, TR_MOMENT_1, TR_MOMENT_1, -1.0, &turn);
}

// tr_row_turn3 rows of one pair of markers, with l = their lambda about x, y, z.
static inline void tr_tangent_turns3(const trMotion3 *m1, const trMotion3 *m2, const trMarker3 *k1,
                                     const trMarker3 *k2, trVec3 l, double *K) {
    trTurnLoad3 load = tr_load_turn3(tr_relative3(m1, m2, k1, k2).p, l);
    tr_tangent_turn3(m1, m2, k2, &load, K);
}

#endif
