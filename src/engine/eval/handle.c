// SPDX-License-Identifier: MIT
// Handles of trammel/eval.h: memory, evaluation, and the equations as users read them.

#include <math.h>
#include <string.h>

#include "eval/solver.h"

static trStatus plan(trArena *arena, const trSystem *system, double rank_tolerance, trEval **out) {
    trEval   *e = tr_new(arena, trEval);
    trSolver *solver = tr_new(arena, trSolver);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_eval_plan(arena, system, rank_tolerance, e));
    solver->z = tr_new_array(arena, double, system->states);
    TR_TRY(tr_arena_status(arena));
    solver->arena = arena;
    e->z = solver->z;
    e->solver = solver;
    *out = e;
    return TR_OK;
}

trStatus tr_eval_new(const trSystem *system, double rank_tolerance, trEval **out) {
    *out = NULL;
    trArena *arena = tr_arena_create();
    trStatus status = plan(arena, system, rank_tolerance, out);
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    tr_arena_seal(arena);
    return TR_OK;
}

trStatus tr_eval_create(const trSystem *system, trEval **out) {
    return tr_eval_new(system, TR_RANK_TOLERANCE, out);
}

void tr_eval_destroy(trEval *e) {
    if (e == NULL || e->solver == NULL) {
        return;
    }
    tr_arena_destroy(e->solver->linear);
    tr_arena_destroy(e->solver->solving);
    tr_arena_destroy(e->solver->arena);
}

trStatus tr_eval_at(trEval *e, double t, const double *q, const double *v, const double *z) {
    const trSystem *s = e->system;
    const size_t    states = (size_t)s->states;
    if (!isfinite(t)) {
        return tr_fail(TR_E_ARGUMENT, "t is not a finite number");
    }
    if (states > 0) {
        memmove(e->solver->z, z != NULL ? z : s->z0, states * sizeof *z);
    }
    e->solver->t = t;
    return tr_system_eval(s, t, q != NULL ? q : s->q0, v != NULL ? v : s->v0, e);
}

// --- the equations ---

double tr_eval_time(const trEval *e) {
    return e == NULL ? 0.0 : e->solver != NULL ? e->solver->t : e->t;
}

#define READ(name, member)                          \
    const double *tr_eval_##name(const trEval *e) { \
        return e == NULL ? NULL : e->member;        \
    }

READ(q, q)
READ(v, v)
READ(z, z)
READ(Q, Q)
READ(C, C)
READ(phi, phi)
READ(b, b)
READ(b1, b1)
READ(z_rate, z_dot)
READ(row_size, row_size)

void tr_eval_mul_M(const trEval *e, const double *x, double *y) {
    if (e != NULL) {
        tr_mass_mul(&e->equations.M, x, y);
    }
}

void tr_eval_mul_A(const trEval *e, const double *x, double *y) {
    if (e != NULL) {
        tr_rows_mul(&e->equations.A, x, y);
    }
}

void tr_eval_mul_At(const trEval *e, const double *x, double *y) {
    if (e == NULL) {
        return;
    }
    memset(y, 0, (size_t)e->equations.nv * sizeof *y);
    tr_rows_tmul_sub(&e->equations.A, x, y);
    for (int i = 0; i < e->equations.nv; i++) {
        y[i] = 0.0 - y[i];
    }
}

void tr_eval_dense_M(const trEval *e, double *M) {
    if (e == NULL) {
        return;
    }
    const trMass *mass = &e->equations.M;
    const size_t  n = (size_t)mass->n;
    for (size_t i = 0; i < n * n; i++) {
        const double diagonal = mass->dense == NULL && i % (n + 1) == 0 ? mass->diagonal[i / n] : 0;
        M[i] = mass->dense != NULL ? mass->dense[i] : diagonal;
    }
}

void tr_eval_dense_A(const trEval *e, double *dense) {
    if (e == NULL) {
        return;
    }
    const trRows *A = &e->equations.A;
    memset(dense, 0, (size_t)A->m * (size_t)A->n * sizeof *dense);
    for (int g = 0; g < A->groups; g++) {
        for (int s = A->group_side[g]; s < A->group_side[g + 1]; s++) {
            const double *value = A->value + A->side_value[s];
            for (int i = A->group_row[g]; i < A->group_row[g + 1]; i++) {
                double *to = dense + (ptrdiff_t)i * A->n + A->side_column[s];
                for (int k = 0; k < A->side_width[s]; k++) {
                    to[k] = *value++;
                }
            }
        }
    }
}

void tr_eval_row(const trEval *e, int row, int body, double *J) {
    if (e == NULL || row < 0 || row >= e->equations.m) {
        return;
    }
    const trRows *A = &e->equations.A;
    const int     group = e->system->row_joint[row], width = e->system->space->nv;
    memset(J, 0, (size_t)width * sizeof *J);
    for (int s = A->group_side[group]; s < A->group_side[group + 1]; s++) {
        if (A->side_column[s] / width == body) {
            const ptrdiff_t from =
                A->side_value[s] + (ptrdiff_t)width * (row - A->group_row[group]);
            memcpy(J, A->value + from, (size_t)width * sizeof *J);
        }
    }
}

int tr_eval_turning(const trEval *e, int body, double R[9], double P[12]) {
    if (e == NULL || e->motion3 == NULL || body < 0 || body >= e->system->bodies) {
        return 0;
    }
    const trMat3 *r = &e->motion3[body + 1].R;
    const int     columns = e->lift != NULL ? 4 : 3;
    for (int i = 0; i < 3; i++) {
        const double x[] = {r->x.x, r->x.y, r->x.z, r->y.x, r->y.y, r->y.z, r->z.x, r->z.y, r->z.z};
        for (int k = 0; k < 3; k++) {
            R[3 * i + k] = x[3 * k + i];  // the columns of R are the principal axes
        }
        for (int k = 0; k < columns; k++) {
            P[columns * i + k] = e->lift != NULL ? e->lift[body].P[i][k] : i == k;
        }
    }
    return columns;
}

void tr_eval_follow(trEval *e, const trEval *other) {
    const trSystem *s = e->system;
    memcpy(e->row_scale, other->row_scale, (size_t)s->m * sizeof *e->row_scale);
    memcpy(e->spare, other->spare, (size_t)s->m * sizeof *e->spare);
    memcpy(e->near, other->near, (size_t)s->turns * sizeof *e->near);
    memcpy(e->count, other->count, (size_t)s->counts * sizeof *e->count);
    memcpy(e->ends_near, other->ends_near, (size_t)s->varying * sizeof *e->ends_near);
    memcpy(e->u, other->u, (size_t)s->inputs * sizeof *e->u);
    e->counting = other->counting;
}
