// SPDX-License-Identifier: MIT
// Penalty: constraints as stiff mass,
//
//     (M + alpha A'A) a = F + alpha A'b        lambda = alpha (A a - b)
//
// With sigma the smallest eigenvalue of A M^-1 A', the error of a is 1 / (alpha sigma), and
// rounding alpha |A|^2 / |M| eps. The default, alpha_i = 1e8 / (A_i M^-1 A_i'), makes both about
// 1e-8 however rows are written and whichever units lengths have. No rank is decided: in a pose
// where rows become dependent nothing tells that lambda has lost its meaning. See
// docs/theory/formulations.md.

#include <string.h>

#include "formulation/penalty_matrix.h"

#define SIZE 1e8  // of alpha, relative to weights of rows

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    trPenaltyMatrix *w = tr_new(arena, trPenaltyMatrix);
    *work = w;
    return w == NULL ? TR_E_MEMORY : tr_penalty_plan(arena, e, options, SIZE, w);
}

static trStatus solve(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda) {
    const trPenaltyMatrix *w = work;
    const double          *alpha = w->alpha;
    memcpy(a, F, (size_t)e->nv * sizeof(double));
    for (int k = 0; k < e->m; k++) {
        lambda[k] = -alpha[k] * b[k];
    }
    tr_rows_tmul_sub(&e->A, lambda, a);
    tr_penalty_solve(w, a);
    tr_rows_mul(&e->A, a, lambda);
    for (int k = 0; k < e->m; k++) {
        lambda[k] = alpha[k] * (lambda[k] - b[k]);
    }
    return TR_OK;
}

const trFormulationKind tr_formulation_penalty = {
    .name = "penalty",
    .summary = "constraints as stiff mass, violated in proportion to their force; dense",
    .source = "Marques, Souto & Flores 2017, eq. (21)",
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_POSE) | TR_DENSE | TR_JUDGES_NO_RANK,
    .error = 1e-5,
    .size = sizeof(trPenaltyOptions),
    .fields = tr_penalty_fields,
    .plan = plan,
    .factor = tr_penalty_factor,
    .solve = solve,
    .row_norms = tr_metric_norms,
    .rank = tr_metric_unjudged,
    .rounding = tr_penalty_rounding,
};
