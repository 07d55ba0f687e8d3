// SPDX-License-Identifier: MIT
// Planar: body 2 slides in a plane of body 1 and turns about its normal.
//
//     phi = (z1.(P2 - P1),     [m]         z1: axis of marker 1, normal to the plane
//            2 p_x, 2 p_y)     [rad, rad]  p: marker 2 against marker 1
//
// with z of both markers along the normal. The rows, with J and b, are tr_row_along3 and
// tr_row_turn3 in joint/spatial.h.

#include "joint/axis3.h"

static const trField fields[] = {
    TR_FIELD(trAxis3, point, TR_FIELD_VEC3, 0, NAN, "m",
             "of the plane, on both bodies, in the world at the start; no point given: the frame "
             "origin of body 2"),
    TR_FIELD(trAxis3, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "of the plane in the frame of body 1; default: where point2 is at the start"),
    TR_FIELD(
        trAxis3, point2, TR_FIELD_VEC3, 0, NAN, "m",
        "that stays in the plane, in the frame of body 2; default: where point1 is at the start"),
    TR_FIELDS_OF_AXIS3("normal of the plane"),
    TR_FIELD_END,
};

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const trAxis3 *p = params;
    tr_rows_along_axes3(p, m, 2, 3, 0, out);
    tr_rows_turn3(m, &p->marker1, &p->marker2, 0, 2, 1, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const trAxis3 *p = params;
    trVec3         l = {lambda[1], lambda[2], 0.0};
    tr_tangent_along3(m[0], m[1], p->point2, tr_scale3(lambda[0], p->marker1.K.z), K);
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    if (k < 2) {
        tr_rows_along_axes3(params, m, k, k + 1, 0, out);
    } else {
        tr_row_about_axis3(params, m, out);
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
    .size = sizeof(trAxis3),
    .fields = fields,
    .prepare3 = tr_prepare_axis3,
    .eval3 = eval,
    .reaction_at = "the point of body 2 that stays in the plane",
    .reaction_point = offsetof(trAxis3, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
