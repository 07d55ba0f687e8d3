// SPDX-License-Identifier: MIT
// Gravity: a uniform field on one body, at its center of mass.
//
//     F = m g        V = -m g.r

#include <math.h>

#include "force/force.h"

#define STANDARD_ACCELERATION (-9.81)  // along z, where none is given [m/s^2]

typedef struct Gravity {
    trVec3 acceleration;  // [m/s^2]
    trVec3 weight;        // m g [N]
} Gravity;

static const trField fields[] = {
    TR_FIELD(Gravity, acceleration, TR_FIELD_VEC3, 0, NAN, "m/s^2",
             "of a free body; default: {0, 0, -9.81}"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2,
                        trArena *arena) {
    Gravity *p = params;
    if (place2->mass == 0.0) {
        return tr_fail(TR_E_MODEL, "its body has no mass; give it mass > 0 or leave gravity out");
    }
    if (isnan(p->acceleration.x)) {
        p->acceleration = (trVec3){0.0, 0.0, STANDARD_ACCELERATION};
    }
    p->weight = tr_scale3(place2->mass, p->acceleration);
    return TR_OK;
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    const Gravity *p = params;
    out->at2.force = p->weight;
    out->potential = -tr_dot3(p->weight, m2->r);
}

const trForceKind tr_force_spatial_gravity = {
    .name = "gravity",
    .summary = "weight of one body in a uniform field",
    .example = "acceleration = { 1, -2, 3 }",
    .dim = 3,
    .traits = TR_ONE_BODY | TR_CONSERVATIVE | TR_CONSTANT,
    .size = sizeof(Gravity),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
};
