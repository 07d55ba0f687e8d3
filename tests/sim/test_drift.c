// SPDX-License-Identifier: MIT
// What is watched at accepted states is what those states are.

#include <math.h>

#include "support/machines.h"
#include "support/test.h"

// The velocity that one body asks for is shared out; the largest change is told with its body.
static void a_change_of_the_initial_velocity_is_told(void **state) {
    Machine machine = machine_new();
    int     rod = machine_body(&machine, "rod",
                               TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 1.0),
                                         TR_VEC("at", 1.0, 0.0), TR_VEC("velocity", 3.0, 4.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, rod,
                  TR_PARAMS(TR_VEC("point", 0.0, 0.0)));
    machine_build(&machine);
    trSimDef   def = tr_sim_def_default();
    trSim     *sim = machine_sim(&machine, &def);
    trSimStats stats = tr_sim_stats(sim);
    // m (vy - 4) + J omega = 0 with vy = omega: omega = 8/3, and vx = 3 must go.
    assert_true(fabs(tr_sim_body(sim, rod).omega - 8.0 / 3.0) < 1e-12);
    assert_true(fabs(stats.assembly_velocity.value - 3.0) < 1e-12);
    assert_string_equal(stats.assembly_velocity.unit, "m/s");
    assert_string_equal(stats.assembly_velocity.body, "rod");
    assert_true(stats.assembly_position.value == 0.0);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_of_the_initial_velocity_is_told),
    };
    return cmocka_run_group_tests_name("drift", tests, NULL, NULL);
}
