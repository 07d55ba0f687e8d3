// SPDX-License-Identifier: MIT
// M and A as full matrices, and rows scaled by their nominal norms.

#include "formulation/dense_parts.h"

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "base/largest.h"
#include "formulation/row_weights.h"
#include "formulation/unit_sizes.h"
#include "la/dense.h"

#define FREE 1e-11     // a pivot of W that rounding left of zero, relative to its diagonal entry
#define NOTHING 1e-20  // and such a diagonal entry, relative to the largest

static void fill(trMetric *p, const trEquations *e) {
    const size_t n = (size_t)p->n;
    if (e->M.dense != NULL) {
        memcpy(p->M, e->M.dense, n * n * sizeof(double));
    } else {
        memset(p->M, 0, n * n * sizeof(double));
        for (size_t i = 0; i < n; i++) {
            p->M[i * n + i] = e->M.diagonal[i];
        }
    }
    tr_rows_dense(&e->A, p->A);
}

double tr_dense_weight(const trMetric *p) {
    double trace_m = 0.0, trace_a = 0.0;
    for (int i = 0; i < p->n; i++) {
        const double size = p->size[i];
        trace_m += p->M[(size_t)i * (size_t)(p->n + 1)] / (size * size);
        for (int k = 0; k < p->m; k++) {
            const double entry = p->A[(size_t)i * (size_t)p->m + (size_t)k] / size;
            trace_a += entry * entry;
        }
    }
    trace_m = trace_m > 0.0 ? trace_m : 1.0;  // no mass at all: any weight will do
    return trace_a > 0.0 ? trace_m / trace_a : 0.0;
}

void tr_dense_augment(const trMetric *p, double factor, const double *G, double *W) {
    const size_t n = (size_t)p->n, m = factor != 0.0 ? (size_t)p->m : 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = 0.0;
            for (size_t k = 0; k < m; k++) {
                sum += (G == NULL ? 1.0 : G[k]) * p->A[i * m + k] * p->A[j * m + k];
            }
            W[j * n + i] = W[i * n + j] = p->M[j * n + i] + factor * sum;
        }
    }
}

void tr_dense_rows(trMetric *p, const trEquations *e) {
    const size_t n = (size_t)p->n, m = (size_t)p->m;
    double      *Y = p->Y;
    tr_transpose(p->m, p->n, p->A, Y);
    tr_cholesky_forward(p->n, p->L, p->m, Y);
    for (size_t k = 0; k < m; k++) {
        double sum = tr_dot(p->n, Y + k * n, Y + k * n);
        double nominal = e->row_scale != NULL ? e->row_scale[k] : 0.0;
        p->row_norms[k] = sum;
        if (!(nominal > 0.0)) {
            nominal = sum > 0.0 ? sqrt(sum) : 1.0;
        }
        p->scale[k] = nominal;
        for (size_t i = 0; i < n; i++) {
            Y[k * n + i] /= nominal;
        }
    }
}

int tr_dense_free_column(int n, const double *L, const double *diagonal) {
    const double most = tr_largest(n, diagonal);
    for (int i = 0; i < n; i++) {
        double pivot = L[(size_t)i * (size_t)(n + 1)];
        if (!(pivot * pivot > fmax(FREE * diagonal[i], NOTHING * most))) {
            return i;
        }
    }
    return -1;
}

trStatus tr_dense_no_inertia(int column) {
    return tr_fail(TR_SINGULAR, "mass and constraints leave a motion without inertia (velocity %d)",
                   column);
}

trStatus tr_dense_dependent(const char *formulation, int row) {
    return tr_fail(TR_SINGULAR, "constraint row %d depends on others, which %s does not support",
                   row, formulation);
}

void tr_metric_plan(trArena *arena, const trEquations *e, trMetric *out) {
    const size_t n = (size_t)e->nv, m = (size_t)e->m;
    out->n = e->nv;
    out->m = e->m;
    out->M = tr_new_array(arena, double, n *n);
    out->A = tr_new_array(arena, double, m *n);
    out->row_norms = tr_new_array(arena, double, m);
    out->scale = tr_new_array(arena, double, m);
    out->weight = tr_new_array(arena, double, m);
    out->mass = tr_new_array(arena, double, n);
    out->size = tr_new_array(arena, double, n);
    if (tr_arena_status(arena) == TR_OK) {
        tr_unit_sizes(e, out->size, out->weight);
    }
    out->L = tr_new_array(arena, double, n *n);
    out->diagonal = tr_new_array(arena, double, n);
    out->Y = tr_new_array(arena, double, n *m);
    tr_rrqr_plan(arena, e->nv, e->m, &out->qr);
    out->memory = tr_new_array(arena, double, 2 * n * m);
    out->dropped = tr_new_array(arena, int, m);
    out->free_column = -1;
    tr_keep_ints(arena, out->dropped, m, 0, e->m - 1);
    tr_keep_int(arena, &out->free_column, -1, e->nv - 1);
}

trStatus tr_metric_begin(trArena *arena, const trEquations *e, size_t bytes, void **work) {
    *work = tr_arena_take(arena, 1, bytes);
    if (*work == NULL) {
        return TR_E_MEMORY;
    }
    tr_metric_plan(arena, e, *work);
    return tr_arena_status(arena);
}

const double *tr_metric_norms(const void *work) {
    return ((const trMetric *)work)->row_norms;
}

// W = M + factor A'A into L, factored, and the rows in that metric. `formulation`: one that needs
// W = M, or NULL.
static trStatus factor_metric(trMetric *w, const trEquations *e, double factor,
                              const char *formulation) {
    w->qr.rank = 0;
    w->free_column = -1;
    tr_dense_augment(w, factor, NULL, w->L);
    trStatus status = tr_cholesky_factor(w->n, w->L, w->diagonal, &w->free_column);
    if (status == TR_OK) {
        w->free_column = tr_dense_free_column(w->n, w->L, w->diagonal);
        status = w->free_column < 0 ? TR_OK : TR_SINGULAR;
    }
    if (status == TR_SINGULAR && formulation != NULL) {
        return tr_fail(status, "velocity %d has no inertia of its own, which %s needs",
                       w->free_column, formulation);
    }
    if (status == TR_SINGULAR) {
        return tr_dense_no_inertia(w->free_column);
    }
    TR_TRY(status);
    tr_dense_rows(w, e);
    return TR_OK;
}

trStatus tr_metric_of_mass(trMetric *w, const trEquations *e, const char *formulation) {
    fill(w, e);
    return factor_metric(w, e, 0.0, formulation);
}

trStatus tr_metric_balanced(trMetric *w, const trEquations *e) {
    fill(w, e);
    return factor_metric(w, e, tr_dense_weight(w), NULL);
}

trStatus tr_metric_judge(trMetric *w, const trEquations *e) {
    memcpy(w->qr.X, w->Y, (size_t)w->n * (size_t)w->m * sizeof(double));
    TR_TRY(tr_rrqr_factor_first(&w->qr, e->rank_tolerance, e->spare, w->memory));
    tr_rrqr_list_dropped(&w->qr, w->dropped);
    return TR_OK;
}

void tr_metric_solve_by_qr(trMetric *w, const double *b, double *u, double *z, double *a,
                           double *lambda) {
    trRrqr       *qr = &w->qr;
    const double *scale = w->scale;
    tr_cholesky_forward(w->n, w->L, 1, u);
    tr_rrqr_mul_qt(qr, u);
    for (int k = 0; k < qr->rank; k++) {
        z[k] = b[qr->pivot[k]] / scale[qr->pivot[k]];
    }
    tr_rrqr_solve_rt(qr, z);
    for (int k = 0; k < qr->rank; k++) {
        double prescribed = z[k];
        z[k] = u[k] - prescribed;
        u[k] = prescribed;
    }
    tr_rrqr_mul_q(qr, u);
    memcpy(a, u, (size_t)w->n * sizeof(double));
    tr_cholesky_backward(w->n, w->L, a);
    tr_rrqr_solve_r(qr, z);
    tr_rrqr_spread(qr, z, scale, lambda);
}

trRank tr_metric_found(const trMetric *w, int rank, const int *dropped, double pivot, int row) {
    return (trRank){.rank = rank,
                    .dropped = w->m - rank,
                    .rows = dropped,
                    .gap = pivot * pivot,
                    .gap_row = row,
                    .free_column = w->free_column};
}

trRank tr_metric_rank(void *work) {
    const trMetric *w = work;
    const int       rank = w->qr.rank;
    return tr_metric_found(w, rank, w->dropped,
                           rank > 0 ? tr_rrqr_pivot_size(&w->qr, rank - 1) : INFINITY,
                           rank > 0 ? w->qr.pivot[rank - 1] : -1);
}

trRank tr_metric_rank_of_all(void *work) {
    const trMetric *w = work;
    return tr_metric_found(w, w->qr.rank, w->dropped, w->qr.smallest, w->qr.smallest_column);
}

trRank tr_metric_unjudged(void *work) {
    const trMetric *w = work;
    trRank          found = tr_metric_found(w, w->m, w->dropped, INFINITY, -1);
    found.unjudged = w->m;
    return found;
}

trStatus tr_metric_refines(trArena *arena, const trEquations *e, trSolveOnce once, void *work) {
    trRefinement *r = &((trMetric *)work)->refinement;
    r->once = once;
    r->F = tr_new_array(arena, double, e->nv);
    r->b = tr_new_array(arena, double, e->m);
    r->a = tr_new_array(arena, double, e->nv);
    r->lambda = tr_new_array(arena, double, e->m);
    return tr_arena_status(arena);
}

void tr_metric_residuals(trMetric *w, const trEquations *e, const double *F, const double *b,
                         const double *a, const double *lambda) {
    trRefinement *r = &w->refinement;
    tr_constraint_force(e, F, a, r->F);
    tr_rows_tmul_sub(&e->A, lambda, r->F);
    tr_rows_mul(&e->A, a, r->b);
    tr_subtract_from(e->m, b, r->b);
}

void tr_metric_correct(const trMetric *w, const trEquations *e, double *a, double *lambda) {
    tr_add(e->nv, w->refinement.a, a);
    tr_add(e->m, w->refinement.lambda, lambda);
}

trStatus tr_metric_solve(void *work, const trEquations *e, const double *F, const double *b,
                         double *a, double *lambda) {
    trMetric           *w = work;
    const trRefinement *r = &w->refinement;
    r->once(work, e, F, b, a, lambda);
    tr_metric_residuals(w, e, F, b, a, lambda);
    r->once(work, e, r->F, r->b, r->a, r->lambda);
    tr_metric_correct(w, e, a, lambda);
    return TR_OK;
}

trStatus tr_recovery_begin(trArena *arena, const trEquations *e, size_t bytes, void **work) {
    TR_TRY(tr_metric_begin(arena, e, bytes, work));
    trRecovery *out = *work;
    tr_rrqr_plan(arena, e->nv, e->m, &out->qr);
    out->memory = tr_new_array(arena, double, 2 * (size_t)e->nv * (size_t)e->m);
    out->scale = tr_new_array(arena, double, e->m);
    out->u = tr_new_array(arena, double, e->nv);
    out->root = tr_new_array(arena, double, e->nv);
    out->dropped = tr_new_array(arena, int, e->m);
    tr_keep_ints(arena, out->dropped, (size_t)e->m, 0, e->m - 1);
    return tr_arena_status(arena);
}

trStatus tr_recovery_factor(trRecovery *r, const trEquations *e) {
    const trMetric *p = &r->metric;
    const size_t    n = (size_t)p->n, m = (size_t)p->m;
    r->qr.rank = 0;
    TR_TRY(tr_metric_balanced(&r->metric, e));
    tr_row_weights(e, p->mass, p->weight);
    r->trace = 0.0;
    for (size_t i = 0; i < n; i++) {
        r->root[i] = sqrt(p->mass[i]);
        r->trace += p->M[i * (n + 1)] / (r->root[i] * r->root[i]);
    }
    for (size_t k = 0; k < m; k++) {
        double sum = 0.0;
        for (size_t i = 0; i < n; i++) {
            sum += p->A[i * m + k] * p->A[i * m + k] / p->mass[i];
        }
        double present = sqrt(p->row_norms[k]);
        double grown = present > 0.0 ? p->scale[k] / present : 1.0;
        r->scale[k] = sum > 0.0 ? sqrt(sum) * grown : 1.0;
        for (size_t i = 0; i < n; i++) {
            r->qr.X[k * n + i] = p->A[i * m + k] / (r->scale[k] * r->root[i]);
        }
    }
    TR_TRY(tr_rrqr_factor_first(&r->qr, e->rank_tolerance, e->spare, r->memory));
    tr_rrqr_list_dropped(&r->qr, r->dropped);
    return TR_OK;
}

void tr_recover_lambda(trRecovery *r, const double *force, double *lambda) {
    trRrqr *qr = &r->qr;
    tr_divide(qr->rows, force, r->root, r->u);
    tr_rrqr_mul_qt(qr, r->u);
    tr_rrqr_solve_r(qr, r->u);
    tr_rrqr_spread(qr, r->u, r->scale, lambda);
}

void tr_constraint_force(const trEquations *e, const double *F, const double *a, double *force) {
    tr_mass_mul(&e->M, a, force);
    tr_subtract_from(e->nv, F, force);
}

trRank tr_recovery_rank(void *work) {
    const trRecovery *r = work;
    return tr_metric_found(&r->metric, r->qr.rank, r->dropped, r->qr.smallest,
                           r->qr.smallest_column);
}
