// SPDX-License-Identifier: MIT
// The explicit equation of Udwadia and Phohomsiri, for mass matrices that may be singular:
//
//     a = [(I - A^+A) M; A]^+ [F; b]        A^+A = Q_r Q_r'   with   A' D^-1 P = Q R
//
// by singular values, in velocities times the roots T of nominal masses, so that units do not
// matter: A T^-1 stands for A, T^-1 M T^-1 for M, T^-1 F for F. The two parts are scaled to the
// same size: the first by n / tr M, the second by the norms D of rows. As M and A stand side by
// side, large and small masses in one system count as a bad condition. See
// docs/theory/formulations.md.

#include <string.h>

#include "base/keep.h"
#include "formulation/dense_parts.h"
#include "la/dense.h"
#include "la/svd.h"

typedef struct Work {
    trRecovery recovery;
    trSvd      svd;    // (n + m) x n
    double     scale;  // of the part with M
    double    *right;  // n + m
    double    *x;      // n
} Work;

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    TR_TRY(tr_recovery_begin(arena, e, sizeof(Work), work));
    Work *w = *work;
    tr_svd_plan(arena, e->nv + e->m, e->nv, &w->svd);
    w->right = tr_new_array(arena, double, (size_t)e->nv + (size_t)e->m);
    w->x = tr_new_array(arena, double, e->nv);
    tr_keep_double(arena, &w->scale);
    return tr_arena_status(arena);
}

// [(I - Q_r Q_r') M; A], scaled.
static void assemble(Work *w) {
    const trMetric *p = &w->recovery.metric;
    trRrqr         *qr = &w->recovery.qr;
    const double   *T = w->recovery.root;
    const size_t    n = (size_t)p->n, m = (size_t)p->m;
    w->scale = w->recovery.trace > 0.0 ? (double)n / w->recovery.trace : 1.0;
    for (size_t j = 0; j < n; j++) {
        double *column = w->svd.X + j * (n + m);
        for (size_t i = 0; i < n; i++) {
            column[i] = w->scale * p->M[j * n + i] / (T[i] * T[j]);
        }
        tr_rrqr_mul_qt(qr, column);
        memset(column, 0, (size_t)qr->rank * sizeof(double));
        tr_rrqr_mul_q(qr, column);
        for (size_t k = 0; k < m; k++) {
            column[n + k] = p->A[j * m + k] / (w->recovery.scale[k] * T[j]);
        }
    }
}

static trStatus factor(void *work, const trEquations *e) {
    Work *w = work;
    TR_TRY(tr_recovery_factor(&w->recovery, e));
    assemble(w);
    return tr_svd_factor(&w->svd);
}

static trStatus solve(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda) {
    Work        *w = work;
    const trSvd *svd = &w->svd;
    for (int i = 0; i < e->nv; i++) {
        w->right[i] = w->scale * F[i] / w->recovery.root[i];
    }
    for (int k = 0; k < e->m; k++) {
        w->right[e->nv + k] = b[k] / w->recovery.scale[k];
    }
    tr_dot_columns(svd->rows, svd->count, svd->U, w->right, w->x);
    tr_divide(svd->count, w->x, svd->S, w->x);
    tr_svd_mul_v(svd, svd->count, w->x, a);
    tr_divide(e->nv, a, w->recovery.root, a);
    tr_constraint_force(e, F, a, w->x);
    tr_recover_lambda(&w->recovery, w->x, lambda);
    return TR_OK;
}

const trFormulationKind tr_formulation_udwadia_phohomsiri = {
    .name = "udwadia_phohomsiri",
    .summary = "[(I - A^+A) M; A]^+ [F; b] by singular values; singular M; dense",
    .source = "Udwadia & Phohomsiri 2006; Udwadia & Wanichanon 2013, eq. (2.9)",
    .traits = TR_COPES_ALL | TR_DENSE,
    .error = 1e-8,
    .plan = plan,
    .factor = factor,
    .solve = solve,
    .row_norms = tr_metric_norms,
    .rank = tr_recovery_rank,
};
