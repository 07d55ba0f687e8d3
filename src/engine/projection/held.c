// SPDX-License-Identifier: MIT
// Steps with rows B held; what basis, frozen and partition share.

#include "projection/held.h"

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "formulation/row_weights.h"
#include "la/dense.h"
#include "projection/coordinates.h"

static void plan_set(trArena *arena, const trEquations *e, trHeldSet *set) {
    set->lost_row = -1;
    tr_basis_plan(arena, e->nv, &set->held);
    tr_basis_plan(arena, e->nv, &set->found);
    set->coordinate = tr_new_array(arena, int, e->nv);
    tr_keep_bool(arena, &set->chosen);
    tr_keep_int(arena, &set->held.columns, 0, e->nv);
    tr_keep_int(arena, &set->lost_row, -1, e->m - 1);
    tr_keep_ints(arena, set->coordinate, (size_t)e->nv, 0, e->nv - 1);
}

trStatus tr_held_plan(trArena *arena, const trEquations *e, const trPickKind *kind,
                      const void *options, trHeld **held) {
    const size_t       n = (size_t)e->nv, m = (size_t)e->m;
    const trBasisKind *basis = kind->basis != NULL ? kind->basis : tr_basis_chosen(options);
    trHeld            *out = *held = tr_new(arena, trHeld);
    TR_TRY(tr_arena_status(arena));
    *out = (trHeld){.n = e->nv,
                    .m = e->m,
                    .kind = kind,
                    .lost_row = -1,
                    .sets = tr_has_velocity_rows(e) ? 2 : 1};
    out->extracts = basis->extracts;
    out->by_mass = basis->extracts || kind->by_mass;
    // Coordinates are chosen by free motions, of which any orthonormal basis has all.
    TR_TRY(tr_basis_begin(arena, basis->extracts ? tr_basis_chosen(NULL) : basis, e->nv, e->m,
                          &out->maker));
    out->mass = tr_new_array(arena, double, n);
    out->root = tr_new_array(arena, double, n);
    out->A = tr_new_array(arena, double, m *n);
    out->independent = tr_new_array(arena, double, m *n);
    out->norm = tr_new_array(arena, double, m);
    out->right = tr_new_array(arena, double, m);
    out->best = tr_new_array(arena, int, n);
    out->B = tr_new_array(arena, double, n *n);
    out->C = tr_new_array(arena, double, n *n);
    out->square = tr_new_array(arena, double, n *n);
    out->memory = tr_new_array(arena, double, 5 * n);
    tr_complement_plan(arena, e->nv, e->m, &out->c);
    for (int i = 0; i < out->sets; i++) {
        out->set[i].holonomic_only = i == 1;
        plan_set(arena, e, &out->set[i]);
    }
    tr_keep_int(arena, &out->lost_row, -1, e->m - 1);
    tr_keep_count(arena, &out->renewals);
    return tr_arena_status(arena);
}

// A T^-1
static void fill_rows(trHeld *h, const trEquations *e) {
    const size_t m = (size_t)h->m;
    tr_row_weights(e, h->mass, h->right);
    tr_rows_dense(&e->A, h->A);
    for (size_t j = 0; j < (size_t)h->n; j++) {
        bool angle = e->measure != NULL && e->measure[j] == TR_MEASURE_ANGLE;
        h->root[j] = sqrt(h->mass[j] * (angle ? h->kind->angle : 1.0));
        for (size_t i = 0; i < m; i++) {
            h->A[j * m + i] /= h->root[j];
        }
    }
}

// Of row i of X, rows x n.
static double row_norm(int n, int rows, const double *X, int i) {
    double sum = 0.0;
    for (size_t j = 0; j < (size_t)n; j++) {
        double entry = X[j * (size_t)rows + (size_t)i];
        sum += entry * entry;
    }
    return sqrt(sum);
}

// Nominal norms grow to those of `e`: at accepted states.
static void note_norms(trHeld *h, const trEquations *e) {
    fill_rows(h, e);
    for (int i = 0; i < h->m; i++) {
        h->norm[i] = fmax(h->norm[i], row_norm(h->n, h->m, h->A, i));
    }
}

static void divide_row(int n, int rows, double *X, int i, double by) {
    for (size_t j = 0; j < (size_t)n; j++) {
        X[j * (size_t)rows + (size_t)i] /= by > 0.0 ? by : 1.0;
    }
}

// Fills h->A for this set of rows and finds their rank.
static trStatus take_rows(trHeld *h, const trHeldSet *set, const trEquations *e) {
    fill_rows(h, e);
    for (int i = 0; i < h->m; i++) {
        bool taken = !set->holonomic_only || e->holonomic[i];
        divide_row(h->n, h->m, h->A, i, taken ? h->norm[i] : INFINITY);
    }
    return tr_complement_rows(&h->c, h->A, e->rank_tolerance);
}

// Rows that were found independent, so that rank is decided once: of A T^-1, or of A with length
// one.
static void gather_independent(trHeld *h) {
    const size_t n = (size_t)h->n, m = (size_t)h->m;
    memset(h->independent, 0, m * n * sizeof *h->independent);
    for (int k = 0; k < h->c.rank; k++) {
        size_t i = (size_t)h->c.rows.pivot[k];
        for (size_t j = 0; j < n; j++) {
            h->independent[j * m + i] = h->A[j * m + i] * (h->by_mass ? 1.0 : h->root[j]);
        }
        if (!h->by_mass) {
            double length = row_norm(h->n, h->m, h->independent, (int)i);
            divide_row(h->n, h->m, h->independent, (int)i, length);
        }
    }
}

// A basis of the motions that the rows in h->A leave free; of T v where it is by mass.
static trStatus make_basis(trHeld *h, const trBasis *previous, trBasis *out) {
    gather_independent(h);
    TR_TRY(tr_basis_make(&h->maker, h->independent, 0.0, previous, out));
    return out->columns == h->n - h->c.rank
               ? TR_OK
               : tr_fail(TR_SINGULAR, "basis '%s' cannot tell %d constraint rows from fewer",
                         h->maker.kind->name, h->c.rank);
}

// Unit rows of the coordinates that the free motions found move most.
static void extract(trHeld *h, trHeldSet *set) {
    const int k = set->found.columns;
    double   *N = h->C, *rest = h->square;
    tr_coordinates_fill(h->n, k, set->found.Gamma, N);
    tr_coordinates_choose(h->n, k, N, rest, set->coordinate);
    memset(set->held.B, 0, (size_t)h->n * (size_t)k * sizeof *set->held.B);
    for (int i = 0; i < k; i++) {
        set->held.B[(size_t)set->coordinate[i] * (size_t)k + (size_t)i] = 1.0;
    }
}

// B of this set anew, from the rows in h->A.
static trStatus choose(trHeld *h, trHeldSet *set) {
    const trBasis *previous = set->chosen ? &set->held : NULL;
    TR_TRY(make_basis(h, previous, &set->found));
    const size_t n = (size_t)h->n, k = (size_t)set->found.columns;
    set->held.columns = set->found.columns;
    memcpy(set->held.Gamma, set->found.Gamma, n * k * sizeof(double));
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < k; i++) {
            set->held.B[j * k + i] = set->found.B[j * k + i] * (h->by_mass ? h->root[j] : 1.0);
        }
    }
    if (h->extracts) {
        extract(h, set);
    }
    set->chosen = true;
    set->lost_row = h->c.rank < h->m ? h->c.dropped[0] : -1;
    h->renewals++;
    return TR_OK;
}

// B T^-1, rows of length one.
static void scale_held(trHeld *h, const trHeldSet *set) {
    const size_t k = (size_t)set->held.columns;
    for (size_t j = 0; j < (size_t)h->n; j++) {
        for (size_t i = 0; i < k; i++) {
            h->B[j * k + i] = set->held.B[j * k + i] / h->root[j];
        }
    }
    for (int i = 0; i < set->held.columns; i++) {
        divide_row(h->n, (int)k, h->B, i, row_norm(h->n, (int)k, h->B, i));
    }
}

// The first time there is nothing to hold yet.
static trStatus make_ready(trHeld *h, trHeldSet *set, const trEquations *e) {
    if (set->chosen) {
        return take_rows(h, set, e);
    }
    note_norms(h, e);
    TR_TRY(take_rows(h, set, e));
    return choose(h, set);
}

static trStatus renew_set(trHeld *h, trHeldSet *set, const trEquations *e) {
    bool fits = false;
    TR_TRY(take_rows(h, set, e));
    if (h->kind->fits != NULL && set->chosen && set->held.columns == h->n - h->c.rank) {
        TR_TRY(make_basis(h, NULL, &set->found));
        TR_TRY(h->kind->fits(h, set, &fits));
    }
    return fits ? TR_OK : choose(h, set);
}

trStatus tr_held_renew(trHeld *h, const trEquations *e) {
    note_norms(h, e);
    for (int i = 0; i < h->sets; i++) {
        TR_TRY(renew_set(h, &h->set[i], e));
    }
    return TR_OK;
}

trStatus tr_held_step(trHeld *h, const trEquations *e, bool positions, const double *right,
                      double *step) {
    trHeldSet *set = &h->set[positions && h->sets > 1 ? 1 : 0];
    TR_TRY(make_ready(h, set, e));
    if (set->held.columns != h->n - h->c.rank) {
        h->lost_row = h->c.rank < h->m ? h->c.dropped[0] : set->lost_row;
        return tr_fail(TR_SINGULAR, "%d of %d constraint rows are independent in this pose, not %d",
                       h->c.rank, h->m, h->n - set->held.columns);
    }
    scale_held(h, set);
    TR_TRY(tr_complement_factor(&h->c, h->A, h->B, set->held.columns));
    for (int i = 0; i < h->m; i++) {
        h->right[i] = right[i] / (h->norm[i] > 0.0 ? h->norm[i] : 1.0);
    }
    tr_complement_solve(&h->c, h->right, NULL, step);
    tr_divide(h->n, step, h->root, step);
    return TR_OK;
}
