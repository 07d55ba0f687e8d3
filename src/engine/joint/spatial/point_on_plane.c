// SPDX-License-Identifier: MIT
// Point on plane: a point of body 2 stays on a plane that is fixed in body 1.
//
//     phi = n.(P2 - P1)              [m]  n = R1 axis1: normal to the plane
//
// The row, with J and b, is tr_row_along3 in joint/spatial.h.

#include "joint/tangents3.h"

typedef struct PointOnPlane {
    trVec3 point;           // in the world, at the start [m]
    trVec3 point1, point2;  // in body frames; prepared: from the centers of mass [m]
    trVec3 axis, axis1;     // the normal in the world at the start, and in body 1
    trVec3 along[2];        // in the plane, in body 1
} PointOnPlane;

static const trField fields[] = {
    TR_FIELD(PointOnPlane, point, TR_FIELD_VEC3, 0, NAN, "m",
             "the point, on the plane, in the world at the start; no point given: the frame origin "
             "of body 2"),
    TR_FIELD(PointOnPlane, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "any point of the plane, in the frame of body 1; default: where point2 is at the "
             "start"),
    TR_FIELD(PointOnPlane, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "the point in the frame of body 2; default: where point1 is at the start"),
    TR_FIELD(PointOnPlane, axis, TR_FIELD_VEC3, 0, NAN, "",
             "normal to the plane, in the world at the start, instead of axis1; one is needed"),
    TR_FIELD(PointOnPlane, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "normal to the plane in the frame of body 1, instead of axis"),
    TR_FIELD_END,
};

// Along the plane are x and y of the world, turned by the shortest rotation from z to the normal.
static trStatus prepare(void *params, const trPlace3 *place) {
    PointOnPlane *p = params;
    TR_TRY(tr_place_axis3(p->axis, &p->axis1, &place[0], "axis", "axis1"));
    trQuat u1 = tr_place_turn3(&place[0]);
    trQuat tilt = tr_quat_between((trVec3){0.0, 0.0, 1.0}, tr_quat_rotate(u1, p->axis1));
    p->along[0] = tr_quat_unrotate(u1, tr_quat_rotate(tilt, (trVec3){1.0, 0.0, 0.0}));
    p->along[1] = tr_quat_unrotate(u1, tr_quat_rotate(tilt, (trVec3){0.0, 1.0, 0.0}));
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const PointOnPlane *p = params;
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->axis1, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const PointOnPlane *p = params;
    tr_tangent_along3(m[0], m[1], p->point2, tr_scale3(lambda[0], p->axis1), K);
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    const PointOnPlane *p = params;
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->along[k], out);
}

const trJointKind tr_joint_spatial_point_on_plane = {
    .name = "point_on_plane",
    .summary = "keeps a point of body 2 on a plane of body 1",
    .example = "point2 = { 0.2, 0.1, 0 }, axis = { 1, 0.4, 0.3 }",
    .dim = 3,
    .rows = 1,
    .row_units = {"m"},
    .variable = {{.name = "x", .unit = "m"}, {.name = "y", .unit = "m"}},
    .size = sizeof(PointOnPlane),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point of body 2",
    .reaction_point = offsetof(PointOnPlane, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
