// SPDX-License-Identifier: MIT
// Joint friction: what brakes turning about an axis and sliding along it, in a revolute, prismatic
// or cylindrical joint. With the axis n fixed in body 1 and the point P2 of body 2:
//
//     turning:  w = n.(omega2 - omega1)    m = c(w) + friction tanh(w / rate)
//     sliding:  s = n.(P2' as seen from body 1)
//               f = c_s(s) + slide_friction tanh(s / slide_rate)
//     on body 2: moment -m n and force -f n at P2        on body 1: the opposite at the same place
//     power = -m w - f s
//
// tanh makes dry friction smooth: it reaches 76 % of its full value at the speed `rate`, so a joint
// under load creeps and does not stick. Friction here is a given number; friction that grows with
// the reaction of a joint belongs to that joint, for a force does not know reactions.

#include <math.h>

#include "force/spatial.h"

typedef struct JointFriction {
    trVec3       point;           // in the world, at the start [m]
    trVec3       point1, point2;  // in body frames; prepared: from the centers of mass [m]
    trVec3       axis, axis1;     // in the world, and in body 1
    const trLaw *damping;         // moment over angular velocity [N m]; NULL: none
    double       friction;        // [N m]
    double       rate;            // [rad/s]
    const trLaw *slide_damping;   // force over sliding speed [N]; NULL: none
    double       slide_friction;  // [N]
    double       slide_rate;      // [m/s]
} JointFriction;

static const trField fields[] = {
    TR_FIELD(JointFriction, point, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis, in the world at the start; no point given: the frame origin of body 2"),
    TR_FIELD(JointFriction, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "of the axis in the frame of body 2, instead of point"),
    TR_FIELD(JointFriction, axis, TR_FIELD_VEC3, 0, NAN, "",
             "direction of body 1, in the world at the start, instead of axis1; one is needed"),
    TR_FIELD(JointFriction, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 1, instead of axis"),
    TR_FIELD(JointFriction, damping, TR_FIELD_LAW, 0, NAN, "N m s/rad",
             "or a law of moment [N m] over angular velocity [rad/s]; default: none"),
    TR_FIELD(JointFriction, friction, TR_FIELD_REAL, TR_NOT_NEGATIVE, NAN, "N m",
             "dry friction against turning, at full speed; default: none"),
    TR_FIELD(JointFriction, rate, TR_FIELD_REAL, TR_POSITIVE, NAN, "rad/s",
             "at which friction has 76 % of its full value; default: there is no friction"),
    TR_FIELD(JointFriction, slide_damping, TR_FIELD_LAW, 0, NAN, "N s/m",
             "or a law of force [N] over sliding speed [m/s]; default: none"),
    TR_FIELD(JointFriction, slide_friction, TR_FIELD_REAL, TR_NOT_NEGATIVE, NAN, "N",
             "dry friction against sliding, at full speed; default: none"),
    TR_FIELD(JointFriction, slide_rate, TR_FIELD_REAL, TR_POSITIVE, NAN, "m/s",
             "at which slide_friction has 76 % of its full value; default: there is none"),
    TR_FIELD_END,
};

// Friction and its rate come together. Missing both, friction is zero.
static trStatus complete(double *friction, double *rate, const char *name, const char *rate_name) {
    if (isnan(*friction) != isnan(*rate)) {
        return tr_fail(TR_E_MODEL, "'%s' is given without '%s'; give both or neither",
                       isnan(*rate) ? name : rate_name, isnan(*rate) ? rate_name : name);
    }
    if (isnan(*friction)) {
        *friction = 0.0;
        *rate = 1.0;
    }
    return TR_OK;
}

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2,
                        trArena *arena) {
    JointFriction *p = params;
    TR_TRY(complete(&p->friction, &p->rate, "friction", "rate"));
    TR_TRY(complete(&p->slide_friction, &p->slide_rate, "slide_friction", "slide_rate"));
    if (p->damping == NULL && p->slide_damping == NULL && p->friction == 0.0 &&
        p->slide_friction == 0.0) {
        return tr_fail(TR_E_MODEL, "does nothing; give damping, friction, slide_damping or "
                                   "slide_friction");
    }
    TR_TRY(tr_place_axis3(p->axis, &p->axis1, place1, "axis", "axis1"));
    p->point1 = (trVec3){NAN, NAN, NAN};
    return tr_place_point3(p->point, &p->point1, &p->point2, place1, place2);
}

// c(x) + friction tanh(x / rate), and its slope.
typedef struct Drag {
    double value, slope;
} Drag;

static Drag drag_at(const trLaw *damping, double friction, double rate, double x) {
    double tangens = tanh(x / rate);
    Drag   drag = {friction * tangens, friction * (1.0 - tangens * tangens) / rate};
    if (damping != NULL) {
        drag.value += tr_law_value(damping, x);
        drag.slope += tr_law_slope(damping, x);
    }
    return drag;
}

typedef struct State {
    trSight3 see;
    trVec3   n, w;              // the axis, and omega2 - omega1, in world axes
    double   turn, slide;       // the speeds w and s of the comment above
    Drag     turning, sliding;  // m and f
} State;

static State state_of(const JointFriction *p, const trMotion3 *m1, const trMotion3 *m2) {
    State s = {.see = tr_sight3(m1, m2, p->point1, p->point2),
               .n = tr_rotate3(&m1->R, p->axis1),
               .w = tr_sub3(m2->w, m1->w)};
    s.turn = tr_dot3(s.n, s.w);
    s.slide = tr_dot3(s.n, s.see.rate);
    s.turning = drag_at(p->damping, p->friction, p->rate, s.turn);
    s.sliding = drag_at(p->slide_damping, p->slide_friction, p->slide_rate, s.slide);
    return s;
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    State s = state_of(params, m1, m2);
    tr_twist_bodies3(tr_scale3(-s.turning.value, s.n), out);
    tr_push3(&s.see, tr_scale3(-s.sliding.value, s.n), out);
    out->power = -s.turning.value * s.turn - s.sliding.value * s.slide;
}

// dw = n.(domega2 - domega1 - dtheta1 x (omega2 - omega1)),  ds = n.Y; n turns with body 1.
static void change(const void *params, trProbe3 *probe) {
    const State   *s = probe->state;
    const trMove3 *d1 = &probe->d1, *d2 = &probe->d2;
    trSightChange3 ds = tr_sight_change3(probe, &s->see);
    trVec3         dw = tr_sub3(tr_sub3(d2->w, d1->w), tr_cross3(d1->turn, s->w));
    trVec3         c = tr_scale3(-s->turning.value, s->n), F = tr_scale3(-s->sliding.value, s->n);
    double dm = s->turning.slope * tr_dot3(s->n, dw), df = s->sliding.slope * tr_dot3(s->n, ds.Y);
    tr_twist_change3(tr_add_scaled3(tr_cross3(d1->turn, c), -dm, s->n), probe);
    tr_push_change3(&s->see, &ds, F, tr_add_scaled3(tr_cross3(d1->turn, F), -df, s->n), probe);
}

static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    trForceTangent *out) {
    State    s = state_of(params, m1, m2);
    trProbe3 now = {.m1 = m1, .m2 = m2, .state = &s};
    tr_tangent_by_changes3(eval, change, params, t, &now, out);
}

const trForceKind tr_force_spatial_joint_friction = {
    .name = "joint_friction",
    .summary = "damping and dry friction about and along an axis",
    .example = "point = { 0.4, 0.1, 0.2 }, axis = { 1, 0.2, 0.3 }, damping = 0.3, friction = "
               "4, rate = 2, slide_damping = 0.2, slide_friction = 5, slide_rate = 3",
    .dim = 3,
    .size = sizeof(JointFriction),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .tangent3 = tangent,
};
