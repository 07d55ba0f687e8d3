// SPDX-License-Identifier: MIT
// Eight colors that readers with any common color vision tell apart: those of Okabe and Ito (Color
// Universal Design, 2008) with the yellow, which is too faint on white, replaced by a dark red.

#include "plot/plot.h"

static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#882255", "#333333"};
// Lines have round ends, which make each dash longer by the width of the line.
static const char *const dashes[] = {[TR_LINE_SOLID] = "",
                                     [TR_LINE_DASHED] = "6 4.5",
                                     [TR_LINE_DOTTED] = "0.1 3.6",
                                     [TR_LINE_DASH_DOT] = "8 4 0.1 4"};

#define COLORS ((int)(sizeof colors / sizeof *colors))
#define LINES 4    // from TR_LINE_SOLID
#define MARKERS 6  // from TR_MARKER_CIRCLE

trLook tr_look_of(const trSeries *series, int place) {
    int    style = series->style > 0 ? series->style - 1 : place;
    int    round = style / COLORS;
    trLook look = {.color = colors[style % COLORS], .line = series->line, .marker = series->marker};
    if (look.line == TR_LINE_AUTO) {
        look.line = (trLine)(TR_LINE_SOLID + round % LINES);
    }
    if (look.marker == TR_MARKER_AUTO) {
        // 8 + 5 = 1 modulo 6: each round gives a color the next shape.
        look.marker = (trMarker)(TR_MARKER_CIRCLE + (style + 5 * round) % MARKERS);
    }
    look.dashes = look.line == TR_LINE_NONE ? "" : dashes[look.line];
    return look;
}

void tr_look_put_marker(FILE *file, trMarker marker, double x, double y) {
    const double size = TR_MARKER_SIZE;
    double       r = size, q = 0.88 * size, d = 1.25 * size, h = 0.35 * size;
    switch (marker) {
    case TR_MARKER_CIRCLE:
        tr_text_print(file, "M%g %ga%g %g 0 1 0 %g 0a%g %g 0 1 0 %g 0z", x - r, y, r, r, 2.0 * r, r,
                      r, -2.0 * r);
        break;
    case TR_MARKER_SQUARE:
        tr_text_print(file, "M%g %gh%gv%gh%gz", x - q, y - q, 2.0 * q, 2.0 * q, -2.0 * q);
        break;
    case TR_MARKER_TRIANGLE:
        tr_text_print(file, "M%g %gl%g %gh%gz", x, y - d, d, 1.85 * d, -2.0 * d);
        break;
    case TR_MARKER_DIAMOND:
        tr_text_print(file, "M%g %gl%g %gl%g %gl%g %gz", x, y - d, d, d, -d, d, -d, -d);
        break;
    case TR_MARKER_TRIANGLE_DOWN:
        tr_text_print(file, "M%g %gl%g %gh%gz", x, y + d, d, -1.85 * d, -2.0 * d);
        break;
    case TR_MARKER_CROSS:
        tr_text_print(file, "M%g %gh%gv%gh%gv%gh%gv%gh%gv%gh%gv%gh%gz", x - h, y - d, 2.0 * h,
                      d - h, d - h, 2.0 * h, h - d, d - h, -2.0 * h, h - d, h - d, -2.0 * h, d - h);
        break;
    default:
        break;
    }
}
