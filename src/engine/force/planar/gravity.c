// SPDX-License-Identifier: MIT
// Gravity: a uniform field on one body, at its center of mass.
//
//     F = m g        V = -m g.r

#include <math.h>

#include "force/force.h"

#define STANDARD_ACCELERATION (-9.81)  // along y, where none is given [m/s^2]

typedef struct Gravity {
    trVec2 acceleration;  // [m/s^2]
    trVec2 weight;        // m g [N]
} Gravity;

static const trField fields[] = {
    TR_FIELD(Gravity, acceleration, TR_FIELD_VEC2, 0, NAN, "m/s^2",
             "of a free body; default: {0, -9.81}"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place1, const trPlace2 *place2,
                        trArena *arena) {
    Gravity *p = params;
    if (place2->mass == 0.0) {
        return tr_fail(TR_E_MODEL, "its body has no mass; give it mass > 0 or leave gravity out");
    }
    if (isnan(p->acceleration.x)) {
        p->acceleration = (trVec2){0.0, STANDARD_ACCELERATION};
    }
    p->weight = tr_scale2(place2->mass, p->acceleration);
    return TR_OK;
}

static void eval(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                 trForceOut *out) {
    const Gravity *p = params;
    out->on2.fx = p->weight.x;
    out->on2.fy = p->weight.y;
    out->potential = -tr_dot2(p->weight, m2->r);
}

const trForceKind tr_force_planar_gravity = {
    .name = "gravity",
    .summary = "weight of one body in a uniform field",
    .example = "acceleration = { 1, -2 }",
    .dim = 2,
    .traits = TR_ONE_BODY | TR_CONSERVATIVE | TR_CONSTANT,
    .size = sizeof(Gravity),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
};
