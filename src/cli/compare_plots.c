// SPDX-License-Identifier: MIT
// A comparison as charts. A method has the same look in all of them. What cannot be told apart from
// another line is drawn once, under the first of the names, and a note says so.

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/compare_parts.h"
#include "trammel/plot.h"

#define PATH_SIZE 4096
#define WIDTH 900           // of a picture [px]
#define BODY_HEIGHT 470     // of titles, axes and data [px]
#define LINE_HEIGHT 19      // of a row of the legend and of a line of notes, about [px]
#define LEGEND_COLUMNS 3    // about
#define NOTE_LETTERS 150    // of a line, about
#define ROUNDING 1e-17      // logarithmic axes of violations and errors do not go below
#define ALIKE 0.02          // values closer than this, relative, cannot be told apart
#define REFERENCE_STYLE 32  // a look that no method has unless there are so many

typedef struct Plots {
    const trCompare *c;
    const char      *folder;
    const char      *name;      // of the model
    const char      *subtitle;  // what was run
    const char      *missing;   // which methods are not drawn, or NULL
    trArena         *arena;
    int              count;   // of series so far
    trSeries        *series;  // c->rows + 1
    const char     **twins;   // of each series: names of those that coincide, or NULL
} Plots;

// --- series ---

typedef double (*Value)(const trCompareRow *row);

static bool is_drawn(const trCompareRow *row) {
    return row->shown && !row->sweep && row->state == TR_COMPARE_DONE;
}

static double error_of(const trCompareRow *row) {
    return row->measured ? tr_compare_gap_size(row->error) : NAN;
}

static double position_of(const trCompareRow *row) {
    return row->level[0].worst;
}

static double energy_of(const trCompareRow *row) {
    return row->energy_worst;
}

static double evaluations_of(const trCompareRow *row) {
    return (double)row->evaluations;
}

static double ratio_of(const trCompareRow *row) {
    return row->ratio;
}

static bool is_near(double a, double b) {
    double size = fmax(fabs(a), fabs(b));
    return fabs(a - b) <= ALIKE * size || size < ROUNDING || (isnan(a) && isnan(b));
}

static bool coincide(const trSeries *a, const trSeries *b) {
    bool alike = a->n == b->n && a->n > 0 && a->name != NULL && b->name != NULL;
    for (int i = 0; alike && i < a->n; i++) {
        alike = is_near(a->x[i], b->x[i]) && is_near(a->y[i], b->y[i]);
    }
    return alike;
}

static void add_series(Plots *p, const trSeries *series) {
    for (int k = 0; k < p->count; k++) {
        if (coincide(&p->series[k], series)) {
            p->twins[k] =
                tr_arena_format(p->arena, "%s%s%s", p->twins[k] != NULL ? p->twins[k] : "",
                                p->twins[k] != NULL ? ", " : "", series->name);
            return;
        }
    }
    p->twins[p->count] = NULL;
    p->series[p->count++] = *series;
}

static void add_traces(Plots *p, size_t offset) {
    p->count = 0;
    for (int i = 0; i < p->c->rows; i++) {
        const trCompareRow   *row = &p->c->row[i];
        const trCompareTrace *trace = &row->trace;
        if (is_drawn(row)) {
            double *const *y = (double *const *)(const void *)((const char *)trace + offset);
            add_series(p, &(trSeries){.name = row->label,
                                      .style = i + 1,
                                      .n = trace->count,
                                      .x = trace->time,
                                      .y = *y});
        }
    }
}

// Sizes of gaps at the output times up to `until`.
static trSeries series_of_gaps(Plots *p, int count, const trCompareGap *gap, double until) {
    double *size = tr_new_array(p->arena, double, count);
    int     n = 0;
    while (size != NULL && n < count && p->c->time[n] <= until) {
        size[n] = tr_compare_gap_size(gap[n]);
        n++;
    }
    return (trSeries){.n = n, .x = p->c->time, .y = size};
}

static void add_errors(Plots *p) {
    const trCompareReference *r = &p->c->reference;
    p->count = 0;
    for (int i = 0; i < p->c->rows; i++) {
        const trCompareRow *row = &p->c->row[i];
        if (is_drawn(row) && row->measured) {
            trSeries series = series_of_gaps(p, row->misses, row->miss, row->trusted_until);
            series.name = row->label;
            series.style = i + 1;
            add_series(p, &series);
        }
    }
    if (r->count > 0) {
        trSeries series = series_of_gaps(p, r->count, r->doubt, INFINITY);
        series.name = "two references apart";
        series.style = REFERENCE_STYLE;
        add_series(p, &series);
    }
}

// A point for each setting of a method: those of the work-precision table, or its only one.
static trSeries series_of_work(Plots *p, int of, Value x, Value y) {
    const trCompareRow *row = p->c->row;
    double             *at = tr_new_array(p->arena, double, 2 * p->c->rows);
    double             *value = at != NULL ? at + p->c->rows : NULL;
    int                 n = 0;
    for (int i = 0; at != NULL && i < p->c->rows; i++) {
        bool mine = row[i].sweep && row[i].state == TR_COMPARE_DONE &&
                    strcmp(row[i].label, row[of].label) == 0;
        if (mine) {
            at[n] = x(&row[i]);
            value[n++] = y(&row[i]);
        }
    }
    if (at != NULL && n == 0) {
        at[n] = x(&row[of]);
        value[n++] = y(&row[of]);
    }
    return (trSeries){.name = row[of].label,
                      .style = of + 1,
                      .n = n,
                      .x = at,
                      .y = value,
                      .line = n > 1 ? TR_LINE_AUTO : TR_LINE_NONE,
                      .marker = TR_MARKER_AUTO};
}

static void add_work(Plots *p, Value x, Value y) {
    p->count = 0;
    for (int i = 0; i < p->c->rows; i++) {
        if (is_drawn(&p->c->row[i])) {
            trSeries series = series_of_work(p, i, x, y);
            add_series(p, &series);
        }
    }
}

// --- charts ---

// Rounding gives values of any smallness, exact zeros among them; only what is above it is shown.
static void keep_above_rounding(const Plots *p, trAxis *axis) {
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < p->count; k++) {
        for (int i = 0; i < p->series[k].n; i++) {
            double y = p->series[k].y[i];
            least = y > 0.0 ? fmin(least, y) : least;
            most = isfinite(y) ? fmax(most, y) : most;
        }
    }
    if (least < ROUNDING && most > 10.0 * ROUNDING) {
        axis->from = ROUNDING;
        axis->to = pow(10.0, ceil(log10(most)));
    }
}

static int lines_of(const char *text) {
    return text == NULL ? 0 : 1 + (int)strlen(text) / NOTE_LETTERS;
}

// Lines that are drawn once, "lagrange = nullspace, projective".
static const char *note_of_twins(const Plots *p) {
    const char *note = NULL;
    for (int k = 0; k < p->count; k++) {
        if (p->twins[k] != NULL) {
            note = tr_arena_format(p->arena, "%s%s%s = %s",
                                   note != NULL ? note : "drawn once: ", note != NULL ? "; " : "",
                                   p->series[k].name, p->twins[k]);
        }
    }
    return note;
}

static trExit write_chart(const Plots *p, const char *file_name, const trChart *chart) {
    char  path[PATH_SIZE];
    int   length = snprintf(path, sizeof path, "%s/%s", p->folder, file_name);
    FILE *file = length < PATH_SIZE ? fopen(path, "w") : NULL;
    if (file == NULL) {
        tr_cli_error("'%s': cannot write: %s", path, strerror(errno));
        return TR_EXIT_FILE;
    }
    trStatus status = tr_chart_write(chart, file);
    if (fclose(file) != 0 || status != TR_OK) {
        tr_cli_error("'%s': %s", path, status != TR_OK ? tr_last_error() : strerror(errno));
        return status == TR_OK || status == TR_E_IO ? TR_EXIT_FILE : TR_EXIT_FAILED;
    }
    return TR_EXIT_DONE;
}

static trExit refuse_memory(void) {
    tr_cli_error("out of memory");
    return TR_EXIT_FAILED;
}

static trExit draw(Plots *p, const char *file_name, const char *what, trAxis x, trAxis y) {
    const char *notes[2];
    int         lines = 0, count = 0;
    const char *candidates[] = {note_of_twins(p), p->missing};
    for (int i = 0; i < 2; i++) {
        if (candidates[i] != NULL) {
            notes[count++] = candidates[i];
            lines += lines_of(candidates[i]);
        }
    }
    lines += (p->count + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    y.scale = TR_SCALE_LOG;
    keep_above_rounding(p, &y);
    const trChart chart = {
        .title = tr_arena_format(p->arena, "%s: %s", p->name, what),
        .subtitle = p->subtitle,
        .x = x,
        .y = y,
        .series = p->series,
        .series_count = p->count,
        .notes = notes,
        .note_count = count,
        .width = WIDTH,
        .height = BODY_HEIGHT + LINE_HEIGHT * lines,
        .legend = TR_LEGEND_BELOW,
    };
    if (tr_arena_status(p->arena) != TR_OK) {
        return refuse_memory();
    }
    return write_chart(p, file_name, &chart);
}

typedef enum Unit { GAP, GAP_RATE, ENERGY } Unit;

static const char *unit_text(const Plots *p, Unit unit) {
    bool general = tr_compare_is_general(p->c);
    return unit == ENERGY ? p->c->energy_unit
           : general      ? NULL
           : unit == GAP  ? "m, rad"
                          : "m/s, rad/s";
}

#define NO_TRACE SIZE_MAX

// Over time: a trace of each method, or without one the errors.
static trExit draw_over_time(Plots *p) {
    static const struct {
        const char *file, *what, *label;
        Unit        unit;
        size_t      trace;
    } charts[] = {
        {"violation.svg", "violation of positions", "|phi|", GAP,
         offsetof(trCompareTrace, position)},
        {"violation_velocity.svg", "violation of velocities", "|A v - b1|", GAP_RATE,
         offsetof(trCompareTrace, velocity)},
        {"energy.svg", "drift of energy", "|drift of T + V - W|", ENERGY,
         offsetof(trCompareTrace, energy)},
        {"error.svg", "distance from the reference", "error", GAP, NO_TRACE},
    };
    double       start = p->c->base.start;
    const trAxis time = {
        .label = "time", .unit = "s", .from = start, .to = start + p->c->base.duration};
    trExit code = TR_EXIT_DONE;
    for (size_t i = 0; i < sizeof charts / sizeof *charts && code == TR_EXIT_DONE; i++) {
        const trAxis y = {.label = charts[i].label, .unit = unit_text(p, charts[i].unit)};
        if (charts[i].trace == NO_TRACE) {
            add_errors(p);
        } else {
            add_traces(p, charts[i].trace);
        }
        code = draw(p, charts[i].file, charts[i].what, time, y);
    }
    return code;
}

static trExit draw_work(Plots *p) {
    static const struct {
        const char *file, *what, *label;
        Unit        unit;
        Value       x, y;
    } charts[] = {
        {"work_precision.svg", "error against evaluations", "largest error", GAP, evaluations_of,
         error_of},
        {"work_precision_time.svg", "error against time", "largest error", GAP, ratio_of, error_of},
        {"work_violation.svg", "violation of positions against time", "largest |phi|", GAP,
         ratio_of, position_of},
        {"work_energy.svg", "drift of energy against time", "largest |drift of T + V - W|", ENERGY,
         ratio_of, energy_of},
    };
    const trCompare *c = p->c;
    const char      *time = tr_arena_format(p->arena, "time as a multiple of %s",
                                       c->time_unit != NULL ? c->time_unit : TR_COMPARE_BASELINE);
    if (c->rows > 0 && c->row[c->rows - 1].sweep) {
        p->subtitle =
            tr_arena_format(p->arena, "%s with several steps or tolerances", c->base.integrator);
    }
    trExit code = TR_EXIT_DONE;
    for (size_t i = 0; i < sizeof charts / sizeof *charts && code == TR_EXIT_DONE; i++) {
        const trAxis x = {.label = charts[i].x == ratio_of ? time : "evaluations",
                          .scale = TR_SCALE_LOG};
        const trAxis y = {.label = charts[i].label, .unit = unit_text(p, charts[i].unit)};
        add_work(p, charts[i].x, charts[i].y);
        code = draw(p, charts[i].file, charts[i].what, x, y);
    }
    return code;
}

// --- words ---

static const char *name_missing(Plots *p) {
    const char *text = NULL;
    for (int i = 0; i < p->c->rows; i++) {
        const trCompareRow *row = &p->c->row[i];
        if (row->shown && !row->sweep && row->state != TR_COMPARE_DONE) {
            text = tr_arena_format(p->arena, "%s%s%s (%s)",
                                   text != NULL ? text : "not drawn: ", text != NULL ? ", " : "",
                                   row->label, tr_compare_state_name(row->state));
        }
    }
    return text;
}

// What the model's integrator ran with.
static const char *setting_of(Plots *p, const trSimDef *base) {
    for (int i = 0; i < p->c->rows; i++) {
        const trCompareRow *row = &p->c->row[i];
        if (row->fixed && !row->sweep && strcmp(row->def.integrator, base->integrator) == 0) {
            return tr_arena_format(p->arena, "%s with a step of %g s", base->integrator,
                                   row->def.step);
        }
    }
    return tr_arena_format(p->arena, "%s with rtol %g and atol %g", base->integrator, base->rtol,
                           base->atol);
}

static void plan(Plots *p, const char *path) {
    const trCompare *c = p->c;
    const trSimDef  *base = &c->base;
    const char      *name = tr_system_name(c->system);
    p->name = name != NULL ? name : path;
    p->series = tr_new_array(p->arena, trSeries, c->rows + 1);
    p->twins = tr_new_array(p->arena, const char *, c->rows + 1);
    p->missing = name_missing(p);
    p->subtitle = setting_of(p, base);
}

trExit tr_compare_plots_folder(const char *folder) {
    struct stat found;
    int         trouble = mkdir(folder, 0777) == 0 ? 0 : errno;
    if (trouble == 0 || (stat(folder, &found) == 0 && S_ISDIR(found.st_mode))) {
        return TR_EXIT_DONE;
    }
    tr_cli_error("'%s': cannot make the folder: %s", folder, strerror(trouble));
    return TR_EXIT_FILE;
}

trExit tr_compare_plots(const char *folder, const char *path, const trCompare *c) {
    Plots p = {.c = c, .folder = folder, .arena = tr_arena_create()};
    if (p.arena == NULL) {
        return refuse_memory();
    }
    plan(&p, path);
    trExit code = tr_arena_status(p.arena) == TR_OK ? draw_over_time(&p) : refuse_memory();
    code = code == TR_EXIT_DONE ? draw_work(&p) : code;
    tr_arena_destroy(p.arena);
    return code;
}
