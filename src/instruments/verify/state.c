// SPDX-License-Identifier: MIT
// The state of a row: columns belong to the origins of body frames, equations to centers of mass
// and principal axes. With arm = R com:
//
//     r = x + arm    v = x' + omega x arm    a = x'' + alpha x arm + omega x (omega x arm)

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "verify/verify.h"

#define NUDGE 1e-7   // relative: a difference is right to about 1e-7 of itself
#define FEW 5.0      // one direction stands for all: another may change this many times as much
#define MEMORY 0.95  // of what a nudge changed at the row before
#define ALONG 1e-3   // of the distance of rows: errors of z'' are 1e-6 of what rows leave

trVec3 tr_columns3(const double *x) {
    return (trVec3){x[0], x[1], x[2]};
}

static void put(trVec3 a, double *x) {
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

static void planar_state(const trBody *body, const double *c, double *q, double *v, double *a) {
    trVec2 arm = tr_rotate2(cos(c[2]), sin(c[2]), body->com);
    double w = c[5], alpha = c[8];
    q[0] = c[0] + arm.x;
    q[1] = c[1] + arm.y;
    q[2] = c[2];
    v[0] = c[3] - w * arm.y;
    v[1] = c[4] + w * arm.x;
    v[2] = w;
    a[0] = c[6] - alpha * arm.y - w * w * arm.x;
    a[1] = c[7] + alpha * arm.x - w * w * arm.y;
    a[2] = alpha;
}

static void spatial_state(const trBody *body, const double *c, double *q, double *v, double *a) {
    const trPlace3 *place = &body->spatial.place;
    trQuat          e = tr_quat_unit((trQuat){c[3], c[4], c[5], c[6]});
    trQuat          u = tr_quat_mul(e, place->principal);
    trVec3          arm = tr_quat_rotate(e, place->com), w = tr_columns3(c + 10);
    trVec3          alpha = tr_columns3(c + 16), along = tr_cross3(w, arm);
    put(tr_add3(tr_columns3(c), arm), q);
    q[3] = u.w;
    q[4] = u.x;
    q[5] = u.y;
    q[6] = u.z;
    put(tr_add3(tr_columns3(c + 7), along), v);
    put(tr_quat_unrotate(u, w), v + 3);
    put(tr_add3(tr_columns3(c + 13), tr_add3(tr_cross3(alpha, arm), tr_cross3(w, along))), a);
    put(tr_quat_unrotate(u, alpha), a + 3);
}

static void find_scales(trVerifier *V) {
    const trSystem *s = V->system;
    const double   *energy = V->row + V->layout.energy;
    double          q = s->space->dim == 3 ? 1.0 : 0.0, v = 0.0, a = 0.0, length = 0.0, arm;
    for (int i = 0; i < s->nq; i++) {
        bool place = s->space->dim == 0 || i % s->space->nq < s->space->dim;
        q = fmax(q, fabs(V->q[i]));
        length = place ? fmax(length, fabs(V->q[i])) : length;
    }
    for (int i = 0; i < s->nv; i++) {
        v = fmax(v, fabs(V->v[i]));
        a = fmax(a, fabs(V->a[i]));
    }
    arm = fmax(1.0, length);
    V->scale = (trScales){.q = q,
                          .v = v * arm,
                          .a = (a + v * v) * arm,
                          .length = length,
                          .rate = v,
                          .energy = fabs(energy[0]) + fabs(energy[1]) + fabs(energy[2])};
}

bool tr_verify_state(trVerifier *V) {
    const trSystem *s = V->system;
    const double   *c = V->row + V->layout.body;
    if (!tr_all_finite(V->row, V->layout.columns)) {
        return false;
    }
    for (int i = 0; i < s->bodies; i++) {
        if (s->space->dim == 0) {
            V->q[i] = c[i];
            V->v[i] = c[s->bodies + i];
            V->a[i] = c[2 * s->bodies + i];
        } else if (s->space->dim == 2) {
            planar_state(&s->body[i], c + V->layout.per_body * i, V->q + 3 * i, V->v + 3 * i,
                         V->a + 3 * i);
        } else {
            spatial_state(&s->body[i], c + V->layout.per_body * i, V->q + 7 * i, V->v + 6 * i,
                          V->a + 6 * i);
        }
    }
    find_scales(V);
    return tr_all_finite(V->q, s->nq) && tr_all_finite(V->v, s->nv) && tr_all_finite(V->a, s->nv);
}

// --- evaluations ---

double tr_recall(double *memory, double change) {
    *memory = fmax(change, MEMORY * *memory);
    return *memory;
}

// Beside the row, every number moved by a little of itself, places and
// velocities by a little of the largest, and none like its neighbor: how much the
// equations change there says what rounding of the columns does to them.
static void eval_beside(trVerifier *V) {
    const trSystem *s = V->system;
    double         *q = V->beside, *v = V->beside + s->nq;
    V->nudge = NUDGE / FEW;
    for (int i = 0; i < s->nq + s->nv; i++) {
        double part = NUDGE * (0.6 + 0.4 * cos(2.4 * i)) * (i % 2 == 0 ? 1.0 : -1.0);
        double x = i < s->nq ? V->q[i] : V->v[i - s->nq];
        bool   place = i < s->nq && s->space->dim > 0 && i % s->space->nq < s->space->dim;
        bool   rate = i >= s->nq && s->space->dim > 0;
        V->beside[i] = x + part * (place ? V->scale.length : rate ? V->scale.rate : x);
    }
    tr_system_normalize(s, q);
    memcpy(V->nudged.near, V->eval.turn, (size_t)s->turns * sizeof *V->eval.turn);
    V->nudged.counting = V->eval.counting;
    V->nudged.z = V->eval.z;
    V->steady = tr_system_eval(s, V->row[0], q, v, &V->nudged) == TR_OK;
    if (V->steady && V->nudged.C != NULL) {
        V->steady = tr_eval_nonideal(&V->nudged, V->lambda + s->m - s->recorded) == TR_OK;
    }
}

// z' a little later or earlier, with the velocities and accelerations of the row; false: unknown.
static bool rate_along(trVerifier *V, double dt, double *z_dot) {
    const trSystem *s = V->system;
    double         *q = V->beside, *v = V->beside + s->nq, *z = V->z_beside;
    for (int i = 0; i < s->nv; i++) {
        q[i] = V->q[i] + dt * (V->v[i] + 0.5 * dt * V->a[i]);
        v[i] = V->v[i] + dt * V->a[i];
    }
    for (int i = 0; i < s->states; i++) {
        z[i] = V->eval.z[i] + dt * V->eval.z_dot[i];
    }
    V->nudged.z = z;
    if (tr_system_eval(s, V->row[0] + dt, q, v, &V->nudged) != TR_OK) {
        return false;
    }
    memcpy(z_dot, V->nudged.z_dot, (size_t)s->states * sizeof *z_dot);
    return tr_all_finite(z_dot, s->states);
}

// z'' = dg/dt along the motion, by a central difference. Coordinates are the user's own, q' = v:
// other models have no further states.
static void find_second_rates(trVerifier *V) {
    const trSystem *s = V->system;
    double          dt = ALONG * V->spacing, *before = V->z_beside + s->states;
    V->z_steady = s->states > 0 && dt > 0.0 && isfinite(dt) && rate_along(V, -dt, before) &&
                  rate_along(V, dt, V->z_ddot);
    for (int i = 0; i < s->states; i++) {
        V->z_ddot[i] = V->z_steady ? (V->z_ddot[i] - before[i]) / (2.0 * dt) : 0.0;
    }
}

static void take_columns(trVerifier *V) {
    const trSystem *s = V->system;
    memcpy(V->lambda + s->m - s->recorded, V->row + V->layout.lambda,
           (size_t)s->recorded * sizeof *V->lambda);
    V->eval.z = s->states > 0 ? V->row + V->layout.state : s->z0;
}

static trStatus eval_here(trVerifier *V) {
    const trSystem *s = V->system;
    take_columns(V);
    TR_TRY(tr_system_eval(s, V->row[0], V->q, V->v, &V->eval));
    if (V->eval.C != NULL) {
        TR_TRY(tr_eval_nonideal(&V->eval, V->lambda + s->m - s->recorded));
    }
    return TR_OK;
}

// Comparisons leave the nudged evaluation elsewhere.
trStatus tr_verify_eval_altered(trVerifier *V) {
    TR_TRY(eval_here(V));
    eval_beside(V);
    return TR_OK;
}

trStatus tr_verify_eval(trVerifier *V) {
    const trSystem *s = V->system;
    take_columns(V);
    tr_follow_turns(V);
    TR_TRY(eval_here(V));
    tr_eval_accept(&V->eval);
    find_second_rates(V);
    eval_beside(V);
    memcpy(V->before, V->q, (size_t)s->nq * sizeof *V->q);
    memcpy(V->before + s->nq, V->v, (size_t)s->nv * sizeof *V->v);
    V->t_before = V->row[0];
    return TR_OK;
}

trVec3 tr_verify_center(const trVerifier *V, int body) {
    const trEval *e = &V->eval;
    return e->motion3 != NULL ? e->motion3[body + 1].r
                              : (trVec3){e->motion2[body + 1].r.x, e->motion2[body + 1].r.y, 0.0};
}

trVec3 tr_verify_velocity(const trVerifier *V, int body, trVec3 *omega) {
    const trEval *e = &V->eval;
    if (e->motion3 != NULL) {
        *omega = e->motion3[body + 1].w;
        return e->motion3[body + 1].v;
    }
    *omega = (trVec3){0.0, 0.0, e->motion2[body + 1].omega};
    return (trVec3){e->motion2[body + 1].v.x, e->motion2[body + 1].v.y, 0.0};
}
