// SPDX-License-Identifier: MIT
// The null space formulation: free motions obey Newton, the others the constraints.
//
//     A'_r P = [Q1 Gamma] [R; 0]        A_r: independent rows
//     [Gamma' M; A_r] a = [Gamma' F; b_r]
//     A_r' lambda_r = F - M a           by the same Q and R; other lambda = 0
//
// Rows are scaled to length one before the matrix is factored, which is regular if and only if M is
// positive definite on the null space of A_r. See docs/theory/bases.md.

#include <lapacke.h>

#include "base/keep.h"
#include "basis/parts.h"
#include "formulation/kept_rows.h"
#include "la/dense.h"

typedef struct Work {
    trKeptRows k;
    trRrqr     rows;    // n x m: of A'_r
    trBasis    basis;   // Gamma
    double    *K;       // n x n: factors of [Gamma' M; A_r]
    int       *pivot;   // n
    double    *length;  // n: of the rows of Gamma' M
    double    *u;       // n
} Work;

static void fill(Work *w) {
    const size_t n = (size_t)w->k.metric.n, m = (size_t)w->k.metric.m, c = (size_t)w->basis.columns;
    for (size_t k = 0; k < c; k++) {
        w->length[k] = tr_length((int)n, w->k.M_Gamma + k * n);
        for (size_t j = 0; j < n; j++) {
            w->K[j * n + k] = w->k.M_Gamma[k * n + j] / w->length[k];
        }
    }
    for (size_t k = c; k < n; k++) {
        for (size_t j = 0; j < n; j++) {
            w->K[j * n + k] = w->k.A[j * m + (size_t)w->rows.pivot[k - c]];
        }
    }
}

static trStatus factor(void *work, const trEquations *e) {
    Work     *w = work;
    const int n = w->k.metric.n;
    TR_TRY(tr_kept_rows_factor(&w->k, e));
    TR_TRY(tr_basis_by_qr(&w->rows, w->k.A, 0.0, &w->basis));
    TR_TRY(tr_kept_rows_inertia(&w->k, e, &w->basis));
    fill(w);
    if (n > 0 && LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, w->K, n, w->pivot) != 0) {
        return tr_fail(TR_SINGULAR, "free motions and constraints do not determine the motion");
    }
    return TR_OK;
}

static void once(void *work, const trEquations *e, const double *F, const double *b, double *a,
                 double *lambda) {
    Work         *w = work;
    const int     n = e->nv, c = w->basis.columns;
    const double *right = tr_kept_rows_right(&w->k, b);
    tr_dot_columns(n, c, w->basis.Gamma, F, a);
    for (int k = 0; k < n; k++) {
        a[k] = k < c ? a[k] / w->length[k] : right[w->rows.pivot[k - c]];
    }
    if (n > 0) {
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, w->K, n, w->pivot, a, n);
    }
    tr_constraint_force(e, F, a, w->u);
    tr_kept_rows_multipliers(&w->k, &w->rows, w->u, lambda);
}

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    TR_TRY(tr_kept_rows_begin(arena, e, once, sizeof(Work), work));
    Work        *w = *work;
    const size_t n = (size_t)e->nv;
    tr_rrqr_plan(arena, e->nv, e->m, &w->rows);
    tr_basis_plan(arena, e->nv, &w->basis);
    w->K = tr_new_array(arena, double, n *n);
    w->pivot = tr_new_array(arena, int, n);
    tr_keep_pivots(arena, w->pivot, e->nv);
    tr_keep_int(arena, &w->basis.columns, 0, e->nv);
    w->length = tr_new_array(arena, double, n);
    w->u = tr_new_array(arena, double, n);
    return tr_arena_status(arena);
}

const trFormulationKind tr_formulation_nullspace = {
    .name = "nullspace",
    .summary = "free motions obey Newton, the others the constraints; dense",
    .source = "Laulusa & Bauchau 2008, eq. (14)",
    .traits = TR_COPES_ALL | TR_DENSE,
    .error = 1e-12,
    .plan = plan,
    .factor = factor,
    .solve = tr_metric_solve,
    .row_norms = tr_metric_norms,
    .rank = tr_metric_rank,
};
