// SPDX-License-Identifier: MIT
// Steps: where they end, how small and large they get, and what is said when none is possible.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"

static trSimDef def_with(const char *integrator, double step) {
    trSimDef def = tr_sim_def_default();
    def.integrator = integrator;
    def.step = step;
    return def;
}

static void a_step_never_passes_the_end_and_the_last_one_hits_it(void **state) {
    static const double starts[] = {0.0, 0.1, -3.0}, durations[] = {0.1, 1.0 / 3.0, 0.7, 2.0};
    Machine             machine = machine_pendulum(0.3);
    for (int i = 0; i < tr_integrator_count(); i++) {
        for (int k = 0; k < 12; k++) {
            trSimDef def = def_with(tr_integrator_at(i)->name, 0.013);
            def.start = starts[k % 3];
            def.duration = durations[k / 3];
            trSim *sim = machine_sim(&machine, &def);
            double end = def.start + def.duration;
            while (tr_sim_time(sim) < end) {
                double before = tr_sim_time(sim);
                assert_int_equal(tr_sim_advance(sim, end), TR_OK);
                assert_true(tr_sim_time(sim) > before);
                assert_true(tr_sim_time(sim) <= end);
            }
            assert_true(tr_sim_time(sim) == end);
            tr_sim_destroy(sim);
        }
    }
    machine_free(&machine);
}

// 0.1 ten times is not 1, and no eleventh step may be made of the difference.
static void fixed_steps_are_counted_without_a_crumb_at_the_end(void **state) {
    static const struct {
        double step, smallest, largest;
        int    steps;
    } cases[] = {{0.1, 0.1, 0.1, 10}, {0.3, 0.1, 0.3, 4}, {1.0, 1.0, 1.0, 1}, {5.0, 1.0, 1.0, 1}};
    Machine machine = machine_pendulum(-1.5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trSimDef def = def_with("rk4", cases[i].step);
        trSim   *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
        trSimStats stats = tr_sim_stats(sim);
        assert_int_equal(stats.steps, cases[i].steps);
        assert_int_equal(stats.rejected, 0);
        assert_true(fabs(stats.smallest_step - cases[i].smallest) <= 1e-15);
        assert_true(fabs(stats.largest_step - cases[i].largest) <= 1e-15);
        assert_true(tr_sim_time(sim) == 1.0);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

static void a_step_is_exactly_one_accepted_step(void **state) {
    Machine machine = machine_pendulum(0.3);
    for (int i = 0; i < tr_integrator_count(); i++) {
        trSimDef def = def_with(tr_integrator_at(i)->name, 0.01);
        trSim   *sim = machine_sim(&machine, &def);
        for (int k = 1; k <= 20; k++) {
            double before = tr_sim_time(sim);
            assert_int_equal(tr_sim_step(sim), TR_OK);
            assert_int_equal(tr_sim_stats(sim).steps, k);
            assert_true(tr_sim_time(sim) > before);
        }
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

// Between the two the accepted state is that of the start, rows inside can be read, and the last of
// them meets the end that is committed then.
static void a_step_is_found_before_it_is_committed(void **state) {
    Machine machine = machine_pendulum(0.3);
    for (int i = 0; i < tr_integrator_count(); i++) {
        trSimDef def = def_with(tr_integrator_at(i)->name, 0.01);
        trSim   *sim = machine_sim(&machine, &def);
        for (int k = 0; k < 5; k++) {
            const double t = sim->t, angle = tr_sim_q(sim)[2];
            assert_int_equal(tr_step_find(sim, INFINITY), TR_OK);
            assert_true(sim->t == t && tr_sim_q(sim)[2] == angle);
            assert_true(sim->notes.stats.steps == k);
            assert_true(sim->stepper.found > 0.0 && sim->stepper.arrive == t + sim->stepper.found);
            assert_int_equal(tr_step_interpolate(sim, sim->stepper.found, 0.0, true), TR_OK);
            assert_true(fabs(sim->work.x_row[2] - angle) <= 1e-12);
            assert_int_equal(tr_step_interpolate(sim, sim->stepper.found, 1.0, false), TR_OK);
            const double last = sim->work.x_row[2];
            assert_int_equal(tr_step_commit(sim), TR_OK);
            assert_true(sim->t == sim->stepper.arrive && sim->notes.stats.steps == k + 1);
            assert_true(fabs(tr_sim_q(sim)[2] - last) <= 1e-7);
            assert_true(tr_sim_q(sim)[2] != angle);
        }
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

static void no_step_is_larger_than_asked(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = tr_sim_def_default();
    def.max_step = 0.01;
    trSim *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
    assert_true(tr_sim_stats(sim).largest_step <= 0.01 * (1.0 + 1e-9));
    assert_in_range(tr_sim_stats(sim).steps, 100, 110);
    tr_sim_destroy(sim);
    def.max_step = 0.0;
    sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
    assert_true(tr_sim_stats(sim).largest_step > 0.05);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// No step can meet these tolerances, so every one is forced, and of the size asked for.
static void steps_of_the_smallest_size_are_accepted_and_counted(void **state) {
    static const char *const integrators[] = {"dopri5", "dop853"};
    Machine                  machine = machine_pendulum(0.3);
    for (int i = 0; i < 2; i++) {
        trSimDef def = def_with(integrators[i], 0.0);
        def.rtol = def.atol = 2e-15;
        def.min_step = 1.0 / 8.0;  // exact, so that the steps add up to the end
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
        assert_int_equal(tr_sim_stats(sim).steps, 8);
        assert_int_equal(tr_sim_stats(sim).forced, 8);
        assert_int_equal(tr_sim_stats(sim).forced_kept, 8);
        assert_true(tr_sim_stats(sim).forced_time[3] == 3.0 / 8.0);
        assert_true(tr_sim_stats(sim).smallest_step == def.min_step);
        assert_true(tr_sim_stats(sim).largest_step == def.min_step);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

// Tolerances that can be met force nothing, even where steps of the smallest size are taken.
static void steps_that_meet_the_tolerances_are_not_forced(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = def_with("dop853", 0.01);
    def.min_step = def.max_step = 0.01;
    trSim *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
    assert_int_equal(tr_sim_stats(sim).forced, 0);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// The torque has a pole at t = 1.25 s, which no joint is to blame for.
static void a_step_size_that_falls_to_nothing_is_reported_with_the_time(void **state) {
    Machine machine = machine_new();
    int     a = machine_body(&machine, "a", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, a, NULL);
    machine_force(&machine, "torque", "push", TR_GROUND, a,
                  TR_PARAMS(TR_TIME("moment", machine_pole(&machine, 1.25))));
    machine_build(&machine);
    trSimDef def = def_with("dopri5", 0.01);
    def.start = 1.0;
    trSim *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
    assert_non_null(strstr(tr_last_error(), "t = 1.25 s: the step size fell to"));
    assert_non_null(strstr(tr_last_error(), "a pole or a jump"));
    assert_null(strstr(tr_last_error(), "joint '"));
    assert_true(fabs(tr_sim_time(sim) - 1.25) < 1e-9);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// Between its stages an integrator sees nothing. A system at rest takes long steps, and the torque
// acts for 10 ms only: angular momentum must be moment times time.
static void a_step_ends_where_a_function_of_time_changes(void **state) {
    static const char *const integrators[] = {"rk4", "dopri5", "dop853"};
    for (int i = 0; i < 3; i++) {
        Machine machine = machine_new();
        int a = machine_body(&machine, "a", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
        machine_joint(&machine, "revolute", "pin", TR_GROUND, a, NULL);
        machine_force(&machine, "torque", "on", TR_GROUND, a,
                      TR_PARAMS(TR_TIME("moment", machine_switch(&machine, 0.5, 100.0, 0.0))));
        machine_force(&machine, "torque", "off", TR_GROUND, a,
                      TR_PARAMS(TR_TIME("moment", machine_switch(&machine, 0.51, -100.0, 0.0))));
        machine_build(&machine);
        trSimDef def = def_with(integrators[i], i == 0 ? 0.03 : 0.0);
        def.duration = 1.0;
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
        assert_true(fabs(tr_sim_body(sim, a).omega - 1.0) < 1e-12);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// A parallelogram turns at -1 rad/s into its flat pose, where a moment of 1 N m sets in:
//
//     theta = -u + u^2 / (2 I),    u = t - pi / 2,    I = 2 (1/12 + 1/4) + 1 kg m^2
//
// No stage may use the moment before that, or lie in the pose. The limit is 1000 times the
// tolerance.
static void forces_may_change_in_a_flat_pose(void **state) {
    const double pose = acos(-1.0) / 2.0, u = 2.5 - pose;
    Machine      machine = machine_new();
    int          body[3];
    machine.model->gravity.y = 0.0;
    for (int i = 0; i < 3; i++) {
        body[i] = machine_body(&machine,
                               i == 0   ? "a"
                               : i == 1 ? "b"
                                        : "c",
                               TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0 / 12.0),
                                         TR_VEC("com", 0.5, 0.0), TR_VEC("at", i == 1, i == 2),
                                         TR_NUM("angle", i < 2 ? pose : 0.0),
                                         TR_NUM("angular_velocity", i < 2 ? -1.0 : 0.0),
                                         TR_VEC("velocity", i == 2, 0.0)));
    }
    for (int i = 0; i < 2; i++) {
        machine_joint(&machine, "revolute", i == 0 ? "A" : "B", TR_GROUND, body[i],
                      TR_PARAMS(TR_VEC("point", i, 0.0)));
        machine_joint(&machine, "revolute", i == 0 ? "C" : "D", body[i], body[2],
                      TR_PARAMS(TR_VEC("point", i, 1.0)));
    }
    machine_force(&machine, "torque", "motor", TR_GROUND, body[0],
                  TR_PARAMS(TR_TIME("moment", machine_switch(&machine, pose, 1.0, 0.0))));
    machine_build(&machine);
    trSimDef def = tr_sim_def_default();
    def.rtol = def.atol = 1e-9;
    trSim *sim = machine_sim(&machine, &def);
    if (tr_sim_run_to(sim, 2.5) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(tr_sim_body(sim, body[i]).angle - (-u + 0.3 * u * u)) < 1e-6);
    }
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A drive that jumps, or whose rate does, would take an impulse.
static void a_drive_that_jumps_is_refused_when_it_does(void **state) {
    static const char *const words[] = {"its function jumps by 1 rad at t = 0.5 s",
                                        "the rate of its function jumps by 2 rad/s at t = 0.5 s"};
    for (int i = 0; i < 2; i++) {
        Machine machine = machine_new();
        int a = machine_body(&machine, "a", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
        machine_joint(&machine, "revolute", "pin", TR_GROUND, a, NULL);
        machine_joint(
            &machine, "driven_angle", "motor", TR_GROUND, a,
            TR_PARAMS(TR_TIME("angle", machine_switch(&machine, 0.5, i == 0, i == 0 ? 0.0 : 2.0))));
        machine_build(&machine);
        trSimDef def = tr_sim_def_default();
        trSim   *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_MODEL);
        assert_non_null(strstr(tr_last_error(), words[i]));
        assert_non_null(strstr(tr_last_error(), "joint 'motor': "));
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// Wherever it jumps: the last step before may round to the instant itself.
static void no_jump_is_missed(void **state) {
    for (int k = 1; k < 100; k++) {
        Machine machine = machine_new();
        int a = machine_body(&machine, "a", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
        machine_joint(&machine, "revolute", "pin", TR_GROUND, a, NULL);
        machine_joint(&machine, "driven_angle", "motor", TR_GROUND, a,
                      TR_PARAMS(TR_TIME("angle", machine_switch(&machine, 0.01 * k, 1.0, 0.0))));
        machine_build(&machine);
        for (int i = 0; i < tr_integrator_count(); i++) {
            bool     adaptive = tr_integrator_at(i)->error_order > 0;
            trSimDef def = def_with(tr_integrator_at(i)->name, adaptive ? 0.0 : 0.013);
            def.duration = 1.0;
            trSim *sim = machine_sim(&machine, &def);
            if (tr_sim_run(sim, NULL, NULL) != TR_E_MODEL) {
                fail_msg("%s: a jump at %g s was missed", def.integrator, 0.01 * k);
            }
            tr_sim_destroy(sim);
        }
        machine_free(&machine);
    }
}

// A ram from (3, 0) m to the tip of a crank of 1 m. It is 3 m long at first and grows by 1 m/s; at
// 4 m, t = 1 s, the crank points away from it and the ram can grow no more.
static Machine machine_ram(void) {
    Machine machine = machine_new();
    int     crank = machine_body(&machine, "crank",
                                 TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1),
                                           TR_NUM("angle", acos(1.0 / 6.0)), TR_VEC("com", 0.5, 0.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, crank, NULL);
    machine_joint(&machine, "driven_distance", "ram", TR_GROUND, crank,
                  TR_PARAMS(TR_VEC("point1", 3.0, 0.0), TR_VEC("point2", 1.0, 0.0),
                            TR_TIME("length", machine_polynomial(&machine, 3.0, 1.0, 0.0))));
    machine_build(&machine);
    return machine;
}

static void a_joint_that_cannot_be_closed_any_more_ends_the_run_by_name(void **state) {
    Machine machine = machine_ram();
    for (int i = 0; i < tr_integrator_count(); i++) {
        trSimDef def = def_with(tr_integrator_at(i)->name, 1e-3);
        def.duration = 2.0;
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
        assert_non_null(strstr(tr_last_error(), "joint 'ram': drives the mechanism into a dead "
                                                "point at t = 1 s: joint 'pin' cannot follow"));
        assert_true(tr_sim_time(sim) > 0.9 && tr_sim_time(sim) < 1.01);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

// Twice the error costs 2^(1/p) in the step; factors stay between 0.2 and 6.
static void the_step_factor_follows_the_error(void **state) {
    for (int p = 1; p <= 8; p++) {
        double safety = tr_step_factor(1.0, p);
        assert_true(safety > 0.5 && safety < 1.0);
        assert_true(fabs(tr_step_factor(2.0, p) * pow(2.0, 1.0 / p) - safety) <= 1e-15);
        assert_true(tr_step_factor(0.0, p) == 6.0);
        assert_true(tr_step_factor(1e-30, p) == 6.0);
        assert_true(tr_step_factor(1e30, p) == 0.2);
        assert_true(tr_step_factor(INFINITY, p) == 0.2);
        assert_true(tr_step_factor(NAN, p) == 0.2);
    }
}

static void the_first_step_respects_its_limits(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = tr_sim_def_default();
    trSim   *sim = machine_sim(&machine, &def);
    double   chosen = sim->stepper.h;
    assert_true(chosen > 1e-4 && chosen < 0.5);
    tr_sim_destroy(sim);
    def.max_step = 0.5 * chosen;
    sim = machine_sim(&machine, &def);
    assert_true(sim->stepper.h == 0.5 * chosen);
    tr_sim_destroy(sim);
    def.max_step = 0.0;
    def.min_step = 2.0 * chosen;
    sim = machine_sim(&machine, &def);
    assert_true(sim->stepper.h == 2.0 * chosen);
    tr_sim_destroy(sim);
    def.min_step = 0.0;
    def.duration = 1e-5;
    sim = machine_sim(&machine, &def);
    assert_true(sim->stepper.h <= 1e-5);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_never_passes_the_end_and_the_last_one_hits_it),
        cmocka_unit_test(fixed_steps_are_counted_without_a_crumb_at_the_end),
        cmocka_unit_test(a_step_is_exactly_one_accepted_step),
        cmocka_unit_test(a_step_is_found_before_it_is_committed),
        cmocka_unit_test(no_step_is_larger_than_asked),
        cmocka_unit_test(steps_of_the_smallest_size_are_accepted_and_counted),
        cmocka_unit_test(steps_that_meet_the_tolerances_are_not_forced),
        cmocka_unit_test(a_step_size_that_falls_to_nothing_is_reported_with_the_time),
        cmocka_unit_test(a_step_ends_where_a_function_of_time_changes),
        cmocka_unit_test(a_drive_that_jumps_is_refused_when_it_does),
        cmocka_unit_test(no_jump_is_missed),
        cmocka_unit_test(a_joint_that_cannot_be_closed_any_more_ends_the_run_by_name),
        cmocka_unit_test(forces_may_change_in_a_flat_pose),
        cmocka_unit_test(the_step_factor_follows_the_error),
        cmocka_unit_test(the_first_step_respects_its_limits),
    };
    return cmocka_run_group_tests_name("step", tests, NULL, NULL);
}
