// SPDX-License-Identifier: MIT
// arkode and arkode_dirk: accuracy, constraints at both levels, what is refused.

#include "sim/owners.h"

static const char *const kinds[] = {"arkode", "arkode_dirk"};
#define KINDS 2

static void errors_follow_tolerances(void **state) {
    static const AccuracyCase cases[] = {
        {"pendulum.lua", NULL, 2.0}, {"four_bar.lua", NULL, 2.0}, {"heavy_top.lua", NULL, 0.2}};
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < 3; i++) {
            assert_accuracy(kinds[kind], &cases[i], 100.0, 1e-13);
        }
    }
}

// Eigenvalues down to -8e3 1/s: the step of the explicit method is bound by them.
static void stiff_flyball_takes_few_implicit_steps(void **state) {
    Machine machine = load_benchmark("flyball.lua", NULL);
    int64_t steps[KINDS] = {0};
    for (int kind = 0; kind < KINDS; kind++) {
        trSimDef def = owner_def(kinds[kind], 1e-4, 0.5);
        trSim   *sim = machine_sim(&machine, &def);
        run_to(sim, 0.5);
        steps[kind] = tr_sim_stats(sim).steps;
        assert_true(fabs(tr_sim_q(sim)[7 + 2] - 0.743249424786326) <= 1e-4);
        assert_true(fabs(tr_sim_v(sim)[6 + 2] - 0.0521197801583734) <= 1e-4);
        tr_sim_destroy(sim);
    }
    assert_true(10 * steps[1] <= steps[0]);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_follow_tolerances),
        cmocka_unit_test(stiff_flyball_takes_few_implicit_steps),
        cmocka_unit_test(rows_lie_between_steps),
        cmocka_unit_test(breaks_end_steps),
        cmocka_unit_test(failures_print_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
