// SPDX-License-Identifier: MIT
#include "basis/orthogonalize.h"

#include <math.h>
#include <string.h>

#include "basis/parts.h"
#include "la/dense.h"

#define STALE 0.01  // rest of a unit column of a basis that is too small to follow

void tr_orthogonal_plan(trArena *arena, int n, int m, void *work) {
    trOrthogonal *o = work;
    *o = (trOrthogonal){.n = n, .m = m};
    o->V = tr_new_array(arena, double, (size_t)n *(size_t)n);
    o->X = tr_new_array(arena, double, (size_t)n *(size_t)m);
    o->used = tr_new_array(arena, bool, m);
}

static double *column(const trOrthogonal *o, int k) {
    return o->V + (size_t)k * (size_t)o->n;
}

static void remove_all_parts(const trOrthogonal *o, double *x) {
    for (int k = 0; k < o->count; k++) {
        tr_subtract_scaled(o->n, tr_dot(o->n, column(o, k), x), column(o, k), x);
    }
}

// Makes the next column of V of what stands there, if its rest is above `least`.
static bool keep(trOrthogonal *o, double least) {
    double *x = column(o, o->count);
    double  size = tr_length(o->n, x);
    if (!(size > least)) {
        return false;
    }
    for (int i = 0; i < o->n; i++) {
        x[i] /= size;
    }
    o->count++;
    return true;
}

bool tr_orthogonal_add(trOrthogonal *o, const double *x, double least) {
    if (o->count == o->n) {
        return false;
    }
    double *next = column(o, o->count);
    memcpy(next, x, (size_t)o->n * sizeof(double));
    remove_all_parts(o, next);
    remove_all_parts(o, next);
    return keep(o, least);
}

// The row of A with the largest rest, or -1 without any.
static int largest_rest(const trOrthogonal *o) {
    int    best = -1;
    double most = -1.0;
    for (int k = 0; k < o->m; k++) {
        const double *x = o->X + (size_t)k * (size_t)o->n;
        double        size = o->used[k] ? -1.0 : tr_dot(o->n, x, x);
        if (size > most) {
            most = size;
            best = k;
        }
    }
    return best;
}

// The rests lose their parts along each new vector at once; what is chosen loses them once more.
void tr_orthogonal_rows(trOrthogonal *o, const double *A, double threshold) {
    const size_t n = (size_t)o->n;
    tr_transpose(o->m, o->n, A, o->X);
    memset(o->used, 0, (size_t)o->m * sizeof(bool));
    o->count = 0;
    while (o->count < o->n) {
        int row = largest_rest(o);
        if (row < 0) {
            return;
        }
        double *next = column(o, o->count);
        memcpy(next, o->X + (size_t)row * n, n * sizeof(double));
        remove_all_parts(o, next);
        if (!keep(o, threshold)) {
            return;
        }
        o->used[row] = true;
        for (size_t k = 0; k < (size_t)o->m; k++) {
            double *rest = o->X + k * n;
            tr_subtract_scaled(o->n, tr_dot(o->n, next, rest), next, rest);
        }
    }
}

int tr_farthest_axis(int n, int count, const double *V) {
    double most = -1.0;
    int    best = 0;
    for (int i = 0; i < n; i++) {
        double rest = 1.0;  // of the unit vector: 1 - sum of V_ik^2
        for (int k = 0; k < count; k++) {
            const double part = V[(size_t)k * (size_t)n + (size_t)i];
            rest -= part * part;
        }
        if (rest > most) {
            most = rest;
            best = i;
        }
    }
    return best;
}

void tr_orthogonal_complete(trOrthogonal *o) {
    while (o->count < o->n) {
        // The largest of n rests is at least (n - count) / n, and never zero.
        double *next = column(o, o->count);
        memset(next, 0, (size_t)o->n * sizeof(double));
        next[tr_farthest_axis(o->n, o->count, o->V)] = 1.0;
        remove_all_parts(o, next);
        remove_all_parts(o, next);
        if (!keep(o, 0.0)) {
            return;
        }
    }
}

// All columns of `previous`, or none.
static void follow(trOrthogonal *o, const trBasis *previous) {
    const int rank = o->count;
    for (int k = 0; k < previous->columns; k++) {
        if (!tr_orthogonal_add(o, previous->Gamma + (size_t)k * (size_t)o->n, STALE)) {
            o->count = rank;
            return;
        }
    }
}

trStatus tr_orthogonal_make(void *work, const double *A, double threshold, const trBasis *previous,
                            trBasis *out) {
    trOrthogonal *o = work;
    tr_orthogonal_rows(o, A, threshold);
    const int rank = o->count;
    out->columns = o->n - rank;
    if (previous != NULL && previous->columns == out->columns) {
        follow(o, previous);
    }
    tr_orthogonal_complete(o);
    memcpy(out->Gamma, column(o, rank), (size_t)out->columns * (size_t)o->n * sizeof(double));
    return TR_OK;
}
