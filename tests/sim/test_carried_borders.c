// SPDX-License-Identifier: MIT
// What is carried in place of velocities has a rate that is found by differences. They must not
// reach across an instant where a function of time changes its formula, nor before the start and
// behind the end of a run, where it need not have a value.

#include "lua/lua_case.h"
#include "support/machines.h"

// Two runs with local errors of 1e-11 (1 + |x|) in some 100 steps, with amounts below 10.
#define SAME 1e-8

static const char *const stages[] = {"phase_space", "liang_lance"};

// The rows of A depend on time: their direction turns by `turn`, a function of t.
static Machine blade(const char *turn) {
    char text[1024];
    snprintf(text, sizeof text,
             "local s = system { coordinates = { 'x', 'y', 'z' } }\n"
             "s:mass(function(q) return { 1 + q.x ^ 2 / 3, 2, 1 } end)\n"
             "s:force(function(q) return { 1, -3, -q.z } end)\n"
             "s:nonholonomic { name = 'blade', psi = function(q, v, t)\n"
             "    local w = q.z + %s\n"
             "    return v.x * sin(w) - v.y * cos(w) + v.z / 5 end }\n"
             "s:start { v = { x = 1 } } return s",
             turn);
    Machine machine = {.model = model_of(text, NULL)};
    machine_build(&machine);
    return machine;
}

static trSim *run(const Machine *machine, const char *stage, const char *integrator) {
    trSimDef def = tr_sim_def_default();
    def.stage_projection = stage;
    def.step_projection = stage != NULL ? "none" : NULL;
    def.integrator = integrator;
    def.step = integrator != NULL ? 1e-3 : 0.0;
    def.duration = 0.6;
    def.rtol = def.atol = 1e-11;
    trSim *sim = machine_sim(machine, &def);
    if (tr_sim_run(sim, NULL, NULL) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return sim;
}

static void compare(const char *turn) {
    Machine machine = blade(turn);
    trSim  *expected = run(&machine, NULL, NULL);
    for (size_t i = 0; i < 2; i++) {
        for (int fixed = 0; fixed < 2; fixed++) {
            trSim *sim = run(&machine, stages[i], fixed ? "rk4" : NULL);
            double most = 0.0;
            for (int k = 0; k < 6; k++) {
                most = fmax(most, fabs(sim->x[k] - expected->x[k]));
            }
            print_message("  %s, %s, %s: %.1e\n", turn, stages[i], fixed ? "rk4" : "dop853", most);
            assert_true(most <= SAME);
            tr_sim_destroy(sim);
        }
    }
    tr_sim_destroy(expected);
    machine_free(&machine);
}

static void a_formula_that_changes_does_not_enter_before(void **state) {
    compare("where(less(t, 0.3), 0, 10 * (t - 0.3))");
    compare("where(less(t, 0.3), 0, where(less(t, 0.3002), 10 * (t - 0.3), 0.002))");
}

static void a_function_is_not_asked_for_times_outside_the_run(void **state) {
    compare("3 * t ^ 2.5");
    compare("3 * (0.6 - t) ^ 2.5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_formula_that_changes_does_not_enter_before),
        cmocka_unit_test(a_function_is_not_asked_for_times_outside_the_run),
    };
    return cmocka_run_group_tests_name("carried, borders", tests, enter_folder, leave_folder);
}
