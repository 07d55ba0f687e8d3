// SPDX-License-Identifier: MIT
// The benchmark models in Trammel.
//
//     bench chain|fourbar N setting reference|- budget     one run, as row.h says
//     bench reference chain|fourbar N file                 rod ends at the last time
//     bench evaluate chain|fourbar N count                 that many right-hand sides, and no more
//
// A setting of 1 or more takes rk4 with that many steps, a smaller one dop853 with that tolerance;
// both project onto the constraints (mass_orthogonal) after every step.
//
// The four-bar has one degree of freedom, so its reference is that of
//
//     theta'' = g ((3N + 1) / 2) / ((4N + 1) / 3) sin(theta),   theta(0) = 0,  theta'(0) = 1
//
// with theta from the upward vertical. The chain has no closed form: its reference is a run with
// the tolerance of 1e-12.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "row.h"
#include "sim/sim.h"
#include "trammel/trammel.h"

#define REFERENCE_TOLERANCE "1e-12"
#define REFERENCE_BUDGET "600"  // [s]
#define PENDULUM_STEPS 20000    // of order 4: truncation below 1e-15, rounding is long double's
#define GENERIC_STEP \
    1e-3  // one step leaves the special initial position; long chains stay calm [s]
#define NAME_ROOM 32

typedef struct Mechanism {
    trModel  *model;
    trSystem *system;
} Mechanism;

static void must(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "bench: %s (%s)\n", tr_last_error(), tr_status_text(status));
        exit(EXIT_FAILURE);
    }
}

static void add_rod(trModel *model, const BenchTask *task, int i) {
    BenchRod rod = bench_rod(task, i);
    double   x = 0.5 * cos(rod.angle), y = 0.5 * sin(rod.angle);  // from the start to the center
    // A rod of the four-bar whose start moves is a coupler: it translates with 1 m/s.
    double vx = task->fourbar && i > task->N ? 1.0 : -rod.omega * y;
    double vy = rod.omega * x;
    char   name[NAME_ROOM];
    int    body;
    snprintf(name, sizeof name, "rod%d", i);
    must(tr_model_add_body(model, name,
                           TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0 / 12.0),
                                     TR_VEC("at", rod.x + x, rod.y + y), TR_NUM("angle", rod.angle),
                                     TR_VEC("velocity", vx, vy),
                                     TR_NUM("angular_velocity", rod.omega)),
                           &body));
}

static void pin(trModel *model, int body1, int body2, double x, double y) {
    char name[2 * NAME_ROOM];
    snprintf(name, sizeof name, "pin%d_%d", body1, body2);
    must(tr_model_add_joint(model, "revolute", name, body1, body2,
                            TR_PARAMS(TR_VEC("point", x, y))));
}

static Mechanism build(const BenchTask *task) {
    Mechanism made = {0};
    int       N = task->N;

    must(tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, -BENCH_GRAVITY)), &made.model));
    for (int i = 0; i < bench_rods(task); i++) {
        add_rod(made.model, task, i);
    }
    if (task->fourbar) {
        for (int i = 0; i <= N; i++) {
            pin(made.model, TR_GROUND, i, i, 0.0);
        }
        for (int i = 0; i < N; i++) {
            pin(made.model, i, N + 1 + i, i, 1.0);
            pin(made.model, N + 1 + i, i + 1, i + 1, 1.0);
        }
    } else {
        for (int i = 0; i < N; i++) {
            pin(made.model, i - 1, i, i, 0.0);  // TR_GROUND is -1
        }
    }
    must(tr_system_build(made.model, &made.system));
    return made;
}

static void destroy(Mechanism *made) {
    tr_system_destroy(made->system);
    tr_model_destroy(made->model);
}

static trSim *make_sim(const Mechanism *made, double setting) {
    trSimDef def = tr_sim_def_default();
    trSim   *sim = NULL;

    def.stage_projection = "none";
    def.step_projection = "mass_orthogonal";
    def.duration = BENCH_DURATION;
    def.sample = BENCH_DURATION;  // no output between the ends
    if (setting >= 1.0) {
        def.integrator = "rk4";
        def.step = BENCH_DURATION / setting;
    } else {
        def.integrator = "dop853";
        def.rtol = def.atol = setting;
    }
    must(tr_sim_create(made->system, &def, &sim));
    return sim;
}

static void ends_of(const BenchTask *task, const trSim *sim, BenchEnds *ends) {
    for (int i = 0; i < bench_rods(task); i++) {
        trBodyState rod = tr_sim_body(sim, i);
        double      x = 0.5 * cos(rod.angle), y = 0.5 * sin(rod.angle);
        ends[i] = (BenchEnds){rod.x - x, rod.y - y, rod.x + x, rod.y + y};
    }
}

static BenchEnds *new_ends(const BenchTask *task) {
    BenchEnds *ends = calloc((size_t)bench_rods(task), sizeof *ends);
    if (ends == NULL) {
        must(TR_E_MEMORY);
    }
    return ends;
}

// Leaves the rod ends at the last time in `ends`, if it gets there.
static BenchRun run_once(const BenchTask *task, const Mechanism *made, BenchEnds *ends) {
    trSim     *sim = make_sim(made, task->setting);
    trRunHooks hooks = {.stop = bench_budget(task->budget)};
    BenchRun   run = {.error = NAN};

    double   start = bench_cpu();
    trStatus status = tr_sim_run(sim, NULL, &hooks);
    run.cpu_seconds = bench_cpu() - start;
    trSimStats stats = tr_sim_stats(sim);
    run.steps = (long)stats.steps;
    run.evaluations = (long)stats.evaluations;
    if (status == TR_OK) {
        ends_of(task, sim, ends);
        run.error = bench_error(task, ends);
    } else {
        run.outcome = status == TR_E_INTERRUPTED ? BENCH_CUT : BENCH_FAILED;
    }
    tr_sim_destroy(sim);
    return run;
}

static int measure(const BenchTask *task) {
    Mechanism  made = build(task);
    BenchEnds *ends = new_ends(task);
    BenchRun   best, run;
    double     start = bench_cpu();
    int        repeats = 0;

    do {
        run = run_once(task, &made, ends);
    } while (bench_again(&best, &run, ++repeats, bench_cpu() - start));
    bench_print("trammel", task->setting >= 1.0 ? "rk4" : "dop853", task, &best);
    free(ends);
    destroy(&made);
    return EXIT_SUCCESS;
}

static void fourbar_ends(const BenchTask *task, BenchEnds *ends) {
    long double N = task->N, h = (long double)BENCH_DURATION / PENDULUM_STEPS;
    long double k = (long double)BENCH_GRAVITY * ((3 * N + 1) / 2) / ((4 * N + 1) / 3);
    long double angle = 0.0L, rate = 1.0L;

    for (int i = 0; i < PENDULUM_STEPS; i++) {
        long double a1 = k * sinl(angle);
        long double r2 = rate + h / 2 * a1, a2 = k * sinl(angle + h / 2 * rate);
        long double r3 = rate + h / 2 * a2, a3 = k * sinl(angle + h / 2 * r2);
        long double r4 = rate + h * a3, a4 = k * sinl(angle + h * r3);
        angle += h / 6 * (rate + 2 * r2 + 2 * r3 + r4);
        rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    double x = (double)sinl(angle), y = (double)cosl(angle);
    for (int i = 0; i <= task->N; i++) {
        ends[i] = (BenchEnds){i, 0.0, i + x, y};
    }
    for (int i = 0; i < task->N; i++) {
        ends[task->N + 1 + i] = (BenchEnds){i + x, y, i + 1 + x, y};
    }
}

static int write_reference(const BenchTask *task, const char *path) {
    BenchEnds *ends = new_ends(task);
    FILE      *file = fopen(path, "w");

    if (file == NULL) {
        perror(path);
        free(ends);
        return EXIT_FAILURE;
    }
    if (task->fourbar) {
        fourbar_ends(task, ends);
    } else {
        Mechanism made = build(task);
        BenchRun  run = run_once(task, &made, ends);
        destroy(&made);
        if (run.outcome != BENCH_DONE) {
            fprintf(stderr, "bench: the reference was not reached\n");
            fclose(file);
            free(ends);
            return EXIT_FAILURE;
        }
    }
    for (int i = 0; i < bench_rods(task); i++) {
        fprintf(file, "%.17g %.17g %.17g %.17g\n", ends[i].x1, ends[i].y1, ends[i].x2, ends[i].y2);
    }
    free(ends);
    return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// The state (q, v, W) of a simulation after one more step; W does not enter what is evaluated.
static double *next_state(const Mechanism *made, trSim *sim) {
    int     nq = tr_system_nq(made->system), nv = tr_system_nv(made->system);
    double *x = calloc((size_t)(nq + nv + 1), sizeof *x);
    if (x == NULL) {
        must(TR_E_MEMORY);
        return NULL;
    }
    must(tr_sim_step(sim));
    memcpy(x, tr_sim_q(sim), (size_t)nq * sizeof *x);
    memcpy(x + nq, tr_sim_v(sim), (size_t)nv * sizeof *x);
    return x;
}

// Accelerations and multipliers, `count` times, at states that are nowhere special. Two states
// take turns, because a factorization is kept while the positions stay the same.
static int evaluate(const BenchTask *task, long count) {
    Mechanism made = build(task);
    trSim    *sim = make_sim(&made, BENCH_DURATION / GENERIC_STEP);
    double   *x[2] = {next_state(&made, sim), next_state(&made, sim)};
    double   *xdot = next_state(&made, sim);

    int64_t factored = tr_sim_stats(sim).factorizations;
    double  start = bench_cpu();
    for (long i = 0; i < count; i++) {
        must(tr_sim_rhs(sim, 0.0, x[i % 2], xdot));
    }
    BenchRun run = {.evaluations = count, .cpu_seconds = bench_cpu() - start, .error = NAN};
    factored = tr_sim_stats(sim).factorizations - factored;
    if (factored != count) {
        fprintf(stderr, "bench: %ld evaluations made %ld factorizations\n", count, (long)factored);
        return EXIT_FAILURE;
    }
    bench_print("trammel", "evaluation", task, &run);
    free(x[0]);
    free(x[1]);
    free(xdot);
    tr_sim_destroy(sim);
    destroy(&made);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    BenchTask task;
    bool      reference = argc == 5 && strcmp(argv[1], "reference") == 0;
    bool      evaluation = argc == 5 && strcmp(argv[1], "evaluate") == 0;

    if (reference || evaluation) {
        char *as_run[] = {argv[0], argv[2], argv[3], REFERENCE_TOLERANCE, "-", REFERENCE_BUDGET};
        if (!bench_parse(6, as_run, &task)) {
            return 2;
        }
        return reference ? write_reference(&task, argv[4]) : evaluate(&task, atol(argv[4]));
    }
    return bench_parse(argc, argv, &task) ? measure(&task) : 2;
}
