// SPDX-License-Identifier: MIT
// Long chains of rods fall as they do in other codes.

#include <math.h>

#include "scenario/scenario.h"
#include "support/test.h"

// The reference positions of the free end are printed with ten decimals.
#define PRINTED 1e-9

static void check_tip(const char *set, const char *last, double x, double y) {
    Run      run;
    trSimDef def;
    trStatus status = run_load("chain.lua", (const char *const[]){set, NULL}, &def, &run);
    def.rtol = def.atol = 1e-10;
    def.sample = def.duration;
    if (status != TR_OK || run_simulate(&run, &def) != TR_OK) {
        fail_msg("%s: %s", set, tr_last_error());
    }
    long   row = run.rows - 1;
    double angle = run_part(&run, row, last, "angle");
    double error = hypot(run_part(&run, row, last, "x") + cos(angle) - x,
                         run_part(&run, row, last, "y") + sin(angle) - y);
    if (!(error <= PRINTED)) {
        fail_msg("the free end is off by %g m", error);
    }
    run_free(&run);
}

static void ten_rods_fall_as_in_the_reference(void **state) {
    check_tip("N=10", "rod10", 7.5272290156, -4.9062623197);
}

static void a_hundred_rods_fall_as_in_the_reference(void **state) {
    check_tip("N=100", "rod100", 99.0375324923, -4.9050000000);
}

// What a far rod feels falls by a constant factor from rod to rod. It must become zero, not
// denormal, with which arithmetic is a hundred times slower.
static void what_is_too_small_to_matter_is_zero(void **state) {
    Run      run;
    trSimDef def;
    assert_int_equal(run_load("chain.lua", (const char *const[]){"N=1000", NULL}, &def, &run),
                     TR_OK);
    def.duration = def.sample = 0.05;
    assert_int_equal(run_simulate(&run, &def), TR_OK);
    int           zeros = 0;
    const double *v = tr_sim_v(run.sim);
    for (int i = 0; i < 1000; i++) {
        double omega = fabs(v[3 * i + 2]);
        zeros += omega == 0.0;
        assert_true(omega == 0.0 || omega > 1e-120);
    }
    assert_true(zeros > 100);  // the far end hangs on nothing
    run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_rods_fall_as_in_the_reference),
        cmocka_unit_test(a_hundred_rods_fall_as_in_the_reference),
        cmocka_unit_test(what_is_too_small_to_matter_is_zero),
    };
    return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
