// SPDX-License-Identifier: MIT
// What is watched at accepted states is what those states are.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

// The tip of the rod that should stay on the origin, from the state alone.
static double gap_of(const trSim *sim) {
    trBodyState rod = tr_sim_body(sim, 0);
    return fmax(fabs(rod.x), fabs(rod.y));
}

// Stages are projected but states are not: they drift, and the summary must say so.
static void drift_is_told_when_only_stages_are_projected(void **state) {
    (void)state;
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = tr_sim_def_default();
    def.stage_projection = "masarati";
    def.step_projection = "none";
    def.integrator = "rk4";
    def.step = 0.05;
    def.duration = 2.0;
    trSim *sim = machine_sim(&machine, &def);
    double worst = 0.0;
    while (tr_sim_time(sim) < 2.0) {
        assert_int_equal(tr_sim_step(sim), TR_OK);
        worst = fmax(worst, gap_of(sim));
    }
    assert_true(worst > 1e-9);  // else this test would prove nothing
    assert_true(fabs(tr_sim_stats(sim).position.length - worst) <= 1e-12);
    assert_string_equal(tr_sim_stats(sim).position.length_joint, "pin");
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// The velocity that one body asks for is shared out; the largest change is told with its body.
static void a_change_of_the_initial_velocity_is_told(void **state) {
    (void)state;
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
        cmocka_unit_test(drift_is_told_when_only_stages_are_projected),
        cmocka_unit_test(a_change_of_the_initial_velocity_is_told),
    };
    return cmocka_run_group_tests_name("drift", tests, NULL, NULL);
}
