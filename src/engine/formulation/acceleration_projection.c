// SPDX-License-Identifier: MIT
// Accelerations split into a part along free motions and a part along the rows of A.
//
//     a = Gamma z + A_r' eta        A'_r P = [Q1 Gamma] [R; 0]
//
//     A_r A_r' eta = b_r:           A_r' eta = Q1 (R' \ P'b_r)
//     Gamma' M Gamma z = Gamma' (F - M A_r' eta)
//     R P'lambda_r = Q1' (F - M a)  other lambda = 0
//
// A A', which would square the condition, is never formed. See docs/theory/bases.md.

#include <string.h>

#include "base/keep.h"
#include "basis/parts.h"
#include "formulation/kept_rows.h"

typedef struct Work {
    trKeptRows k;
    trRrqr     rows;   // n x m: of A'_r
    trBasis    basis;  // Gamma
    double    *u;      // n
    double    *z;      // n
} Work;

static trStatus factor(void *work, const trEquations *e) {
    Work *w = work;
    TR_TRY(tr_kept_rows_factor(&w->k, e));
    TR_TRY(tr_basis_by_qr(&w->rows, w->k.A, 0.0, &w->basis));
    return tr_kept_rows_inertia(&w->k, e, &w->basis);
}

static void once(void *work, const trEquations *e, const double *F, const double *b, double *a,
                 double *lambda) {
    Work         *w = work;
    const double *right = tr_kept_rows_right(&w->k, b);
    memset(a, 0, (size_t)e->nv * sizeof(double));
    for (int k = 0; k < w->rows.rank; k++) {
        a[k] = right[w->rows.pivot[k]];
    }
    tr_rrqr_solve_rt(&w->rows, a);
    tr_rrqr_mul_q(&w->rows, a);
    tr_kept_rows_accelerate(&w->k, &w->basis, e, F, a, w->u, w->z);
    tr_kept_rows_multipliers(&w->k, &w->rows, w->u, lambda);
}

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    TR_TRY(tr_kept_rows_begin(arena, e, once, sizeof(Work), work));
    Work *w = *work;
    tr_rrqr_plan(arena, e->nv, e->m, &w->rows);
    tr_basis_plan(arena, e->nv, &w->basis);
    tr_keep_int(arena, &w->basis.columns, 0, e->nv);
    w->u = tr_new_array(arena, double, e->nv);
    w->z = tr_new_array(arena, double, e->nv);
    return tr_arena_status(arena);
}

const trFormulationKind tr_formulation_acceleration_projection = {
    .name = "acceleration_projection",
    .summary = "accelerations along free motions and along gradients of constraints; dense",
    .source = "Borri, Bottasso & Mantegazza 1992; Laulusa & Bauchau 2008, section 2.2.3",
    .traits = TR_COPES_ALL | TR_DENSE,
    .error = 1e-12,
    .plan = plan,
    .factor = factor,
    .solve = tr_metric_solve,
    .row_norms = tr_metric_norms,
    .rank = tr_metric_rank,
};
