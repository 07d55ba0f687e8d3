// SPDX-License-Identifier: MIT
// Contact: the center of a wheel, a point of body 2, above a road that belongs to body 1. The wheel
// pushes along `up` only, at its center; it has no spin and no friction.
//
//     h = up.(P2 - P1)                               height of the center above the road's origin
//     x = forward.(P2 - P1) + speed t + offset       where the wheel is on the road
//     z = profile(x), or road(t), or 0               height of the road under the wheel
//     y = radius + z - h,  y' = z' - h'              penetration
//     f = max(0, k(y) + c y') where y > 0, else 0
//     on body 2: f up at P2                          on body 1: the opposite at P2
//     V = integral of k from 0 to y        power = (f - k(y)) h' + k(y) z'
//
// The power is that of the damper and that of the road, which lifts the wheel at the rate z'. z' is
// also paid by whatever drives the wheel forward on a slope: the force has no part along the road.

#include <math.h>

#include "force/spatial.h"

typedef struct Contact {
    trVec3       world1, world2;  // in the world, at the start [m]
    trVec3       point1, point2;  // in body frames; prepared: from the centers of mass [m]
    trVec3       up, forward;     // in the world at the start; prepared: in body 1
    double       radius;          // of the wheel [m]
    const trLaw *stiffness;       // force over penetration [N]
    double       damping;         // [N s/m]
    const trLaw *profile;         // height over x [m]; NULL: none
    double       speed;           // at which the road moves backward [m/s]
    double       offset;          // of x at t = 0 [m]
    trFunction   road;            // height over time [m]
} Contact;

static const trField fields[] = {
    TR_FIELD(Contact, world1, TR_FIELD_VEC3, 0, NAN, "m",
             "origin of the road, in the world at the start, instead of point1"),
    TR_FIELD(Contact, world2, TR_FIELD_VEC3, 0, NAN, "m",
             "center of the wheel, in the world at the start, instead of point2"),
    TR_FIELD(Contact, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "origin of the road in the frame of body 1; default: its frame origin"),
    TR_FIELD(Contact, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "center of the wheel in the frame of body 2; default: its frame origin"),
    TR_FIELD(Contact, up, TR_FIELD_VEC3, 0, NAN, "",
             "in the world at the start, fixed in body 1; default: {0, 0, 1}"),
    TR_FIELD(Contact, forward, TR_FIELD_VEC3, 0, NAN, "",
             "likewise, made perpendicular to up; default: {1, 0, 0}"),
    TR_FIELD(Contact, radius, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.0, "m", "of the wheel; default: 0"),
    TR_FIELD(Contact, stiffness, TR_FIELD_LAW, TR_REQUIRED, NAN, "N/m",
             "or a law of force [N] over penetration [m]"),
    TR_FIELD(Contact, damping, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.0, "N s/m",
             "while they touch; the contact never pulls; default: none"),
    TR_FIELD(Contact, profile, TR_FIELD_LAW, 0, NAN, "m",
             "height of the road over distance; default: flat"),
    TR_FIELD(Contact, speed, TR_FIELD_REAL, 0, NAN, "m/s",
             "at which the road of profile moves backward under the wheel; default: 0"),
    TR_FIELD(Contact, offset, TR_FIELD_REAL, 0, NAN, "m",
             "added to the distance along the road of profile; default: 0"),
    TR_FIELD(Contact, road, TR_FIELD_FUNCTION, 0, NAN, "m",
             "height of the road under the wheel over time, instead of profile"),
    TR_FIELD_END,
};

// Directions with their defaults, perpendicular, in principal axes of body 1.
static trStatus place_directions(Contact *p, const trPlace3 *place1) {
    trVec3 up = {NAN, NAN, NAN}, forward = {NAN, NAN, NAN};
    if (isnan(p->up.x)) {
        p->up = (trVec3){0.0, 0.0, 1.0};
    }
    if (isnan(p->forward.x)) {
        p->forward = (trVec3){1.0, 0.0, 0.0};
    }
    TR_TRY(tr_place_axis3(p->up, &up, place1, "up", "up"));
    TR_TRY(tr_place_axis3(p->forward, &forward, place1, "forward", "forward"));
    trVec3 level = tr_add_scaled3(forward, -tr_dot3(forward, up), up);
    double length = tr_length3(level);
    // A sine of 1e-6 between them is still a direction; less is a mistake.
    if (!(length > 1e-6)) {
        return tr_fail(TR_E_MODEL, "'forward' {%g, %g, %g} must not be parallel to 'up'",
                       p->forward.x, p->forward.y, p->forward.z);
    }
    p->up = up;
    p->forward = tr_scale3(1.0 / length, level);
    return TR_OK;
}

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2,
                        trArena *arena) {
    Contact *p = params;
    double   unused = 0.0;
    if (p->profile != NULL && tr_function_given(&p->road)) {
        return tr_fail(TR_E_MODEL, "'profile' and 'road' are both given; keep one of them");
    }
    if (p->profile == NULL && !(isnan(p->speed) && isnan(p->offset))) {
        return tr_fail(TR_E_MODEL, "'%s' is given without 'profile' and would do nothing",
                       isnan(p->speed) ? "offset" : "speed");
    }
    p->speed = isnan(p->speed) ? 0.0 : p->speed;
    p->offset = isnan(p->offset) ? 0.0 : p->offset;
    if (!tr_function_given(&p->road)) {
        p->road.constant = 0.0;
    }
    TR_TRY(place_directions(p, place1));
    return tr_place_ends3(p->world1, p->world2, &p->point1, &p->point2, place1, place2, &unused);
}

// The quantities of the comment above, by the same letters.
typedef struct State {
    trSight3   see;
    trVec3     up, forward;       // in world axes
    double     x_rate;            // x'
    double     slope, curvature;  // of the profile at x; zero where there is none
    double     z_rate, h_rate;    // z', h'
    trOneSided wheel;             // f and k(y)
} State;

static State state_of(const Contact *p, double t, const trMotion3 *m1, const trMotion3 *m2) {
    State  s = {.see = tr_sight3(m1, m2, p->point1, p->point2),
                .up = tr_rotate3(&m1->R, p->up),
                .forward = tr_rotate3(&m1->R, p->forward)};
    double z = 0.0;
    s.h_rate = tr_dot3(s.up, s.see.rate);
    s.x_rate = tr_dot3(s.forward, s.see.rate) + p->speed;
    if (p->profile != NULL) {
        double x = tr_dot3(s.forward, s.see.d) + p->speed * t + p->offset;
        z = tr_law_value(p->profile, x);
        s.slope = tr_law_slope(p->profile, x);
        s.curvature = tr_law_curvature(p->profile, x);
        s.z_rate = s.slope * s.x_rate;
    } else {
        trJet road = tr_function_jet(&p->road, t);
        z = road.value;
        s.z_rate = road.first;
    }
    double y = p->radius + z - tr_dot3(s.up, s.see.d);
    s.wheel = tr_one_sided(p->stiffness, p->damping, y, s.z_rate - s.h_rate);
    return s;
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    State s = state_of(params, t, m1, m2);
    tr_push3(&s.see, tr_scale3(s.wheel.force, s.up), out);
    out->potential = s.wheel.potential;
    out->power = (s.wheel.force - s.wheel.spring) * s.h_rate + s.wheel.spring * s.z_rate;
}

// dh = up.D,  dh' = up.Y,  dx = forward.D,  dx' = forward.Y
// dz = profile' dx,  dz' = profile'' x' dx + profile' dx'
// dF = df up + dtheta1 x F, for up turns with body 1.
static void change(const void *params, trProbe3 *probe) {
    const State   *s = probe->state;
    trSightChange3 ds = tr_sight_change3(probe, &s->see);
    double         dx = tr_dot3(s->forward, ds.D), dx_rate = tr_dot3(s->forward, ds.Y);
    double         dy = s->slope * dx - tr_dot3(s->up, ds.D);
    double         dz_rate = s->curvature * s->x_rate * dx + s->slope * dx_rate;
    double         dy_rate = dz_rate - tr_dot3(s->up, ds.Y);
    double         df = s->wheel.by_x * dy + s->wheel.by_rate * dy_rate;
    trVec3         F = tr_scale3(s->wheel.force, s->up);
    trVec3         dF = tr_add_scaled3(tr_cross3(probe->d1.turn, F), df, s->up);
    tr_push_change3(&s->see, &ds, F, dF, probe);
}

static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    trForceTangent *out) {
    State    s = state_of(params, t, m1, m2);
    trProbe3 now = {.m1 = m1, .m2 = m2, .state = &s};
    tr_tangent_by_changes3(eval, change, params, t, &now, out);
}

const trForceKind tr_force_spatial_contact = {
    .name = "contact",
    .summary = "one-sided contact of a wheel with a road",
    .example = "point1 = { 0.3, -0.2, 0.1 }, up = { 1.5, 0.3, 0.2 }, forward = { 0.2, 1, 0 }, "
               "radius = 3, stiffness = 20, damping = 5",
    .dim = 3,
    .size = sizeof(Contact),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .tangent3 = tangent,
};
