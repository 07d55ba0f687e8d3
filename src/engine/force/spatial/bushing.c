// SPDX-License-Identifier: MIT
// Bushing: an elastic joint, six springs and dampers between a marker of body 1 and one of body 2
// that coincide at the start (where point1 and point2 do).
//
//     e = (A1'(P2 - P1),          displacement in axes of marker 1 [m]
//          theta)                 rotation vector of marker 2 against marker 1 [rad]
//     u = (A1'(P2' - ...),        rate of the displacement as body 1 sees it [m/s]
//          A1'(omega2 - omega1))  [rad/s]
//     V = e'K e / 2 - preload.e        power = -u.C u
//
// The loads are -grad V and -C u, for motions of any size. With K e - preload = (f_t, f_r),
// C u = (d_t, d_r), A1 and A2 the axes of the markers, and w = A2'(omega2 - omega1):
//
//     theta' = J w,   J = 1 + [theta]x / 2 + s [theta]x^2,   s = (1 - x cot x) / |theta|^2
//                                                            x = |theta| / 2
//     on body 2:  F = -A1 (f_t + d_t) at P2,   c = -A2 J'f_r - A1 d_r
//     on body 1:  -F at P2, for marker 1 turns with body 1, and -c
//
// With equal stiffness k about all axes, J'f_r = k theta: the moment is k times the angle.
//
// A pose tells theta up to full turns about its axis. It is the one nearest to that of the last
// accepted state, so that it goes on beyond half a turn. It ends at a full turn, where the axis is
// lost and J is singular: beyond it the force is undefined.
// Reference: Bullo and Murray, Automatica 35 (1999), 17-34, for the derivative of the logarithm.

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
    bool      turns;         // K or preload depend on theta
} Bushing;

static const trField fields[] = {
    TR_FIELD(Bushing, point, TR_FIELD_VEC3, 0, NAN, "m",
             "its place, in the world at the start; no point given: the frame origin of body 2"),
    TR_FIELD(Bushing, point1, TR_FIELD_VEC3, 0, NAN, "m",
             "its place in the frame of body 1; default: where point2 is at the start"),
    TR_FIELD(Bushing, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "its place in the frame of body 2; default: where point1 is at the start"),
    TR_FIELD(Bushing, x_axis, TR_FIELD_VEC3, 0, NAN, "",
             "of the bushing, in the world at the start, fixed in body 1; default: {1, 0, 0}"),
    TR_FIELD(Bushing, y_axis, TR_FIELD_VEC3, 0, NAN, "",
             "likewise, made perpendicular to x_axis; default: {0, 1, 0}"),
    TR_FIELD(
        Bushing, stiffness, TR_FIELD_NUMBERS, 0, 0.0, "",
        "6 numbers (along x, y, z [N/m], about them [N m/rad]) or 36, the symmetric matrix row "
        "after row; default: none"),
    TR_FIELD(Bushing, damping, TR_FIELD_NUMBERS, 0, 0.0, "",
             "6 numbers ([N s/m], [N m s/rad]) or 36 on the rates; default: none"),
    TR_FIELD(Bushing, preload, TR_FIELD_NUMBERS, 0, 0.0, "",
             "6 numbers: force [N] and moment [N m] on body 2 without displacement; default: 0"),
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
    for (int i = 0; i < 6; i++) {
        for (int j = 3; j < 6; j++) {
            p->turns = p->turns || p->K[6 * i + j] != 0.0 || p->load[j] != 0.0;
        }
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
    tr_vec3_put(a, out);
    tr_vec3_put(b, out + 3);
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

// a -> J a, or J'a for sign = -1.
static trVec3 log_rate(trVec3 theta, double s, double sign, trVec3 a) {
    trVec3 once = tr_cross3(theta, a);
    return tr_add_scaled3(tr_add_scaled3(a, 0.5 * sign, once), s, tr_cross3(theta, once));
}

// s and (ds/d|theta|) / |theta|. Below SERIES both by the series of x cot x, s = sum B_2n
// |theta|^(2n - 2) / (2n)! with the Bernoulli numbers, whose first term left out is 1e-16 of s.
#define SERIES 0.5  // [rad]

static void log_factors(double angle, double *s, double *slope) {
    const double term[7] = {1.0 / 12.0,         1.0 / 720.0,      1.0 / 30240.0,
                            1.0 / 1209600.0,    1.0 / 47900160.0, 691.0 / 1307674368000.0,
                            1.0 / 74724249600.0};
    double       square = angle * angle;
    if (angle >= SERIES) {
        double sine = sin(0.5 * angle), cot = cos(0.5 * angle) / sine;
        *s = (1.0 - 0.5 * angle * cot) / square;
        *slope = (0.5 * angle * cot + 0.25 * square / (sine * sine) - 2.0) / (square * square);
        return;
    }
    *s = *slope = 0.0;
    for (int i = 6; i >= 0; i--) {
        *s = *s * square + term[i];
        *slope = i > 0 ? *slope * square + 2.0 * i * term[i] : *slope;
    }
}

#define FULL_TURN (2.0 * 3.14159265358979323846)  // [rad]
#define NO_AXIS 1e-8                              // angle below which rounding moves the axis [rad]

// The rotation vector of p or of -p, plus full turns about its axis, nearest to `near`. False from
// a full turn on.
static bool rotation_vector(trQuat p, trVec3 near, trVec3 *theta) {
    trVec3 least = tr_quat_log(p);
    double angle = tr_length3(least);
    if (!(angle > NO_AXIS)) {
        *theta = least;
        return tr_length3(near) < 0.5 * FULL_TURN;
    }
    double turns = round((tr_dot3(near, least) / angle - angle) / FULL_TURN);
    *theta = tr_scale3(1.0 + turns * FULL_TURN / angle, least);
    return fabs(angle + turns * FULL_TURN) < FULL_TURN;
}

// The quantities of the comment above, by the same letters.
typedef struct State {
    trSight3 see;
    bool     defined;       // less than a full turn
    trVec3   theta;         // [rad]
    double   s, slope;      // of J
    double   e[6], u[6];    // e, u
    double   Ke[6], Cu[6];  // K e, C u
    trVec3   f_t, f_r;      // K e - preload
    trVec3   d_t, d_r;      // C u
    trVec3   F, c, drag;    // on body 2, in world axes; drag: the part of c that is -A1 d_r
} State;

static State state_of(const Bushing *b, const trMotion3 *m1, const trMotion3 *m2,
                      const double *near) {
    State       s = {.see = tr_sight3(m1, m2, b->point1, b->point2), .defined = true};
    trRelative3 rel = tr_relative3(m1, m2, &b->marker1, &b->marker2);
    if (b->turns) {
        s.defined = rotation_vector(rel.p, tr_vec3_of(near), &s.theta);
    }
    log_factors(tr_length3(s.theta), &s.s, &s.slope);
    write_pair(into(m1, &b->marker1, s.see.d), s.theta, s.e);
    write_pair(into(m1, &b->marker1, s.see.rate), into(m1, &b->marker1, tr_sub3(m2->w, m1->w)),
               s.u);
    multiply(b->K, s.e, s.Ke);
    multiply(b->C, s.u, s.Cu);
    s.f_t = tr_sub3(tr_vec3_of(s.Ke), tr_vec3_of(b->load));
    s.f_r = tr_sub3(tr_vec3_of(s.Ke + 3), tr_vec3_of(b->load + 3));
    s.d_t = tr_vec3_of(s.Cu);
    s.d_r = tr_vec3_of(s.Cu + 3);
    s.F = tr_scale3(-1.0, out_of(m1, &b->marker1, tr_add3(s.f_t, s.d_t)));
    s.drag = tr_scale3(-1.0, out_of(m1, &b->marker1, s.d_r));
    trVec3 moment = log_rate(s.theta, s.s, -1.0, s.f_r);
    s.c = tr_sub3(s.drag, out_of(m2, &b->marker2, moment));
    return s;
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    const Bushing *b = params;
    State          s = state_of(b, m1, m2, out->near);
    tr_push3(&s.see, s.F, out);
    tr_twist_bodies3(s.c, out);
    out->potential = 0.5 * dot(s.e, s.Ke) - dot(b->load, s.e);
    out->power = -dot(s.u, s.Cu);
    tr_vec3_put(s.theta, out->turn);
    if (!s.defined) {
        out->undefined =
            "body 2 is turned against body 1 by a full turn, where the rotation vector "
            "of a bushing ends; give a shaft that turns on a torsion_spring";
    }
}

// d(J'f) = J'df - dtheta x f / 2 + ds theta x (theta x f)
//        + s (dtheta x (theta x f) + theta x (dtheta x f)),      ds = slope theta.dtheta
static trVec3 moment_change(const State *s, trVec3 d_theta, trVec3 df) {
    trVec3 once = tr_cross3(s->theta, s->f_r), across = tr_cross3(d_theta, s->f_r);
    trVec3 change = tr_add_scaled3(log_rate(s->theta, s->s, -1.0, df), -0.5, across);
    trVec3 twice = tr_add3(tr_cross3(d_theta, once), tr_cross3(s->theta, across));
    change = tr_add_scaled3(change, s->s, twice);
    return tr_add_scaled3(change, s->slope * tr_dot3(s->theta, d_theta), tr_cross3(s->theta, once));
}

// With h = dtheta2 - dtheta1 in axes of marker 2:
//
//     de = (A1'D, J h),      du = (A1'Y, A1'(domega2 - domega1 - dtheta1 x (omega2 - omega1)))
//     dF = -A1 (df_t + dd_t) + dtheta1 x F
//     dc = -A2 d(J'f_r) + dtheta2 x (c - drag) - A1 dd_r + dtheta1 x drag
static void change(const void *params, trProbe3 *probe) {
    const Bushing   *b = params;
    const State     *s = probe->state;
    const trMotion3 *m1 = probe->m1, *m2 = probe->m2;
    const trMove3   *d1 = &probe->d1, *d2 = &probe->d2;
    trSightChange3   ds = tr_sight_change3(probe, &s->see);
    trVec3           h = into(m2, &b->marker2, tr_sub3(d2->turn, d1->turn));
    trVec3 dw = tr_sub3(tr_sub3(d2->w, d1->w), tr_cross3(d1->turn, tr_sub3(m2->w, m1->w)));
    trVec3 d_theta = b->turns ? log_rate(s->theta, s->s, 1.0, h) : (trVec3){0.0, 0.0, 0.0};
    double de[6], du[6], stiff[6], drag[6];
    write_pair(into(m1, &b->marker1, ds.D), d_theta, de);
    write_pair(into(m1, &b->marker1, ds.Y), into(m1, &b->marker1, dw), du);
    multiply(b->K, de, stiff);
    multiply(b->C, du, drag);
    trVec3 df_t = tr_add3(tr_vec3_of(stiff), tr_vec3_of(drag));
    trVec3 df_r = tr_vec3_of(stiff + 3), dd_r = tr_vec3_of(drag + 3);
    trVec3 dF = tr_sub3(tr_cross3(d1->turn, s->F), out_of(m1, &b->marker1, df_t));
    trVec3 dc = tr_sub3(tr_cross3(d2->turn, tr_sub3(s->c, s->drag)),
                        out_of(m2, &b->marker2, moment_change(s, d_theta, df_r)));
    trVec3 d_drag = tr_sub3(tr_cross3(d1->turn, s->drag), out_of(m1, &b->marker1, dd_r));
    tr_push_change3(&s->see, &ds, s->F, dF, probe);
    tr_twist_change3(tr_add3(dc, d_drag), probe);
}

static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    trForceTangent *out) {
    State    s = state_of(params, m1, m2, out->near);
    trProbe3 now = {.m1 = m1, .m2 = m2, .state = &s};
    tr_tangent_by_changes3(eval, change, params, t, &now, out);
}

const trForceKind tr_force_spatial_bushing = {
    .name = "bushing",
    .summary = "six springs and dampers between two bodies, an elastic joint",
    .example = "point = { 0.4, 0.1, 0.2 }, stiffness = { 20, 30, 40, 5, 6, 7 }, damping = { 2, "
               "3, 4, 0.5, 0.6, 0.7 }, preload = { 1, -2, 3, 0.5, 0.4, -0.3 }",
    .dim = 3,
    .traits = TR_REPEATS,
    .size = sizeof(Bushing),
    .fields = fields,
    .turns = 3,
    .prepare3 = prepare,
    .eval3 = eval,
    .tangent3 = tangent,
};
