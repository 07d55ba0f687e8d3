// SPDX-License-Identifier: MIT
// Driven coordinate: one coordinate of a point of body 2, measured in body 1 from a point of it
// along an axis of it, is a given function of time.
//
//     n   = R1 axis1
//     phi = n.(P2 - P1) - f(t)           [m]
//     b1  = f'        b = (that of tr_row_along3 in joint/spatial.h) + f''

#include "joint/driven.h"
#include "joint/tangents3.h"

typedef struct DrivenCoordinate {
    trVec3     point;           // in the world, at the start [m]
    trVec3     point1, point2;  // in body frames; prepared: from the centers of mass [m]
    trVec3     axis, axis1;     // in the world at the start, and in body 1
    trFunction value;           // [m]
} DrivenCoordinate;

static const trField fields[] = {
    TR_FIELD(DrivenCoordinate, point, TR_FIELD_VEC3, 0, NAN, "m",
             "the driven point of body 2, in the world at the start; no point given: the frame "
             "origin of body 2"),
    TR_FIELD(DrivenCoordinate, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "where the coordinate is zero, in the frame of body 1; default: its origin"),
    TR_FIELD(DrivenCoordinate, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "the driven point in the frame of body 2, instead of point"),
    TR_FIELD(DrivenCoordinate, axis, TR_FIELD_VEC3, 0, NAN, "",
             "of the coordinate, in the world at the start, instead of axis1; one is needed"),
    TR_FIELD(DrivenCoordinate, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "of the coordinate, in the frame of body 1, instead of axis"),
    TR_FIELD(DrivenCoordinate, value, TR_FIELD_FUNCTION, TR_REQUIRED, NAN, "m",
             "of the coordinate, over time"),
    TR_FIELD_END,
};

// The driven point and the zero of the coordinate are placed apart: they are two points.
static trStatus prepare(void *params, const trPlace3 *place) {
    DrivenCoordinate *p = params;
    const trVec3      none = {NAN, NAN, NAN};
    trVec3            partner = none, other = none;
    double            unused = 0.0;
    TR_TRY(tr_place_axis3(p->axis, &p->axis1, &place[0], "axis", "axis1"));
    TR_TRY(tr_place_point3(p->point, &partner, &p->point2, &place[0], &place[1]));
    return tr_place_ends3(none, none, &p->point1, &other, &place[0], &place[1], &unused);
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    const DrivenCoordinate *p = params;
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->axis1, out);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const DrivenCoordinate *p = params;
    vary(params, m, 0, out);
    tr_row_follow(&p->value, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const DrivenCoordinate *p = params;
    tr_tangent_along3(m[0], m[1], p->point2, tr_scale3(lambda[0], p->axis1), K);
}

const trJointKind tr_joint_spatial_driven_coordinate = {
    .name = "driven_coordinate",
    .summary = "drives one coordinate of a point of body 2, seen from body 1, over time",
    .example = "point1 = { 0.1, 0.4, 0 }, axis = { 1, 0.3, 0.2 }, value = function(t) return "
               "sin(2 * t) end",
    .dim = 3,
    .traits = TR_RHEONOMIC,
    .rows = 1,
    .row_units = {"m"},
    .variable = {{.name = "coordinate", .unit = "m", .held = true}},
    .size = sizeof(DrivenCoordinate),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the driven point of body 2",
    .reaction_point = offsetof(DrivenCoordinate, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
