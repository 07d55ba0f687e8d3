// SPDX-License-Identifier: MIT
#include "plot/plot.h"

#define GRID "#e4e4e4"
#define INK "#333333"
#define MINOR_TICK 3.0  // length [px]
#define BASE 0.36       // base line below the middle of a line of digits, em

void tr_axes_label(const trAxis *axis, int exponent, char out[TR_LABEL_BYTES]) {
    const char *label = axis->label != NULL ? axis->label : "";
    const char *unit = axis->unit != NULL ? axis->unit : "";
    const char *space = label[0] != '\0' ? " " : "";
    if (exponent != 0) {
        snprintf(out, TR_LABEL_BYTES, "%s%s[10^%d%s%s]", label, space, exponent,
                 unit[0] != '\0' ? " " : "", unit);
    } else if (unit[0] != '\0') {
        snprintf(out, TR_LABEL_BYTES, "%s%s[%s]", label, space, unit);
    } else {
        snprintf(out, TR_LABEL_BYTES, "%s", label);
    }
}

// The pixel of a tick of x (0) or y (1).
static double place(const trLayout *layout, int axis, const trTick *tick) {
    return tr_scale_px_of_u(&layout->scales[axis], tick->u);
}

void tr_axes_put_grid(FILE *file, const trLayout *layout) {
    const trBox *box = &layout->box;
    tr_text_print(file, "<path fill=\"none\" stroke=\"" GRID "\" stroke-width=\"1\" d=\"");
    for (int axis = 0; axis < 2; axis++) {
        for (int i = 0; i < layout->ticks[axis].count; i++) {
            const trTick *tick = &layout->ticks[axis].tick[i];
            double        at = place(layout, axis, tick);
            if (tick->text[0] != '\0' && axis == 0) {
                tr_text_print(file, "M%g %gV%g", at, box->top, box->bottom);
            } else if (tick->text[0] != '\0') {
                tr_text_print(file, "M%g %gH%g", box->left, at, box->right);
            }
        }
    }
    fputs("\"/>\n", file);
}

static void put_tick_marks(FILE *file, const trLayout *layout) {
    const trBox *box = &layout->box;
    tr_text_print(file,
                  "<path fill=\"none\" stroke=\"" INK "\" stroke-width=\"1\" d=\"M%g %gV%gH%g",
                  box->left, box->top, box->bottom, box->right);
    for (int axis = 0; axis < 2; axis++) {
        for (int i = 0; i < layout->ticks[axis].count; i++) {
            const trTick *tick = &layout->ticks[axis].tick[i];
            double        at = place(layout, axis, tick);
            double        length = tick->text[0] != '\0' ? TR_TICK_LENGTH : MINOR_TICK;
            if (axis == 0) {
                tr_text_print(file, "M%g %gv%g", at, box->bottom, length);
            } else {
                tr_text_print(file, "M%g %gh%g", box->left, at, -length);
            }
        }
    }
    fputs("\"/>\n", file);
}

static void put_tick_label(FILE *file, const trTick *tick, double x, double y) {
    if (tick->text[0] != '\0') {
        tr_text_print(file, "<text x=\"%g\" y=\"%g\">%s", x, y, tick->text);
        if (tick->has_power) {
            tr_text_put_power(file, tick->power, TR_TICK_SIZE);
        }
        fputs("</text>\n", file);
    }
}

static void put_tick_labels(FILE *file, const trLayout *layout) {
    double x = layout->box.left - TR_TICK_LENGTH - 4.0;
    double y = layout->box.bottom + TR_TICK_LENGTH + TR_TICK_SIZE + 2.0;
    for (int axis = 0; axis < 2; axis++) {
        tr_text_print(file, "<g font-size=\"%g\" fill=\"" INK "\" text-anchor=\"%s\">\n",
                      TR_TICK_SIZE, axis == 0 ? "middle" : "end");
        for (int i = 0; i < layout->ticks[axis].count; i++) {
            const trTick *tick = &layout->ticks[axis].tick[i];
            double        at = place(layout, axis, tick);
            put_tick_label(file, tick, axis == 0 ? at : x,
                           axis == 0 ? y : at + BASE * TR_TICK_SIZE);
        }
        fputs("</g>\n", file);
    }
}

static void put_axis_labels(FILE *file, const trChart *chart, const trLayout *layout) {
    const trBox *box = &layout->box;
    double       x = TR_MARGIN + 0.6 * TR_LABEL_SIZE, y = 0.5 * (box->top + box->bottom);
    char         label[TR_LABEL_BYTES];
    for (int axis = 0; axis < 2; axis++) {
        tr_axes_label(axis == 0 ? &chart->x : &chart->y, layout->ticks[axis].exponent, label);
        if (label[0] == '\0') {
            continue;
        }
        double room = box->right - box->left;
        if (axis == 0) {
            tr_text_print(file, "<text x=\"%g\" y=\"%g\">", 0.5 * (box->left + box->right),
                          layout->x_label_y);
        } else {
            tr_text_print(file, "<text x=\"%g\" y=\"%g\" transform=\"rotate(-90 %g %g)\">", x, y, x,
                          y);
            room = box->bottom - box->top + 2.0 * TR_MARGIN;
        }
        tr_text_put_fitted(file, label, TR_LABEL_SIZE, room);
        fputs("</text>\n", file);
    }
}

void tr_axes_put(FILE *file, const trChart *chart, const trLayout *layout) {
    put_tick_marks(file, layout);
    put_tick_labels(file, layout);
    tr_text_print(file, "<g font-size=\"%g\" fill=\"#111111\" text-anchor=\"middle\">\n",
                  TR_LABEL_SIZE);
    put_axis_labels(file, chart, layout);
    fputs("</g>\n", file);
}
