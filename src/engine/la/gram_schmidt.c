// SPDX-License-Identifier: MIT
#include "la/gram_schmidt.h"

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "la/dense.h"

void tr_gram_schmidt_plan(trArena *arena, int rows, int columns, trGramSchmidt *out) {
    size_t n = (size_t)rows, m = (size_t)columns;
    *out = (trGramSchmidt){.rows = rows, .columns = columns};
    out->X = tr_new_array(arena, double, n *m);
    out->R = tr_new_array(arena, double, m *m);
    out->pivot = tr_new_array(arena, int, m);
    tr_keep_int(arena, &out->rank, 0, rows < columns ? rows : columns);
    tr_keep_ints(arena, out->pivot, m, 0, columns - 1);
}

static double *column_of(const trGramSchmidt *g, int k) {
    return g->X + (size_t)k * (size_t)g->rows;
}

static double *entry(const trGramSchmidt *g, int k, int j) {
    return g->R + (size_t)j * (size_t)g->columns + (size_t)k;
}

static void swap(trGramSchmidt *g, int j, int k) {
    for (int i = 0; i < g->rows; i++) {
        tr_swap(column_of(g, j) + i, column_of(g, k) + i);
    }
    for (int i = 0; i < k; i++) {  // parts along columns that are done
        tr_swap(entry(g, i, j), entry(g, i, k));
    }
    tr_swap_ints(&g->pivot[j], &g->pivot[k]);
}

// The longest of the columns that are left.
static int longest(const trGramSchmidt *g, int k) {
    int    best = k;
    double most = -1.0;
    for (int j = k; j < g->columns; j++) {
        const double *x = column_of(g, j);
        double        length = tr_dot(g->rows, x, x);
        if (length > most) {
            best = j;
            most = length;
        }
    }
    return best;
}

void tr_gram_schmidt_factor(trGramSchmidt *g, double tolerance) {
    const int n = g->rows, m = g->columns;
    memset(g->R, 0, (size_t)m * (size_t)m * sizeof(double));
    for (int j = 0; j < m; j++) {
        g->pivot[j] = j;
    }
    for (g->rank = 0; g->rank < (n < m ? n : m); g->rank++) {
        const int k = g->rank;
        swap(g, longest(g, k), k);
        double *x = column_of(g, k);
        // What rounding left along the earlier columns is large against a short one.
        for (int i = 0; i < k; i++) {
            double part = tr_dot(n, column_of(g, i), x);
            tr_subtract_scaled(n, part, column_of(g, i), x);
            *entry(g, i, k) += part;
        }
        double length = tr_length(n, x);
        if (!(length > tolerance)) {
            return;
        }
        *entry(g, k, k) = length;
        for (int i = 0; i < n; i++) {
            x[i] /= length;
        }
        for (int j = k + 1; j < m; j++) {
            double part = tr_dot(n, x, column_of(g, j));
            tr_subtract_scaled(n, part, x, column_of(g, j));
            *entry(g, k, j) = part;
        }
    }
}

void tr_gram_schmidt_solve_r(const trGramSchmidt *g, double *y) {
    for (int k = g->rank - 1; k >= 0; k--) {
        for (int j = k + 1; j < g->rank; j++) {
            y[k] -= *entry(g, k, j) * y[j];
        }
        y[k] /= *entry(g, k, k);
    }
}

void tr_gram_schmidt_solve_rt(const trGramSchmidt *g, double *y) {
    for (int k = 0; k < g->rank; k++) {
        for (int j = 0; j < k; j++) {
            y[k] -= *entry(g, j, k) * y[j];
        }
        y[k] /= *entry(g, k, k);
    }
}
