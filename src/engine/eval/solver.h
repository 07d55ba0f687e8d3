// SPDX-License-Identifier: MIT
// What a handle of trammel/eval.h has besides the equations.

#ifndef TR_EVAL_SOLVER_H
#define TR_EVAL_SOLVER_H

#include "eval/nonideal.h"
#include "projection/projection.h"
#include "system/tangent.h"

#define TR_RANK_TOLERANCE 1e-4  // on rows of A, where nobody chooses

typedef struct trSolver {
    trArena    *arena;    // of the handle
    trArena    *solving;  // kernel, projector, react; NULL until they are needed
    trArena    *linear;   // tangent; likewise
    double      t;        // as it was given; that of the evaluation is just behind a break [s]
    double     *z;        // states
    trKernel    kernel;   // of tr_eval_solve
    trProjector projector;
    trManifold  manifold;
    trReact     react;
    double     *lambda;  // m: where the caller wants none
    trTangent   tangent;
} trSolver;

// A handle with this tolerance on rows of A.
trStatus tr_eval_new(const trSystem *system, double rank_tolerance, trEval **out);
// Plans its memory for solving, with A as evaluated last to tell the arms of joints.
trStatus tr_eval_prepare(trEval *eval);
// The handle leaves out the same rows as the other evaluation and counts turns from the same state.
void tr_eval_follow(trEval *handle, const trEval *other);

#endif
