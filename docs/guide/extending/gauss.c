// SPDX-License-Identifier: MIT
// Gauss' principle of least constraint: the acceleration is the free one plus the smallest
// correction, measured by M, that satisfies the constraints.
//
//     Y = M^-1/2 A',    Y D^-1 P = Q R,    rank r: |R_kk| > rank_tolerance    D: nominal norms
//     z = R_r' \ (D^-1 (b - A M^-1 F))_r,    a = M^-1 F + M^-1/2 Q_r z,    D lambda_r = -R_r \ z
//
// For diagonal, positive M. Redundant rows are welcome. The cost grows with the cube of the size.
// Reference: Udwadia and Kalaba, Proc. R. Soc. Lond. A 439 (1992), 407-410.

#include <math.h>
#include <string.h>

#include "formulation/formulation.h"
#include "la/rrqr.h"

typedef struct Work {
    int     n, m;
    int     free_column;  // a velocity without mass, or -1
    trRrqr  qr;           // of Y D^-1
    double *A;            // m x n, column by column
    double *scale;        // m: D
    double *norms;        // m: squares of the norms of the columns of Y
    int    *dropped;      // m
    double *u;            // n
    double *z;            // m
} Work;

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    (void)options;
    if (e->M.diagonal == NULL) {
        return tr_fail(TR_E_UNSUPPORTED, "gauss needs a diagonal mass matrix");
    }
    Work *w = tr_new(arena, Work);
    if (w != NULL) {
        w->n = e->nv;
        w->m = e->m;
        tr_rrqr_plan(arena, e->nv, e->m, &w->qr);
        w->A = tr_new_array(arena, double, (size_t)e->m *(size_t)e->nv);
        w->scale = tr_new_array(arena, double, e->m);
        w->norms = tr_new_array(arena, double, e->m);
        w->dropped = tr_new_array(arena, int, e->m);
        w->u = tr_new_array(arena, double, e->nv);
        w->z = tr_new_array(arena, double, e->m);
    }
    *work = w;
    return tr_arena_status(arena);
}

// Column k of Y D^-1.
static void make_column(Work *w, const trEquations *e, int k) {
    const size_t n = (size_t)w->n, m = (size_t)w->m, column = (size_t)k;
    double      *Y = w->qr.X + column * n, sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        Y[i] = w->A[i * m + column] / sqrt(e->M.diagonal[i]);
        sum += Y[i] * Y[i];
    }
    double nominal = e->row_scale != NULL ? e->row_scale[k] : 0.0;
    w->norms[k] = sum;
    w->scale[k] = nominal > 0.0 ? nominal : sum > 0.0 ? sqrt(sum) : 1.0;
    for (size_t i = 0; i < n; i++) {
        Y[i] /= w->scale[k];
    }
}

static trStatus factor(void *work, const trEquations *e) {
    Work *w = work;
    w->free_column = -1;
    for (int i = 0; i < w->n; i++) {
        if (!(e->M.diagonal[i] > 0.0)) {
            w->free_column = i;
            return tr_fail(TR_SINGULAR, "velocity %d has no mass", i);
        }
    }
    tr_rows_dense(&e->A, w->A);
    for (int k = 0; k < w->m; k++) {
        make_column(w, e, k);
    }
    TR_TRY(tr_rrqr_factor(&w->qr, e->rank_tolerance));
    for (int k = w->qr.rank; k < w->m; k++) {
        w->dropped[k - w->qr.rank] = w->qr.pivot[k];
    }
    return TR_OK;
}

static trStatus solve(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda) {
    Work   *w = work;
    trRrqr *qr = &w->qr;
    for (int i = 0; i < w->n; i++) {
        a[i] = F[i] / e->M.diagonal[i];
    }
    tr_rows_mul(&e->A, a, lambda);
    for (int k = 0; k < qr->rank; k++) {
        int row = qr->pivot[k];
        w->z[k] = (b[row] - lambda[row]) / w->scale[row];
    }
    tr_rrqr_solve_rt(qr, w->z);

    memset(w->u, 0, (size_t)w->n * sizeof(double));
    memcpy(w->u, w->z, (size_t)qr->rank * sizeof(double));
    tr_rrqr_mul_q(qr, w->u);
    for (int i = 0; i < w->n; i++) {
        a[i] += w->u[i] / sqrt(e->M.diagonal[i]);
    }

    memset(lambda, 0, (size_t)w->m * sizeof(double));
    tr_rrqr_solve_r(qr, w->z);
    for (int k = 0; k < qr->rank; k++) {
        lambda[qr->pivot[k]] = -w->z[k] / w->scale[qr->pivot[k]];
    }
    return TR_OK;
}

static const double *row_norms(const void *work) {
    return ((const Work *)work)->norms;
}

static trRank rank(void *work) {
    const Work *w = work;
    const int   r = w->qr.rank;
    trRank      found = {.rank = r, .dropped = w->m - r, .rows = w->dropped, .gap = INFINITY};
    found.gap_row = r > 0 ? w->qr.pivot[r - 1] : -1;
    found.free_column = w->free_column;
    if (r > 0) {
        found.gap = pow(tr_rrqr_pivot_size(&w->qr, r - 1), 2.0);
    }
    return found;
}

const trFormulationKind tr_formulation_gauss = {
    .name = "gauss",
    .summary = "least correction in the kinetic metric; dense",
    .source = "Udwadia and Kalaba 1992",
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_MASS) | TR_DENSE,
    .error = 1e-12,
    .plan = plan,
    .factor = factor,
    .solve = solve,
    .row_norms = row_norms,
    .rank = rank,
};
