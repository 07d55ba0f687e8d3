// SPDX-License-Identifier: MIT
// What a formulation gives for equations at one instant, and how far that is from what is known.

#ifndef TR_PAPERS_ANSWER_H
#define TR_PAPERS_ANSWER_H

#include "formulation/formulation.h"
#include "formulation/golden.h"

typedef struct Answer {
    trStatus status;
    char     why[200];         // if it failed
    int      dropped;          // rows that were found dependent
    double   a[GOLDEN_N];      // nv
    double   force[GOLDEN_N];  // nv: -A' lambda, the constraint force
} Answer;

// By the name of a formulation; options may be NULL. e->nv <= GOLDEN_N, e->m <= GOLDEN_M.
Answer answer_of(const char *formulation, const trParam *options, const trEquations *e);

// Whether a formulation claims to take a system: its mass matrix and its rows.
bool answer_is_claimed(const trFormulationKind *kind, const Golden *golden);

// The system of this name, or the end of the program.
const Golden *golden_named(const char *name);

// max |a - a*| / (max |a*| + max |a0|), with a0 the motion before rows are enforced exactly,
// (M + g A'A) a0 = Q + g A'b, g = tr M / tr A'A: what a formulation subtracts from.
double answer_error(const Answer *answer, const GoldenSystem *system);
// max |force - Fc| / (max |Fc| + max |Q|)
double answer_force_error(const Answer *answer, const GoldenSystem *system);

double largest(int n, const double *x);                              // max |x|
double largest_difference(int n, const double *x, const double *y);  // max |x - y|

#endif
