// SPDX-License-Identifier: MIT
// Colors, dashes and markers of series.

#ifndef TR_PLOT_LOOK_H
#define TR_PLOT_LOOK_H

#include "trammel/plot.h"

#define TR_LINE_WIDTH 1.6  // [px]

typedef struct trLook {
    const char *color;   // "#0072b2"
    const char *dashes;  // of stroke-dasharray; "" for a solid line
    trLine      line;    // never AUTO
    trMarker    marker;  // never AUTO
} trLook;

// The look of a series at `place` (0, 1, ...) of a chart.
trLook tr_look_of(const trSeries *series, int place);

// One marker as a piece of path data, about `size` px in radius.
void tr_look_put_marker(FILE *file, trMarker marker, double x, double y, double size);

#endif
