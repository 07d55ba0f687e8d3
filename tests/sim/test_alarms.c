// SPDX-License-Identifier: MIT
// Runs that go wrong without an error: too many steps, energy that grows, stiffness, a start that
// was moved far. And none of these alarms where nothing is wrong.

#include "assembly_case.h"

static const char friction[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local b = m:body { name = 'block', mass = 1, inertia = 1 }\n"
    "m:joint { 'prismatic', name = 'table', m.ground, b, axis = { 1, 0 } }\n"
    "m:force { 'spring', name = 's', m.ground, b, world1 = { -1, 0 }, world2 = { 0, 0 },\n"
    "          stiffness = 50 }\n"
    "m:force { name = 'fric', b, force = function(b, t)\n"
    "    return { -4 * tanh((b.vx - 0.1) / V0), 0 } end }\n"
    "m:simulate { duration = 0.05 }\n"
    "return m\n";

static const char runaway[] =
    "local m = model { gravity = { 0, 0 } }\n"
    "local b = m:body { name = 'arm', mass = 1, inertia = 1, angular_velocity = 1 }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b }\n"
    "m:force { name = 'control', b, moment = function(b, t) return 30 * b.omega end }\n"
    "m:simulate { duration = 10, max_steps = 60 }\n"
    "return m\n";

static const char off[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local b = m:body { name = 'rod', mass = 1, inertia = 1, at = { 1, SHIFT } }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b, point1 = { 0, 0 }, point2 = { -1, 0 } }\n"
    "m:simulate { duration = 0.1 }\n"
    "return m\n";

// The text with `word` replaced by a number of the same length at most.
static Case with(const char *text, const char *word, const char *number) {
    static char made[1024];
    const char *at = strstr(text, word);
    assert_non_null(at);
    snprintf(made, sizeof made, "%.*s%s%s", (int)(at - text), text, number, at + strlen(word));
    return case_of_text(made);
}

static bool warns(const trSim *sim, const char *part) {
    for (int i = 0; i < tr_sim_warnings(sim); i++) {
        if (strstr(tr_sim_warning(sim, i), part) != NULL) {
            return true;
        }
    }
    return false;
}

static void a_run_ends_after_max_steps(void **state) {
    (void)state;
    Case   c = case_of_text(runaway);
    trSim *sim = NULL;
    require(tr_sim_create(c.system, &c.def, &sim));
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
    trSimStats stats = tr_sim_stats(sim);
    assert_int_equal(stats.steps + stats.rejected, 60);
    assert_non_null(strstr(tr_last_error(), "max_steps"));
    assert_non_null(strstr(tr_last_error(), "body 'arm' runs away"));
    assert_true(warns(sim, "body 'arm' runs away"));
    tr_sim_destroy(sim);
    case_free(&c);
}

// 0: no limit. A run_to has a limit of its own. The default does not limit fixed steps.
static void the_limit_counts_what_it_should(void **state) {
    (void)state;
    Case   c = with(off, "SHIFT", "0");
    trSim *sim = NULL;
    c.def.max_step = 1e-3;  // 100 steps
    c.def.max_steps = 0.0;
    require(tr_sim_create(c.system, &c.def, &sim));
    require(tr_sim_run(sim, NULL, NULL));
    tr_sim_destroy(sim);
    c.def.max_steps = 80.0;
    require(tr_sim_create(c.system, &c.def, &sim));
    require(tr_sim_run_to(sim, 0.06));
    require(tr_sim_run_to(sim, 0.12));
    assert_int_equal(tr_sim_run_to(sim, 0.3), TR_E_SIMULATION);
    assert_int_equal(tr_sim_warnings(sim), 0);
    tr_sim_destroy(sim);
    c.def.max_steps = -1.0;
    assert_int_equal(tr_sim_create(c.system, &c.def, &sim), TR_E_ARGUMENT);
    case_free(&c);
}

// Belt friction over 1e-6 m/s sticks: -4/V0 is an eigenvalue of -4e6 1/s. Over 0.1 m/s there is
// nothing stiff, however many steps there are.
static void stiffness_is_found_where_it_is(void **state) {
    static const char *const integrators[] = {"dop853", "dopri5"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        Case   c = with(friction, "V0", i < 2 ? "1e-6" : "0.1");
        trSim *sim = NULL;
        c.def.integrator = integrators[i % 2];
        c.def.max_step = i < 2 ? 0.0 : 2e-5;
        require(tr_sim_create(c.system, &c.def, &sim));
        require(tr_sim_run(sim, NULL, NULL));
        trSimStats stats = tr_sim_stats(sim);
        assert_true(stats.steps > 1000);
        assert_true(stats.stiff == (i < 2) && warns(sim, "stiff") == (i < 2));
        assert_true((stats.stiff_integrator != NULL) == (i < 2));
        if (i < 2) {  // what is recommended runs, with few steps
            trSim *other = NULL;
            c.def.integrator = stats.stiff_integrator;
            require(tr_sim_create(c.system, &c.def, &other));
            require(tr_sim_run(other, NULL, NULL));
            assert_true(tr_sim_stats(other).steps < stats.steps / 4);
            tr_sim_destroy(other);
        }
        tr_sim_destroy(sim);
        case_free(&c);
    }
}

static void a_start_that_was_moved_far_is_a_warning(void **state) {
    static const char *const shifts[] = {"0.05", "0.001"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        Case   c = with(off, "SHIFT", shifts[i]);
        trSim *sim = NULL;
        require(tr_sim_create(c.system, &c.def, &sim));
        assert_true(tr_sim_stats(sim).assembly_position.value > 0.0);
        assert_true(warns(sim, "'rod' was moved by") == (i == 0));
        tr_sim_destroy(sim);
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ends_after_max_steps),
        cmocka_unit_test(the_limit_counts_what_it_should),
        cmocka_unit_test(stiffness_is_found_where_it_is),
        cmocka_unit_test(a_start_that_was_moved_far_is_a_warning),
    };
    return cmocka_run_group_tests_name("alarms", tests, NULL, NULL);
}
