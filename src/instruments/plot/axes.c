// SPDX-License-Identifier: MIT
#include "plot/axes.h"

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

void tr_axes_put_grid(FILE *file, const trLayout *layout) {
    const trBox *box = &layout->box;
    tr_text_print(file, "<path fill=\"none\" stroke=\"" GRID "\" stroke-width=\"1\" d=\"");
    for (int i = 0; i < layout->x_ticks.count; i++) {
        const trTick *tick = &layout->x_ticks.tick[i];
        if (tick->text[0] != '\0') {
            double x = tr_scale_px_of_u(&layout->scales[0], tick->u);
            tr_text_print(file, "M%g %gV%g", x, box->top, box->bottom);
        }
    }
    for (int i = 0; i < layout->y_ticks.count; i++) {
        const trTick *tick = &layout->y_ticks.tick[i];
        if (tick->text[0] != '\0') {
            double y = tr_scale_px_of_u(&layout->scales[1], tick->u);
            tr_text_print(file, "M%g %gH%g", box->left, y, box->right);
        }
    }
    fputs("\"/>\n", file);
}

static void put_tick_marks(FILE *file, const trLayout *layout) {
    const trBox *box = &layout->box;
    tr_text_print(file,
                  "<path fill=\"none\" stroke=\"" INK "\" stroke-width=\"1\" d=\"M%g %gV%gH%g",
                  box->left, box->top, box->bottom, box->right);
    for (int i = 0; i < layout->x_ticks.count; i++) {
        const trTick *tick = &layout->x_ticks.tick[i];
        tr_text_print(file, "M%g %gv%g", tr_scale_px_of_u(&layout->scales[0], tick->u), box->bottom,
                      tick->text[0] != '\0' ? TR_TICK_LENGTH : MINOR_TICK);
    }
    for (int i = 0; i < layout->y_ticks.count; i++) {
        const trTick *tick = &layout->y_ticks.tick[i];
        tr_text_print(file, "M%g %gh%g", box->left, tr_scale_px_of_u(&layout->scales[1], tick->u),
                      tick->text[0] != '\0' ? -TR_TICK_LENGTH : -MINOR_TICK);
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
    const trBox *box = &layout->box;
    tr_text_print(file, "<g font-size=\"%g\" fill=\"" INK "\" text-anchor=\"middle\">\n",
                  TR_TICK_SIZE);
    for (int i = 0; i < layout->x_ticks.count; i++) {
        const trTick *tick = &layout->x_ticks.tick[i];
        put_tick_label(file, tick, tr_scale_px_of_u(&layout->scales[0], tick->u),
                       box->bottom + TR_TICK_LENGTH + TR_TICK_SIZE + 2.0);
    }
    tr_text_print(file, "</g>\n<g font-size=\"%g\" fill=\"" INK "\" text-anchor=\"end\">\n",
                  TR_TICK_SIZE);
    for (int i = 0; i < layout->y_ticks.count; i++) {
        const trTick *tick = &layout->y_ticks.tick[i];
        put_tick_label(file, tick, box->left - TR_TICK_LENGTH - 4.0,
                       tr_scale_px_of_u(&layout->scales[1], tick->u) + BASE * TR_TICK_SIZE);
    }
    fputs("</g>\n", file);
}

void tr_axes_put(FILE *file, const trChart *chart, const trLayout *layout) {
    const trBox *box = &layout->box;
    char         label[TR_LABEL_BYTES];
    put_tick_marks(file, layout);
    put_tick_labels(file, layout);
    tr_text_print(file, "<g font-size=\"%g\" fill=\"#111111\" text-anchor=\"middle\">\n",
                  TR_LABEL_SIZE);
    tr_axes_label(&chart->x, layout->x_ticks.exponent, label);
    if (label[0] != '\0') {
        tr_text_print(file, "<text x=\"%g\" y=\"%g\">", 0.5 * (box->left + box->right),
                      layout->x_label_y);
        tr_text_put_fitted(file, label, TR_LABEL_SIZE, box->right - box->left);
        fputs("</text>\n", file);
    }
    tr_axes_label(&chart->y, layout->y_ticks.exponent, label);
    if (label[0] != '\0') {
        double x = TR_MARGIN + 0.6 * TR_LABEL_SIZE, y = 0.5 * (box->top + box->bottom);
        tr_text_print(file, "<text x=\"%g\" y=\"%g\" transform=\"rotate(-90 %g %g)\">", x, y, x, y);
        tr_text_put_fitted(file, label, TR_LABEL_SIZE, box->bottom - box->top + 2.0 * TR_MARGIN);
        fputs("</text>\n", file);
    }
    fputs("</g>\n", file);
}
