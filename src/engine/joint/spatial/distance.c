// SPDX-License-Identifier: MIT
// Distance: a massless rod between a point of body 1 and a point of body 2.
//
//     phi = |P2 - P1| - length           [m]
//
// The row, with J and b, is tr_row_distance3 in joint/contact3.h.

#include "joint/tangents3_pull.h"

typedef struct Distance {
    trVec3 world1, world2;  // in the world, at the start [m]
    trVec3 point1, point2;  // in body frames; prepared: from the centers of mass [m]
    double length;          // [m]
} Distance;

static const trField fields[] = {
    TR_FIELDS_OF_ENDS(Distance, TR_FIELD_VEC3, "frame"),
    TR_FIELD(Distance, length, TR_FIELD_REAL, TR_POSITIVE, NAN, "m",
             "of the rod; default: as at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    Distance *p = params;
    double    start = 0.0;
    TR_TRY(
        tr_place_rod3(p->world1, p->world2, &p->point1, &p->point2, &place[0], &place[1], &start));
    if (isnan(p->length)) {
        p->length = start;
    }
    return TR_OK;
}

static void vary(const void *params, const trMotion3 *const *m, int k, trJointRows *out) {
    const Distance *p = params;
    tr_row_distance3(m[0], m[1], p->point1, p->point2, out);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const Distance *p = params;
    vary(params, m, 0, out);
    out->phi[0] -= p->length;
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Distance *p = params;
    tr_tangent_distance3(m[0], m[1], p->point1, p->point2, lambda[0], K);
}

const trJointKind tr_joint_spatial_distance = {
    .name = "distance",
    .summary = "keeps two points a fixed length apart (massless rod)",
    .example = "point1 = { 0.1, 0.2, 0.3 }, point2 = { -0.3, 0.1, 0 }",
    .dim = 3,
    .rows = 1,
    .row_units = {"m"},
    .variable = {{.name = "length", .unit = "m", .held = true}},
    .size = sizeof(Distance),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the end on body 2",
    .reaction_point = offsetof(Distance, point2),
    .tangent3 = tangent,
    .vary3 = vary,
};
