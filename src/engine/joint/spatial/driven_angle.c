// SPDX-License-Identifier: MIT
// Driven angle: the angle by which body 2 has turned against body 1 about an axis, counted from the
// start, is a given function of time. One row, for use beside a joint that guides the axis
// (revolute, cylindrical).
//
//     phi = twist - f(t)             [rad]  twist of marker 2 against marker 1, z along the axis
//     b1  = f'        b = (that of tr_row_twist3 in joint/spatial.h) + f''
//
// The twist repeats after two turns; it is taken nearest to f, so that phi lies between -2 pi and
// 2 pi while f goes through any number of turns.

#include "joint/driven.h"
#include "joint/tangents3.h"

typedef struct DrivenAngle {
    trVec3     axis, axis1, axis2;  // in the world, and in the bodies
    trMarker3  marker1, marker2;    // z along the axis
    trFunction angle;               // [rad]
} DrivenAngle;

static const trField fields[] = {
    TR_FIELD(DrivenAngle, axis, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the world at the start, instead of axis1 and axis2; one is needed"),
    TR_FIELD(DrivenAngle, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 1; default: where axis2 is at the start"),
    TR_FIELD(DrivenAngle, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 2; default: where axis1 is at the start"),
    TR_FIELD(DrivenAngle, angle, TR_FIELD_FUNCTION, TR_REQUIRED, NAN, "rad",
             "by which body 2 has turned against body 1 since the start, over time"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    DrivenAngle *p = params;
    TR_TRY(tr_place_axes3(p->axis, &p->axis1, &p->axis2, &place[0], &place[1]));
    tr_place_markers3(p->axis1, p->axis2, &place[0], &place[1], &p->marker1, &p->marker2);
    return TR_OK;
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    const DrivenAngle *p = params;
    double             near = tr_function_jet(&p->angle, out->t).value, turn;
    trRelative3        rel = tr_relative3(m[0], m[1], &p->marker1, &p->marker2);
    tr_row_twist3(m[0], m[1], &p->marker2, &rel, near, &turn, out);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const DrivenAngle *p = params;
    vary(params, m, 0, out);
    tr_row_follow(&p->angle, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const DrivenAngle *p = params;
    trRelative3        rel = tr_relative3(m[0], m[1], &p->marker1, &p->marker2);
    trTurnLoad3        load = tr_load_twist3(&rel, lambda[0]);
    tr_tangent_turn3(m[0], m[1], &p->marker2, &load, K);
}

const trJointKind tr_joint_spatial_driven_angle = {
    .name = "driven_angle",
    .summary = "drives the turn of body 2 against body 1 about an axis over time (motor)",
    .example = "axis = { 1, 0.2, 0.3 }, angle = function(t) return 0.2 + t ^ 2 end",
    .dim = 3,
    .traits = TR_RHEONOMIC,
    .rows = 1,
    .row_units = {"rad"},
    .variable = {{.name = "angle", .unit = "rad", .held = true}},
    .size = sizeof(DrivenAngle),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the center of mass of body 2",
    .tangent3 = tangent,
    .vary3 = vary,
};
