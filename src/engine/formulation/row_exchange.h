// SPDX-License-Identifier: MIT
// Which of the rows that depend on each other are kept.
//
// A row d that was dropped is a combination of kept rows, and could take the place of any k with
// c_dk != 0:
//
//     A_d = sum over kept k of c_dk A_k
//     M a + A' lambda = A_d',  A_kept a = 0:    lambda_k = c_dk,  a = 0
//
// In rows of unit nominal norm N the exchange multiplies the volume that the kept rows span by
// |c_dk| N_k / N_d, so that exchanges with a gain lead to a well-conditioned choice (Gu and
// Eisenstat, SIAM J. Sci. Comput. 17 (1996), 848-869), which depends neither on the metric nor on
// units. Rows that are out are marked in `spare` of the equations. A choice is changed at accepted
// states only, and only for a clear gain, so that it is steady. See docs/theory/redundant-rows.md.

#ifndef TR_FORMULATION_ROW_EXCHANGE_H
#define TR_FORMULATION_ROW_EXCHANGE_H

#include "formulation/formulation.h"

typedef struct trRowExchange {
    double *F;        // nv
    double *right;    // m
    double *a;        // nv
    double *lambda;   // m
    double *moved;    // m: A a
    bool   *dropped;  // m: by the last choice
    int     next;     // of the dropped rows, where there are too many to look at all of them
    int     most;     // the largest rank so far
} trRowExchange;

// What judged the rank: a kernel, and the equations it has factored.
typedef struct trRowJudge {
    trKernel   *kernel;
    trEquations e;
    trRank      rank;
    bool        stands_in;  // for the kernel that solves, which leaves rows unjudged
} trRowJudge;

// Whose rows they are.
typedef struct trRowOwner {
    void *self;
    // Factors at the accepted state, with `spare` as it is now.
    trStatus (*judge)(void *self, trRowJudge *out);
    void (*set_spare)(void *self, int row, bool spare);  // equations get another stamp
    void (*exchanged)(void *self, int goes, int comes);  // may be NULL
} trRowOwner;

void tr_row_exchange_plan(trArena *arena, const trEquations *e, trRowExchange *out);

// After a factorization with the rank `found`: the kept row that goes and the dropped one that
// comes, or -1 for both where no exchange is worth it.
trStatus tr_row_exchange_find(trRowExchange *x, const trKernel *k, const trEquations *e,
                              const trRank *found, int *goes, int *comes);

// A spare row that kept rows do not imply any more, or -1. At the first choice the limit is that
// of elimination; later ones have a margin, so that rows do not come and go.
trStatus tr_row_exchange_missing(trRowExchange *x, const trKernel *k, const trEquations *e,
                                 bool first, int *row);

// After a factorization: the pivot that a row would have after those that are kept, relative to its
// nominal size; zero but for rounding if they imply it.
trStatus tr_row_exchange_pivot(trRowExchange *x, const trKernel *k, const trEquations *e, int row,
                               double *pivot);

// Chooses at an accepted state; `rank` is that of the choice. Where it is below `least`, in a
// singular pose, the choice stays: the rows that are lost there are needed beside it. `least` is
// negative at the first choice.
trStatus tr_row_exchange_choose(trRowExchange *x, const trRowOwner *owner, int least, trRank *rank);

#endif
