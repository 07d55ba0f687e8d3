// SPDX-License-Identifier: MIT
// The matrix A of a pose in velocities of bodies, its rank and its dependent rows.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "check/check.h"

trStatus tr_check_memory(const trCheckWork *w) {
    TR_TRY(tr_arena_status(w->scratch));
    return tr_arena_status(w->arena);
}

trStatus tr_check_evaluate(trCheckWork *w, double t, const double *q) {
    return tr_eval_at(w->eval, t, q, w->v, NULL);
}

trStatus tr_check_points(trCheckWork *w, double t, const double *q) {
    TR_TRY(tr_check_evaluate(w, t, q));
    for (int j = 0; j < w->joints; j++) {
        const trReaction r = tr_eval_world_reaction(w->eval, j, w->lambda);
        w->point[j] = (trVec3){r.x, r.y, r.z};
    }
    return TR_OK;
}

trVec3 tr_check_center(const trCheckWork *w, int body) {
    const double *r = tr_eval_q(w->eval) + w->nq / w->bodies * body;
    return body < 0 ? (trVec3){0.0, 0.0, 0.0} : (trVec3){r[0], r[1], w->dim == 3 ? r[2] : 0.0};
}

double tr_check_arm(const trCheckWork *w, int joint, int body) {
    return tr_length3(tr_sub3(w->point[joint], tr_check_center(w, body)));
}

bool tr_check_is_norm(const trCheckWork *w, int group) {
    return w->group[group].joint < 0 && w->group[group].constraint < 0;
}

bool tr_check_is_passive(const trCheckWork *w, int group) {
    return group < w->joints && !w->joint[group].driven;
}

const char *tr_check_body(const trCheckWork *w, int body) {
    return tr_system_velocity(w->system, w->each * body).name;
}

trMat3 tr_check_turn(const trCheckWork *w, int body, double *P) {
    double R[9];
    tr_eval_turning(w->eval, body, R, P);
    return (trMat3){{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}};
}

// Velocities are rates of quaternions.
static bool has_rates(const trCheckWork *w) {
    return w->dim == 3 && w->each == 7;
}

// One row of a body, in world axes: J for (v, W in principal axes) or for quaternion rates.
static void turn_row(const trCheckWork *w, int body, const double *J, double *out) {
    double c[3], P[12];
    if (w->dim != 3) {
        memcpy(out, J, (size_t)w->width * sizeof *out);
        return;
    }
    const trMat3 R = tr_check_turn(w, body, P);
    for (int i = 0; i < 3; i++) {
        out[i] = J[i];
        c[i] = J[3 + (has_rates(w) ? 0 : i)];
        if (has_rates(w)) {  // c P is given, and P P' = 4 for unit quaternions
            const double *p = P + 4 * (ptrdiff_t)i;
            c[i] = 0.25 * (J[3] * p[0] + J[4] * p[1] + J[5] * p[2] + J[6] * p[3]);
        }
    }
    trVec3 world = tr_rotate3(&R, (trVec3){c[0], c[1], c[2]});
    out[3] = world.x;
    out[4] = world.y;
    out[5] = world.z;
}

// Of velocity `column` of a body.
static bool turns(const trCheckWork *w, int column) {
    return w->dim == 3 ? column >= 3 : w->dim == 2 && column == 2;
}

static bool are_of_one_kind(const trCheckWork *w, int row, int other) {
    return w->row[row].group == w->row[other].group &&
           strcmp(w->row[row].unit, w->row[other].unit) == 0;
}

// Rows of lengths of one joint, and of angles, are scaled alike, to length one on average: along
// other axes they are other rows of the same span.
static void find_norms(const trCheckWork *w, trPose *p) {
    int end = 0;
    for (int i = 0; i < p->m; i = end) {
        double sum = 0.0;
        for (end = i; end < p->m && are_of_one_kind(w, p->row[i], p->row[end]); end++) {
            const double *x = p->X + (ptrdiff_t)end * p->n;
            for (int k = 0; k < p->n; k++) {
                sum += x[k] * x[k];
            }
        }
        for (int j = i; j < end; j++) {
            p->norm[j] = sum > 0.0 ? sqrt(sum / (end - i)) : 1.0;
        }
    }
}

static void scale_columns(const trCheckWork *w, trPose *p) {
    for (int i = 0; i < p->m; i++) {
        double *x = p->X + (ptrdiff_t)i * p->n;
        for (int k = 0; k < p->n; k++) {
            x[k] /= turns(w, k % w->width) ? w->size : 1.0;
        }
    }
    find_norms(w, p);
    for (int i = 0; i < p->m; i++) {
        double *x = p->X + (ptrdiff_t)i * p->n;
        for (int k = 0; k < p->n; k++) {
            x[k] /= p->norm[i];
        }
    }
}

trStatus tr_pose_fill(trCheckWork *w, trArena *arena, trPose *out) {
    int    n = w->bodies * w->width, m = w->m - w->norms, column = 0;
    trPose p = {.arena = arena, .n = n, .m = m};
    double J[7];
    int   *body = tr_new_array(arena, int, w->bodies);
    p.row = tr_new_array(arena, int, m);
    p.norm = tr_new_array(arena, double, m);
    tr_rrqr_plan(arena, n, m, &p.qr);
    p.X = tr_new_array(arena, double, (size_t)n *(size_t)m);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < w->m; i++) {
        if (w->row[i].joint < 0 && w->row[i].constraint < 0) {
            continue;
        }
        const int count = tr_system_row_bodies(w->system, i, w->bodies, body);
        for (int k = 0; k < count; k++) {
            tr_eval_row(w->eval, i, body[k], J);
            turn_row(w, body[k], J, p.X + (ptrdiff_t)column * n + (ptrdiff_t)body[k] * w->width);
        }
        p.row[column++] = i;
    }
    scale_columns(w, &p);
    *out = p;
    return TR_OK;
}

trStatus tr_pose_at(trCheckWork *w, trArena *arena, const double *q, trPose *out) {
    TR_TRY(tr_check_evaluate(w, w->t, q));
    return tr_pose_fill(w, arena, out);
}

double tr_pose_gap(const trCheckWork *w, const trPose *p, bool passive) {
    double most = 0.0;
    for (int i = 0; i < p->m; i++) {
        const trRowInfo *row = &w->row[p->row[i]];
        if (row->holonomic && (!passive || tr_check_is_passive(w, row->group))) {
            most = fmax(most, fabs(tr_eval_phi(w->eval)[p->row[i]]) / p->norm[i]);
        }
    }
    return most;
}

trStatus tr_pose_factor_some(const trPose *p, int count, const int *which, double tolerance,
                             trRrqr *out) {
    tr_rrqr_plan(p->arena, p->n, count, out);
    TR_TRY(tr_arena_status(p->arena));
    for (int k = 0; k < count; k++) {
        tr_copy(p->n, p->X + (ptrdiff_t)which[k] * p->n, out->X + (ptrdiff_t)k * p->n);
    }
    return tr_rrqr_factor(out, tolerance);
}

// z with X z = 0: column `of` depends on the kept ones, X_kept y = X_of. `y` is memory, rows.
static void circuit(trRrqr *qr, const double *X, int of, double *y, double *z) {
    tr_copy(qr->rows, X + (ptrdiff_t)of * qr->rows, y);
    tr_rrqr_mul_qt(qr, y);
    tr_rrqr_solve_r(qr, y);
    double most = fmax(1.0, tr_largest(qr->rank, y));
    for (int i = 0; i < qr->rank; i++) {
        z[qr->pivot[i]] = -y[i] / most;
    }
    z[of] = 1.0 / most;
}

trStatus tr_find_circuits(trArena *arena, trRrqr *qr, double tolerance, double **null) {
    size_t  size = (size_t)qr->rows * (size_t)qr->columns;
    double *X = tr_new_array(arena, double, size), *memory = tr_new_array(arena, double, 2 * size);
    double *y = tr_new_array(arena, double, qr->rows);
    TR_TRY(tr_arena_status(arena));
    memcpy(X, qr->X, size * sizeof *X);
    TR_TRY(tr_rrqr_factor_first(qr, tolerance, NULL, memory));
    int columns = qr->columns, r = qr->rank;
    *null = tr_new_array(arena, double, (size_t)columns *(size_t)(columns - r));
    TR_TRY(tr_arena_status(arena));
    for (int k = r; k < columns; k++) {
        circuit(qr, X, qr->pivot[k], y, *null + (ptrdiff_t)(k - r) * columns);
    }
    return TR_OK;
}

// N from the null vectors of X, p->open columns.
static trStatus orthonormalize(trPose *p, const double *null) {
    trRrqr  qr;
    double *column = tr_new_array(p->arena, double, p->m);
    tr_rrqr_plan(p->arena, p->m, p->open, &qr);
    p->N = tr_new_array(p->arena, double, (size_t)p->m *(size_t)p->open);
    TR_TRY(tr_arena_status(p->arena));
    memcpy(qr.X, null, (size_t)p->m * (size_t)p->open * sizeof *null);
    TR_TRY(tr_rrqr_factor(&qr, 0.0));
    for (int k = 0; k < p->open; k++) {
        memset(column, 0, (size_t)p->m * sizeof *column);
        column[k] = 1.0;
        tr_rrqr_mul_q(&qr, column);
        for (int i = 0; i < p->m; i++) {
            p->N[k + (ptrdiff_t)i * p->open] = column[i];
        }
    }
    return TR_OK;
}

trStatus tr_pose_factor(trCheckWork *w, trPose *p) {
    double *null = NULL;
    memcpy(p->qr.X, p->X, (size_t)p->n * (size_t)p->m * sizeof *p->X);
    TR_TRY(tr_find_circuits(p->arena, &p->qr, w->rank_tolerance, &null));
    p->rank = p->qr.rank;
    p->open = p->m - p->rank;
    return p->open > 0 ? orthonormalize(p, null) : TR_OK;
}

void tr_pose_loads(const trPose *p, double tolerance, const double *c, double *L) {
    for (int i = 0; i < p->m; i++) {
        double sum = 0.0;
        for (int k = 0; k < p->open; k++) {
            sum += p->N[k + (ptrdiff_t)i * p->open] * c[k];
        }
        L[p->row[i]] = fabs(sum) > tolerance ? sum / p->norm[i] : 0.0;
    }
}

void tr_check_unscale(const trCheckWork *w, const double *x, double *dv) {
    for (int body = 0; body < w->bodies; body++, x += w->width, dv += w->each) {
        double P[12];
        if (w->dim != 3) {
            for (int k = 0; k < w->width; k++) {
                dv[k] = x[k] / (turns(w, k) ? w->size : 1.0);
            }
            continue;
        }
        const trMat3 R = tr_check_turn(w, body, P);
        trVec3       omega = tr_scale3(1.0 / w->size, (trVec3){x[3], x[4], x[5]});
        trVec3       W = tr_unrotate3(&R, omega);
        memcpy(dv, x, 3 * sizeof *dv);
        for (int k = 0; has_rates(w) && k < 4; k++) {  // u' = P' W / 4
            dv[3 + k] = 0.25 * (P[k] * W.x + P[4 + k] * W.y + P[8 + k] * W.z);
        }
        if (!has_rates(w)) {
            dv[3] = W.x;
            dv[4] = W.y;
            dv[5] = W.z;
        }
    }
}
