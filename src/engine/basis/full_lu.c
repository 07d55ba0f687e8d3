// SPDX-License-Identifier: MIT
#include "basis/full_lu.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

void tr_full_lu_plan(trArena *arena, int n, int m, trFullLu *out) {
    *out = (trFullLu){.m = m, .n = n};
    out->U = tr_new_array(arena, double, (size_t)m *(size_t)n);
    out->row = tr_new_array(arena, int, m);
    out->column = tr_new_array(arena, int, n);
}

static double *at(const trFullLu *lu, int i, int j) {
    return lu->U + (size_t)j * (size_t)lu->m + (size_t)i;
}

// Brings the largest entry of what is left to place (k, k) and returns its size.
static double bring_pivot(trFullLu *lu, int k) {
    int    row = k, column = k;
    double most = -1.0;
    for (int j = k; j < lu->n; j++) {
        for (int i = k; i < lu->m; i++) {
            if (fabs(*at(lu, i, j)) > most) {
                most = fabs(*at(lu, i, j));
                row = i;
                column = j;
            }
        }
    }
    for (int j = 0; j < lu->n; j++) {
        tr_swap(at(lu, k, j), at(lu, row, j));
    }
    for (int i = 0; i < lu->m; i++) {
        tr_swap(at(lu, i, k), at(lu, i, column));
    }
    tr_swap_ints(&lu->row[k], &lu->row[row]);
    tr_swap_ints(&lu->column[k], &lu->column[column]);
    return most;
}

void tr_full_lu_factor(trFullLu *lu, const double *A, double threshold) {
    memcpy(lu->U, A, (size_t)lu->m * (size_t)lu->n * sizeof(double));
    for (int i = 0; i < lu->m; i++) {
        lu->row[i] = i;
    }
    for (int j = 0; j < lu->n; j++) {
        lu->column[j] = j;
    }
    int k = 0;
    while (k < lu->m && k < lu->n && bring_pivot(lu, k) > threshold) {
        for (int i = k + 1; i < lu->m; i++) {
            *at(lu, i, k) /= *at(lu, k, k);
        }
        for (int j = k + 1; j < lu->n; j++) {
            for (int i = k + 1; i < lu->m; i++) {
                *at(lu, i, j) -= *at(lu, i, k) * *at(lu, k, j);
            }
        }
        k++;
    }
    lu->rank = k;
}

void tr_full_lu_null_space(const trFullLu *lu, double *Gamma) {
    const int r = lu->rank;
    memset(Gamma, 0, (size_t)lu->n * (size_t)(lu->n - r) * sizeof(double));
    for (int j = r; j < lu->n; j++) {
        double *x = Gamma + (size_t)(j - r) * (size_t)lu->n;
        x[lu->column[j]] = 1.0;
        for (int i = r - 1; i >= 0; i--) {
            double sum = -*at(lu, i, j);
            for (int k = i + 1; k < r; k++) {
                sum -= *at(lu, i, k) * x[lu->column[k]];
            }
            x[lu->column[i]] = sum / *at(lu, i, i);
        }
    }
}
