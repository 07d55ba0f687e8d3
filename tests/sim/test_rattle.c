// SPDX-License-Identifier: MIT
// rattle and rattle4: of order 2 and 4, on the constraints of both levels to rounding, the same
// way back, and without drift of the energy in a million steps.

#include "sim/own_step.h"

static const char *const methods[] = {"rattle", "rattle4"};

// Planar loops; a spatial loop; gyroscopic terms; nonholonomic rows, in the plane and in space;
// redundant rows; bodies without mass, with M diagonal and dense; a rheonomic system; M that
// depends on q.
static const OrderCase cases[] = {
    {"equations_pendulum.lua", NULL, 1.0, 0.01, 0.02, false},
    {"four_bar.lua", NULL, 1.0, 2e-3, 1e-2, true},
    {"spatial_slider_crank.lua", NULL, 0.5, 1e-3, 4e-3, true},
    {"heavy_top.lua", NULL, 0.5, 2.5e-4, 1e-3, true},
    {"knife_edge.lua", NULL, 1.0, 1e-2, 4e-2, true},
    {"rolling_disk.lua", NULL, 1.0, 2e-3, 2e-2, true},
    {"redundant_parallelogram.lua", NULL, 1.0, 2e-3, 2e-2, false},
    {"four_bar_massless_coupler.lua", NULL, 1.0, 2e-3, 1e-2, true},
    {"free_body.lua", "coordinates=quaternion", 1.0, 1e-2, 5e-2, false},
    {"car_axis.lua", NULL, 1.0, 2e-3, 1e-2, false},
    {"equations_four_bar_natural.lua", NULL, 1.0, 2e-3, 1e-2, false},
};
#define CASES ((int)(sizeof cases / sizeof *cases))

static void rattle_is_of_order_2_in_q_v_and_reactions(void **state) {
    trSimDef def = own_def("rattle", 0.0);
    for (int i = 0; i < CASES; i++) {
        assert_order(&cases[i], &def, 2, 3);
    }
}

static void rattle4_is_of_order_4_in_q_v_and_reactions(void **state) {
    trSimDef def = own_def("rattle4", 0.0);
    for (int i = 0; i < CASES; i++) {
        assert_order(&cases[i], &def, 4, 3);
    }
}

// A damper: a force that depends on velocities, where half a step is implicit.
static void damped_motion_is_of_the_same_orders(void **state) {
    Machine machine = machine_new();
    int     rod = machine_body(
            &machine, "rod",
            TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 0.2), TR_VEC("com", 0.5, 0.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, rod, NULL);
    machine_force(&machine, "spring", "strut", TR_GROUND, rod,
                  TR_PARAMS(TR_VEC("point1", 0.5, -2.0), TR_VEC("point2", 1.0, 0.0),
                            TR_NUM("stiffness", 40.0), TR_NUM("length", 1.0),
                            TR_NUM("damping", 5.0)));
    machine_build(&machine);
    for (int k = 0; k < 2; k++) {
        double     exact[ROOM], end[2][ROOM];
        trSimStats stats;
        trSimDef   def = tr_sim_def_default();
        def.rtol = def.atol = 1e-12;
        int n = state_at(&machine, &def, 1.0, &stats, exact);
        def = own_def(methods[k], k == 0 ? 5e-3 : 2e-2);
        state_at(&machine, &def, 1.0, &stats, end[0]);
        def.step *= 0.5;
        state_at(&machine, &def, 1.0, &stats, end[1]);
        double order = log2(largest_gap(n, end[0], exact) / largest_gap(n, end[1], exact));
        if (!(fabs(order - (k == 0 ? 2.0 : 4.0)) <= 0.1)) {
            fail_msg("%s: order %.3f", methods[k], order);
        }
    }
    machine_free(&machine);
}

// Lengths are of 1 to 5 m, velocities of up to 15 m/s: some ten units in the last place.
static void both_levels_hold_to_rounding(void **state) {
    for (int i = 0; i < CASES; i++) {
        for (int k = 0; k < 2; k++) {
            char path[512];
            snprintf(path, sizeof path, BENCHMARK "%s", cases[i].file);
            const char *set[] = {cases[i].set, NULL};
            Machine     machine = load(path, set);
            trSimDef    def = own_def(methods[k], cases[i].h4);
            double      end[ROOM];
            trSimStats  s;
            state_at(&machine, &def, cases[i].t, &s, end);
            double position = sqrt(s.position_squares.worst);
            double velocity = sqrt(s.velocity_squares.worst);
            if (!(position <= 1e-14 && velocity <= 5e-14)) {
                fail_msg("%s, %s: %.2g, %.2g", cases[i].file, methods[k], position, velocity);
            }
            machine_free(&machine);
        }
    }
}

// N steps, velocities turned round, the same N steps: the start. Each step leaves some 1e-15 (where
// Newton's method ends), which N steps carry on at most as they would their own time, a factor of
// N: 2 * 100 * 100 * 1e-15. An error of the map itself, of the order of h^3, would leave 1e-5.
static void steps_go_back_the_way_they_came(void **state) {
    static const char *const files[] = {
        "equations_pendulum.lua", "four_bar.lua",   "spatial_slider_crank.lua",
        "heavy_top.lua",          "knife_edge.lua", "four_bar_massless_coupler.lua"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (int k = 0; k < 2; k++) {
            char path[512];
            snprintf(path, sizeof path, BENCHMARK "%s", files[i]);
            Machine  machine = load(path, NULL);
            trSimDef def =
                own_def(methods[k], strcmp(files[i], "heavy_top.lua") == 0 ? 1e-3 : 5e-3);
            trSim *sim = machine_sim(&machine, &def);
            double start[ROOM], far = 0.0;
            int    n = sim->nq + sim->nv;
            memcpy(start, sim->x, (size_t)n * sizeof *start);
            for (int step = 0; step < 200; step++) {
                if (step == 100) {
                    far = largest_gap(sim->nq, sim->x, start);
                    turn_back(sim);
                }
                assert_int_equal(tr_sim_step(sim), TR_OK);
            }
            turn_back(sim);
            double left = largest_gap(n, sim->x, start);
            if (!(left <= 2e-11) || !(far > 0.1)) {
                fail_msg("%s, %s: %.2g is left of %.2g", files[i], methods[k], left, far);
            }
            tr_sim_destroy(sim);
            machine_free(&machine);
        }
    }
}

// The error of the energy returns in every period, of which the run has 4,223: it must not grow
// from what it was in the first 42.
static void energy_does_not_drift_in_a_million_steps(void **state) {
    Machine  machine = load(BENCHMARK "equations_pendulum.lua", NULL);
    trSimDef def = own_def("rattle", 0.01);
    trSim   *sim = machine_sim(&machine, &def);
    double   early = 0.0;
    for (int step = 0; step < 1000000; step++) {
        if (tr_sim_step(sim) != TR_OK) {
            fail_msg("%s", tr_last_error());
        }
        if (step == 9999) {
            early = tr_sim_stats(sim).energy_drift;
        }
    }
    double late = tr_sim_stats(sim).energy_drift;
    // Of second order: some (h^2 / 8) (g / L) of the 19.62 J.
    assert_true(early > 1e-4 && early < 1e-2);
    if (!(late <= 1.5 * early)) {
        fail_msg("%.6g J after 10,000 steps, %.6g J after 1,000,000", early, late);
    }
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A damper that takes half of the velocity in 1e-4 s cannot be taken by a fixed point at h = 0.01;
// where links would have to turn by half a turn, constraints stay violated.
static void steps_that_are_too_large_are_told(void **state) {
    Machine machine = machine_new();
    int     mass =
        machine_body(&machine, "mass", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_force(&machine, "spring", "damper", TR_GROUND, mass,
                  TR_PARAMS(TR_VEC("point1", 0.0, 2.0), TR_NUM("stiffness", 1.0),
                            TR_NUM("damping", 1e4), TR_NUM("length", 2.0)));
    machine_build(&machine);
    trSimDef def = own_def("rattle", 0.01);
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run_to(sim, 1.0), TR_E_SIMULATION);
    assert_non_null(strstr(tr_last_error(), "forces that depend on velocities do not converge"));
    tr_sim_destroy(sim);
    machine_free(&machine);

    machine = machine_four_bar(1.0);
    def = own_def("rattle", 1.5);
    def.duration = 30.0;
    sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run_to(sim, 30.0), TR_E_SIMULATION);
    assert_non_null(strstr(tr_last_error(), "constraints stay violated by "));
    assert_non_null(strstr(tr_last_error(), "take a smaller step"));
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rattle_is_of_order_2_in_q_v_and_reactions),
        cmocka_unit_test(rattle4_is_of_order_4_in_q_v_and_reactions),
        cmocka_unit_test(damped_motion_is_of_the_same_orders),
        cmocka_unit_test(both_levels_hold_to_rounding),
        cmocka_unit_test(steps_go_back_the_way_they_came),
        cmocka_unit_test(energy_does_not_drift_in_a_million_steps),
        cmocka_unit_test(steps_that_are_too_large_are_told),
    };
    return cmocka_run_group_tests_name("rattle", tests, NULL, NULL);
}
