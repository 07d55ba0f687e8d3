// SPDX-License-Identifier: MIT
// Orientation: body 2 does not turn against body 1 and moves freely otherwise.
//
//     phi = (2 p_x, 2 p_y, 2 p_z)     [rad, rad, rad]   p: body 2 against body 1, none at the start
//
// The rows, with J and b, are tr_row_turn3 in joint/spatial.h.

#include "joint/spatial.h"
#include "joint/tangents3.h"

typedef struct Orientation {
    trMarker3 marker1, marker2;  // coincide at the start
} Orientation;

static const trField fields[] = {
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    Orientation *p = params;
    const trVec3 z = {0.0, 0.0, 1.0};
    tr_place_coincident3(z, &place[0], &place[1], &p->marker1, &p->marker2);
    return TR_OK;
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const Orientation *p = params;
    trRelative3 rel = tr_relative3(m[0], m[1], &p->marker1, &p->marker2);
    for (int axis = 0; axis < 3; axis++) {
        trJointRows row = tr_rows_from(out, axis);
        tr_row_turn3(m[0], m[1], &p->marker2, &rel, axis, &row);
    }
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Orientation *p = params;
    trVec3 l = {lambda[0], lambda[1], lambda[2]};
    tr_tangent_turns3(m[0], m[1], &p->marker1, &p->marker2, l, K);
}

const trJointKind tr_joint_spatial_orientation = {
    .name = "orientation",
    .summary = "keeps the orientation of body 2 against body 1",
    .example = "",
    .dim = 3,
    .rows = 3,
    .row_units = {"rad", "rad", "rad"},
    .size = sizeof(Orientation),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the center of mass of body 2",
    .tangent3 = tangent,
};
