// SPDX-License-Identifier: MIT
// Screw: body 2 turns about an axis of body 1 and travels along it by `pitch` for each turn.
//
//     phi = (x1.(P2 - P1), y1.(P2 - P1),            [m, m]      x1, y1, z1: axes of marker 1
//            2 p_x, 2 p_y,                          [rad, rad]  p: marker 2 against marker 1
//            z1.(P2 - P1) - pitch / (2 pi) angle)   [m]         angle: counted over turns
//
// with z of both markers along the axis. The rows, with J and b, are tr_row_along3, tr_row_turn3
// and tr_row_twist3 in joint/spatial.h.

#include "joint/axis3.h"

typedef struct Screw {
    trAxis3 of;
    double  pitch;  // travel per turn [m]
} Screw;

static const trField fields[] = {
    TR_FIELDS_OF_POINT(trAxis3, TR_FIELD_VEC3, "of the axis", "the frame"),
    TR_FIELDS_OF_AXIS3("direction"),
    TR_FIELD(Screw, pitch, TR_FIELD_REAL, TR_REQUIRED, NAN, "m",
             "travel of body 2 along the axis for each turn; negative: left-handed"),
    TR_FIELD_END,
};

// From the row of the travel: pitch / (2 pi) times the row of the angle.
static void subtract_twist(const Screw *p, const trMotion3 *const *m, trJointRows *travel) {
    double      J1[6], J2[6], phi, b1, b, lead = p->pitch / (0.5 * TR_TWIST_PERIOD);
    trRelative3 rel = tr_relative3(m[0], m[1], &p->of.marker1, &p->of.marker2);
    trJointRows twist = {.J = {J1, J2}, .phi = &phi, .b1 = &b1, .b = &b};
    tr_row_twist3(m[0], m[1], &p->of.marker2, &rel, travel->near[0], &travel->turn[0], &twist);
    for (int i = 0; i < 6; i++) {
        travel->J[0][i] -= lead * J1[i];
        travel->J[1][i] -= lead * J2[i];
    }
    travel->phi[0] -= lead * phi;
    travel->b[0] -= lead * b;
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const Screw *p = params;
    trJointRows  travel = tr_rows_from(out, 4);
    tr_rows_along_axes3(&p->of, m, 0, 2, 0, out);
    tr_rows_turn3(m, &p->of.marker1, &p->of.marker2, 0, 2, 2, out);
    tr_rows_along_axes3(&p->of, m, 2, 3, 0, &travel);
    subtract_twist(p, m, &travel);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Screw *p = params;
    double       lead = p->pitch / (0.5 * TR_TWIST_PERIOD);
    trVec3       N = tr_rotate3(&p->of.marker1.K, (trVec3){lambda[0], lambda[1], lambda[4]});
    trRelative3  rel = tr_relative3(m[0], m[1], &p->of.marker1, &p->of.marker2);
    trTurnLoad3  turn = tr_load_turn3(rel.p, (trVec3){lambda[2], lambda[3], 0.0});
    trTurnLoad3  load = tr_load_sum3(turn, tr_load_twist3(&rel, -lead * lambda[4]));
    tr_tangent_along3(m[0], m[1], p->of.point2, N, K);
    tr_tangent_turn3(m[0], m[1], &p->of.marker2, &load, K);
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    const Screw *p = params;
    tr_row_about_axis3(&p->of, m, out);
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
    .prepare3 = tr_prepare_axis3,
    .eval3 = eval,
    .reaction_at = "the point of the axis on body 2",
    .reaction_point = offsetof(Screw, of.point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
