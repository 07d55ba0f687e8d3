// SPDX-License-Identifier: MIT
/// @file plot.h Charts as stand-alone SVG files.
///
///     double     t[100], error[100];
///     trSeries   line = {.name = "lagrange", .n = 100, .x = t, .y = error};
///     trChart    chart = {.title = "Drift", .series = &line, .series_count = 1,
///                         .x = {.label = "time", .unit = "s"},
///                         .y = {.label = "violation", .unit = "m", .scale = TR_SCALE_LOG}};
///     if (tr_chart_write(&chart, file) != TR_OK) { ... tr_last_error() ... }
///
/// Every field may be zero or NULL; zero is the common choice. Strings are UTF-8; invalid bytes
/// are replaced. ^ before an integer makes it a superscript: "m/s^2", "10^-4".
///
/// The same chart gives the same bytes in every locale. Points that are not finite
/// are gaps. Points at or below 0 on a logarithmic axis are gaps too, and a note counts them. A
/// line of many points is reduced to the lowest and the highest of each pixel column, so that files
/// stay small and extremes stay visible. Lines end at the border of a fixed range.
///
/// Nothing is allocated; a call needs less than 100 kB of stack. Calls may run in any number of
/// threads.

#ifndef TRAMMEL_PLOT_H
#define TRAMMEL_PLOT_H

#include <stdio.h>

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum trScaleKind { TR_SCALE_LINEAR, TR_SCALE_LOG } trScaleKind;

typedef struct trAxis {
    const char *label;     ///< "time"
    const char *unit;      ///< "s"; written in brackets after the label, with a power of ten if
                           ///< numbers are large or small: "energy [10^-6 J]"
    trScaleKind scale;     ///< on TR_SCALE_LOG, from and to are positive
    double      from, to;  ///< range in the axis' unit, from < to; both 0: fitted to the points
} trAxis;

typedef enum trLine {
    TR_LINE_AUTO,  ///< solid for the first 8 styles, then dashed, dotted and dash-dotted
    TR_LINE_NONE,
    TR_LINE_SOLID,
    TR_LINE_DASHED,
    TR_LINE_DOTTED,
    TR_LINE_DASH_DOT
} trLine;

typedef enum trMarker {
    TR_MARKER_NONE,
    TR_MARKER_AUTO,  ///< a shape by the style of the series
    TR_MARKER_CIRCLE,
    TR_MARKER_SQUARE,
    TR_MARKER_TRIANGLE,
    TR_MARKER_DIAMOND,
    TR_MARKER_TRIANGLE_DOWN,
    TR_MARKER_CROSS
} trMarker;

typedef struct trSeries {
    const char   *name;    ///< in the legend; NULL or "": not listed
    const double *x;       ///< n
    const double *y;       ///< n
    int           n;       ///< points
    trLine        line;    ///< how points are joined, in the order given
    trMarker      marker;  ///< on each point, on some of them where a line has more than 200
    int           style;   ///< 0: by its place in the chart; k > 0: as the k-th series would look,
                           ///< so that one method looks the same in charts that show different ones
} trSeries;

typedef enum trLegend { TR_LEGEND_RIGHT, TR_LEGEND_BELOW, TR_LEGEND_NONE } trLegend;

typedef struct trChart {
    const char        *title, *subtitle;  ///< wrapped where they are long
    trAxis             x, y;
    const trSeries    *series;        ///< series_count, drawn in this order
    int                series_count;  ///< no limit; looks differ for the first 32
    const char *const *notes;         ///< note_count, small text at the foot
    int                note_count;
    int                width, height;  ///< of the picture [px]; 0: 720 and 440
    trLegend           legend;         ///< beside or below the data, never over them
} trChart;

/// Writes the chart as one SVG document. TR_E_ARGUMENT for an invalid range, count or size (named
/// in the message), before anything is written; TR_E_IO if the file cannot be written.
TR_API trStatus tr_chart_write(const trChart *chart, FILE *file) TR_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
