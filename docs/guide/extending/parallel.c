// SPDX-License-Identifier: MIT
// Parallel: body 2 keeps its angle relative to body 1 and moves freely otherwise.
//
//     phi = angle2 - angle1 - angle     [rad]
//     J1  = (0, 0, -1)        J2 = (0, 0, 1)        b1 = b = 0

#include <math.h>

#include "joint/shared.h"

typedef struct Parallel {
    double angle;  // of body 2 relative to body 1 [rad]
} Parallel;

static const trField fields[] = {
    TR_FIELD(Parallel, angle, TR_FIELD_REAL, 0, NAN, "rad",
             "of body 2 relative to body 1; as at the start if not given"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place) {
    Parallel *p = params;
    if (isnan(p->angle)) {
        p->angle = place[1].angle - place[0].angle;
    }
    return TR_OK;
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const Parallel *p = params;
    tr_row_angle2(m[0], m[1], 0, out);
    out->phi[0] -= p->angle;
}

const trJointKind tr_joint_planar_parallel = {
    .name = "parallel",
    .summary = "keeps the angle of body 2 relative to body 1",
    .example = "angle = 0.3",
    .dim = 2,
    .rows = 1,
    .row_units = {"rad"},
    .size = sizeof(Parallel),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the center of mass of body 2",
};
