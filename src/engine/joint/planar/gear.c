// SPDX-License-Identifier: MIT
// Gear: body 2 turns `ratio` times as far as body 1, each against the carrier (ground where none is
// given) and counted from the start. It couples angles only; the wheels' bearings are joints of
// their own.
//
//     phi = (angle2 - angleC) - ratio (angle1 - angleC) - offset        [rad]
//     J1  = (0, 0, -ratio)    J2 = (0, 0, 1)    JC = (0, 0, ratio - 1)    b = 0
//
// With a carrier that turns it is a planetary gear, or with ratio = -1 a differential, whose case
// is the carrier.

#include <math.h>

#include "joint/shared.h"

enum { CARRIER = 2 };

typedef struct Gear {
    double ratio;
    int    carrier;
    double offset;  // that phi is zero at the start [rad]
} Gear;

static const trField fields[] = {
    TR_FIELD(Gear, ratio, TR_FIELD_REAL, TR_REQUIRED, NAN, "",
             "turns of body 2 per turn of body 1; negative for outer gears"),
    TR_FIELD(Gear, carrier, TR_FIELD_BODY, 0, NAN, "",
             "body against which turns are counted; default: ground"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place) {
    Gear *p = params;
    if (p->ratio == 0.0) {
        return tr_fail(TR_E_MODEL, "'ratio' must not be zero");
    }
    p->offset =
        place[1].angle - p->ratio * place[0].angle + (p->ratio - 1.0) * place[CARRIER].angle;
    return TR_OK;
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const Gear *p = params;
    tr_write_side2(0.0, 0.0, -p->ratio, out->J[0]);
    tr_write_side2(0.0, 0.0, 1.0, out->J[1]);
    tr_write_side2(0.0, 0.0, p->ratio - 1.0, out->J[CARRIER]);
    out->phi[0] =
        m[1]->angle - p->ratio * m[0]->angle + (p->ratio - 1.0) * m[CARRIER]->angle - p->offset;
    out->b1[0] = 0.0;
    out->b[0] = 0.0;
}

const trJointKind tr_joint_planar_gear = {
    .name = "gear",
    .summary = "makes body 2 turn in a fixed ratio to body 1",
    .example = "ratio = -1.7, carrier = c",
    .dim = 2,
    .traits = TR_GEARED,
    .rows = 1,
    .row_units = {"rad"},
    .size = sizeof(Gear),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the center of mass of body 2; body 1 bears -ratio times the moment",
    .tangent = tr_tangent_none2,
};
