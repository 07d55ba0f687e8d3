// SPDX-License-Identifier: MIT
// Augmented Lagrangian: the penalty solution, iterated until the constraints hold.
//
//     (M + alpha A'A) a_1 = F + alpha A'b                     lambda_1 = alpha (A a_1 - b)
//     (M + alpha A'A) Delta = -alpha A' (A a_i - b)           a_i+1 = a_i + Delta
//                                                    lambda_i+1 = lambda_i + alpha (A a_i+1 - b)
//
// A a_i - b shrinks by 1 / (1 + alpha sigma) in the direction with the eigenvalue sigma of A M^-1
// A'. It ends with |Delta| <= 1e-8 (1 + |a|), or 1e-6 (1 + |a|) where Delta no longer halves
// (rounding). Near poses where rows become dependent the last direction converges slowly: after 10
// rounds it is given up, and the row with the largest gap is named. See
// docs/theory/formulations.md.

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "formulation/penalty_matrix.h"
#include "la/dense.h"

#define SIZE 1e5  // of alpha, relative to weights of rows
#define DONE 1e-8
#define ROUNDING 1e-6  // a Delta that rounding can leave, relative, whatever alpha
#define MAX_ROUNDS 10

typedef struct Work {
    trPenaltyMatrix matrix;
    double         *gap;    // m: alpha (A a - b)
    double         *delta;  // n
    int64_t         rounds;
    int             slow_row;  // of the last solve that did not settle, or -1
} Work;

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    Work *w = *work = tr_new(arena, Work);
    TR_TRY(tr_arena_status(arena));
    w->slow_row = -1;
    w->gap = tr_new_array(arena, double, e->m);
    w->delta = tr_new_array(arena, double, e->nv);
    tr_keep_count(arena, &w->rounds);
    tr_keep_int(arena, &w->slow_row, -1, e->m - 1);
    return tr_penalty_plan(arena, e, options, SIZE, &w->matrix);
}

// gap = alpha (A a - b), added to lambda.
static void measure(Work *w, const trEquations *e, const double *b, const double *a,
                    double *lambda) {
    tr_rows_mul(&e->A, a, w->gap);
    for (int k = 0; k < e->m; k++) {
        w->gap[k] = w->matrix.alpha[k] * (w->gap[k] - b[k]);
        lambda[k] += w->gap[k];
    }
}

static trStatus refuse_slow(Work *w, const trEquations *e) {
    w->slow_row = 0;
    for (int k = 1; k < e->m; k++) {
        w->slow_row = fabs(w->gap[k]) > fabs(w->gap[w->slow_row]) ? k : w->slow_row;
    }
    return tr_fail(TR_SINGULAR,
                   "augmented_lagrangian did not converge in %d iterations: constraint row %d is "
                   "close to dependent, or the penalty too small",
                   MAX_ROUNDS, w->slow_row);
}

static trStatus solve(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda) {
    Work  *w = work;
    double previous = INFINITY;
    for (int k = 0; k < e->m; k++) {
        w->gap[k] = -w->matrix.alpha[k] * b[k];
        lambda[k] = 0.0;
    }
    memcpy(w->delta, F, (size_t)e->nv * sizeof(double));
    memset(a, 0, (size_t)e->nv * sizeof(double));
    for (int round = 0; round < MAX_ROUNDS; round++) {
        tr_rows_tmul_sub(&e->A, w->gap, w->delta);
        tr_penalty_solve(&w->matrix, w->delta);
        tr_add(e->nv, w->delta, a);
        measure(w, e, b, a, lambda);
        w->rounds++;
        double size = tr_length(e->nv, w->delta);
        if (e->m == 0 || size <= DONE * (1.0 + tr_length(e->nv, a)) ||
            (round > 1 && !(size < 0.5 * previous) &&
             size <= ROUNDING * (1.0 + tr_length(e->nv, a)))) {
            w->slow_row = -1;
            return TR_OK;
        }
        previous = size;
        memset(w->delta, 0, (size_t)e->nv * sizeof(double));
    }
    return refuse_slow(w, e);
}

static trRank rank(void *work) {
    const Work *w = work;
    trRank      found = tr_metric_unjudged(work);
    if (w->slow_row >= 0) {
        found.dropped = 1;
        found.rows = &w->slow_row;
    }
    return found;
}

static int64_t iterations(const void *work) {
    return ((const Work *)work)->rounds;
}

const trFormulationKind tr_formulation_augmented_lagrangian = {
    .name = "augmented_lagrangian",
    .summary = "penalty, iterated until the constraints hold; no rank decision; dense",
    .source = "Marques, Souto & Flores 2017, eqs. (23) to (25)",
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_POSE) | TR_DENSE | TR_JUDGES_NO_RANK,
    .error = 1e-9,
    .size = sizeof(trPenaltyOptions),
    .fields = tr_penalty_fields,
    .plan = plan,
    .factor = tr_penalty_factor,
    .solve = solve,
    .row_norms = tr_metric_norms,
    .rank = rank,
    .rounding = tr_penalty_rounding,
    .iterations = iterations,
};
