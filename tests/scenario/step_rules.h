// SPDX-License-Identifier: MIT
// Runs whose steps are judged and chosen by rules of other codes, so that what a controller does to
// a figure can be told apart from what the equations do. The right side is that of a simulation;
// attempts are made by an integrator of the library, or by the Fehlberg pair.

#ifndef TR_TESTS_SCENARIO_STEP_RULES_H
#define TR_TESTS_SCENARIO_STEP_RULES_H

#include "sim/sim.h"

#define STAGES_ROOM 7

// An embedded pair of orders 5 and 4 that continues with order 5.
typedef struct Pair {
    const trIntegratorKind *kind;
    int                     stages;
    double                  estimate[STAGES_ROOM];  // e = h sum_j estimate[j] k_j, with its sign
} Pair;

Pair pair_dormand_prince(void);  // attempts of the library's dopri5
Pair pair_fehlberg(void);

// A component passes if its error is at most its tolerance. The next step is
//     h min(grow, max(shrink, safety (largest error / tolerance)^(-1/5))), at most max_step
// whether or not the attempt was good.
typedef struct StepRule {
    double (*tolerance)(const trTolerance *given, double x, double x_new);
    bool   signed_error;  // an error below zero passes, whatever its size
    double safety;
    double shrink, grow;  // 0 and INFINITY: no limit
} StepRule;

// A textbook controller: atol + rtol max(|x|, |x_new|), safety 0.9, limits 0.2 and 5.
StepRule rule_plain(void);
// max(rtol x_new, atol) without an absolute value, safety 0.8, no limits.
StepRule rule_without_absolute(void);
// The same with x, and with errors that keep their sign: early odepkg.
StepRule rule_signed(void);

// A run in numbers. `measure` is a quantity of the state, watched after every accepted step.
typedef struct Tally {
    long   accepted, rejected;
    double last, most;  // measure at the end, and the largest |measure|
    double longest;     // accepted step [s]
} Tally;

// From the start of `sim`, with its tolerances, first and largest step and duration. Steps are
// projected where the method of `sim` projects them. Ends before its time when |measure| has
// passed `bound`. The time of `sim` does not move.
trStatus drive(trSim *sim, const Pair *pair, const StepRule *rule,
               double (*measure)(const double *x), double bound, Tally *out);

#endif
