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
    TR_FIELD(Distance, world1, TR_FIELD_VEC3, 0, NAN, "m",
             "end on body 1, in the world at the start, instead of point1"),
    TR_FIELD(Distance, world2, TR_FIELD_VEC3, 0, NAN, "m",
             "end on body 2, in the world at the start, instead of point2"),
    TR_FIELD(Distance, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "end on body 1, in its frame; default: its frame origin"),
    TR_FIELD(Distance, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "end on body 2, in its frame; default: its frame origin"),
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

static void eval(const void *params, double t, const trMotion3 *const *m, trJointRows *out) {
    const Distance *p = params;
    (void)t;
    tr_row_distance3(m[0], m[1], p->point1, p->point2, out);
    out->phi[0] -= p->length;
}

static void tangent(const void *params, double t, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Distance *p = params;
    (void)t;
    tr_tangent_distance3(m[0], m[1], p->point1, p->point2, lambda[0], K);
}

static trVec3 reaction_point(const void *params, const trMotion3 *const *m) {
    const Distance *p = params;
    return tr_point3(m[1], p->point2);
}

const trJointKind tr_joint_spatial_distance = {
    .name = "distance",
    .summary = "keeps two points a fixed length apart (massless rod)",
    .dim = 3,
    .rows = 1,
    .row_units = {"m"},
    .size = sizeof(Distance),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the end on body 2",
    .reaction_point3 = reaction_point,
    .tangent3 = tangent,
};
