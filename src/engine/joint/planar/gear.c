// SPDX-License-Identifier: MIT
// Gear: body 2 turns `ratio` times as far as body 1, counted from the start. It couples angles
// only; the wheels' bearings are joints of their own.
//
//     phi = (angle2 - angle2_0) - ratio (angle1 - angle1_0)        [rad]
//     J1  = (0, 0, -ratio)        J2 = (0, 0, 1)        b = 0

#include <math.h>

#include "joint/shared.h"

typedef struct Gear {
    double ratio;
    double offset;  // angle2_0 - ratio angle1_0 [rad]
} Gear;

static const trField fields[] = {
    TR_FIELD(Gear, ratio, TR_FIELD_REAL, TR_REQUIRED, NAN, "",
             "turns of body 2 per turn of body 1; negative for outer gears"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place1, const trPlace2 *place2) {
    Gear *p = params;
    if (p->ratio == 0.0) {
        return tr_fail(TR_E_MODEL, "'ratio' must not be zero");
    }
    p->offset = place2->angle - p->ratio * place1->angle;
    return TR_OK;
}

static void eval(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                 trJointRows *out) {
    const Gear *p = params;
    (void)t;
    tr_row_turn2(0, p->ratio, out);
    out->phi[0] = m2->angle - p->ratio * m1->angle - p->offset;
    out->b1[0] = 0.0;
    out->b[0] = 0.0;
}

static trVec2 reaction_point(const void *params, const trMotion2 *m1, const trMotion2 *m2) {
    (void)params;
    (void)m1;
    return m2->r;
}

// J is constant.
static void tangent(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                    const double *lambda, double *K) {
    (void)params;
    (void)t;
    (void)m1;
    (void)m2;
    (void)lambda;
    (void)K;
}

const trJointKind tr_joint_planar_gear = {
    .name = "gear",
    .summary = "makes body 2 turn in a fixed ratio to body 1",
    .dim = 2,
    .traits = TR_GEARED,
    .rows = 1,
    .row_units = {"rad"},
    .size = sizeof(Gear),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the center of mass of body 2; body 1 bears -ratio times the moment",
    .reaction_point = reaction_point,
    .tangent = tangent,
};
