// SPDX-License-Identifier: MIT
// The fundamental equation with the auxiliary mass matrix of Udwadia and Schutte:
//
//     M_S = M + alpha^2 A^+A = L L'      A^+A = Q_r Q_r'   with   A' D^-1 P = Q R
//     M_S a + A' lambda_S = F            A a = b           (fundamental_equation.h)
//
// The acceleration is that of the true system; the multipliers are it once alpha^2 A^+A a is added,
//
//     A' lambda = A' lambda_S + alpha^2 A^+A a
//
// A^+A is taken in velocities times the roots T of nominal masses, so that units do not matter: T
// Q_r Q_r' T with T^-1 A' D^-1 P = Q R. alpha^2 = tr M / r, relative to these masses, unless it is
// given. See docs/theory/formulations.md.

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "formulation/fundamental_equation.h"
#include "la/dense.h"

typedef struct Options {
    double gauge;
} Options;

static const trField fields[] = {
    TR_GAUGE_FIELD(Options),
    TR_FIELD_END,
};

typedef struct Work {
    trRecovery    recovery;
    double        gauge;     // alpha as it was given; 0: from M
    double        weight;    // alpha^2
    double       *L;         // n x n: of M_S
    double       *diagonal;  // n
    double       *Y;         // n x m
    trFundamental fundamental;
    double       *x;     // n
    double       *more;  // m: lambda of the added mass
} Work;

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    TR_TRY(tr_recovery_begin(arena, e, sizeof(Work), work));
    Work  *w = *work;
    size_t n = (size_t)e->nv, m = (size_t)e->m;
    w->gauge = options != NULL ? ((const Options *)options)->gauge : 0.0;
    w->L = tr_new_array(arena, double, n *n);
    w->diagonal = tr_new_array(arena, double, n);
    w->Y = tr_new_array(arena, double, n *m);
    tr_fundamental_plan(arena, e, &w->fundamental);
    w->x = tr_new_array(arena, double, n);
    w->more = tr_new_array(arena, double, m);
    tr_keep_double(arena, &w->weight);
    return tr_arena_status(arena);
}

// M + alpha^2 Q_r Q_r' into L.
static void assemble(Work *w) {
    const trMetric *p = &w->recovery.metric;
    trRrqr         *qr = &w->recovery.qr;
    const size_t    n = (size_t)p->n;
    const double   *T = w->recovery.root, trace = w->recovery.trace;
    w->weight =
        w->gauge != 0.0 ? w->gauge * w->gauge : (trace > 0.0 ? trace : 1.0) / fmax(1.0, qr->rank);
    memcpy(w->L, p->M, n * n * sizeof(double));
    for (int k = 0; k < qr->rank; k++) {
        memset(w->x, 0, n * sizeof(double));
        w->x[k] = 1.0;
        tr_rrqr_mul_q(qr, w->x);
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < n; i++) {
                w->L[j * n + i] += w->weight * T[i] * w->x[i] * w->x[j] * T[j];
            }
        }
    }
}

static trStatus factor(void *work, const trEquations *e) {
    Work         *w = work;
    const size_t  n = (size_t)e->nv, m = (size_t)e->m;
    const double *scale = w->recovery.metric.scale;
    TR_TRY(tr_recovery_factor(&w->recovery, e));
    assemble(w);
    TR_TRY(tr_gauge_factor(e->nv, w->weight, "A^+A", w->L, w->diagonal));
    for (size_t k = 0; k < m; k++) {
        for (size_t i = 0; i < n; i++) {
            w->Y[k * n + i] = w->recovery.metric.A[i * m + k] / scale[k];
        }
    }
    tr_cholesky_forward(e->nv, w->L, e->m, w->Y);
    return tr_fundamental_factor(&w->fundamental, w->Y, w->recovery.qr.rank);
}

static trStatus solve(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda) {
    Work *w = work;
    tr_fundamental_solve(&w->fundamental, w->L, w->recovery.metric.scale, F, b, a, lambda);
    for (int i = 0; i < e->nv; i++) {
        w->x[i] = w->weight * w->recovery.metric.mass[i] * a[i];
    }
    tr_recover_lambda(&w->recovery, w->x, w->more);
    tr_add(e->m, w->more, lambda);
    return TR_OK;
}

const trFormulationKind tr_formulation_udwadia_schutte = {
    .name = "udwadia_schutte",
    .summary = "fundamental equation with the mass M + alpha^2 A^+A; singular M; dense",
    .source = "Udwadia & Schutte 2010",
    .traits = TR_COPES_ALL | TR_DENSE,
    .error = 1e-12,
    .size = sizeof(Options),
    .fields = fields,
    .plan = plan,
    .factor = factor,
    .solve = solve,
    .row_norms = tr_metric_norms,
    .rank = tr_recovery_rank,
};
