// SPDX-License-Identifier: MIT
// Runs: which rows there are and when, what they hold, and how a run is stopped and continued.

#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"

// A recorder with a table in memory.
static trRecorder *memory(void) {
    trRecorder *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    return recorder;
}

static void end(Machine *machine, trSim *sim, trRecorder *recorder) {
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    machine_free(machine);
}

static void run(trSim *sim, trRecorder *recorder) {
    if (tr_sim_run(sim, recorder, NULL) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static int column(const trSim *sim, const char *name) {
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

static double cell(const trSim *sim, const trRecorder *recorder, long row, int at) {
    const trColumn *columns = NULL;
    return tr_recorder_table(recorder)[row * tr_sim_columns(sim, &columns) + at];
}

// Time is the first column. Where a step ends at an output time up to rounding, the row has the
// step's time; times closer than 1e-9 of a step are one.
static void check_times(const trSimDef *def, long count, double sample) {
    Machine     machine = machine_pendulum(0.3);
    trSim      *sim = machine_sim(&machine, def);
    trRecorder *recorder = memory();
    run(sim, recorder);
    assert_int_equal(tr_recorder_rows(recorder), count);
    for (long i = 0; i < count - 1; i++) {
        double wanted = def->times.count > 0 ? def->times.at[i] : def->start + (double)i * sample;
        assert_true(fabs(cell(sim, recorder, i, 0) - wanted) <=
                    1e-9 * tr_sim_stats(sim).largest_step);
    }
    double last = def->times.count > 0 ? def->times.at[count - 1] : def->start + def->duration;
    assert_true(fabs(cell(sim, recorder, count - 1, 0) - last) <= 1e-15);
    assert_true(tr_sim_time(sim) == def->start + def->duration);
    end(&machine, sim, recorder);
}

static void samples_come_at_their_times_and_at_the_end(void **state) {
    static const struct {
        double start, duration, sample;
        long   rows;
    } cases[] = {
        {0.0, 1.0, 0.1, 11},  {0.0, 1.0, 0.3, 5},  {0.0, 1.0, 1.0, 2},
        {0.0, 1.0, 2.0, 2},   {0.1, 0.7, 0.1, 8},  {-2.0, 0.9, 0.3, 4},
        {0.0, 1.0, 0.0, 201}, {5.0, 0.35, 0.1, 5}, {0.0, 0.3, 1e-3, 301},
    };
    static const char *const integrators[] = {"rk4", "dopri5", "dop853"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < 3; k++) {
            trSimDef def = tr_sim_def_default();
            def.integrator = integrators[k];
            def.step = 0.05;
            def.start = cases[i].start;
            def.duration = cases[i].duration;
            def.sample = cases[i].sample;
            double sample = def.sample > 0.0 ? def.sample : def.duration / 200.0;
            check_times(&def, cases[i].rows, sample);
        }
    }
}

static void given_times_are_the_rows(void **state) {
    static const double times[] = {0.1, 0.1001, 0.25, 0.77, 0.8};
    trSimDef            def = tr_sim_def_default();
    def.start = 0.1;
    def.duration = 0.7;  // 0.1 + 0.7 is a little less than 0.8
    def.times = (trNumbers){5, times};
    check_times(&def, 5, 0.0);
    def.times.count = 4;
    check_times(&def, 4, 0.0);
    def.times = (trNumbers){1, times + 2};
    check_times(&def, 1, 0.0);
}

// Most rows lie inside steps. What they hold is within what the tolerances, or the fixed step,
// allow of a run with tolerances of 1e-13; energies and reactions are included. The largest value
// of a column is about 100. Measured: 8e-8 (rk4), 8e-6 (dopri5), 8e-7 (dop853).
static void rows_inside_steps_agree_with_a_finer_run(void **state) {
    static const char *const integrators[] = {"rk4", "dopri5", "dop853"};
    Machine                  machine = machine_four_bar(1.0);
    trSimDef                 def = tr_sim_def_default();
    def.integrator = "dop853";
    def.sample = 0.0137;
    def.rtol = def.atol = 1e-13;
    def.max_step = 0.0137;
    trSim      *fine = machine_sim(&machine, &def);
    trRecorder *expected = memory();
    run(fine, expected);
    for (int k = 0; k < 3; k++) {
        def.integrator = integrators[k];
        def.step = 1e-3;
        def.rtol = def.atol = 1e-8;
        def.max_step = 0.0;
        trSim          *sim = machine_sim(&machine, &def);
        trRecorder     *recorder = memory();
        const trColumn *columns = NULL;
        run(sim, recorder);
        assert_int_equal(tr_recorder_rows(recorder), tr_recorder_rows(expected));
        for (long i = 0; i < tr_recorder_rows(recorder); i++) {
            for (int j = 0; j < tr_sim_columns(sim, &columns); j++) {
                double off = fabs(cell(sim, recorder, i, j) - cell(fine, expected, i, j));
                if (!(off <= 3e-5)) {
                    fail_msg("%s: row %ld, %s is off by %g", integrators[k], i, columns[j].name,
                             off);
                }
            }
        }
        tr_recorder_destroy(recorder);
        tr_sim_destroy(sim);
    }
    tr_recorder_destroy(expected);
    tr_sim_destroy(fine);
    machine_free(&machine);
}

// angle = 0.7 + 2.5 t - t^2, so all is known: T = (m |com|^2 + J) omega^2 / 2, V = m g y.
static void the_work_of_a_motor_is_the_change_of_energy(void **state) {
    Machine  machine = machine_driven(0.7, 2.5, -1.0);
    trSimDef def = tr_sim_def_default();
    def.rtol = def.atol = 1e-10;
    def.duration = 3.0;
    trSim      *sim = machine_sim(&machine, &def);
    trRecorder *recorder = memory();
    run(sim, recorder);
    double first = 0.0;
    for (long i = 0; i < tr_recorder_rows(recorder); i++) {
        double t = cell(sim, recorder, i, 0);
        double angle = 0.7 + 2.5 * t - t * t, omega = 2.5 - 2.0 * t;
        double kinetic = 0.5 * (2.0 * (0.4 * 0.4 + 0.1 * 0.1) + 0.5) * omega * omega;
        double potential = 2.0 * GRAVITY * (0.4 * sin(angle) + 0.1 * cos(angle));
        first = i == 0 ? kinetic + potential : first;
        // Tolerances of 1e-10 on states, times 20 J per rad, over three seconds.
        assert_true(fabs(cell(sim, recorder, i, column(sim, "energy.kinetic")) - kinetic) <= 1e-8);
        assert_true(fabs(cell(sim, recorder, i, column(sim, "energy.work")) -
                         (kinetic + potential - first)) <= 1e-8);
    }
    assert_true(fabs(tr_sim_stats(sim).work) > 1.0);
    assert_true(tr_sim_stats(sim).energy_drift <= 1e-8);
    end(&machine, sim, recorder);
}

// Stops the run at a given number of steps, and watches the times it is told.
typedef struct Watch {
    int    calls, stop_at;
    int    stop;
    double last, end;
} Watch;

static void progress(void *context, double t, double t_end) {
    Watch *watch = context;
    assert_true(t > watch->last);
    watch->last = t;
    watch->end = t_end;
    watch->stop = ++watch->calls == watch->stop_at;
}

static trSimDef fixed_steps(void) {
    trSimDef def = tr_sim_def_default();
    def.integrator = "rk4";
    def.step = 0.01;
    def.sample = 0.025;
    return def;
}

static void progress_is_told_after_every_step_to_the_end(void **state) {
    Machine    machine = machine_pendulum(0.3);
    trSimDef   def = fixed_steps();
    trSim     *sim = machine_sim(&machine, &def);
    Watch      watch = {.last = 0.0};
    trRunHooks hooks = {.progress = progress, .context = &watch};
    assert_int_equal(tr_sim_run(sim, NULL, &hooks), TR_OK);
    assert_int_equal(watch.calls, 100);
    assert_true(watch.last == 1.0 && watch.end == 1.0);
    end(&machine, sim, NULL);
}

static void a_stopped_run_keeps_its_rows_and_can_be_continued(void **state) {
    Machine     machine = machine_four_bar(1.0);
    trSimDef    def = fixed_steps();
    trSim      *whole = machine_sim(&machine, &def), *sim = machine_sim(&machine, &def);
    trRecorder *all = memory(), *first = memory(), *rest = memory();
    Watch       watch = {.stop_at = 40};
    trRunHooks  hooks = {.stop = &watch.stop, .progress = progress, .context = &watch};
    run(whole, all);
    assert_int_equal(tr_sim_run(sim, first, &hooks), TR_E_INTERRUPTED);
    assert_non_null(strstr(tr_last_error(), "interrupted at t = 0.4 s"));
    assert_int_equal(tr_recorder_rows(first), 17);
    const trColumn *columns = NULL;
    size_t          width = (size_t)tr_sim_columns(sim, &columns) * sizeof(double);
    assert_memory_equal(tr_recorder_table(first), tr_recorder_table(all), 17 * width);
    // A second run begins where the first one stopped, and takes the same steps.
    run(sim, rest);
    assert_int_equal(tr_recorder_rows(rest), 25);
    assert_true(fabs(cell(sim, rest, 0, 0) - 0.4) <= 1e-15);
    assert_true(cell(sim, rest, 24, 0) == 1.0);
    assert_int_equal(tr_sim_stats(sim).steps, 100);
    assert_memory_equal(tr_sim_q(sim), tr_sim_q(whole), 9 * sizeof(double));
    assert_memory_equal(tr_sim_v(sim), tr_sim_v(whole), 9 * sizeof(double));
    tr_recorder_destroy(all);
    tr_recorder_destroy(first);
    tr_recorder_destroy(rest);
    tr_sim_destroy(whole);
    end(&machine, sim, NULL);
}

static void a_run_that_is_stopped_before_it_begins_has_its_first_row(void **state) {
    Machine     machine = machine_pendulum(0.3);
    trSimDef    def = fixed_steps();
    trSim      *sim = machine_sim(&machine, &def);
    trRecorder *recorder = memory();
    trRunHooks  hooks = {.stop = &(const volatile int){1}};
    assert_int_equal(tr_sim_run(sim, recorder, &hooks), TR_E_INTERRUPTED);
    assert_int_equal(tr_recorder_rows(recorder), 1);
    assert_int_equal(tr_sim_stats(sim).steps, 0);
    end(&machine, sim, recorder);
}

static void a_run_after_the_end_gives_the_last_state_again(void **state) {
    Machine     machine = machine_four_bar(1.0);
    trSimDef    def = fixed_steps();
    trSim      *sim = machine_sim(&machine, &def);
    trRecorder *one = memory(), *two = memory();
    run(sim, one);
    int64_t steps = tr_sim_stats(sim).steps;
    run(sim, two);
    assert_int_equal(tr_sim_stats(sim).steps, steps);
    assert_int_equal(tr_recorder_rows(two), 1);
    const trColumn *columns = NULL;
    int             width = tr_sim_columns(sim, &columns);
    long            last = tr_recorder_rows(one) - 1;
    assert_memory_equal(tr_recorder_table(two), tr_recorder_table(one) + last * width,
                        (size_t)width * sizeof(double));
    tr_recorder_destroy(one);
    tr_recorder_destroy(two);
    end(&machine, sim, NULL);
}

static void a_run_from_beyond_the_end_does_nothing(void **state) {
    Machine     machine = machine_pendulum(0.3);
    trSimDef    def = fixed_steps();
    trSim      *sim = machine_sim(&machine, &def);
    trRecorder *recorder = memory();
    for (int i = 0; i < 120; i++) {
        assert_int_equal(tr_sim_step(sim), TR_OK);
    }
    run(sim, recorder);
    assert_int_equal(tr_recorder_rows(recorder), 0);
    assert_int_equal(tr_sim_stats(sim).steps, 120);
    end(&machine, sim, recorder);
}

// Times that have passed cannot be had any more; those to come are as in a run of one piece.
static void a_continued_run_gives_the_given_times_that_are_left(void **state) {
    static const double times[] = {0.1, 0.2, 0.3, 0.55, 0.9};
    Machine             machine = machine_four_bar(1.0);
    trSimDef            def = fixed_steps();
    def.times = (trNumbers){5, times};
    trSim      *whole = machine_sim(&machine, &def), *sim = machine_sim(&machine, &def);
    trRecorder *all = memory(), *rest = memory();
    run(whole, all);
    for (int i = 0; i < 25; i++) {
        assert_int_equal(tr_sim_step(sim), TR_OK);
    }
    run(sim, rest);
    assert_int_equal(tr_recorder_rows(all), 5);
    assert_int_equal(tr_recorder_rows(rest), 3);
    const trColumn *columns = NULL;
    int             width = tr_sim_columns(sim, &columns);
    assert_memory_equal(tr_recorder_table(rest), tr_recorder_table(all) + 2 * width,
                        3 * (size_t)width * sizeof(double));
    tr_recorder_destroy(all);
    tr_recorder_destroy(rest);
    tr_sim_destroy(whole);
    end(&machine, sim, NULL);
}

static void a_recorder_that_cannot_begin_is_left_alone_afterwards(void **state) {
    Machine     machine = machine_pendulum(0.3);
    trSimDef    def = fixed_steps();
    trSim      *sim = machine_sim(&machine, &def);
    trRecorder *recorder = memory();
    run(sim, recorder);
    assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "begun already"));
    tr_recorder_destroy(recorder);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(tr_sim_step(sim), TR_OK);
    }
    end(&machine, sim, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_come_at_their_times_and_at_the_end),
        cmocka_unit_test(given_times_are_the_rows),
        cmocka_unit_test(rows_inside_steps_agree_with_a_finer_run),
        cmocka_unit_test(the_work_of_a_motor_is_the_change_of_energy),
        cmocka_unit_test(progress_is_told_after_every_step_to_the_end),
        cmocka_unit_test(a_stopped_run_keeps_its_rows_and_can_be_continued),
        cmocka_unit_test(a_run_that_is_stopped_before_it_begins_has_its_first_row),
        cmocka_unit_test(a_run_after_the_end_gives_the_last_state_again),
        cmocka_unit_test(a_run_from_beyond_the_end_does_nothing),
        cmocka_unit_test(a_continued_run_gives_the_given_times_that_are_left),
        cmocka_unit_test(a_recorder_that_cannot_begin_is_left_alone_afterwards),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
