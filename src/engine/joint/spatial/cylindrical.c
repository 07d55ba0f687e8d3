// SPDX-License-Identifier: MIT
// Cylindrical: body 2 turns about an axis of body 1 and slides along it.
//
//     phi = (x1.(P2 - P1), y1.(P2 - P1),     [m, m]      x1, y1: axes of marker 1
//            2 p_x, 2 p_y)                   [rad, rad]  p: marker 2 against marker 1
//
// with z of both markers along the axis. The rows, with J and b, are tr_row_along3 and tr_row_turn3
// in joint/spatial.h.

#include "joint/spatial.h"
#include "joint/tangents3.h"

typedef struct Cylindrical {
    trVec3    point;               // in the world, at the start [m]
    trVec3    point1, point2;      // in body frames; prepared: from the centers of mass [m]
    trVec3    axis, axis1, axis2;  // in the world, and in the bodies
    trMarker3 marker1, marker2;    // z along the axis
} Cylindrical;

static const trField fields[] = {
    TR_FIELD(Cylindrical, point, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis, in the world at the start; no point given: the frame origin of body 2"),
    TR_FIELD(Cylindrical, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis in the frame of body 1; default: where point2 is at the start"),
    TR_FIELD(Cylindrical, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis in the frame of body 2; default: where point1 is at the start"),
    TR_FIELD(Cylindrical, axis, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the world at the start; default: that of axis1 or axis2, one is needed"),
    TR_FIELD(Cylindrical, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 1; default: where axis2 is at the start"),
    TR_FIELD(Cylindrical, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 2; default: where axis1 is at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    Cylindrical *p = params;
    TR_TRY(tr_place_axes3(p->axis, &p->axis1, &p->axis2, &place[0], &place[1]));
    tr_place_markers3(p->axis1, p->axis2, &place[0], &place[1], &p->marker1, &p->marker2);
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, double t, const trMotion3 *const *m, trJointRows *out) {
    const Cylindrical *p = params;
    (void)t;
    trRelative3 rel = tr_relative3(m[0], m[1], &p->marker1, &p->marker2);
    trJointRows y = tr_rows_from(out, 1), turn_x = tr_rows_from(out, 2);
    trJointRows turn_y = tr_rows_from(out, 3);
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->marker1.K.x, out);
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->marker1.K.y, &y);
    tr_row_turn3(m[0], m[1], &p->marker2, &rel, 0, &turn_x);
    tr_row_turn3(m[0], m[1], &p->marker2, &rel, 1, &turn_y);
}

static void tangent(const void *params, double t, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Cylindrical *p = params;
    (void)t;
    trVec3 l = {lambda[2], lambda[3], 0.0};
    trVec3 N = tr_add3(tr_scale3(lambda[0], p->marker1.K.x), tr_scale3(lambda[1], p->marker1.K.y));
    tr_tangent_along3(m[0], m[1], p->point2, N, K);
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

static void vary(const void *params, double t, const trMotion3 *const *m, int k, trJointRows *out) {
    const Cylindrical *p = params;
    (void)t;
    if (k == 0) {
        tr_row_along3(m[0], m[1], p->point1, p->point2, p->marker1.K.z, out);
    } else {
        tr_row_angle3(m[0], m[1], &p->marker1, &p->marker2, out);
    }
}

const trJointKind tr_joint_spatial_cylindrical = {
    .name = "cylindrical",
    .summary = "lets body 2 turn about an axis of body 1 and slide along it",
    .example = "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }",
    .dim = 3,
    .rows = 4,
    .row_units = {"m", "m", "rad", "rad"},
    .variable = {{.name = "travel", .unit = "m"},
                 {.name = "angle", .unit = "rad", .period = TR_TWIST_PERIOD}},
    .size = sizeof(Cylindrical),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point of the axis on body 2",
    .reaction_point = offsetof(Cylindrical, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
