// SPDX-License-Identifier: MIT
// Revolute: body 2 turns against body 1 about an axis fixed in both, and does nothing else.
//
//     phi = (P2 - P1,          [m, m, m]
//            2 p_x, 2 p_y)     [rad, rad]  p: marker 2 against marker 1, both with z along the axis
//
// The rows, with J and b, are tr_rows_point3 and tr_row_turn3 in joint/spatial.h.

#include "joint/spatial.h"
#include "joint/tangents3.h"

typedef struct Revolute {
    trVec3    point;               // in the world, at the start [m]
    trVec3    point1, point2;      // in body frames; prepared: from the centers of mass [m]
    trVec3    axis, axis1, axis2;  // in the world, and in the bodies
    trMarker3 marker1, marker2;    // z along the axis
} Revolute;

static const trField fields[] = {
    TR_FIELD(Revolute, point, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis, in the world at the start; no point given: the frame origin of body 2"),
    TR_FIELD(Revolute, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis in the frame of body 1; default: where point2 is at the start"),
    TR_FIELD(Revolute, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis in the frame of body 2; default: where point1 is at the start"),
    TR_FIELD(Revolute, axis, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the world at the start; default: that of axis1 or axis2, one is needed"),
    TR_FIELD(Revolute, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 1; default: where axis2 is at the start"),
    TR_FIELD(Revolute, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 2; default: where axis1 is at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    Revolute *p = params;
    TR_TRY(tr_place_axes3(p->axis, &p->axis1, &p->axis2, &place[0], &place[1]));
    tr_place_markers3(p->axis1, p->axis2, &place[0], &place[1], &p->marker1, &p->marker2);
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, double t, const trMotion3 *const *m, trJointRows *out) {
    const Revolute *p = params;
    (void)t;
    trRelative3 rel = tr_relative3(m[0], m[1], &p->marker1, &p->marker2);
    trJointRows x = tr_rows_from(out, 3), y = tr_rows_from(out, 4);
    tr_rows_point3(m[0], m[1], p->point1, p->point2, out);
    tr_row_turn3(m[0], m[1], &p->marker2, &rel, 0, &x);
    tr_row_turn3(m[0], m[1], &p->marker2, &rel, 1, &y);
}

static void tangent(const void *params, double t, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Revolute *p = params;
    (void)t;
    trVec3 l = {lambda[3], lambda[4], 0.0};
    tr_tangent_point3(m[0], m[1], p->point1, p->point2, lambda, K);
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

static void vary(const void *params, double t, const trMotion3 *const *m, int k, trJointRows *out) {
    const Revolute *p = params;
    (void)t;
    (void)k;
    tr_row_angle3(m[0], m[1], &p->marker1, &p->marker2, out);
}

const trJointKind tr_joint_spatial_revolute = {
    .name = "revolute",
    .summary = "lets body 2 turn about an axis of body 1 (hinge)",
    .example = "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }",
    .dim = 3,
    .rows = 5,
    .row_units = {"m", "m", "m", "rad", "rad"},
    .variable = {{.name = "angle", .unit = "rad", .period = TR_TWIST_PERIOD}},
    .size = sizeof(Revolute),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point of the axis",
    .reaction_point = offsetof(Revolute, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
