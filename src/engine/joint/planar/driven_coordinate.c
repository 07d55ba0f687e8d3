// SPDX-License-Identifier: MIT
// Driven coordinate: one coordinate of a point of body 2, measured in body 1 from a point of it
// along an axis of it, is a given function of time.
//
//     w   = R1 axis1
//     phi = w.(P2 - P1) - f(t)           [m]
//     b1  = f'        b = (that of tr_row_along2 in joint/shared.h) + f''

#include <math.h>

#include "joint/driven.h"
#include "joint/shared.h"
#include "joint/tangents.h"

typedef struct DrivenCoordinate {
    trVec2     point;           // in the world, at the start [m]
    trVec2     point1, point2;  // in body axes; prepared: from the centers of mass [m]
    trVec2     axis, axis1;     // in the world at the start, and in axes of body 1
    trFunction value;           // [m]
} DrivenCoordinate;

static const trField fields[] = {
    TR_FIELD(DrivenCoordinate, point, TR_FIELD_VEC2, 0, NAN, "m",
             "the driven point of body 2, in the world at the start; no point given: the frame "
             "origin of body 2"),
    TR_FIELD(DrivenCoordinate, point1, TR_FIELD_VEC2, 0, NAN, "m",
             "where the coordinate is zero, in axes of body 1; default: its frame origin"),
    TR_FIELD(DrivenCoordinate, point2, TR_FIELD_VEC2, 0, NAN, "m",
             "the driven point in axes of body 2, instead of point"),
    TR_FIELD(DrivenCoordinate, axis, TR_FIELD_VEC2, 0, NAN, "",
             "of the coordinate, in the world at the start; default: x of body 1"),
    TR_FIELD(DrivenCoordinate, axis1, TR_FIELD_VEC2, 0, NAN, "",
             "of the coordinate, in axes of body 1, instead of axis"),
    TR_FIELD(DrivenCoordinate, value, TR_FIELD_FUNCTION, TR_REQUIRED, NAN, "m",
             "of the coordinate, over time"),
    TR_FIELD_END,
};

// The driven point and the zero of the coordinate are placed apart: they are two points.
static trStatus prepare(void *params, const trPlace2 *place) {
    DrivenCoordinate *p = params;
    const trVec2      none = {NAN, NAN};
    trVec2            partner = none, other = none;
    double            unused = 0.0;
    TR_TRY(tr_place_axis(p->axis, &p->axis1, &place[0], "axis1"));
    TR_TRY(tr_place_point(p->point, &partner, &p->point2, &place[0], &place[1]));
    return tr_place_ends(none, none, &p->point1, &other, &place[0], &place[1], &unused);
}

static void vary(const void *params, const trMotion2 *const *m, int k, trJointRows *out) {
    const DrivenCoordinate *p = params;
    tr_row_along2(m[0], m[1], p->point1, p->point2, p->axis1, out);
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const DrivenCoordinate *p = params;
    vary(params, m, 0, out);
    tr_row_follow(&p->value, out);
}

static void tangent(const void *params, const trMotion2 *const *m, const double *lambda,
                    double *K) {
    const DrivenCoordinate *p = params;
    tr_tangent_along2(m[0], m[1], p->point1, p->point2, p->axis1, lambda[0], K);
}

const trJointKind tr_joint_planar_driven_coordinate = {
    .name = "driven_coordinate",
    .summary = "drives one coordinate of a point of body 2, seen from body 1, over time",
    .example = "point1 = { 0.1, 0.4 }, axis = { 1, 0.3 }, value = function(t) return sin(2 * "
               "t) end",
    .dim = 2,
    .traits = TR_RHEONOMIC,
    .rows = 1,
    .row_units = {"m"},
    .variable = {{.name = "coordinate", .unit = "m", .held = true}},
    .size = sizeof(DrivenCoordinate),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the driven point of body 2",
    .reaction_point = offsetof(DrivenCoordinate, point2),
    .tangent = tangent,
    .vary = vary,
};
