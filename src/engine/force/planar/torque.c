// SPDX-License-Identifier: MIT
// Torque: a moment over time on body 2, and its reaction on body 1.
//
//     moment2 = f(t)        moment1 = -f(t)        power = f (omega2 - omega1)

#include <math.h>

#include "force/force.h"
#include "tape/tape.h"

typedef struct Torque {
    trFunction moment;  // [N m]
} Torque;

static const trField fields[] = {
    TR_FIELD(Torque, moment, TR_FIELD_FUNCTION, TR_REQUIRED, NAN, "N m",
             "on body 2, over time; body 1 receives the opposite"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place1, const trPlace2 *place2,
                        trArena *arena) {
    return TR_OK;
}

static void eval(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                 trForceOut *out) {
    const Torque *p = params;
    double        moment = tr_function_jet(&p->moment, t).value;
    out->on1.moment = -moment;
    out->on2.moment = moment;
    out->power = moment * (m2->omega - m1->omega);
}

// The loads do not depend on the motion.
static void tangent(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                    trForceTangent *out) {
}

const trForceKind tr_force_planar_torque = {
    .name = "torque",
    .summary = "moment over time between two bodies",
    .example = "moment = function(t) return cos(t) end",
    .dim = 2,
    .size = sizeof(Torque),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .tangent = tangent,
};
