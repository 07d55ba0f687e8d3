// SPDX-License-Identifier: MIT
#include "la/dense.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>

trStatus tr_cholesky_factor(int n, double *M, double *diagonal, int *column) {
    for (int i = 0; i < n; i++) {
        diagonal[i] = M[(size_t)i * (size_t)n + (size_t)i];
    }
    int info = n > 0 ? LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, M, n) : 0;
    if (info < 0) {
        return tr_fail(TR_E_EXTERNAL, "LAPACK dpotrf refused argument %d", -info);
    }
    // What rounding leaves of a pivot that is zero is at most about n eps of its diagonal.
    for (int i = 0; i < (info > 0 ? info - 1 : n); i++) {
        double pivot = M[(size_t)i * (size_t)n + (size_t)i];
        if (!(pivot * pivot > 8.0 * n * DBL_EPSILON * diagonal[i])) {
            info = i + 1;
            break;
        }
    }
    if (info > 0) {
        if (column != NULL) {
            *column = info - 1;
        }
        return tr_fail(TR_SINGULAR, "matrix is not positive definite (column %d)", info - 1);
    }
    return TR_OK;
}

void tr_cholesky_forward(int n, const double *L, int count, double *X) {
    if (n > 0 && count > 0) {
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, count, L, n, X, n);
    }
}

void tr_cholesky_backward(int n, const double *L, double *x) {
    if (n > 0) {
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', n, 1, L, n, x, n);
    }
}

void tr_transpose(int m, int n, const double *A, double *At) {
    for (size_t i = 0; i < (size_t)n; i++) {
        for (size_t k = 0; k < (size_t)m; k++) {
            At[k * (size_t)n + i] = A[i * (size_t)m + k];
        }
    }
}

void tr_fill(int n, double value, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = value;
    }
}

void tr_add(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] += x[i];
    }
}

void tr_subtract_from(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = x[i] - y[i];
    }
}

void tr_divide(int n, const double *x, const double *by, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = x[i] / by[i];
    }
}

double tr_dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

double tr_length(int n, const double *x) {
    return sqrt(tr_dot(n, x, x));
}

void tr_subtract_scaled(int n, double factor, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] -= factor * x[i];
    }
}

void tr_add_columns(int n, int count, const double *X, const double *y, double *x) {
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < n; i++) {
            x[i] += X[(size_t)k * (size_t)n + (size_t)i] * y[k];
        }
    }
}

void tr_subtract_columns(int n, int count, const double *X, const double *y, double *x) {
    for (int k = 0; k < count; k++) {
        tr_subtract_scaled(n, y[k], X + (size_t)k * (size_t)n, x);
    }
}

void tr_dot_columns(int n, int count, const double *X, const double *x, double *y) {
    for (int k = 0; k < count; k++) {
        y[k] = tr_dot(n, X + (size_t)k * (size_t)n, x);
    }
}

void tr_inner(int n, int rows, int columns, const double *X, const double *Y, double *Z) {
    for (int j = 0; j < columns; j++) {
        tr_dot_columns(n, rows, X, Y + (size_t)j * (size_t)n, Z + (size_t)j * (size_t)rows);
    }
}

void tr_gram(int n, int count, const double *X, const double *Y, double *Z) {
    for (size_t j = 0; j < (size_t)count; j++) {
        tr_dot_columns(n, count - (int)j, X + j * (size_t)n, Y + j * (size_t)n,
                       Z + j * (size_t)(count + 1));
    }
}
