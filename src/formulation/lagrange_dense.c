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
// and one step of refinement with the residuals F - M a - A' lambda and (b - A a)_r. The added
// a^2 A'A makes masses that are zero harmless as long as the constraints hold them: L exists if and
// only if [M; A] has full column rank. It changes neither a nor lambda. Of dependent rows only
// A' lambda is unique; a dropped row has lambda = 0.
//
// Cost grows with the cube of the size: meant for up to a few hundred rows, and as the measure for
// other formulations.
// Reference: Udwadia and Wanichanon, Numer. Algebra Control Optim. 3 (2013), 425-443, eq. (3.18) to
// (3.36).

#include "formulation/dense_parts.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

typedef struct Work {
    int          n, m;
    int          free_column;  // -1: none
    double       weight;       // a^2
    double      *L;            // n x n
    double      *diagonal;     // n
    trDenseParts p;
    trRrqr       qr;                       // of Y D^-1
    int         *dropped;                  // m
    double      *u;                        // n
    double      *z;                        // m
    double      *residual_f, *residual_b;  // n, m
    double      *da, *dlambda;             // n, m
} Work;

static trStatus plan(trArena *arena, const trEquations *e, const trFormulationOptions *options,
                     void **work) {
    (void)options;
    Work  *w = tr_new(arena, Work);
    size_t n = (size_t)e->nv, m = (size_t)e->m;
    if (w != NULL) {
        w->n = e->nv;
        w->m = e->m;
        w->L = tr_new_array(arena, double, n *n);
        tr_dense_plan(arena, e, &w->p);
        w->diagonal = tr_new_array(arena, double, n);
        tr_rrqr_plan(arena, e->nv, e->m, &w->qr);
        w->dropped = tr_new_array(arena, int, m);
        w->u = tr_new_array(arena, double, n);
        w->z = tr_new_array(arena, double, m);
        w->residual_f = tr_new_array(arena, double, n);
        w->residual_b = tr_new_array(arena, double, m);
        w->da = tr_new_array(arena, double, n);
        w->dlambda = tr_new_array(arena, double, m);
    }
    *work = w;
    return tr_arena_status(arena);
}

static trStatus factor(void *work, const trEquations *e) {
    Work *w = work;
    w->free_column = -1;
    tr_dense_fill(&w->p, e);
    w->weight = tr_dense_weight(&w->p);
    tr_dense_augment(&w->p, w->weight, NULL, w->L);
    trStatus status = tr_cholesky_factor(w->n, w->L, w->diagonal, &w->free_column);
    if (status == TR_OK) {
        w->free_column = tr_dense_free_column(w->n, w->L, w->diagonal);
        status = w->free_column < 0 ? TR_OK : TR_SINGULAR;
    }
    if (status == TR_SINGULAR) {
        return tr_dense_no_inertia(w->free_column);
    }
    TR_TRY(status);
    tr_dense_rows(&w->p, e, w->L, w->qr.X);
    TR_TRY(tr_rrqr_factor(&w->qr, e->rank_tolerance));
    for (int k = w->qr.rank; k < w->m; k++) {
        w->dropped[k - w->qr.rank] = w->qr.pivot[k];
    }
    return TR_OK;
}

static void solve_once(Work *w, const trEquations *e, const double *F, const double *b, double *a,
                       double *lambda) {
    trRrqr *qr = &w->qr;
    memcpy(w->u, F, (size_t)w->n * sizeof(double));
    for (int k = 0; k < w->m; k++) {
        lambda[k] = -w->weight * b[k];
    }
    tr_rows_tmul_sub(&e->A, lambda, w->u);
    tr_cholesky_forward(w->n, w->L, 1, w->u);
    tr_rrqr_mul_qt(qr, w->u);

    for (int k = 0; k < qr->rank; k++) {
        w->z[k] = b[qr->pivot[k]] / w->p.scale[qr->pivot[k]];
    }
    tr_rrqr_solve_rt(qr, w->z);
    for (int k = 0; k < qr->rank; k++) {
        double kept = w->z[k];
        w->z[k] = w->u[k] - kept;
        w->u[k] = kept;
    }
    tr_rrqr_mul_q(qr, w->u);
    memcpy(a, w->u, (size_t)w->n * sizeof(double));
    tr_cholesky_backward(w->n, w->L, a);

    tr_rrqr_solve_r(qr, w->z);
    memset(lambda, 0, (size_t)w->m * sizeof(double));
    for (int k = 0; k < qr->rank; k++) {
        lambda[qr->pivot[k]] = w->z[k] / w->p.scale[qr->pivot[k]];
    }
}

static trStatus solve(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda) {
    Work *w = work;
    solve_once(w, e, F, b, a, lambda);

    tr_mass_mul(&e->M, a, w->residual_f);
    for (int i = 0; i < w->n; i++) {
        w->residual_f[i] = F[i] - w->residual_f[i];
    }
    tr_rows_tmul_sub(&e->A, lambda, w->residual_f);
    tr_rows_mul(&e->A, a, w->residual_b);
    for (int k = 0; k < w->m; k++) {
        w->residual_b[k] = b[k] - w->residual_b[k];
    }
    // A dropped row may contradict the others; what it asks for must not become a force.
    for (int k = w->qr.rank; k < w->m; k++) {
        w->residual_b[w->qr.pivot[k]] = 0.0;
    }
    solve_once(w, e, w->residual_f, w->residual_b, w->da, w->dlambda);

    for (int i = 0; i < w->n; i++) {
        a[i] += w->da[i];
    }
    for (int k = 0; k < w->m; k++) {
        lambda[k] += w->dlambda[k];
    }
    return TR_OK;
}

static const double *row_norms(const void *work) {
    return ((const Work *)work)->p.row_norms;
}

static trRank rank(void *work) {
    const Work *w = work;
    const int   r = w->qr.rank;
    trRank      found = {.rank = r, .dropped = w->m - r, .rows = w->dropped, .gap = INFINITY};
    found.gap_row = -1;
    found.free_column = w->free_column;
    if (r > 0) {
        double pivot = tr_rrqr_pivot_size(&w->qr, r - 1);
        found.gap = pivot * pivot;
        found.gap_row = w->qr.pivot[r - 1];
    }
    return found;
}

const trFormulationKind tr_formulation_lagrange_dense = {
    .name = "lagrange_dense",
    .summary = "multipliers by pivoted QR in the metric of M + a^2 A'A; dense",
    .source = "Udwadia and Wanichanon 2013, eq. 3.18 to 3.36",
    .traits = TR_COPES_ALL | TR_DENSE,
    .error = 1e-12,
    .plan = plan,
    .factor = factor,
    .solve = solve,
    .row_norms = row_norms,
    .rank = rank,
};
