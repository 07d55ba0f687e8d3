// SPDX-License-Identifier: MIT
// Rack and pinion: the rack (body 1) moves along an axis by `radius` times the angle by which the
// pinion (body 2) turns, both against the carrier (ground where none is given) and counted from the
// start. The guide of the rack and the bearing of the pinion are joints of their own.
//
//     phi = a.(r1 - rC) - radius (angle2 - angleC) - offset        [m], a fixed in the carrier
//     b   = (that of tr_row_along2 in joint/shared.h)

#include "joint/shared.h"
#include "joint/tangents.h"

enum { RACK, PINION, CARRIER, BODIES };

static const trVec2 center = {0.0, 0.0};

typedef struct RackAndPinion {
    trVec2 world_axis1, axis;  // of the rack, in the world at the start and in the carrier
    double radius;
    int    carrier;
    double offset;  // that phi is zero at the start [m]
} RackAndPinion;

static const trField fields[] = {
    TR_FIELD(RackAndPinion, world_axis1, TR_FIELD_VEC2, TR_REQUIRED, NAN, "",
             "along which the rack moves, in the world at the start"),
    TR_FIELD(RackAndPinion, radius, TR_FIELD_REAL, TR_REQUIRED, NAN, "m",
             "travel of the rack per radian of the pinion; negative where it moves backward"),
    TR_FIELD(RackAndPinion, carrier, TR_FIELD_BODY, 0, NAN, "",
             "body that guides the rack and bears the pinion; default: ground"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place) {
    RackAndPinion *p = params;
    trVec2         at[BODIES];
    if (p->radius == 0.0) {
        return tr_fail(TR_E_MODEL, "'radius' must not be zero");
    }
    p->axis = (trVec2){NAN, NAN};
    TR_TRY(tr_place_axis(p->world_axis1, &p->axis, &place[CARRIER], "world_axis1"));
    const double c = cos(place[CARRIER].angle), s = sin(place[CARRIER].angle);
    for (int k = 0; k < BODIES; k++) {
        const trVec2 arm = tr_rotate2(cos(place[k].angle), sin(place[k].angle), place[k].com);
        at[k] = tr_add2(place[k].at, arm);
    }
    p->offset = tr_dot2(tr_rotate2(c, s, p->axis), tr_sub2(at[RACK], at[CARRIER])) -
                p->radius * (place[PINION].angle - place[CARRIER].angle);
    return TR_OK;
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const RackAndPinion *p = params;
    trJointRows          travel = {
                 .J = {out->J[CARRIER], out->J[RACK]}, .phi = out->phi, .b1 = out->b1, .b = out->b};
    tr_row_along2(m[CARRIER], m[RACK], center, center, p->axis, &travel);
    tr_write_side2(0.0, 0.0, -p->radius, out->J[PINION]);
    out->J[CARRIER][2] += p->radius;
    out->phi[0] -= p->radius * (m[PINION]->angle - m[CARRIER]->angle) + p->offset;
}

static void tangent(const void *params, const trMotion2 *const *m, const double *lambda,
                    double *K) {
    const RackAndPinion *p = params;
    double               pair[36] = {0.0};
    tr_tangent_along2(m[CARRIER], m[RACK], center, center, p->axis, lambda[0], pair);
    tr_gain_pair2(K, BODIES, CARRIER, RACK, pair);
}

const trJointKind tr_joint_planar_rack_and_pinion = {
    .name = "rack_and_pinion",
    .summary = "makes a rack, body 1, move along an axis as a pinion, body 2, turns",
    .example = "world_axis1 = { 1, 0.4 }, radius = 0.3, carrier = c",
    .dim = 2,
    .traits = TR_GEARED,
    .rows = 1,
    .row_units = {"m"},
    .size = sizeof(RackAndPinion),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the center of mass of the pinion; the rack bears a force along the axis",
    .tangent = tangent,
};
