// SPDX-License-Identifier: MIT
// Cylindrical: body 2 turns about an axis of body 1 and slides along it.
//
//     phi = (x1.(P2 - P1), y1.(P2 - P1),     [m, m]      x1, y1: axes of marker 1
//            2 p_x, 2 p_y)                   [rad, rad]  p: marker 2 against marker 1
//
// with z of both markers along the axis. The rows, with J and b, are tr_row_along3 and tr_row_turn3
// in joint/spatial.h.

#include "joint/axis3.h"

static const trField fields[] = {
    TR_FIELDS_OF_POINT(trAxis3, TR_FIELD_VEC3, "of the axis", "the frame"),
    TR_FIELDS_OF_AXIS3("direction"),
    TR_FIELD_END,
};

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const trAxis3 *p = params;
    tr_rows_along_axes3(p, m, 0, 2, 0, out);
    tr_rows_turn3(m, &p->marker1, &p->marker2, 0, 2, 2, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const trAxis3 *p = params;
    trVec3         l = {lambda[2], lambda[3], 0.0};
    trVec3 N = tr_add3(tr_scale3(lambda[0], p->marker1.K.x), tr_scale3(lambda[1], p->marker1.K.y));
    tr_tangent_along3(m[0], m[1], p->point2, N, K);
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    if (k == 0) {
        tr_rows_along_axes3(params, m, 2, 3, 0, out);
    } else {
        tr_row_about_axis3(params, m, out);
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
    .size = sizeof(trAxis3),
    .fields = fields,
    .prepare3 = tr_prepare_axis3,
    .eval3 = eval,
    .reaction_at = "the point of the axis on body 2",
    .reaction_point = offsetof(trAxis3, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
