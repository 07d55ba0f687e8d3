// SPDX-License-Identifier: MIT
// Projection operators in the metric of M^-1: the force that constraints exert lies in the space of
// their rows, the motion that they leave in the orthogonal one.
//
//     M = S S'        E = (S \ A') D^-1        E P = Q R        P_in = Q_r Q_r'   P_out = I - P_in
//
//     S' a = P_out S^-1 F + E^+' D^-1 b        S^-1 A' lambda = P_in S^-1 F - E^+' D^-1 b
//
// In the basis Q the projections are a matter of which coordinates are set: tr_metric_solve_by_qr.
// See docs/theory/formulations.md.

#include <string.h>

#include "formulation/dense_parts.h"

typedef struct Work {
    trMetric metric;  // M = S S'
    double  *u;       // n
    double  *z;       // m
} Work;

static trStatus factor(void *work, const trEquations *e) {
    Work *w = work;
    TR_TRY(tr_metric_of_mass(&w->metric, e, "projective"));
    return tr_metric_judge(&w->metric, e);
}

static void once(void *work, const trEquations *e, const double *F, const double *b, double *a,
                 double *lambda) {
    Work *w = work;
    memcpy(w->u, F, (size_t)e->nv * sizeof(double));
    tr_metric_solve_by_qr(&w->metric, b, w->u, w->z, a, lambda);
}

static trStatus plan(trArena *arena, const trEquations *e, const void *options, void **work) {
    TR_TRY(tr_metric_begin(arena, e, sizeof(Work), work));
    Work *w = *work;
    w->u = tr_new_array(arena, double, e->nv);
    w->z = tr_new_array(arena, double, e->m);
    return tr_metric_refines(arena, e, once, w);
}

const trFormulationKind tr_formulation_projective = {
    .name = "projective",
    .summary = "projections in the mass metric, orthonormal basis; M positive definite; dense",
    .source = "Laulusa & Bauchau 2008, eqs. (16) to (20); Blajer 1995",
    .traits = (TR_COPES_ALL & ~TR_COPES_SINGULAR_MASS) | TR_DENSE,
    .error = 1e-12,
    .plan = plan,
    .factor = factor,
    .solve = tr_metric_solve,
    .row_norms = tr_metric_norms,
    .rank = tr_metric_rank,
};
