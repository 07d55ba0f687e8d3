// SPDX-License-Identifier: MIT
// The state of a row: columns belong to the origins of body frames, equations to centers of mass
// and principal axes. With arm = R com:
//
//     r = x + arm    v = x' + omega x arm    a = x'' + alpha x arm + omega x (omega x arm)

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "base/vector.h"
#include "verify/verify.h"

#define STEP_ANGLE 1.0   // in which angles that count turns are followed [rad]
#define MOST_STEPS 1000  // between two rows

static trVec3 columns3(const double *x) {
    return (trVec3){x[0], x[1], x[2]};
}

static void put(trVec3 a, double *x) {
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

// --- memory ---

trStatus tr_moment_plan(trVerifier *V, trMoment *moment) {
    *moment = (trMoment){.q = tr_new_array(V->arena, double, V->nq),
                         .v = tr_new_array(V->arena, double, V->nv),
                         .a = tr_new_array(V->arena, double, V->nv),
                         .z = tr_new_array(V->arena, double, V->nz)};
    return tr_arena_status(V->arena);
}

void tr_moment_copy(const trVerifier *V, const trMoment *from, trMoment *to) {
    to->t = from->t;
    tr_copy(V->nq, from->q, to->q);
    tr_copy(V->nv, from->v, to->v);
    tr_copy(V->nv, from->a, to->a);
    tr_copy(V->nz, from->z, to->z);
}

// Where the frame of a body stands while its center of mass and its principal axes rest in those of
// the world.
static trStatus find_centers(trVerifier *V) {
    trCenter *center = tr_new_array(V->arena, trCenter, V->bodies);
    double   *q = V->now.q, *v = V->now.v;
    TR_TRY(tr_arena_status(V->arena));
    memset(v, 0, (size_t)V->nv * sizeof *v);
    memset(q, 0, (size_t)V->nq * sizeof *q);
    for (int i = 0; i < V->bodies && V->dim == 3; i++) {
        q[V->body_q * i + 3] = 1.0;
    }
    for (int i = 0; i < V->bodies && V->dim > 0; i++) {
        trBodyState   frame = tr_system_body_state(V->system, i, q, v);
        const double *e = frame.quaternion;
        trQuat        turn = {e[0], e[1], e[2], e[3]};
        center[i].principal = tr_quat_conjugate(turn);
        center[i].com = tr_quat_unrotate(turn, (trVec3){-frame.x, -frame.y, -frame.z});
    }
    V->center = center;
    return TR_OK;
}

trStatus tr_state_plan(trVerifier *V) {
    V->beside_q = tr_new_array(V->arena, double, V->nq);
    V->beside_v = tr_new_array(V->arena, double, V->nv);
    V->a_size = tr_new_array(V->arena, double, V->nv);
    V->turns = tr_new_array(V->arena, bool, V->nv);
    TR_TRY(tr_moment_plan(V, &V->now));
    TR_TRY(tr_moment_plan(V, &V->before));
    for (int i = 0; i < V->nv; i++) {
        V->turns[i] = V->dim > 0 && tr_system_velocity(V->system, i).turns;
    }
    TR_TRY(find_centers(V));
    TR_TRY(tr_eval_create(V->system, &V->eval));
    return tr_eval_create(V->system, &V->beside);
}

// --- from columns ---

static void planar_state(trVec3 com, const double *c, double *q, double *v, double *a) {
    double sine = sin(c[2]), cosine = cos(c[2]), w = c[5], alpha = c[8];
    double x = cosine * com.x - sine * com.y, y = sine * com.x + cosine * com.y;
    q[0] = c[0] + x;
    q[1] = c[1] + y;
    q[2] = c[2];
    v[0] = c[3] - w * y;
    v[1] = c[4] + w * x;
    v[2] = w;
    a[0] = c[6] - alpha * y - w * w * x;
    a[1] = c[7] + alpha * x - w * w * y;
    a[2] = alpha;
}

static void spatial_state(const trCenter *center, const double *c, double *q, double *v,
                          double *a) {
    trQuat e = tr_quat_unit((trQuat){c[3], c[4], c[5], c[6]});
    trQuat u = tr_quat_mul(e, center->principal);
    trVec3 arm = tr_quat_rotate(e, center->com), w = columns3(c + 10);
    trVec3 alpha = columns3(c + 16), along = tr_cross3(w, arm);
    put(tr_add3(columns3(c), arm), q);
    q[3] = u.w;
    q[4] = u.x;
    q[5] = u.y;
    q[6] = u.z;
    put(tr_add3(columns3(c + 7), along), v);
    put(tr_quat_unrotate(u, w), v + 3);
    put(tr_add3(columns3(c + 13), tr_add3(tr_cross3(alpha, arm), tr_cross3(w, along))), a);
    put(tr_quat_unrotate(u, alpha), a + 3);
}

// |x''| + |arm| (|alpha| + omega^2), and |alpha|.
static void find_sizes(trVerifier *V, int i, const double *c) {
    bool   planar = V->dim == 2;
    double w = planar ? fabs(c[5]) : tr_length3(columns3(c + 10));
    double alpha = planar ? fabs(c[8]) : tr_length3(columns3(c + 16));
    double x = planar ? hypot(c[6], c[7]) : tr_length3(columns3(c + 13));
    double arm = tr_length3(V->center[i].com);
    for (int k = V->body_v * i; k < V->body_v * (i + 1); k++) {
        V->a_size[k] = V->turns[k] ? alpha : x + arm * (alpha + w * w);
    }
}

static bool is_place(const trVerifier *V, int i) {
    return V->dim > 0 && i % V->body_q < V->dim;
}

bool tr_verify_state(trVerifier *V) {
    const double *c = V->row + V->layout.body;
    double       *q = V->now.q, *v = V->now.v, *a = V->now.a;
    if (!tr_all_finite(V->row, V->layout.columns)) {
        return false;
    }
    V->now.t = V->row[0];
    memcpy(V->now.z, V->row + V->layout.state, (size_t)V->nz * sizeof *V->now.z);
    for (int i = 0; i < V->bodies; i++) {
        const double *own = c + V->layout.per_body * i;
        if (V->dim == 0) {
            q[i] = c[i];
            v[i] = c[V->bodies + i];
            a[i] = c[2 * V->bodies + i];
            V->a_size[i] = fabs(a[i]);
            continue;
        }
        if (V->dim == 2) {
            planar_state(V->center[i].com, own, q + 3 * i, v + 3 * i, a + 3 * i);
        } else {
            spatial_state(&V->center[i], own, q + 7 * i, v + 6 * i, a + 6 * i);
        }
        find_sizes(V, i, own);
    }
    V->q_most = 0.0;
    V->v_most = tr_largest(V->nv, v);
    for (int i = 0; i < V->nq; i++) {
        V->q_most = is_place(V, i) ? fmax(V->q_most, fabs(q[i])) : V->q_most;
    }
    return tr_all_finite(q, V->nq) && tr_all_finite(v, V->nv) && tr_all_finite(a, V->nv);
}

// --- angles that count turns ---

// Angles that count turns are those nearest to the last ones, so that steps in which nothing turns
// far are needed. Velocities go along cubics with the accelerations of both rows.
void tr_follow_turns(const trVerifier *V, const trMoment *from, const trMoment *to,
                     trMoment *memory, trEval *eval) {
    double h = to->t - from->t, fastest = 0.0;
    for (int i = 0; i < V->nv; i++) {
        fastest = V->turns[i] ? fmax(fastest, fmax(fabs(from->v[i]), fabs(to->v[i]))) : fastest;
    }
    if (V->dim < 3 || !(h > 0.0) || !(fastest * h < MOST_STEPS)) {
        return;
    }
    int steps = (int)ceil(2.0 * fastest * h / STEP_ANGLE);
    tr_moment_copy(V, from, memory);
    for (int k = 0; k + 1 < steps; k++) {
        double s = (k + 0.5) / steps;
        for (int i = 0; i < V->nv; i++) {
            double a0 = h * from->a[i], a1 = h * to->a[i], d = to->v[i] - from->v[i];
            double bend = 3.0 * d - 2.0 * a0 - a1 + s * (a0 + a1 - 2.0 * d);
            memory->v[i] = h / steps * (from->v[i] + s * (a0 + s * bend));
        }
        tr_system_move(V->system, memory->v, memory->q);
        if (tr_eval_at(eval, from->t + h * (k + 1.0) / steps, memory->q, to->v, to->z) == TR_OK) {
            tr_eval_accept(eval);
        }
    }
}

// --- evaluations ---

// Beside the row: every number a small step away, places and velocities by a part of the largest,
// and none like its neighbor.
static trStatus eval_beside(trVerifier *V) {
    double *q = V->beside_q, *v = V->beside_v;
    memcpy(q, V->now.q, (size_t)V->nq * sizeof *q);
    for (int i = 0; i < V->nv; i++) {
        double part = TR_VERIFY_STEP * (0.6 + 0.4 * cos(2.4 * i)) * (i % 2 == 0 ? 1.0 : -1.0);
        double size = V->dim == 0    ? fabs(q[i])
                      : !V->turns[i] ? V->q_most
                      : V->dim == 2  ? fmax(1.0, fabs(q[i]))
                                     : 1.0;
        v[i] = part * size;
    }
    tr_system_move(V->system, v, q);
    for (int i = 0; i < V->nv; i++) {
        double part = TR_VERIFY_STEP * (0.6 + 0.4 * cos(1.7 * i)) * (i % 2 == 0 ? -1.0 : 1.0);
        v[i] = V->now.v[i] + part * (V->dim > 0 ? V->v_most : V->now.v[i]);
    }
    return tr_eval_at(V->beside, V->now.t, q, v, V->now.z);
}

trStatus tr_verify_eval(trVerifier *V) {
    trMoment memory = {.q = V->beside_q, .v = V->beside_v, .a = V->size, .z = V->work};
    if (V->index > 0) {
        tr_follow_turns(V, &V->before, &V->now, &memory, V->eval);
        tr_follow_turns(V, &V->before, &V->now, &memory, V->beside);
    }
    TR_TRY(tr_eval_at(V->eval, V->now.t, V->now.q, V->now.v, V->now.z));
    tr_eval_accept(V->eval);
    tr_find_multipliers(V);
    // C depends on multipliers; those of the solution are as good as those that are stored.
    V->settled =
        tr_eval_C(V->eval) == NULL || tr_eval_solve(V->eval, NULL, NULL, V->work, NULL) == TR_OK;
    TR_TRY(eval_beside(V));
    tr_eval_accept(V->beside);
    tr_moment_copy(V, &V->now, &V->before);
    return TR_OK;
}
