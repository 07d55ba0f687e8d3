// SPDX-License-Identifier: MIT
// Runs that go wrong without an error: too many steps, energy that grows, stiffness, a start that
// was moved far, forces that end in a pose. And none of these alarms where nothing is wrong.

#include "alarms_case.h"
#include "support/options.h"

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

// A body flies at the other end of a spring, or past it.
static const char thrown[] =
    "local miss, length = GIVEN\n"
    "local m = model {}\n"
    "local b = m:body { name = 'ball', mass = 1, inertia = 1, at = { 1, miss },\n"
    "                   velocity = { -20, 0 } }\n"
    "m:force { 'spring', name = 's', m.ground, b, stiffness = 100, length = length }\n"
    "m:simulate { duration = 0.1, step = 1e-3 }\n"
    "return m\n";

static const char thrown3[] =
    "local miss, length = GIVEN\n"
    "local m = model { dim = 3 }\n"
    "local b = m:body { name = 'ball', mass = 1, inertia = { 1, 1, 1 }, at = { 0, miss, 1 },\n"
    "                   velocity = { 0, 0, -20 } }\n"
    "m:force { 'spring', name = 's', m.ground, b, stiffness = 100, length = length }\n"
    "m:simulate { duration = 0.1, step = 1e-3 }\n"
    "return m\n";

// A bushing about the axis of which a body turns by more than a full turn.
static const char wound[] =
    "local m = model { dim = 3 }\n"
    "local b = m:body { name = 'b', mass = 1, inertia = { 1, 1, 1 },\n"
    "                   angular_velocity = { 0, 0, 40 } }\n"
    "m:force { 'bushing', name = 's', m.ground, b, stiffness = { 3, 4, 5, 1, 2, 3 } }\n"
    "m:simulate { duration = 0.3, step = 1e-3 }\n"
    "return m\n";

// Two ends of a spring turn about each other, half a turn in each step.
static const char turning[] =
    "local m = model {}\n"
    "local b = m:body { name = 'b', mass = 1, inertia = 1, at = { 1, 0 } }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b, point = { 0, 0 } }\n"
    "m:joint { 'driven_angle', name = 'motor', m.ground, b,\n"
    "          angle = function(t) return 31.41592653589793 * t end }\n"
    "m:force { 'spring', name = 's', m.ground, b, stiffness = 100, length = 0.5 }\n"
    "m:simulate { duration = 1, step = 0.1, integrator = 'rk4' }\n"
    "return m\n";

static void a_run_ends_after_max_steps(void **state) {
    Case   c = case_of_text(runaway);
    trSim *sim = NULL;
    require(tr_sim_create(c.system, &c.def, &sim));
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
    trSimStats stats = tr_sim_stats(sim);
    assert_int_equal(stats.steps + stats.rejected, 60);
    assert_non_null(strstr(tr_last_error(), "max_steps"));
    assert_non_null(strstr(tr_last_error(), "body 'arm' grows without bounds"));
    assert_true(warns(sim, "body 'arm' grows without bounds"));
    tr_sim_destroy(sim);
    c.def.max_steps = 6.0;  // growth cannot be seen yet
    require(tr_sim_create(c.system, &c.def, &sim));
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
    assert_non_null(strstr(tr_last_error(), "fast motion that is not meant (body 'arm': "));
    tr_sim_destroy(sim);
    case_free(&c);
}

// The weight of 9.81 N on a penalty of 1 N/m opens the pin by far more than the model, on 1e4 N/m
// by a millimeter.
static void joints_that_stay_open_are_named(void **state) {
    for (int i = 0; i < 2; i++) {
        Case   c = with(off, "SHIFT", "0");
        trSim *sim = NULL;
        c.def.method = "penalty";
        set_number(&c.def, "penalty", i == 0 ? 1.0 : 1e6);
        c.def.duration = 1.0;
        require(tr_sim_create(c.system, &c.def, &sim));
        require(tr_sim_run(sim, NULL, NULL));
        assert_true(warns(sim, "joint 'pin' is open by up to ") == (i == 0));
        assert_true(warns(sim, "penalty does not correct positions enough") == (i == 0));
        tr_sim_destroy(sim);
        case_free(&c);
    }
}

// A crank that turns on and on. Where nothing holds its joints they come open, the mechanism meets
// poses that it does not have, and in the end no step is possible: neither pose nor step is to
// blame.
static const char four_bar[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = 0.1, at = { 0, 0.5 }, angle = math.pi / "
    "2,\n"
    "                   angular_velocity = 6 }\n"
    "local b = m:body { name = 'b', mass = 2, inertia = 0.5, at = { 1, 1.25 } }\n"
    "local c = m:body { name = 'c', mass = 1, inertia = 0.3, at = { 2.25, 0.75 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'B', a, b, point = { 0, 1 } }\n"
    "m:joint { 'revolute', name = 'C', b, c, point = { 2, 1.5 } }\n"
    "m:joint { 'revolute', name = 'D', c, m.ground, point = { 2.5, 0 } }\n"
    "m:simulate { duration = 60, step = 0.05, rtol = 1e-2, atol = 1e-2 }\n"
    "return m\n";

static void drift_explains_why_no_step_is_possible(void **state) {
    static const char *const methods[] = {"lagrange", "nullspace", "udwadia_kalaba"};
    for (int i = 0; i < 6; i++) {
        Case   c = case_of_text(four_bar);
        trSim *sim = NULL;
        c.def.method = methods[i % 3];
        c.def.integrator = i < 3 ? "dop853" : "rk4";
        require(tr_sim_create(c.system, &c.def, &sim));
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
        assert_non_null(strstr(tr_last_error(), " does not correct positions enough: use "));
        assert_null(strstr(tr_last_error(), "depends on the other"));
        assert_null(strstr(tr_last_error(), "is too large"));
        tr_sim_destroy(sim);
        case_free(&c);
    }
}

// Steps that are small beside the duration, but all alike, did not collapse.
static void a_long_duration_is_no_collapse(void **state) {
    Case   c = with(off, "SHIFT", "0");
    trSim *sim = NULL;
    c.def.duration = 1e9;
    c.def.max_steps = 5000.0;
    require(tr_sim_create(c.system, &c.def, &sim));
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
    assert_null(strstr(tr_last_error(), "collapsed"));
    assert_int_equal(tr_sim_warnings(sim), 0);
    tr_sim_destroy(sim);
    case_free(&c);
}

// 0: no limit. A run_to has a limit of its own. The default does not limit fixed steps.
static void the_limit_counts_what_it_should(void **state) {
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

// A disk with friction at its pin, as steep.
static const char braked[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local b = m:body { name = 'block', mass = 1, inertia = 1, com = { 0.1, 0 } }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b, point = { 0, 0 } }\n"
    "m:force { 'torsion_spring', name = 's', m.ground, b, stiffness = 50 }\n"
    "m:force { name = 'fric', b, moment = function(b, t)\n"
    "    return -4 * tanh((b.omega - 0.1) / V0) end }\n"
    "m:simulate { duration = 0.05 }\n"
    "return m\n";

// Not that a joint cannot be closed: nothing is open. What is recommended runs.
static void a_force_too_steep_for_a_fixed_step_is_named(void **state) {
    static const char *const methods[] = {"generalized_alpha", "hht", "newmark", "park_chiou"};
    for (int i = 0; i < 8; i++) {
        Case     c = with(i < 4 ? friction : braked, "V0", "1e-5");
        trSimDef def = c.def;
        trSim   *sim = NULL;
        def.method = methods[i % 4];
        def.step = 1e-3;
        require(tr_sim_create(c.system, &def, &sim));
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
        assert_null(strstr(tr_last_error(), "joint '"));
        assert_non_null(strstr(tr_last_error(), "take a smaller step"));
        assert_non_null(strstr(tr_last_error(), "or radau5, which chooses its steps"));
        assert_non_null(strstr(tr_last_error(),
                               "body 'block' changes its acceleration most: look for a steep"));
        tr_sim_destroy(sim);
        c.def.integrator = "radau5";
        require(tr_sim_create(c.system, &c.def, &sim));
        require(tr_sim_run(sim, NULL, NULL));
        tr_sim_destroy(sim);
        case_free(&c);
    }
}

static void a_start_that_was_moved_far_is_a_warning(void **state) {
    static const char *const shifts[] = {"0.05", "0.001"};
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

// With every integrator, whether it steps over the place or comes to rest in it.
static void every_integrator_names(const Case *c, const char *words) {
    for (int i = 0; i < tr_integrator_count(); i++) {
        trSim   *sim = NULL;
        trSimDef def = c->def;
        def.integrator = tr_integrator_at(i)->name;
        require(tr_sim_create(c->system, &def, &sim));
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
        if (strstr(tr_last_error(), words) == NULL) {
            fail_msg("%s: %s", def.integrator, tr_last_error());
        }
        tr_sim_destroy(sim);
    }
}

static void forces_that_end_in_a_pose_are_named(void **state) {
    Case cases[] = {with(thrown, "GIVEN", "0, 0.5"), with(thrown3, "GIVEN", "0, 0.5"),
                    case_of_text(wound)};
    for (int i = 0; i < 3; i++) {
        every_integrator_names(&cases[i],
                               i < 2 ? "force 's': its ends" : "turned against body 1 by a full");
        case_free(&cases[i]);
    }
}

static void ends_of_a_spring_that_do_not_meet_are_not(void **state) {
    Case cases[] = {with(thrown, "GIVEN", "0.1, 0.5"), with(thrown, "GIVEN", "0, 0"),
                    with(thrown3, "GIVEN", "0.1, 0.5"), with(thrown3, "GIVEN", "0, 0"),
                    case_of_text(turning)};
    for (int i = 0; i < 5; i++) {
        trSim *sim = NULL;
        require(tr_sim_create(cases[i].system, &cases[i].def, &sim));
        require(tr_sim_run(sim, NULL, NULL));
        tr_sim_destroy(sim);
        case_free(&cases[i]);
    }
}

// A method of index 3 with little or no damping lets multipliers swing, ever more, until they spoil
// the motion. Whether the run then ends depends on rounding.
typedef struct Swing {
    const char *model, *integrator, *form;
    double      rho, step, duration;  // rho < 0: the default
    bool        swings;
} Swing;

static const Swing swing_cases[] = {
    {"four_bar.lua", "generalized_alpha", "index3", 1.0, 1e-2, 10.0, true},  // fails at 4 s
    {"four_bar.lua", "generalized_alpha", "index3", 0.99, 5e-3, 8.0, true},
    {"four_bar.lua", "hht", "index3", 1.0, 1e-2, 4.0, true},
    {"sphere_friction.lua", "newmark", "index3", -1.0, 1e-2, 2.0, true},
    {"bead_on_hoop.lua", "newmark", "index3", -1.0, 5e-3, 0.3, true},
    {"four_bar.lua", "generalized_alpha", "index3", -1.0, 5e-3, 10.0, false},
    {"four_bar.lua", "hht", "index3", -1.0, 5e-3, 10.0, false},
    {"four_bar.lua", "newmark", "ggl", -1.0, 5e-3, 10.0, false},
    {"sphere_friction.lua", "generalized_alpha", "index3", -1.0, 5e-3, 2.0, false},
    {"bead_on_hoop.lua", "hht", "index3", -1.0, 5e-3, 0.3, false},
};

static void multipliers_that_swing_are_named(void **state) {
    for (size_t i = 0; i < sizeof swing_cases / sizeof *swing_cases; i++) {
        const Swing *given = &swing_cases[i];
        char         path[512];
        snprintf(path, sizeof path, "%s/models/benchmark/%s", SOURCE_DIR, given->model);
        Case   c = case_of_file(path);
        trSim *sim = NULL;
        c.def = tr_sim_def_default();
        c.def.integrator = given->integrator;
        c.def.form = given->form;
        c.def.step = given->step;
        c.def.duration = given->duration;
        if (given->rho >= 0.0) {
            set_number(&c.def, "rho", given->rho);
        }
        require(tr_sim_create(c.system, &c.def, &sim));
        trStatus    status = tr_sim_run(sim, NULL, NULL);
        const char *said = status != TR_OK ? tr_last_error() : "";
        bool        named = strstr(said, "oscillate from step to step") != NULL;
        if (warns(sim, "a weak instability") != given->swings || named != (status != TR_OK) ||
            (status != TR_OK && !given->swings)) {
            fail_msg("%s, %s: %s", given->model, given->integrator, said);
        }
        assert_true(i > 0 || status == TR_E_SIMULATION);
        assert_true(warns(sim, "makes positions wrong") == (given->swings && given->rho != 0.99));
        tr_sim_destroy(sim);
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ends_after_max_steps),
        cmocka_unit_test(joints_that_stay_open_are_named),
        cmocka_unit_test(drift_explains_why_no_step_is_possible),
        cmocka_unit_test(a_long_duration_is_no_collapse),
        cmocka_unit_test(the_limit_counts_what_it_should),
        cmocka_unit_test(a_force_too_steep_for_a_fixed_step_is_named),
        cmocka_unit_test(a_start_that_was_moved_far_is_a_warning),
        cmocka_unit_test(forces_that_end_in_a_pose_are_named),
        cmocka_unit_test(ends_of_a_spring_that_do_not_meet_are_not),
        cmocka_unit_test(multipliers_that_swing_are_named),
    };
    return cmocka_run_group_tests_name("alarms", tests, NULL, NULL);
}
