// SPDX-License-Identifier: MIT
#include "basis/complement.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "la/dense.h"

void tr_complement_plan(trArena *arena, int n, int m, trComplement *out) {
    *out = (trComplement){.n = n, .m = m};
    tr_rrqr_plan(arena, n, m, &out->rows);
    out->dropped = tr_new_array(arena, int, m);
    out->K = tr_new_array(arena, double, (size_t)n *(size_t)n);
    out->pivot = tr_new_array(arena, int, n);
    out->memory = tr_new_array(arena, double, 4 * (size_t)n);
    out->counters = tr_new_array(arena, int, n);
    tr_keep_int(arena, &out->rank, 0, m < n ? m : n);
    tr_keep_ints(arena, out->dropped, (size_t)m, 0, m - 1);
    tr_keep_pivots(arena, out->pivot, n);
    tr_keep_double(arena, &out->condition);
}

trStatus tr_complement_rows(trComplement *c, const double *A, double tolerance) {
    tr_transpose(c->m, c->n, A, c->rows.X);
    TR_TRY(tr_rrqr_factor(&c->rows, tolerance));
    c->rank = c->rows.rank;
    tr_rrqr_list_dropped(&c->rows, c->dropped);
    return TR_OK;
}

// Fills K and returns its 1-norm.
static double fill(trComplement *c, const double *A, const double *B) {
    const size_t n = (size_t)c->n, m = (size_t)c->m, rank = (size_t)c->rank;
    double       norm = 0.0;
    for (size_t j = 0; j < n; j++) {
        double *column = c->K + j * n, sum = 0.0;
        for (size_t k = 0; k < n; k++) {
            column[k] =
                k < rank ? A[j * m + (size_t)c->rows.pivot[k]] : B[j * (n - rank) + k - rank];
            sum += fabs(column[k]);
        }
        norm = fmax(norm, sum);
    }
    return norm;
}

trStatus tr_complement_factor(trComplement *c, const double *A, const double *B, int B_rows) {
    const int n = c->n;
    c->condition = 1.0;
    if (B_rows != n - c->rank) {
        return tr_fail(TR_E_ARGUMENT, "%d complement rows where %d are needed", B_rows,
                       n - c->rank);
    }
    if (n == 0) {
        return TR_OK;
    }
    double norm = fill(c, A, B), reciprocal = 0.0;
    int    info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, c->K, n, c->pivot);
    if (info == 0) {
        LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', n, c->K, n, norm, &reciprocal, c->memory,
                            c->counters);
    }
    c->condition = reciprocal > 0.0 ? 1.0 / reciprocal : INFINITY;
    if (!(reciprocal > n * DBL_EPSILON)) {
        return tr_fail(TR_SINGULAR, "constraints and the velocities chosen as independent do not "
                                    "determine the motion");
    }
    return TR_OK;
}

void tr_complement_solve(trComplement *c, const double *right, const double *y, double *x) {
    for (int k = 0; k < c->n; k++) {
        double rest = y != NULL && k >= c->rank ? y[k - c->rank] : 0.0;
        x[k] = k < c->rank ? right[c->rows.pivot[k]] : rest;
    }
    if (c->n > 0) {
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', c->n, 1, c->K, c->n, c->pivot, x, c->n);
    }
}

void tr_complement_transposed(trComplement *c, const double *f, double *lambda, double *e) {
    double *x = c->memory;
    memcpy(x, f, (size_t)c->n * sizeof(double));
    if (c->n > 0) {
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', c->n, 1, c->K, c->n, c->pivot, x, c->n);
    }
    memset(lambda, 0, (size_t)c->m * sizeof(double));
    for (int k = 0; k < c->rank; k++) {
        lambda[c->rows.pivot[k]] = x[k];
    }
    for (int k = c->rank; e != NULL && k < c->n; k++) {
        e[k - c->rank] = x[k];
    }
}
