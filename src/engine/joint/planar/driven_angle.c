// SPDX-License-Identifier: MIT
// Driven angle: the angle of body 2 relative to body 1 is a given function of time.
//
//     phi = angle2 - angle1 - f(t)       [rad]
//     b1  = f'        b = f''

#include <math.h>

#include "joint/shared.h"
#include "tape/tape.h"

typedef struct DrivenAngle {
    trFunction angle;  // [rad]
} DrivenAngle;

static const trField fields[] = {
    TR_FIELD(DrivenAngle, angle, TR_FIELD_FUNCTION, TR_REQUIRED, NAN, "rad",
             "of body 2 relative to body 1, over time"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place) {
    return TR_OK;
}

static void vary(const void *params, const trMotion2 *const *m, int k, trJointRows *out) {
    tr_row_angle2(m[0], m[1], 0, out);
}

static void eval(const void *params, const trMotion2 *const *m, trJointRows *out) {
    const DrivenAngle *p = params;
    trJet              f = tr_function_jet(&p->angle, out->t);
    vary(params, m, 0, out);
    out->phi[0] -= f.value;
    out->b1[0] = f.first;
    out->b[0] = f.second;
}

const trJointKind tr_joint_planar_driven_angle = {
    .name = "driven_angle",
    .summary = "drives the angle of body 2 relative to body 1 over time (motor)",
    .example = "angle = function(t) return 0.2 + t ^ 2 end",
    .dim = 2,
    .traits = TR_RHEONOMIC,
    .rows = 1,
    .row_units = {"rad"},
    .variable = {{.name = "angle", .unit = "rad", .held = true}},
    .size = sizeof(DrivenAngle),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .reaction_at = "the center of mass of body 2",
    .tangent = tr_tangent_none2,
    .vary = vary,
};
