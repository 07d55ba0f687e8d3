// SPDX-License-Identifier: MIT
// Functions that change their formula: at an instant, where the new one counts however the
// comparison is written, and on the way, where no finite force carries a motion over a jump.

#include "lua/lua_case.h"
#include "support/machines.h"

static const char *const explicit_methods[] = {"rk4", "dopri5", "dop853"};

static Machine machine_of(const char *format, const char *function) {
    char text[1024];
    snprintf(text, sizeof text, format, function);
    Machine machine = {.model = model_of(text, NULL)};
    machine_build(&machine);
    return machine;
}

static trSim *sim_of(const Machine *machine, const char *integrator, double tolerance) {
    trSimDef def = tr_sim_def_default();
    def.integrator = integrator;
    def.step = tr_integrator_find(integrator)->error_order > 0 ? 0.0 : 0.01;
    def.rtol = def.atol = tolerance;
    return machine_sim(machine, &def);
}

// A push of 10 N from t = 0.5 s on: x = 5 (t - 0.5)^2, z = 10 (t - 0.5) at the end.
static void a_switch_is_the_same_in_every_spelling(void **state) {
    static const char *const spelled[] = {
        "where(less(t, 0.5), 0, 10)", "where(greater(t, 0.5), 10, 0)",
        "where(less(0.5, t), 10, 0)", "where(greater(0.5, t), 0, 10)",
        "5 + 5 * sign(t - 0.5)",
    };
    static const char *const integrators[] = {"rk4", "dopri5", "dop853", "generalized_alpha"};
    for (int k = 0; k < 5; k++) {
        Machine machine = machine_of("local s = system { coordinates = { 'x' } }\n"
                                     "s:mass(function() return 1 end)\n"
                                     "s:force(function(q, v, t) return %s end) return s",
                                     spelled[k]);
        for (int i = 0; i < 4; i++) {
            trSim *sim = sim_of(&machine, integrators[i], 1e-8);
            assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
            // Polynomials of second degree: every method is exact, but for rounding.
            if (fabs(tr_sim_q(sim)[0] - 1.25) > 1e-12 || fabs(tr_sim_v(sim)[0] - 5.0) > 1e-12) {
                fail_msg("%s with %s: x = %.15g, v = %.15g", spelled[k], integrators[i],
                         tr_sim_q(sim)[0], tr_sim_v(sim)[0]);
            }
            tr_sim_destroy(sim);
        }
        machine_free(&machine);
    }
}

static void rates_of_states_switch_too(void **state) {
    Machine machine = machine_of("local s = system { coordinates = { 'x' } }\n"
                                 "s:mass(function() return 1 end)\n"
                                 "s:state { 'z', rate = function(q, v, t) return %s end } return s",
                                 "where(greater(t, 0.5), 10, 0)");
    trSim  *sim = sim_of(&machine, "rk4", 1e-8);
    assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
    assert_true(fabs(tr_sim_z(sim)[0] - 5.0) <= 1e-12);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

#define TRACK                                                                     \
    "local s = system { coordinates = { 'x', 'z' } }\n"                           \
    "s:mass(function() return { 1, 1 } end)\n"                                    \
    "s:force(function() return { 0, -9.81 } end)\n"                               \
    "local f = piecewise { { -math.huge, { 0 } }, { 0.5, { 0.2 } } }\n"           \
    "s:constraint { name = 'track', phi = function(q, t) return q.z - %s end }\n" \
    "s:start { v = { x = 1 } } return s"

// A track that jumps, moves up at once or turns upward sharply.
static void a_constraint_that_jumps_ends_the_run_by_name(void **state) {
    static const char *const functions[] = {
        "f(q.x)",
        "where(less(q.x, 0.5), 0, 0.2)",
        "where(less(q.x, 0.5), 0, q.x - 0.5)",
        "max(0, q.x - 0.5)",
    };
    static const double tolerances[] = {1e-3, 1e-8};
    for (int k = 0; k < 4; k++) {
        Machine machine = machine_of(TRACK, functions[k]);
        for (int i = 0; i < 6; i++) {
            trSim *sim = sim_of(&machine, explicit_methods[i % 3], tolerances[i / 3]);
            if (tr_sim_run_to(sim, 1.0) != TR_E_SIMULATION) {
                fail_msg("%s went unnoticed by %s", functions[k], explicit_methods[i % 3]);
            }
            assert_non_null(strstr(tr_last_error(), "model.lua:5: constraint 'track': "));
            assert_non_null(strstr(tr_last_error(), "would have to jump at t = 0."));
            assert_true(fabs(tr_sim_time(sim) - 0.5) <= 0.011);
            tr_sim_destroy(sim);
        }
        machine_free(&machine);
    }
}

// Moving constraints: jumps of phi and of its rate at an instant, in every spelling.
static void a_moving_constraint_that_jumps_is_refused(void **state) {
    static const char *const functions[] = {
        "where(greater(t, 0.5), 0.2, 0)",
        "where(less(t, 0.5), 0, 0.2)",
        "max(0, t - 0.5)",
        "max(t - 0.5, 0)",
        "min(t, 0.5)",
        "abs(t - 0.5)",
    };
    for (int k = 0; k < 6; k++) {
        Machine machine = machine_of(TRACK, functions[k]);
        for (int i = 0; i < 3; i++) {
            trSim *sim = sim_of(&machine, explicit_methods[i], 1e-8);
            if (tr_sim_run_to(sim, 1.0) != TR_E_MODEL) {
                fail_msg("%s went unnoticed by %s", functions[k], explicit_methods[i]);
            }
            assert_non_null(strstr(tr_last_error(), "jumps by "));
            tr_sim_destroy(sim);
        }
        machine_free(&machine);
    }
}

// Corners that are rounded pass.
static void what_bends_smoothly_passes(void **state) {
    Machine machine =
        machine_of(TRACK, "where(less(q.x, 0.5), 0, 20 * (q.x - 0.5) ^ 3 / (1 + (q.x - 0.5) ^ 2))");
    for (int i = 0; i < 3; i++) {
        trSim *sim = sim_of(&machine, explicit_methods[i], 1e-8);
        assert_int_equal(tr_sim_run_to(sim, 0.7), TR_OK);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_switch_is_the_same_in_every_spelling),
        cmocka_unit_test(rates_of_states_switch_too),
        cmocka_unit_test(a_constraint_that_jumps_ends_the_run_by_name),
        cmocka_unit_test(a_moving_constraint_that_jumps_is_refused),
        cmocka_unit_test(what_bends_smoothly_passes),
    };
    return cmocka_run_group_tests_name("jumps", tests, enter_folder, leave_folder);
}
