// SPDX-License-Identifier: MIT
// The matrix A of a pose in velocities of bodies, its rank and its dependent rows.

#include <math.h>
#include <string.h>

#include "check/check.h"

trStatus tr_check_evaluate(trCheckWork *w, const double *q) {
    return tr_system_eval(w->system, w->t, q, w->v, &w->eval);
}

void tr_check_points(trCheckWork *w) {
    for (int j = 0; j < w->system->joints; j++) {
        tr_system_reaction(&w->eval, j, 2, w->lambda, &w->point[j]);
    }
}

trVec3 tr_check_center(const trCheckWork *w, int body) {
    const trEval *e = &w->eval;
    return e->motion3 != NULL ? e->motion3[body + 1].r
                              : (trVec3){e->motion2[body + 1].r.x, e->motion2[body + 1].r.y, 0.0};
}

// One row of a side, in world axes: J for (v, W in principal axes) or for quaternion rates.
static void turn_row(const trCheckWork *w, int body, const double *J, double *out) {
    const trSpace *space = w->system->space;
    double         c[3];
    if (space->dim != 3) {
        memcpy(out, J, (size_t)w->width * sizeof *out);
        return;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = J[i];
        c[i] = J[3 + (space->widen == NULL ? i : 0)];
        if (space->widen != NULL) {  // c P is given, and P P' = 4 for unit quaternions
            const double *P = w->eval.lift[body].P[i];
            c[i] = 0.25 * (J[3] * P[0] + J[4] * P[1] + J[5] * P[2] + J[6] * P[3]);
        }
    }
    trVec3 world = tr_rotate3(&w->eval.motion3[body + 1].R, (trVec3){c[0], c[1], c[2]});
    out[3] = world.x;
    out[4] = world.y;
    out[5] = world.z;
}

// Of velocity `column` of a body.
static bool turns(const trCheckWork *w, int column) {
    return w->system->space->dim == 3 ? column >= 3 : w->system->space->dim == 2 && column == 2;
}

static bool are_of_one_kind(const trSystem *s, int row, int other) {
    return s->row_joint[row] == s->row_joint[other] &&
           strcmp(s->row_unit[row], s->row_unit[other]) == 0;
}

// Rows of lengths of one joint, and of angles, are scaled alike, to length one on average: along
// other axes they are other rows of the same span.
static void find_norms(const trCheckWork *w, trPose *p) {
    int end = 0;
    for (int i = 0; i < p->m; i = end) {
        double sum = 0.0;
        for (end = i; end < p->m && are_of_one_kind(w->system, p->row[i], p->row[end]); end++) {
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
    const trSystem *s = w->system;
    const trRows   *A = &w->eval.equations.A;
    int             n = s->bodies * w->width, m = s->m - s->norms, column = 0;
    trPose          p = {.arena = arena, .n = n, .m = m};
    p.row = tr_new_array(arena, int, m);
    p.norm = tr_new_array(arena, double, m);
    tr_rrqr_plan(arena, n, m, &p.qr);
    p.X = tr_new_array(arena, double, (size_t)n *(size_t)m);
    TR_TRY(tr_arena_status(arena));
    for (int g = 0; g < A->groups; g++) {
        if (g >= s->joints && g < s->joints + s->norms) {
            continue;
        }
        for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++, column++) {
            p.row[column] = i;
            for (int side = A->group_side[g]; side < A->group_side[g + 1]; side++) {
                int           width = A->side_width[side], body = A->side_column[side] / width;
                const double *J =
                    A->value + A->side_value[side] + (ptrdiff_t)width * (i - A->group_row[g]);
                turn_row(w, body, J, p.X + (ptrdiff_t)column * n + (ptrdiff_t)body * w->width);
            }
        }
    }
    scale_columns(w, &p);
    *out = p;
    return TR_OK;
}

// z with X z = 0: column `of` depends on the kept ones, X_kept y = X_of. `y` is memory, rows.
static void circuit(trRrqr *qr, const double *X, int of, double *y, double *z) {
    double most = 1.0;
    memcpy(y, X + (ptrdiff_t)of * qr->rows, (size_t)qr->rows * sizeof *y);
    tr_rrqr_mul_qt(qr, y);
    tr_rrqr_solve_r(qr, y);
    for (int i = 0; i < qr->rank; i++) {
        most = fmax(most, fabs(y[i]));
    }
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
    const trSpace *space = w->system->space;
    for (int body = 0; body < w->system->bodies; body++, x += w->width, dv += space->nv) {
        if (space->dim != 3) {
            for (int k = 0; k < w->width; k++) {
                dv[k] = x[k] / (turns(w, k) ? w->size : 1.0);
            }
            continue;
        }
        trVec3 omega = tr_scale3(1.0 / w->size, (trVec3){x[3], x[4], x[5]});
        trVec3 W = tr_unrotate3(&w->eval.motion3[body + 1].R, omega);
        memcpy(dv, x, 3 * sizeof *dv);
        for (int k = 0; space->widen != NULL && k < 4; k++) {  // u' = P' W / 4
            const trLift *l = &w->eval.lift[body];
            dv[3 + k] = 0.25 * (l->P[0][k] * W.x + l->P[1][k] * W.y + l->P[2][k] * W.z);
        }
        if (space->widen == NULL) {
            dv[3] = W.x;
            dv[4] = W.y;
            dv[5] = W.z;
        }
    }
}
