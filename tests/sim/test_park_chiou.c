// SPDX-License-Identifier: MIT
// park_chiou: of order 2, as soft as epsilon says, the figures of published comparisons, and clear
// words where it loses its way.

#include "sim/own_step.h"
#include "support/options.h"

// On the free body the row that holds the norm of the quaternion feels no force: what rounding over
// epsilon makes of its multiplier must not count as one.
static const OrderCase cases[] = {
    {"equations_pendulum.lua", NULL, 1.0, 0.01, 0.0, false},
    {"four_bar.lua", NULL, 1.0, 2e-3, 0.0, true},
    {"spatial_slider_crank.lua", NULL, 0.5, 1e-3, 0.0, true},
    {"heavy_top.lua", NULL, 0.5, 2.5e-4, 0.0, true},
    {"knife_edge.lua", NULL, 1.0, 1e-2, 0.0, true},
    {"redundant_parallelogram.lua", NULL, 1.0, 2e-3, 0.0, false},
    {"four_bar_massless_coupler.lua", NULL, 1.0, 2e-3, 0.0, true},
    {"free_body.lua", "coordinates=quaternion", 1.0, 1e-2, 0.0, false},
    {"car_axis.lua", NULL, 1.0, 2e-3, 0.0, false},
};

// Down to what epsilon leaves, which must be less than h^2 leaves: 1e-13 in place of 1e-10. Of
// velocities the part across the constraints swings by an amount of the order of h^2, from step to
// step, and reactions with it: two ends of a run do not tell their order.
static void positions_are_of_order_2(void **state) {
    trSimDef def = own_def("park_chiou", 0.0);
    set_number(&def, "epsilon", 1e-13);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_order(&cases[i], &def, 2, 1);
    }
}

// Sums of squares of phi and A v - b1, the worst in 10 s, and the energy lost at their end.
static void figures_of_the_four_bar_and_the_pendulum_are_met(void **state) {
    static const struct {
        const char *file;
        double      step, epsilon, position, velocity, energy;
    } rows[] = {
        {"four_bar.lua", 1e-3, 1e-6, 1.1e-5, 1.9, 2.5},
        {"four_bar.lua", 1e-3, 1e-10, 1.2e-11, 7.8e-9, 2.8e-6},
        {"equations_pendulum.lua", 1e-2, 1e-6, 8.7e-10, INFINITY, INFINITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[512];
        snprintf(path, sizeof path, BENCHMARK "%s", rows[i].file);
        Machine  machine = load(path, NULL);
        trSimDef def = own_def("park_chiou", rows[i].step);
        set_number(&def, "epsilon", rows[i].epsilon);
        def.duration = 10.0;
        trSim *sim = machine_sim(&machine, &def);
        run_to(sim, 10.0);
        trSimStats s = tr_sim_stats(sim);
        // As large as the figure, within 3, and as small: what is soft must not look hard.
        double position = s.position_squares.worst / rows[i].position;
        if (!(position <= 3.0 && position >= 1.0 / 3.0) ||
            !(s.velocity_squares.worst <= 3.0 * rows[i].velocity) ||
            !(fabs(s.energy_end_drift) <= 3.0 * rows[i].energy)) {
            fail_msg("%s, epsilon %g: %.3g, %.3g, %.3g J", rows[i].file, rows[i].epsilon,
                     s.position_squares.worst, s.velocity_squares.worst, s.energy_end_drift);
        }
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// phi - phi_0 = epsilon (lambda - lambda_0), exactly in the equations that are integrated; lambda
// swings about that of the rigid pendulum (0 at the start, up to 29.43 N) by what epsilon changes
// of it, 1e-4 of its size, and h^2.
static void violations_are_epsilon_times_the_multipliers(void **state) {
    Machine  machine = load(BENCHMARK "equations_pendulum.lua", NULL);
    trSimDef def = own_def("park_chiou", 1e-4);
    set_number(&def, "epsilon", 1e-6);
    trSim *sim = machine_sim(&machine, &def);
    for (double t = 0.2; t < 1.0; t += 0.2) {
        trMultiplier rod;
        run_to(sim, t);
        assert_int_equal(tr_sim_multiplier(sim, 0, &rod), TR_OK);
        double phi = hypot(tr_sim_q(sim)[0], tr_sim_q(sim)[1]) - 1.0;
        assert_true(rod.lambda[0] > 1.0);
        if (!(fabs(phi / (1e-6 * rod.lambda[0]) - 1.0) <= 2e-2)) {
            fail_msg("t = %g: phi = %g, lambda = %g", t, phi, rod.lambda[0]);
        }
    }
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A step that is too long, an epsilon that is too small, and multipliers that swing ever after a
// pose where rows are nearly dependent.
static void it_says_where_it_loses_its_way(void **state) {
    static const struct {
        const char *file;
        double      step, epsilon;
        const char *words;
    } rows[] = {
        {BENCHMARK "pendulum.lua", 0.3, 1e-10, "did not converge in the middle of the step"},
        {BENCHMARK "four_bar.lua", 0.1, 1e-22, "M drowns in (h^2 / 4 epsilon) A'A"},
        {BENCHMARK "slider_crank_driven.lua", 1e-2, 1e-10, "multipliers of park_chiou oscillate"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Machine  machine = load(rows[i].file, NULL);
        trSimDef def = own_def("park_chiou", rows[i].step);
        set_number(&def, "epsilon", rows[i].epsilon);
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run_to(sim, 3.0), TR_E_SIMULATION);
        if (strstr(tr_last_error(), rows[i].words) == NULL) {
            fail_msg("%s: %s", rows[i].file, tr_last_error());
        }
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_of_order_2),
        cmocka_unit_test(figures_of_the_four_bar_and_the_pendulum_are_met),
        cmocka_unit_test(violations_are_epsilon_times_the_multipliers),
        cmocka_unit_test(it_says_where_it_loses_its_way),
    };
    return cmocka_run_group_tests_name("park_chiou", tests, NULL, NULL);
}
