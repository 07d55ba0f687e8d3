// SPDX-License-Identifier: MIT
// An interpreter of expressions as they were constructed, for comparison with tapes. It shares no
// code with them.
//
// First derivatives come from the complex step, f'(x) = Im f(x + ih) / h, whose error h^2 is far
// below rounding; second ones from the complex step of dual numbers, which carry a first derivative
// in another direction. Comparisons look at real parts. All in long double, so that errors are the
// tape's.

#ifndef TR_TESTS_TAPE_REFERENCE_H
#define TR_TESTS_TAPE_REFERENCE_H

#include "tape/expression.h"

// What is known of the function at a point. Bounds are of the errors that double precision makes.
typedef struct Reference {
    double value, value_bound;
    double first, first_bound;    // along `complex_direction`
    double second, second_bound;  // along both
    bool   undecided;             // rounding decides which branch is taken: nothing can be said
    bool   defined;               // the value is a finite number
    // Inputs (bits) with respect to which a formula has no finite slope here, for example that of
    // sqrt at 0.
    unsigned singular;
} Reference;

Reference reference_at(const Expression *e, const double *dual_direction,
                       const double *complex_direction);

#endif
