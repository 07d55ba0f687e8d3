// SPDX-License-Identifier: MIT
#include <math.h>

#include "plot/plot.h"

#define SEEN_BYTES 32768
#define SOME_MARKERS 20.0  // along the width of the box
#define EDGE 1e-6          // [px]; a point on the border is inside

typedef struct Point {
    double x, y;   // [px]
    int    index;  // in the series
} Point;

// Which cells of the box have been drawn in, one bit each.
typedef struct Seen {
    double        cell;  // [px], at least 1
    int           columns;
    unsigned char bits[SEEN_BYTES];
} Seen;

// A column of pixels that the line is passing through.
typedef struct Column {
    double number;
    bool   starts;                  // the line starts here
    Point  first, last, low, high;  // low: least y
} Column;

typedef struct Pen {
    FILE        *file;
    const trBox *box;
    bool         has_from;  // a vertex of the present line was given
    Point        from;      // the last one
    bool         down;      // the path ends at (x, y)
    double       x, y;
} Pen;

static bool is_inside(const trBox *box, double x, double y) {
    return x >= box->left - EDGE && x <= box->right + EDGE && y >= box->top - EDGE &&
           y <= box->bottom + EDGE;
}

static void start_seen(const trBox *box, Seen *seen) {
    double width = box->right - box->left, height = box->bottom - box->top;
    // One spare row and column: (w/c + 2)(h/c + 2) <= 8 SEEN_BYTES.
    *seen = (Seen){.cell = 1.0};
    while ((width / seen->cell + 2.0) * (height / seen->cell + 2.0) > 8.0 * SEEN_BYTES) {
        seen->cell *= 1.25;
    }
    seen->columns = (int)(width / seen->cell) + 1;
}

// Whether a point inside the box is the first in its cell.
static bool is_first(Seen *seen, const trBox *box, double x, double y) {
    int            column = (int)fmax((x - box->left) / seen->cell, 0.0);
    int            row = (int)fmax((y - box->top) / seen->cell, 0.0);
    size_t         bit = (size_t)row * (size_t)seen->columns + (size_t)column;
    unsigned char *byte = &seen->bits[bit / 8];
    unsigned char  mask = (unsigned char)(1u << bit % 8);
    bool           first = (*byte & mask) == 0;
    *byte |= mask;
    return first;
}

// Narrows the part t[0] ... t[1] of a segment to where from + t by <= limit.
static void clip_side(double from, double by, double limit, double t[2]) {
    double room = limit - from;
    if (by > 0.0) {
        t[1] = fmin(t[1], room / by);
    } else if (by < 0.0) {
        t[0] = fmax(t[0], room / by);
    } else if (room < 0.0) {
        t[1] = -1.0;
    }
}

// Draws the part of the segment from pen->from to `to` that lies in the box (Liang and Barsky).
static void put_segment(Pen *pen, const Point *to) {
    const Point *from = &pen->from;
    const trBox *box = pen->box;
    double       dx = to->x - from->x, dy = to->y - from->y, t[2] = {0.0, 1.0};
    clip_side(from->x, dx, box->right, t);
    clip_side(-from->x, -dx, -box->left, t);
    clip_side(from->y, dy, box->bottom, t);
    clip_side(-from->y, -dy, -box->top, t);
    if (t[0] > t[1]) {
        pen->down = false;
        return;
    }
    double x0 = from->x + t[0] * dx, y0 = from->y + t[0] * dy;
    if (!pen->down || t[0] > 0.0) {
        tr_text_print(pen->file, "M%g %g", x0, y0);
    }
    pen->x = t[1] < 1.0 ? from->x + t[1] * dx : to->x;
    pen->y = t[1] < 1.0 ? from->y + t[1] * dy : to->y;
    pen->down = t[1] >= 1.0;
    tr_text_print(pen->file, "L%g %g", pen->x, pen->y);
}

static void put_vertex(Pen *pen, const Point *point) {
    if (pen->has_from && point->index == pen->from.index) {
        return;
    }
    if (pen->has_from) {
        put_segment(pen, point);
    }
    pen->from = *point;
    pen->has_from = true;
}

static void put_in_order(Pen *pen, const Point *a, const Point *b) {
    put_vertex(pen, a->index <= b->index ? a : b);
    put_vertex(pen, a->index <= b->index ? b : a);
}

// Draws what is kept of a column; with `ends`, the line ends in it.
static void put_column(Pen *pen, const Column *column, bool ends, Seen *seen) {
    const Point *low = &column->low, *high = &column->high;
    if (column->starts && ends && is_inside(pen->box, low->x, low->y) &&
        is_inside(pen->box, high->x, high->y)) {
        // Many short lines with gaps between them may fall on the same pixels.
        bool first = is_first(seen, pen->box, low->x, low->y);
        if (!is_first(seen, pen->box, high->x, high->y) && !first) {
            return;
        }
        if (column->first.index == column->last.index) {
            tr_text_print(pen->file, "M%g %gh0", low->x, low->y);
            return;
        }
    }
    if (column->starts) {
        put_vertex(pen, &column->first);
    }
    put_in_order(pen, low, high);
    if (ends) {
        put_vertex(pen, &column->last);
    }
}

static void widen_column(Column *column, const Point *point) {
    column->last = *point;
    if (point->y < column->low.y) {
        column->low = *point;
    }
    if (point->y > column->high.y) {
        column->high = *point;
    }
}

static bool has_place(const trScale scales[2], const trSeries *series, int i) {
    return tr_scale_has(&scales[0], series->x[i]) && tr_scale_has(&scales[1], series->y[i]);
}

static Point point_of(const trScale scales[2], const trSeries *series, int i) {
    return (Point){tr_scale_px(&scales[0], series->x[i]), tr_scale_px(&scales[1], series->y[i]), i};
}

void tr_series_put_line(FILE *file, const trSeries *series, const trScale scales[2],
                        const trBox *box) {
    Pen    pen = {.file = file, .box = box};
    Seen   seen;
    Column column = {0};
    bool   open = false;  // a line is under way
    start_seen(box, &seen);
    for (int i = 0; i < series->n; i++) {
        if (!has_place(scales, series, i)) {
            if (open) {
                put_column(&pen, &column, true, &seen);
            }
            open = pen.has_from = pen.down = false;
            continue;
        }
        Point  point = point_of(scales, series, i);
        double number = floor(point.x);
        if (open && number == column.number) {
            widen_column(&column, &point);
            continue;
        }
        if (open) {
            put_column(&pen, &column, false, &seen);
        }
        column = (Column){number, !open, point, point, point, point};
        open = true;
    }
    if (open) {
        put_column(&pen, &column, true, &seen);
    }
}

void tr_series_put_markers(FILE *file, const trSeries *series, const trLook *look,
                           const trScale scales[2], const trBox *box) {
    bool   some = look->line != TR_LINE_NONE && series->n > TR_ALL_MARKERS;
    double apart = some ? (box->right - box->left) / SOME_MARKERS : 0.0, last = -INFINITY;
    Seen   seen;
    start_seen(box, &seen);
    for (int i = 0; i < series->n; i++) {
        if (!has_place(scales, series, i)) {
            continue;
        }
        Point p = point_of(scales, series, i);
        if (is_inside(box, p.x, p.y) && fabs(p.x - last) >= apart &&
            is_first(&seen, box, p.x, p.y)) {
            tr_look_put_marker(file, look->marker, p.x, p.y);
            last = p.x;
        }
    }
}
