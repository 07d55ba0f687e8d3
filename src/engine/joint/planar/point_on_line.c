// SPDX-License-Identifier: MIT
// Point on line: a point of body 2 stays on a line that is fixed in body 1 (pin in a slot).
//
//     n1  = R1 n                     the line's normal, fixed in body 1
//     phi = n1.(P2 - P1)             [m]
//
// The row, with J and b, is tr_row_along2 in joint/shared.h.

#include <math.h>

#include "joint/shared.h"
#include "joint/tangents.h"

typedef struct PointOnLine {
    trVec2 point;           // in the world, at the start [m]
    trVec2 point1, point2;  // in body axes; prepared: from the centers of mass [m]
    trVec2 axis, axis1;     // the line in the world at the start, and in axes of body 1
    trVec2 normal;          // to the line, in axes of body 1
} PointOnLine;

static const trField fields[] = {
    TR_FIELD(PointOnLine, point, TR_FIELD_VEC2, 0, NAN, "m",
             "the pin, on the line, in the world at the start; no point given: the frame origin of "
             "body 2"),
    TR_FIELD(PointOnLine, point1, TR_FIELD_VEC2, 0, NAN, "m",
             "any point of the line, in axes of body 1; default: where the pin is at the start"),
    TR_FIELD(PointOnLine, point2, TR_FIELD_VEC2, 0, NAN, "m",
             "the pin in axes of body 2; default: where point1 is at the start"),
    TR_FIELD(PointOnLine, axis, TR_FIELD_VEC2, 0, NAN, "",
             "direction of the line, in the world at the start; default: x of body 1"),
    TR_FIELD(PointOnLine, axis1, TR_FIELD_VEC2, 0, NAN, "",
             "direction of the line in axes of body 1, instead of axis"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place) {
    PointOnLine *p = params;
    TR_TRY(tr_place_axis(p->axis, &p->axis1, &place[0], "axis1"));
    p->normal = tr_perp2(p->axis1);
    return tr_place_point(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const PointOnLine *p = params;
    tr_row_along2(m[0], m[1], p->point1, p->point2, p->normal, out);
}

static void tangent(const void *params, const trMotion2 *const *m, const double *lambda,
                    double *K) {
    const PointOnLine *p = params;
    tr_tangent_along2(m[0], m[1], p->point1, p->point2, p->normal, lambda[0], K);
}

static void vary(const void *params, const trMotion2 *const *m, int k, trJointRows *out) {
    const PointOnLine *p = params;
    if (k == 0) {
        tr_row_along2(m[0], m[1], p->point1, p->point2, p->axis1, out);
    } else {
        tr_row_angle2(m[0], m[1], 0, out);
    }
}

const trJointKind tr_joint_planar_point_on_line = {
    .name = "point_on_line",
    .summary = "keeps a point of body 2 on a line of body 1 (pin in a slot)",
    .example = "point2 = { 0.2, 0.1 }, axis = { 1, 0.4 }",
    .dim = 2,
    .rows = 1,
    .row_units = {"m"},
    .variable = {{.name = "travel", .unit = "m"}, {.name = "angle", .unit = "rad"}},
    .size = sizeof(PointOnLine),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the point of body 2",
    .reaction_point = offsetof(PointOnLine, point2),
    .tangent = tangent,
    .vary = vary,
};
