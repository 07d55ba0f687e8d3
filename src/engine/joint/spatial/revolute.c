// SPDX-License-Identifier: MIT
// Revolute: body 2 turns against body 1 about an axis fixed in both, and does nothing else.
//
//     phi = (P2 - P1,          [m, m, m]
//            2 p_x, 2 p_y)     [rad, rad]  p: marker 2 against marker 1, both with z along the axis
//
// The rows, with J and b, are tr_rows_point3 and tr_row_turn3 in joint/spatial.h.

#include "joint/axis3.h"

static const trField fields[] = {
    TR_FIELDS_OF_POINT(trAxis3, TR_FIELD_VEC3, "of the axis", "the frame"),
    TR_FIELDS_OF_AXIS3("direction"),
    TR_FIELD_END,
};

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const trAxis3 *p = params;
    tr_rows_point3(m[0], m[1], p->point1, p->point2, out);
    tr_rows_turn3(m, &p->marker1, &p->marker2, 0, 2, 3, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const trAxis3 *p = params;
    trVec3         l = {lambda[3], lambda[4], 0.0};
    tr_tangent_point3(m[0], m[1], p->point1, p->point2, lambda, K);
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    tr_row_about_axis3(params, m, out);
}

const trJointKind tr_joint_spatial_revolute = {
    .name = "revolute",
    .summary = "lets body 2 turn about an axis of body 1 (hinge)",
    .example = "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }",
    .dim = 3,
    .rows = 5,
    .row_units = {"m", "m", "m", "rad", "rad"},
    .variable = {{.name = "angle", .unit = "rad", .period = TR_TWIST_PERIOD}},
    .size = sizeof(trAxis3),
    .fields = fields,
    .prepare3 = tr_prepare_axis3,
    .eval3 = eval,
    .reaction_at = "the point of the axis",
    .reaction_point = offsetof(trAxis3, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
