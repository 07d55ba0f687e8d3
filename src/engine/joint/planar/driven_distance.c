// SPDX-License-Identifier: MIT
// Driven distance: an actuator whose length between a point of body 1 and a point of body 2 is a
// given function of time.
//
//     phi = |P2 - P1| - f(t)             [m]
//     b1  = f'        b = (that of tr_row_distance2 in joint/shared.h) + f''
//
// Not defined where the length passes through zero.

#include <math.h>

#include "joint/driven.h"
#include "joint/shared.h"
#include "joint/tangents.h"

typedef struct DrivenDistance {
    trVec2     world1, world2;  // in the world, at the start [m]
    trVec2     point1, point2;  // in body axes; prepared: from the centers of mass [m]
    trFunction length;          // [m]
} DrivenDistance;

static const trField fields[] = {
    TR_FIELDS_OF_ENDS(DrivenDistance, TR_FIELD_VEC2, "axes"),
    TR_FIELD(DrivenDistance, length, TR_FIELD_FUNCTION, TR_REQUIRED, NAN, "m",
             "of the actuator, over time"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place) {
    DrivenDistance *p = params;
    double          start = 0.0;
    return tr_place_rod(p->world1, p->world2, &p->point1, &p->point2, &place[0], &place[1], &start);
}

static void vary(const void *params, const trMotion2 *const *m, int k, trJointRows *out) {
    const DrivenDistance *p = params;
    tr_row_distance2(m[0], m[1], p->point1, p->point2, out);
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const DrivenDistance *p = params;
    vary(params, m, 0, out);
    tr_row_follow(&p->length, out);
}

static void tangent(const void *params, const trMotion2 *const *m, const double *lambda,
                    double *K) {
    const DrivenDistance *p = params;
    tr_tangent_distance2(m[0], m[1], p->point1, p->point2, lambda[0], K);
}

const trJointKind tr_joint_planar_driven_distance = {
    .name = "driven_distance",
    .summary = "drives the distance of two points over time (linear actuator)",
    .example = "point1 = { 0.1, 0.2 }, length = function(t) return 1 + t ^ 2 end",
    .dim = 2,
    .traits = TR_RHEONOMIC,
    .rows = 1,
    .row_units = {"m"},
    .variable = {{.name = "length", .unit = "m", .held = true}},
    .size = sizeof(DrivenDistance),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the end on body 2",
    .reaction_point = offsetof(DrivenDistance, point2),
    .tangent = tangent,
    .vary = vary,
};
