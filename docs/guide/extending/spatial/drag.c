// SPDX-License-Identifier: MIT
// Drag: a force against the motion of one body's center of mass.
//
//     F = -c v        power = -c v.v        -dF/dv = c

#include "force/force.h"

typedef struct Drag {
    double coefficient;  // [N s/m]
} Drag;

static const trField fields[] = {
    TR_FIELD(Drag, coefficient, TR_FIELD_REAL, TR_REQUIRED | TR_NOT_NEGATIVE, 0.0, "N s/m",
             "force per speed"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2,
                        trArena *arena) {
    (void)params;
    (void)place1;
    (void)place2;
    (void)arena;
    return TR_OK;
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    const Drag *p = params;
    (void)t;
    (void)m1;
    out->at2.force = tr_scale3(-p->coefficient, m2->v);
    out->power = -p->coefficient * tr_dot3(m2->v, m2->v);
}

static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    trForceTangent *out) {
    const Drag *p = params;
    (void)t;
    (void)m1;
    (void)m2;
    for (int k = 6; k < 9; k++) {  // v of body 2
        out->D[12 * k + k] += p->coefficient;
    }
}

const trForceKind tr_force_spatial_drag = {
    .name = "drag",
    .summary = "force against the motion of a body",
    .example = "coefficient = 2",
    .dim = 3,
    .traits = TR_ONE_BODY,
    .size = sizeof(Drag),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .tangent3 = tangent,
};
