// SPDX-License-Identifier: MIT
// The fundamental equation of Udwadia and Kalaba:
//
//     M = L L'        B = D^-1 A L'^-1        a = a0 + L'^-1 B^+ D^-1 (b - A a0)        a0 = M^-1 F
//
// The square root of M that the papers take is not needed, any factor will do. The generalized
// inverse comes in two ways:
//
// - "svd": singular values (fundamental_equation.h), as many as there are independent rows.
// - "gram_schmidt": B' P = Q [R_r R_d], B^+ from the leading rows alone, which is the same where
//   the others do not contradict them. Where they do, solve fails and names the row. A dropped row
//   d, scaled, is a combination of kept ones but for a rest |rho| <= rank_tolerance. With x = L'a,
//   and x* what the row would have, x - x* is orthogonal to kept rows, so that
//
//       |(A a - b)_d| / D_d = |rho . (x - x*)| <= rank_tolerance (|x| + |x*|)
//
//   in any pose where rows count as dependent. |L \ F| + |b_d| / D_d stands for the size of x*,
//   which is not known. Solves with F = 0 are projections, and what they correct contradicts itself
//   in second order: they are not judged.
//
// See docs/theory/formulations.md.

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "formulation/fundamental_equation.h"
#include "la/dense.h"
#include "la/gram_schmidt.h"

typedef struct Options {
    const char *inverse;
} Options;

static const char *const inverses[] = {"svd", "gram_schmidt", NULL};

// clang-format off
static const trField fields[] = {
    TR_OPTION(Options, inverse, TR_FIELD_TEXT, 0, NAN, "", "inverse of udwadia_kalaba: \"svd\" or \"gram_schmidt\"", "svd", inverses),
    TR_FIELD_END,
};
// clang-format on

typedef struct Work {
    trMetric      metric;  // M; judged where the inverse is by singular values
    bool          by_gram_schmidt;
    trFundamental fundamental;  // "svd"
    trGramSchmidt gs;           // n x m: "gram_schmidt"
    int           contradicts;  // 1 + a row, of the last solve
    double        tolerance;    // rank_tolerance of the last factorization
    double       *free;         // n: L \ F
    double       *z;            // m
    double       *reached;      // m: A a
} Work;

static trStatus factor(void *work, const trEquations *e) {
    Work         *w = work;
    const double *Y = w->metric.Y;  // B'
    w->tolerance = e->rank_tolerance;
    w->gs.rank = 0;
    TR_TRY(tr_metric_of_mass(&w->metric, e, "udwadia_kalaba"));
    if (!w->by_gram_schmidt) {
        TR_TRY(tr_metric_judge(&w->metric, e));
        return tr_fundamental_factor(&w->fundamental, Y, w->metric.qr.rank);
    }
    memcpy(w->gs.X, Y, (size_t)w->metric.n * (size_t)w->metric.m * sizeof(double));
    tr_gram_schmidt_factor(&w->gs, e->rank_tolerance);
    for (int k = w->gs.rank; k < w->metric.m; k++) {
        w->metric.dropped[k - w->gs.rank] = w->gs.pivot[k];
    }
    return TR_OK;
}

static trRank rank(void *work) {
    const Work          *w = work;
    const trGramSchmidt *g = &w->gs;
    if (!w->by_gram_schmidt) {
        return tr_metric_rank_of_all(work);
    }
    const int last = g->rank - 1;
    trRank    found =
        tr_metric_found(&w->metric, g->rank, w->metric.dropped,
                        last >= 0 ? g->R[(size_t)last * (size_t)(w->metric.m + 1)] : INFINITY,
                        last >= 0 ? g->pivot[last] : -1);
    found.contradicts = w->contradicts;
    return found;
}

static void solve_by_gram_schmidt(Work *w, const double *F, const double *b, double *a,
                                  double *lambda) {
    const trGramSchmidt *g = &w->gs;
    const double        *scale = w->metric.scale;
    memcpy(a, F, (size_t)w->metric.n * sizeof(double));
    tr_cholesky_forward(w->metric.n, w->metric.L, 1, a);
    tr_dot_columns(w->metric.n, g->rank, g->X, a, lambda);
    for (int k = 0; k < g->rank; k++) {
        w->z[k] = b[g->pivot[k]] / scale[g->pivot[k]];
    }
    tr_gram_schmidt_solve_rt(g, w->z);
    tr_subtract_from(g->rank, lambda, w->z);
    tr_subtract_columns(w->metric.n, g->rank, g->X, w->z, a);
    tr_cholesky_backward(w->metric.n, w->metric.L, a);
    tr_gram_schmidt_solve_r(g, w->z);
    memset(lambda, 0, (size_t)w->metric.m * sizeof(double));
    for (int k = 0; k < g->rank; k++) {
        lambda[g->pivot[k]] = w->z[k] / scale[g->pivot[k]];
    }
}

static void once(void *work, const trEquations *e, const double *F, const double *b, double *a,
                 double *lambda) {
    Work *w = work;
    if (w->by_gram_schmidt) {
        solve_by_gram_schmidt(w, F, b, a, lambda);
    } else {
        tr_fundamental_solve(&w->fundamental, w->metric.L, w->metric.scale, F, b, a, lambda);
    }
}

// Whether dropped rows can be satisfied as well.
static trStatus look_for_contradictions(Work *w, const trEquations *e, const double *F,
                                        const double *b, const double *a) {
    const trRank found = rank(w);
    if (!w->by_gram_schmidt || found.dropped == 0 || tr_length(w->metric.n, F) == 0.0) {
        return TR_OK;
    }
    memcpy(w->free, F, (size_t)w->metric.n * sizeof(double));
    tr_cholesky_forward(w->metric.n, w->metric.L, 1, w->free);
    double size = tr_length(w->metric.n, w->free) + sqrt(tr_mass_form(&e->M, a));
    tr_rows_mul(&e->A, a, w->reached);
    for (int i = 0; i < found.dropped; i++) {
        int    row = found.rows[i];
        double gap = fabs(w->reached[row] - b[row]);
        double allowed = w->tolerance * (w->metric.scale[row] * size + fabs(b[row]));
        if (!(gap <= allowed)) {
            w->contradicts = 1 + row;
            return tr_fail(TR_E_SIMULATION,
                           "constraint row %d contradicts the rows that it depends on: it requires "
                           "%.6g, they give %.6g",
                           row, b[row], w->reached[row]);
        }
    }
    return TR_OK;
}

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    const Options *o = options;
    TR_TRY(tr_metric_begin(arena, e, sizeof(Work), work));
    Work *w = *work;
    w->by_gram_schmidt = o != NULL && o->inverse != NULL && strcmp(o->inverse, inverses[1]) == 0;
    if (w->by_gram_schmidt) {
        tr_gram_schmidt_plan(arena, e->nv, e->m, &w->gs);
    } else {
        tr_fundamental_plan(arena, e, &w->fundamental);
    }
    w->free = tr_new_array(arena, double, e->nv);
    w->z = tr_new_array(arena, double, e->m);
    w->reached = tr_new_array(arena, double, e->m);
    tr_keep_double(arena, &w->tolerance);
    tr_keep_int(arena, &w->contradicts, 0, e->m);
    return tr_metric_refines(arena, e, once, w);
}

static trStatus solve(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda) {
    Work *w = work;
    w->contradicts = 0;
    TR_TRY(tr_metric_solve(w, e, F, b, a, lambda));
    return look_for_contradictions(w, e, F, b, a);
}

const trFormulationKind tr_formulation_udwadia_kalaba = {
    .name = "udwadia_kalaba",
    .summary = "fundamental equation, generalized inverse; M positive definite; dense",
    .source = "Udwadia & Kalaba 1992; Laulusa & Bauchau 2008, eq. (15)",
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_MASS) | TR_DENSE,
    .error = 1e-12,
    .size = sizeof(Options),
    .fields = fields,
    .plan = plan,
    .factor = factor,
    .solve = solve,
    .row_norms = tr_metric_norms,
    .rank = rank,
};
