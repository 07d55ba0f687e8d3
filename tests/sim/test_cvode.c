// SPDX-License-Identifier: MIT
// cvode and cvode_adams: accuracy, constraints at both levels, cost on a stiff mechanism, what is
// refused.

#include "sim/owners.h"

static const char *const kinds[] = {"cvode", "cvode_adams"};
#define KINDS 2

// Adams' states are projected copies: |phi| <= 1e-12 (1 + max|q|), max|q| below 10.
static double level_of(int kind) {
    return kind == 0 ? 1e-13 : 1.1e-11;
}

static void errors_follow_tolerances(void **state) {
    static const AccuracyCase cases[] = {
        {"pendulum.lua", NULL, 10.0}, {"four_bar.lua", NULL, 2.0}, {"heavy_top.lua", NULL, 0.5}};
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < 3; i++) {
            assert_accuracy(kinds[kind], &cases[i], 100.0, level_of(kind));
        }
    }
}

// The benchmark's reference at 10 s: height of the slider, its rate, the shaft's speed.
static double flyball_error(const trSim *sim) {
    const double *q = tr_sim_q(sim), *v = tr_sim_v(sim);
    double        height = fabs(q[7 + 2] - 0.619622917061366);
    double        rate = fabs(v[6 + 2] + 0.747603354164331);
    double        spin = fabs(tr_sim_body(sim, 0).wz - 5.54820362265493);
    return fmax(height, fmax(rate, spin));
}

// Eigenvalues down to -8e3 1/s. Every column of a Jacobian counts as an evaluation, 2 nv of them.
// The explicit method goes along its limit of stability, where what decays fast stays as large as
// the tolerance: its size follows the last bit, 1e-5 or 2e-4 at 1e-4. So each method may be off by
// 10 times its own tolerance.
static void stiff_flyball_is_cheap(void **state) {
    Machine     machine = load_benchmark("flyball.lua", NULL);
    double      cost[2] = {0.0, 0.0};
    const char *integrator[2] = {"dop853", "cvode"};
    for (int k = 0; k < 2; k++) {
        trSimDef def = owner_def(integrator[k], k == 0 ? 1e-4 : 1e-5, 10.0);
        trSim   *sim = machine_sim(&machine, &def);
        run_to(sim, 10.0);
        trIntegratorCounts counts = {0};
        if (k == 1) {
            sim->stepper.kind->count(sim->stepper.work, &counts);
            assert_true(counts.jacobians > 0 && counts.iterations > 0);
        }
        cost[k] = (double)(tr_sim_stats(sim).evaluations + 2 * sim->nv * counts.jacobians);
        assert_true(flyball_error(sim) <= 10.0 * def.rtol);
        tr_sim_destroy(sim);
    }
    if (!(10.0 * cost[1] <= cost[0])) {
        fail_msg("cvode %.0f, dop853 %.0f", cost[1], cost[0]);
    }
    machine_free(&machine);
}

static void rows_lie_between_steps(void **state) {
    for (int kind = 0; kind < KINDS; kind++) {
        assert_rows(kinds[kind]);
    }
}

static void breaks_end_steps(void **state) {
    for (int kind = 0; kind < KINDS; kind++) {
        assert_breaks(kinds[kind]);
    }
}

static void failures_print_nothing(void **state) {
    for (int kind = 0; kind < KINDS; kind++) {
        assert_silent_failure(kinds[kind], true);
        assert_silent_failure(kinds[kind], false);
    }
}

// Adams' history is out of reach of a projection after steps alone.
static void what_breaks_a_history_is_refused(void **state) {
    for (int kind = 0; kind < KINDS; kind++) {
        assert_refusals(kinds[kind]);
    }
    assert_refused("cvode_adams", "none", "mass_orthogonal", 0.0, "mass_orthogonal");
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = owner_def("cvode_adams", 1e-6, 1.0);
    trSim   *sim = machine_sim(&machine, &def);
    assert_string_equal(tr_sim_def(sim).stage_projection, "masarati");
    assert_string_equal(tr_sim_def(sim).step_projection, "mass_orthogonal");
    tr_sim_destroy(sim);
    def = owner_def("cvode", 1e-6, 1.0);
    sim = machine_sim(&machine, &def);
    assert_string_equal(tr_sim_def(sim).stage_projection, "none");
    assert_string_equal(tr_sim_def(sim).step_projection, "mass_orthogonal");
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// The first step is the user's; none is longer than max_step.
static void steps_are_the_users_where_given(void **state) {
    Machine machine = machine_pendulum(0.3);
    for (int kind = 0; kind < KINDS; kind++) {
        trSimDef def = owner_def(kinds[kind], 1e-4, 1.0);
        def.step = 1e-5;
        def.max_step = 4e-3;
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_step(sim), TR_OK);
        assert_true(fabs(tr_sim_time(sim) - 1e-5) <= 1e-12);
        run_to(sim, 1.0);
        assert_true(tr_sim_time(sim) == 1.0);
        assert_true(tr_sim_stats(sim).largest_step <= 4e-3 * (1.0 + 1e-12));
        assert_true(tr_sim_stats(sim).largest_step >= 3e-3);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_follow_tolerances),
        cmocka_unit_test(stiff_flyball_is_cheap),
        cmocka_unit_test(rows_lie_between_steps),
        cmocka_unit_test(breaks_end_steps),
        cmocka_unit_test(failures_print_nothing),
        cmocka_unit_test(what_breaks_a_history_is_refused),
        cmocka_unit_test(steps_are_the_users_where_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
