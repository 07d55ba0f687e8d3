// SPDX-License-Identifier: MIT
// A carry is what a method integrates in place of the velocities v: y, of as many numbers, that
// says as much about the motion. It is entered at every accepted state and left in every
// evaluation, where v must satisfy A v = b1.
//
//     y' = (rate) + d/ds image(q moved by s v, t + s)    at s = 0, v fixed
//
// The second part, of matrices that change along the motion, is made by sim/carry.c.

#ifndef TR_CARRY_CARRY_H
#define TR_CARRY_CARRY_H

#include "base/registry.h"
#include "formulation/formulation.h"

typedef struct trCarryKind {
    const char *name;
    const char *summary;
    const char *source;
    unsigned    traits;
    // `kernel` solves with M and A of any equations.
    trStatus (*plan)(trArena *arena, const trEquations *e, trKernel *kernel, void **work);
    // A step begins at an accepted state: what stays fixed until the next is chosen here.
    trStatus (*enter)(void *work, const trEquations *e, const double *v, double *y);
    // v from y; rows of `e` must be linear in v.
    trStatus (*leave)(void *work, const trEquations *e, const double *y, double *v);
    // At the state that was left last: F = Q + C and accelerations a.
    void (*rate)(void *work, const double *F, const double *a, double *rate);
    trStatus (*image)(void *work, const trEquations *e, const double *v, double *image);
    int (*lost_row)(const void *work);  // after TR_SINGULAR: a row that is dependent; NULL: unknown
} trCarryKind;

TR_REGISTRY(carry, trCarryKind);

#endif
