// SPDX-License-Identifier: MIT
// From numbers to places: u = x or log10 x, then linearly to pixels.

#ifndef TR_PLOT_SCALE_H
#define TR_PLOT_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "trammel/plot.h"

typedef struct trScale {
    bool   log;
    double lo, hi;        // range of u, lo < hi
    double at_lo, at_hi;  // where it is drawn [px]
} trScale;

typedef struct trPointCount {
    int64_t shown;   // finite points in the ranges
    int64_t hidden;  // finite points that a logarithmic scale has no place for
} trPointCount;

// Whether a value has a place: finite, and positive on a logarithmic scale. Values beyond 1e300 in
// size count as infinite, so that no arithmetic overflows.
bool tr_scale_has(const trScale *scale, double value);

// The pixel of a value that has a place. Bounded by 1e7 on either side.
double tr_scale_px(const trScale *scale, double value);

// The same for u.
double tr_scale_px_of_u(const trScale *scale, double u);

// Fits both scales to a chart: the range that an axis fixes, or that of the points with a margin.
// Pixels stay zero.
trStatus tr_scale_fit(const trChart *chart, trScale *x, trScale *y, trPointCount *count);

#endif
