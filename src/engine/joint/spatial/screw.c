// SPDX-License-Identifier: MIT
// Screw: body 2 turns about an axis of body 1 and travels along it by `pitch` for each turn.
//
//     phi = (x1.(P2 - P1), y1.(P2 - P1),            [m, m]      x1, y1, z1: axes of marker 1
//            2 p_x, 2 p_y,                          [rad, rad]  p: marker 2 against marker 1
//            z1.(P2 - P1) - pitch / (2 pi) angle)   [m]         angle: counted over turns
//
// with z of both markers along the axis. The rows, with J and b, are tr_row_along3, tr_row_turn3
// and tr_row_twist3 in joint/spatial.h.

#include "joint/spatial.h"
#include "joint/tangents3.h"

typedef struct Screw {
    trVec3    point;               // in the world, at the start [m]
    trVec3    point1, point2;      // in body frames; prepared: from the centers of mass [m]
    trVec3    axis, axis1, axis2;  // in the world, and in the bodies
    trMarker3 marker1, marker2;    // z along the axis
    double    pitch;               // travel per turn [m]
} Screw;

static const trField fields[] = {
    TR_FIELD(Screw, point, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis, in the world at the start; no point given: the frame origin of body 2"),
    TR_FIELD(Screw, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis in the frame of body 1; default: where point2 is at the start"),
    TR_FIELD(Screw, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis in the frame of body 2; default: where point1 is at the start"),
    TR_FIELD(Screw, axis, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the world at the start; default: that of axis1 or axis2, one is needed"),
    TR_FIELD(Screw, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 1; default: where axis2 is at the start"),
    TR_FIELD(Screw, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 2; default: where axis1 is at the start"),
    TR_FIELD(Screw, pitch, TR_FIELD_REAL, TR_REQUIRED, NAN, "m",
             "travel of body 2 along the axis for each turn; negative: left-handed"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    Screw *p = params;
    TR_TRY(tr_place_axes3(p->axis, &p->axis1, &p->axis2, &place[0], &place[1]));
    tr_place_markers3(p->axis1, p->axis2, &place[0], &place[1], &p->marker1, &p->marker2);
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

// From the row of the travel: pitch / (2 pi) times the row of the angle.
static void subtract_twist(const Screw *p, const trMotion3 *m1, const trMotion3 *m2,
                           const trRelative3 *rel, trJointRows *travel) {
    double      J1[6], J2[6], phi, b1, b, lead = p->pitch / (0.5 * TR_TWIST_PERIOD);
    trJointRows twist = {.J = {J1, J2}, .phi = &phi, .b1 = &b1, .b = &b};
    tr_row_twist3(m1, m2, &p->marker2, rel, travel->near[0], &travel->turn[0], &twist);
    for (int i = 0; i < 6; i++) {
        travel->J[0][i] -= lead * J1[i];
        travel->J[1][i] -= lead * J2[i];
    }
    travel->phi[0] -= lead * phi;
    travel->b[0] -= lead * b;
}

static void eval(const void *params, double t, const trMotion3 *const *m, trJointRows *out) {
    const Screw *p = params;
    (void)t;
    trRelative3 rel = tr_relative3(m[0], m[1], &p->marker1, &p->marker2);
    trJointRows y = tr_rows_from(out, 1), turn_x = tr_rows_from(out, 2);
    trJointRows turn_y = tr_rows_from(out, 3), travel = tr_rows_from(out, 4);
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->marker1.K.x, out);
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->marker1.K.y, &y);
    tr_row_turn3(m[0], m[1], &p->marker2, &rel, 0, &turn_x);
    tr_row_turn3(m[0], m[1], &p->marker2, &rel, 1, &turn_y);
    tr_row_along3(m[0], m[1], p->point1, p->point2, p->marker1.K.z, &travel);
    subtract_twist(p, m[0], m[1], &rel, &travel);
}

static void tangent(const void *params, double t, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Screw *p = params;
    (void)t;
    double      lead = p->pitch / (0.5 * TR_TWIST_PERIOD);
    trVec3      N = tr_rotate3(&p->marker1.K, (trVec3){lambda[0], lambda[1], lambda[4]});
    trRelative3 rel = tr_relative3(m[0], m[1], &p->marker1, &p->marker2);
    trTurnLoad3 turn = tr_load_turn3(rel.p, (trVec3){lambda[2], lambda[3], 0.0});
    trTurnLoad3 load = tr_load_sum3(turn, tr_load_twist3(&rel, -lead * lambda[4]));
    tr_tangent_along3(m[0], m[1], p->point2, N, K);
    tr_tangent_turn3(m[0], m[1], &p->marker2, &load, K);
}

static void vary(const void *params, double t, const trMotion3 *const *m, int k, trJointRows *out) {
    const Screw *p = params;
    (void)t;
    (void)k;
    tr_row_angle3(m[0], m[1], &p->marker1, &p->marker2, out);
}

const trJointKind tr_joint_spatial_screw = {
    .name = "screw",
    .summary = "lets body 2 turn about an axis of body 1 and travel with its turns",
    .example = "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }, pitch = 0.3",
    .dim = 3,
    .rows = 5,
    .turns = 1,
    .row_units = {"m", "m", "rad", "rad", "m"},
    .variable = {{.name = "angle", .unit = "rad", .period = TR_TWIST_PERIOD}},
    .size = sizeof(Screw),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point of the axis on body 2",
    .reaction_point = offsetof(Screw, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
