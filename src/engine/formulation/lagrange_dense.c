// SPDX-License-Identifier: MIT
// The dense twin of lagrange: multipliers by an orthogonal factorization with a rank decision.
//
//     M_G = M + a^2 A'A = L L'      a^2 = tr M / tr A'A      F_G = F + a^2 A'b
//     Y = L \ A'                    Y D^-1 P = Q R           D: nominal norms of the columns of Y
//     rank r: |R_kk| > rank_tolerance
//
//     u = Q' (L \ F_G)              u_r <- R_r' \ (D^-1 b)_r          a = L' \ (Q u)
//     D lambda_r = R_r \ z          z = what u_r lost                 other lambda = 0
//
// and one step of refinement. The added a^2 A'A changes neither a nor lambda, and makes masses that
// are zero harmless: L exists if and only if [M; A] has full column rank. See
// docs/theory/lagrange_dense.md.

#include <string.h>

#include "base/keep.h"
#include "formulation/dense_parts.h"

typedef struct Work {
    trMetric metric;  // M_G
    double   weight;  // a^2
    double  *u;       // n
    double  *z;       // m
} Work;

static trStatus factor(void *work, const trEquations *e) {
    Work *w = work;
    TR_TRY(tr_metric_balanced(&w->metric, e));
    w->weight = tr_dense_weight(&w->metric);
    return tr_metric_judge(&w->metric, e);
}

static void once(void *work, const trEquations *e, const double *F, const double *b, double *a,
                 double *lambda) {
    Work *w = work;
    memcpy(w->u, F, (size_t)e->nv * sizeof(double));
    for (int k = 0; k < e->m; k++) {
        lambda[k] = -w->weight * b[k];
    }
    tr_rows_tmul_sub(&e->A, lambda, w->u);
    tr_metric_solve_by_qr(&w->metric, b, w->u, w->z, a, lambda);
}

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    TR_TRY(tr_metric_begin(arena, e, sizeof(Work), work));
    Work *w = *work;
    w->u = tr_new_array(arena, double, e->nv);
    w->z = tr_new_array(arena, double, e->m);
    tr_keep_double(arena, &w->weight);
    return tr_metric_refines(arena, e, once, w);
}

static trStatus solve(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda) {
    trMetric           *w = work;
    const trRefinement *r = &w->refinement;
    once(w, e, F, b, a, lambda);
    tr_metric_residuals(w, e, F, b, a, lambda);
    // A dropped row may contradict the others; what it asks for must not become a force.
    for (int k = w->qr.rank; k < e->m; k++) {
        r->b[w->qr.pivot[k]] = 0.0;
    }
    once(w, e, r->F, r->b, r->a, r->lambda);
    tr_metric_correct(w, e, a, lambda);
    return TR_OK;
}

const trFormulationKind tr_formulation_lagrange_dense = {
    .name = "lagrange_dense",
    .summary = "multipliers by pivoted QR in the metric of M + a^2 A'A; dense",
    .source = "Udwadia & Wanichanon 2013, eqs. (3.18) to (3.36)",
    .traits = TR_COPES_ALL | TR_DENSE,
    .error = 1e-12,
    .plan = plan,
    .factor = factor,
    .solve = solve,
    .row_norms = tr_metric_norms,
    .rank = tr_metric_rank,
};
