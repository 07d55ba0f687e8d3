// SPDX-License-Identifier: MIT
// The bodies behind the columns of A, for the files that plan the sparse kernel.

#ifndef TR_FORMULATION_SCHUR_BODIES_H
#define TR_FORMULATION_SCHUR_BODIES_H

#include "formulation/schur.h"

// Sides sorted by the body they touch.
typedef struct trSchurBodies {
    int  count;
    int *column;  // count: first column of each
    int *width;   // count
    int *start;   // count + 1: first of its sides in `side`
    int *side;    // sides
    int *kept;    // count: number among the kept bodies, or -1
} trSchurBodies;

// Finds them and chooses which are kept. Memory from `scratch`; s->kept and its lists are filled.
trStatus tr_schur_find_bodies(trArena *scratch, const trEquations *e, trSchur *s,
                              trSchurBodies *out);

#endif
