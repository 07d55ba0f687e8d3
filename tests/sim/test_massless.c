// SPDX-License-Identifier: MIT
// Bodies without mass, or with almost none, beside bodies that have it.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/machines.h"

// A wall that is welded to ground carries a beam of 4 kg by a hinge, and a strut without mass holds
// the beam up. The hinge is independent of the strut only because the strut can move.
static Machine machine_bracket(double strut_mass) {
    Machine machine = machine_new();
    int     wall =
        machine_body(&machine, "wall", TR_PARAMS(TR_NUM("mass", 4.0), TR_NUM("inertia", 1.4)));
    int beam = machine_body(&machine, "beam",
                            TR_PARAMS(TR_NUM("mass", 4.0), TR_NUM("inertia", 0.15),
                                      TR_VEC("at", 0.0, 1.0), TR_VEC("com", 1.0, 0.0)));
    int strut = machine_body(&machine, "strut",
                             TR_PARAMS(TR_NUM("mass", strut_mass), TR_NUM("inertia", strut_mass)));
    machine_joint(&machine, "fixed", "weld", TR_GROUND, wall, TR_PARAMS(TR_VEC("point", 0.0, 0.0)));
    machine_joint(&machine, "revolute", "hinge", wall, beam, TR_PARAMS(TR_VEC("point", 0.0, 1.0)));
    machine_joint(&machine, "revolute", "foot", wall, strut, TR_PARAMS(TR_VEC("point", 0.0, 0.2)));
    machine_joint(&machine, "revolute", "head", beam, strut, TR_PARAMS(TR_VEC("point", 1.2, 1.0)));
    machine_build(&machine);
    return machine;
}

// Statics: the strut pushes along (1.2, 0.8) with 1.2 Fy = weight * 1 m about the hinge.
static void a_strut_without_mass_bears_what_statics_says(void **state) {
    (void)state;
    static const char *const formulations[] = {"lagrange", "lagrange_dense"};
    const double             weight = 4.0 * GRAVITY, up = weight / 1.2, along = up * 1.2 / 0.8;
    for (int i = 0; i < 4; i++) {
        Machine  machine = machine_bracket(i < 2 ? 0.0 : 1e-9);
        trSimDef def = tr_sim_def_default();
        def.formulation = formulations[i % 2];
        trSim     *sim = machine_sim(&machine, &def);
        trReaction hinge;
        assert_int_equal(tr_sim_stats(sim).degrees_of_freedom, 0);
        assert_int_equal(tr_sim_stats(sim).redundant_rows, 0);
        assert_int_equal(tr_sim_reaction(sim, 1, &hinge), TR_OK);
        assert_true(fabs(hinge.fx + along) <= 1e-7 * weight);  // the strut may weigh 1e-9 kg
        assert_true(fabs(hinge.fy - (weight - up)) <= 1e-7 * weight);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// Without care 1 / M of the coupler would drown the rest: A a = b would hold to eps / m only.
static void a_light_body_costs_no_accuracy(void **state) {
    (void)state;
    static const double masses[] = {1e-4, 1e-6, 1e-8, 1e-10, 0.0};
    for (int i = 0; i < 5; i++) {
        Machine  machine = machine_four_bar(masses[i]);
        trSimDef def = tr_sim_def_default();
        trSim   *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
        trSimStats stats = tr_sim_stats(sim);
        assert_true(stats.acceleration.length < 1e-11);
        assert_true(stats.energy_drift < 1e-5);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strut_without_mass_bears_what_statics_says),
        cmocka_unit_test(a_light_body_costs_no_accuracy),
    };
    return cmocka_run_group_tests_name("massless", tests, NULL, NULL);
}
