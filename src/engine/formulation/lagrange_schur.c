// SPDX-License-Identifier: MIT
// Lagrange multipliers, index 1, accelerations eliminated:
//
//     M = L L'        Y = (L \ A') D^-1        S = Y'Y = D^-1 A M^-1 A' D^-1
//     S D lambda = Y' (L \ F) - D^-1 b         a = L' \ (L \ F - Y D lambda)
//
// Both factorizations are Cholesky's; that of S has pivots, which are those of a QR factorization
// of Y squared: at most rank_tolerance^2 means dependent rows, which it cannot take. One step of
// refinement makes up for the squared condition.

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "formulation/dense_parts.h"
#include "la/dense.h"

typedef struct Work {
    trMetric metric;  // M
    int      rank;
    double  *S;        // m x m; below its diagonal the factor of P' S P
    int     *pivot;    // m
    int     *dropped;  // m
    double  *memory;   // 2 m
    double  *x;        // m
} Work;

static trStatus factor(void *work, const trEquations *e) {
    Work *w = work;
    w->rank = 0;
    TR_TRY(tr_metric_of_mass(&w->metric, e, "lagrange_schur"));
    tr_gram(w->metric.n, w->metric.m, w->metric.Y, w->metric.Y, w->S);
    double tolerance = e->rank_tolerance * e->rank_tolerance;
    int    info = w->metric.m == 0
                      ? 0
                      : LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', w->metric.m, w->S, w->metric.m,
                                            w->pivot, &w->rank, tolerance, w->memory);
    if (info < 0) {
        return tr_fail(TR_E_EXTERNAL, "LAPACK dpstrf refused argument %d", -info);
    }
    for (int k = 0; k < w->metric.m; k++) {
        w->pivot[k] -= 1;  // LAPACK counts from 1.
    }
    // LAPACK does not test the first pivot against the tolerance.
    w->rank = w->metric.m > 0 && !(w->S[0] * w->S[0] > tolerance) ? 0 : w->rank;
    for (int k = w->rank; k < w->metric.m; k++) {
        w->dropped[k - w->rank] = w->pivot[k];
    }
    return w->rank == w->metric.m ? TR_OK : tr_dense_dependent("lagrange_schur", w->dropped[0]);
}

// x = S \ x
static void solve_schur(Work *w, double *x) {
    for (int k = 0; k < w->metric.m; k++) {
        w->memory[k] = x[w->pivot[k]];
    }
    tr_cholesky_forward(w->metric.m, w->S, 1, w->memory);
    tr_cholesky_backward(w->metric.m, w->S, w->memory);
    for (int k = 0; k < w->metric.m; k++) {
        x[w->pivot[k]] = w->memory[k];
    }
}

static void once(void *work, const trEquations *e, const double *F, const double *b, double *a,
                 double *lambda) {
    Work         *w = work;
    const double *Y = w->metric.Y, *scale = w->metric.scale;
    const int     n = w->metric.n;
    memcpy(a, F, (size_t)n * sizeof(double));
    tr_cholesky_forward(n, w->metric.L, 1, a);
    for (int k = 0; k < w->metric.m; k++) {
        w->x[k] = -b[k] / scale[k];
        for (int i = 0; i < n; i++) {
            w->x[k] += Y[(size_t)k * (size_t)n + (size_t)i] * a[i];
        }
    }
    solve_schur(w, w->x);
    tr_subtract_columns(n, w->metric.m, Y, w->x, a);
    tr_divide(w->metric.m, w->x, scale, lambda);
    tr_cholesky_backward(n, w->metric.L, a);
}

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    TR_TRY(tr_metric_begin(arena, e, sizeof(Work), work));
    Work  *w = *work;
    size_t m = (size_t)e->m;
    w->S = tr_new_array(arena, double, m *m);
    w->pivot = tr_new_array(arena, int, m);
    w->dropped = tr_new_array(arena, int, m);
    tr_keep_int(arena, &w->rank, 0, e->m);
    tr_keep_ints(arena, w->pivot, m, 0, e->m - 1);
    tr_keep_ints(arena, w->dropped, m, 0, e->m - 1);
    w->memory = tr_new_array(arena, double, 2 * m);
    w->x = tr_new_array(arena, double, m);
    return tr_metric_refines(arena, e, once, w);
}

static trRank rank(void *work) {
    const Work *w = work;
    const int   last = w->rank - 1;
    return tr_metric_found(&w->metric, w->rank, w->dropped,
                           last >= 0 ? w->S[(size_t)last * (size_t)(w->metric.m + 1)] : INFINITY,
                           last >= 0 ? w->pivot[last] : -1);
}

const trFormulationKind tr_formulation_lagrange_schur = {
    .name = "lagrange_schur",
    .summary = "A M^-1 A' by Cholesky; M positive definite, independent rows; dense",
    .source = "Laulusa & Bauchau 2008, eq. (13); Marques, Souto & Flores 2017, eqs. (8) to (11)",
    .traits = TR_COPES_NONHOLONOMIC | TR_COPES_NONIDEAL | TR_DENSE,
    .error = 1e-12,
    .plan = plan,
    .factor = factor,
    .solve = tr_metric_solve,
    .row_norms = tr_metric_norms,
    .rank = rank,
};
