// SPDX-License-Identifier: MIT
// The document. All looks are attributes of elements: no style sheet, no script and no id, so that
// charts can also be set into one page without touching each other.

#include <errno.h>
#include <string.h>

#include "plot/plot.h"

#define FONTS "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

static void put_axis_description(FILE *file, const char *letter, const trAxis *axis,
                                 const trScale *scale) {
    char label[TR_LABEL_BYTES];
    tr_axes_label(axis, 0, label);
    double range[2] = {scale->lo, scale->hi};
    tr_text_print(file, "%s axis: %s", letter, label[0] != '\0' ? label : "no label");
    if (scale->log) {
        tr_text_print(file, ", logarithmic, from 10^%g to 10^%g. ", range[0], range[1]);
    } else {
        tr_text_print(file, ", from %e to %e. ", range[0], range[1]);
    }
}

static void put_description(FILE *file, const trChart *chart, const trLayout *layout) {
    fputs("<desc>", file);
    put_axis_description(file, "x", &chart->x, &layout->scales[0]);
    put_axis_description(file, "y", &chart->y, &layout->scales[1]);
    tr_text_print(file, "%d series", chart->series_count);
    const char *before = ": ";
    for (int i = 0; i < chart->series_count; i++) {
        if (tr_layout_is_named(&chart->series[i])) {
            tr_text_print(file, "%s%s", before, chart->series[i].name);
            before = ", ";
        }
    }
    fputs(".</desc>\n", file);
}

static void put_head(FILE *file, const trChart *chart, const trLayout *layout) {
    double w = layout->width, h = layout->height;
    // Without xml:space, some readers drop the space that follows a raised number.
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
    tr_text_print(file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
                  "viewBox=\"0 0 %g %g\" role=\"img\" xml:space=\"preserve\" font-family=\"" FONTS
                  "\">\n",
                  w, h, w, h);
    tr_text_print(file, "<title>%s</title>\n", chart->title != NULL ? chart->title : "Chart");
    put_description(file, chart, layout);
    tr_text_print(file, "<rect width=\"%g\" height=\"%g\" fill=\"#ffffff\"/>\n", w, h);
}

// Writes a text line by line from the base line `y` and returns the one below.
static double put_lines(FILE *file, const trLayout *layout, const char *text, double size,
                        double pitch, double y) {
    for (const char *rest = text; rest != NULL && rest[0] != '\0'; y += pitch) {
        const char *line = rest;
        size_t      bytes = tr_text_line(line, size, layout->width - 2.0 * TR_MARGIN, &rest);
        tr_text_print(file, "<text x=\"%g\" y=\"%g\">", TR_MARGIN, y);
        tr_text_put_rich(file, line, bytes, size);
        fputs("</text>\n", file);
    }
    return y;
}

static void put_titles(FILE *file, const trChart *chart, const trLayout *layout) {
    tr_text_print(file, "<g font-size=\"%g\" font-weight=\"bold\" fill=\"#111111\">\n",
                  TR_TITLE_SIZE);
    double y = put_lines(file, layout, chart->title, TR_TITLE_SIZE * TR_BOLD, TR_TITLE_LINE,
                         TR_MARGIN + TR_TITLE_SIZE - 1.0);
    tr_text_print(file, "</g>\n<g font-size=\"%g\" fill=\"#555555\">\n", TR_SUBTITLE_SIZE);
    (void)put_lines(file, layout, chart->subtitle, TR_SUBTITLE_SIZE, TR_SUBTITLE_LINE, y - 3.0);
    fputs("</g>\n", file);
}

static void put_notes(FILE *file, const trChart *chart, const trLayout *layout) {
    double y = layout->notes_y;
    tr_text_print(file, "<g font-size=\"%g\" fill=\"#555555\">\n", TR_NOTE_SIZE);
    for (int i = 0; i < chart->note_count; i++) {
        y = put_lines(file, layout, chart->notes[i], TR_NOTE_SIZE, TR_NOTE_LINE, y);
    }
    (void)put_lines(file, layout, layout->hidden, TR_NOTE_SIZE, TR_NOTE_LINE, y);
    fputs("</g>\n", file);
}

// The start of a path that has the look of a line, up to its data.
static void open_line(FILE *file, const trLook *look) {
    tr_text_print(file, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%g\"", look->color,
                  TR_LINE_WIDTH);
    tr_text_print(file, " stroke-linejoin=\"round\" stroke-linecap=\"round\"");
    if (look->dashes[0] != '\0') {
        tr_text_print(file, " stroke-dasharray=\"%s\"", look->dashes);
    }
    fputs(" d=\"", file);
}

static void open_markers(FILE *file, const trLook *look) {
    tr_text_print(
        file,
        "<path fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"1.2\" paint-order=\"stroke\" d=\"",
        look->color);
}

static void put_series(FILE *file, const trSeries *series, int place, const trLayout *layout) {
    trLook look = tr_look_of(series, place);
    fputs("<g>\n", file);
    if (tr_layout_is_named(series)) {
        tr_text_print(file, "<title>%s</title>\n", series->name);
    }
    if (look.line != TR_LINE_NONE) {
        open_line(file, &look);
        tr_series_put_line(file, series, layout->scales, &layout->box);
        fputs("\"/>\n", file);
    }
    if (look.marker != TR_MARKER_NONE) {
        open_markers(file, &look);
        tr_series_put_markers(file, series, &look, layout->scales, &layout->box);
        fputs("\"/>\n", file);
    }
    fputs("</g>\n", file);
}

static void put_legend_entry(FILE *file, const trSeries *series, int place, const trLayout *layout,
                             const double at[2]) {
    trLook look = tr_look_of(series, place);
    double x = at[0], y = at[1];
    double room = layout->legend_item - TR_SWATCH - TR_SWATCH_GAP;
    if (look.line != TR_LINE_NONE) {
        open_line(file, &look);
        tr_text_print(file, "M%g %gh%g\"/>\n", x + 1.0, y, TR_SWATCH - 2.0);
    }
    if (look.marker != TR_MARKER_NONE) {
        open_markers(file, &look);
        tr_look_put_marker(file, look.marker, x + 0.5 * TR_SWATCH, y);
        fputs("\"/>\n", file);
    }
    tr_text_print(file, "<text x=\"%g\" y=\"%g\">", x + TR_SWATCH + TR_SWATCH_GAP,
                  y + 0.35 * TR_LEGEND_SIZE);
    tr_text_put_fitted(file, series->name, TR_LEGEND_SIZE, room);
    fputs("</text>\n", file);
}

// Entries fill the columns one after the other beside the data, and the rows below them.
static void find_entry(const trChart *chart, const trLayout *layout, int entry, double at[2]) {
    bool below = chart->legend == TR_LEGEND_BELOW;
    int  column = below ? entry % layout->legend_columns : entry / layout->legend_rows;
    int  row = below ? entry / layout->legend_columns : entry % layout->legend_rows;
    at[0] = layout->legend_x + column * layout->legend_item;
    at[1] = layout->legend_y + (row + 0.5) * TR_LEGEND_LINE;
}

static void put_legend(FILE *file, const trChart *chart, const trLayout *layout) {
    double at[2];
    int    entry = 0;
    tr_text_print(file, "<g font-size=\"%g\" fill=\"#111111\">\n", TR_LEGEND_SIZE);
    for (int i = 0; i < chart->series_count && entry < layout->names_shown; i++) {
        if (tr_layout_is_named(&chart->series[i])) {
            find_entry(chart, layout, entry++, at);
            put_legend_entry(file, &chart->series[i], i, layout, at);
        }
    }
    if (layout->names > layout->names_shown) {
        find_entry(chart, layout, entry, at);
        tr_text_print(file, "<text x=\"%g\" y=\"%g\" fill=\"#555555\">and %d more</text>\n",
                      at[0] + TR_SWATCH + TR_SWATCH_GAP, at[1] + 0.35 * TR_LEGEND_SIZE,
                      layout->names - layout->names_shown);
    }
    fputs("</g>\n", file);
}

trStatus tr_chart_write(const trChart *chart, FILE *file) {
    trLayout layout;
    TR_TRY(tr_layout_make(chart, &layout));
    errno = 0;
    put_head(file, chart, &layout);
    put_titles(file, chart, &layout);
    tr_axes_put_grid(file, &layout);
    tr_axes_put(file, chart, &layout);
    for (int i = 0; i < chart->series_count; i++) {
        put_series(file, &chart->series[i], i, &layout);
    }
    if (layout.empty) {
        tr_text_print(file,
                      "<text x=\"%g\" y=\"%g\" font-size=\"%g\" fill=\"#555555\" "
                      "text-anchor=\"middle\" stroke=\"#ffffff\" stroke-width=\"8\" "
                      "paint-order=\"stroke\">no data</text>\n",
                      0.5 * (layout.box.left + layout.box.right),
                      0.5 * (layout.box.top + layout.box.bottom), TR_LABEL_SIZE);
    }
    if (layout.names > 0) {
        put_legend(file, chart, &layout);
    }
    put_notes(file, chart, &layout);
    fputs("</svg>\n", file);
    if (fflush(file) != 0 || ferror(file)) {
        return tr_fail(TR_E_IO, "cannot write: %s",
                       errno != 0 ? strerror(errno) : "an earlier write failed");
    }
    return TR_OK;
}
