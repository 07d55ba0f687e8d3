// SPDX-License-Identifier: MIT
#ifndef TR_BASE_LARGEST_H
#define TR_BASE_LARGEST_H

#include <math.h>

#include "base/status.h"

// max |x_i|; of no numbers, 0. What is not a number is passed over.
TR_INLINE double tr_largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// Where |x_i| is largest, the first of equal ones; of no numbers, 0.
TR_INLINE int tr_largest_at(int n, const double *x) {
    int most = 0;
    for (int i = 1; i < n; i++) {
        most = fabs(x[i]) > fabs(x[most]) ? i : most;
    }
    return most;
}

#endif
