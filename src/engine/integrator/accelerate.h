// SPDX-License-Identifier: MIT
// Newton's method with an old matrix, accelerated. The corrections that the matrix has given so far
// tell how wrong it is along the steps taken; the next one is made as if it were right there:
//
//     d = f - sum c_i (s_i + g_i),    c minimizes |f - sum c_i g_i|
//
// with f the correction that the matrix gives, s_i steps taken and g_i by how much f changed with
// them. Where few stiff directions turn while all else stays, as with stiff springs between moving
// bodies, a few iterations find them, without new derivatives.
// Reference: Anderson, J. ACM 12 (1965), 547-560; Carlson and Miller, SIAM J. Sci. Comput. 19
// (1998), 728-765 (nonlinear Krylov acceleration).

#ifndef TR_INTEGRATOR_ACCELERATE_H
#define TR_INTEGRATOR_ACCELERATE_H

#include <stdbool.h>

#include "base/arena.h"

#define TR_ACCELERATE_DEPTH 8

typedef struct trAccelerator {
    int     n;
    int     depth, count, next;  // pairs there may be, there are, and the one to be replaced
    bool    has_last;
    double *weight;                          // n: in |.|; set by the caller
    double *step[TR_ACCELERATE_DEPTH];       // n: s
    double *change[TR_ACCELERATE_DEPTH];     // n: g
    double *basis[TR_ACCELERATE_DEPTH];      // n: g, orthonormal, weighted
    double *last_given, *last_taken, *rest;  // n
} trAccelerator;

trStatus tr_accelerator_plan(trArena *arena, int n, int depth, trAccelerator *out);
void     tr_accelerator_forget(trAccelerator *a);  // another matrix
void     tr_accelerator_begin(trAccelerator *a);   // another problem with the same matrix
// f becomes d, n. Returns |f| / |d| where d is the smaller one, else 1: a short step does not mean
// that little is left.
double tr_accelerate(trAccelerator *a, double *f);

#endif
