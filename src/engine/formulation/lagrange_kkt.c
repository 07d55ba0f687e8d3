// SPDX-License-Identifier: MIT
// Lagrange multipliers, index 1, all unknowns at once:
//
//     [T M T    T A' D^-1] [T^-1 a ]   [T F   ]
//     [D^-1 A T     0    ] [D lambda] = [D^-1 b]        T = diag(M + g A'A)^-1/2
//
// by a symmetric indefinite factorization with diagonal pivoting (Bunch and Kaufman), in which
// every entry is of size one. There is exactly one solution if the rows are independent and M is
// positive definite on motions that they allow; both are judged beforehand in the metric of M + g
// A'A.

#include <lapacke.h>
#include <math.h>

#include "base/keep.h"
#include "formulation/dense_parts.h"

typedef struct Work {
    trMetric metric;     // M + g A'A
    double  *K;          // (n + m) x (n + m), the lower triangle
    int     *pivot;      // n + m
    double  *x;          // n + m
    double  *T;          // n
    double  *workspace;  // workspace_size
    int      workspace_size;
} Work;

static int workspace_needed(const Work *w) {
    double answer = 1.0;
    int    size = w->metric.n + w->metric.m;
    if (size > 0) {
        LAPACKE_dsytrf_work(LAPACK_COL_MAJOR, 'L', size, w->K, size, w->pivot, &answer, -1);
    }
    return (int)fmax(1.0, answer);
}

// Pivots that were restored, which sytrs follows without looking: in a lower triangle -p stands in
// two rows for a block of 2 x 2, and none is zero.
static trStatus check_pivots(void *work) {
    const Work *w = work;
    int         size = w->metric.n + w->metric.m;
    for (int i = 0; i < size; i++) {
        bool first = w->pivot[i] < 0;
        if (w->pivot[i] == 0 || (first && (i + 1 == size || w->pivot[i + 1] >= 0))) {
            return tr_fail(TR_E_ARGUMENT, "a saved number is out of its range");
        }
        i += first;
    }
    return TR_OK;
}

static void assemble(Work *w) {
    const trMetric *p = &w->metric;
    const size_t    n = (size_t)w->metric.n, m = (size_t)w->metric.m, size = n + m;
    for (size_t j = 0; j < n; j++) {
        w->T[j] = 1.0 / sqrt(w->metric.diagonal[j]);
    }
    for (size_t j = 0; j < n; j++) {
        double *column = w->K + j * size;
        for (size_t i = j; i < n; i++) {
            column[i] = w->T[i] * p->M[j * n + i] * w->T[j];
        }
        for (size_t k = 0; k < m; k++) {
            column[n + k] = p->A[j * m + k] / p->scale[k] * w->T[j];
        }
    }
    for (size_t j = n; j < size; j++) {
        for (size_t i = j; i < size; i++) {
            w->K[j * size + i] = 0.0;
        }
    }
}

static trStatus factor(void *work, const trEquations *e) {
    Work *w = work;
    int   size = w->metric.n + w->metric.m;
    TR_TRY(tr_metric_balanced(&w->metric, e));
    TR_TRY(tr_metric_judge(&w->metric, e));
    if (w->metric.qr.rank < w->metric.m) {
        return tr_dense_dependent("lagrange_kkt", w->metric.dropped[0]);
    }
    assemble(w);
    int info = size == 0 ? 0
                         : LAPACKE_dsytrf_work(LAPACK_COL_MAJOR, 'L', size, w->K, size, w->pivot,
                                               w->workspace, w->workspace_size);
    if (info < 0) {
        return tr_fail(TR_E_EXTERNAL, "LAPACK dsytrf refused argument %d", -info);
    }
    return info == 0 ? TR_OK : tr_fail(TR_SINGULAR, "pivot %d of [M A'; A 0] is zero", info - 1);
}

static void once(void *work, const trEquations *e, const double *F, const double *b, double *a,
                 double *lambda) {
    Work         *w = work;
    const double *scale = w->metric.scale;
    int           size = w->metric.n + w->metric.m;
    for (int i = 0; i < w->metric.n; i++) {
        w->x[i] = w->T[i] * F[i];
    }
    for (int k = 0; k < w->metric.m; k++) {
        w->x[w->metric.n + k] = b[k] / scale[k];
    }
    if (size > 0) {
        LAPACKE_dsytrs_work(LAPACK_COL_MAJOR, 'L', size, 1, w->K, size, w->pivot, w->x, size);
    }
    for (int i = 0; i < w->metric.n; i++) {
        a[i] = w->T[i] * w->x[i];
    }
    for (int k = 0; k < w->metric.m; k++) {
        lambda[k] = w->x[w->metric.n + k] / scale[k];
    }
}

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    TR_TRY(tr_metric_begin(arena, e, sizeof(Work), work));
    Work  *w = *work;
    size_t size = (size_t)e->nv + (size_t)e->m;
    w->K = tr_new_array(arena, double, size *size);
    w->pivot = tr_new_array(arena, int, size);
    for (size_t i = 0; w->pivot != NULL && i < size; i++) {
        w->pivot[i] = (int)i + 1;
    }
    tr_keep_ints(arena, w->pivot, size, -(int)size, (int)size);
    tr_keep_remake(arena, check_pivots, w);
    w->x = tr_new_array(arena, double, size);
    w->T = tr_new_array(arena, double, e->nv);
    TR_TRY(tr_metric_refines(arena, e, once, w));
    w->workspace_size = workspace_needed(w);
    w->workspace = tr_new_array(arena, double, w->workspace_size);
    return tr_arena_status(arena);
}

const trFormulationKind tr_formulation_lagrange_kkt = {
    .name = "lagrange_kkt",
    .summary = "[M A'; A 0] by a symmetric indefinite factorization; independent rows; dense",
    .source = "Laulusa & Bauchau 2008, eq. (12)",
    .traits = TR_COPES_SINGULAR_MASS | TR_COPES_NONHOLONOMIC | TR_COPES_NONIDEAL | TR_DENSE,
    .error = 1e-12,
    .plan = plan,
    .factor = factor,
    .solve = tr_metric_solve,
    .row_norms = tr_metric_norms,
    .rank = tr_metric_rank,
};
