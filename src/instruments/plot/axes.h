// SPDX-License-Identifier: MIT
// Grid, axes, ticks and labels.

#ifndef TR_PLOT_AXES_H
#define TR_PLOT_AXES_H

#include "plot/layout.h"

#define TR_LABEL_BYTES 512

// "energy [10^-6 J]" of an axis whose tick labels lack a power of ten; "" if there is nothing to
// say.
void tr_axes_label(const trAxis *axis, int exponent, char out[TR_LABEL_BYTES]);

// Both stand below the data, the axes above the grid.
void tr_axes_put_grid(FILE *file, const trLayout *layout);
void tr_axes_put(FILE *file, const trChart *chart, const trLayout *layout);

#endif
