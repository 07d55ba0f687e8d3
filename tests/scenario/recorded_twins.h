// SPDX-License-Identifier: MIT
// A model with a joint or a force that is built in, and the same model with functions of a user's
// own in its place (tests/scenario/recorded): both must move alike.

#ifndef TR_TESTS_SCENARIO_RECORDED_TWINS_H
#define TR_TESTS_SCENARIO_RECORDED_TWINS_H

#include "sim/sim.h"

#define PAIR_SET 8  // most parameters of a file

// Which models: a file of tests/scenario/recorded, parameters for both, and the word for `by` that
// the second one has in place of "kind".
typedef struct PairChoice {
    const char *file;
    const char *set[PAIR_SET];  // "seed=2", ends with NULL
    const char *by;
} PairChoice;

// The built-in one is 0, the twin 1.
typedef struct Pair {
    char      name[160];  // for messages
    trModel  *model[2];
    trSystem *system[2];
    trSim    *sim[2];
} Pair;

// Loads, builds and assembles both; what fails there fails the test.
Pair pair_load(const PairChoice *choice, const trSimDef *def);
// The same for two with as many positions, velocities and rows.
Pair pair_make(const PairChoice *choice, const trSimDef *def);
void pair_free(Pair *pair);

// dop853 with tolerances of 1e-10, over one second.
trSimDef pair_def(void);

// The largest difference of positions and angles of all bodies. [m, rad]
double pair_apart(const Pair *pair);

// At the present state of the built-in one: the twin's constraints hold there, and accelerations,
// loads and degrees of freedom are equal.
void expect_equal_joints(Pair *pair);

// Somewhere off the constraints, where twins that are the same functions are still equal.
void expect_equal_rows(Pair *pair);

// At the present state of the built-in one: generalized loads, and power of what has no potential.
void expect_equal_forces(Pair *pair);

// Runs both, each with a closed balance of energy.
void run_both(Pair *pair);

// And both end at the same place.
void expect_equal_runs(Pair *pair);

// A hundred implicit steps end at the same place, after as many iterations in every step, give or
// take three, and in all, give or take a quarter.
void expect_equal_implicit_steps(const PairChoice *choice);

#endif
