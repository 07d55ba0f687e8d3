// SPDX-License-Identifier: MIT
// What every integrator of SUNDIALS on the first face owes, whichever it is. References are runs of
// dop853 with tolerances of 1e-12, which the benchmarks hold against published values.

#ifndef TR_TESTS_SIM_OWNERS_H
#define TR_TESTS_SIM_OWNERS_H

#include <unistd.h>

#include "sim/own_step.h"
#include "support/test.h"

static inline trSimDef owner_def(const char *integrator, double tolerance, double duration) {
    trSimDef def = tr_sim_def_default();
    def.integrator = integrator;
    def.rtol = def.atol = tolerance;
    def.duration = duration;
    return def;
}

static inline Machine load_benchmark(const char *file, const char *set) {
    char        path[512];
    const char *sets[] = {set, NULL};
    snprintf(path, sizeof path, BENCHMARK "%s", file);
    return load(path, sets);
}

// The largest error of (q, v), in units of tolerance (1 + |x|).
static inline double error_in_tolerances(int n, const double *x, const double *exact,
                                         double tolerance) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - exact[i]) / (tolerance * (1.0 + fabs(exact[i]))));
    }
    return most;
}

typedef struct AccuracyCase {
    const char *file, *set;
    double      t;  // end [s]
} AccuracyCase;

// Both levels at accepted states: positions in m and rad, rates times a second. Newton's method
// ends at rounding, at most 1e-13 for the coordinates and velocities here (below 200); `level` is
// larger where states are copies that are projected to 1e-12 (1 + max|q|).
static inline void assert_on_constraints(const trSimStats *stats, double level, const char *who) {
    double position = fmax(stats->position.length, stats->position.angle);
    double velocity = fmax(stats->velocity.length, stats->velocity.angle);
    if (!(position <= level && velocity <= 1e-12)) {
        fail_msg("%s: violations %.3g and %.3g", who, position, velocity);
    }
}

static inline void assert_accuracy(const char *integrator, const AccuracyCase *c, double most,
                                   double level) {
    Machine    machine = load_benchmark(c->file, c->set);
    double     exact[ROOM] = {0}, end[ROOM] = {0};
    trSimStats stats;
    trSimDef   def = owner_def("dop853", 1e-12, c->t);
    int        n = state_at(&machine, &def, c->t, &stats, exact);
    for (double tolerance = 1e-4; tolerance > 0.5e-9; tolerance *= 0.1) {
        def = owner_def(integrator, tolerance, c->t);
        state_at(&machine, &def, c->t, &stats, end);
        double error = error_in_tolerances(n, end, exact, tolerance);
        if (!(error <= most)) {
            fail_msg("%s, %s, tolerance %.0e: %.1f times the tolerance", integrator, c->file,
                     tolerance, error);
        }
        assert_on_constraints(&stats, level, c->file);
    }
    machine_free(&machine);
}

static inline trRecorder *table(void) {
    trRecorder *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    return recorder;
}

static inline int column_of(const trSim *sim, const char *name) {
    const trColumn *columns = NULL;
    int             count = tr_sim_columns(sim, &columns);
    for (int i = 0; i < count; i++) {
        if (strcmp(columns[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("there is no column '%s'", name);
    return -1;
}

// A pendulum's rows, most of them between steps: its end stays at the pin, at rest, to rounding of
// numbers around 1; against dop853 they are as accurate as states (100 tolerances, in
// numbers below 6).
static inline void assert_rows(const char *integrator) {
    Machine     machine = machine_pendulum(0.3);
    trRecorder *rows[2] = {table(), table()};
    double      tolerance = 1e-6;
    int         columns = 0, x = 0;
    for (int k = 0; k < 2; k++) {
        trSimDef def =
            k == 0 ? owner_def(integrator, tolerance, 1.0) : owner_def("dop853", 1e-12, 1.0);
        def.sample = 1.0 / 1024.0;
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run(sim, rows[k], NULL), TR_OK);
        assert_true(tr_sim_time(sim) == 1.0);
        assert_true(k == 1 || tr_sim_stats(sim).steps < 1000);
        const trColumn *ignored = NULL;
        columns = tr_sim_columns(sim, &ignored);
        x = column_of(sim, "rod.x");
        tr_sim_destroy(sim);
    }
    assert_int_equal(tr_recorder_rows(rows[0]), 1025);
    for (long i = 0; i < 1025; i++) {
        const double *a = tr_recorder_table(rows[0]) + i * columns;
        const double *b = tr_recorder_table(rows[1]) + i * columns;
        const double *q = a + x, *v = a + x + 3;
        assert_true(hypot(q[0], q[1]) <= 1e-15);
        assert_true(hypot(v[0], v[1]) <= 1e-14);
        assert_true(largest_gap(6, a + x, b + x) <= 100.0 * tolerance * 7.0);
    }
    tr_recorder_destroy(rows[0]);
    tr_recorder_destroy(rows[1]);
    machine_free(&machine);
}

// The end of a run within 1e-4, or nothing but an error that names a joint.
static inline void assert_passes(const char *integrator, const AccuracyCase *c, double tolerance,
                                 const char *joint) {
    Machine    machine = load_benchmark(c->file, c->set);
    double     exact[ROOM] = {0};
    trSimStats stats;
    trSimDef   def = owner_def("dop853", 1e-10, c->t);
    def.stage_projection = "masarati";
    int n = state_at(&machine, &def, c->t, &stats, exact);
    def = owner_def(integrator, tolerance, c->t);
    trSim *sim = machine_sim(&machine, &def);
    if (tr_sim_run_to(sim, c->t) != TR_OK) {
        if (joint == NULL || strstr(tr_last_error(), joint) == NULL) {
            fail_msg("%s, %s: %s", integrator, c->file, tr_last_error());
        }
    } else if (!(largest_gap(n, sim->x, exact) <= 1e-4)) {
        fail_msg("%s, %s: error %.3g", integrator, c->file, largest_gap(n, sim->x, exact));
    }
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// Two runs, step by step, in all bits; one of them is interrupted by looking at it.
static inline void assert_same_bits(const char *integrator) {
    Machine  machine = load_benchmark("four_bar.lua", NULL);
    trSimDef def = owner_def(integrator, 1e-6, 1.0);
    trSim   *one = machine_sim(&machine, &def), *two = machine_sim(&machine, &def);
    while (tr_sim_time(one) < 1.0) {
        assert_int_equal(tr_sim_advance(one, 1.0), TR_OK);
        assert_int_equal(tr_sim_advance(two, 1.0), TR_OK);
        trReaction reaction;
        assert_int_equal(tr_sim_reaction(two, 0, &reaction), TR_OK);
        assert_memory_equal(one->x, two->x, (size_t)one->nx * sizeof *one->x);
        assert_true(one->t == two->t);
    }
    tr_sim_destroy(one);
    tr_sim_destroy(two);
    machine_free(&machine);
}

typedef struct Interruption {
    int calls, stop;
} Interruption;

static inline void interrupt(void *context, double t, double t_end) {
    Interruption *i = context;
    (void)t;
    (void)t_end;
    i->stop = ++i->calls == 20;
}

// A run that is stopped after 20 steps and continued ends with the bits of one that is not.
static inline void assert_interruption(const char *integrator) {
    Machine      machine = load_benchmark("four_bar.lua", NULL);
    trSimDef     def = owner_def(integrator, 1e-6, 1.0);
    trSim       *one = machine_sim(&machine, &def), *two = machine_sim(&machine, &def);
    Interruption watch = {0};
    trRunHooks   hooks = {.stop = &watch.stop, .progress = interrupt, .context = &watch};
    assert_int_equal(tr_sim_run(one, NULL, NULL), TR_OK);
    assert_int_equal(tr_sim_run(two, NULL, &hooks), TR_E_INTERRUPTED);
    assert_int_equal(tr_sim_stats(two).steps, 20);
    assert_int_equal(tr_sim_run(two, NULL, NULL), TR_OK);
    assert_memory_equal(one->x, two->x, (size_t)one->nx * sizeof *one->x);
    tr_sim_destroy(one);
    tr_sim_destroy(two);
    machine_free(&machine);
}

// A force jumps at 0.4 s: the step ends there, the next begins by the new law.
static inline void assert_breaks(const char *integrator) {
    Machine machine = machine_new();
    machine_body(&machine, "block", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_joint(&machine, "prismatic", "rail", TR_GROUND, 0, TR_PARAMS(TR_VEC("axis", 1.0, 0.0)));
    machine_force(&machine, "point_force", "push", TR_GROUND, 0,
                  TR_PARAMS(TR_VEC("point2", 0.0, 0.0),
                            TR_TIME("fx", machine_switch(&machine, 0.4, 5.0, 2.0))));
    machine_build(&machine);
    trSimDef def = owner_def(integrator, 1e-8, 1.0);
    trSim   *sim = machine_sim(&machine, &def);
    bool     seen = false;
    while (tr_sim_time(sim) < 1.0) {
        assert_int_equal(tr_sim_advance(sim, 1.0), TR_OK);
        seen |= tr_sim_time(sim) == 0.4;
    }
    assert_true(seen);
    // x = 5 s^2 / 2 + s^3 / 3 at s = 0.6 s: a polynomial.
    assert_true(fabs(sim->x[0] - 0.972) <= 100.0 * 1e-8 * 2.0);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A moment with a pole at 0.5 s, which no step passes, or a state asked for far outside the last
// step, of which the library itself complains. The text has the time; nothing is printed.
static inline void assert_silent_failure(const char *integrator, bool pole) {
    Machine machine = machine_new();
    machine_body(&machine, "crank", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, 0, TR_PARAMS(TR_VEC("point", 0.0, 0.0)));
    machine_force(&machine, "torque", "push", TR_GROUND, 0,
                  TR_PARAMS(TR_TIME("moment", machine_pole(&machine, 0.5))));
    machine_build(&machine);
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stdout);
    fflush(stderr);
    int kept[2] = {dup(1), dup(2)};
    dup2(fileno(file), 1);
    dup2(fileno(file), 2);
    trSimDef def = owner_def(integrator, 1e-6, 1.0);
    trSim   *sim = NULL;
    trStatus status = tr_sim_create(machine.system, &def, &sim);
    if (status == TR_OK) {
        status = pole ? tr_sim_run_to(sim, 1.0) : tr_sim_step(sim);
    }
    if (status == TR_OK) {
        status = sim->stepper.kind->owner->interpolate(sim->stepper.work, 1e6, sim->work.x_row);
    }
    fflush(stdout);
    fflush(stderr);
    dup2(kept[0], 1);
    dup2(kept[1], 2);
    close(kept[0]);
    close(kept[1]);
    fseek(file, 0, SEEK_END);
    long printed = ftell(file);
    fclose(file);
    assert_int_equal(status, TR_E_SIMULATION);
    assert_int_equal(printed, 0);
    assert_non_null(strstr(tr_last_error(), pole ? "t = 0." : integrator));
    assert_true(sim != NULL && fabs(tr_sim_time(sim) - (pole ? 0.5 : 0.0)) < 0.1);
    for (int i = 0; i < sim->nx; i++) {  // the last good state is there
        assert_true(isfinite(sim->x[i]));
    }
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// `key` = `word` is refused, and the text says both.
static inline void assert_refused(const char *integrator, const char *stage, const char *step,
                                  double min_step, const char *part) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = owner_def(integrator, 1e-6, 1.0);
    def.stage_projection = stage;
    def.step_projection = step;
    def.min_step = min_step;
    machine_refuses(&machine, &def, TR_E_ARGUMENT, part);
    machine_refuses(&machine, &def, TR_E_ARGUMENT, integrator);
    assert_null(strstr(tr_last_error(), "history"));  // one-step methods have none
    machine_free(&machine);
}

static inline void assert_refusals(const char *integrator) {
    assert_refused(integrator, "liang_lance", NULL, 0.0, "liang_lance");
    assert_refused(integrator, "phase_space", NULL, 0.0, "phase_space");
    assert_refused(integrator, "partition", NULL, 0.0, "partition");
    assert_refused(integrator, NULL, "frozen", 0.0, "frozen");
    assert_refused(integrator, NULL, "basis", 0.0, "basis");
    assert_refused(integrator, NULL, NULL, 1e-6, "min_step");
}

#endif
