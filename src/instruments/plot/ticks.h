// SPDX-License-Identifier: MIT
// Where an axis has ticks, and what stands beside them.
//
// Linear: steps of 1, 2 or 5 times a power of ten; labels have the digits of the step. Large and
// small numbers share a power of ten with an exponent that 3 divides; it belongs in the axis'
// label. Logarithmic: powers of ten, each, or each second, fifth, ... if there are many; 1, 2, 5
// times powers of ten if there are few; the linear steps if there are hardly any.

#ifndef TR_PLOT_TICKS_H
#define TR_PLOT_TICKS_H

#include "plot/scale.h"
#include "plot/text.h"

#define TR_TICKS 128
#define TR_TICK_SIZE 11.0  // font size of labels [px]

typedef struct trTick {
    double u;                       // place on the scale: value, or log10 of it
    char   text[TR_DECIMAL_BYTES];  // label; "" for a minor tick
    int    power;                   // raised after the text if has_power: "10" and -3
    bool   has_power;
} trTick;

typedef struct trTicks {
    int    count;
    int    exponent;  // labels are to be multiplied by 10^exponent
    trTick tick[TR_TICKS];
} trTicks;

// Chooses ticks for a scale whose pixels are set, so that labels side by side (`horizontal`), or
// one above the other, do not touch.
void tr_ticks_choose(const trScale *scale, bool horizontal, trTicks *out);

double tr_tick_width(const trTick *tick);  // of its label [px]

#endif
