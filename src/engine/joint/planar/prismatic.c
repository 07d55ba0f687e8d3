// SPDX-License-Identifier: MIT
// Prismatic: body 2 slides along a line that is fixed in body 1, without turning against it.
//
//     n1  = R1 n                                the line's normal, fixed in body 1
//     phi = (n1.(P2 - P1),                      [m]
//            angle2 - angle1 - angle)           [rad]
//
// The first row, with J and b, is tr_row_along2 in joint/shared.h.

#include <math.h>

#include "joint/shared.h"
#include "joint/tangents.h"

typedef struct Prismatic {
    trVec2 point;           // in the world, at the start [m]
    trVec2 point1, point2;  // in body axes; prepared: from the centers of mass [m]
    trVec2 axis, axis1;     // the line in the world at the start, and in axes of body 1
    double angle;           // of body 2 relative to body 1 [rad]
    trVec2 normal;          // to the line, in axes of body 1
} Prismatic;

static const trField fields[] = {
    TR_FIELD(Prismatic, point, TR_FIELD_VEC2, 0, NAN, "m",
             "of the slide, on both bodies, in the world at the start; no point given: the frame "
             "origin of body 2"),
    TR_FIELD(Prismatic, point1, TR_FIELD_VEC2, 0, NAN, "m",
             "of the line, in axes of body 1; default: where point2 is at the start"),
    TR_FIELD(Prismatic, point2, TR_FIELD_VEC2, 0, NAN, "m",
             "of the slider, in axes of body 2; default: where point1 is at the start"),
    TR_FIELD(Prismatic, axis, TR_FIELD_VEC2, 0, NAN, "",
             "direction of travel, in the world at the start; default: x of body 1"),
    TR_FIELD(Prismatic, axis1, TR_FIELD_VEC2, 0, NAN, "",
             "direction of travel in axes of body 1, instead of axis"),
    TR_FIELD(Prismatic, angle, TR_FIELD_REAL, 0, NAN, "rad",
             "of body 2 relative to body 1; default: as at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place) {
    Prismatic *p = params;
    if (isnan(p->angle)) {
        p->angle = place[1].angle - place[0].angle;
    }
    TR_TRY(tr_place_axis(p->axis, &p->axis1, &place[0], "axis1"));
    p->normal = tr_perp2(p->axis1);
    return tr_place_point(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const Prismatic *p = params;

    tr_row_along2(m[0], m[1], p->point1, p->point2, p->normal, out);
    tr_row_angle2(m[0], m[1], 1, out);
    out->phi[1] -= p->angle;
}

// J of the last row is constant.
static void tangent(const void *params, const trMotion2 *const *m, const double *lambda,
                    double *K) {
    const Prismatic *p = params;
    tr_tangent_along2(m[0], m[1], p->point1, p->point2, p->normal, lambda[0], K);
}

static void vary(const void *params, const trMotion2 *const *m, int k, trJointRows *out) {
    const Prismatic *p = params;
    tr_row_along2(m[0], m[1], p->point1, p->point2, p->axis1, out);
}

const trJointKind tr_joint_planar_prismatic = {
    .name = "prismatic",
    .summary = "lets body 2 slide along a line of body 1 without turning",
    .example = "point = { 0.4, 0.1 }, axis = { 1, 0.4 }",
    .dim = 2,
    .rows = 2,
    .row_units = {"m", "rad"},
    .variable = {{.name = "travel", .unit = "m"}},
    .size = sizeof(Prismatic),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the point of body 2 that slides",
    .reaction_point = offsetof(Prismatic, point2),
    .tangent = tangent,
    .vary = vary,
};
