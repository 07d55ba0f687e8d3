// SPDX-License-Identifier: MIT
// A comparison as tables for a person: what methods reach, and what they cost. Columns are as wide
// as what stands in them.

#include <math.h>
#include <string.h>

#include "cli/compare_parts.h"

#define CELL 48
#define COLUMNS_MOST 24

typedef struct Column {
    char        group[2 * CELL];  // heading above; empty: that of the column before
    const char *name;
    void (*cell)(const trCompareRow *row, char text[CELL]);
    bool grouped;  // a group begins here
    int  width;
} Column;

typedef struct Table {
    int    columns;
    Column column[COLUMNS_MOST];
} Table;

// --- cells ---

static void put_small(char text[CELL], const char *before, double value) {
    if (isnan(value)) {
        snprintf(text, CELL, "-");
    } else {
        snprintf(text, CELL, value == 0.0 ? "%s0" : "%s%.1e", before, value);
    }
}

static void put_count(char text[CELL], int64_t value) {
    snprintf(text, CELL, "%lld", (long long)value);
}

#define LEVEL_CELL(function, level_index, part)                      \
    static void function(const trCompareRow *row, char text[CELL]) { \
        put_small(text, "", row->level[level_index].part);           \
    }
LEVEL_CELL(position_worst, 0, worst)
LEVEL_CELL(position_mean, 0, mean)
LEVEL_CELL(velocity_worst, 1, worst)
LEVEL_CELL(velocity_mean, 1, mean)
LEVEL_CELL(acceleration_worst, 2, worst)
LEVEL_CELL(acceleration_mean, 2, mean)
#undef LEVEL_CELL

#define ERROR_CELL(function, part)                                                             \
    static void function(const trCompareRow *row, char text[CELL]) {                           \
        put_small(text, row->bound ? "<" : "", row->measured ? row->error.part : (double)NAN); \
    }
ERROR_CELL(error_length, length)
ERROR_CELL(error_angle, angle)
ERROR_CELL(error_general, general)
#undef ERROR_CELL

#define COUNT_CELL(function, value)                                  \
    static void function(const trCompareRow *row, char text[CELL]) { \
        put_count(text, value);                                      \
    }
COUNT_CELL(steps, row->steps)
COUNT_CELL(rejected, row->rejected)
COUNT_CELL(forced, row->forced)
COUNT_CELL(evaluations, row->evaluations)
COUNT_CELL(factorizations, row->factorizations)
COUNT_CELL(iterations, row->newton_iterations + row->formulation_iterations)
#undef COUNT_CELL

static void energy_end(const trCompareRow *row, char text[CELL]) {
    put_small(text, "", row->energy_end);
}

static void energy_worst(const trCompareRow *row, char text[CELL]) {
    put_small(text, "", row->energy_worst);
}

static void trusted(const trCompareRow *row, char text[CELL]) {
    snprintf(text, CELL, row->measured ? "%.4g" : "-", row->trusted_until);
}

static void ratio(const trCompareRow *row, char text[CELL]) {
    snprintf(text, CELL, isnan(row->ratio) ? "-" : "%.2f", row->ratio);
}

static void setting(const trCompareRow *row, char text[CELL]) {
    if (row->fixed) {
        snprintf(text, CELL, "%.4g", row->def.step);
    } else {
        snprintf(text, CELL, "%.0e", row->def.rtol);
    }
}

// --- which rows, which columns ---

static bool ran(const trCompareRow *row, bool sweep) {
    bool has = row->state == TR_COMPARE_DONE || row->state == TR_COMPARE_FAILED;
    return row->shown && row->sweep == sweep && has && (sweep || row->same_as < 0);
}

// The k-th line: by merit; settings of the work-precision table as they were asked for.
static const trCompareRow *line(const trCompare *c, bool sweep, int k) {
    return sweep ? &c->row[k] : &c->row[c->order[k]];
}

static int lines(const trCompare *c, bool sweep) {
    return sweep ? c->rows : c->ranked;
}

static bool any(const trCompare *c, bool (*is)(const trCompare *, const trCompareRow *)) {
    for (int i = 0; i < c->rows; i++) {
        if (ran(&c->row[i], c->row[i].sweep) && is(c, &c->row[i])) {
            return true;
        }
    }
    return false;
}

static bool has_mean(const trCompare *c, const trCompareRow *row) {
    (void)c;
    return !isnan(row->level[0].mean);
}

static bool ends_early(const trCompare *c, const trCompareRow *row) {
    return row->measured && row->trusted_until < c->time[c->times - 1];
}

static void add(Table *t, const char *group, const char *name,
                void (*cell)(const trCompareRow *, char[CELL])) {
    Column *column = &t->column[t->columns++];
    *column = (Column){.name = name, .cell = cell, .grouped = group != NULL};
    snprintf(column->group, sizeof column->group, "%s", group != NULL ? group : "");
}

// The worst violation of a level, and the mean where it is known.
static void add_level(Table *t, const trCompare *c, int level,
                      void (*worst)(const trCompareRow *, char[CELL]),
                      void (*mean)(const trCompareRow *, char[CELL])) {
    char unit[CELL], group[2 * CELL];
    tr_compare_unit(c, level, unit);
    snprintf(group, sizeof group, "%s%s%s%s", tr_levels[level].name, unit[0] != '\0' ? " [" : "",
             unit, unit[0] != '\0' ? "]" : "");
    add(t, group, "worst", worst);
    if (any(c, has_mean)) {
        add(t, NULL, "mean", mean);
    }
}

static void add_error(Table *t, const trCompare *c) {
    if (tr_compare_is_general(c)) {
        add(t, "error", "relative", error_general);
    } else {
        add(t, "error", "[m]", error_length);
        add(t, NULL, "[rad]", error_angle);
    }
    if (any(c, ends_early)) {
        add(t, NULL, "until [s]", trusted);
    }
}

static void add_accuracy(Table *t, const trCompare *c) {
    add_level(t, c, 0, position_worst, position_mean);
    add_level(t, c, 1, velocity_worst, velocity_mean);
    add_level(t, c, 2, acceleration_worst, acceleration_mean);
    bool si = strcmp(c->energy_unit, "J") == 0;
    add(t, si ? "energy drift [J]" : "energy drift", "end", energy_end);
    add(t, NULL, "worst", energy_worst);
    add_error(t, c);
}

static void add_work(Table *t) {
    add(t, NULL, "steps", steps);
    add(t, NULL, "rejected", rejected);
    add(t, NULL, "forced", forced);
    add(t, NULL, "evaluations", evaluations);
    add(t, NULL, "factorizations", factorizations);
    add(t, NULL, "iterations", iterations);
    add(t, NULL, "time", ratio);
}

// --- layout ---

static int larger(int a, int b) {
    return a > b ? a : b;
}

// A group is at least as wide as its heading: its last column takes what is missing.
static void widen_groups(Table *t) {
    for (int first = 0; first < t->columns; first++) {
        if (!t->column[first].grouped) {
            continue;
        }
        int last = first, width = t->column[first].width;
        while (last + 1 < t->columns && !t->column[last + 1].grouped) {
            width += 2 + t->column[++last].width;
        }
        int missing = (int)strlen(t->column[first].group) - width;
        t->column[last].width += larger(missing, 0);
    }
}

static void measure(Table *t, const trCompare *c, bool sweep) {
    for (int k = 0; k < t->columns; k++) {
        Column *column = &t->column[k];
        column->width = (int)strlen(column->name);
        for (int i = 0; i < c->rows; i++) {
            char text[CELL];
            if (ran(&c->row[i], sweep)) {
                column->cell(&c->row[i], text);
                column->width = larger(column->width, (int)strlen(text));
            }
        }
    }
    widen_groups(t);
}

static int name_width(const trCompare *c) {
    int width = (int)strlen("method");
    for (int i = 0; i < c->rows; i++) {
        if (c->row[i].shown && c->row[i].same_as < 0) {
            char name[TR_COMPARE_NAME];
            width = larger(width, (int)strlen(tr_compare_name(c, &c->row[i], name)));
        }
    }
    return width;
}

// Group headings stand over the right end of their columns' first, where its numbers begin.
static void print_groups(FILE *file, const Table *t, int names) {
    int at = 2 + names, printed = 0;
    for (int k = 0; k < t->columns; k++) {
        if (t->column[k].group[0] != '\0') {
            printed += fprintf(file, "%*s", at + 2 - printed, "");
            printed += fprintf(file, "%s", t->column[k].group);
        }
        at += 2 + t->column[k].width;
    }
    fputs(printed > 0 ? "\n" : "", file);
}

static void print_table(FILE *file, const trCompareReport *r, Table *t, bool sweep) {
    const trCompare *c = r->compare;
    int              names = name_width(c);
    measure(t, c, sweep);
    print_groups(file, t, names);
    fprintf(file, "  %-*s", names, "method");
    for (int k = 0; k < t->columns; k++) {
        fprintf(file, "  %*s", t->column[k].width, t->column[k].name);
    }
    fputc('\n', file);
    for (int i = 0; i < lines(c, sweep); i++) {
        const trCompareRow *row = line(c, sweep, i);
        if (!ran(row, sweep)) {
            continue;
        }
        tr_compare_print_name(file, r, row, names);
        for (int k = 0; k < t->columns; k++) {
            char text[CELL];
            t->column[k].cell(row, text);
            fprintf(file, "  %*s", t->column[k].width, text);
        }
        fputs(row->state == TR_COMPARE_FAILED ? "  failed\n" : "\n", file);
    }
}

static bool has_rows(const trCompare *c, bool sweep) {
    for (int i = 0; i < c->rows; i++) {
        if (ran(&c->row[i], sweep)) {
            return true;
        }
    }
    return false;
}

static void print_sweep(FILE *file, const trCompareReport *r) {
    Table t = {0};
    add(&t, NULL, "step or tol", setting);
    add_error(&t, r->compare);
    add(&t, "", "evaluations", evaluations);
    add(&t, NULL, "time", ratio);
    fputs("\nerror against work\n", file);
    print_table(file, r, &t, true);
}

void tr_compare_print(FILE *file, const trCompareReport *report) {
    const trCompare *c = report->compare;
    Table            accuracy = {0}, work = {0};
    tr_compare_print_heading(file, report);
    if (has_rows(c, false)) {
        fputc('\n', file);
        add_accuracy(&accuracy, c);
        print_table(file, report, &accuracy, false);
        fputc('\n', file);
        add_work(&work);
        print_table(file, report, &work, false);
        tr_compare_print_same(file, report);
    }
    if (has_rows(c, true)) {
        print_sweep(file, report);
    }
    tr_compare_print_reasons(file, report, name_width(c));
    tr_compare_print_end(file, report);
}
