// SPDX-License-Identifier: MIT
// Knife edge: a point of body 2 moves over body 1 only along a blade that is fixed in body 2 (a
// skate, a wheel that rolls upright). Nonholonomic: it constrains velocities only.
//
//     u = R2 axis2,  n = z x u        the blade and its normal,  u' = omega2 n,  n' = -omega2 u
//     s2 = R2 p2,  e = r2 + s2 - r1   the point from body 2's and from body 1's center of mass
//     slip = v2 + omega2 (z x s2) - v1 - omega1 (z x e)
//     psi = n.slip                    [m/s]
//     J1  = (-n, -u.e)        J2 = (n, u.s2)
//     b   = omega2^2 n.s2 + omega1 u.e' + omega2 u.slip
//
// where z x n = -u has turned n.(z x e) into u.e, and likewise for e'.

#include <math.h>

#include "joint/shared.h"

typedef struct KnifeEdge {
    trVec2 point;   // in the world, at the start [m]
    trVec2 point2;  // in axes of body 2; prepared: from its center of mass [m]
    trVec2 axis;    // the blade in the world, at the start
    trVec2 axis2;   // the blade in axes of body 2
} KnifeEdge;

static const trField fields[] = {
    TR_FIELD(KnifeEdge, point, TR_FIELD_VEC2, 0, NAN, "m",
             "where the blade touches, in the world at the start; no point given: the frame origin "
             "of body 2"),
    TR_FIELD(KnifeEdge, point2, TR_FIELD_VEC2, 0, NAN, "m",
             "where the blade touches, in axes of body 2, instead of point"),
    TR_FIELD(KnifeEdge, axis, TR_FIELD_VEC2, 0, NAN, "",
             "direction of the blade, in the world at the start; default: x of body 2"),
    TR_FIELD(KnifeEdge, axis2, TR_FIELD_VEC2, 0, NAN, "",
             "direction of the blade in axes of body 2, instead of axis"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place) {
    KnifeEdge *p = params;
    trVec2     unused = {NAN, NAN};  // the point has no partner on body 1
    TR_TRY(tr_place_axis(p->axis, &p->axis2, &place[1], "axis2"));
    return tr_place_point(p->point, &unused, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const KnifeEdge *p = params;

    trVec2 u = tr_rotate2(m[1]->c, m[1]->s, p->axis2), n = tr_perp2(u);
    trVec2 s2 = tr_arm2(m[1], p->point2);
    trVec2 e = tr_sub2(tr_add2(m[1]->r, s2), m[0]->r);
    trVec2 e_dot = tr_sub2(tr_arm_velocity2(m[1], s2), m[0]->v);
    trVec2 slip = tr_sub2(e_dot, tr_scale2(m[0]->omega, tr_perp2(e)));

    tr_write_side2(-n.x, -n.y, -tr_dot2(u, e), out->J[0]);
    tr_write_side2(n.x, n.y, tr_dot2(u, s2), out->J[1]);
    out->b1[0] = 0.0;
    out->b[0] = m[1]->omega * m[1]->omega * tr_dot2(n, s2) + m[0]->omega * tr_dot2(u, e_dot) +
                m[1]->omega * tr_dot2(u, slip);
}

// The change of J, with u_angle2 = n, n_angle2 = -u, e_r1 = -I, e_r2 = I, e_angle2 = z x s2 and
// r = r2 - r1 = e - s2; u.s2 does not change, because both turn with body 2:
//
//     d(n)/d(angle2) = -u
//     d(u.e)/d(r1, r2, angle2) = (-u, u, n.e + u.(z x s2)) = (-u, u, n.r)
static void tangent(const void *params, const trMotion2 *const *m, const double *lambda,
                    double *K) {
    const KnifeEdge *p = params;

    trVec2 u = tr_scale2(lambda[0], tr_rotate2(m[1]->c, m[1]->s, p->axis2)), n = tr_perp2(u);
    double turn = tr_dot2(n, tr_sub2(m[1]->r, m[0]->r));
    K[6 * 0 + 5] += u.x;
    K[6 * 1 + 5] += u.y;
    K[6 * 2 + 0] += u.x;
    K[6 * 2 + 1] += u.y;
    K[6 * 2 + 3] -= u.x;
    K[6 * 2 + 4] -= u.y;
    K[6 * 2 + 5] -= turn;
    K[6 * 3 + 5] -= u.x;
    K[6 * 4 + 5] -= u.y;
}

// psi = n.(v2 - v1) + omega2 u.s2 - omega1 u.e, differentiated as above:
//
//     N_r1 = omega1 u        N_r2 = -omega1 u        N_angle2 = -u.(v2 - v1) - omega1 n.r
static void rate_tangent(const void *params, const trMotion2 *const *m, double *N) {
    const KnifeEdge *p = params;

    trVec2 u = tr_rotate2(m[1]->c, m[1]->s, p->axis2), n = tr_perp2(u);
    N[0] = m[0]->omega * u.x;
    N[1] = m[0]->omega * u.y;
    N[2] = 0.0;
    N[3] = -m[0]->omega * u.x;
    N[4] = -m[0]->omega * u.y;
    N[5] = -tr_dot2(u, tr_sub2(m[1]->v, m[0]->v)) -
           m[0]->omega * tr_dot2(n, tr_sub2(m[1]->r, m[0]->r));
}

const trJointKind tr_joint_planar_knife_edge = {
    .name = "knife_edge",
    .summary = "lets a point of body 2 move only along a blade fixed in body 2 (skate)",
    .example = "point2 = { 0.2, 0.1 }, axis2 = { 1, 0.4 }",
    .dim = 2,
    .rows = 1,
    .nonholonomic = 1,
    .row_units = {"m"},
    .size = sizeof(KnifeEdge),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the point of contact",
    .reaction_point = offsetof(KnifeEdge, point2),
    .tangent = tangent,
    .rate_tangent = rate_tangent,
};
