// SPDX-License-Identifier: MIT
// Bushing: an elastic joint, six springs and dampers between a marker of body 1 and one of body 2
// that coincide at the start (where point1 and point2 do).
//
//     e = (A1'(P2 - P1),          displacement in axes of marker 1 [m]
//          2 p_v)                 p: marker 2 against marker 1, the sign with p_w >= 0 [rad]
//     f = K e + C e' - preload
//     V = e'K e / 2 - preload.e        power = -e'.C e'
//
// The loads are -grad V and the like for C, for motions of any size. With f = (f_t, f_r), A1 and A2
// the axes of the markers, and e_r' = (p_w I + [p_v]x) w with w = A2'(omega2 - omega1):
//
//     on body 2:  F = -A1 f_t at P2,   c = -A2 (p_w f_r - p_v x f_r)
//     on body 1:  -F at P2, for marker 1 turns with body 1, and -c
//
// 2 p_v is the rotation vector up to the third order of the angle. The angle must stay below half
// a turn: there p_w = 0 and e jumps.

#include <math.h>

#include "force/spatial.h"

typedef struct Bushing {
    trVec3    point;                        // in the world, at the start [m]
    trVec3    point1, point2;               // in body frames; prepared: from the centers [m]
    trVec3    x_axis, y_axis;               // of marker 1, in the world at the start
    trNumbers stiffness, damping, preload;  // as the user wrote them
    trMarker3 marker1, marker2;
    double    K[36], C[36];  // row after row; force over m and rad, and over their rates
    double    load[6];       // preload [N, N m]
} Bushing;

static const trField fields[] = {
    TR_FIELD(Bushing, point, TR_FIELD_VEC3, 0, NAN, "m",
             "its place, in the world at the start; no point given: the frame origin of body 2"),
    TR_FIELD(Bushing, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "its place in the frame of body 1; not given: where point2 is at the start"),
    TR_FIELD(Bushing, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "its place in the frame of body 2; not given: where point1 is at the start"),
    TR_FIELD(Bushing, x_axis, TR_FIELD_VEC3, 0, NAN, "",
             "of the bushing, in the world at the start, fixed in body 1; not given: {1, 0, 0}"),
    TR_FIELD(Bushing, y_axis, TR_FIELD_VEC3, 0, NAN, "",
             "likewise, made perpendicular to x_axis; not given: {0, 1, 0}"),
    TR_FIELD(
        Bushing, stiffness, TR_FIELD_NUMBERS, 0, 0.0, "",
        "6 numbers (along x, y, z [N/m], about them [N m/rad]) or 36, the symmetric matrix row "
        "after row; not given: none"),
    TR_FIELD(Bushing, damping, TR_FIELD_NUMBERS, 0, 0.0, "",
             "6 numbers ([N s/m], [N m s/rad]) or 36 on the rates; not given: none"),
    TR_FIELD(Bushing, preload, TR_FIELD_NUMBERS, 0, 0.0, "",
             "6 numbers: force [N] and moment [N m] on body 2 without displacement; not given: 0"),
    TR_FIELD_END,
};

static trStatus fill_matrix(const trNumbers *list, const char *name, double *X) {
    if (list->count != 0 && list->count != 6 && list->count != 36) {
        return tr_fail(TR_E_MODEL, "'%s' must have 6 or 36 numbers, not %d", name, list->count);
    }
    for (int i = 0; i < 36; i++) {
        bool diagonal = list->count == 6 && i % 7 == 0;
        X[i] = list->count == 36 ? list->at[i] : diagonal ? list->at[i / 7] : 0.0;
    }
    return TR_OK;
}

static trStatus check_symmetric(const double *X) {
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < i; j++) {
            double a = X[6 * i + j], b = X[6 * j + i];
            if (a != b) {
                return tr_fail(TR_E_MODEL,
                               "'stiffness' must be symmetric, but row %d column %d is %.10g and "
                               "row %d column %d is %.10g",
                               i + 1, j + 1, a, j + 1, i + 1, b);
            }
        }
    }
    return TR_OK;
}

// Both markers stand at x, y, z in the world at the start.
static trStatus place_markers(Bushing *p, const trPlace3 *place1, const trPlace3 *place2) {
    if (isnan(p->x_axis.x)) {
        p->x_axis = (trVec3){1.0, 0.0, 0.0};
    }
    if (isnan(p->y_axis.x)) {
        p->y_axis = (trVec3){0.0, 1.0, 0.0};
    }
    double x_length = tr_length3(p->x_axis), y_length = tr_length3(p->y_axis);
    trVec3 z = tr_cross3(p->x_axis, p->y_axis);
    // A sine of 1e-6 between them is still a direction; less is a mistake.
    if (!(tr_length3(z) > 1e-6 * x_length * y_length)) {
        return tr_fail(TR_E_MODEL,
                       "'x_axis' {%g, %g, %g} and 'y_axis' {%g, %g, %g} must be two directions "
                       "that are not parallel",
                       p->x_axis.x, p->x_axis.y, p->x_axis.z, p->y_axis.x, p->y_axis.y,
                       p->y_axis.z);
    }
    trMat3 axes = {.x = tr_scale3(1.0 / x_length, p->x_axis),
                   .z = tr_scale3(1.0 / tr_length3(z), z)};
    axes.y = tr_cross3(axes.z, axes.x);
    trQuat k = tr_quat_of_matrix(&axes);
    p->marker1 = tr_marker3(tr_quat_mul(tr_quat_conjugate(tr_place_turn3(place1)), k));
    p->marker2 = tr_marker3(tr_quat_mul(tr_quat_conjugate(tr_place_turn3(place2)), k));
    return TR_OK;
}

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2,
                        trArena *arena) {
    Bushing *p = params;
    (void)arena;
    if (p->stiffness.count == 0 && p->damping.count == 0 && p->preload.count == 0) {
        return tr_fail(TR_E_MODEL, "does nothing; give stiffness, damping or preload");
    }
    TR_TRY(fill_matrix(&p->stiffness, "stiffness", p->K));
    TR_TRY(check_symmetric(p->K));
    TR_TRY(fill_matrix(&p->damping, "damping", p->C));
    if (p->preload.count != 0 && p->preload.count != 6) {
        return tr_fail(TR_E_MODEL, "'preload' must have 6 numbers, not %d", p->preload.count);
    }
    for (int i = 0; i < 6; i++) {
        p->load[i] = p->preload.count == 6 ? p->preload.at[i] : 0.0;
    }
    TR_TRY(place_markers(p, place1, place2));
    return tr_place_point3(p->point, &p->point1, &p->point2, place1, place2);
}

// A vector in axes of a marker, in the world, and back.
static trVec3 out_of(const trMotion3 *m, const trMarker3 *k, trVec3 a) {
    return tr_rotate3(&m->R, tr_rotate3(&k->K, a));
}

static trVec3 into(const trMotion3 *m, const trMarker3 *k, trVec3 a) {
    return tr_unrotate3(&k->K, tr_unrotate3(&m->R, a));
}

static void write_pair(trVec3 a, trVec3 b, double *out) {
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
    out[3] = b.x;
    out[4] = b.y;
    out[5] = b.z;
}

static void multiply(const double *X, const double *a, double *out) {
    for (int i = 0; i < 6; i++) {
        out[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            out[i] += X[6 * i + j] * a[j];
        }
    }
}

static double dot(const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < 6; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// p_w a + p_v x a, and p_w a - p_v x a, its transpose.
static trVec3 turn_rate(trQuat p, trVec3 a) {
    return tr_add3(tr_scale3(p.w, a), tr_cross3(tr_quat_vector(p), a));
}

static trVec3 turn_moment(trQuat p, trVec3 a) {
    return tr_sub3(tr_scale3(p.w, a), tr_cross3(tr_quat_vector(p), a));
}

// The quantities of the comment above, by the same letters.
typedef struct State {
    trSight3 see;
    trQuat   p;
    trVec3   w;
    double   e[6], rate[6];   // e, e'
    double   Ke[6], drag[6];  // K e and C e'
    trVec3   f_t, f_r;        // the halves of f
    trVec3   F, c;            // on body 2, in world axes
} State;

static State state_of(const Bushing *b, const trMotion3 *m1, const trMotion3 *m2) {
    State       s = {.see = tr_sight3(m1, m2, b->point1, b->point2)};
    trRelative3 rel = tr_relative3(m1, m2, &b->marker1, &b->marker2);
    double      f[6], sign = rel.p.w < 0.0 ? -1.0 : 1.0;
    s.p = (trQuat){sign * rel.p.w, sign * rel.p.x, sign * rel.p.y, sign * rel.p.z};
    s.w = rel.w;
    write_pair(into(m1, &b->marker1, s.see.d), tr_scale3(2.0, tr_quat_vector(s.p)), s.e);
    write_pair(into(m1, &b->marker1, s.see.rate), turn_rate(s.p, s.w), s.rate);
    multiply(b->K, s.e, s.Ke);
    multiply(b->C, s.rate, s.drag);
    for (int i = 0; i < 6; i++) {
        f[i] = s.Ke[i] + s.drag[i] - b->load[i];
    }
    s.f_t = (trVec3){f[0], f[1], f[2]};
    s.f_r = (trVec3){f[3], f[4], f[5]};
    s.F = tr_scale3(-1.0, out_of(m1, &b->marker1, s.f_t));
    s.c = tr_scale3(-1.0, out_of(m2, &b->marker2, turn_moment(s.p, s.f_r)));
    return s;
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    const Bushing *b = params;
    State          s = state_of(b, m1, m2);
    (void)t;
    tr_push3(&s.see, s.F, out);
    tr_twist_bodies3(s.c, out);
    out->potential = 0.5 * dot(s.e, s.Ke) - dot(b->load, s.e);
    out->power = -dot(s.rate, s.drag);
}

// With h = dtheta2 - dtheta1 in axes of marker 2, and dp = p h / 2:
//
//     de_t = A1' D,                        de_t' = A1' Y
//     de_r = p_w h + p_v x h,              de_r' = dp_w w + dp_v x w + p_w dw + p_v x dw
//     dF = -A1 df_t + dtheta1 x F,         dc = -A2 d(p_w f_r - p_v x f_r) + dtheta2 x c
static void change(const void *params, trProbe3 *probe) {
    const Bushing   *b = params;
    const State     *s = probe->state;
    const trMotion3 *m1 = probe->m1, *m2 = probe->m2;
    const trMove3   *d1 = &probe->d1, *d2 = &probe->d2;
    trSightChange3   ds = tr_sight_change3(probe, &s->see);
    trVec3           h = into(m2, &b->marker2, tr_sub3(d2->turn, d1->turn));
    trVec3 dw = tr_sub3(tr_sub3(d2->w, d1->w), tr_cross3(d2->turn, tr_sub3(m2->w, m1->w)));
    trQuat dp = tr_quat_mul(s->p, (trQuat){0.0, 0.5 * h.x, 0.5 * h.y, 0.5 * h.z});
    double de[6], d_rate[6], stiff[6], drag[6];
    dw = into(m2, &b->marker2, dw);
    write_pair(into(m1, &b->marker1, ds.D), turn_rate(s->p, h), de);
    write_pair(into(m1, &b->marker1, ds.Y), tr_add3(turn_rate(dp, s->w), turn_rate(s->p, dw)),
               d_rate);
    multiply(b->K, de, stiff);
    multiply(b->C, d_rate, drag);
    trVec3 df_t = {stiff[0] + drag[0], stiff[1] + drag[1], stiff[2] + drag[2]};
    trVec3 df_r = {stiff[3] + drag[3], stiff[4] + drag[4], stiff[5] + drag[5]};
    trVec3 dF = tr_sub3(tr_cross3(d1->turn, s->F), out_of(m1, &b->marker1, df_t));
    trVec3 dm = tr_add3(turn_moment(dp, s->f_r), turn_moment(s->p, df_r));
    tr_push_change3(&s->see, &ds, s->F, dF, probe);
    tr_twist_change3(tr_sub3(tr_cross3(d2->turn, s->c), out_of(m2, &b->marker2, dm)), probe);
}

static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    trForceTangent *out) {
    State    s = state_of(params, m1, m2);
    trProbe3 now = {.m1 = m1, .m2 = m2, .state = &s};
    tr_tangent_by_changes3(eval, change, params, t, &now, out);
}

const trForceKind tr_force_spatial_bushing = {
    .name = "bushing",
    .summary = "six springs and dampers between two bodies, an elastic joint",
    .dim = 3,
    .size = sizeof(Bushing),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .tangent3 = tangent,
};
