// SPDX-License-Identifier: MIT
// Spherical: a point of body 2 stays at a point of body 1 (ball joint).
//
//     phi = P2 - P1        [m, m, m]
//
// The rows, with J and b, are tr_rows_point3 in joint/spatial.h.

#include "joint/spatial.h"
#include "joint/tangents3.h"

typedef struct Spherical {
    trVec3 point;           // in the world, at the start [m]
    trVec3 point1, point2;  // in body frames; prepared: from the centers of mass [m]
} Spherical;

static const trField fields[] = {
    TR_FIELDS_OF_POINT(Spherical, TR_FIELD_VEC3, "the center", "the frame"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    Spherical *p = params;
    return tr_place_point3(p->point, &p->point1, &p->point2, &place[0], &place[1]);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const Spherical *p = params;
    tr_rows_point3(m[0], m[1], p->point1, p->point2, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Spherical *p = params;
    tr_tangent_point3(m[0], m[1], p->point1, p->point2, lambda, K);
}

const trJointKind tr_joint_spatial_spherical = {
    .name = "spherical",
    .summary = "keeps a point of body 2 at a point of body 1 (ball joint)",
    .example = "point = { 0.4, 0.1, 0.2 }",
    .dim = 3,
    .rows = 3,
    .row_units = {"m", "m", "m"},
    .size = sizeof(Spherical),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the point",
    .reaction_point = offsetof(Spherical, point2),
    .tangent3 = tangent,
};
