// SPDX-License-Identifier: MIT
// Prismatic: body 2 slides along a line that is fixed in body 1, without turning against it. The
// orientation is that of the start; where axis1 and axis2 are given and differ, turned by the
// shortest way that makes them parallel.
//
//     phi = (x1.(P2 - P1), y1.(P2 - P1),     [m, m]           x1, y1: axes of marker 1
//            2 p_x, 2 p_y, 2 p_z)            [rad, rad, rad]  p: marker 2 against marker 1
//
// with z of both markers along the line. The rows, with J and b, are tr_row_along3 and tr_row_turn3
// in joint/spatial.h.

#include "joint/spatial.h"
#include "joint/tangents3.h"

typedef struct Prismatic {
    trVec3    point;               // in the world, at the start [m]
    trVec3    point1, point2;      // in body frames; prepared: from the centers of mass [m]
    trVec3    axis, axis1, axis2;  // in the world, and in the bodies
    trMarker3 marker1, marker2;    // z along the axis
} Prismatic;

static const trField fields[] = {
    TR_FIELD(Prismatic, point, TR_FIELD_VEC3, 0, NAN, "m",
             "of the slide, on both bodies, in the world at the start; no point given: the frame "
             "origin of body 2"),
    TR_FIELD(Prismatic, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "of the line in the frame of body 1; default: where point2 is at the start"),
    TR_FIELD(Prismatic, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "of the slider in the frame of body 2; default: where point1 is at the start"),
    TR_FIELD(Prismatic, axis, TR_FIELD_VEC3, 0, NAN, "",
             "direction of travel in the world at the start; default: that of axis1 or axis2, "
             "one is needed"),
    TR_FIELD(Prismatic, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "direction of travel in the frame of body 1; default: where axis2 is at the start"),
    TR_FIELD(Prismatic, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "direction of travel in the frame of body 2; default: where axis1 is at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    Prismatic *p = params;
    TR_TRY(tr_place_axes3(p->axis, &p->axis1, &p->axis2, &place[0], &place[1]));
    tr_place_markers3(p->axis1, p->axis2, &place[0], &place[1], &p->marker1, &p->marker2);
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, double t, const trMotion3 *const *m, trJointRows *out) {
    const Prismatic *p = params;
    (void)t;
    trRelative3 rel = tr_relative3(m[0], m[1], &p->marker1, &p->marker2);
    trJointRows y = tr_rows_from(out, 1);
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->marker1.K.x, out);
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->marker1.K.y, &y);
    for (int axis = 0; axis < 3; axis++) {
        trJointRows turn = tr_rows_from(out, 2 + axis);
        tr_row_turn3(m[0], m[1], &p->marker2, &rel, axis, &turn);
    }
}

static void tangent(const void *params, double t, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Prismatic *p = params;
    (void)t;
    trVec3 l = {lambda[2], lambda[3], lambda[4]};
    trVec3 N = tr_add3(tr_scale3(lambda[0], p->marker1.K.x), tr_scale3(lambda[1], p->marker1.K.y));
    tr_tangent_along3(m[0], m[1], p->point2, N, K);
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

static void vary(const void *params, double t, const trMotion3 *const *m, int k, trJointRows *out) {
    const Prismatic *p = params;
    (void)t;
    (void)k;
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->marker1.K.z, out);
}

const trJointKind tr_joint_spatial_prismatic = {
    .name = "prismatic",
    .summary = "lets body 2 slide along a line of body 1 without turning",
    .example = "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }",
    .dim = 3,
    .rows = 5,
    .row_units = {"m", "m", "rad", "rad", "rad"},
    .variable = {{.name = "travel", .unit = "m"}},
    .size = sizeof(Prismatic),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point of body 2 that slides",
    .reaction_point = offsetof(Prismatic, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
