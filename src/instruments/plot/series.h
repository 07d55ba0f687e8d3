// SPDX-License-Identifier: MIT
// The line and the markers of one series as path data of SVG.

#ifndef TR_PLOT_SERIES_H
#define TR_PLOT_SERIES_H

#include "plot/look.h"
#include "plot/scale.h"

#define TR_ALL_MARKERS 200  // a line with more points has markers on some
#define TR_MARKER_SIZE 3.2  // [px]

typedef struct trBox {
    double left, top, right, bottom;  // [px], y downward
} trBox;

// The line through the points, clipped to the box. A point alone between gaps becomes a dot. Of
// each run of points within one pixel column the lowest and the highest are kept, and the ends of
// lines.
void tr_series_put_line(FILE *file, const trSeries *series, const trScale *x, const trScale *y,
                        const trBox *box);

// The markers of points inside the box: one at most for each pixel, and where a line has more than
// 200 points, about 20 along it.
void tr_series_put_markers(FILE *file, const trSeries *series, const trLook *look,
                           const trScale scales[2], const trBox *box);

#endif
