// SPDX-License-Identifier: MIT
// The fundamental equation with the augmented mass matrix of Udwadia and Wanichanon:
//
//     M_G = M + alpha^2 A'GA        F_z = F + A'Gz                               (3.19), (3.20)
//     M_G a + A' lambda_z = F_z     A a = b                                      (3.18)
//     lambda = lambda_z - Gz + alpha^2 G A a                                     (3.39)
//
// where the paper has b for A a: with A a, M a + A' lambda = F holds even where rows contradict
// each other. alpha, the positive diagonal G and z are gauges: neither a nor lambda depends on
// them, but for rounding, which nothing refines, so that it can be seen. See
// docs/theory/formulations.md.

#include <math.h>
#include <string.h>

#include "base/keep.h"
#include "formulation/fundamental_equation.h"
#include "la/dense.h"

typedef struct Options {
    double    gauge;
    trNumbers gauge_weights, gauge_z;  // m
} Options;

// clang-format off
static const trField fields[] = {
    TR_GAUGE_FIELD(Options),
    TR_OPTION(Options, gauge_weights, TR_FIELD_NUMBERS, 0, NAN, "", "diagonal of G of udwadia_wanichanon, one for each row; default: ones", "ones", NULL),
    TR_OPTION(Options, gauge_z, TR_FIELD_NUMBERS, 0, NAN, "", "z of udwadia_wanichanon, one for each row; default: alpha^2 b", "alpha^2 b", NULL),
    TR_FIELD_END,
};
// clang-format on

typedef struct Work {
    trMetric      metric;  // M_G
    double        gauge;   // alpha as it was given; 0: from M and A
    const double *G;       // m: diagonal; NULL: ones
    const double *given;   // m: z; NULL: alpha^2 b
    double        weight;  // alpha^2
    trFundamental fundamental;
    double       *z;          // m: -Gz
    double       *reached;    // m: A a
    double       *F;          // n: F_z
    double       *row_norms;  // m: in the balanced metric
} Work;

static trStatus check_list(const char *name, const trNumbers *list, bool positive, int m) {
    if (list->count != 0 && list->count != m) {
        return tr_fail(TR_E_ARGUMENT, "%s has %d numbers; there are %d constraint rows", name,
                       list->count, m);
    }
    for (int k = 0; positive && k < list->count; k++) {
        if (!(list->at[k] > 0.0)) {
            return tr_fail(TR_E_ARGUMENT, "number %d of %s must be positive, not %g", k + 1, name,
                           list->at[k]);
        }
    }
    return TR_OK;
}

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    const Options *o = options != NULL ? options : &(Options){0};
    TR_TRY(tr_metric_begin(arena, e, sizeof(Work), work));
    Work *w = *work;
    w->gauge = o->gauge;
    w->G = o->gauge_weights.count > 0 ? o->gauge_weights.at : NULL;
    w->given = o->gauge_z.count > 0 ? o->gauge_z.at : NULL;
    tr_fundamental_plan(arena, e, &w->fundamental);
    w->z = tr_new_array(arena, double, e->m);
    w->reached = tr_new_array(arena, double, e->m);
    w->F = tr_new_array(arena, double, e->nv);
    w->row_norms = tr_new_array(arena, double, e->m);
    tr_keep_double(arena, &w->weight);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(check_list("gauge_weights", &o->gauge_weights, true, e->m));
    return check_list("gauge_z", &o->gauge_z, false, e->m);
}

// Whether there is inertia everywhere and which rows depend on others is judged in the balanced
// metric: in one that is far from balance rows that do not may look alike.
static trStatus factor(void *work, const trEquations *e) {
    Work     *w = work;
    trMetric *metric = &w->metric;
    TR_TRY(tr_metric_balanced(metric, e));
    TR_TRY(tr_metric_judge(metric, e));
    memcpy(w->row_norms, metric->row_norms, (size_t)w->metric.m * sizeof(double));
    w->weight = w->gauge != 0.0 ? w->gauge * w->gauge : tr_dense_weight(metric);
    if (w->gauge != 0.0 || w->G != NULL) {
        tr_dense_augment(metric, w->weight, w->G, metric->L);
        TR_TRY(tr_gauge_factor(e->nv, w->weight, "A'GA", metric->L, metric->diagonal));
        trEquations present = *e;
        present.row_scale = NULL;  // nominal norms are those of the other metric
        tr_dense_rows(metric, &present);
    }
    return tr_fundamental_factor(&w->fundamental, metric->Y, metric->qr.rank);
}

static trStatus solve(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda) {
    Work *w = work;
    for (int k = 0; k < w->metric.m; k++) {
        double z = w->given != NULL ? w->given[k] : w->weight * b[k];
        w->z[k] = -(w->G != NULL ? w->G[k] : 1.0) * z;
    }
    memcpy(w->F, F, (size_t)w->metric.n * sizeof(double));
    tr_rows_tmul_sub(&e->A, w->z, w->F);
    tr_fundamental_solve(&w->fundamental, w->metric.L, w->metric.scale, w->F, b, a, lambda);
    tr_rows_mul(&e->A, a, w->reached);
    for (int k = 0; k < w->metric.m; k++) {
        lambda[k] += w->z[k] + w->weight * (w->G != NULL ? w->G[k] : 1.0) * w->reached[k];
    }
    return TR_OK;
}

static const double *row_norms(const void *work) {
    return ((const Work *)work)->row_norms;
}

const trFormulationKind tr_formulation_udwadia_wanichanon = {
    .name = "udwadia_wanichanon",
    .summary = "fundamental equation with the mass M + alpha^2 A'GA; singular M; dense",
    .source = "Udwadia & Wanichanon 2013, eqs. (3.18) to (3.39)",
    .traits = TR_COPES_ALL | TR_DENSE,
    .error = 1e-12,
    .size = sizeof(Options),
    .fields = fields,
    .plan = plan,
    .factor = factor,
    .solve = solve,
    .row_norms = row_norms,
    .rank = tr_metric_rank_of_all,
};
