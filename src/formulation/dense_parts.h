// SPDX-License-Identifier: MIT
// What dense formulations start from: M and A as full matrices, rows scaled by their nominal norms,
// and multipliers recovered from the constraint force where a formulation eliminates them.
// Matrices are stored column by column.

#ifndef TR_FORMULATION_DENSE_PARTS_H
#define TR_FORMULATION_DENSE_PARTS_H

#include "formulation/formulation.h"
#include "la/rrqr.h"

typedef struct trDenseParts {
    int     n, m;
    double *M;          // n x n, both triangles
    double *A;          // m x n
    double *row_norms;  // m: diag(A W^-1 A'), after tr_dense_rows
    double *scale;      // m: nominal row norms D, after tr_dense_rows
} trDenseParts;

void tr_dense_plan(trArena *arena, const trEquations *e, trDenseParts *out);
void tr_dense_fill(trDenseParts *p, const trEquations *e);  // M and A

// a^2 = tr M / tr A'A: the weight with which M + a^2 A'A has the best condition; 0 without rows.
double tr_dense_weight(const trDenseParts *p);

// W = M + weight A' diag(G) A; G of m entries, or NULL for ones. Fills both triangles.
void tr_dense_augment(const trDenseParts *p, double weight, const double *G, double *W);

// Y = L \ A' (n x m) with the norms of its columns in row_norms, and then its columns divided by
// the nominal norms: those of `e`, or the present ones where there are none yet. W = L L'.
void tr_dense_rows(trDenseParts *p, const trEquations *e, const double *L, double *Y);

// A velocity that W = L L' leaves undetermined, but for rounding, or -1. `diagonal`: that of W.
int tr_dense_free_column(int n, const double *L, const double *diagonal);
// The words for it: TR_SINGULAR.
trStatus tr_dense_no_inertia(int column);
// The words for dependent rows in a formulation that needs independent ones: TR_SINGULAR.
trStatus tr_dense_dependent(const char *formulation, int row);

// Multipliers from the force that they exert,
//
//     A' lambda = force      (A')_r D_r^-1 P = Q R
//
// in the least squares sense over independent rows; those found dependent get 0.
typedef struct trRecovery {
    trRrqr  qr;       // n x m, of A' D^-1
    double *scale;    // m: D, norms of rows of A where they are at their nominal size
    double *u;        // n
    int    *dropped;  // m
} trRecovery;

void tr_recovery_plan(trArena *arena, const trEquations *e, trRecovery *out);
// After tr_dense_rows, whose norms tell how far each row is from its nominal size.
trStatus tr_recovery_factor(trRecovery *r, const trDenseParts *p, double rank_tolerance);
void     tr_recover_lambda(trRecovery *r, const double *force, double *lambda);
// F - M a into `force` (n).
void   tr_constraint_force(const trEquations *e, const double *F, const double *a, double *force);
trRank tr_recovery_rank(const trRecovery *r);

#endif
