// SPDX-License-Identifier: MIT
// Elimination with diagonal pivoting, for a few hundred unknowns at most.

#include "la/semidefinite.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

void tr_semidefinite_plan(trArena *arena, int n, trSemidefinite *out) {
    size_t square = (size_t)n * (size_t)n;
    *out = (trSemidefinite){.n = n};
    out->S = tr_new_array(arena, double, square);
    out->LU = tr_new_array(arena, double, square);
    out->nominal = tr_new_array(arena, double, n);
    out->scale = tr_new_array(arena, double, n);
    out->pivot = tr_new_array(arena, int, n);
    out->x = tr_new_array(arena, double, n);
    out->r = tr_new_array(arena, double, n);
    for (int i = 0; out->scale != NULL && i < n; i++) {
        out->scale[i] = 1.0;
    }
}

// Rows and columns of places i and j.
static void swap_places(trSemidefinite *s, int i, int j) {
    int n = s->n;
    tr_swap_ints(&s->pivot[i], &s->pivot[j]);
    for (int k = 0; k < n; k++) {
        tr_swap(&s->LU[i * n + k], &s->LU[j * n + k]);
    }
    for (int k = 0; k < n; k++) {
        tr_swap(&s->LU[k * n + i], &s->LU[k * n + j]);
    }
}

// What is left of S_ii against its nominal value.
static double remainder_of(const trSemidefinite *s, int place) {
    double nominal = s->nominal[s->pivot[place]];
    return nominal > 0.0 ? fabs(s->LU[place * s->n + place]) / nominal : 0.0;
}

// The largest one in scale, of those that are not dropped; of those that are nearly as large, the
// first, so that the choice is steady. -1: there is none.
static int best_pivot(const trSemidefinite *s, int k, double least) {
    int    best = -1;
    double most = 0.0;
    for (int i = k; i < s->n; i++) {
        double here = fabs(s->LU[i * s->n + i]) / s->scale[s->pivot[i]];
        if (remainder_of(s, i) > least && here > 1.0001 * most) {
            most = here;
            best = i;
        }
    }
    return best;
}

static void eliminate(trSemidefinite *s, int k) {
    int           n = s->n;
    const double *row = s->LU + k * n;
    for (int i = k + 1; i < n; i++) {
        double *other = s->LU + i * n, factor = other[k] / row[k];
        other[k] = factor;
        for (int j = k + 1; j < n; j++) {
            other[j] -= factor * row[j];
        }
    }
}

void tr_semidefinite_factor(trSemidefinite *s, double tolerance) {
    memcpy(s->LU, s->S, (size_t)s->n * (size_t)s->n * sizeof *s->S);
    for (int i = 0; i < s->n; i++) {
        s->pivot[i] = i;
    }
    s->smallest = 1.0;
    for (s->rank = 0; s->rank < s->n; s->rank++) {
        int best = best_pivot(s, s->rank, tolerance * tolerance);
        if (best < 0) {
            return;
        }
        s->smallest = fmin(s->smallest, remainder_of(s, best));
        swap_places(s, s->rank, best);
        eliminate(s, s->rank);
    }
}

static void add_solution(trSemidefinite *s, const double *right, double *x) {
    for (int k = 0; k < s->rank; k++) {
        s->x[k] = right[s->pivot[k]];
        for (int j = 0; j < k; j++) {
            s->x[k] -= s->LU[k * s->n + j] * s->x[j];
        }
    }
    for (int k = s->rank - 1; k >= 0; k--) {
        for (int j = k + 1; j < s->rank; j++) {
            s->x[k] -= s->LU[k * s->n + j] * s->x[j];
        }
        s->x[k] /= s->LU[k * s->n + k];
    }
    for (int k = 0; k < s->rank; k++) {
        x[s->pivot[k]] += s->x[k];
    }
}

void tr_semidefinite_rest(const trSemidefinite *s, const double *right, const double *x,
                          double *rest) {
    for (int i = 0; i < s->n; i++) {
        rest[i] = right[i];
        for (int j = 0; j < s->n; j++) {
            rest[i] -= s->S[i * s->n + j] * x[j];
        }
    }
}

void tr_semidefinite_solve(trSemidefinite *s, const double *right, double *x) {
    memset(x, 0, (size_t)s->n * sizeof *x);
    add_solution(s, right, x);
    tr_semidefinite_rest(s, right, x, s->r);
    add_solution(s, s->r, x);
}

bool tr_semidefinite_dropped(const trSemidefinite *s, int i) {
    for (int k = 0; k < s->rank; k++) {
        if (s->pivot[k] == i) {
            return false;
        }
    }
    return true;
}
