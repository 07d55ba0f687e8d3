// SPDX-License-Identifier: MIT
// Spring: a spring, a damper or both between a point of body 1 and a point of body 2. With laws
// made of pieces it is also a shock absorber.
//
//     d = P2 - P1,  l = |d|,  u = d / l,  l' = u.d'
//     f = k(l - length) + c(l')           k, c: laws of extension and of rate; f > 0 pulls
//     on body 1: f u at P1                on body 2: -f u at P2
//     V = integral of k from 0 to l - length        power = -c(l') l'
//
// Where the points coincide there is no direction. A force that k has there is left out, and such a
// state refused (system/ends.c); the part of c is continuous, with u = d' / |d'|.

#include <float.h>
#include <math.h>

#include "force/spatial.h"

typedef struct Spring {
    trVec3       world1, world2;  // in the world, at the start [m]
    trVec3       point1, point2;  // in body frames; prepared: from the centers of mass [m]
    const trLaw *stiffness;       // force over extension [N]; NULL: none
    const trLaw *damping;         // force over rate of length [N]; NULL: none
    double       length;          // free length [m]
    bool         pushes;          // k(-length) is not 0: there is a force without a distance
} Spring;

static const trField fields[] = {
    TR_FIELDS_OF_ENDS(Spring, TR_FIELD_VEC3, "frame"),
    TR_FIELD(Spring, stiffness, TR_FIELD_LAW, 0, NAN, "N/m",
             "or a law of force [N] over extension [m]; default: none"),
    TR_FIELD(Spring, damping, TR_FIELD_LAW, 0, NAN, "N s/m",
             "or a law of force [N] over rate of length [m/s]; default: none"),
    TR_FIELD(Spring, length, TR_FIELD_REAL, TR_NOT_NEGATIVE, NAN, "m",
             "without force; default: as at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2,
                        trArena *arena) {
    Spring *p = params;
    double  start = 0.0;
    TR_TRY(tr_spring_given(p->stiffness, p->damping));
    TR_TRY(tr_place_ends3(p->world1, p->world2, &p->point1, &p->point2, place1, place2, &start));
    if (isnan(p->length)) {
        p->length = start;
    }
    p->pushes = p->stiffness != NULL && tr_law_value(p->stiffness, -p->length) != 0.0;
    return TR_OK;
}

// The quantities of the comment above, by the same letters.
typedef struct Line {
    trVec3 s1, s2, d, u, d_dot;  // arms, line, direction, rate of d
    double l, rate;              // l, l'
    double pull, drag;           // k(l - length), c(l')
    double stiff, thick;         // their slopes, for tangents only
} Line;

static Line line_of(const Spring *p, const trMotion3 *m1, const trMotion3 *m2) {
    Line line = {.s1 = tr_arm3(m1, p->point1), .s2 = tr_arm3(m2, p->point2)};
    line.d = tr_sub3(tr_add3(m2->r, line.s2), tr_add3(m1->r, line.s1));
    line.d_dot = tr_sub3(tr_arm_velocity3(m2, line.s2), tr_arm_velocity3(m1, line.s1));
    line.l = tr_length3(line.d);
    trVec3 along = line.l > 0.0 ? line.d : line.d_dot;
    double length = tr_length3(along);
    if (length > 0.0) {
        line.u = tr_scale3(1.0 / length, along);
    }
    line.rate = tr_dot3(line.u, line.d_dot);
    if (p->stiffness != NULL && line.l > 0.0) {
        line.pull = tr_law_value(p->stiffness, line.l - p->length);
    }
    if (p->damping != NULL) {
        line.drag = tr_law_value(p->damping, line.rate);
    }
    return line;
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    const Spring *p = params;
    Line          line = line_of(p, m1, m2);
    trVec3        F = tr_scale3(line.pull + line.drag, line.u);
    if (p->stiffness != NULL) {
        out->potential = tr_law_integral(p->stiffness, line.l - p->length);
    }
    if (p->pushes) {
        out->ends = (trEnds){line.d, line.d_dot, fmax(p->length, DBL_MIN)};
    }
    out->power = -line.drag * line.rate;
    out->at1 = (trLoad3){F, tr_cross3(line.s1, F)};
    out->at2 = (trLoad3){tr_scale3(-1.0, F), tr_cross3(F, line.s2)};
}

// dl = u.dd,  du = (dd - u dl) / l,  dl' = du.d' + u.dd',  dF = df u + f du. Where the points
// coincide, a spring without force there has dF = k' dd; nothing is added where the direction
// jumps.
static void change(const void *params, trProbe3 *probe) {
    const Spring  *p = params;
    const Line    *line = probe->state;
    const trMove3 *d1 = &probe->d1, *d2 = &probe->d2;
    trVec3         ds1 = tr_arm_change3(d1, line->s1), ds2 = tr_arm_change3(d2, line->s2);
    trVec3         dd = tr_sub3(tr_add3(d2->r, ds2), tr_add3(d1->r, ds1));
    if (!(line->l > 0.0)) {
        trVec3 dF = tr_scale3(p->pushes ? 0.0 : line->stiff, dd);
        probe->at1 = (trLoad3){dF, tr_cross3(line->s1, dF)};
        probe->at2 = (trLoad3){tr_scale3(-1.0, dF), tr_cross3(dF, line->s2)};
        return;
    }
    trVec3 dd_dot = tr_sub3(tr_arm_velocity_change3(probe->m2, d2, line->s2),
                            tr_arm_velocity_change3(probe->m1, d1, line->s1));
    double dl = tr_dot3(line->u, dd), f = line->pull + line->drag;
    trVec3 du = tr_scale3(1.0 / line->l, tr_add_scaled3(dd, -dl, line->u));
    double d_rate = tr_dot3(du, line->d_dot) + tr_dot3(line->u, dd_dot);
    double df = line->stiff * dl + line->thick * d_rate;
    trVec3 F = tr_scale3(f, line->u), dF = tr_add_scaled3(tr_scale3(df, line->u), f, du);
    probe->at1 = (trLoad3){dF, tr_add3(tr_cross3(ds1, F), tr_cross3(line->s1, dF))};
    probe->at2 =
        (trLoad3){tr_scale3(-1.0, dF), tr_add3(tr_cross3(F, ds2), tr_cross3(dF, line->s2))};
}

static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    trForceTangent *out) {
    const Spring *p = params;
    Line          line = line_of(p, m1, m2);
    if (p->stiffness != NULL) {
        line.stiff = tr_law_slope(p->stiffness, line.l - p->length);
    }
    if (p->damping != NULL) {
        line.thick = tr_law_slope(p->damping, line.rate);
    }
    trProbe3 now = {.m1 = m1, .m2 = m2, .state = &line};
    tr_tangent_by_changes3(eval, change, params, t, &now, out);
}

const trForceKind tr_force_spatial_spring = {
    .name = "spring",
    .summary = "spring and damper between two points",
    .example = "point1 = { 0.1, 0.2, 0 }, point2 = { 0.3, -0.1, 0.2 }, stiffness = 7, damping "
               "= 0.8, length = 0.5",
    .dim = 3,
    .size = sizeof(Spring),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .tangent3 = tangent,
};
