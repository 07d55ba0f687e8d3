// SPDX-License-Identifier: MIT
// Fixed: body 2 is welded to body 1, at a point and at an angle.
//
//     s1 = R1 p1,  s2 = R2 p2                   arms, from the centers of mass
//     phi = ((r2 + s2) - (r1 + s1),             [m, m]
//            angle2 - angle1 - angle)           [rad]
//     J1  = (-I, -z x s1; 0, -1)                J2 = (I, z x s2; 0, 1)
//     b   = (omega2^2 s2 - omega1^2 s1, 0)

#include <math.h>

#include "joint/shared.h"
#include "joint/tangents.h"

typedef struct Fixed {
    trVec2 point;           // in the world, at the start [m]
    trVec2 point1, point2;  // in body axes; prepared: from the centers of mass [m]
    double angle;           // of body 2 relative to body 1 [rad]
} Fixed;

static const trField fields[] = {
    TR_FIELDS_OF_POINT(Fixed, TR_FIELD_VEC2, "the weld", "axes"),
    TR_FIELD(Fixed, angle, TR_FIELD_REAL, 0, NAN, "rad",
             "of body 2 relative to body 1; default: as at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place) {
    Fixed *p = params;
    if (isnan(p->angle)) {
        p->angle = place[1].angle - place[0].angle;
    }
    return tr_place_point(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const Fixed *p = params;

    tr_rows_pin2(m[0], m[1], p->point1, p->point2, out);
    tr_row_angle2(m[0], m[1], 2, out);
    out->phi[2] -= p->angle;
}

// J of the last row is constant.
static void tangent(const void *params, const trMotion2 *const *m, const double *lambda,
                    double *K) {
    const Fixed *p = params;
    tr_tangent_pin2(m[0], m[1], p->point1, p->point2, lambda, K);
}

const trJointKind tr_joint_planar_fixed = {
    .name = "fixed",
    .summary = "welds two bodies together",
    .example = "point = { 0.4, 0.1 }",
    .dim = 2,
    .rows = 3,
    .row_units = {"m", "m", "rad"},
    .size = sizeof(Fixed),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the point of the joint",
    .reaction_point = offsetof(Fixed, point2),
    .tangent = tangent,
};
