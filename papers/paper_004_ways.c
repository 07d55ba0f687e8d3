// SPDX-License-Identifier: MIT
// Runs, tables and figures of one mechanism.

#include "paper_004_ways.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WINDOWS 250       // points of a line, each the largest of its part of the run
#define NEGLIGIBLE 4e-21  // of squares
#define LOWEST 1e-36      // that figures show

const Way way[WAYS] = {
    {.name = "standard", .method = "lagrange"},
    {.name = "Baumgarte", .method = "baumgarte"},
    {.name = "penalty", .method = "penalty", .penalty = 1e7},
    {"augmented Lagrangian", "augmented_lagrangian", 1e7, true},
    {"index-1 augmented Lagrangian", "augmented_lagrangian_projected", 1e7, true},
    {.name = "coordinate partitioning", .method = "partition"},
    {.name = "direct correction, W = I", .method = "direct"},
    {.name = "direct correction, W = M", .method = "direct_mass"},
    {.name = "index-1, alpha = 1e4", "augmented_lagrangian_projected", 1e4},
};

void mechanism_run(const char *root, Mechanism *m) {
    model_load(root, m->file, NULL, &m->model);
    for (int i = 0; i < WAYS; i++) {
        trSimDef def = m->model.def;
        def.method = way[i].method;
        def.integrator = "rk4";
        def.step = m->step;
        def.duration = m->duration;
        def.options = TR_PARAMS(TR_NUM("penalty", way[i].penalty));
        motion_run(&m->model, &def, &m->motion[i]);
    }
}

void mechanism_free(Mechanism *m) {
    for (int i = 0; i < WAYS; i++) {
        motion_free(&m->motion[i]);
    }
    model_free(&m->model);
}

void table_square(Table *table, double value) {
    if (value > NEGLIGIBLE) {
        table_cell(table, "%.1e", value);
    } else if (value > 0.0) {
        table_cell(table, "< 1e%d", (int)ceil(log10(value)));
    } else {
        table_cell(table, "0");
    }
}

static double worst_square(const Motion *motion, const double *values) {
    double worst = motion_worst(motion, values);
    return worst * worst;
}

static double mean_square(const Motion *motion, const double *values) {
    double sum = 0.0;
    for (int i = 0; i < motion->n; i++) {
        sum += values[i] * values[i];
    }
    return sum / motion->n;
}

// The first part of a motion; it shares what it points to.
static Motion beginning(const Motion *motion, double until) {
    Motion part = *motion;
    while (until > 0.0 && part.n > 1 && part.t[part.n - 1] > until + 1e-9) {
        part.n--;
    }
    return part;
}

// What partitioning loses in a motion that multiplies errors differs by a factor of 6 among
// processors.
static bool multiplies(const Mechanism *m, int i) {
    return m->shown > 0.0 && strcmp(way[i].method, "partition") == 0;
}

static void table_energy(Table *table, const Motion *motion, bool rounds, bool power) {
    double end = motion->energy[motion->n - 1], largest = motion_worst(motion, motion->energy);
    if (power) {
        table_power(table, end);
        table_power(table, largest);
    } else if (rounds && largest < 1e-5) {
        for (int k = 0; k < 2; k++) {
            table_cell(table, "< 1e%d", (int)ceil(log10(largest)));
        }
    } else {
        table_cell(table, "%.1e", end);
        table_cell(table, "%.1e", largest);
    }
}

void mechanism_table(const Mechanism *m, Page *page, Table *table) {
    table_begin(table, "method | phi'phi, largest | mean | of rates, largest | mean | "
                       "energy at the end [J] | largest [J]");
    for (int i = 0; i < WAYS; i++) {
        const Motion motion = beginning(&m->motion[i], m->shown);
        if (motion.status == TR_OK) {
            table_cell(table, way[i].penalty == 1e4 ? "`%s`, 1e4" : "`%s`", way[i].method);
            table_square(table, worst_square(&motion, motion.phi));
            table_square(table, mean_square(&motion, motion.phi));
            table_square(table, worst_square(&motion, motion.rate));
            table_square(table, mean_square(&motion, motion.rate));
            table_energy(table, &motion, way[i].rounds, multiplies(m, i));
        }
    }
    page_table(page, table);
    for (int i = 0; i < WAYS; i++) {
        const Motion *motion = &m->motion[i];
        if (motion->status != TR_OK) {
            page_text(page, "`%s` does not finish: it stops at %.2g s.", way[i].method,
                      motion->n > 0 ? motion->t[motion->n - 1] : 0.0);
        }
    }
}

// Largest value of each part of the run, in the middle of that part.
static void draw(const Motion *motion, Quantity quantity, double *t, double *y) {
    double duration = motion->t[motion->n - 1];
    for (int k = 0; k < WINDOWS; k++) {
        t[k] = (k + 0.5) * duration / WINDOWS;
        y[k] = 0.0;
    }
    for (int i = 0; i < motion->n; i++) {
        int    k = (int)fmin(WINDOWS - 1, motion->t[i] / duration * WINDOWS);
        double value = quantity == POSITION   ? motion->phi[i] * motion->phi[i]
                       : quantity == VELOCITY ? motion->rate[i] * motion->rate[i]
                                              : fabs(motion->energy[i]);
        y[k] = fmax(y[k], value);
    }
}

// Where an axis of squares begins and ends: rounding of a body at rest goes far below what matters.
static void choose_range(int count, const trSeries *series, trAxis *axis) {
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < series[i].n; k++) {
            low = series[i].y[k] > 0.0 ? fmin(low, series[i].y[k]) : low;
            high = fmax(high, series[i].y[k]);
        }
    }
    if (low < LOWEST) {
        axis->from = LOWEST;
        axis->to = pow(10.0, ceil(log10(high)));
    }
}

void mechanism_figure(const Mechanism *m, Quantity quantity, const char *caption, Page *page) {
    static const char *const label[] = {"phi'phi", "phi_dot'phi_dot", "|E - E_0|"};
    static const char *const word[] = {"position", "velocity", "energy"};
    static const char *const what[] = {"violation of positions", "violation of velocities",
                                       "energy less that of the start"};
    double                  *memory = room(2 * DRAWN * WINDOWS * sizeof *memory);
    trSeries                 series[DRAWN];
    char                     name[64], title[128];
    int                      count = 0;
    for (int i = 0; i < DRAWN; i++) {
        double *t = memory + 2 * i * WINDOWS, *y = t + WINDOWS;
        if (m->motion[i].n > 1) {
            draw(&m->motion[i], quantity, t, y);
            series[count++] =
                (trSeries){.name = way[i].name, .x = t, .y = y, .n = WINDOWS, .style = i + 1};
        }
    }
    snprintf(name, sizeof name, "%s-%s", m->name, word[quantity]);
    snprintf(title, sizeof title, "%s: %s", m->title, what[quantity]);
    trChart chart = {
        .title = title,
        .x = {.label = "time", .unit = "s", .to = m->duration},
        .y = {.label = label[quantity],
              .unit = quantity == ENERGY ? "J" : NULL,
              .scale = TR_SCALE_LOG},
        .series = series,
        .series_count = count,
        .legend = TR_LEGEND_BELOW,
    };
    choose_range(count, series, &chart.y);
    page_figure(page, name, caption, &chart);
    free(memory);
}
