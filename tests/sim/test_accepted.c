// SPDX-License-Identifier: MIT
// Accepted states and the rows between them: largest drift, nominal row norms, poses in which no
// step should end, interpolated and coinciding output times.

#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"

#define ROOM 32

static trSimDef coarse(double step) {
    trSimDef def = tr_sim_def_default();
    def.integrator = "rk4";
    def.step = step;
    return def;
}

static void energy_drift_is_the_largest_so_far_and_not_the_last(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = coarse(0.05);
    trSim   *sim = machine_sim(&machine, &def);
    double   most = 0.0, last = 0.0;
    int      below = 0;
    for (int i = 0; i < 40; i++) {
        assert_int_equal(tr_sim_step(sim), TR_OK);
        trSimStats stats = tr_sim_stats(sim);
        last = fabs(stats.kinetic + stats.potential - stats.work - stats.energy_start);
        most = fmax(most, last);
        below += last < 0.9 * most;
        assert_true(fabs(stats.energy_drift - most) <= 1e-14);
    }
    assert_true(below > 0);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// diag(A M^-1 A') at the present state, by its definition.
static void norms_now(const trSim *sim, trEval *eval, double *norm) {
    double        dense[ROOM * ROOM];
    const double *mass = sim->system->mass;
    assert_int_equal(
        tr_system_eval(sim->system, tr_sim_time(sim), tr_sim_q(sim), tr_sim_v(sim), eval), TR_OK);
    tr_rows_dense(&eval->equations.A, dense);
    for (int i = 0; i < sim->m; i++) {
        norm[i] = 0.0;
        for (int j = 0; j < sim->nv; j++) {
            norm[i] += dense[i + j * sim->m] * dense[i + j * sim->m] / mass[j];
        }
    }
}

// The pendulum swings through the vertical in the middle of a step: there the row of x is largest,
// and the running maximum over accepted states stays below it. Later rows are smaller again.
static void nominal_row_norms_are_the_largest_of_accepted_states(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = coarse(0.15);
    trSim   *sim = machine_sim(&machine, &def);
    trArena *arena = tr_arena_create();
    trEval   eval;
    double   norm[ROOM], most[ROOM] = {0.0};
    int      shrunk = 0, below_peak = 0;
    assert_int_equal(tr_eval_plan(arena, machine.system, 1e-4, &eval), TR_OK);
    for (int step = 0; step < 12; step++) {
        norms_now(sim, &eval, norm);
        for (int i = 0; i < sim->m; i++) {
            most[i] = fmax(most[i], sqrt(norm[i]));
            shrunk += sqrt(norm[i]) < 0.9 * most[i];
            assert_true(fabs(sim->eval.row_scale[i] - most[i]) <= 1e-14 * most[i]);
        }
        // 1/m + (1/2)^2 / J is the largest that the row of x can be.
        below_peak += step > 3 && most[0] < (1.0 - 1e-6) * sqrt(0.5 + 0.25 * 6.0);
        assert_int_equal(tr_sim_step(sim), TR_OK);
    }
    assert_true(shrunk > 0);
    assert_true(below_peak > 0);
    tr_arena_destroy(arena);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A parallelogram without gravity: its links turn at a constant rate, so it is flat at t = 0.1 s.
static Machine machine_parallelogram(void) {
    Machine      machine = {0};
    const double angle = -0.1;  // and 1 rad/s [rad]
    double       x = cos(angle), y = sin(angle);
    assert_int_equal(tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, 0.0)), &machine.model),
                     TR_OK);
    int left = machine_body(&machine, "left",
                            TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1),
                                      TR_NUM("angle", angle), TR_NUM("angular_velocity", 1.0)));
    int right =
        machine_body(&machine, "right",
                     TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1), TR_VEC("at", 2.0, 0.0),
                               TR_NUM("angle", angle), TR_NUM("angular_velocity", 1.0)));
    int bar = machine_body(&machine, "bar",
                           TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.2),
                                     TR_VEC("at", x, y), TR_VEC("velocity", -y, x)));
    machine_joint(&machine, "revolute", "A", TR_GROUND, left, NULL);
    machine_joint(&machine, "revolute", "D", TR_GROUND, right,
                  TR_PARAMS(TR_VEC("point2", 0.0, 0.0)));
    machine_joint(&machine, "revolute", "B", left, bar, TR_PARAMS(TR_VEC("point1", 1.0, 0.0)));
    machine_joint(&machine, "revolute", "C", right, bar, TR_PARAMS(TR_VEC("point1", 1.0, 0.0)));
    machine_build(&machine);
    return machine;
}

// A step of 0.1 s would end in the flat pose to 1e-9 rad, where one of eight rows is dependent.
static void a_step_that_would_end_in_a_singular_pose_is_shortened(void **state) {
    static const char *const integrators[] = {"dopri5", "dop853"};
    Machine                  machine = machine_parallelogram();
    for (int i = 0; i < 2; i++) {
        trSimDef def = tr_sim_def_default();
        def.integrator = integrators[i];
        def.step = 0.1;
        def.rtol = def.atol = i == 0 ? 1e-6 : 1e-8;
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_stats(sim).degrees_of_freedom, 1);
        assert_int_equal(tr_sim_step(sim), TR_OK);
        assert_true(fabs(tr_sim_time(sim) - 0.093) <= 1e-15);
        assert_int_equal(tr_sim_stats(sim).rejected, 1);
        assert_int_equal(tr_sim_run_to(sim, 0.5), TR_OK);
        assert_int_equal(tr_sim_stats(sim).rank_changes, 0);
        assert_true(tr_sim_stats(sim).velocity.length < 1e-10);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

// A last step of a microsecond says nothing about how large the next one may be.
static void a_step_cut_at_the_end_does_not_shrink_the_next(void **state) {
    static const char *const integrators[] = {"dopri5", "dop853"};
    Machine                  machine = machine_pendulum(0.3);
    for (int i = 0; i < 2; i++) {
        trSimDef def = tr_sim_def_default();
        def.integrator = integrators[i];
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run_to(sim, 0.2), TR_OK);
        double before = sim->stepper.h;
        assert_true(before > 1e-3);
        assert_int_equal(tr_sim_run_to(sim, 0.2 + 1e-6), TR_OK);
        assert_true(sim->stepper.h >= before);
        assert_int_equal(tr_sim_step(sim), TR_OK);
        assert_true(tr_sim_time(sim) > 0.2 + 0.2 * before);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

// -0.3 + (0.1 - -0.3) is not 0.1, and no second step may be made of the difference.
static void the_end_is_hit_exactly_where_a_sum_would_miss_it(void **state) {
    static const double starts[] = {-0.3, -0.7, -0.9}, ends[] = {0.1, 0.1, 0.2};
    Machine             machine = machine_pendulum(0.3);
    int                 missed = 0;
    for (int i = 0; i < 3; i++) {
        trSimDef def = coarse(5.0);
        def.method = "lagrange";  // so coarse a step cannot be projected
        def.start = starts[i];
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run_to(sim, ends[i]), TR_OK);
        assert_true(tr_sim_time(sim) == ends[i]);
        assert_int_equal(tr_sim_stats(sim).steps, 1);
        missed += starts[i] + (ends[i] - starts[i]) != ends[i];
        tr_sim_destroy(sim);
    }
    assert_true(missed > 0);
    machine_free(&machine);
}

static trRecorder *memory(void) {
    trRecorder *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    return recorder;
}

// The row at time `at` inside one step of size h, made by hand: the interpolation ends in x_new, as
// integrated, and is projected only afterwards. Returns by how much projection moves that end.
static double interpolate_by_hand(trSim *s, double h, double at) {
    const trIntegratorKind *kind = s->stepper.kind;
    void                   *work = s->stepper.work;
    double                  error = 0.0, moved = 0.0, *q = s->x_next, *v = s->x_next + s->nq;
    assert_int_equal(kind->attempt(work, &s->ode, 0.0, h, s->x, s->x_new, &error), TR_OK);
    memcpy(s->x_next, s->x_new, (size_t)s->nx * sizeof *s->x);
    assert_int_equal(tr_project(s->methods.step, &s->methods.manifold, h, q, v, NULL), TR_OK);
    for (int k = 0; k < s->nx; k++) {
        moved = fmax(moved, fabs(s->x_next[k] - s->x_new[k]));
    }
    assert_int_equal(kind->prepare_dense(work, &s->ode, 0.0, h, s->x, s->x_new), TR_OK);
    kind->interpolate(work, h, at / h, s->work.x_row);
    s->methods.step->tolerance = 0.0;
    assert_int_equal(tr_project(s->methods.step, &s->methods.manifold, at, s->work.x_row,
                                s->work.x_row + s->nq, NULL),
                     TR_OK);
    return moved;
}

static void rows_inside_a_step_come_from_its_end_as_integrated(void **state) {
    const double h = 0.2, at = 0.13;
    Machine      machine = machine_four_bar(1.0);
    for (int i = 0; i < tr_integrator_count(); i++) {
        trSimDef def = coarse(h);
        if (tr_integrator_at(i)->implicit != NULL ||
            tr_integrator_at(i)->owner != NULL) {  // it does not project, or by itself
            continue;
        }
        def.integrator = tr_integrator_at(i)->name;
        def.rtol = def.atol = 1.0;
        def.duration = def.max_step = h;
        def.times = (trNumbers){1, &at};
        trSim      *sim = machine_sim(&machine, &def), *twin = machine_sim(&machine, &def);
        trRecorder *recorder = memory();
        double      moved = interpolate_by_hand(twin, h, at);
        assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
        assert_int_equal(tr_sim_stats(sim).steps, 1);
        double found = tr_recorder_table(recorder)[tr_recorder_find(recorder, "crank.omega")];
        double wanted = twin->work.x_row[twin->nq + 2];
        // One through the projected end would be off by about what projection moves.
        if (!(moved > 1e-10) || found != wanted) {
            fail_msg("%s: %.17g is not %.17g rad/s; projection moves by %g", def.integrator, found,
                     wanted, moved);
        }
        tr_recorder_destroy(recorder);
        tr_sim_destroy(twin);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

// Times of steps add up, those of rows are multiples: they differ by roundings, to either side, and
// are one. So no row is interpolated, and each has the time of its step.
static void rows_at_the_ends_of_steps_are_not_interpolated(void **state) {
    static const double steps[] = {0.1, 0.05, 0.01};
    Machine             machine = machine_pendulum(0.3);
    for (int i = 0; i < 3; i++) {
        trSimDef def = coarse(steps[i]);
        def.sample = steps[i];
        trSim      *sim = machine_sim(&machine, &def), *silent = machine_sim(&machine, &def);
        trRecorder *recorder = memory();
        assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
        assert_int_equal(tr_sim_run(silent, NULL, NULL), TR_OK);
        assert_int_equal(tr_sim_stats(sim).evaluations, tr_sim_stats(silent).evaluations);
        assert_int_equal(tr_recorder_rows(recorder), tr_sim_stats(sim).steps + 1);
        double time = 0.0;
        for (long row = 0; row + 1 < tr_recorder_rows(recorder); row++) {
            assert_true(tr_recorder_table(recorder)[row * tr_recorder_columns(recorder)] == time);
            time += steps[i];
        }
        tr_recorder_destroy(recorder);
        tr_sim_destroy(silent);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

static void times_that_are_one_to_rounding_get_a_row_each(void **state) {
    static const double times[] = {0.4999999999999999, 0.5};
    Machine             machine = machine_pendulum(0.3);
    trSimDef            def = tr_sim_def_default();
    trRecorder         *recorder = NULL;
    def.duration = 0.5;
    def.times = (trNumbers){2, times};
    trSim *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
    assert_int_equal(tr_recorder_rows(recorder), 2);
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// Coarse steps with many rows in each: an interpolation is less accurate than the ends, and what is
// written counts.
static void energy_drift_counts_rows_inside_steps(void **state) {
    Machine machine = machine_pendulum(0.3);
    int     larger = 0;
    for (int i = 0; i < tr_integrator_count(); i++) {
        trSimDef def = coarse(0.1);
        def.integrator = tr_integrator_at(i)->name;
        def.rtol = def.atol = 1e-4;
        def.duration = 2.0;
        def.sample = 0.013;
        trSim      *sim = machine_sim(&machine, &def), *silent = machine_sim(&machine, &def);
        trRecorder *recorder = memory();
        assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
        assert_int_equal(tr_sim_run(silent, NULL, NULL), TR_OK);
        const double *row = tr_recorder_table(recorder);
        const int     columns = tr_recorder_columns(recorder);
        const int     balance = tr_recorder_find(recorder, "energy.balance");
        double        most = tr_sim_stats(silent).energy_drift, steps = most;
        for (long k = 0; k < tr_recorder_rows(recorder); k++) {
            most = fmax(most, fabs(row[k * columns + balance] - row[balance]));
        }
        // An equal sum in another order of operations; the energy is a few joules.
        if (!(fabs(tr_sim_stats(sim).energy_drift - most) <= 1e-13)) {
            fail_msg("%s: %g J in the summary, %g J in rows", def.integrator,
                     tr_sim_stats(sim).energy_drift, most);
        }
        larger += most > 2.0 * steps;
        tr_recorder_destroy(recorder);
        tr_sim_destroy(silent);
        tr_sim_destroy(sim);
    }
    assert_true(larger > 0);
    machine_free(&machine);
}

// Stages are put on the constraints, ends of steps are not, or in velocities alone: violations are
// those of the ends.
static void violations_are_those_of_the_accepted_state_whatever_stages_do(void **state) {
    static const char *const choice[][2] = {
        {"masarati", "basis"}, {"masarati", "none"}, {"basis", "none"}, {"masarati", "direct"}};
    Machine machine = machine_four_bar(2.0);
    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++) {
        trSimDef def = coarse(0.02);
        def.stage_projection = choice[i][0];
        def.step_projection = choice[i][1];
        trSim *sim = machine_sim(&machine, &def);
        double phi = 0.0, rate = 0.0;
        for (int k = 0; k < 20; k++) {
            assert_int_equal(tr_sim_step(sim), TR_OK);
            assert_int_equal(
                tr_system_eval(machine.system, sim->t, sim->x, sim->x + sim->nq, &sim->eval),
                TR_OK);
            tr_sim_rates(sim, sim->x + sim->nq, sim->work.rate);
            for (int row = 0; row < sim->m; row++) {
                phi = fmax(phi, fabs(sim->eval.phi[row]));
                rate = fmax(rate, fabs(sim->work.rate[row]));
            }
        }
        trSimStats stats = tr_sim_stats(sim);
        assert_true(fabs(stats.position.length - phi) <= 1e-12);  // that of the start
        assert_true(fabs(stats.velocity.length - rate) <= 1e-12);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_drift_is_the_largest_so_far_and_not_the_last),
        cmocka_unit_test(nominal_row_norms_are_the_largest_of_accepted_states),
        cmocka_unit_test(a_step_that_would_end_in_a_singular_pose_is_shortened),
        cmocka_unit_test(a_step_cut_at_the_end_does_not_shrink_the_next),
        cmocka_unit_test(the_end_is_hit_exactly_where_a_sum_would_miss_it),
        cmocka_unit_test(rows_inside_a_step_come_from_its_end_as_integrated),
        cmocka_unit_test(rows_at_the_ends_of_steps_are_not_interpolated),
        cmocka_unit_test(times_that_are_one_to_rounding_get_a_row_each),
        cmocka_unit_test(energy_drift_counts_rows_inside_steps),
        cmocka_unit_test(violations_are_those_of_the_accepted_state_whatever_stages_do),
    };
    return cmocka_run_group_tests_name("accepted", tests, NULL, NULL);
}
