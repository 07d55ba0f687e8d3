// SPDX-License-Identifier: MIT
// The fundamental equation of Udwadia and Kalaba in a metric W = L L', by singular values:
//
//     W a + A' lambda = F        Y = (L \ A') D^-1 = U S V'
//
//     w = U_r' (L \ F) - S_r^-1 V_r' D^-1 b
//     a = L' \ (L \ F - U_r w)        lambda = D^-1 V_r S_r^-1 w
//
// Only the r largest singular values count. Where rows depend on each other, lambda is the smallest
// that exerts the force, and where they contradict each other all of them give way a little.
// Reference: Udwadia and Wanichanon, Numer. Algebra Control Optim. 3 (2013), eq. (2.8).

#ifndef TR_FORMULATION_FUNDAMENTAL_EQUATION_H
#define TR_FORMULATION_FUNDAMENTAL_EQUATION_H

#include "formulation/dense_parts.h"
#include "la/svd.h"

typedef struct trFundamental {
    trSvd   svd;     // n x m
    int     rank;    // r
    double *scaled;  // m: D^-1 b, and then D lambda
    double *w, *c;   // m
} trFundamental;

// clang-format off
// The option that two kinds have.
#define TR_GAUGE_FIELD(type) \
    TR_OPTION(type, gauge, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.0, "", "alpha of udwadia_wanichanon and udwadia_schutte; 0: chosen from masses and rows", "from masses and rows", NULL)
// clang-format on

// The Cholesky factor of a mass M + weight `added`, refused where its gauge hides M or A.
trStatus tr_gauge_factor(int n, double weight, const char *added, double *L, double *diagonal);

void tr_fundamental_plan(trArena *arena, const trEquations *e, trFundamental *out);
// Y: n x m; `rank` singular values are kept.
trStatus tr_fundamental_factor(trFundamental *f, const double *Y, int rank);
// `L` and `scale` (D) are those of Y.
void tr_fundamental_solve(trFundamental *f, const double *L, const double *scale, const double *F,
                          const double *b, double *a, double *lambda);

#endif
