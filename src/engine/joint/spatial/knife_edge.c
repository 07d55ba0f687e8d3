// SPDX-License-Identifier: MIT
// Knife edge: a point of body 2 moves over a plane of body 1 only along a blade that is fixed in
// body 2 (a skate). It constrains velocities only, across the blade and in the plane; what keeps
// the point on the plane is a joint of its own.
//
//     n = R1 normal1,  u = R2 axis2          the normal of the plane, the blade
//     h = n x u,  s = h / |h|                across the blade
//     P = r2 + R2 p2                         where the blade touches, fixed in body 2
//     psi = s.slip                           [m/s]  slip: of body 2 over body 1 at P
//     h' = (omega1 x n) x u + n x (omega2 x u)
//
// The row, with J and b, is tr_row_slip3 in joint/contact3.h. Not a number where the blade stands
// upright on the plane, for want of a direction.

#include "joint/tangents3_pull.h"

#define UPRIGHT 1e-9  // sine of the angle of blade and normal at which a start is refused

typedef struct KnifeEdge {
    trVec3 point;            // in the world, at the start [m]
    trVec3 point2;           // in the frame of body 2; prepared: from its center of mass [m]
    trVec3 axis, axis2;      // the blade in the world at the start, and in body 2
    trVec3 normal, normal1;  // of the plane, in the world at the start, and in body 1
} KnifeEdge;

static const trField fields[] = {
    TR_FIELD(KnifeEdge, point, TR_FIELD_VEC3, 0, NAN, "m",
             "where the blade touches, in the world at the start; no point given: the frame origin "
             "of body 2"),
    TR_FIELD(KnifeEdge, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "where the blade touches, in the frame of body 2, instead of point"),
    TR_FIELD(KnifeEdge, axis, TR_FIELD_VEC3, 0, NAN, "",
             "direction of the blade, in the world at the start, instead of axis2; one is needed"),
    TR_FIELD(KnifeEdge, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "direction of the blade in the frame of body 2, instead of axis"),
    TR_FIELD(KnifeEdge, normal, TR_FIELD_VEC3, 0, NAN, "",
             "to the plane, in the world at the start, instead of normal1; one is needed"),
    TR_FIELD(KnifeEdge, normal1, TR_FIELD_VEC3, 0, NAN, "",
             "to the plane, in the frame of body 1, instead of normal"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    KnifeEdge *p = params;
    trVec3     unused = {NAN, NAN, NAN};  // the point has no partner on body 1
    TR_TRY(tr_place_axis3(p->axis, &p->axis2, &place[1], "axis", "axis2"));
    TR_TRY(tr_place_axis3(p->normal, &p->normal1, &place[0], "normal", "normal1"));
    trVec3 u = tr_quat_rotate(tr_place_turn3(&place[1]), p->axis2);
    trVec3 n = tr_quat_rotate(tr_place_turn3(&place[0]), p->normal1);
    if (tr_length3(tr_cross3(n, u)) < UPRIGHT) {
        return tr_fail(TR_E_MODEL, "the blade is normal to the plane; it must lie in it or lean");
    }
    return tr_place_point3(p->point, &unused, &p->point2, &place[0], &place[1]);
}

// The blade at one instant, in world axes.
typedef struct Blade {
    trVec3 n, u;    // normal of the plane, direction of the blade
    trVec3 s;       // across the blade
    double length;  // of n x u
    trVec3 s2, P;   // where it touches, from the center of mass of body 2 and in the world [m]
} Blade;

static Blade blade_at(const KnifeEdge *p, const trMotion3 *m1, const trMotion3 *m2) {
    Blade  k = {.n = tr_rotate3(&m1->R, p->normal1), .u = tr_rotate3(&m2->R, p->axis2)};
    trVec3 h = tr_cross3(k.n, k.u);
    k.length = tr_length3(h);
    k.s = tr_scale3(1.0 / k.length, h);
    k.s2 = tr_arm3(m2, p->point2);
    k.P = tr_add3(m2->r, k.s2);
    return k;
}

// s', while the bodies turn with w1, w2.
static trVec3 across_rate(const Blade *k, trVec3 w1, trVec3 w2) {
    trVec3 h_dot =
        tr_add3(tr_cross3(tr_cross3(w1, k->n), k->u), tr_cross3(k->n, tr_cross3(w2, k->u)));
    return tr_unit_rate3(k->s, k->length, h_dot);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const KnifeEdge *p = params;
    Blade            k = blade_at(p, m[0], m[1]);
    trVec3           P_dot = tr_arm_velocity3(m[1], k.s2);
    tr_row_slip3(m[0], m[1], k.P, P_dot, k.s, across_rate(&k, m[0]->w, m[1]->w), out);
}

// How the arms of P change with a shift, P going with body 2, and F = size s.
static trPull3 blade_change(const Blade *k, const trShift3 *shift, double size) {
    trVec3 dP = tr_add3(shift->r2, tr_cross3(shift->turn2, k->s2));
    return (trPull3){tr_scale3(size, across_rate(k, shift->turn1, shift->turn2)),
                     tr_sub3(dP, shift->r1), tr_sub3(dP, shift->r2)};
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const KnifeEdge *p = params;
    Blade            k = blade_at(p, m[0], m[1]);
    trPull3          pull = {tr_scale3(lambda[0], k.s), tr_sub3(k.P, m[0]->r), k.s2};
    for (int column = 0; column < 12; column++) {
        trShift3 shift = tr_shift3(m[0], m[1], column);
        trPull3  change = blade_change(&k, &shift, lambda[0]);
        tr_tangent_column3(m[0], m[1], &shift, &pull, &change, column, K);
    }
}

// d psi = ds.slip + s.(d slip)
static void rate_tangent(const void *params, const trMotion3 *const *m, double *N) {
    const KnifeEdge *p = params;
    Blade            k = blade_at(p, m[0], m[1]);
    trPull3          pull = {k.s, tr_sub3(k.P, m[0]->r), k.s2};
    trVec3           slip = tr_slip3(m[0], m[1], pull.x1, pull.x2);
    for (int column = 0; column < 12; column++) {
        trShift3 shift = tr_shift3(m[0], m[1], column);
        trPull3  change = blade_change(&k, &shift, 1.0);
        N[column] = tr_dot3(change.F, slip) +
                    tr_dot3(k.s, tr_slip_change3(m[0], m[1], &shift, &pull, &change));
    }
}

const trJointKind tr_joint_spatial_knife_edge = {
    .name = "knife_edge",
    .summary = "lets a point of body 2 move over a plane only along a blade of body 2 (skate)",
    .example = "point2 = { 0.2, 0.1, 0 }, axis = { 1, 0.4, 0 }, normal = { 0.1, 0.2, 1 }",
    .dim = 3,
    .rows = 1,
    .nonholonomic = 1,
    .row_units = {"m"},
    .size = sizeof(KnifeEdge),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point of contact",
    .reaction_point = offsetof(KnifeEdge, point2),
    .tangent3 = tangent,
    .rate_tangent3 = rate_tangent,
};
