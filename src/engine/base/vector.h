// SPDX-License-Identifier: MIT
// Arrays of numbers as vectors.

#ifndef TR_BASE_VECTOR_H
#define TR_BASE_VECTOR_H

#include <stddef.h>
#include <string.h>

#include "base/largest.h"

// y = x; both may be NULL where n is 0.
TR_INLINE void tr_copy(int n, const double *x, double *y) {
    if (n > 0) {
        memcpy(y, x, (size_t)n * sizeof *y);
    }
}

// x' y
TR_INLINE double tr_dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

// y = y + k x
TR_INLINE void tr_add_scaled(int n, double k, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] += k * x[i];
    }
}

#endif
