// SPDX-License-Identifier: MIT
// Long chains of rods fall as they do in other codes.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scenario/scenario.h"

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
    (void)state;
    check_tip("N=10", "rod10", 7.5272290156, -4.9062623197);
}

static void a_hundred_rods_fall_as_in_the_reference(void **state) {
    (void)state;
    check_tip("N=100", "rod100", 99.0375324923, -4.9050000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_rods_fall_as_in_the_reference),
        cmocka_unit_test(a_hundred_rods_fall_as_in_the_reference),
    };
    return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
