// SPDX-License-Identifier: MIT
#ifndef TR_BASE_FINITE_H
#define TR_BASE_FINITE_H

#include <stdbool.h>

// 0 times a number is 0, times anything else NaN. Four sums at a time keep the processor busy.
static inline bool tr_all_finite(const double *x, int count) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int    i = 0;
    for (; i + 4 <= count; i += 4) {
        sum[0] += 0.0 * x[i];
        sum[1] += 0.0 * x[i + 1];
        sum[2] += 0.0 * x[i + 2];
        sum[3] += 0.0 * x[i + 3];
    }
    for (; i < count; i++) {
        sum[0] += 0.0 * x[i];
    }
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

#endif
