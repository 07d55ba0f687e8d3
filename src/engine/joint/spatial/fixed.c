// SPDX-License-Identifier: MIT
// Fixed: body 2 keeps its place and orientation against body 1.
//
//     phi = (P2 - P1,                 [m, m, m]
//            2 p_x, 2 p_y, 2 p_z)     [rad, rad, rad]  p: body 2 against body 1, none at the start
//
// The rows, with J and b, are tr_rows_point3 and tr_row_turn3 in joint/spatial.h.

#include "joint/spatial.h"
#include "joint/tangents3.h"

typedef struct Fixed {
    trVec3    point;             // in the world, at the start [m]
    trVec3    point1, point2;    // in body frames; prepared: from the centers of mass [m]
    trMarker3 marker1, marker2;  // the world's axes at the start
} Fixed;

static const trField fields[] = {
    TR_FIELD(
        Fixed, point, TR_FIELD_VEC3, 0, NAN, "m",
        "of both bodies, in the world at the start; no point given: the frame origin of body 2"),
    TR_FIELD(Fixed, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "the same point in the frame of body 1; default: where point2 is at the start"),
    TR_FIELD(Fixed, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "the same point in the frame of body 2; default: where point1 is at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    Fixed       *p = params;
    const trVec3 z = {0.0, 0.0, 1.0};
    trVec3       z1 = tr_quat_unrotate(tr_place_turn3(&place[0]), z);
    tr_place_coincident3(z1, &place[0], &place[1], &p->marker1, &p->marker2);
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const Fixed *p = params;
    tr_rows_point3(m[0], m[1], p->point1, p->point2, out);
    tr_rows_turn3(m, &p->marker1, &p->marker2, 0, 3, 3, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Fixed *p = params;
    trVec3       l = {lambda[3], lambda[4], lambda[5]};
    tr_tangent_point3(m[0], m[1], p->point1, p->point2, lambda, K);
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

const trJointKind tr_joint_spatial_fixed = {
    .name = "fixed",
    .summary = "fixes body 2 in body 1, oriented as at the start",
    .example = "point = { 0.4, 0.1, 0.2 }",
    .dim = 3,
    .rows = 6,
    .row_units = {"m", "m", "m", "rad", "rad", "rad"},
    .size = sizeof(Fixed),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point of body 2 that is fixed",
    .reaction_point = offsetof(Fixed, point2),
    .tangent3 = tangent,
};
