// SPDX-License-Identifier: MIT
// Universal: a cross joins two forks. One axis of the cross is fixed in body 1, the other in body
// 2; they meet in a point and stay perpendicular (Cardan's or Hooke's joint).
//
//     phi = (P2 - P1,     [m, m, m]
//            a1.a2)       [rad]      a1, a2: unit vectors along the axes
//
// Its variables are the turns of the cross about a1 and of body 2 about a2, from the start.
//
// The rows, with J and b, are tr_rows_point3 and tr_row_perpendicular3 in joint/spatial.h.

#include "joint/spatial.h"
#include "joint/tangents3.h"

#define DEGREE (3.14159265358979323846 / 180.0)  // [rad]
#define MAX_DEVIATION 45.0                       // from a right angle; assembly corrects less

typedef struct Universal {
    trVec3 point;                     // in the world, at the start [m]
    trVec3 point1, point2;            // in body frames; prepared: from the centers of mass [m]
    trVec3 axis1, axis2;              // in body frames; prepared: in principal axes
    trVec3 world_axis1, world_axis2;  // in the world, at the start
    trVec3 zero1, zero2;              // the other axis at the start, across the own one, in bodies
} Universal;

static const trField fields[] = {
    TR_FIELDS_OF_POINT(Universal, TR_FIELD_VEC3, "where the axes cross", "the frame"),
    TR_FIELD(Universal, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "axis of the cross that is fixed in body 1, in its frame, instead of world_axis1"),
    TR_FIELD(Universal, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "axis of the cross that is fixed in body 2, in its frame, instead of world_axis2"),
    TR_FIELD(Universal, world_axis1, TR_FIELD_VEC3, 0, NAN, "",
             "the same in the world at the start; default: axis1, one of the two is needed"),
    TR_FIELD(Universal, world_axis2, TR_FIELD_VEC3, 0, NAN, "",
             "the same in the world at the start; default: axis2, one of the two is needed"),
    TR_FIELD_END,
};

// The part of `a` across a unit vector, as a unit vector.
static trVec3 across(trVec3 a, trVec3 axis) {
    trVec3 part = tr_add_scaled3(a, -tr_dot3(a, axis), axis);
    return tr_scale3(1.0 / tr_length3(part), part);
}

static trStatus prepare(void *params, const trPlace3 *place) {
    Universal *p = params;
    TR_TRY(tr_place_axis3(p->world_axis1, &p->axis1, &place[0], "world_axis1", "axis1"));
    TR_TRY(tr_place_axis3(p->world_axis2, &p->axis2, &place[1], "world_axis2", "axis2"));
    trVec3 a1 = tr_quat_rotate(tr_place_turn3(&place[0]), p->axis1);
    trVec3 a2 = tr_quat_rotate(tr_place_turn3(&place[1]), p->axis2);
    double angle = atan2(tr_length3(tr_cross3(a1, a2)), tr_dot3(a1, a2)) / DEGREE;
    if (fabs(angle - 90.0) > MAX_DEVIATION) {
        return tr_fail(TR_E_MODEL,
                       "the axes must be perpendicular at the start, they are at %.1f degrees; "
                       "give the axes of the cross, not those of the shafts",
                       angle);
    }
    p->zero1 = tr_quat_unrotate(tr_place_turn3(&place[0]), across(a2, a1));
    p->zero2 = tr_quat_unrotate(tr_place_turn3(&place[1]), across(a1, a2));
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const Universal *p = params;
    trJointRows      right = tr_rows_from(out, 3);
    tr_rows_point3(m[0], m[1], p->point1, p->point2, out);
    tr_row_perpendicular3(m[0], m[1], p->axis1, p->axis2, &right);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Universal *p = params;
    tr_tangent_point3(m[0], m[1], p->point1, p->point2, lambda, K);
    tr_tangent_perpendicular3(m[0], m[1], p->axis1, p->axis2, lambda[3], K);
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    const Universal *p = params;
    if (k == 0) {
        tr_row_swing3(m[0], m[1], p->axis1, p->zero1, p->axis2, out);
    } else {  // body 1 swings backward as seen from body 2
        trJointRows back = {
            .J = {out->J[1], out->J[0]}, .phi = out->phi, .b1 = out->b1, .b = out->b};
        tr_row_swing3(m[1], m[0], tr_scale3(-1.0, p->axis2), p->zero2, p->axis1, &back);
    }
}

const trJointKind tr_joint_spatial_universal = {
    .name = "universal",
    .summary = "joins two forks by a cross whose axes stay perpendicular (Cardan)",
    .example = "point = { 0.4, 0.1, 0.2 }, world_axis1 = { 1, 0.2, 0 }, world_axis2 = { -0.2, "
               "1, 0 }",
    .dim = 3,
    .rows = 4,
    .row_units = {"m", "m", "m", "rad"},
    .variable = {{.name = "angle1", .unit = "rad", .period = 0.5 * TR_TWIST_PERIOD},
                 {.name = "angle2", .unit = "rad", .period = 0.5 * TR_TWIST_PERIOD}},
    .size = sizeof(Universal),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point where the axes cross",
    .reaction_point = offsetof(Universal, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
