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

bool bench_parse(int argc, char **argv, BenchTask *out) {
    if (argc != 6 || (strcmp(argv[1], "chain") != 0 && strcmp(argv[1], "fourbar") != 0)) {
        fprintf(stderr, "usage: %s chain|fourbar N setting reference|- budget\n", argv[0]);
        return false;
    }
    *out = (BenchTask){
        .fourbar = strcmp(argv[1], "fourbar") == 0,
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

int bench_rods(const BenchTask *task) {
    return task->fourbar ? 2 * task->N + 1 : task->N;
}

BenchRod bench_rod(const BenchTask *task, int rod) {
    if (!task->fourbar) {
        return (BenchRod){.x = rod};
    }
    if (rod <= task->N) {
        // The tip of a vertical crank moves at (1, 0) m/s.
        return (BenchRod){.x = rod, .angle = BENCH_PI / 2.0, .omega = -1.0};
    }
    return (BenchRod){.x = rod - task->N - 1, .y = 1.0};
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

double bench_error(const BenchTask *task, const BenchEnds *ends) {
    FILE  *file = task->reference == NULL ? NULL : fopen(task->reference, "r");
    double worst = 0.0;

    if (task->reference == NULL) {
        return NAN;
    }
    for (int i = 0; i < bench_rods(task); i++) {
        BenchEnds r;
        if (file == NULL || fscanf(file, "%lf %lf %lf %lf", &r.x1, &r.y1, &r.x2, &r.y2) != 4) {
            fprintf(stderr, "%s: no reference of %d rods\n", task->reference, bench_rods(task));
            exit(EXIT_FAILURE);
        }
        double start = hypot(ends[i].x1 - r.x1, ends[i].y1 - r.y1);
        double end = hypot(ends[i].x2 - r.x2, ends[i].y2 - r.y2);
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
           code, method, task->fourbar ? "fourbar" : "chain", task->N, bench_rods(task),
           task->setting, run->steps, run->evaluations, run->cpu_seconds, outcomes[run->outcome]);
    // JSON has no word for "not a number".
    if (isfinite(run->error)) {
        printf("\"error\": %.6e}\n", run->error);
    } else {
        printf("\"error\": null}\n");
    }
}
