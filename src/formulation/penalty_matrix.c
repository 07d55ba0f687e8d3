// SPDX-License-Identifier: MIT
#include "formulation/penalty_matrix.h"

#include <math.h>

#include "base/keep.h"
#include "la/dense.h"

#define LEAST \
    1e-3  // of alpha, relative to tr M / tr A'A: less holds nothing, and no round shows it

trStatus tr_penalty_plan(trArena *arena, const trEquations *e, const trFormulationOptions *options,
                         double size, trPenaltyMatrix *out) {
    size_t n = (size_t)e->nv;
    out->given = options != NULL ? options->penalty : 0.0;
    out->size = size;
    if (!(out->given >= 0.0) || !isfinite(out->given)) {
        return tr_fail(TR_E_ARGUMENT, "penalty must be positive, not %g", out->given);
    }
    tr_metric_plan(arena, e, &out->metric);
    out->L = tr_new_array(arena, double, n *n);
    out->diagonal = tr_new_array(arena, double, n);
    tr_keep_double(arena, &out->alpha);
    return tr_arena_status(arena);
}

trStatus tr_penalty_factor(trPenaltyMatrix *w, const trEquations *e) {
    TR_TRY(tr_metric_balanced(&w->metric, e));
    const double balance = tr_dense_weight(&w->metric.p);
    w->alpha = w->given > 0.0 ? w->given : w->size * balance;
    if (w->alpha < LEAST * balance) {
        return tr_fail(TR_SINGULAR,
                       "penalty %g is too small for constraints to hold these masses; take %.1e or "
                       "more, or 0, which is chosen from the masses",
                       w->alpha, w->size * balance);
    }
    tr_dense_augment(&w->metric.p, w->alpha, NULL, w->L);
    int      column = -1;
    trStatus status = tr_cholesky_factor(e->nv, w->L, w->diagonal, &column);
    if (status == TR_SINGULAR) {
        return tr_fail(status,
                       "M + %g A'A is singular to working precision: the penalty is too large",
                       w->alpha);
    }
    return status;
}

void tr_penalty_solve(const trPenaltyMatrix *w, double *x) {
    tr_cholesky_forward(w->metric.p.n, w->L, 1, x);
    tr_cholesky_backward(w->metric.p.n, w->L, x);
}
