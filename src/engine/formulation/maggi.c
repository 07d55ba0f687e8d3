// SPDX-License-Identifier: MIT
// Maggi's equations: independent velocities e = B v in place of multipliers.
//
//     [Gc Gamma] = [A_r; B]^-1          A_r: independent rows; B, Gamma: a basis of free motions
//     [A_r; B] a0 = [b_r; 0]            the acceleration while e does not change
//     Gamma' M Gamma e' = Gamma' (F - M a0)
//     a = a0 + Gamma e'                 lambda_r = Gc' (F - M a), other lambda = 0
//
// a0 stands for the derivative of Gamma, which is never formed. Continuous bases follow the one of
// the last factorization. See docs/theory/maggi.md.

#include "base/keep.h"
#include "basis/complement.h"
#include "formulation/kept_rows.h"
#include "la/dense.h"

typedef struct Work {
    trKeptRows   k;
    trBasisMaker maker;
    trBasis      basis[2];  // of this factorization and of the last one, in turn
    int          current;   // which is the present one
    bool         followed;  // there is a last one
    trComplement c;
    double      *force;  // n
    double      *z;      // n
} Work;

// The rank is decided already, so the basis need not decide it again: dropped rows are zero, and
// only what its rounding hides may be lost.
static trStatus renew_basis(Work *w) {
    const trBasis *previous = w->followed ? &w->basis[w->current] : NULL;
    trBasis       *next = &w->basis[1 - w->current];
    TR_TRY(tr_basis_make(&w->maker, w->k.A, 0.0, previous, next));
    if (next->columns != w->k.metric.n - w->k.metric.qr.rank) {
        return tr_fail(TR_SINGULAR, "basis '%s' finds %d free motions where there are %d",
                       w->maker.kind->name, next->columns, w->k.metric.n - w->k.metric.qr.rank);
    }
    w->current = 1 - w->current;
    w->followed = true;
    return TR_OK;
}

static trStatus factor(void *work, const trEquations *e) {
    Work *w = work;
    TR_TRY(tr_kept_rows_factor(&w->k, e));
    TR_TRY(renew_basis(w));
    const trBasis *basis = &w->basis[w->current];
    TR_TRY(tr_complement_rows(&w->c, w->k.A, 0.0));
    TR_TRY(tr_complement_factor(&w->c, w->k.A, basis->B, basis->columns));
    return tr_kept_rows_inertia(&w->k, e, basis);
}

static void once(void *work, const trEquations *e, const double *F, const double *b, double *a,
                 double *lambda) {
    Work *w = work;
    tr_complement_solve(&w->c, tr_kept_rows_right(&w->k, b), NULL, a);
    tr_kept_rows_accelerate(&w->k, &w->basis[w->current], e, F, a, w->force, w->z);
    tr_complement_transposed(&w->c, w->force, lambda, NULL);
    tr_divide(e->m, lambda, w->k.length, lambda);
}

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    TR_TRY(tr_kept_rows_begin(arena, e, once, sizeof(Work), work));
    Work *w = *work;
    TR_TRY(tr_basis_begin(arena, tr_basis_chosen(options), e->nv, e->m, &w->maker));
    tr_basis_plan(arena, e->nv, &w->basis[0]);
    tr_basis_plan(arena, e->nv, &w->basis[1]);
    tr_keep_int(arena, &w->basis[0].columns, 0, e->nv);
    tr_keep_int(arena, &w->basis[1].columns, 0, e->nv);
    tr_keep_int(arena, &w->current, 0, 1);
    tr_keep_bool(arena, &w->followed);
    tr_complement_plan(arena, e->nv, e->m, &w->c);
    w->force = tr_new_array(arena, double, e->nv);
    w->z = tr_new_array(arena, double, e->nv);
    return tr_arena_status(arena);
}

const trFormulationKind tr_formulation_maggi = {
    .name = "maggi",
    .summary = "independent velocities instead of multipliers, in a basis of your choice; dense",
    .source = "Maggi 1901; Laulusa & Bauchau 2008, section 2.2.1",
    .traits = TR_COPES_ALL | TR_DENSE,
    .error = 1e-12,
    .size = sizeof(trBasisOptions),
    .fields = tr_basis_fields,
    .plan = plan,
    .factor = factor,
    .solve = tr_metric_solve,
    .row_norms = tr_metric_norms,
    .rank = tr_metric_rank,
};
