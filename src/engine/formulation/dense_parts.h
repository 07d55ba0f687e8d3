// SPDX-License-Identifier: MIT
// What dense formulations start from: M and A as full matrices, rows scaled by their nominal norms,
// and multipliers recovered from the constraint force where a formulation eliminates them.
// Matrices are stored column by column.

#ifndef TR_FORMULATION_DENSE_PARTS_H
#define TR_FORMULATION_DENSE_PARTS_H

#include "formulation/formulation.h"
#include "la/rrqr.h"

// A velocity that W = L L' leaves undetermined, but for rounding, or -1. `diagonal`: that of W.
int tr_dense_free_column(int n, const double *L, const double *diagonal);
// The words for it: TR_SINGULAR.
trStatus tr_dense_no_inertia(int column);
// The words for dependent rows in a formulation that needs independent ones: TR_SINGULAR.
trStatus tr_dense_dependent(const char *formulation, int row);

// F (n), b (m) -> a, lambda.
typedef void (*trSolveOnce)(void *work, const trEquations *e, const double *F, const double *b,
                            double *a, double *lambda);

// One step of refinement: what a and lambda leave of F and b, solved for and added.
typedef struct trRefinement {
    trSolveOnce once;
    double     *F, *b;       // n, m: residuals F - M a - A' lambda and b - A a
    double     *a, *lambda;  // n, m: corrections
} trRefinement;

// A metric W, M or M + weight A'A, with the rows of A measured in it, and their rank:
//
//     W = L L'        Y = (L \ A') D^-1        Y P = Q R        |R_kk| > rank_tolerance
typedef struct trMetric {
    int     n, m;
    double *M;          // n x n, both triangles
    double *A;          // m x n
    double *row_norms;  // m: diag(A W^-1 A'), after tr_dense_rows
    double *scale;      // m: nominal row norms D, after tr_dense_rows
    double *weight;     // m: of rows beside masses (row_weights.h), where a formulation makes them
    double *mass;       // n: nominal masses, likewise
    double *size;       // n: of velocities (unit_sizes.h)
    double *L;          // n x n
    double *diagonal;   // n: of W
    double *Y;          // n x m
    int     free_column;      // -1: none
    trRrqr  qr;               // n x m
    double *memory;           // 2 n x m
    int    *dropped;          // m: rows found dependent
    trRefinement refinement;  // of a formulation that refines
} trMetric;

// a^2 = tr M / tr A'A, of velocities in one unit: the weight with which M + a^2 A'A has the best
// condition; 0 without rows.
double tr_dense_weight(const trMetric *w);

// W = M + factor A' diag(G) A; G of m entries, or NULL for ones. Fills both triangles.
void tr_dense_augment(const trMetric *w, double factor, const double *G, double *W);

// Y = L \ A' with the norms of its columns in row_norms, and then its columns divided by the
// nominal norms: those of `e`, or the present ones where there are none yet.
void tr_dense_rows(trMetric *w, const trEquations *e);

void tr_metric_plan(trArena *arena, const trEquations *e, trMetric *out);
// The work of a dense formulation, of so many bytes: its first member is its metric, planned here.
trStatus tr_metric_begin(trArena *arena, const trEquations *e, size_t bytes, void **work);
// Ends the plan of such a formulation that refines `once`.
trStatus tr_metric_refines(trArena *arena, const trEquations *e, trSolveOnce once, void *work);
// For the tables: solves, and once more for the residuals.
trStatus tr_metric_solve(void *work, const trEquations *e, const double *F, const double *b,
                         double *a, double *lambda);
// The residuals that (a, lambda) leave, and corrections added.
void tr_metric_residuals(trMetric *w, const trEquations *e, const double *F, const double *b,
                         const double *a, const double *lambda);
void tr_metric_correct(const trMetric *w, const trEquations *e, double *a, double *lambda);
const double *tr_metric_norms(const void *work);  // for the tables
// M, A, L, Y, row_norms and scale with W = M. TR_SINGULAR, with free_column, where it is not
// positive definite, which the formulation needs.
trStatus tr_metric_of_mass(trMetric *w, const trEquations *e, const char *formulation);
// The same with W = M + weight A'A, of tr_dense_weight: positive definite if [M; A] has full rank.
trStatus tr_metric_balanced(trMetric *w, const trEquations *e);
// Factors Y, decides the rank.
trStatus tr_metric_judge(trMetric *w, const trEquations *e);
trRank   tr_metric_rank(void *work);  // for the tables
// The same for formulations whose solution has a part in every row: the gap is that of all rows.
trRank tr_metric_rank_of_all(void *work);
trRank tr_metric_unjudged(void *work);  // for formulations that keep every row
// In the basis Q that was factored, with F in u (n), which is memory afterwards, and z (m) memory:
//
//     u = Q' L^-1 F        u_r <- R_r' \ (D^-1 b)_r        a = L' \ Q u
//     D lambda_r = R_r \ (what u_r lost)                   other lambda = 0
void tr_metric_solve_by_qr(trMetric *w, const double *b, double *u, double *z, double *a,
                           double *lambda);
// What the first `rank` rows of an elimination tell, the last of them with this pivot.
trRank tr_metric_found(const trMetric *w, int rank, const int *dropped, double pivot, int row);

// Multipliers from the force that they exert,
//
//     A' lambda = force      T^-1 (A')_r D_r^-1 P = Q R      T: square roots of nominal masses
//
// in the least squares sense over independent rows, in the metric of the masses, so that units do
// not matter; rows found dependent get 0. The work of a formulation that recovers them begins so.
typedef struct trRecovery {
    trMetric metric;   // M + g A'A: row norms, and whether there is inertia everywhere
    trRrqr   qr;       // n x m, of T^-1 A' D^-1
    double  *root;     // n: T
    double  *scale;    // m: D, norms of rows of A T^-1 where they are at their nominal size
    double  *u;        // n
    int     *dropped;  // m
    double  *memory;   // 2 n x m
    double   trace;    // of T^-1 M T^-1
} trRecovery;

trStatus tr_recovery_begin(trArena *arena, const trEquations *e, size_t bytes, void **work);
trStatus tr_recovery_factor(trRecovery *r, const trEquations *e);
void     tr_recover_lambda(trRecovery *r, const double *force, double *lambda);
// F - M a into `force` (n).
void   tr_constraint_force(const trEquations *e, const double *F, const double *a, double *force);
trRank tr_recovery_rank(void *work);  // for the tables

#endif
