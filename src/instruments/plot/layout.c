// SPDX-License-Identifier: MIT
// Heights first, then the ticks of y, whose labels say how much the box leaves at its left, then
// the legend, then the ticks of x.

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plot/plot.h"

#define DEFAULT_WIDTH 720
#define DEFAULT_HEIGHT 440
#define LEAST_SIZE 160     // of a picture [px]
#define LARGEST_SIZE 8192  // [px]
#define LEAST_BOX 60.0     // the data need so much [px]
#define AXIS_HEIGHT 42.0   // ticks, their labels and the label of the x axis [px]
#define LABEL_ROOM 22.0    // beside the labels of the y axis, for its own [px]
#define LEGEND_GAP 18.0    // between box and legend [px]
#define LEGEND_PART 0.42   // of the picture that a legend may take
#define COLUMN_GAP 14.0

bool tr_layout_is_named(const trSeries *series) {
    return series->name != NULL && series->name[0] != '\0';
}

static bool is_empty(const char *text) {
    return text == NULL || text[0] == '\0';
}

int tr_layout_lines(const trLayout *layout, const char *text, double size) {
    int lines = 0;
    for (const char *rest = text; rest != NULL && rest[0] != '\0'; lines++) {
        (void)tr_text_line(rest, size, layout->width - 2.0 * TR_MARGIN, &rest);
    }
    return lines;
}

static trStatus check(const trChart *chart) {
    int sizes[] = {chart->width, chart->height};
    for (int i = 0; i < 2; i++) {
        if (sizes[i] != 0 && (sizes[i] < LEAST_SIZE || sizes[i] > LARGEST_SIZE)) {
            return tr_fail(TR_E_ARGUMENT, "chart: a %s of %d px; it must lie between %d and %d",
                           i == 0 ? "width" : "height", sizes[i], LEAST_SIZE, LARGEST_SIZE);
        }
    }
    if (chart->series_count < 0 || chart->note_count < 0) {
        return tr_fail(TR_E_ARGUMENT, "chart: %d series and %d notes", chart->series_count,
                       chart->note_count);
    }
    for (int i = 0; i < chart->series_count; i++) {
        const trSeries *series = &chart->series[i];
        if (series->n < 0 || (series->n > 0 && (series->x == NULL || series->y == NULL))) {
            return tr_fail(TR_E_ARGUMENT, "chart: series %d has %d points%s", i + 1, series->n,
                           series->n > 0 ? " and no numbers" : "");
        }
    }
    return TR_OK;
}

// Counts the names and finds how wide a column of the legend has to be.
static void measure_names(const trChart *chart, trLayout *layout) {
    double widest = tr_text_width("and 99 more", 11, TR_LEGEND_SIZE);
    for (int i = 0; i < chart->series_count; i++) {
        if (chart->legend != TR_LEGEND_NONE && tr_layout_is_named(&chart->series[i])) {
            const char *name = chart->series[i].name;
            widest = fmax(widest, tr_text_width(name, strlen(name), TR_LEGEND_SIZE));
            layout->names++;
        }
    }
    double most = chart->legend == TR_LEGEND_BELOW ? layout->width - 2.0 * TR_MARGIN
                                                   : LEGEND_PART * layout->width;
    layout->legend_item = fmin(TR_SWATCH + TR_SWATCH_GAP + widest + COLUMN_GAP, most);
}

// Splits the names into columns of at most `rows` with at most `columns` of them.
static void arrange_names(int rows, int columns, trLayout *layout) {
    int most = rows * columns;
    layout->names_shown = layout->names <= most ? layout->names : most - 1;
    int entries = layout->names <= most ? layout->names : most;
    layout->legend_columns = columns;
    layout->legend_rows = (entries + columns - 1) / columns;
}

// Names below the box, in as many columns as the width has room for. `most` is how high they may
// be.
static void place_below(double most, trLayout *layout) {
    double wide = layout->width - 2.0 * TR_MARGIN;
    int    columns = (int)fmax(1.0, floor((wide + COLUMN_GAP) / layout->legend_item));
    int    rows = (int)fmax(1.0, floor(most / TR_LEGEND_LINE));
    columns = columns < layout->names ? columns : layout->names;
    arrange_names(rows, columns, layout);
    layout->legend_x = TR_MARGIN;
}

// Names beside the box, in one column, or more if the box is not high enough.
static void place_right(trLayout *layout) {
    double high = layout->box.bottom - layout->box.top;
    int    rows = (int)fmax(1.0, floor(high / TR_LEGEND_LINE));
    int    needed = (layout->names + rows - 1) / rows;
    int    most = (int)fmax(1.0, floor(LEGEND_PART * layout->width / layout->legend_item));
    arrange_names(rows, needed < most ? needed : most, layout);
    double wide = layout->legend_columns * layout->legend_item - COLUMN_GAP;
    layout->legend_x = layout->width - TR_MARGIN - wide;
    layout->legend_y = layout->box.top;
    layout->box.right = layout->legend_x - LEGEND_GAP;
}

static void place_heights(const trChart *chart, trLayout *layout) {
    double titles = TR_TITLE_LINE * tr_layout_lines(layout, chart->title, TR_TITLE_SIZE * TR_BOLD) +
                    TR_SUBTITLE_LINE * tr_layout_lines(layout, chart->subtitle, TR_SUBTITLE_SIZE);
    layout->box.top = TR_MARGIN + (titles > 0.0 ? titles + 10.0 : 0.0);

    double y = layout->height - TR_MARGIN;
    int    lines = tr_layout_lines(layout, layout->hidden, TR_NOTE_SIZE);
    for (int i = 0; i < chart->note_count; i++) {
        lines += tr_layout_lines(layout, chart->notes[i], TR_NOTE_SIZE);
    }
    layout->notes_y = y - (lines - 1) * TR_NOTE_LINE + 3.0;
    y -= lines > 0 ? lines * TR_NOTE_LINE + 6.0 : 0.0;
    if (layout->names > 0 && chart->legend == TR_LEGEND_BELOW) {
        double high = y - 6.0 - AXIS_HEIGHT - layout->box.top;  // of box and legend
        place_below(fmin(LEGEND_PART * layout->height, 0.5 * high), layout);
        y -= layout->legend_rows * TR_LEGEND_LINE;
        layout->legend_y = y + 4.0;
        y -= 6.0;
    }
    layout->x_label_y = y - 2.0;
    layout->box.bottom = y - AXIS_HEIGHT;
}

static double widest_label(const trTicks *ticks) {
    double widest = 0.0;
    for (int i = 0; i < ticks->count; i++) {
        widest = fmax(widest, tr_tick_width(&ticks->tick[i]));
    }
    return widest;
}

static void place_y_axis(const trChart *chart, trLayout *layout) {
    trScale *y = &layout->scales[1];
    y->at_lo = layout->box.bottom;
    y->at_hi = layout->box.top;
    tr_ticks_choose(y, false, &layout->ticks[1]);
    bool labeled =
        !is_empty(chart->y.label) || !is_empty(chart->y.unit) || layout->ticks[1].exponent != 0;
    layout->box.left = TR_MARGIN + (labeled ? LABEL_ROOM : 0.0) + widest_label(&layout->ticks[1]) +
                       TR_TICK_LENGTH + 4.0;
}

// The last label of the x axis may reach beyond the box: then the box ends a little earlier.
static void place_x_axis(trLayout *layout) {
    trScale *x = &layout->scales[0];
    double   limit = layout->names > 0 && layout->legend_x > layout->box.right
                         ? layout->legend_x - 0.5 * LEGEND_GAP
                         : layout->width - 0.5 * TR_MARGIN;
    for (int attempt = 0; attempt < 3; attempt++) {
        double over = 0.0;
        x->at_lo = layout->box.left;
        x->at_hi = layout->box.right;
        tr_ticks_choose(x, true, &layout->ticks[0]);
        for (int i = 0; i < layout->ticks[0].count; i++) {
            const trTick *tick = &layout->ticks[0].tick[i];
            double        end = tr_scale_px_of_u(x, tick->u) + 0.5 * tr_tick_width(tick);
            over = fmax(over, end - limit);
        }
        if (over <= 0.0 || layout->box.right - over < layout->box.left + LEAST_BOX) {
            return;
        }
        layout->box.right -= over;
    }
}

static trStatus refuse_size(const trLayout *layout) {
    return tr_fail(TR_E_ARGUMENT, "chart: %g x %g px leave no room for the data", layout->width,
                   layout->height);
}

trStatus tr_layout_make(const trChart *chart, trLayout *out) {
    trPointCount count;
    TR_TRY(check(chart));
    *out = (trLayout){.width = chart->width > 0 ? chart->width : DEFAULT_WIDTH,
                      .height = chart->height > 0 ? chart->height : DEFAULT_HEIGHT};
    TR_TRY(tr_scale_fit(chart, out->scales, &count));
    out->empty = count.shown == 0;
    if (count.hidden > 0) {
        snprintf(out->hidden, sizeof out->hidden,
                 "%" PRId64 " point%s at or below 0 not shown on a logarithmic axis", count.hidden,
                 count.hidden == 1 ? "" : "s");
    }
    measure_names(chart, out);
    place_heights(chart, out);
    if (out->box.bottom - out->box.top < LEAST_BOX) {
        return refuse_size(out);
    }
    place_y_axis(chart, out);
    out->box.right = out->width - TR_MARGIN - 4.0;
    if (out->names > 0 && chart->legend == TR_LEGEND_RIGHT) {
        place_right(out);
    }
    if (out->box.right - out->box.left < LEAST_BOX) {
        return refuse_size(out);
    }
    place_x_axis(out);
    return TR_OK;
}
