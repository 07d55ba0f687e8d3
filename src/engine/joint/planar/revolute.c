// SPDX-License-Identifier: MIT
// Revolute: a point of body 2 stays on a point of body 1; the bodies turn freely about it.
//
//     s1 = R1 p1,  s2 = R2 p2         arms, from the centers of mass
//     phi = (r2 + s2) - (r1 + s1)     [m, m]
//     J1  = (-I, -z x s1)             J2 = (I, z x s2)
//     b   = omega2^2 s2 - omega1^2 s1

#include <math.h>

#include "joint/shared.h"
#include "joint/tangents.h"

typedef struct Revolute {
    trVec2 point;           // in the world, at the start [m]
    trVec2 point1, point2;  // in body axes; prepared: from the centers of mass [m]
} Revolute;

static const trField fields[] = {
    TR_FIELDS_OF_POINT(Revolute, TR_FIELD_VEC2, "the pin", "axes"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place) {
    Revolute *p = params;
    return tr_place_point(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const Revolute *p = params;
    tr_rows_pin2(m[0], m[1], p->point1, p->point2, out);
}

static void tangent(const void *params, const trMotion2 *const *m, const double *lambda,
                    double *K) {
    const Revolute *p = params;
    tr_tangent_pin2(m[0], m[1], p->point1, p->point2, lambda, K);
}

static void vary(const void *params, const trMotion2 *const *m, int k, trJointRows *out) {
    tr_row_angle2(m[0], m[1], 0, out);
}

const trJointKind tr_joint_planar_revolute = {
    .name = "revolute",
    .summary = "pins two bodies together at a point (hinge)",
    .example = "point = { 0.4, 0.1 }",
    .dim = 2,
    .rows = 2,
    .row_units = {"m", "m"},
    .variable = {{.name = "angle", .unit = "rad"}},
    .size = sizeof(Revolute),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the pin",
    .reaction_point = offsetof(Revolute, point2),
    .tangent = tangent,
    .vary = vary,
};
