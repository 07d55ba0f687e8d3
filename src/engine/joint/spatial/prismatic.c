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

#include "joint/axis3.h"

static const trField fields[] = {
    TR_FIELD(trAxis3, point, TR_FIELD_VEC3, 0, NAN, "m",
             "of the slide, on both bodies, in the world at the start; no point given: the frame "
             "origin of body 2"),
    TR_FIELD(trAxis3, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "of the line in the frame of body 1; default: where point2 is at the start"),
    TR_FIELD(trAxis3, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "of the slider in the frame of body 2; default: where point1 is at the start"),
    TR_FIELDS_OF_AXIS3("direction of travel"),
    TR_FIELD_END,
};

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const trAxis3 *p = params;
    tr_rows_along_axes3(p, m, 0, 2, 0, out);
    tr_rows_turn3(m, &p->marker1, &p->marker2, 0, 3, 2, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const trAxis3 *p = params;
    trVec3         l = {lambda[2], lambda[3], lambda[4]};
    trVec3 N = tr_add3(tr_scale3(lambda[0], p->marker1.K.x), tr_scale3(lambda[1], p->marker1.K.y));
    tr_tangent_along3(m[0], m[1], p->point2, N, K);
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    tr_rows_along_axes3(params, m, 2, 3, 0, out);
}

const trJointKind tr_joint_spatial_prismatic = {
    .name = "prismatic",
    .summary = "lets body 2 slide along a line of body 1 without turning",
    .example = "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }",
    .dim = 3,
    .rows = 5,
    .row_units = {"m", "m", "rad", "rad", "rad"},
    .variable = {{.name = "travel", .unit = "m"}},
    .size = sizeof(trAxis3),
    .fields = fields,
    .prepare3 = tr_prepare_axis3,
    .eval3 = eval,
    .reaction_at = "the point of body 2 that slides",
    .reaction_point = offsetof(trAxis3, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
