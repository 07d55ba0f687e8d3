// SPDX-License-Identifier: MIT
// Constant velocity: two shafts meet in a point at any angle, and turn equally fast.
//
//     phi = (P2 - P1,     [m, m, m]
//            2 p_z)       [rad]      p: marker 2 against marker 1, z along the shafts
//
// The axis of p lies across the shafts: shaft 2 is bent against shaft 1 and not twisted. Where
// p_z = 0, the row's rate for shafts that turn about themselves is p_w (omega2 - omega1), so they
// turn equally fast whatever the bend. The rows, with J and b, are tr_rows_point3 and tr_row_turn3
// in joint/spatial.h.

#include "joint/spatial.h"
#include "joint/tangents3.h"

typedef struct ConstantVelocity {
    trVec3    point;                     // in the world, at the start [m]
    trVec3    point1, point2;            // in body frames; prepared: from the centers of mass [m]
    trVec3    axis1, axis2;              // in body frames; prepared: in principal axes
    trVec3    world_axis1, world_axis2;  // in the world, at the start
    trMarker3 marker1, marker2;          // z along the shafts
} ConstantVelocity;

static const trField fields[] = {
    TR_FIELDS_OF_POINT(ConstantVelocity, TR_FIELD_VEC3, "where the shafts meet", "the frame"),
    TR_FIELD(ConstantVelocity, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "shaft that is fixed in body 1, in its frame, instead of world_axis1"),
    TR_FIELD(ConstantVelocity, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "shaft that is fixed in body 2, in its frame, instead of world_axis2"),
    TR_FIELD(ConstantVelocity, world_axis1, TR_FIELD_VEC3, 0, NAN, "",
             "the same in the world at the start; default: axis1, one of the two is needed"),
    TR_FIELD(ConstantVelocity, world_axis2, TR_FIELD_VEC3, 0, NAN, "",
             "the same in the world at the start; default: axis2, one of the two is needed"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    ConstantVelocity *p = params;
    TR_TRY(tr_place_axis3(p->world_axis1, &p->axis1, &place[0], "world_axis1", "axis1"));
    TR_TRY(tr_place_axis3(p->world_axis2, &p->axis2, &place[1], "world_axis2", "axis2"));
    tr_place_markers3(p->axis1, p->axis2, &place[0], &place[1], &p->marker1, &p->marker2);
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const ConstantVelocity *p = params;
    tr_rows_point3(m[0], m[1], p->point1, p->point2, out);
    tr_rows_turn3(m, &p->marker1, &p->marker2, 2, 3, 3, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const ConstantVelocity *p = params;
    trVec3                  l = {0.0, 0.0, lambda[3]};
    tr_tangent_point3(m[0], m[1], p->point1, p->point2, lambda, K);
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

const trJointKind tr_joint_spatial_constant_velocity = {
    .name = "constant_velocity",
    .summary = "joins two shafts at any angle so that they turn equally fast",
    .example = "point = { 0.4, 0.1, 0.2 }, world_axis1 = { 1, 0.2, 0 }, world_axis2 = { 1, 0, "
               "0.4 }",
    .dim = 3,
    .rows = 4,
    .row_units = {"m", "m", "m", "rad"},
    .size = sizeof(ConstantVelocity),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point where the shafts meet",
    .reaction_point = offsetof(ConstantVelocity, point2),
    .tangent3 = tangent,
};
