// SPDX-License-Identifier: MIT
// Planar: body 2 slides in a plane of body 1 and turns about its normal.
//
//     phi = (z1.(P2 - P1),     [m]         z1: axis of marker 1, normal to the plane
//            2 p_x, 2 p_y)     [rad, rad]  p: marker 2 against marker 1
//
// with z of both markers along the normal. The rows, with J and b, are tr_row_along3 and
// tr_row_turn3 in joint/spatial.h.

#include "joint/spatial.h"
#include "joint/tangents3.h"

typedef struct Planar {
    trVec3    point;               // in the world, at the start [m]
    trVec3    point1, point2;      // in body frames; prepared: from the centers of mass [m]
    trVec3    axis, axis1, axis2;  // the normal in the world, and in the bodies
    trMarker3 marker1, marker2;    // z along the normal
} Planar;

static const trField fields[] = {
    TR_FIELD(Planar, point, TR_FIELD_VEC3, 0, NAN, "m",
             "of the plane, on both bodies, in the world at the start; no point given: the frame "
             "origin of body 2"),
    TR_FIELD(Planar, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "of the plane in the frame of body 1; default: where point2 is at the start"),
    TR_FIELD(
        Planar, point2, TR_FIELD_VEC3, 0, NAN, "m",
        "that stays in the plane, in the frame of body 2; default: where point1 is at the start"),
    TR_FIELD(Planar, axis, TR_FIELD_VEC3, 0, NAN, "",
             "normal of the plane in the world at the start; default: that of axis1 or axis2, "
             "one is needed"),
    TR_FIELD(Planar, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "normal of the plane in the frame of body 1; default: where axis2 is at the start"),
    TR_FIELD(Planar, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "normal of the plane in the frame of body 2; default: where axis1 is at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    Planar *p = params;
    TR_TRY(tr_place_axes3(p->axis, &p->axis1, &p->axis2, &place[0], &place[1]));
    tr_place_markers3(p->axis1, p->axis2, &place[0], &place[1], &p->marker1, &p->marker2);
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, double t, const trMotion3 *const *m, trJointRows *out) {
    const Planar *p = params;
    (void)t;
    trRelative3 rel = tr_relative3(m[0], m[1], &p->marker1, &p->marker2);
    trJointRows x = tr_rows_from(out, 1), y = tr_rows_from(out, 2);
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->marker1.K.z, out);
    tr_row_turn3(m[0], m[1], &p->marker2, &rel, 0, &x);
    tr_row_turn3(m[0], m[1], &p->marker2, &rel, 1, &y);
}

static void tangent(const void *params, double t, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Planar *p = params;
    (void)t;
    trVec3 l = {lambda[1], lambda[2], 0.0};
    trVec3 N = tr_scale3(lambda[0], p->marker1.K.z);
    tr_tangent_along3(m[0], m[1], p->point2, N, K);
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

static void vary(const void *params, double t, const trMotion3 *const *m, int k, trJointRows *out) {
    const Planar *p = params;
    (void)t;
    if (k < 2) {
        tr_row_along3(m[0], m[1], p->point1, p->point2, k == 0 ? p->marker1.K.x : p->marker1.K.y,
                      out);
    } else {
        tr_row_angle3(m[0], m[1], &p->marker1, &p->marker2, out);
    }
}

const trJointKind tr_joint_spatial_planar = {
    .name = "planar",
    .summary = "lets body 2 slide in a plane of body 1 and turn about its normal",
    .example = "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }",
    .dim = 3,
    .rows = 3,
    .row_units = {"m", "rad", "rad"},
    .variable = {{.name = "x", .unit = "m"},
                 {.name = "y", .unit = "m"},
                 {.name = "angle", .unit = "rad", .period = TR_TWIST_PERIOD}},
    .size = sizeof(Planar),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point of body 2 that stays in the plane",
    .reaction_point = offsetof(Planar, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
