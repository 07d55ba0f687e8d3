// SPDX-License-Identifier: MIT
// Point on line: a point of body 2 stays on a line that is fixed in body 1 (pin in a slot).
//
//     phi = (n1.(P2 - P1), n2.(P2 - P1))        [m, m]  n1, n2: across the line, fixed in body 1
//
// The rows, with J and b, are tr_row_along3 in joint/spatial.h.

#include "joint/tangents3.h"

typedef struct PointOnLine {
    trVec3 point;           // in the world, at the start [m]
    trVec3 point1, point2;  // in body frames; prepared: from the centers of mass [m]
    trVec3 axis, axis1;     // the line in the world at the start, and in body 1
    trVec3 across[2];       // perpendicular to the line and to each other, in body 1
} PointOnLine;

static const trField fields[] = {
    TR_FIELD(PointOnLine, point, TR_FIELD_VEC3, 0, NAN, "m",
             "the pin, on the line, in the world at the start; no point given: the frame origin of "
             "body 2"),
    TR_FIELD(PointOnLine, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "any point of the line, in the frame of body 1; default: where the pin is at the "
             "start"),
    TR_FIELD(PointOnLine, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "the pin in the frame of body 2; default: where point1 is at the start"),
    TR_FIELD(PointOnLine, axis, TR_FIELD_VEC3, 0, NAN, "",
             "direction of the line, in the world at the start, instead of axis1; one is needed"),
    TR_FIELD(PointOnLine, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "direction of the line in the frame of body 1, instead of axis"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    PointOnLine *p = params;
    TR_TRY(tr_place_axis3(p->axis, &p->axis1, &place[0], "axis", "axis1"));
    p->across[0] = tr_perpendicular3(p->axis1);
    p->across[1] = tr_cross3(p->axis1, p->across[0]);
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const PointOnLine *p = params;
    for (int i = 0; i < 2; i++) {
        trJointRows row = tr_rows_from(out, i);
        tr_row_along3(m[0], m[1], p->point1, p->point2, p->across[i], &row);
    }
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const PointOnLine *p = params;
    trVec3 N = tr_add_scaled3(tr_scale3(lambda[0], p->across[0]), lambda[1], p->across[1]);
    tr_tangent_along3(m[0], m[1], p->point2, N, K);
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    const PointOnLine *p = params;
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->axis1, out);
}

const trJointKind tr_joint_spatial_point_on_line = {
    .name = "point_on_line",
    .summary = "keeps a point of body 2 on a line of body 1 (pin in a slot)",
    .example = "point2 = { 0.2, 0.1, 0 }, axis = { 1, 0.4, 0.3 }",
    .dim = 3,
    .rows = 2,
    .row_units = {"m", "m"},
    .variable = {{.name = "travel", .unit = "m"}},
    .size = sizeof(PointOnLine),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point of body 2",
    .reaction_point = offsetof(PointOnLine, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
