// SPDX-License-Identifier: MIT
// Multipliers where M is known by its solves y = M^-1 x only.
//
//     Z = M^-1 A'       S = A Z = (D R) (D R)'       D^2: diagonal of S
//     lambda = S^+ (A M^-1 F - b)                    a = M^-1 F - Z lambda
//
// lagrange_dense wants M as a matrix, because its metric is M + g A'A. But S is also what m unit
// masses with the rows D R give, so that it serves here with those: R by a pivoted Cholesky
// factorization, from lagrange_dense rank and lambda. m solves make Z, one more each right side
// that is not zero. A singular M has no such solves. S squares the condition of A; one step of
// refinement with b - A a makes up for it where constraints are not nearly dependent.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "constrain/constrain.h"
#include "la/dense.h"

typedef struct Work {
    trConstrain *c;
    int          n, m;
    double      *Z;            // m x n + 1: M^-1 A_i', one after the other
    double      *S;            // m x m
    double      *D;            // m
    double      *R;            // m x m, row after row: D R
    int         *pivot;        // m
    double      *ones, *zero;  // m
    double      *memory;       // 4 m
    double      *free;         // n + 1: M^-1 F
    double      *right;        // m
    double      *inner_a;      // m
    double      *more;         // m
    trOneGroup   group;
    trEquations  inner;
    void        *inner_work;

    const trFormulationKind *kernel;  // of the inner equations
} Work;

trStatus tr_by_solves_plan(trConstrain *c, void **work) {
    Work  *w = *work = tr_new(c->arena, Work);
    size_t n = (size_t)c->size, m = (size_t)c->m;
    TR_TRY(tr_arena_status(c->arena));
    *w = (Work){.c = c, .n = c->size, .m = c->m};
    w->kernel = tr_formulation_robust(true);
    w->Z = tr_new_array(c->arena, double, m *n + 1);
    w->S = tr_new_array(c->arena, double, m *m);
    w->D = tr_new_array(c->arena, double, m);
    w->R = tr_new_array(c->arena, double, m *m);
    w->pivot = tr_new_array(c->arena, int, m);
    w->ones = tr_new_array(c->arena, double, m);
    w->zero = tr_new_array(c->arena, double, m);
    w->memory = tr_new_array(c->arena, double, 4 * m);
    w->free = tr_new_array(c->arena, double, n + 1);
    w->right = tr_new_array(c->arena, double, m);
    w->inner_a = tr_new_array(c->arena, double, m);
    w->more = tr_new_array(c->arena, double, m);
    TR_TRY(tr_arena_status(c->arena));
    tr_fill(c->m, 1.0, w->ones);
    w->inner = (trEquations){.nv = c->m,
                             .m = c->m,
                             .M = {.n = c->m, .diagonal = w->ones},
                             .A = tr_one_group(&w->group, c->m, c->m, w->R)};
    return w->kernel->plan(c->arena, &w->inner, NULL, &w->inner_work);
}

// S, from both triangles, divided by D on both sides.
static void form_schur(Work *w, const double *A) {
    const size_t n = (size_t)w->n, m = (size_t)w->m;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < n; k++) {
                sum += A[i * n + k] * w->Z[j * n + k] + A[j * n + k] * w->Z[i * n + k];
            }
            w->S[i + j * m] = 0.5 * sum;
        }
    }
    for (size_t i = 0; i < m; i++) {
        double diagonal = w->S[i * (m + 1)];
        w->D[i] = diagonal > 0.0 ? sqrt(diagonal) : 1.0;
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            w->S[i + j * m] /= w->D[i] * w->D[j];
        }
    }
}

static trStatus factor(void *work, const trEquations *e) {
    Work        *w = work;
    const size_t n = (size_t)w->n, m = (size_t)w->m;
    for (size_t i = 0; i < m; i++) {
        // The guard behind one row is the beginning of the next, which is not made yet.
        TR_TRY(tr_constrain_ask(w->c, TR_ASK_MASS_SOLVE, w->c->t, w->c->x, e->A.value + i * n,
                                w->Z + i * n));
    }
    form_schur(w, e->A.value);
    TR_TRY(tr_symmetric_root(w->m, w->S, w->pivot, w->memory));
    for (size_t i = 0; i < m; i++) {
        size_t row = (size_t)w->pivot[i];
        for (size_t j = 0; j < m; j++) {
            w->R[row * m + j] = w->D[row] * w->S[i + j * m];
        }
    }
    w->inner.row_scale = e->row_scale;
    w->inner.spare = e->spare;
    w->inner.rank_tolerance = e->rank_tolerance;
    return w->kernel->factor(w->inner_work, &w->inner);
}

// a and lambda move until A a = b; what a dependent row asks for is no one's business.
static trStatus correct(Work *w, const trEquations *e, const double *b, double *a, double *lambda) {
    tr_rows_mul(&e->A, a, w->right);
    tr_subtract_from(w->m, b, w->right);
    const trRank found = w->kernel->rank(w->inner_work);
    for (int i = 0; i < found.dropped; i++) {
        w->right[found.rows[i]] = 0.0;
    }
    TR_TRY(w->kernel->solve(w->inner_work, &w->inner, w->zero, w->right, w->inner_a, w->more));
    tr_add(w->m, w->more, lambda);
    tr_subtract_columns(w->n, w->m, w->Z, w->more, a);
    return TR_OK;
}

static trStatus solve(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda) {
    Work *w = work;
    memset(w->free, 0, (size_t)w->n * sizeof(double));
    if (!(tr_largest(w->n, F) == 0.0)) {
        TR_TRY(tr_constrain_ask(w->c, TR_ASK_MASS_SOLVE, w->c->t, w->c->x, F, w->free));
    }
    memcpy(a, w->free, (size_t)w->n * sizeof(double));
    memset(lambda, 0, (size_t)w->m * sizeof(double));
    TR_TRY(correct(w, e, b, a, lambda));
    return correct(w, e, b, a, lambda);
}

static const double *row_norms(const void *work) {
    const Work *w = work;
    return w->kernel->row_norms(w->inner_work);
}

static trRank rank(void *work) {
    const Work *w = work;
    return w->kernel->rank(w->inner_work);
}

// Not registered, and planned by tr_by_solves_plan: it needs the handle.
const trFormulationKind tr_formulation_by_solves = {
    .name = "by_solves",
    .summary = "multipliers from solves with M, m of them; dense in the constraints",
    .source = "Masarati 2011, eqs. (7), (11b)",
    .traits = TR_COPES_REDUNDANT | TR_DENSE,
    .factor = factor,
    .solve = solve,
    .row_norms = row_norms,
    .rank = rank,
};
