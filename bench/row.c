// SPDX-License-Identifier: MIT
// The models, the command line and the output that all benchmark programs share.

#include "row.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ENOUGH_SECONDS 0.3  // a run is repeated until its repetitions have used this much
#define LONG_SECONDS 2.0    // a run is not repeated at all above this
#define FEWEST_REPEATS 3

#define MODELS 4

static const char *const model_names[MODELS] = {"chain", "fourbar", "chain3", "bricard"};

static const BenchVec unit_x = {1.0, 0.0, 0.0};
static const BenchVec unit_y = {0.0, 1.0, 0.0};
static const BenchVec unit_z = {0.0, 0.0, 1.0};

bool bench_parse(int argc, char **argv, BenchTask *out) {
    int model = 0;
    while (argc == 6 && model < MODELS && strcmp(argv[1], model_names[model]) != 0) {
        model++;
    }
    if (argc != 6 || model == MODELS) {
        fprintf(stderr, "usage: %s chain|fourbar|chain3|bricard N setting reference|- budget\n",
                argv[0]);
        return false;
    }
    *out = (BenchTask){
        .model = (BenchModel)model,
        .N = atoi(argv[2]),
        .setting = atof(argv[3]),
        .reference = strcmp(argv[4], "-") == 0 ? NULL : argv[4],
        .budget = atof(argv[5]),
    };
    if (out->N < 1 || !(out->setting > 0.0) || !(out->budget > 0.0)) {
        fprintf(stderr, "%s: N, setting and budget must be positive\n", argv[0]);
        return false;
    }
    return true;
}

bool bench_planar(const BenchTask *task) {
    return task->model == BENCH_CHAIN || task->model == BENCH_FOURBAR;
}

double bench_duration(const BenchTask *task) {
    return task->model == BENCH_BRICARD ? task->N : 1.0;
}

BenchVec bench_gravity(const BenchTask *task) {
    if (task->model == BENCH_CHAIN3) {
        double g = BENCH_GRAVITY / sqrt(2.0);
        return (BenchVec){0.0, -g, -g};
    }
    return (BenchVec){0.0, -BENCH_GRAVITY, 0.0};
}

int bench_rods(const BenchTask *task) {
    switch (task->model) {
    case BENCH_FOURBAR:
        return 2 * task->N + 1;
    case BENCH_BRICARD:
        return 5;
    default:
        return task->N;
    }
}

// Rod i of a row of N; hinges of the spatial chain turn about z, y, z, y, ...
static BenchRod chain_rod(const BenchTask *task, int i) {
    bool about_y = task->model == BENCH_CHAIN3 && i % 2 == 1;
    return (BenchRod){
        .at = {i, 0.0, 0.0},
        .along = unit_x,
        .axis = about_y ? unit_y : unit_z,
        .parent = i - 1,  // of the first, BENCH_GROUND
        .child = i + 1 < task->N ? i + 1 : BENCH_NONE,
        .closes = BENCH_NONE,
    };
}

// The tip of a vertical crank moves at (1, 0) m/s; couplers translate.
static BenchRod fourbar_rod(const BenchTask *task, int i) {
    int N = task->N, coupler = i - N - 1;
    if (i <= N) {
        return (BenchRod){
            .at = {i, 0.0, 0.0},
            .along = unit_y,
            .omega = -1.0,
            .axis = unit_z,
            .parent = BENCH_GROUND,
            .child = i < N ? i + N + 1 : BENCH_NONE,
            .closes = BENCH_NONE,
        };
    }
    return (BenchRod){
        .at = {coupler, 1.0, 0.0},
        .along = unit_x,
        .velocity = unit_x,
        .axis = unit_z,
        .parent = coupler,
        .child = BENCH_NONE,
        .closes = coupler + 1,
        .closing_axis = unit_z,
    };
}

static BenchRod bricard_rod(int i) {
    static const BenchVec along[5] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};
    static const BenchVec at[5] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}};
    const BenchVec        axis[5] = {unit_y, unit_z, unit_x, unit_y, unit_z};
    return (BenchRod){
        .at = at[i],
        .along = along[i],
        .axis = axis[i],
        .parent = i - 1,
        .child = i < 4 ? i + 1 : BENCH_NONE,
        .closes = i < 4 ? BENCH_NONE : BENCH_GROUND,
        .closing_axis = unit_x,
    };
}

BenchRod bench_rod(const BenchTask *task, int rod) {
    bool     bricard = task->model == BENCH_BRICARD;
    BenchRod r = bricard                        ? bricard_rod(rod)
                 : task->model == BENCH_FOURBAR ? fourbar_rod(task, rod)
                                                : chain_rod(task, rod);
    // Bricard's rods have a square section of 0.1 m, the others are slender.
    double axial = bricard ? 1.0 / 600.0 : 1e-4, across = bricard ? 1.01 / 12.0 : 1.0 / 12.0;
    r.inertia.x = r.along.x != 0.0 ? axial : across;
    r.inertia.y = r.along.y != 0.0 ? axial : across;
    r.inertia.z = r.along.z != 0.0 ? axial : across;
    return r;
}

double bench_cpu(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static volatile sig_atomic_t used_up;

static void note_used_up(int number) {
    (void)number;
    used_up = 1;
}

const volatile int *bench_budget(double seconds) {
    static bool       made = false;
    static timer_t    timer;
    struct itimerspec when = {.it_value.tv_sec = (time_t)seconds,
                              .it_value.tv_nsec = (long)(1e9 * fmod(seconds, 1.0))};
    struct sigevent   event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};

    if (!made) {
        made = signal(SIGALRM, note_used_up) != SIG_ERR &&
               timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    }
    used_up = 0;
    if (!made || timer_settime(timer, 0, &when, NULL) != 0) {
        perror("no timer");
        exit(EXIT_FAILURE);
    }
    return &used_up;
}

static bool read_point(FILE *file, BenchVec *out) {
    return file != NULL && fscanf(file, "%lf %lf %lf", &out->x, &out->y, &out->z) == 3;
}

static double distance(BenchVec a, BenchVec b) {
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

double bench_error(const BenchTask *task, const BenchEnds *ends) {
    FILE  *file = task->reference == NULL ? NULL : fopen(task->reference, "r");
    double worst = 0.0;

    if (task->reference == NULL) {
        return NAN;
    }
    for (int i = 0; i < bench_rods(task); i++) {
        BenchEnds r;
        if (!read_point(file, &r.start) || !read_point(file, &r.end)) {
            fprintf(stderr, "%s: no reference of %d rods\n", task->reference, bench_rods(task));
            exit(EXIT_FAILURE);
        }
        double start = distance(ends[i].start, r.start), end = distance(ends[i].end, r.end);
        // fmax would drop a NAN, and with it a state that went wrong.
        worst = isnan(start + end) ? INFINITY : fmax(worst, fmax(start, end));
    }
    fclose(file);
    return worst;
}

bool bench_again(BenchRun *best, const BenchRun *run, int repeats, double spent) {
    if (repeats == 1 || run->cpu_seconds < best->cpu_seconds) {
        *best = *run;
    }
    if (run->outcome != BENCH_DONE || run->cpu_seconds > LONG_SECONDS) {
        return false;
    }
    return repeats < FEWEST_REPEATS || spent < ENOUGH_SECONDS;
}

void bench_print(const char *code, const char *method, const BenchTask *task, const BenchRun *run) {
    static const char *const outcomes[] = {"done", "cut", "failed"};
    printf("{\"code\": \"%s\", \"method\": \"%s\", \"model\": \"%s\", \"N\": %d, \"bodies\": %d, "
           "\"setting\": %.6g, \"steps\": %ld, \"evaluations\": %ld, \"cpu_seconds\": %.6e, "
           "\"outcome\": \"%s\", ",
           code, method, model_names[task->model], task->N, bench_rods(task), task->setting,
           run->steps, run->evaluations, run->cpu_seconds, outcomes[run->outcome]);
    // JSON has no word for "not a number".
    if (isfinite(run->error)) {
        printf("\"error\": %.6e}\n", run->error);
    } else {
        printf("\"error\": null}\n");
    }
}
