// SPDX-License-Identifier: MIT
// Rolling disk: a thin disk that is fixed in body 2 rolls without slipping on a plane of body 1.
//
//     n = R1 normal1,  a = R2 axis2          normal of the plane on the disk's side; disk's axis
//     h = n - (n.a) a,  e = h / |h|          from the contact to the center
//     P = C - radius e                       the contact, moving over plane and disk
//     phi = n.(C - P1) - radius |h|          [m]       |h| = sqrt(1 - (n.a)^2)
//     psi = (t1.slip, t2.slip)               [m/s]     t1, t2: in the plane, fixed in body 1
//     h' = omega1 x n - (n.a)' a - (n.a) (omega2 x a),    (n.a)' = (omega2 - omega1).(a x n)
//     P' = v2 + omega2 x s2 - radius e'      s2 = C - r2
//
// Since n x e = (a x n) (n.a) / |h|, phi' = n.slip: all three rows are tr_row_slip3 in
// joint/contact3.h. Not a number where the disk lies flat, for want of a contact point.

#include "joint/tangents3_pull.h"

#define FLAT 1e-9  // sine of the angle of axis and normal at which a start is refused

typedef struct RollingDisk {
    double radius;                     // [m]
    trVec3 point;                      // the center in the world, at the start [m]
    trVec3 point2;                     // in the frame of body 2; prepared: from its c.o.m. [m]
    trVec3 axis, axis2;                // of the disk, in the world at the start, and in body 2
    trVec3 plane_point, plane_point1;  // likewise a point of the plane, with body 1 [m]
    trVec3 normal, normal1;            // of the plane; prepared: normal1 on the disk's side
    trVec3 direction[3];               // normal1, t1, t2, in body 1
} RollingDisk;

static const trField fields[] = {
    TR_FIELD(RollingDisk, radius, TR_FIELD_REAL, TR_REQUIRED | TR_POSITIVE, NAN, "m",
             "of the disk"),
    TR_FIELD(RollingDisk, point, TR_FIELD_VEC3, 0, NAN, "m",
             "center of the disk, in the world at the start; default: the frame origin of body "
             "2"),
    TR_FIELD(RollingDisk, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "center of the disk in the frame of body 2, instead of point"),
    TR_FIELD(RollingDisk, axis, TR_FIELD_VEC3, 0, NAN, "",
             "of the disk, in the world at the start, instead of axis2; one is needed"),
    TR_FIELD(RollingDisk, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "of the disk in the frame of body 2, instead of axis"),
    TR_FIELD(RollingDisk, plane_point, TR_FIELD_VEC3, 0, NAN, "m",
             "any point of the plane, in the world at the start; default: the frame origin of "
             "body 1"),
    TR_FIELD(RollingDisk, plane_point1, TR_FIELD_VEC3, 0, NAN, "m",
             "any point of the plane, in the frame of body 1, instead of plane_point"),
    TR_FIELD(RollingDisk, normal, TR_FIELD_VEC3, 0, NAN, "",
             "to the plane, in the world at the start, instead of normal1; one is needed"),
    TR_FIELD(RollingDisk, normal1, TR_FIELD_VEC3, 0, NAN, "",
             "to the plane, in the frame of body 1, instead of normal"),
    TR_FIELD_END,
};

// Center and plane; the plane's normal is turned to the disk's side.
static trStatus prepare_plane(RollingDisk *p, const trPlace3 *place1, const trPlace3 *place2) {
    const trVec3 none = {NAN, NAN, NAN};
    trVec3       center1 = none, other = none;  // the center in body 1; an end that is not needed
    double       unused = 0.0;
    if (!isnan(p->plane_point.x) && !isnan(p->plane_point1.x)) {
        return tr_fail(TR_E_MODEL,
                       "'plane_point' and 'plane_point1' are both given; keep one of them");
    }
    TR_TRY(tr_place_axis3(p->normal, &p->normal1, place1, "normal", "normal1"));
    TR_TRY(tr_place_point3(p->point, &center1, &p->point2, place1, place2));
    TR_TRY(tr_place_ends3(p->plane_point, none, &p->plane_point1, &other, place1, place2, &unused));
    if (tr_dot3(p->normal1, tr_sub3(center1, p->plane_point1)) < 0.0) {
        p->normal1 = tr_scale3(-1.0, p->normal1);
    }
    p->direction[0] = p->normal1;
    p->direction[1] = tr_perpendicular3(p->normal1);
    p->direction[2] = tr_cross3(p->normal1, p->direction[1]);
    return TR_OK;
}

static trStatus prepare(void *params, const trPlace3 *place) {
    RollingDisk *p = params;
    TR_TRY(tr_place_axis3(p->axis, &p->axis2, &place[1], "axis", "axis2"));
    TR_TRY(prepare_plane(p, &place[0], &place[1]));
    trVec3 a = tr_quat_rotate(tr_place_turn3(&place[1]), p->axis2);
    trVec3 n = tr_quat_rotate(tr_place_turn3(&place[0]), p->normal1);
    if (tr_length3(tr_cross3(n, a)) < FLAT) {
        return tr_fail(TR_E_MODEL, "the disk lies flat on the plane; it has no point of contact");
    }
    return TR_OK;
}

// The disk at one instant, in world axes.
typedef struct Disk {
    trVec3 n, a, e;
    double cosine, sine;  // n.a and |h|
    trVec3 s2;            // the center, from the center of mass of body 2 [m]
    trVec3 C, P;          // center and contact [m]
} Disk;

static Disk disk_at(const RollingDisk *p, const trMotion3 *m1, const trMotion3 *m2) {
    Disk k = {.n = tr_rotate3(&m1->R, p->normal1), .a = tr_rotate3(&m2->R, p->axis2)};
    // h = n - (n.a) a without the difference, which would cancel where the disk lies nearly flat.
    trVec3 h = tr_cross3(k.a, tr_cross3(k.n, k.a));
    k.cosine = tr_dot3(k.n, k.a);
    k.sine = tr_length3(h);
    k.e = tr_scale3(1.0 / k.sine, h);
    k.s2 = tr_arm3(m2, p->point2);
    k.C = tr_add3(m2->r, k.s2);
    k.P = tr_add_scaled3(k.C, -p->radius, k.e);
    return k;
}

// P', while body 1 turns with w1 and body 2 moves with v2 and turns with w2.
static trVec3 contact_rate(const RollingDisk *p, const Disk *k, trVec3 w1, trVec3 v2, trVec3 w2) {
    double cosine_dot = tr_dot3(tr_sub3(w2, w1), tr_cross3(k->a, k->n));
    trVec3 h_dot = tr_sub3(tr_cross3(w1, k->n), tr_scale3(k->cosine, tr_cross3(w2, k->a)));
    h_dot = tr_add_scaled3(h_dot, -cosine_dot, k->a);
    trVec3 C_dot = tr_add3(v2, tr_cross3(w2, k->s2));
    return tr_add_scaled3(C_dot, -p->radius, tr_unit_rate3(k->e, k->sine, h_dot));
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const RollingDisk *p = params;
    Disk               k = disk_at(p, m[0], m[1]);
    trVec3             P_dot = contact_rate(p, &k, m[0]->w, m[1]->v, m[1]->w);
    trVec3             P1 = tr_point3(m[0], p->plane_point1);

    out->phi[0] = tr_dot3(k.n, tr_sub3(k.C, P1)) - p->radius * k.sine;
    for (int i = 0; i < 3; i++) {
        trVec3      f = tr_rotate3(&m[0]->R, p->direction[i]);
        trJointRows row = tr_rows_from(out, i);
        tr_row_slip3(m[0], m[1], k.P, P_dot, f, tr_cross3(m[0]->w, f), &row);
    }
}

// How a force F that is fixed in body 1 and the arms of P change with a shift.
static trPull3 disk_change(const RollingDisk *p, const Disk *k, const trShift3 *shift, trVec3 F) {
    trVec3 dP = contact_rate(p, k, shift->turn1, shift->r2, shift->turn2);
    return (trPull3){tr_cross3(shift->turn1, F), tr_sub3(dP, shift->r1), tr_sub3(dP, shift->r2)};
}

// The three rows together: F = R1 (lambda0 normal1 + lambda1 t1 + lambda2 t2) at P.
static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const RollingDisk *p = params;
    Disk               k = disk_at(p, m[0], m[1]);
    trVec3             F1 = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        F1 = tr_add_scaled3(F1, lambda[i], p->direction[i]);
    }
    trPull3 pull = {tr_rotate3(&m[0]->R, F1), tr_sub3(k.P, m[0]->r), tr_sub3(k.P, m[1]->r)};
    for (int column = 0; column < 12; column++) {
        trShift3 shift = tr_shift3(m[0], m[1], column);
        trPull3  change = disk_change(p, &k, &shift, pull.F);
        tr_tangent_column3(m[0], m[1], &shift, &pull, &change, column, K);
    }
}

// d psi = (turn1 x f).slip + f.(d slip) for f = t1, t2
static void rate_tangent(const void *params, const trMotion3 *const *m, double *N) {
    const RollingDisk *p = params;
    Disk               k = disk_at(p, m[0], m[1]);
    for (int i = 0; i < 2; i++) {
        trVec3  f = tr_rotate3(&m[0]->R, p->direction[i + 1]);
        trPull3 pull = {f, tr_sub3(k.P, m[0]->r), tr_sub3(k.P, m[1]->r)};
        trVec3  slip = tr_slip3(m[0], m[1], pull.x1, pull.x2);
        for (int column = 0; column < 12; column++) {
            trShift3 shift = tr_shift3(m[0], m[1], column);
            trPull3  change = disk_change(p, &k, &shift, f);
            N[12 * i + column] = tr_dot3(change.F, slip) +
                                 tr_dot3(f, tr_slip_change3(m[0], m[1], &shift, &pull, &change));
        }
    }
}

static trVec3 contact(const void *params, const trMotion3 *const *m) {
    return disk_at(params, m[0], m[1]).P;
}

const trJointKind tr_joint_spatial_rolling_disk = {
    .name = "rolling_disk",
    .summary = "rolls a thin disk of body 2 without slipping on a plane of body 1 (wheel, coin)",
    .example = "radius = 0.4, axis = { 0.1, 1, 0.2 }, normal = { 0.2, 0.1, 1 }",
    .dim = 3,
    .rows = 3,
    .nonholonomic = 2,
    .row_units = {"m", "m", "m"},
    .size = sizeof(RollingDisk),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point of contact",
    .contact3 = contact,
    .tangent3 = tangent,
    .rate_tangent3 = rate_tangent,
};
