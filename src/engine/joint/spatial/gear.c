// SPDX-License-Identifier: MIT
// Gear: body 2 turns `ratio` times as far about its axis as body 1 about its own, each against the
// carrier (ground where none is given) and counted from the start. The axes may have any directions
// (bevel gears). It couples turns only; the shafts' bearings are joints of their own.
//
//     phi = turn2 - ratio turn1      [rad]  twists of the bodies' markers against the carrier's
//
// The twist is tr_twist3 in joint/spatial.h. With a carrier that turns it is a planetary gear, or
// with ratio = -1 a differential, whose case is the carrier.

#include "joint/shafts3.h"

enum { CARRIER = 2, BODIES };

typedef struct Gear {
    trVec3   world_axis1, world_axis2;  // of the turns of body 1 and 2, in the world at the start
    double   ratio;
    int      carrier;
    trShaft3 shaft[2];
} Gear;

static const trField fields[] = {
    TR_FIELD(Gear, world_axis1, TR_FIELD_VEC3, TR_REQUIRED, NAN, "",
             "about which body 1 turns, in the world at the start"),
    TR_FIELD(Gear, world_axis2, TR_FIELD_VEC3, 0, NAN, "",
             "about which body 2 turns, in the world at the start; default: world_axis1"),
    TR_FIELD(Gear, ratio, TR_FIELD_REAL, TR_REQUIRED, NAN, "",
             "turns of body 2 per turn of body 1; negative where they turn in opposite senses"),
    TR_FIELD(
        Gear, carrier, TR_FIELD_BODY, 0, NAN, "",
        "body against which turns are counted and in which the axes are fixed; default: ground"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place) {
    Gear        *p = params;
    const trVec3 axis2 = isnan(p->world_axis2.x) ? p->world_axis1 : p->world_axis2;
    if (p->ratio == 0.0) {
        return tr_fail(TR_E_MODEL, "'ratio' must not be zero");
    }
    TR_TRY(
        tr_place_shaft3(p->world_axis1, "world_axis1", &place[CARRIER], &place[0], &p->shaft[0]));
    return tr_place_shaft3(axis2, "world_axis2", &place[CARRIER], &place[1], &p->shaft[1]);
}

static void eval(const void *params, const trMotion3 *const *m, trJointRows *out) {
    const Gear *p = params;
    tr_clear_row3(BODIES, out);
    tr_add_shaft3(&p->shaft[0], -p->ratio, m, 0, CARRIER, 0, out);
    tr_add_shaft3(&p->shaft[1], 1.0, m, 1, CARRIER, 1, out);
}

static void tangent(const void *params, const trMotion3 *const *m, const double *lambda,
                    double *K) {
    const Gear *p = params;
    tr_tangent_shaft3(&p->shaft[0], -p->ratio, m, 0, CARRIER, lambda[0], K);
    tr_tangent_shaft3(&p->shaft[1], 1.0, m, 1, CARRIER, lambda[0], K);
}

const trJointKind tr_joint_spatial_gear = {
    .name = "gear",
    .summary = "makes body 2 turn in a fixed ratio to body 1, each about its own axis",
    .example = "world_axis1 = { 1, 0.2, 0.1 }, world_axis2 = { 0.8, 0, 0.3 }, ratio = -1.7, "
               "carrier = c",
    .dim = 3,
    .traits = TR_GEARED,
    .rows = 1,
    .turns = 2,
    .row_units = {"rad"},
    .size = sizeof(Gear),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the center of mass of body 2; body 1 bears a moment about its own axis",
    .tangent3 = tangent,
};
