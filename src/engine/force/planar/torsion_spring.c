// SPDX-License-Identifier: MIT
// Torsion spring: a spring, a damper or both on the angle of body 2 relative to body 1.
//
//     x = angle2 - angle1 - angle,  x' = omega2 - omega1
//     m = k(x) + c(x')                    k, c: laws of the angle and of its rate
//     moment1 = m        moment2 = -m
//     V = integral of k from 0 to x       power = -c(x') x'

#include "force/parameters.h"

typedef struct TorsionSpring {
    const trLaw *stiffness;  // moment over angle [N m]; NULL: none
    const trLaw *damping;    // moment over angular velocity [N m]; NULL: none
    double       angle;      // of body 2 relative to body 1 without moment [rad]
} TorsionSpring;

static const trField fields[] = {
    TR_FIELD(TorsionSpring, stiffness, TR_FIELD_LAW, 0, NAN, "N m/rad",
             "or a law of moment [N m] over angle [rad]; default: none"),
    TR_FIELD(TorsionSpring, damping, TR_FIELD_LAW, 0, NAN, "N m s/rad",
             "or a law of moment [N m] over angular velocity [rad/s]; default: none"),
    TR_FIELD(TorsionSpring, angle, TR_FIELD_REAL, 0, NAN, "rad",
             "of body 2 relative to body 1 without moment; default: as at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place1, const trPlace2 *place2,
                        trArena *arena) {
    TorsionSpring *p = params;
    TR_TRY(tr_spring_given(p->stiffness, p->damping));
    if (isnan(p->angle)) {
        p->angle = place2->angle - place1->angle;
    }
    return TR_OK;
}

static void eval(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                 trForceOut *out) {
    const TorsionSpring *p = params;

    double moment = 0.0;
    if (p->stiffness != NULL) {
        double x = m2->angle - m1->angle - p->angle;
        moment += tr_law_value(p->stiffness, x);
        out->potential = tr_law_integral(p->stiffness, x);
    }
    if (p->damping != NULL) {
        double rate = m2->omega - m1->omega;
        double drag = tr_law_value(p->damping, rate);
        moment += drag;
        out->power = -drag * rate;
    }
    out->on1.moment = moment;
    out->on2.moment = -moment;
}

// A moment of slope g over the difference of the angles (or of their rates).
static void add_slope(double g, double *K) {
    K[6 * 2 + 2] += g;
    K[6 * 2 + 5] -= g;
    K[6 * 5 + 2] -= g;
    K[6 * 5 + 5] += g;
}

static void tangent(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                    trForceTangent *out) {
    const TorsionSpring *p = params;
    if (p->stiffness != NULL) {
        add_slope(tr_law_slope(p->stiffness, m2->angle - m1->angle - p->angle), out->K);
    }
    if (p->damping != NULL) {
        add_slope(tr_law_slope(p->damping, m2->omega - m1->omega), out->D);
    }
}

const trForceKind tr_force_planar_torsion_spring = {
    .name = "torsion_spring",
    .summary = "spring and damper on the angle between two bodies",
    .example = "stiffness = 3, damping = 0.4, angle = 0.1",
    .dim = 2,
    .size = sizeof(TorsionSpring),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .tangent = tangent,
};
