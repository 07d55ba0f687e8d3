// SPDX-License-Identifier: MIT
// Torsion spring: a spring, a damper or both on the angle by which body 2 is turned against body 1
// about an axis. The angle counts turns.
//
//     x = 2 atan2(p_z, p_w) - angle       p: marker 2 against marker 1, both with z along the axis
//     x' = g.w                            g, w: tr_twist3 and tr_relative3 of joint/spatial.h
//     m = k(x) + c(x')                    k, c: laws of the angle and of its rate
//     moment2 = -m g        moment1 = m g
//     V = integral of k from 0 to x       power = -c(x') x'
//
// Where the axes of the bodies are aligned, as a joint keeps them, g is the axis. Elsewhere the
// moment follows the gradient of the angle, so that the work is that of V all the same.

#include <math.h>

#include "force/spatial.h"

typedef struct TorsionSpring {
    trVec3       axis, axis1, axis2;  // in the world, and in the bodies
    const trLaw *stiffness;           // moment over angle [N m]; NULL: none
    const trLaw *damping;             // moment over angular velocity [N m]; NULL: none
    double       angle;               // from the start, without moment [rad]
    trMarker3    marker1, marker2;    // z along the axis
} TorsionSpring;

static const trField fields[] = {
    TR_FIELD(TorsionSpring, axis, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the world at the start, instead of axis1 and axis2; one is needed"),
    TR_FIELD(TorsionSpring, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 1; default: where axis2 is at the start"),
    TR_FIELD(TorsionSpring, axis2, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 2; default: where axis1 is at the start"),
    TR_FIELD(TorsionSpring, stiffness, TR_FIELD_LAW, 0, NAN, "N m/rad",
             "or a law of moment [N m] over angle [rad]; default: none"),
    TR_FIELD(TorsionSpring, damping, TR_FIELD_LAW, 0, NAN, "N m s/rad",
             "or a law of moment [N m] over angular velocity [rad/s]; default: none"),
    TR_FIELD(TorsionSpring, angle, TR_FIELD_REAL, 0, 0.0, "rad",
             "of body 2 against body 1, from the start, without moment; default: 0"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2,
                        trArena *arena) {
    TorsionSpring *p = params;
    TR_TRY(tr_spring_given(p->stiffness, p->damping));
    TR_TRY(tr_place_axes3(p->axis, &p->axis1, &p->axis2, place1, place2));
    tr_place_markers3(p->axis1, p->axis2, place1, place2, &p->marker1, &p->marker2);
    return TR_OK;
}

// A vector in axes of marker 2, in the world.
static trVec3 out_of_marker(const TorsionSpring *p, const trMotion3 *m2, trVec3 a) {
    return tr_rotate3(&m2->R, tr_rotate3(&p->marker2.K, a));
}

static trVec3 into_marker(const TorsionSpring *p, const trMotion3 *m2, trVec3 a) {
    return tr_unrotate3(&p->marker2.K, tr_unrotate3(&m2->R, a));
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    const TorsionSpring *p = params;
    trRelative3          rel = tr_relative3(m1, m2, &p->marker1, &p->marker2);
    trTwist3             twist = tr_twist3(&rel);
    double               moment = 0.0;
    out->turn[0] = tr_unwrap(twist.angle, out->near[0], TR_TWIST_PERIOD);
    if (p->stiffness != NULL) {
        double x = out->turn[0] - p->angle;
        moment += tr_law_value(p->stiffness, x);
        out->potential = tr_law_integral(p->stiffness, x);
    }
    if (p->damping != NULL) {
        double rate = tr_dot3(twist.g, rel.w), drag = tr_law_value(p->damping, rate);
        moment += drag;
        out->power = -drag * rate;
    }
    tr_twist_bodies3(tr_scale3(-moment, out_of_marker(p, m2, twist.g)), out);
}

// The change of g for the turn e of marker 2 against marker 1, in axes of marker 2. With
// k = g_y - i g_x and E = e_x + i e_y, as in tr_twist3:  dk = E / 2 - i e_z k + k^2 conj(E) / 2.
static trVec3 gradient_change(trVec3 g, trVec3 e) {
    double a = g.y, b = -g.x;  // k = a + i b
    double re = a * a - b * b, im = 2.0 * a * b;
    double da = 0.5 * e.x + e.z * b + 0.5 * (re * e.x + im * e.y);
    double db = 0.5 * e.y - e.z * a + 0.5 * (im * e.x - re * e.y);
    return (trVec3){-db, da, 0.0};
}

// What does not depend on the direction of a move.
typedef struct State {
    trRelative3 rel;
    trVec3      g;
    trVec3      c;                     // moment on body 2, in world axes [N m]
    double      moment, stiff, thick;  // m, and the slopes of its laws
} State;

static State state_of(const TorsionSpring *p, const trMotion3 *m1, const trMotion3 *m2,
                      const double *near) {
    State    s = {.rel = tr_relative3(m1, m2, &p->marker1, &p->marker2)};
    trTwist3 twist = tr_twist3(&s.rel);
    s.g = twist.g;
    if (p->stiffness != NULL) {
        double x = tr_unwrap(twist.angle, near[0], TR_TWIST_PERIOD) - p->angle;
        s.moment += tr_law_value(p->stiffness, x);
        s.stiff = tr_law_slope(p->stiffness, x);
    }
    if (p->damping != NULL) {
        double rate = tr_dot3(s.g, s.rel.w);
        s.moment += tr_law_value(p->damping, rate);
        s.thick = tr_law_slope(p->damping, rate);
    }
    s.c = out_of_marker(p, m2, tr_scale3(-s.moment, s.g));
    return s;
}

// With e = dtheta2 - dtheta1 in axes of marker 2:
//
//     dx = g.e,   dw = domega2 - domega1 - dtheta2 x (omega2 - omega1),   dx' = dg.w + g.dw
//
// The moment -m g is in axes that turn with body 2.
static void change(const void *params, trProbe3 *probe) {
    const TorsionSpring *p = params;
    const State         *s = probe->state;
    const trMotion3     *m1 = probe->m1, *m2 = probe->m2;
    const trMove3       *d1 = &probe->d1, *d2 = &probe->d2;
    trVec3               e = into_marker(p, m2, tr_sub3(d2->turn, d1->turn));
    trVec3 dw = tr_sub3(tr_sub3(d2->w, d1->w), tr_cross3(d2->turn, tr_sub3(m2->w, m1->w)));
    trVec3 dg = gradient_change(s->g, e);
    double d_rate = tr_dot3(dg, s->rel.w) + tr_dot3(s->g, into_marker(p, m2, dw));
    double d_moment = s->stiff * tr_dot3(s->g, e) + s->thick * d_rate;
    trVec3 dc = tr_add_scaled3(tr_scale3(-d_moment, s->g), -s->moment, dg);
    tr_twist_change3(tr_add3(out_of_marker(p, m2, dc), tr_cross3(d2->turn, s->c)), probe);
}

static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    trForceTangent *out) {
    State    s = state_of(params, m1, m2, out->near);
    trProbe3 now = {.m1 = m1, .m2 = m2, .state = &s};
    tr_tangent_by_changes3(eval, change, params, t, &now, out);
}

const trForceKind tr_force_spatial_torsion_spring = {
    .name = "torsion_spring",
    .summary = "spring and damper on the angle between two bodies about an axis",
    .example = "axis = { 1, 0.2, 0.3 }, stiffness = 3, damping = 0.4, angle = 0.1",
    .dim = 3,
    .size = sizeof(TorsionSpring),
    .fields = fields,
    .turns = 1,
    .prepare3 = prepare,
    .eval3 = eval,
    .tangent3 = tangent,
};
