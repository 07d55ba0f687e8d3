// SPDX-License-Identifier: MIT
// Rack and pinion: the rack (body 1) moves along an axis by `radius` times the angle by which the
// pinion (body 2) turns about its own, both against the carrier (ground where none is given) and
// counted from the start. The guide of the rack and the bearing of the pinion are joints of their
// own.
//
//     phi = n.(r1 - rC) - radius turn2 - offset        [m], n fixed in the carrier
//
// The travel is tr_row_along3 in joint/spatial.h, the turn a shaft of joint/shafts3.h.

#include "joint/shafts3.h"

enum { RACK, PINION, CARRIER, BODIES };

static const trVec3 center = {0.0, 0.0, 0.0};

typedef struct RackAndPinion {
    trVec3   world_axis1, world_axis2;  // of rack and pinion, in the world at the start
    trVec3   axis;                      // of the rack, in principal axes of the carrier
    double   radius;
    int      carrier;
    trShaft3 shaft;   // of the pinion
    double   offset;  // that phi is zero at the start [m]
} RackAndPinion;

static const trField fields[] = {
    TR_FIELD(RackAndPinion, world_axis1, TR_FIELD_VEC3, TR_REQUIRED, NAN, "",
             "along which the rack moves, in the world at the start"),
    TR_FIELD(RackAndPinion, world_axis2, TR_FIELD_VEC3, TR_REQUIRED, NAN, "",
             "about which the pinion turns, in the world at the start"),
    TR_FIELD(RackAndPinion, radius, TR_FIELD_REAL, TR_REQUIRED, NAN, "m",
             "travel of the rack per radian of the pinion; negative where it moves backward"),
    TR_FIELD(RackAndPinion, carrier, TR_FIELD_BODY, 0, NAN, "",
             "body that guides the rack and bears the pinion; default: ground"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    RackAndPinion *p = params;
    trVec3         at[BODIES];
    if (p->radius == 0.0) {
        return tr_fail(TR_E_MODEL, "'radius' must not be zero");
    }
    p->axis = (trVec3){NAN, NAN, NAN};
    TR_TRY(tr_place_axis3(p->world_axis1, &p->axis, &place[CARRIER], "world_axis1", "world_axis1"));
    TR_TRY(
        tr_place_shaft3(p->world_axis2, "world_axis2", &place[CARRIER], &place[PINION], &p->shaft));
    for (int k = 0; k < BODIES; k++) {
        at[k] = tr_add3(place[k].at, tr_quat_rotate(place[k].orientation, place[k].com));
    }
    p->offset = tr_dot3(tr_quat_rotate(tr_place_turn3(&place[CARRIER]), p->axis),
                        tr_sub3(at[RACK], at[CARRIER]));
    return TR_OK;
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const RackAndPinion *p = params;
    trJointRows          travel = {
                 .J = {out->J[CARRIER], out->J[RACK]}, .phi = out->phi, .b1 = out->b1, .b = out->b};
    tr_row_along3(m[CARRIER], m[RACK], center, center, p->axis, &travel);
    tr_clear_side3(out->J[PINION]);
    tr_add_shaft3(&p->shaft, -p->radius, m, PINION, CARRIER, 0, out);
    out->phi[0] -= p->offset;
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const RackAndPinion *p = params;
    double               pair[144] = {0.0};
    tr_tangent_along3(m[CARRIER], m[RACK], center, tr_scale3(lambda[0], p->axis), pair);
    tr_gain_pair3(K, BODIES, CARRIER, RACK, pair);
    tr_tangent_shaft3(&p->shaft, -p->radius, m, PINION, CARRIER, lambda[0], K);
}

const trJointKind tr_joint_spatial_rack_and_pinion = {
    .name = "rack_and_pinion",
    .summary = "makes a rack, body 1, move along an axis as a pinion, body 2, turns about its own",
    .example = "world_axis1 = { 1, 0.4, 0.2 }, world_axis2 = { 0.1, 0.3, 1 }, radius = 0.3, "
               "carrier = c",
    .dim = 3,
    .traits = TR_GEARED,
    .rows = 1,
    .turns = 1,
    .row_units = {"m"},
    .size = sizeof(RackAndPinion),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the center of mass of the pinion; the rack bears a force along the axis",
    .tangent3 = tangent,
};
