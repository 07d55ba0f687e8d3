// SPDX-License-Identifier: MIT
// The torsion spring without a given angle is free of moment as the bodies stand at the start.

#include <math.h>

#include "support/machines.h"
#include "support/test.h"

#define STIFFNESS 3.0  // [N m/rad]

// Two bodies at different angles, and nothing that pulls at them but the spring.
static Machine machine_sprung(const trParam *params, double angle1, double angle2) {
    Machine machine = {0};
    assert_int_equal(tr_model_create(TR_PARAMS(TR_VEC("gravity", 0.0, 0.0)), &machine.model),
                     TR_OK);
    int one = machine_body(
        &machine, "one",
        TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.5), TR_NUM("angle", angle1)));
    int two = machine_body(
        &machine, "two",
        TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.25), TR_NUM("angle", angle2)));
    machine_force(&machine, "torsion_spring", "spring", one, two, params);
    machine_build(&machine);
    return machine;
}

// The moment on body 2 with both bodies turned by these angles from the start.
static double moment_at(const Machine *machine, double turn1, double turn2) {
    trSimDef def = tr_sim_def_default();
    trSim   *sim = machine_sim(machine, &def);
    double   x[12], a[6];
    for (int i = 0; i < 6; i++) {
        x[i] = tr_sim_q(sim)[i] + (i == 2 ? turn1 : i == 5 ? turn2 : 0.0);
        x[6 + i] = tr_sim_v(sim)[i];
    }
    assert_int_equal(tr_sim_accelerate(sim, 0.0, x, a), TR_OK);
    assert_true(fabs(0.5 * a[2] + 0.25 * a[5]) <= 1e-15);
    tr_sim_destroy(sim);
    return 0.25 * a[5];
}

static void its_free_angle_is_that_of_the_start(void **state) {
    static const double angles[][2] = {{0.3, 1.4}, {-0.7, 0.2}, {1.1, 0.0}, {0.0, -0.9}};
    for (int i = 0; i < 4; i++) {
        Machine machine =
            machine_sprung(TR_PARAMS(TR_NUM("stiffness", STIFFNESS)), angles[i][0], angles[i][1]);
        assert_true(fabs(moment_at(&machine, 0.0, 0.0)) <= 1e-15);
        assert_true(fabs(moment_at(&machine, 0.5, 0.5)) <= 4e-15);
        assert_true(fabs(moment_at(&machine, 0.0, 0.2) + 0.2 * STIFFNESS) <= 4e-15);
        assert_true(fabs(moment_at(&machine, 0.2, 0.0) - 0.2 * STIFFNESS) <= 4e-15);
        machine_free(&machine);
    }
}

static void a_given_angle_is_that_of_body_2_against_body_1(void **state) {
    Machine machine =
        machine_sprung(TR_PARAMS(TR_NUM("stiffness", STIFFNESS), TR_NUM("angle", 0.6)), 0.3, 1.4);
    assert_true(fabs(moment_at(&machine, 0.0, 0.0) + 0.5 * STIFFNESS) <= 4e-15);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_free_angle_is_that_of_the_start),
        cmocka_unit_test(a_given_angle_is_that_of_body_2_against_body_1),
    };
    return cmocka_run_group_tests_name("torsion_spring", tests, NULL, NULL);
}
