// SPDX-License-Identifier: MIT
// The benchmark models in Trammel.
//
//     bench model N setting reference|- budget     one run, as row.h says
//     bench reference model N file                 rod ends at the last time
//     bench evaluate model N count                 that many right-hand sides, and no more
//
// A setting of 1 or more takes rk4 with that many steps in a second, a smaller one dop853 with that
// tolerance; both project onto the constraints (mass_orthogonal) after every step. Bricard's loop
// has a dependent row everywhere, for which the default projects stages as well; this is left on.
//
// The four-bar has one degree of freedom, so its reference is that of
//
//     theta'' = g ((3N + 1) / 2) / ((4N + 1) / 3) sin(theta),   theta(0) = 0,  theta'(0) = 1
//
// with theta from the upward vertical. The reference of the others is a run with the tolerance of
// 1e-12; run.py knows points of some of them.

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
#define GENERIC_RATE 1000.0  // one such step leaves the special start; long chains stay calm [1/s]
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

// The body frame stands at the start of the rod, in axes of the world.
static void add_rod(trModel *model, const BenchTask *task, int i) {
    BenchRod rod = bench_rod(task, i);
    char     name[NAME_ROOM];
    int      body;

    snprintf(name, sizeof name, "rod%d", i);
    if (bench_planar(task)) {
        must(tr_model_add_body(model, name,
                               TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", rod.inertia.z),
                                         TR_VEC("at", rod.at.x, rod.at.y),
                                         TR_VEC("com", 0.5 * rod.along.x, 0.5 * rod.along.y),
                                         TR_VEC("velocity", rod.velocity.x, rod.velocity.y),
                                         TR_NUM("angular_velocity", rod.omega)),
                               &body));
    } else {
        must(tr_model_add_body(
            model, name,
            TR_PARAMS(TR_NUM("mass", 1.0),
                      TR_VEC("inertia", rod.inertia.x, rod.inertia.y, rod.inertia.z),
                      TR_VEC("at", rod.at.x, rod.at.y, rod.at.z),
                      TR_VEC("com", 0.5 * rod.along.x, 0.5 * rod.along.y, 0.5 * rod.along.z)),
            &body));
    }
}

static void hinge(const Mechanism *made, const BenchTask *task, int body1, int body2,
                  const BenchVec *at, const BenchVec *axis) {
    char name[2 * NAME_ROOM];
    snprintf(name, sizeof name, "hinge%d_%d", body1, body2);
    if (bench_planar(task)) {
        must(tr_model_add_joint(made->model, "revolute", name, body1, body2,
                                TR_PARAMS(TR_VEC("point", at->x, at->y)), NULL));
    } else {
        must(tr_model_add_joint(made->model, "revolute", name, body1, body2,
                                TR_PARAMS(TR_VEC("point", at->x, at->y, at->z),
                                          TR_VEC("axis", axis->x, axis->y, axis->z)),
                                NULL));
    }
}

// The numbers of rods are those of bodies, and BENCH_GROUND is TR_GROUND.
static Mechanism build(const BenchTask *task) {
    Mechanism made = {0};
    BenchVec  g = bench_gravity(task);

    must(bench_planar(task)
             ? tr_model_create(TR_PARAMS(TR_VEC("gravity", g.x, g.y)), &made.model)
             : tr_model_create(TR_PARAMS(TR_NUM("dim", 3), TR_VEC("gravity", g.x, g.y, g.z)),
                               &made.model));
    for (int i = 0; i < bench_rods(task); i++) {
        add_rod(made.model, task, i);
    }
    for (int i = 0; i < bench_rods(task); i++) {
        BenchRod rod = bench_rod(task, i);
        BenchVec end = {rod.at.x + rod.along.x, rod.at.y + rod.along.y, rod.at.z + rod.along.z};
        hinge(&made, task, rod.parent, i, &rod.at, &rod.axis);
        if (rod.closes != BENCH_NONE) {
            hinge(&made, task, i, rod.closes, &end, &rod.closing_axis);
        }
    }
    must(tr_system_build(made.model, &made.system));
    return made;
}

static void destroy(Mechanism *made) {
    tr_system_destroy(made->system);
    tr_model_destroy(made->model);
}

// `stage` is the projection of stages, NULL the default.
static trSim *make_sim(const BenchTask *task, const Mechanism *made, double setting,
                       const char *stage) {
    trSimDef def = tr_sim_def_default();
    trSim   *sim = NULL;

    def.stage_projection = stage;
    def.step_projection = "mass_orthogonal";
    def.duration = bench_duration(task);
    def.sample = def.duration;  // no output between the ends
    if (setting >= 1.0) {
        def.integrator = "rk4";
        def.step = 1.0 / setting;
    } else {
        def.integrator = "dop853";
        def.rtol = def.atol = setting;
    }
    must(tr_sim_create(made->system, &def, &sim));
    return sim;
}

static void ends_of(const BenchTask *task, const trSim *sim, BenchEnds *ends) {
    for (int i = 0; i < bench_rods(task); i++) {
        trBodyState   body = tr_sim_body(sim, i);
        const double *e = body.quaternion;
        BenchVec      along = bench_rod(task, i).along;
        trVec3        at = {body.x, body.y, body.z};
        trVec3        turned =
            tr_quat_rotate((trQuat){e[0], e[1], e[2], e[3]}, (trVec3){along.x, along.y, along.z});
        trVec3 end = tr_add3(at, turned);
        ends[i] = (BenchEnds){{at.x, at.y, at.z}, {end.x, end.y, end.z}};
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
    bool       redundant = task->model == BENCH_BRICARD;
    trSim     *sim = make_sim(task, made, task->setting, redundant ? NULL : "none");
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
    long double N = task->N, h = 1.0L / PENDULUM_STEPS;
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
        ends[i] = (BenchEnds){{i, 0.0, 0.0}, {i + x, y, 0.0}};
    }
    for (int i = 0; i < task->N; i++) {
        ends[task->N + 1 + i] = (BenchEnds){{i + x, y, 0.0}, {i + 1 + x, y, 0.0}};
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
    if (task->model == BENCH_FOURBAR) {
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
        BenchVec a = ends[i].start, b = ends[i].end;
        fprintf(file, "%.17g %.17g %.17g %.17g %.17g %.17g\n", a.x, a.y, a.z, b.x, b.y, b.z);
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
// take turns, because a factorization is kept while the positions stay the same. Stages are not
// projected: that would be more than one evaluation.
static int evaluate(const BenchTask *task, long count) {
    Mechanism made = build(task);
    trSim    *sim = make_sim(task, &made, GENERIC_RATE, "none");
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
