// SPDX-License-Identifier: MIT
// The systems of models/papers, for the tests that run every method on them.

#ifndef TR_TESTS_SCENARIO_PAPERS_H
#define TR_TESTS_SCENARIO_PAPERS_H

#include "scenario/scenario.h"

// Loads models/papers/<file> and builds the system, as run_load does.
trStatus paper_load(const char *file, const char *const *set, trSimDef *def, Run *out);

// Sums of squares of all rows, the largest over the states that were looked at.
typedef struct Squares {
    double position;  // phi'phi
    double velocity;  // (A v - b1)'(A v - b1)
} Squares;

// Evaluates a system apart from the simulation: what trSimStats says of violations is compared with
// it.
typedef struct Watch {
    trArena *arena;
    trEval   eval;
    double  *rate;  // m
    Squares  worst;
} Watch;

void watch_begin(const trSystem *system, Watch *watch);
// Looks at the present state.
void watch_look(Watch *watch, const trSim *sim);
void watch_end(Watch *watch);

// "rk4", or NULL for a method that has an integrator of its own.
const char *paper_integrator(const char *method);

// Bases of the method "maggi".
#define PAPER_BASES 8
extern const char *const paper_basis[PAPER_BASES];

// Positions and velocities at the end of `duration`, from an adaptive method of order 8 with
// projected stages at a tolerance of 1e-12; nq and nv numbers.
void paper_reference(const Run *run, double duration, double *q, double *v);

// |x - y|, n numbers.
double paper_distance(int n, const double *x, const double *y);

#endif
