// SPDX-License-Identifier: MIT
// Poses along the motion, and the rank of A there. Rows that are dependent in all of them are
// redundant; where the rank is higher there, the start is singular.
//
//     x in null(A),  q = q0 (+) h x,  then Newton's method:  A dq = -phi, |dq| smallest
//
// Newton's method holds first the rows alone that are independent at the start: of an
// overconstrained mechanism (Bricard) the others then follow, which a perturbation off the motion
// would not show. Where they do not, as at a bifurcation, all rows are held, by the method of
// Levenberg and Marquardt, which takes rows that are dependent or nearly so:
//
//     minimize |A dq + phi|^2 + mu |dq|^2,   sqrt(mu) = min(|phi|, 0.1), in sizes of a body

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "check/check.h"

#define STEP 0.1      // of the largest motion, in sizes of a body
#define CLOSED 1e-11  // of phi as a displacement, relative to the size and place of bodies
#define MOST_DAMPING 0.1
#define ROUNDS 60        // of Newton's method
#define NEARLY 1e-7      // rows closer than this to others are left out of a step
#define DIRECTIONS 6     // of the null space that are tried, both ways
#define LARGE_MODEL 400  // velocities: fewer are tried

static bool holds(const trCheckWork *w, const bool *rows, int row) {
    return w->row[row].holonomic && (rows == NULL || rows[row]);
}

// Which rows are held, and phi of them as displacements.
static int held(const trCheckWork *w, const trPose *p, const bool *rows, double *phi, int *which) {
    int count = 0;
    for (int i = 0; i < p->m; i++) {
        if (holds(w, rows, p->row[i])) {
            phi[count] = tr_eval_phi(w->eval)[p->row[i]] / p->norm[i];
            which[count++] = i;
        }
    }
    return count;
}

// The smallest x with A x = -phi, of independent rows.
static trStatus newton_step(const trPose *p, int count, const int *which, const double *phi,
                            double *x) {
    trRrqr qr;
    TR_TRY(tr_pose_factor_some(p, count, which, NEARLY, &qr));
    for (int k = 0; k < qr.rank; k++) {
        x[k] = -phi[qr.pivot[k]];
    }
    tr_rrqr_solve_rt(&qr, x);
    tr_rrqr_mul_q(&qr, x);
    return TR_OK;
}

// (A; sqrt(mu) 1) x = (-phi; 0) in the sense of least squares.
static trStatus damped_step(const trPose *p, double size, int count, const int *which,
                            const double *phi, double *x) {
    trRrqr qr;
    int    n = p->n, all = count + n;
    double damping = 0.0;
    tr_rrqr_plan(p->arena, all, n, &qr);
    double *right = tr_new_array(p->arena, double, all);
    TR_TRY(tr_arena_status(p->arena));
    for (int k = 0; k < count; k++) {
        right[k] = -phi[k];
        damping = fmax(damping, fmin(fabs(phi[k]) / size, MOST_DAMPING));
        for (int j = 0; j < n; j++) {
            qr.X[k + (ptrdiff_t)j * all] = p->X[j + (ptrdiff_t)which[k] * n];
        }
    }
    for (int j = 0; j < n; j++) {
        qr.X[count + j + (ptrdiff_t)j * all] = damping;
    }
    TR_TRY(tr_rrqr_factor(&qr, 0.0));
    tr_rrqr_mul_qt(&qr, right);
    tr_rrqr_solve_r(&qr, right);
    for (int k = 0; k < qr.rank; k++) {
        x[qr.pivot[k]] = right[k];
    }
    return TR_OK;
}

static trStatus find_step(trCheckWork *w, const trPose *p, const bool *rows, double *x,
                          double *left) {
    int    *which = tr_new_array(p->arena, int, p->m + 1);
    double *phi = tr_new_array(p->arena, double, p->m + 1);
    TR_TRY(tr_arena_status(p->arena));
    int count = held(w, p, rows, phi, which);
    *left = tr_largest(count, phi);
    memset(x, 0, (size_t)p->n * sizeof *x);
    if (*left == 0.0) {
        return TR_OK;
    }
    return rows != NULL ? newton_step(p, count, which, phi, x)
                        : damped_step(p, w->size, count, which, phi, x);
}

// x moves q, by one size of a body at most.
static void move(trCheckWork *w, double *x, double *q) {
    int    n = w->bodies * w->width;
    double most = tr_largest(n, x);
    for (int k = 0; k < n && most > w->size; k++) {
        x[k] *= w->size / most;
    }
    tr_check_unscale(w, x, w->dv);
    tr_system_move(w->system, w->dv, q);
    tr_system_normalize(w->system, q);
}

// The largest of the bodies' size and distances from the origin, or of a user's coordinates.
static double place_of(const trCheckWork *w, const double *q) {
    double most = w->size;
    for (int i = 0; i < w->nq; i++) {
        bool length = w->dim == 0 || i % (w->nq / w->bodies) < w->dim;
        most = length ? fmax(most, fabs(q[i])) : most;
    }
    return most;
}

// One step, or none where q is on the rows already: *left of those that are held, *gap of all.
static trStatus settle_round(trCheckWork *w, const bool *rows, double *q, double *left,
                             double *gap) {
    trPose   p;
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trStatus status = tr_pose_at(w, arena, q, &p);
    double  *x = tr_new_array(arena, double, w->bodies * w->width + w->m);
    status = status == TR_OK ? tr_arena_status(arena) : status;
    status = status == TR_OK ? find_step(w, &p, rows, x, left) : status;
    if (status == TR_OK) {
        *gap = tr_pose_gap(w, &p, false);
        if (*left > CLOSED * place_of(w, q)) {
            move(w, x, q);
        }
    }
    tr_arena_destroy(arena);
    return status;
}

trStatus tr_check_settle(trCheckWork *w, const bool *rows, double *q, bool *done) {
    double left = INFINITY, gap = INFINITY;
    *done = false;
    for (int round = 0; round < ROUNDS; round++) {
        double   size = place_of(w, q);
        trStatus status = settle_round(w, rows, q, &left, &gap);
        if (status > 0) {  // the state cannot be evaluated
            return TR_OK;
        }
        TR_TRY(status);
        if (left <= CLOSED * size) {
            *done = gap <= 100.0 * CLOSED * size;
            return TR_OK;
        }
        if (!isfinite(left)) {
            return TR_OK;
        }
    }
    return TR_OK;
}

// --- poses ---

// The largest part of dv (nv), as a displacement.
static double farthest(const trCheckWork *w, const double *dv) {
    double most = 0.0;
    for (int i = 0; i < w->nv; i++) {
        bool turns = tr_system_velocity(w->system, i).turns;
        most = fmax(most, fabs(dv[i]) * (turns ? w->size : 1.0));
    }
    return most;
}

// The pose at q counts if the mechanism has moved.
static bool has_moved(trCheckWork *w, const double *q) {
    tr_system_difference(w->system, q, w->q, w->dv);
    return farthest(w, w->dv) > 0.1 * STEP * w->size;
}

static trStatus judge(trCheckWork *w, const double *q) {
    trPose   p = {0};
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trStatus status = tr_pose_at(w, arena, q, &p);
    status = status == TR_OK ? tr_pose_factor(w, &p) : status;
    tr_arena_destroy(arena);
    if (status != TR_OK) {
        return status > 0 ? TR_OK : status;
    }
    w->out->poses++;
    if (p.rank > w->out->rank_elsewhere || w->out->poses == 1) {
        w->out->rank_elsewhere = p.rank;
        w->t_there = w->t;
        tr_copy(w->nq, q, w->q_there);
    }
    return TR_OK;
}

// From q, beside the start, onto the constraints; the rank counts if that leads to another pose.
static trStatus try_pose(trCheckWork *w, const bool *rows, double *near, double *q) {
    bool done = false;
    tr_copy(w->nq, q, near);
    TR_TRY(tr_check_settle(w, rows, q, &done));
    if (!done) {
        tr_copy(w->nq, near, q);
        TR_TRY(tr_check_settle(w, NULL, q, &done));
    }
    return done && has_moved(w, q) ? judge(w, q) : TR_OK;
}

static trStatus try_directions(trCheckWork *w, const bool *rows, double *near, double *q) {
    int     n = w->here.n, free = n - w->here.rank;
    int     most = n > LARGE_MODEL ? 1 : DIRECTIONS;
    double *x = tr_new_array(w->scratch, double, n + 1);
    TR_TRY(tr_arena_status(w->scratch));
    for (int k = 0; k < 2 * free && k < 2 * most; k++) {
        memset(x, 0, (size_t)n * sizeof *x);
        x[w->here.rank + k / 2] = 1.0;
        if (w->here.m > 0) {
            tr_rrqr_mul_q(&w->here.qr, x);
        }
        double largest = tr_largest(n, x);
        for (int i = 0; i < n; i++) {
            x[i] *= (k % 2 == 0 ? STEP : -STEP) * w->size / largest;
        }
        TR_TRY(tr_check_evaluate(w, w->t, w->q));
        tr_copy(w->nq, w->q, q);
        move(w, x, q);
        TR_TRY(try_pose(w, rows, near, q));
    }
    return TR_OK;
}

// A little later, with the velocities of the start: the way of what is driven.
static trStatus try_later(trCheckWork *w, const bool *rows, double *near, double *q) {
    double fastest = farthest(w, w->v), start = w->t;
    if (fastest == 0.0) {
        return TR_OK;
    }
    double later = STEP * w->size / fastest;
    for (int i = 0; i < w->nv; i++) {
        w->dv[i] = w->v[i] * later;
    }
    tr_copy(w->nq, w->q, q);
    tr_system_move(w->system, w->dv, q);
    tr_system_normalize(w->system, q);
    w->t = start + later;
    trStatus status = try_pose(w, rows, near, q);
    w->t = start;
    return status;
}

trStatus tr_check_motion(trCheckWork *w) {
    int     nq = w->nq;
    bool   *rows = tr_new_array(w->scratch, bool, w->m);
    double *near = tr_new_array(w->scratch, double, nq), *q = tr_new_array(w->scratch, double, nq);
    w->q_there = tr_new_array(w->scratch, double, nq);
    TR_TRY(tr_arena_status(w->scratch));
    w->out->rank_elsewhere = w->here.rank;
    w->there = w->here;
    if (!w->out->assembled) {
        return TR_OK;
    }
    for (int k = 0; k < w->here.rank; k++) {
        rows[w->here.row[w->here.qr.pivot[k]]] = true;
    }
    TR_TRY(try_directions(w, rows, near, q));
    TR_TRY(try_later(w, rows, near, q));
    w->out->singular = w->out->rank_elsewhere > w->here.rank;
    if (w->out->singular) {
        TR_TRY(tr_check_evaluate(w, w->t_there, w->q_there));
        TR_TRY(tr_pose_fill(w, w->scratch, &w->there));
        TR_TRY(tr_pose_factor(w, &w->there));
    }
    return tr_check_evaluate(w, w->t, w->q);
}
