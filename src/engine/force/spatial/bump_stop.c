// SPDX-License-Identifier: MIT
// Bump stop: a one-sided spring between two points, along a direction n fixed in body 1.
//
//     x = n.(P2 - P1)
//     z = x - limit (side "above"),  limit - x (side "below"),   z' likewise from x' = n.rate
//     f = max(0, k(z) + c z') where z > 0, else 0
//     on body 2: -f n ("above"), f n ("below") at P2        on body 1: the opposite at P2
//     V = integral of k from 0 to z        power = -(f - k(z)) z'
//
// The damper works in contact only, and the stop never pulls.

#include <math.h>

#include "force/spatial.h"

typedef struct BumpStop {
    trVec3       world1, world2;  // in the world, at the start [m]
    trVec3       point1, point2;  // in body frames; prepared: from the centers of mass [m]
    trVec3       axis, axis1;     // in the world, and in body 1
    double       limit;           // coordinate at which the gap is closed [m]
    const char  *side;            // "above" or "below"
    const trLaw *stiffness;       // force over penetration [N]
    double       damping;         // [N s/m]
    int          below;           // 1 where side is "below"
} BumpStop;

static const trField fields[] = {
    TR_FIELD(BumpStop, world1, TR_FIELD_VEC3, 0, NAN, "m",
             "point of body 1, in the world at the start, instead of point1"),
    TR_FIELD(BumpStop, world2, TR_FIELD_VEC3, 0, NAN, "m",
             "point of body 2, in the world at the start, instead of point2"),
    TR_FIELD(BumpStop, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "of body 1, in its frame; default: its frame origin"),
    TR_FIELD(BumpStop, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "of body 2, in its frame; default: its frame origin"),
    TR_FIELD(BumpStop, axis, TR_FIELD_VEC3, 0, NAN, "",
             "direction of body 1, in the world at the start, instead of axis1; one is needed"),
    TR_FIELD(BumpStop, axis1, TR_FIELD_VEC3, 0, NAN, "",
             "direction in the frame of body 1, instead of axis"),
    TR_FIELD(BumpStop, limit, TR_FIELD_REAL, TR_REQUIRED, NAN, "m",
             "coordinate of point 2 from point 1 along the axis at which they touch"),
    TR_FIELD(BumpStop, side, TR_FIELD_TEXT, 0, 0.0, "",
             "of the limit where they touch: \"above\" or \"below\"; default: \"above\""),
    TR_FIELD(BumpStop, stiffness, TR_FIELD_LAW, TR_REQUIRED, NAN, "N/m",
             "or a law of force [N] over penetration [m]"),
    TR_FIELD(BumpStop, damping, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.0, "N s/m",
             "while they touch; the stop never pulls; default: none"),
    TR_FIELD_END,
};

static const char *const sides[2] = {"above", "below"};

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2,
                        trArena *arena) {
    BumpStop *p = params;
    double    unused = 0.0;
    TR_TRY(tr_choose_word("side", sides, &p->side, &p->below));
    TR_TRY(tr_place_axis3(p->axis, &p->axis1, place1, "axis", "axis1"));
    return tr_place_ends3(p->world1, p->world2, &p->point1, &p->point2, place1, place2, &unused);
}

typedef struct State {
    trSight3   see;
    trVec3     n;     // the direction in which z grows, in world axes
    double     rate;  // z'
    trOneSided stop;  // f and k(z)
} State;

static State state_of(const BumpStop *p, const trMotion3 *m1, const trMotion3 *m2) {
    double sign = p->below ? -1.0 : 1.0;
    State  s = {.see = tr_sight3(m1, m2, p->point1, p->point2)};
    s.n = tr_scale3(sign, tr_rotate3(&m1->R, p->axis1));
    s.rate = tr_dot3(s.n, s.see.rate);
    double z = tr_dot3(s.n, s.see.d) - sign * p->limit;
    s.stop = tr_one_sided(p->stiffness, p->damping, z, s.rate);
    return s;
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    State s = state_of(params, m1, m2);
    tr_push3(&s.see, tr_scale3(-s.stop.force, s.n), out);
    out->potential = s.stop.potential;
    out->power = -(s.stop.force - s.stop.spring) * s.rate;
}

// dz = n.D,  dz' = n.Y,  F = -f n turns with body 1:  dF = -df n + dtheta1 x F.
static void change(const void *params, trProbe3 *probe) {
    const State   *s = probe->state;
    trSightChange3 ds = tr_sight_change3(probe, &s->see);
    double         df = s->stop.by_x * tr_dot3(s->n, ds.D) + s->stop.by_rate * tr_dot3(s->n, ds.Y);
    trVec3         F = tr_scale3(-s->stop.force, s->n);
    tr_push_change3(&s->see, &ds, F, tr_add_scaled3(tr_cross3(probe->d1.turn, F), -df, s->n),
                    probe);
}

static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    trForceTangent *out) {
    State    s = state_of(params, m1, m2);
    trProbe3 now = {.m1 = m1, .m2 = m2, .state = &s};
    tr_tangent_by_changes3(eval, change, params, t, &now, out);
}

const trForceKind tr_force_spatial_bump_stop = {
    .name = "bump_stop",
    .summary = "one-sided spring and damper that limits a coordinate",
    .example = "point1 = { 0.3, -0.2, 0.1 }, axis = { 1.5, 0.3, 0.2 }, limit = 0.2, stiffness "
               "= 20, damping = 5",
    .dim = 3,
    .size = sizeof(BumpStop),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .tangent3 = tangent,
};
