// SPDX-License-Identifier: MIT
#include "integrator/accelerate.h"

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "base/vector.h"

#define DEPENDENT 1e-3  // of a change, what must be new in it

trStatus tr_accelerator_plan(trArena *arena, int n, int depth, trAccelerator *out) {
    *out = (trAccelerator){.n = n, .depth = depth};
    out->weight = tr_new_array(arena, double, n);
    out->last_given = tr_new_array(arena, double, n);
    out->last_taken = tr_new_array(arena, double, n);
    out->rest = tr_new_array(arena, double, n);
    for (int i = 0; i < depth; i++) {
        out->step[i] = tr_new_array(arena, double, n);
        out->change[i] = tr_new_array(arena, double, n);
        out->basis[i] = tr_new_array(arena, double, n);
    }
    tr_keep_int(arena, &out->count, 0, depth);
    tr_keep_int(arena, &out->next, 0, depth - 1);
    tr_keep_bool(arena, &out->has_last);
    return tr_arena_status(arena);
}

void tr_accelerator_forget(trAccelerator *a) {
    a->count = a->next = 0;
    a->has_last = false;
}

void tr_accelerator_begin(trAccelerator *a) {
    a->has_last = false;
}

// The last step and what it did to f.
static void note(trAccelerator *a, const double *f) {
    double *change = a->change[a->next];
    for (int k = 0; k < a->n; k++) {
        change[k] = f[k] - a->last_given[k];
    }
    memcpy(a->step[a->next], a->last_taken, (size_t)a->n * sizeof *f);
    a->next = (a->next + 1) % a->depth;
    a->count = a->count < a->depth ? a->count + 1 : a->depth;
}

// Orthonormal basis of the changes, the newest first; c in terms of the changes by back
// substitution. Changes that hold nothing new are passed over.
static int coefficients(trAccelerator *a, const double *f, int pair[], double c[]) {
    double R[TR_ACCELERATE_DEPTH][TR_ACCELERATE_DEPTH] = {{0.0}};
    int    rank = 0;
    for (int k = 0; k < a->n; k++) {
        a->rest[k] = a->weight[k] * f[k];
    }
    for (int i = 0; i < a->count; i++) {
        int     p = (a->next - 1 - i + 2 * a->depth) % a->depth;
        double *u = a->basis[rank];
        for (int k = 0; k < a->n; k++) {
            u[k] = a->weight[k] * a->change[p][k];
        }
        double size = sqrt(tr_dot(a->n, u, u));
        for (int j = 0; j < rank; j++) {
            R[j][rank] = tr_dot(a->n, a->basis[j], u);
            tr_add_scaled(a->n, -R[j][rank], a->basis[j], u);
        }
        double left = sqrt(tr_dot(a->n, u, u));
        if (!(left > DEPENDENT * size)) {
            continue;
        }
        for (int k = 0; k < a->n; k++) {
            u[k] /= left;
        }
        R[rank][rank] = left;
        pair[rank] = p;
        c[rank++] = tr_dot(a->n, u, a->rest);
    }
    for (int i = rank - 1; i >= 0; i--) {
        for (int j = i + 1; j < rank; j++) {
            c[i] -= R[i][j] * c[j];
        }
        c[i] /= R[i][i];
    }
    return rank;
}

static double size(const trAccelerator *a, const double *f) {
    double sum = 0.0;
    for (int k = 0; k < a->n; k++) {
        sum += a->weight[k] * a->weight[k] * f[k] * f[k];
    }
    return sqrt(sum);
}

double tr_accelerate(trAccelerator *a, double *f) {
    int    pair[TR_ACCELERATE_DEPTH];
    double c[TR_ACCELERATE_DEPTH];
    if (a->has_last) {
        note(a, f);
    }
    memcpy(a->last_given, f, (size_t)a->n * sizeof *f);
    a->has_last = true;
    int rank = coefficients(a, f, pair, c);
    for (int i = 0; i < rank; i++) {
        const double *s = a->step[pair[i]], *g = a->change[pair[i]];
        for (int k = 0; k < a->n; k++) {
            f[k] -= c[i] * (s[k] + g[k]);
        }
    }
    memcpy(a->last_taken, f, (size_t)a->n * sizeof *f);
    double given = size(a, a->last_given), taken = size(a, f);
    return given > taken && taken > 0.0 ? given / taken : 1.0;
}
