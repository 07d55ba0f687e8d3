// SPDX-License-Identifier: MIT
// A formulation turns M, Q, A, b into the acceleration and the multipliers. It factors once and
// solves for as many right sides as are asked: projections are solves with F = 0.
//
//     M a + A' lambda = F,    A a = b

#ifndef TR_FORMULATION_FORMULATION_H
#define TR_FORMULATION_FORMULATION_H

#include "base/field.h"
#include "base/registry.h"
#include "base/traits.h"
#include "system/equations.h"

// What the last factorization found.
typedef struct trRank {
    int        rank;         // rows kept
    int        dropped;      // rows found dependent
    int        unjudged;     // rows kept without a test of their independence
    const int *rows;         // dropped: their numbers
    double     gap;          // smallest kept pivot, relative to its nominal diagonal of A M^-1 A'
    int        gap_row;      // its row
    int        contradicts;  // 1 + a row that contradicts those it depends on, where that is judged
    int        free_column;  // after TR_SINGULAR: a velocity with neither inertia nor constraint,
                             // or -1: `rows` are dependent and the formulation cannot take it
} trRank;

typedef struct trFormulationKind {
    const char    *name;
    const char    *summary;
    const char    *source;  // where it is published
    unsigned       traits;
    double         error;   // stated: of a and A' lambda, relative, on systems of modest condition
    size_t         size;    // of its options
    const trField *fields;  // of them; NULL: it has none
    // `e` gives sizes and patterns here, and M where it is diagonal: that M must not change later.
    // Where `measure` is given, A tells the arms of joints in some pose.
    // `options` are of `fields` and outlive the work; NULL: none is given.
    trStatus (*plan)(trArena *arena, const trEquations *e, const void *options, void **work);
    trStatus (*factor)(void *work, const trEquations *e);
    trStatus (*solve)(void *work, const trEquations *e, const double *F, const double *b, double *a,
                      double *lambda);
    // diag(A M^-1 A') at the last factorization, m; what row_scale is the running maximum of.
    const double *(*row_norms)(const void *work);
    trRank (*rank)(void *work);
    // What rounding leaves in lambda at the last factorization, by row and relative:
    // |error_i| sqrt(A_i M^-1 A_i') / sqrt(a' M a). NULL: next to nothing.
    double (*rounding)(const void *work);
    int64_t (*iterations)(const void *work);  // so far; NULL: it does not iterate
} trFormulationKind;

TR_REGISTRY(formulation, trFormulationKind);

// The two that find dependent rows and need no regular M: others are judged by them.
#define TR_ROBUST_SPARSE "lagrange"
#define TR_ROBUST_DENSE "lagrange_dense"  // where M is not diagonal

static inline const trFormulationKind *tr_formulation_robust(bool dense) {
    return tr_formulation_find(dense ? TR_ROBUST_DENSE : TR_ROBUST_SPARSE);
}

// A formulation at work. Factors only where M or A may have changed since the last time.
typedef struct trKernel {
    const trFormulationKind *kind;
    void                    *work;
    int64_t                  stamp;           // of the equations that are factored; 0: none
    int64_t                  factorizations;  // so far
} trKernel;

static inline trStatus tr_kernel_factor(trKernel *k, const trEquations *e) {
    if (e->stamp != 0 && e->stamp == k->stamp) {
        return TR_OK;
    }
    k->stamp = 0;
    k->factorizations++;
    TR_TRY(k->kind->factor(k->work, e));
    k->stamp = e->stamp;
    return TR_OK;
}

#endif
