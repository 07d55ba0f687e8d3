// SPDX-License-Identifier: MIT
#include "la/rrqr.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "la/dense.h"

_Static_assert(sizeof(lapack_int) == sizeof(int), "LAPACK must count in int");

static int smaller(int a, int b) {
    return a < b ? a : b;
}

// The largest workspace that LAPACK asks for, for the factorization and for one vector.
static int workspace_needed(const trRrqr *qr) {
    double answer = 0.0, most = 1.0;
    int    pivot = 0, ld = qr->rows > 0 ? qr->rows : 1;
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, qr->rows, qr->columns, qr->X, ld, &pivot, qr->tau,
                        &answer, -1);
    most = fmax(most, answer);
    LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', qr->rows, 1, smaller(qr->rows, qr->columns),
                        qr->X, ld, qr->tau, qr->X, ld, &answer, -1);
    return (int)fmax(most, answer);
}

void tr_rrqr_plan(trArena *arena, int rows, int columns, trRrqr *out) {
    trRrqr qr = {.rows = rows, .columns = columns};
    qr.X = tr_new_array(arena, double, (size_t)rows *(size_t)columns);
    qr.pivot = tr_new_array(arena, int, columns);
    qr.tau = tr_new_array(arena, double, smaller(rows, columns));
    if (tr_arena_status(arena) == TR_OK) {
        qr.workspace_size = workspace_needed(&qr);
        qr.workspace = tr_new_array(arena, double, qr.workspace_size);
    }
    *out = qr;
    tr_keep_int(arena, &out->rank, 0, smaller(rows, columns));
    tr_keep_int(arena, &out->smallest_column, -1, columns - 1);
    tr_keep_double(arena, &out->smallest);
    if (columns > 0) {
        tr_keep_ints(arena, out->pivot, (size_t)columns, 0, columns - 1);
    }
}

trStatus tr_rrqr_factor(trRrqr *qr, double tolerance) {
    int count = smaller(qr->rows, qr->columns);
    qr->rank = 0;
    qr->smallest = INFINITY;
    qr->smallest_column = -1;
    if (count == 0) {
        for (int j = 0; j < qr->columns; j++) {
            qr->pivot[j] = j;
        }
        return TR_OK;
    }
    for (int j = 0; j < qr->columns; j++) {
        qr->pivot[j] = 0;  // LAPACK: this column is free to move.
    }
    int info = LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, qr->rows, qr->columns, qr->X, qr->rows,
                                   qr->pivot, qr->tau, qr->workspace, qr->workspace_size);
    if (info != 0) {
        return tr_fail(TR_E_EXTERNAL, "LAPACK dgeqp3 refused argument %d", -info);
    }
    for (int j = 0; j < qr->columns; j++) {
        qr->pivot[j] -= 1;  // LAPACK counts from 1.
    }
    while (qr->rank < count && tr_rrqr_pivot_size(qr, qr->rank) > tolerance) {
        qr->rank++;
    }
    qr->smallest = qr->rank > 0 ? tr_rrqr_pivot_size(qr, qr->rank - 1) : INFINITY;
    qr->smallest_column = qr->rank > 0 ? qr->pivot[qr->rank - 1] : -1;
    return TR_OK;
}

// Takes the parts along the `count` orthonormal columns of Q out of x, twice for rounding, and
// returns the length of what is left.
static double orthogonalize(int n, const double *Q, int count, double *x) {
    for (int k = 0; k < 2 * count; k++) {
        const double *q = Q + (size_t)(k % count) * (size_t)n;
        tr_subtract_scaled(n, tr_dot(n, q, x), q, x);
    }
    return tr_length(n, x);
}

// Columns that depend on those before them become zero, where those in `last` come after all
// others. Returns how many do not; Q is memory.
static int keep_first(int n, int columns, double tolerance, const bool *last, double *X,
                      double *Q) {
    int kept = 0;
    for (int k = 0; k < 2 * columns; k++) {
        int j = k % columns;
        if ((last != NULL && last[j]) != (k >= columns)) {
            continue;
        }
        double *x = X + (size_t)j * (size_t)n, *q = Q + (size_t)kept * (size_t)n;
        memcpy(q, x, (size_t)n * sizeof *q);
        double left = orthogonalize(n, Q, kept, q);
        if (!(left > tolerance)) {
            memset(x, 0, (size_t)n * sizeof *x);
            continue;
        }
        for (int i = 0; i < n; i++) {
            q[i] /= left;
        }
        kept++;
    }
    return kept;
}

trStatus tr_rrqr_factor_first(trRrqr *qr, double tolerance, const bool *last, double *memory) {
    const size_t size = (size_t)qr->rows * (size_t)qr->columns;
    memcpy(memory, qr->X, size * sizeof *memory);
    TR_TRY(tr_rrqr_factor(qr, tolerance));
    if (qr->rank == qr->columns ||
        keep_first(qr->rows, qr->columns, tolerance, last, memory, memory + size) != qr->rank) {
        return TR_OK;
    }
    const double smallest = qr->smallest;
    const int    smallest_column = qr->smallest_column;
    memcpy(qr->X, memory, size * sizeof *memory);
    trStatus status = tr_rrqr_factor(qr, 0.0);
    qr->smallest = smallest;
    qr->smallest_column = smallest_column;
    return status;
}

double tr_rrqr_pivot_size(const trRrqr *qr, int k) {
    return fabs(qr->X[(size_t)k * (size_t)qr->rows + (size_t)k]);
}

void tr_rrqr_list_dropped(const trRrqr *qr, int *dropped) {
    for (int k = qr->rank; k < qr->columns; k++) {
        dropped[k - qr->rank] = qr->pivot[k];
    }
}

void tr_rrqr_spread(const trRrqr *qr, const double *y, const double *scale, double *x) {
    memset(x, 0, (size_t)qr->columns * sizeof *x);
    for (int k = 0; k < qr->rank; k++) {
        x[qr->pivot[k]] = y[k] / scale[qr->pivot[k]];
    }
}

static void mul(trRrqr *qr, char transpose, double *x) {
    int count = smaller(qr->rows, qr->columns);
    if (count > 0) {
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', transpose, qr->rows, 1, count, qr->X, qr->rows,
                            qr->tau, x, qr->rows, qr->workspace, qr->workspace_size);
    }
}

void tr_rrqr_mul_qt(trRrqr *qr, double *x) {
    mul(qr, 'T', x);
}

void tr_rrqr_mul_q(trRrqr *qr, double *x) {
    mul(qr, 'N', x);
}

static void solve(const trRrqr *qr, char transpose, double *x) {
    if (qr->rank > 0) {
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', transpose, 'N', qr->rank, 1, qr->X, qr->rows, x,
                            qr->rank);
    }
}

void tr_rrqr_solve_r(const trRrqr *qr, double *x) {
    solve(qr, 'N', x);
}

void tr_rrqr_solve_rt(const trRrqr *qr, double *x) {
    solve(qr, 'T', x);
}
