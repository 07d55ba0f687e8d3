// SPDX-License-Identifier: MIT
// The parts of a chart, from numbers to text:
//
//     text.c     XML, numbers, and estimates of how wide texts will be
//     scale.c    from numbers to pixels
//     ticks.c    where an axis has ticks, and their labels
//     look.c     colors, dashes and markers of series
//     series.c   the line and the markers of a series as path data
//     layout.c   where everything is
//     axes.c     grid, axes, ticks and labels
//     svg.c      the document

#ifndef TR_PLOT_PLOT_H
#define TR_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "trammel/plot.h"

// --- text.c ---

#define TR_DECIMAL_BYTES 64

// Like fprintf, but for XML and the same in every locale. It knows
//     %d   an int
//     %g   a double, rounded to 2 decimals at most and without trailing zeros: a coordinate
//     %e   a double with 4 significant digits at most: a value
//     %s   a text, escaped; bytes and characters that XML does not allow become U+FFFD
//     %%
// and nothing else: no widths, no precisions.
void tr_text_print(FILE *file, const char *format, ...) TR_PRINTF(2, 3);
// The first `bytes` bytes of a text, escaped, with whole numbers after ^ raised. `size` is the font
// size [px].
void tr_text_put_rich(FILE *file, const char *text, size_t bytes, double size);
// A whole text in this way, or its beginning and an ellipsis if it is wider than `width` [px].
void tr_text_put_fitted(FILE *file, const char *text, double size, double width);
// A raised whole number. Nothing may follow it on its line.
void tr_text_put_power(FILE *file, int power, double size);
// How wide `bytes` bytes of a text are [px]. The widths are those of a wide sans-serif font, so
// that what is estimated not to overlap does not, whatever font the reader has.
double tr_text_width(const char *text, size_t bytes, double size);
// Bytes of the longest beginning, of whole characters, that is not wider than `width` [px].
size_t tr_text_fit(const char *text, size_t bytes, double size, double width);
// Bytes of the first line if the text is broken between words so that no line is wider than `width`
// [px]. A word that is wider by itself is broken. `next` becomes the start of the next line, or
// NULL.
size_t tr_text_line(const char *text, double size, double width, const char **next);
// digits 10^power in decimal notation with a true minus sign. -17 <= power <= 17.
void tr_text_decimal(int64_t digits, int power, char out[TR_DECIMAL_BYTES]);

// --- scale.c: u = x or log10 x, then linearly to pixels ---

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
// The pixel of a value that has a place, and of u. Bounded by 1e7 on either side.
double tr_scale_px(const trScale *scale, double value);
double tr_scale_px_of_u(const trScale *scale, double u);
// Fits both scales to a chart: the range that an axis fixes, or that of the points with a margin.
// Pixels stay zero.
trStatus tr_scale_fit(const trChart *chart, trScale scales[2], trPointCount *count);

// --- ticks.c ---
//
// Linear: steps of 1, 2 or 5 times a power of ten; labels have the digits of the step. Large and
// small numbers share a power of ten with an exponent that 3 divides; it belongs in the axis'
// label. Logarithmic: powers of ten, each, or each second, fifth, ... if there are many; 1, 2, 5
// times powers of ten if there are few; the linear steps if there are hardly any.

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
void   tr_ticks_choose(const trScale *scale, bool horizontal, trTicks *out);
double tr_tick_width(const trTick *tick);  // of its label [px]

// --- look.c ---

#define TR_LINE_WIDTH 1.6   // [px]
#define TR_MARKER_SIZE 3.2  // [px]

typedef struct trLook {
    const char *color;   // "#0072b2"
    const char *dashes;  // of stroke-dasharray; "" for a solid line
    trLine      line;    // never AUTO
    trMarker    marker;  // never AUTO
} trLook;

// The look of a series at `place` (0, 1, ...) of a chart.
trLook tr_look_of(const trSeries *series, int place);
// One marker as a piece of path data, about TR_MARKER_SIZE in radius.
void tr_look_put_marker(FILE *file, trMarker marker, double x, double y);

// --- series.c ---

#define TR_ALL_MARKERS 200  // a line with more points has markers on some

typedef struct trBox {
    double left, top, right, bottom;  // [px], y downward
} trBox;

// The line through the points, clipped to the box. A point alone between gaps becomes a dot. Of
// each run of points within one pixel column the lowest and the highest are kept, and the ends of
// lines.
void tr_series_put_line(FILE *file, const trSeries *series, const trScale scales[2],
                        const trBox *box);
// The markers of points inside the box: one at most for each pixel, and where a line has more than
// TR_ALL_MARKERS points, about 20 along it.
void tr_series_put_markers(FILE *file, const trSeries *series, const trLook *look,
                           const trScale scales[2], const trBox *box);

// --- layout.c: from top to bottom title, subtitle, the box of the data with its axes, legend (if
// below), notes ---

#define TR_MARGIN 16.0      // around the picture [px]
#define TR_TITLE_SIZE 15.0  // font sizes [px]
#define TR_BOLD 1.14        // bold letters are wider
#define TR_SUBTITLE_SIZE 12.0
#define TR_LABEL_SIZE 12.5
#define TR_LEGEND_SIZE 11.5
#define TR_NOTE_SIZE 10.5
#define TR_TITLE_LINE 20.0  // from one line to the next [px]
#define TR_SUBTITLE_LINE 16.0
#define TR_LEGEND_LINE 18.0
#define TR_NOTE_LINE 14.0
#define TR_TICK_LENGTH 5.0  // [px]
#define TR_SWATCH 28.0      // the line beside a name of the legend [px]
#define TR_SWATCH_GAP 7.0

typedef struct trLayout {
    double  width, height;       // of the picture [px]
    trBox   box;                 // of the data
    trScale scales[2];           // x, y
    trTicks ticks[2];            // x, y
    char    hidden[128];         // note on points that cannot be shown, or ""
    bool    empty;               // no point is shown
    double  legend_x, legend_y;  // its upper left corner [px]
    double  legend_item;         // width of a column [px]
    int     legend_columns, legend_rows;
    int     names;        // series with a name
    int     names_shown;  // of them in the legend; the last entry counts the others
    double  x_label_y;    // base line [px]
    double  notes_y;      // base line of the first note [px]
} trLayout;

// Refuses what tr_chart_write refuses.
trStatus tr_layout_make(const trChart *chart, trLayout *out);
bool     tr_layout_is_named(const trSeries *series);
// Lines of a text between the margins.
int tr_layout_lines(const trLayout *layout, const char *text, double size);

// --- axes.c ---

#define TR_LABEL_BYTES 512

// "energy [10^-6 J]" of an axis whose tick labels lack a power of ten; "" if there is nothing to
// say.
void tr_axes_label(const trAxis *axis, int exponent, char out[TR_LABEL_BYTES]);
// Both are drawn below the data, the axes above the grid.
void tr_axes_put_grid(FILE *file, const trLayout *layout);
void tr_axes_put(FILE *file, const trChart *chart, const trLayout *layout);

#endif
