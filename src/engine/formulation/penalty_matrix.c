// SPDX-License-Identifier: MIT
#include "formulation/penalty_matrix.h"

#include <float.h>
#include <math.h>

#include "formulation/row_weights.h"
#include "la/dense.h"

#define SUMS 8.0    // roundings of A a, and of the solve that makes a
#define LEAST 1e-3  // of alpha, relative to weights: less holds nothing, and no round shows it

// clang-format off
const trField tr_penalty_fields[] = {
    TR_OPTION(trPenaltyOptions, penalty, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.0, "", "factor of penalty and augmented_lagrangian; 0: chosen from masses and rows", "from masses and rows", NULL),
    TR_FIELD_END,
};
// clang-format on

trStatus tr_penalty_plan(trArena *arena, const trEquations *e, const trPenaltyOptions *options,
                         double size, trPenaltyMatrix *out) {
    const size_t n = (size_t)e->nv;
    out->given = options != NULL ? options->penalty : 0.0;
    out->size = size;
    tr_metric_plan(arena, e, &out->metric);
    out->L = tr_new_array(arena, double, n *n);
    out->diagonal = tr_new_array(arena, double, n);
    out->alpha = tr_new_array(arena, double, e->m);
    return tr_arena_status(arena);
}

// alpha of the rows: as given, or by their weights.
static trStatus choose_alpha(trPenaltyMatrix *w, const trEquations *e) {
    const double *weight = w->metric.weight;
    double        most = 0.0;
    w->most = 0.0;
    tr_row_weights(e, w->metric.mass, w->metric.weight);
    for (int k = 0; k < e->m; k++) {
        w->alpha[k] = w->given > 0.0 ? w->given : w->size * weight[k];
        most = fmax(most, weight[k]);
        w->most = weight[k] > 0.0 ? fmax(w->most, w->alpha[k] / weight[k]) : w->most;
    }
    return w->given == 0.0 || w->given >= LEAST * most
               ? TR_OK
               : tr_fail(TR_SINGULAR,
                         "penalty %g is too small for constraints to hold these masses; use %.1e "
                         "or more, or 0 for the default",
                         w->given, w->size * most);
}

trStatus tr_penalty_factor(void *work, const trEquations *e) {
    trPenaltyMatrix *w = work;
    TR_TRY(tr_metric_balanced(&w->metric, e));
    TR_TRY(choose_alpha(w, e));
    tr_dense_augment(&w->metric, 1.0, w->alpha, w->L);
    int      column = -1;
    trStatus status = tr_cholesky_factor(e->nv, w->L, w->diagonal, &column);
    if (status == TR_SINGULAR) {
        return tr_fail(status,
                       "M + alpha A'A is singular to working precision: the penalty is too large");
    }
    return status;
}

void tr_penalty_solve(const trPenaltyMatrix *w, double *x) {
    tr_cholesky_forward(w->metric.n, w->L, 1, x);
    tr_cholesky_backward(w->metric.n, w->L, x);
}

// A_i a has the rounding eps |A_i| |a| of n terms, and |A_i a| <= sqrt(r_i) sqrt(a' M a) with
// r_i = A_i M^-1 A_i': in lambda_i sqrt(r_i) that is alpha_i r_i as much.
double tr_penalty_rounding(const void *work) {
    const trPenaltyMatrix *w = work;
    return SUMS * DBL_EPSILON * sqrt((double)w->metric.n) * w->most;
}
