// SPDX-License-Identifier: MIT
// Where the parts of a chart stand. From top to bottom: title, subtitle, the box of the data with
// its axes, legend (if below), notes.

#ifndef TR_PLOT_LAYOUT_H
#define TR_PLOT_LAYOUT_H

#include "plot/series.h"
#include "plot/ticks.h"

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
    double  width, height;  // of the picture [px]
    trBox   box;            // of the data
    trScale scales[2];      // x, y
    trTicks x_ticks, y_ticks;
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

bool tr_layout_is_named(const trSeries *series);

// Lines of a text between the margins.
int tr_layout_lines(const trLayout *layout, const char *text, double size);

#endif
