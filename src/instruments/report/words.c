// SPDX-License-Identifier: MIT

#include "report/words.h"

#include <math.h>
#include <string.h>

#include "base/plain.h"

#define NOISE 1e-13    // of the largest number: what rounding leaves
#define NOTHING 1e-20  // [m, rad, N, ...]

int tr_word_width(const char *text) {
    int width = 0;
    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

static void end_word(trWriter *w) {
    w->word[w->used] = '\0';
    int width = tr_word_width(w->word);
    if (w->used == 0) {
        return;
    }
    if (w->begun && w->column + 1 + width > TR_TEXT_WIDTH) {
        fprintf(w->file, "\n%*s", w->hang, "");
        w->column = w->hang;
    } else if (w->begun) {
        fputc(' ', w->file);
        w->column++;
    }
    fputs(w->word, w->file);
    w->column += width;
    w->begun = true;
    w->used = 0;
}

void tr_put(trWriter *w, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        bool   glue = *c == TR_REPORT_GLUE[0];
        size_t control = glue ? 0 : tr_control_length(c);
        if (*c == ' ' || control > 0 || w->used + 1 == sizeof w->word) {
            end_word(w);
            c += control > 1 ? control - 1 : 0;
        }
        if (*c != ' ' && control == 0) {
            w->word[w->used++] = glue ? ' ' : *c;
        }
    }
}

void tr_begin_line(trWriter *w, int indent, const char *label, int hang) {
    int width = tr_word_width(label);
    int gap = hang - indent - width;
    gap = gap < 1 && width > 0 ? 1 : gap;
    fprintf(w->file, "%*s", indent, "");
    fputs(label, w->file);
    fprintf(w->file, "%*s", gap, "");
    w->column = indent + width + gap;
    w->hang = hang;
    w->begun = false;
}

void tr_end_line(trWriter *w) {
    end_word(w);
    fputc('\n', w->file);
}

// --- values ---

// The largest number of the group in which small ones are noise, with all that is in it.
static double largest(const trReportNode *group) {
    double most = 0.0;
    for (const trReportNode *n = group->first; n != NULL; n = n->next) {
        double size = n->kind == TR_NODE_NUMBER ? fabs(n->number) : largest(n);
        most = size > most ? size : most;
    }
    return most;
}

static bool is_noise(const trReportNode *n) {
    const trReportNode *g = n->parent;
    while (g != NULL && (g->flags & TR_REPORT_NOISE) == 0) {
        g = g->parent;
    }
    return g != NULL && fabs(n->number) < fmax(NOISE * largest(g), NOTHING);
}

void tr_value_text(const trReportNode *n, int digits, bool with_unit, char text[TR_CELL_SIZE]) {
    bool unit = with_unit && n->unit != NULL && n->unit[0] != '\0';
    text[0] = '\0';
    if (n->kind == TR_NODE_NUMBER && isfinite(n->number)) {
        snprintf(text, TR_CELL_SIZE, "%.*g%s%s", digits, is_noise(n) ? 0.0 : n->number + 0.0,
                 unit ? TR_REPORT_GLUE : "", unit ? n->unit : "");
    } else if (n->kind == TR_NODE_INTEGER) {
        snprintf(text, TR_CELL_SIZE, "%lld", (long long)n->integer);
    } else if (n->kind == TR_NODE_BOOL) {
        snprintf(text, TR_CELL_SIZE, "%s", n->integer != 0 ? "yes" : "no");
    } else if (n->text != NULL) {
        snprintf(text, TR_CELL_SIZE, "%s", n->text);
    }
}

static bool asks_digits(const char *percent) {
    return percent[1] >= '1' && percent[1] <= '9';
}

int tr_label_digits(const char *label) {
    const char *percent = strchr(label, '%');
    return percent != NULL && asks_digits(percent) ? percent[1] - '0' : 6;
}

// The ending for one or for many, "{s}" or "{y|ies}", at `c`.
static const char *ending(const char *c, bool one, int *length) {
    const char *end = strchr(c, '}'), *bar = memchr(c, '|', (size_t)(end - c));
    const char *from = one || bar == NULL ? c + 1 : bar + 1;
    const char *to = bar == NULL && one ? from : bar != NULL && one ? bar : end;
    *length = (int)(to - from);
    return from;
}

void tr_part_text(const trReportNode *n, char text[TR_CELL_SIZE]) {
    char   value[TR_CELL_SIZE];
    size_t used = 0;
    bool   one = n->kind == TR_NODE_INTEGER && n->integer == 1;
    tr_value_text(n, tr_label_digits(n->label), true, value);
    for (const char *c = n->label; *c != '\0' && used + 1 < TR_CELL_SIZE; c++) {
        int         length = 1;
        const char *from = c;
        if (*c == '%') {
            from = value;
            length = (int)strlen(value);
            c += asks_digits(c) ? 1 : 0;
        } else if (*c == '{') {
            from = ending(c, one, &length);
            c = strchr(c, '}');
        }
        snprintf(text + used, TR_CELL_SIZE - used, "%.*s", length, from);
        used += strlen(text + used);
    }
    if (strchr(n->label, '%') == NULL && n->kind != TR_NODE_BOOL && used < TR_CELL_SIZE) {
        snprintf(text + used, TR_CELL_SIZE - used, "%s%s", used > 0 ? " " : "", value);
    }
}
