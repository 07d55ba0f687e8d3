// SPDX-License-Identifier: MIT
// Gluing algorithms side by side: errors, iterations and what they send, over step sizes.
//
//     bench_gluing compare folder      tables as text; folder/gluing.csv, gluing-*.svg
//     bench_gluing steps N count       a chain of N links, that many steps, and no more
//
// Two models: two masses, 1 kg each, with 10 N/m to ground and 20 N/m between them, whose motion is
// known; and two links of 1 m, one hanging on the other, with three ratios of their masses, where
// the reference is `gauss` with steps of 2e-4 and 1e-4 s, extrapolated. Counts, no clock.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glue/scenes.h"
#include "trammel/plot.h"
#include "trammel/trammel.h"

#define STEPS 7
#define WAYS 6
#define MODELS 4  // the masses, and links at three ratios
#define LOST 1.0  // an error that is as large as the motion itself [m]

static const double step[STEPS] = {1e-1, 5e-2, 2e-2, 1e-2, 5e-3, 1e-3, 1e-4};  // [s]

// An algorithm, with iterations or without.
typedef struct Way {
    const char *label, *gluing;
    int         sweeps;
} Way;

static const Way ways[WAYS] = {{"gauss", "gauss", 0},
                               {"jacobi", "jacobi", 0},
                               {"gauss_seidel", "gauss_seidel", 0},
                               {"waveform", "waveform", 0},
                               {"jacobi, one sweep", "jacobi", 1},
                               {"gauss_seidel, one sweep", "gauss_seidel", 1}};

static const double      ratio[MODELS] = {0.0, 0.1, 1.0, 10.0};  // mass of link 1 to that of link 2
static const char *const model_name[MODELS] = {"masses", "links 0.1", "links 1", "links 10"};
static const double      duration[MODELS] = {5.0, 1.0, 1.0, 1.0};  // [s]

typedef struct Row {
    const char *state;                        // "ok", "diverges", "unstable"
    double      error;                        // [m]
    double      iterations, messages, bytes;  // in a step
} Row;

typedef struct Study {
    double reference[MODELS];
    Row    row[MODELS][WAYS][STEPS];
} Study;

static void must(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "bench_gluing: %s\n", tr_last_error());
        exit(EXIT_FAILURE);
    }
}

static trStatus make(int model, const trGlueDef *def, Scene *s) {
    const TwoMasses m = {.mass = {1.0, 1.0}, .k = 10.0, .coupling = 20.0, .start = {1.0, 0.0}};
    const Links     l = {
            .count = 2, .mass = {ratio[model], 1.0}, .angle = {0.0, -0.5}, .gravity = 9.81};
    return model == 0 ? scene_two_masses(&m, def, s) : scene_links(&l, def, s);
}

// Of mass 1, or of the center of link 2.
static double position(Scene *s, int model) {
    double state[6];
    scene_state(s, model == 0 ? 0 : 1, state);
    return state[0];
}

static trGlueDef def_of(int model, const Way *way, double h) {
    trGlueDef def = tr_glue_def_default();
    def.gluing = way->gluing;
    def.sweeps = way->sweeps;
    def.step = h;
    def.duration = duration[model];
    def.max_iterations = 200;
    return def;
}

static double exact_masses(double t) {
    double w1 = sqrt(10.0), w2 = sqrt(50.0);
    return 0.5 * (sin(w1 * t) / w1 + sin(w2 * t) / w2);
}

static double run_gauss(int model, double h) {
    trGlueDef def = def_of(model, &ways[0], h);
    Scene     s;
    must(make(model, &def, &s));
    must(scene_run(&s, &def));
    double x = position(&s, model);
    scene_free(&s);
    return x;
}

static double reference_of(int model) {
    return model == 0 ? exact_masses(duration[0])
                      : (4.0 * run_gauss(model, 1e-4) - run_gauss(model, 2e-4)) / 3.0;
}

static Row run(int model, const Way *way, double h, double reference) {
    trGlueDef def = def_of(model, way, h);
    Scene     s;
    Row       row = {.state = "ok", .error = NAN};
    must(make(model, &def, &s));
    trGlueStats before = tr_glue_stats(s.glue);
    trStatus    status = scene_run(&s, &def);
    trGlueStats after = tr_glue_stats(s.glue);
    double      steps = after.steps > 0 ? (double)after.steps : 1.0;
    row.iterations = (double)after.iterations / steps;
    row.messages = (double)(after.messages - before.messages) / steps;
    row.bytes = (double)(after.bytes - before.bytes) / steps;
    if (status == TR_OK) {
        row.error = fabs(position(&s, model) - reference);
    }
    if (status != TR_OK || !(row.error < LOST)) {
        row.state = way->sweeps > 0 ? "unstable" : "diverges";
        row.error = NAN;
    }
    scene_free(&s);
    return row;
}

// --- tables ---

static void print_errors(const Study *study, int model) {
    printf("\n| %s: h [s] |", model_name[model]);
    for (int k = 0; k < WAYS; k++) {
        printf(" %s |", ways[k].label);
    }
    printf("\n| --- |");
    for (int k = 0; k < WAYS; k++) {
        printf(" --- |");
    }
    for (int j = 0; j < STEPS; j++) {
        printf("\n| %g |", step[j]);
        for (int k = 0; k < WAYS; k++) {
            const Row *row = &study->row[model][k][j];
            if (isnan(row->error)) {
                printf(" %s |", row->state);
            } else if (ways[k].sweeps > 0) {
                printf(" %.1e |", row->error);
            } else {
                printf(" %.1e (%.1f) |", row->error, row->iterations);
            }
        }
    }
    printf("\n");
}

static FILE *open_file(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "bench_gluing: %s cannot be written\n", path);
        exit(EXIT_FAILURE);
    }
    return file;
}

static void write_csv(const Study *study, const char *folder) {
    FILE *file = open_file(folder, "gluing.csv");
    fprintf(file, "model,gluing,sweeps,step,state,error,iterations,messages,bytes\n");
    for (int model = 0; model < MODELS; model++) {
        for (int k = 0; k < WAYS; k++) {
            for (int j = 0; j < STEPS; j++) {
                const Row *row = &study->row[model][k][j];
                fprintf(file, "%s,%s,%d,%g,%s,%.2e,%.2f,%.1f,%.0f\n", model_name[model],
                        ways[k].gluing, ways[k].sweeps, step[j], row->state, row->error,
                        row->iterations, row->messages, row->bytes);
            }
        }
    }
    fclose(file);
}

// --- figures ---

static void write_chart(const char *folder, const char *name, const char *title, int count,
                        const trSeries *series) {
    static const char *const note[] = {"A line ends where its algorithm diverges or is unstable. "
                                       "Algorithms that converge to the same motion coincide."};
    const trChart            chart = {.title = title,
                                      .x = {.label = "step", .unit = "s", .scale = TR_SCALE_LOG},
                                      .y = {.label = "error", .unit = "m", .scale = TR_SCALE_LOG},
                                      .series = series,
                                      .series_count = count,
                                      .notes = note,
                                      .note_count = 1,
                                      .legend = TR_LEGEND_BELOW};
    FILE                    *file = open_file(folder, name);
    must(tr_chart_write(&chart, file));
    fclose(file);
}

static void draw_masses(const Study *study, const char *folder) {
    double   y[WAYS][STEPS];
    trSeries series[WAYS];
    for (int k = 0; k < WAYS; k++) {
        for (int j = 0; j < STEPS; j++) {
            y[k][j] = study->row[0][k][j].error;
        }
        series[k] = (trSeries){
            .name = ways[k].label, .x = step, .y = y[k], .n = STEPS, .marker = TR_MARKER_AUTO};
    }
    write_chart(folder, "gluing-masses.svg", "Two masses and a spring between them", WAYS, series);
}

static void draw_links(const Study *study, const char *folder) {
    static char name[3 * WAYS][64];
    double      y[3 * WAYS][STEPS];
    trSeries    series[3 * WAYS];
    int         count = 0;
    for (int model = 1; model < MODELS; model++) {
        for (int k = 0; k < WAYS; k++) {
            int drawn = 0;
            for (int j = 0; j < STEPS; j++) {
                y[count][j] = study->row[model][k][j].error;
                drawn += isnan(y[count][j]) ? 0 : 1;
            }
            if (drawn == 0) {
                continue;
            }
            snprintf(name[count], sizeof name[count], "%s, m1/m2 = %g", ways[k].label,
                     ratio[model]);
            series[count] = (trSeries){.name = name[count],
                                       .x = step,
                                       .y = y[count],
                                       .n = STEPS,
                                       .marker = TR_MARKER_AUTO};
            count++;
        }
    }
    write_chart(folder, "gluing-links.svg", "Two links and a joint between them", count, series);
}

static int compare(const char *folder) {
    static Study study;
    for (int model = 0; model < MODELS; model++) {
        study.reference[model] = reference_of(model);
        for (int k = 0; k < WAYS; k++) {
            for (int j = 0; j < STEPS; j++) {
                study.row[model][k][j] = run(model, &ways[k], step[j], study.reference[model]);
            }
        }
        print_errors(&study, model);
    }
    write_csv(&study, folder);
    draw_masses(&study, folder);
    draw_links(&study, folder);
    return EXIT_SUCCESS;
}

// --- overhead ---

// A chain that starts stretched at 0.3 rad below the horizontal.
static int take_steps(int modules, int count) {
    Links     l = {.count = modules, .gravity = 9.81};
    trGlueDef def = tr_glue_def_default();
    Scene     s;
    for (int i = 0; i < modules; i++) {
        l.mass[i] = 1.0;
        l.angle[i] = -0.3;
    }
    def.step = 1e-3;
    def.duration = 1.0;
    must(scene_links(&l, &def, &s));
    trGlueStats before = tr_glue_stats(s.glue);
    for (int n = 0; n < count; n++) {
        must(tr_glue_step(s.glue));
    }
    trGlueStats after = tr_glue_stats(s.glue);
    double      steps = count > 0 ? count : 1;
    printf("%d %.2f %.1f %.0f\n", modules, (double)after.iterations / steps,
           (double)(after.messages - before.messages) / steps,
           (double)(after.bytes - before.bytes) / steps);
    scene_free(&s);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "compare") == 0) {
        return compare(argv[2]);
    }
    if (argc == 4 && strcmp(argv[1], "steps") == 0) {
        int modules = (int)strtol(argv[2], NULL, 10), count = (int)strtol(argv[3], NULL, 10);
        if (modules >= 1 && modules <= SCENE_MODULES && count >= 0 && count <= 1000) {
            return take_steps(modules, count);
        }
    }
    fprintf(stderr, "usage: bench_gluing compare FOLDER | steps N COUNT (N: 1 to %d)\n",
            SCENE_MODULES);
    return EXIT_FAILURE;
}
