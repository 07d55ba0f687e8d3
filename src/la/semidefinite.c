// SPDX-License-Identifier: MIT
// Cholesky's factorization with diagonal pivoting, for a few hundred unknowns at most.

#include "la/semidefinite.h"

#include <math.h>

void tr_semidefinite_plan(trArena *arena, int n, trSemidefinite *out) {
    size_t square = (size_t)n * (size_t)n;
    *out = (trSemidefinite){.n = n};
    out->S = tr_new_array(arena, double, square);
    out->L = tr_new_array(arena, double, square);
    out->nominal = tr_new_array(arena, double, n);
    out->pivot = tr_new_array(arena, int, n);
    out->x = tr_new_array(arena, double, n);
    out->r = tr_new_array(arena, double, n);
}

static void swap_rows(trSemidefinite *s, int i, int j) {
    int unknown = s->pivot[i];
    s->pivot[i] = s->pivot[j];
    s->pivot[j] = unknown;
    for (int k = 0; k < s->n; k++) {
        double value = s->L[i * s->n + k];
        s->L[i * s->n + k] = s->L[j * s->n + k];
        s->L[j * s->n + k] = value;
    }
}

// What is left of S_ii, against its nominal value, after k pivots.
static double remainder_of(const trSemidefinite *s, int place, int k) {
    int    i = s->pivot[place];
    double sum = s->S[i * s->n + i];
    for (int j = 0; j < k; j++) {
        sum -= s->L[place * s->n + j] * s->L[place * s->n + j];
    }
    return s->nominal[i] > 0.0 ? sum / s->nominal[i] : 0.0;
}

// The largest one; of those that are nearly as large, the first, so that the choice is steady.
static int best_pivot(const trSemidefinite *s, int k, double *value) {
    int best = k;
    *value = remainder_of(s, k, k);
    for (int i = k + 1; i < s->n; i++) {
        double other = remainder_of(s, i, k);
        if (other > 1.0001 * *value) {
            *value = other;
            best = i;
        }
    }
    return best;
}

static void eliminate(trSemidefinite *s, int k) {
    double *row = s->L + k * s->n;
    int     unknown = s->pivot[k];
    double  sum = s->S[unknown * s->n + unknown];
    for (int j = 0; j < k; j++) {
        sum -= row[j] * row[j];
    }
    row[k] = sqrt(sum);
    for (int i = k + 1; i < s->n; i++) {
        double *other = s->L + i * s->n;
        double  entry = s->S[s->pivot[i] * s->n + unknown];
        for (int j = 0; j < k; j++) {
            entry -= other[j] * row[j];
        }
        other[k] = entry / row[k];
    }
}

void tr_semidefinite_factor(trSemidefinite *s, double tolerance) {
    for (int i = 0; i < s->n; i++) {
        s->pivot[i] = i;
        for (int j = 0; j < s->n; j++) {
            s->L[i * s->n + j] = 0.0;
        }
    }
    for (s->rank = 0; s->rank < s->n; s->rank++) {
        double value = 0.0;
        int    best = best_pivot(s, s->rank, &value);
        if (!(value > tolerance * tolerance)) {
            return;
        }
        swap_rows(s, s->rank, best);
        eliminate(s, s->rank);
    }
}

static void solve_once(trSemidefinite *s, const double *right) {
    for (int k = 0; k < s->rank; k++) {
        double sum = right[s->pivot[k]];
        for (int j = 0; j < k; j++) {
            sum -= s->L[k * s->n + j] * s->x[j];
        }
        s->x[k] = sum / s->L[k * s->n + k];
    }
    for (int k = s->rank - 1; k >= 0; k--) {
        for (int j = k + 1; j < s->rank; j++) {
            s->x[k] -= s->L[j * s->n + k] * s->x[j];
        }
        s->x[k] /= s->L[k * s->n + k];
    }
}

static void add_solution(const trSemidefinite *s, double *x) {
    for (int k = 0; k < s->rank; k++) {
        x[s->pivot[k]] += s->x[k];
    }
}

void tr_semidefinite_solve(trSemidefinite *s, const double *right, double *x) {
    for (int i = 0; i < s->n; i++) {
        x[i] = 0.0;
    }
    solve_once(s, right);
    add_solution(s, x);
    for (int i = 0; i < s->n; i++) {
        s->r[i] = right[i];
        for (int j = 0; j < s->n; j++) {
            s->r[i] -= s->S[i * s->n + j] * x[j];
        }
    }
    solve_once(s, s->r);
    add_solution(s, x);
}

bool tr_semidefinite_dropped(const trSemidefinite *s, int i) {
    for (int k = 0; k < s->rank; k++) {
        if (s->pivot[k] == i) {
            return false;
        }
    }
    return true;
}
