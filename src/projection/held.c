// SPDX-License-Identifier: MIT
// Steps with rows B held; what basis, frozen and partition share.

#include "projection/held.h"

#include <math.h>
#include <string.h>

#include "base/keep.h"

static bool all_holonomic(const trEquations *e) {
    for (int i = 0; e->holonomic != NULL && i < e->m; i++) {
        if (!e->holonomic[i]) {
            return false;
        }
    }
    return true;
}

static void keep(trArena *arena, const trEquations *e, trHeldSet *set) {
    tr_keep_bool(arena, &set->chosen);
    tr_keep_int(arena, &set->held.columns, 0, e->nv);
    tr_keep_int(arena, &set->lost_row, -1, e->m - 1);
    tr_keep_double(arena, &set->influence);
}

trStatus tr_held_plan(trArena *arena, const trEquations *e, const char *basis, const char *fallback,
                      trHeld *out) {
    const size_t n = (size_t)e->nv, m = (size_t)e->m;
    *out = (trHeld){.n = e->nv, .m = e->m, .lost_row = -1, .sets = all_holonomic(e) ? 1 : 2};
    TR_TRY(tr_basis_choose(basis != NULL ? basis : fallback, &out->kind));
    TR_TRY(out->kind->plan(arena, e->nv, e->m, &out->basis_work));
    out->A = tr_new_array(arena, double, m *n);
    out->independent = tr_new_array(arena, double, m *n);
    out->norm = tr_new_array(arena, double, m);
    out->right = tr_new_array(arena, double, m);
    out->C = tr_new_array(arena, double, n *n);
    out->square = tr_new_array(arena, double, n *n);
    out->memory = tr_new_array(arena, double, 5 * n);
    tr_complement_plan(arena, e->nv, e->m, &out->c);
    for (int i = 0; i < out->sets; i++) {
        out->set[i].holonomic_only = i == 1;
        out->set[i].lost_row = -1;
        tr_basis_plan(arena, e->nv, &out->set[i].held);
        tr_basis_plan(arena, e->nv, &out->set[i].found);
        keep(arena, e, &out->set[i]);
    }
    tr_keep_int(arena, &out->lost_row, -1, e->m - 1);
    tr_keep_count(arena, &out->renewals);
    return tr_arena_status(arena);
}

static double row_norm(const trHeld *h, int row) {
    double sum = 0.0;
    for (size_t j = 0; j < (size_t)h->n; j++) {
        double entry = h->A[j * (size_t)h->m + (size_t)row];
        sum += entry * entry;
    }
    return sqrt(sum);
}

void tr_held_note_norms(trHeld *h, const trEquations *e) {
    tr_rows_dense(&e->A, h->A);
    for (int i = 0; i < h->m; i++) {
        h->norm[i] = fmax(h->norm[i], row_norm(h, i));
    }
}

trStatus tr_held_rows(trHeld *h, const trHeldSet *set, const trEquations *e) {
    tr_rows_dense(&e->A, h->A);
    for (int i = 0; i < h->m; i++) {
        bool   taken = !set->holonomic_only || e->holonomic[i];
        double nominal = h->norm[i] > 0.0 ? h->norm[i] : 1.0;
        for (size_t j = 0; j < (size_t)h->n; j++) {
            double *entry = &h->A[j * (size_t)h->m + (size_t)i];
            *entry = taken ? *entry / nominal : 0.0;
        }
    }
    return tr_complement_rows(&h->c, h->A, e->rank_tolerance);
}

// Rows that were found independent, so that rank is decided once; as they are written where
// coordinates are extracted, by whose units these are compared.
static void gather_independent(trHeld *h) {
    const size_t n = (size_t)h->n, m = (size_t)h->m;
    memset(h->independent, 0, m * n * sizeof *h->independent);
    for (int k = 0; k < h->c.rank; k++) {
        size_t i = (size_t)h->c.rows.pivot[k];
        double size = h->kind->extracts ? h->norm[i] : 1.0;
        for (size_t j = 0; j < n; j++) {
            h->independent[j * m + i] = h->A[j * m + i] * size;
        }
    }
}

trStatus tr_held_basis(trHeld *h, const trBasis *previous, trBasis *out) {
    gather_independent(h);
    TR_TRY(h->kind->make(h->basis_work, h->independent, 0.0, previous, out));
    return out->columns == h->n - h->c.rank
               ? TR_OK
               : tr_fail(TR_SINGULAR, "basis '%s' cannot tell %d constraint rows from fewer",
                         h->kind->name, h->c.rank);
}

trStatus tr_held_choose(trHeld *h, trHeldSet *set) {
    const trBasis *previous = set->chosen ? &set->held : NULL;
    TR_TRY(tr_held_basis(h, previous, &set->found));
    const size_t bytes = (size_t)h->n * (size_t)set->found.columns * sizeof(double);
    set->held.columns = set->found.columns;
    memcpy(set->held.Gamma, set->found.Gamma, bytes);
    memcpy(set->held.B, set->found.B, bytes);
    set->chosen = true;
    set->lost_row = h->c.rank < h->m ? h->c.dropped[0] : -1;
    h->renewals++;
    return TR_OK;
}

// The first time there is nothing to hold yet.
static trStatus make_ready(trHeld *h, trHeldSet *set, const trEquations *e) {
    if (set->chosen) {
        return tr_held_rows(h, set, e);
    }
    tr_held_note_norms(h, e);
    TR_TRY(tr_held_rows(h, set, e));
    return tr_held_choose(h, set);
}

trStatus tr_held_step(void *work, const trEquations *e, bool positions, const double *right,
                      double *step) {
    trHeld    *h = work;
    trHeldSet *set = &h->set[positions && h->sets > 1 ? 1 : 0];
    TR_TRY(make_ready(h, set, e));
    if (set->held.columns != h->n - h->c.rank) {
        h->lost_row = h->c.rank < h->m ? h->c.dropped[0] : set->lost_row;
        return tr_fail(TR_SINGULAR, "%d of %d constraint rows are independent in this pose, not %d",
                       h->c.rank, h->m, h->n - set->held.columns);
    }
    TR_TRY(tr_complement_factor(&h->c, h->A, set->held.B, set->held.columns));
    for (int i = 0; i < h->m; i++) {
        h->right[i] = right[i] / (h->norm[i] > 0.0 ? h->norm[i] : 1.0);
    }
    tr_complement_solve(&h->c, h->right, NULL, step);
    return TR_OK;
}

int tr_held_lost_row(const void *work) {
    return ((const trHeld *)work)->lost_row;
}

int64_t tr_held_renewals(const void *work) {
    return ((const trHeld *)work)->renewals;
}
