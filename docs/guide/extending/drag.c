// SPDX-License-Identifier: MIT
// Drag: a force against the motion of one body's center of mass.
//
//     F = -c v        power = -c v.v

#include "force/force.h"

typedef struct Drag {
    double coefficient;  // [N s/m]
} Drag;

static const trField fields[] = {
    TR_FIELD(Drag, coefficient, TR_FIELD_REAL, TR_REQUIRED | TR_NOT_NEGATIVE, 0.0, "N s/m",
             "force per speed"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place1, const trPlace2 *place2,
                        trArena *arena) {
    (void)params;
    (void)place1;
    (void)place2;
    (void)arena;
    return TR_OK;
}

static void eval(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                 trForceOut *out) {
    const Drag *p = params;
    (void)t;
    (void)m1;
    out->on2.fx = -p->coefficient * m2->v.x;
    out->on2.fy = -p->coefficient * m2->v.y;
    out->power = -p->coefficient * tr_dot2(m2->v, m2->v);
}

const trForceKind tr_force_planar_drag = {
    .name = "drag",
    .summary = "force against the motion of a body",
    .example = "coefficient = 2",
    .dim = 2,
    .traits = TR_ONE_BODY,
    .size = sizeof(Drag),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
};
