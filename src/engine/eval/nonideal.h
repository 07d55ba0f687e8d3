// SPDX-License-Identifier: MIT
// Accelerations and multipliers where the non-ideal force C depends on lambda.

#ifndef TR_EVAL_NONIDEAL_H
#define TR_EVAL_NONIDEAL_H

#include "formulation/formulation.h"
#include "system/system.h"

#define TR_REACT_DEPTH 5

// Memory of the fixed point over lambda; vectors of m, or none where C does not depend on it.
typedef struct trReact {
    double *F;  // nv: Q + C of the last solve
    double *in, *gap, *old_gap, *old_out, *rest;
    double *dgap[TR_REACT_DEPTH], *dout[TR_REACT_DEPTH];
    double *basis[TR_REACT_DEPTH], *image[TR_REACT_DEPTH];
    int     rounds;
} trReact;

trStatus tr_react_plan(trArena *arena, const trSystem *system, trReact *react);

// M a + A' lambda = Q + C(lambda) and A a = b, at what was evaluated and factored last.
trStatus tr_nonideal_solve(trReact *react, trKernel *kernel, trEval *eval, const double *b,
                           double *a, double *lambda);

#endif
