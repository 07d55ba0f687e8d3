// SPDX-License-Identifier: MIT
// Spring: a spring, a damper or both between a point of body 1 and a point of body 2.
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

#include "force/parameters.h"
#include "joint/shared.h"
#include "joint/tangents.h"

typedef struct Spring {
    trVec2       world1, world2;  // in the world, at the start [m]
    trVec2       point1, point2;  // in body axes; prepared: from the centers of mass [m]
    const trLaw *stiffness;       // force over extension [N]; NULL: none
    const trLaw *damping;         // force over rate of length [N]; NULL: none
    double       length;          // free length [m]
    bool         pushes;          // k(-length) is not 0: there is a force without a distance
} Spring;

static const trField fields[] = {
    TR_FIELDS_OF_ENDS(Spring, TR_FIELD_VEC2, "axes"),
    TR_FIELD(Spring, stiffness, TR_FIELD_LAW, 0, NAN, "N/m",
             "or a law of force [N] over extension [m]; default: none"),
    TR_FIELD(Spring, damping, TR_FIELD_LAW, 0, NAN, "N s/m",
             "or a law of force [N] over rate of length [m/s]; default: none"),
    TR_FIELD(Spring, length, TR_FIELD_REAL, TR_NOT_NEGATIVE, NAN, "m",
             "without force; default: as at the start"),
    TR_FIELD_END,
};

static trStatus prepare(void *params, const trPlace2 *place1, const trPlace2 *place2,
                        trArena *arena) {
    Spring *p = params;
    double  start = 0.0;
    TR_TRY(tr_spring_given(p->stiffness, p->damping));
    TR_TRY(tr_place_ends(p->world1, p->world2, &p->point1, &p->point2, place1, place2, &start));
    if (isnan(p->length)) {
        p->length = start;
    }
    p->pushes = p->stiffness != NULL && tr_law_value(p->stiffness, -p->length) != 0.0;
    return TR_OK;
}

static trVec2 direction(trVec2 d) {
    double length = sqrt(tr_dot2(d, d));
    return length > 0.0 ? tr_scale2(1.0 / length, d) : (trVec2){0.0, 0.0};
}

static void eval(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                 trForceOut *out) {
    const Spring *p = params;

    trVec2 s1 = tr_arm2(m1, p->point1), s2 = tr_arm2(m2, p->point2);
    trVec2 d = tr_sub2(tr_add2(m2->r, s2), tr_add2(m1->r, s1));
    trVec2 d_dot = tr_sub2(tr_arm_velocity2(m2, s2), tr_arm_velocity2(m1, s1));
    double l = sqrt(tr_dot2(d, d)), f = 0.0;
    trVec2 u = direction(l > 0.0 ? d : d_dot);
    if (p->stiffness != NULL) {
        f += l > 0.0 ? tr_law_value(p->stiffness, l - p->length) : 0.0;
        out->potential = tr_law_integral(p->stiffness, l - p->length);
    }
    if (p->damping != NULL) {
        double rate = tr_dot2(u, d_dot), drag = tr_law_value(p->damping, rate);
        f += drag;
        out->power = -drag * rate;
    }
    if (p->pushes) {
        out->ends = (trEnds){{d.x, d.y, 0.0}, {d_dot.x, d_dot.y, 0.0}, fmax(p->length, DBL_MIN)};
    }
    trVec2 F = tr_scale2(f, u);
    out->on1 = (trLoad2){F.x, F.y, tr_cross2(s1, F)};
    out->on2 = (trLoad2){-F.x, -F.y, -tr_cross2(s2, F)};
}

// Where the points coincide, a spring without force there has a tangent all the same: with
// f(0) = 0 the force f u is k' d to first order, hence K = k' (dd/dq)' (dd/dq). Where f jumps in
// direction there is none, and nothing is added.
static void tangent_at_zero(const Spring *p, const trMotion2 *m1, const trMotion2 *m2, double *K) {
    if (p->stiffness == NULL || p->pushes) {
        return;
    }
    double slope = tr_law_slope(p->stiffness, -p->length);
    trVec2 s1 = tr_arm2(m1, p->point1), s2 = tr_arm2(m2, p->point2);
    // Columns of dd/dq.
    const trVec2 column[6] = {{-1.0, 0.0}, {0.0, -1.0}, {s1.y, -s1.x},
                              {1.0, 0.0},  {0.0, 1.0},  {-s2.y, s2.x}};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            K[6 * i + j] += slope * tr_dot2(column[i], column[j]);
        }
    }
}

// With J and H the first and second derivatives of l, Q = -f J' and l' = J v:
//
//     K = f H + J' (k' J + c' (H v)')        D = c' J' J
static void tangent(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                    trForceTangent *out) {
    const Spring *p = params;

    trDistance2 d = tr_distance2(m1, m2, p->point1, p->point2);
    if (!(d.l > 0.0)) {
        tangent_at_zero(p, m1, m2, out->K);
        return;
    }
    const double v[6] = {m1->v.x, m1->v.y, m1->omega, m2->v.x, m2->v.y, m2->omega};
    double       f = 0.0, stiffness = 0.0, damping = 0.0, rate = 0.0, Hv[6] = {0.0};
    for (int i = 0; i < 6; i++) {
        rate += d.J[i] * v[i];
        for (int j = 0; j < 6; j++) {
            Hv[i] += d.H[6 * i + j] * v[j];
        }
    }
    if (p->stiffness != NULL) {
        f += tr_law_value(p->stiffness, d.l - p->length);
        stiffness = tr_law_slope(p->stiffness, d.l - p->length);
    }
    if (p->damping != NULL) {
        f += tr_law_value(p->damping, rate);
        damping = tr_law_slope(p->damping, rate);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double change = stiffness * d.J[j] + damping * Hv[j];  // df/dq_j
            out->K[6 * i + j] += f * d.H[6 * i + j] + d.J[i] * change;
            out->D[6 * i + j] += damping * d.J[i] * d.J[j];
        }
    }
}

const trForceKind tr_force_planar_spring = {
    .name = "spring",
    .summary = "spring and damper between two points",
    .example = "point1 = { 0.1, 0.2 }, point2 = { 0.3, -0.1 }, stiffness = 7, damping = 0.8, "
               "length = 0.5",
    .dim = 2,
    .size = sizeof(Spring),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .tangent = tangent,
};
