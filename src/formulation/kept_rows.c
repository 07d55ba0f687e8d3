// SPDX-License-Identifier: MIT
#include "formulation/kept_rows.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

void tr_kept_rows_plan(trArena *arena, const trEquations *e, trSolveOnce once, trKeptRows *out) {
    const size_t n = (size_t)e->nv, m = (size_t)e->m;
    *out = (trKeptRows){.once = once, .free_column = -1};
    tr_dense_plan(arena, e, &out->p);
    out->L = tr_new_array(arena, double, n *n);
    out->diagonal = tr_new_array(arena, double, n);
    tr_rrqr_plan(arena, e->nv, e->m, &out->metric);
    out->dropped = tr_new_array(arena, int, m);
    out->length = tr_new_array(arena, double, m);
    out->A = tr_new_array(arena, double, m *n);
    out->M_Gamma = tr_new_array(arena, double, n *n);
    out->inertia = tr_new_array(arena, double, n *n);
    out->right = tr_new_array(arena, double, m);
    out->residual_f = tr_new_array(arena, double, n);
    out->residual_b = tr_new_array(arena, double, m);
    out->da = tr_new_array(arena, double, n);
    out->dlambda = tr_new_array(arena, double, m);
}

// Rows of A with length one, in the order that they have; zeros where they are dropped.
static void scale_rows(trKeptRows *k) {
    const size_t n = (size_t)k->p.n, m = (size_t)k->p.m;
    memcpy(k->A, k->p.A, m * n * sizeof(double));
    for (size_t i = 0; i < m; i++) {
        const size_t row = (size_t)k->metric.pivot[i];
        double       sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            sum += k->A[j * m + row] * k->A[j * m + row];
        }
        const bool kept = i < (size_t)k->metric.rank;
        k->length[row] = kept ? sqrt(sum) : 1.0;
        for (size_t j = 0; j < n; j++) {
            k->A[j * m + row] = kept ? k->A[j * m + row] / k->length[row] : 0.0;
        }
    }
}

trStatus tr_kept_rows_factor(trKeptRows *k, const trEquations *e) {
    k->free_column = -1;
    tr_dense_fill(&k->p, e);
    tr_dense_augment(&k->p, tr_dense_weight(&k->p), NULL, k->L);
    trStatus status = tr_cholesky_factor(k->p.n, k->L, k->diagonal, &k->free_column);
    if (status == TR_OK) {
        k->free_column = tr_dense_free_column(k->p.n, k->L, k->diagonal);
        status = k->free_column < 0 ? TR_OK : TR_SINGULAR;
    }
    if (status == TR_SINGULAR) {
        return tr_dense_no_inertia(k->free_column);
    }
    TR_TRY(status);
    tr_dense_rows(&k->p, e, k->L, k->metric.X);
    TR_TRY(tr_rrqr_factor(&k->metric, e->rank_tolerance));
    for (int i = k->metric.rank; i < k->p.m; i++) {
        k->dropped[i - k->metric.rank] = k->metric.pivot[i];
    }
    scale_rows(k);
    return TR_OK;
}

// The velocity that moves most in the motion x = Gamma z without inertia: l'z = 0 up to `last`,
// where Cholesky's method stopped.
static int moves_most(const trKeptRows *k, const trBasis *basis, int last) {
    const size_t n = (size_t)k->p.n, c = (size_t)basis->columns;
    double      *z = k->residual_f, most = -1.0;
    int          best = 0;
    z[last] = 1.0;
    for (int i = last - 1; i >= 0; i--) {
        double sum = 0.0;
        for (int j = i + 1; j <= last; j++) {
            sum -= k->inertia[(size_t)i * c + (size_t)j] * z[j];
        }
        z[i] = sum / k->inertia[(size_t)i * c + (size_t)i];
    }
    for (size_t i = 0; i < n; i++) {
        double x = 0.0;
        for (int j = 0; j <= last; j++) {
            x += basis->Gamma[(size_t)j * n + i] * z[j];
        }
        if (fabs(x) > most) {
            most = fabs(x);
            best = (int)i;
        }
    }
    return best;
}

trStatus tr_kept_rows_inertia(trKeptRows *k, const trEquations *e, const trBasis *basis) {
    const size_t n = (size_t)k->p.n, c = (size_t)basis->columns;
    for (size_t j = 0; j < c; j++) {
        tr_mass_mul(&e->M, basis->Gamma + j * n, k->M_Gamma + j * n);
    }
    for (size_t j = 0; j < c; j++) {
        for (size_t i = j; i < c; i++) {
            double sum = 0.0;
            for (size_t s = 0; s < n; s++) {
                sum += basis->Gamma[i * n + s] * k->M_Gamma[j * n + s];
            }
            k->inertia[j * c + i] = sum;
        }
    }
    int      last = -1;
    trStatus status = tr_cholesky_factor(basis->columns, k->inertia, k->diagonal, &last);
    if (status == TR_SINGULAR) {
        k->free_column = moves_most(k, basis, last);
        return tr_dense_no_inertia(k->free_column);
    }
    return status;
}

void tr_kept_rows_accelerate(const trKeptRows *k, const trBasis *basis, const double *f,
                             double *z) {
    const size_t n = (size_t)k->p.n;
    for (size_t j = 0; j < (size_t)basis->columns; j++) {
        z[j] = 0.0;
        for (size_t i = 0; i < n; i++) {
            z[j] += basis->Gamma[j * n + i] * f[i];
        }
    }
    tr_cholesky_forward(basis->columns, k->inertia, 1, z);
    tr_cholesky_backward(basis->columns, k->inertia, z);
}

static void scale_right(trKeptRows *k, const double *b) {
    for (int i = 0; i < k->p.m; i++) {
        k->right[i] = b[i] / k->length[i];
    }
}

void tr_kept_rows_solve(trKeptRows *k, void *work, const trEquations *e, const double *F,
                        const double *b, double *a, double *lambda) {
    scale_right(k, b);
    k->once(work, e, F, k->right, a, lambda);

    tr_constraint_force(e, F, a, k->residual_f);
    tr_rows_tmul_sub(&e->A, lambda, k->residual_f);
    tr_rows_mul(&e->A, a, k->residual_b);
    for (int i = 0; i < k->p.m; i++) {
        k->residual_b[i] = b[i] - k->residual_b[i];
    }
    scale_right(k, k->residual_b);
    k->once(work, e, k->residual_f, k->right, k->da, k->dlambda);
    for (int i = 0; i < k->p.n; i++) {
        a[i] += k->da[i];
    }
    for (int i = 0; i < k->p.m; i++) {
        lambda[i] += k->dlambda[i];
    }
}

trRank tr_kept_rows_rank(const trKeptRows *k) {
    const int r = k->metric.rank;
    trRank    found = {.rank = r, .dropped = k->p.m - r, .rows = k->dropped, .gap = INFINITY};
    found.gap_row = -1;
    found.free_column = k->free_column;
    if (r > 0) {
        double pivot = tr_rrqr_pivot_size(&k->metric, r - 1);
        found.gap = pivot * pivot;
        found.gap_row = k->metric.pivot[r - 1];
    }
    return found;
}
