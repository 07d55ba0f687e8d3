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

#include "formulation/formulation.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/rrqr.h"

#define FREE 1e-11     // a pivot of M_G that rounding left of zero, relative to its diagonal entry
#define NOTHING 1e-20  // and such a diagonal entry, relative to the largest

typedef struct Work {
    int     n, m;
    int     free_column;              // -1: none
    double  weight;                   // a^2
    double *L;                        // n x n
    double *A;                        // m x n, column by column
    double *diagonal;                 // n
    trRrqr  qr;                       // of Y D^-1
    double *scale;                    // m: D
    double *row_norms;                // m: squares of the norms of the columns of Y
    int    *dropped;                  // m
    double *u;                        // n
    double *z;                        // m
    double *residual_f, *residual_b;  // n, m
    double *da, *dlambda;             // n, m
} Work;

static trStatus plan(trArena *arena, const trEquations *e, void **work) {
    Work  *w = tr_new(arena, Work);
    size_t n = (size_t)e->nv, m = (size_t)e->m;
    if (w != NULL) {
        w->n = e->nv;
        w->m = e->m;
        w->L = tr_new_array(arena, double, n *n);
        w->A = tr_new_array(arena, double, m *n);
        w->diagonal = tr_new_array(arena, double, n);
        tr_rrqr_plan(arena, e->nv, e->m, &w->qr);
        w->scale = tr_new_array(arena, double, m);
        w->row_norms = tr_new_array(arena, double, m);
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

// L = M + a^2 A'A, in the lower triangle.
static void form_mass(Work *w, const trEquations *e) {
    const size_t n = (size_t)w->n, m = (size_t)w->m;
    double       trace_m = 0.0, trace_a = 0.0;

    memset(w->L, 0, n * n * sizeof(double));
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            if (e->M.dense != NULL) {
                w->L[j * n + i] = e->M.dense[j * n + i];
            } else if (i == j) {
                w->L[j * n + i] = e->M.diagonal[j];
            }
        }
        trace_m += w->L[j * n + j];
    }
    for (size_t k = 0; k < m * n; k++) {
        trace_a += w->A[k] * w->A[k];
    }
    trace_m = trace_m > 0.0 ? trace_m : 1.0;  // no mass at all: any weight will do
    w->weight = trace_a > 0.0 ? trace_m / trace_a : 0.0;
    for (size_t j = 0; j < n && m > 0; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = 0.0;
            for (size_t k = 0; k < m; k++) {
                sum += w->A[i * m + k] * w->A[j * m + k];
            }
            w->L[j * n + i] += w->weight * sum;
        }
    }
}

// Y = L \ A', its column norms, and its columns divided by their nominal norms.
static void form_rows(Work *w, const trEquations *e) {
    const size_t n = (size_t)w->n, m = (size_t)w->m;
    double      *Y = w->qr.X;
    for (size_t k = 0; k < m; k++) {
        for (size_t i = 0; i < n; i++) {
            Y[k * n + i] = w->A[i * m + k];
        }
    }
    tr_cholesky_forward(w->n, w->L, w->m, Y);
    for (size_t k = 0; k < m; k++) {
        double sum = 0.0, nominal = e->row_scale != NULL ? e->row_scale[k] : 0.0;
        for (size_t i = 0; i < n; i++) {
            sum += Y[k * n + i] * Y[k * n + i];
        }
        w->row_norms[k] = sum;
        if (!(nominal > 0.0)) {
            nominal = sum > 0.0 ? sqrt(sum) : 1.0;
        }
        w->scale[k] = nominal;
        for (size_t i = 0; i < n; i++) {
            Y[k * n + i] /= nominal;
        }
    }
}

// A velocity that mass and rows leave undetermined, but for rounding; limits as in schur_free.c.
static int column_of_nothing(const Work *w) {
    double most = 0.0;
    for (int i = 0; i < w->n; i++) {
        most = fmax(most, w->diagonal[i]);
    }
    for (int i = 0; i < w->n; i++) {
        double pivot = w->L[(size_t)i * (size_t)(w->n + 1)];
        if (!(pivot * pivot > fmax(FREE * w->diagonal[i], NOTHING * most))) {
            return i;
        }
    }
    return -1;
}

static trStatus factor(void *work, const trEquations *e) {
    Work *w = work;
    w->free_column = -1;
    tr_rows_dense(&e->A, w->A);
    form_mass(w, e);
    trStatus status = tr_cholesky_factor(w->n, w->L, w->diagonal, &w->free_column);
    if (status == TR_OK) {
        w->free_column = column_of_nothing(w);
        status = w->free_column < 0 ? TR_OK : TR_SINGULAR;
    }
    if (status == TR_SINGULAR) {
        return tr_fail(TR_SINGULAR,
                       "mass and constraints leave a motion without inertia (velocity %d)",
                       w->free_column);
    }
    TR_TRY(status);
    form_rows(w, e);
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
        w->z[k] = b[qr->pivot[k]] / w->scale[qr->pivot[k]];
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
        lambda[qr->pivot[k]] = w->z[k] / w->scale[qr->pivot[k]];
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
    return ((const Work *)work)->row_norms;
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
    .traits = TR_COPES_REDUNDANT | TR_COPES_SINGULAR_MASS | TR_DENSE,
    .plan = plan,
    .factor = factor,
    .solve = solve,
    .row_norms = row_norms,
    .rank = rank,
};
