// SPDX-License-Identifier: MIT
// A report as text: lines wrap, columns fit what is in them.

#include <math.h>
#include <string.h>

#include "report/words.h"

#define INDENT 2         // of each level
#define LEFT_COLUMN 19   // where values begin, at least
#define COLUMNS 24       // of a table, at most
#define HEADING_LINES 2  // at most

// --- what is seen ---

static bool is_hidden(const trWriter *w, const trReportNode *n) {
    unsigned hides = TR_REPORT_DATA | (w->style.all ? TR_REPORT_BRIEF : TR_REPORT_DETAIL);
    return (n->flags & hides) != 0;
}

// A leaf of which nothing is known is left out; so is what is not true.
static bool is_known(const trReportNode *n) {
    return n->kind == TR_NODE_NUMBER ? isfinite(n->number)
           : n->kind == TR_NODE_BOOL ? n->integer != 0
           : n->kind == TR_NODE_TEXT ? n->text != NULL
                                     : true;
}

static bool is_transparent(const trReportNode *n) {
    return n->kind == TR_NODE_GROUP && n->label == NULL;
}

static bool is_line(const trReportNode *n) {
    return n->kind != TR_NODE_GROUP || (n->flags & TR_REPORT_LINE) != 0;
}

static const char *color_of(const trWriter *w, const trReportNode *n) {
    return !w->style.color                    ? ""
           : (n->flags & TR_REPORT_GOOD) != 0 ? "\033[32m"
           : (n->flags & TR_REPORT_BAD) != 0  ? "\033[31m"
                                              : "";
}

// --- lines ---

// The parts of a line after each other, with commas; those that begin with a space or a colon have
// none before them. Returns how long the text is.
static size_t join_parts(const trWriter *w, const trReportNode *group, size_t used,
                         char text[TR_CELL_SIZE]) {
    for (const trReportNode *n = group->first; n != NULL; n = n->next) {
        char part[TR_CELL_SIZE];
        if (is_hidden(w, n)) {
            continue;
        }
        if (n->kind == TR_NODE_GROUP) {
            used = join_parts(w, n, used, text);
        } else if (n->label != NULL && is_known(n)) {
            tr_part_text(n, part);
            bool comma = used > 0 && part[0] != ' ' && part[0] != ':';
            snprintf(text + used, TR_CELL_SIZE - used, "%s%s", comma ? ", " : "", part);
            used += strlen(text + used);
        }
    }
    return used;
}

// What is behind the label of a line; "" for a line that is left out.
static void line_text(const trWriter *w, const trReportNode *n, char text[TR_CELL_SIZE]) {
    text[0] = '\0';
    if (n->kind == TR_NODE_GROUP) {
        (void)join_parts(w, n, 0, text);
    } else if (is_known(n)) {
        tr_value_text(n, tr_label_digits(n->label), true, text);
    }
}

// --- tables ---

typedef struct Column {
    const char *label, *unit;
    bool        number, mixed;  // mixed: units differ, and are beside the numbers
    int         width;
} Column;

typedef struct Table {
    int    columns;
    Column column[COLUMNS];
} Table;

static bool is_cell(const trWriter *w, const trReportNode *n) {
    bool known = n->kind == TR_NODE_BOOL || n->kind == TR_NODE_NUMBER || is_known(n);
    return !is_hidden(w, n) && n->label != NULL && n->kind != TR_NODE_NOTE && is_line(n) && known;
}

// The row of this table that follows: by rank, then as they were added. NULL: there is none.
static const trReportNode *next_row(const trWriter *w, const trReportNode *table,
                                    const trReportNode *before) {
    const trReportNode *best = NULL;
    for (const trReportNode *n = table->first; n != NULL; n = n->next) {
        bool later = before == NULL || n->rank < before->rank ||
                     (n->rank == before->rank && n->index > before->index);
        bool earlier = best == NULL || n->rank > best->rank;
        best = later && earlier && n->kind == TR_NODE_GROUP && !is_hidden(w, n) ? n : best;
    }
    return best;
}

static bool same(const char *a, const char *b) {
    return (a == NULL ? "" : a)[0] == (b == NULL ? "" : b)[0] &&
           (a == NULL || b == NULL || strcmp(a, b) == 0);
}

static Column *column_of(Table *t, const trReportNode *n) {
    int i = 0;
    while (i < t->columns && strcmp(t->column[i].label, n->label) != 0) {
        i++;
    }
    if (i == t->columns && i < COLUMNS) {
        bool number = n->kind == TR_NODE_NUMBER || n->kind == TR_NODE_INTEGER;
        t->column[t->columns++] = (Column){.label = n->label, .unit = n->unit, .number = number};
    }
    return i < COLUMNS ? &t->column[i] : NULL;
}

static void find_columns(const trWriter *w, Table *t, const trReportNode *row) {
    for (const trReportNode *n = row->first; n != NULL; n = n->next) {
        if (is_transparent(n) && !is_hidden(w, n)) {
            find_columns(w, t, n);
        }
        Column *c = is_cell(w, n) ? column_of(t, n) : NULL;
        if (c != NULL) {
            c->mixed = c->mixed || !same(c->unit, n->unit);
        }
    }
}

// The cell of a row in a column, or NULL.
static const trReportNode *find_cell(const trWriter *w, const trReportNode *row, const Column *c) {
    const trReportNode *found = NULL;
    for (const trReportNode *n = row->first; n != NULL && found == NULL; n = n->next) {
        if (is_transparent(n) && !is_hidden(w, n)) {
            found = find_cell(w, n, c);
        } else if (is_cell(w, n) && strcmp(n->label, c->label) == 0) {
            found = n;
        }
    }
    return found;
}

static void cell_text(const trWriter *w, const trReportNode *row, const Column *c,
                      char text[TR_CELL_SIZE]) {
    const trReportNode *n = find_cell(w, row, c);
    text[0] = '\0';
    if (n != NULL && n->kind == TR_NODE_GROUP) {
        (void)join_parts(w, n, 0, text);
    } else if (n != NULL) {
        tr_value_text(n, tr_label_digits(c->label), c->mixed, text);
    }
    if (text[0] == '\0' && n != NULL && c->number) {
        snprintf(text, TR_CELL_SIZE, "-");
    }
}

// Line `line` of a heading, without its digits and, on the last line, with the unit.
static void heading_text(const Column *c, int line, char text[TR_CELL_SIZE]) {
    const char *from = c->label, *end = strchr(from, '%');
    const char *break_at = strchr(from, '\n');
    end = end == NULL ? from + strlen(from) : end;
    if (break_at == NULL) {
        end = line + 1 < HEADING_LINES ? from : end;
    } else {
        from = line + 1 < HEADING_LINES ? from : break_at + 1;
        end = line + 1 < HEADING_LINES ? break_at : end;
    }
    while (end > from && end[-1] == ' ') {
        end--;
    }
    bool unit = c->unit != NULL && c->unit[0] != '\0' && !c->mixed && line + 1 == HEADING_LINES;
    snprintf(text, TR_CELL_SIZE, "%.*s%s%s%s", (int)(end - from), from,
             unit ? end > from ? " [" : "[" : "", unit ? c->unit : "", unit ? "]" : "");
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

// A cell that begins at column `start`. A long text that would begin far to the right has a line of
// its own.
static void put_cell(trWriter *w, const Column *c, char *text, bool last, int start,
                     const char *before) {
    int missing = c->width - tr_word_width(text);
    if (last && !c->number) {
        bool late = start > TR_TEXT_WIDTH * 4 / 5 && start + tr_word_width(text) > TR_TEXT_WIDTH;
        w->hang = late ? 3 * INDENT : start;
        if (late) {
            fprintf(w->file, "\n%*s", w->hang, "");
        } else {
            fputs(before, w->file);
        }
        w->column = w->hang;
        w->begun = false;
        tr_put(w, text);
        return;
    }
    for (char *glue = text; (glue = strchr(glue, TR_REPORT_GLUE[0])) != NULL;) {
        *glue = ' ';
    }
    fprintf(w->file, "%s%*s%s%*s", before, c->number ? missing : 0, "", text,
            c->number || last ? 0 : missing, "");
}

// What is in a column: of a row, or of a line of the heading where `row` is NULL.
static void column_text(const trWriter *w, const Column *c, const trReportNode *row, int line,
                        char text[TR_CELL_SIZE]) {
    if (row != NULL) {
        cell_text(w, row, c, text);
    } else {
        heading_text(c, line, text);
    }
}

static void put_row(trWriter *w, const Table *t, const trReportNode *row, int line, int indent) {
    char text[TR_CELL_SIZE];
    int  last = -1, at = indent;
    for (int i = 0; i < t->columns; i++) {
        column_text(w, &t->column[i], row, line, text);
        last = text[0] != '\0' ? i : last;
    }
    if (last < 0) {
        return;
    }
    const char *color = row != NULL ? color_of(w, row) : "";
    fprintf(w->file, "%*s", indent, "");
    for (int i = 0; i <= last; i++) {
        column_text(w, &t->column[i], row, line, text);
        fputs(i == 0 ? color : "", w->file);
        put_cell(w, &t->column[i], text, i == last, at, i > 0 ? "  " : "");
        fputs(i == 0 && color[0] != '\0' ? "\033[0m" : "", w->file);
        at += t->column[i].width + 2;
    }
    tr_end_line(w);
}

static void measure(const trWriter *w, Table *t, const trReportNode *table, int shown) {
    const trReportNode *row = NULL;
    for (int k = 0; k < shown && (row = next_row(w, table, row)) != NULL; k++) {
        find_columns(w, t, row);
    }
    for (int i = 0; i < t->columns; i++) {
        char    text[TR_CELL_SIZE];
        Column *c = &t->column[i];
        for (int line = 0; line < HEADING_LINES; line++) {
            heading_text(c, line, text);
            c->width = larger(c->width, tr_word_width(text));
        }
        row = NULL;
        for (int k = 0; k < shown && (row = next_row(w, table, row)) != NULL; k++) {
            cell_text(w, row, c, text);
            c->width = larger(c->width, tr_word_width(text));
        }
    }
}

static void put_members(trWriter *w, const trReportNode *group, int depth, bool cells);

static void put_heading(trWriter *w, const char *label, int indent) {
    tr_begin_line(w, indent, "", indent);
    w->hang = indent + INDENT;
    tr_put(w, label);
    tr_end_line(w);
}

// Rows of a table, those that are seen or all.
static int count_rows(const trWriter *w, const trReportNode *table, bool all) {
    int count = 0;
    for (const trReportNode *n = table->first; n != NULL; n = n->next) {
        count +=
            n->kind == TR_NODE_GROUP && (all ? (n->flags & TR_REPORT_DATA) == 0 : !is_hidden(w, n));
    }
    return count;
}

static void put_table(trWriter *w, const trReportNode *table, int depth) {
    Table               t = {0};
    int                 rows = count_rows(w, table, false), indent = depth * INDENT;
    int                 all = count_rows(w, table, true);
    bool                cut = table->shown > 0 && rows > table->shown + 1 && !w->style.all;
    int                 shown = cut ? table->shown : rows;
    const trReportNode *row = NULL;
    const char         *label = table->label + (table->label[0] == '\n' ? 1 : 0);
    if (rows == 0) {
        return;
    }
    fputs(label != table->label ? "\n" : "", w->file);
    if (label[0] != '\0') {
        put_heading(w, label, indent);
        indent += INDENT;
    }
    measure(w, &t, table, shown);
    for (int line = 0; line < HEADING_LINES; line++) {
        put_row(w, &t, NULL, line, indent);
    }
    for (int k = 0; k < shown && (row = next_row(w, table, row)) != NULL; k++) {
        put_row(w, &t, row, 0, indent);
        put_members(w, row, indent / INDENT + 2, true);
    }
    if (all > shown) {
        fprintf(w->file, "%*sand %d more; --verbose shows all\n", indent, "", all - shown);
    }
}

// --- the tree ---

// Where values begin, so that all labels of the group fit before them.
static int value_column(const trWriter *w, const trReportNode *group, int indent) {
    int column = LEFT_COLUMN;
    for (const trReportNode *n = group->first; n != NULL; n = n->next) {
        if (n->label != NULL && is_line(n) && !is_hidden(w, n)) {
            column = larger(column, indent + tr_word_width(n->label) + 2);
        }
    }
    return column < TR_TEXT_WIDTH / 2 ? column : TR_TEXT_WIDTH / 2;
}

static void put_paragraph(trWriter *w, const trReportNode *n, int depth) {
    const char *text = n->text != NULL ? n->text : "";
    int         indent = depth > 0 ? (depth - 1) * INDENT : 0;
    fputs(text[0] == '\n' ? "\n" : "", w->file);
    tr_begin_line(w, indent, "", indent);
    w->hang = indent + INDENT;
    tr_put(w, text);
    tr_end_line(w);
    fputs(text[0] != '\0' && text[strlen(text) - 1] == '\n' ? "\n" : "", w->file);
}

#define LABEL_SIZE 128

// The label of a line, without the digits that it asks for.
static const char *left_label(const trReportNode *n, char text[LABEL_SIZE]) {
    const char *percent = n->kind == TR_NODE_NUMBER ? strstr(n->label, " %") : NULL;
    int         length = (int)(percent != NULL ? percent - n->label : (ptrdiff_t)strlen(n->label));
    snprintf(text, LABEL_SIZE, "%.*s", length, n->label);
    return text;
}

static void put_line(trWriter *w, const trReportNode *n, int depth, int column) {
    char        text[TR_CELL_SIZE], label[LABEL_SIZE];
    const char *words = n->text;
    if (n->kind != TR_NODE_NOTE && n->kind != TR_NODE_TEXT) {
        line_text(w, n, text);
        words = text;
    }
    if (words != NULL && words[0] != '\0') {
        tr_begin_line(w, depth * INDENT, left_label(n, label), column);
        tr_put(w, words);
        tr_end_line(w);
    }
}

static void put_node(trWriter *w, const trReportNode *n, int depth, int column) {
    if (n->kind == TR_NODE_NOTE && n->label == NULL) {
        put_paragraph(w, n, depth);
    } else if (is_transparent(n)) {
        put_members(w, n, depth, false);
    } else if (n->label == NULL) {
        return;
    } else if (n->kind == TR_NODE_NOTE || is_line(n)) {
        put_line(w, n, depth, column);
    } else if ((n->flags & TR_REPORT_TABLE) != 0) {
        put_table(w, n, depth);
    } else {
        if (n->label[0] != '\0') {
            put_heading(w, n->label, depth * INDENT);
        }
        put_members(w, n, depth + 1, false);
    }
}

// All members of a group; `cells`: but for those that are cells of a row.
static void put_members(trWriter *w, const trReportNode *group, int depth, bool cells) {
    int column = value_column(w, group, depth * INDENT);
    for (const trReportNode *n = group->first; n != NULL; n = n->next) {
        bool cell = cells && (is_cell(w, n) || is_transparent(n));
        if (!cell && !is_hidden(w, n)) {
            put_node(w, n, depth, column);
        }
    }
}

trStatus tr_report_print(FILE *file, const trReport *r, trReportStyle style) {
    trWriter w = {.file = file, .style = style};
    TR_TRY(tr_report_status(r));
    put_members(&w, r->root, 1, false);
    return TR_OK;
}
