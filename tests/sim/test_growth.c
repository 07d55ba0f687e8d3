// SPDX-License-Identifier: MIT
// Motion that runs away is named with every integrator, with its cause; motion that only becomes
// fast is not.

#include "assembly_case.h"

// A controller of an arm whose integral part has the wrong sign. The integrator is a body.
static const char controller[] =
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local arm = m:body { name = 'arm', mass = 1, inertia = 1/12, at = { 0.5, 0 } }\n"
    "local int = m:body { name = 'int', mass = 1, inertia = 1, velocity = { 1, 0 } }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, arm, point = { 0, 0 } }\n"
    "m:joint { 'prismatic', name = 'g', m.ground, int, axis = { 1, 0 } }\n"
    "m:nonholonomic { name = 'error', arm, int, psi = function(a, i, t)\n"
    "    return i.vx - (1 - a.angle) end }\n"
    "m:force { name = 'control', arm, int, moment = function(b, i, t)\n"
    "    return 60 * (1 - b.angle) + 80 * i.x - 8 * b.omega end }\n"
    "m:simulate { duration = 6, max_steps = 120000 }\n"
    "return m\n";

// Energy comes in bursts, twice in a period.
static const char oscillator[] =
    "local m = model {}\n"
    "local b = m:body { name = 'arm', mass = 1, inertia = 1, angular_velocity = 1 }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b }\n"
    "m:force { name = 'control', b, moment = function(b, t)\n"
    "    return 3 * b.omega - 100 * b.angle end }\n"
    "m:simulate { duration = 5.5, step = 1e-3 }\n"
    "return m\n";

// With steps of 1 ms h omega is 2.9: the limit of rk4 is 2.83.
static const char stiff[] =
    "local m = model {}\n"
    "local b = m:body { name = 'arm', mass = 1, inertia = 1, angular_velocity = 1 }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b }\n"
    "m:force { 'torsion_spring', name = 's', m.ground, b, stiffness = 8.41e6 }\n"
    "m:simulate { duration = 0.15, step = 1e-3, integrator = 'rk4' }\n"
    "return m\n";

// A controller drives an arm away from its goal. Once the arm turns by a radian and more in a step,
// errors of rk4 are as large as the energy that came in before.
static const char away[] =
    "local m = model {}\n"
    "local b = m:body { name = 'arm', mass = 1, inertia = 1 / 12, at = { 0.5, 0 } }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b, point = { 0, 0 } }\n"
    "m:force { name = 'control', b, moment = function(b, t)\n"
    "    return -60 * (1 - b.angle) - 8 * b.omega end }\n"
    "m:simulate { duration = 1.1, step = 1e-3, integrator = 'rk4' }\n"
    "return m\n";

static const char *const harmless[] = {
    // A rotor that hardly moves is spun up to 2000 rad/s after a second, by a jump and by a ramp.
    "local m = model {}\n"
    "local b = m:body { name = 'b', mass = 1, inertia = 1, angular_velocity = 1e-6 }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b }\n"
    "m:force { 'torque', name = 'motor', m.ground, b, moment = function(t)\n"
    "    return where(less(1, t), 2000, 0) end }\n"
    "m:simulate { duration = 2 }\n"
    "return m\n",
    "local m = model {}\n"
    "local b = m:body { name = 'b', mass = 1, inertia = 1, angular_velocity = 1 }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b }\n"
    "m:force { 'torque', name = 'motor', m.ground, b, moment = function(t)\n"
    "    return where(less(1, t), 4e5 * (t - 1), 0) end }\n"
    "m:simulate { duration = 1.1 }\n"
    "return m\n",
    // A stone falls for 1000 s.
    "local m = model { gravity = { 0, -9.81 } }\n"
    "local b = m:body { name = 'b', mass = 1, inertia = 1 }\n"
    "m:simulate { duration = 1000 }\n"
    "return m\n",
    // A comet falls to 2e-6 of its distance and comes back.
    "local m = model {}\n"
    "local b = m:body { name = 'b', mass = 1, inertia = 1, at = { 1, 0 }, velocity = { 0, 0.02 } "
    "}\n"
    "m:force { name = 'g', b, force = function(b, t)\n"
    "    local r = sqrt(b.x^2 + b.y^2)\n"
    "    return { -100 * b.x / r^3, -100 * b.y / r^3 } end }\n"
    "m:simulate { duration = 0.2 }\n"
    "return m\n",
    // An inverted pendulum of 1000 mm leaves its unstable equilibrium exponentially, and swings.
    "local s = system { coordinates = { 'a', 'u' } }\n"
    "s:mass(function(q, t, p) return { 1, 1 } end)\n"
    "s:force(function(q, v, t, p) return { a = 9.81 * sin(q.a), u = 9810 * sin(q.a) } end)\n"
    "s:start { a = 1e-6 }\n"
    "s:simulate { duration = 20 }\n"
    "return s\n",
};

static bool warns(const trSim *sim, const char *part) {
    for (int i = 0; i < tr_sim_warnings(sim); i++) {
        if (strstr(tr_sim_warning(sim, i), part) != NULL) {
            return true;
        }
    }
    return false;
}

// Newmark's method with index 3 is weakly unstable by itself, which is reported first.
static trSim *sim_with(const Case *c, const char *integrator, double step) {
    trSimDef def = c->def;
    trSim   *sim = NULL;
    def.integrator = integrator;
    def.form = strcmp(integrator, "newmark") == 0 ? "ggl" : NULL;
    if (tr_sim_create(c->system, &def, &sim) != TR_OK) {
        def.step = step;
        require(tr_sim_create(c->system, &def, &sim));
    }
    return sim;
}

static const char words[] = "body 'arm' grows without bounds (";
static const char physical[] = "look for a force with a wrong sign or a negative damping";

// All of them fail, by different trouble: the number of steps, steps that vanish, Newton's method,
// projections.
static void every_integrator_names_a_wrong_sign(void **state) {
    Case c = case_of_text(controller);
    for (int i = 0; i < tr_integrator_count(); i++) {
        const char *name = tr_integrator_at(i)->name;
        trSim      *sim = sim_with(&c, name, 1e-4);
        trStatus    status = tr_sim_run(sim, NULL, NULL);
        const char *said = tr_last_error();
        if (status != TR_E_SIMULATION || strstr(said, words) == NULL ||
            strstr(said, physical) == NULL || !warns(sim, words)) {
            fail_msg("%s: %s", name, said);
        }
        assert_null(strstr(said, "look at joint"));
        tr_sim_destroy(sim);
    }
    case_free(&c);
}

// These come to the end of the run.
static void growth_in_bursts_is_a_warning(void **state) {
    Case c = case_of_text(oscillator);
    for (int i = 0; i < tr_integrator_count(); i++) {
        const char *name = tr_integrator_at(i)->name;
        trSim      *sim = sim_with(&c, name, 1e-3);
        require(tr_sim_run(sim, NULL, NULL));
        if (!warns(sim, words) || !warns(sim, physical)) {
            fail_msg("%s does not warn", name);
        }
        tr_sim_destroy(sim);
    }
    case_free(&c);
}

static void a_step_that_is_too_long_is_the_cause(void **state) {
    Case   c = case_of_text(stiff);
    trSim *sim = NULL;
    require(tr_sim_create(c.system, &c.def, &sim));
    require(tr_sim_run(sim, NULL, NULL));
    assert_true(warns(sim, words) && warns(sim, "no force supplies it, but the step of 0.001 s"));
    assert_false(warns(sim, physical));
    tr_sim_destroy(sim);
    case_free(&c);
}

static void a_force_is_the_cause_though_steps_are_too_long_in_the_end(void **state) {
    Case   c = case_of_text(away);
    trSim *sim = NULL;
    require(tr_sim_create(c.system, &c.def, &sim));
    require(tr_sim_run(sim, NULL, NULL));
    assert_true(warns(sim, words) && warns(sim, physical));
    tr_sim_destroy(sim);
    case_free(&c);
}

static void motion_that_becomes_fast_is_no_runaway(void **state) {
    static const char *const integrators[] = {"dop853", "radau5", "dopri5"};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        Case c = case_of_text(harmless[i]);
        for (int k = 0; k < 3; k++) {
            trSimDef def = c.def;
            trSim   *sim = NULL;
            def.integrator = integrators[k];
            require(tr_sim_create(c.system, &def, &sim));
            require(tr_sim_run(sim, NULL, NULL));
            if (tr_sim_warnings(sim) > 0) {
                fail_msg("%zu, %s: %s", i, integrators[k], tr_sim_warning(sim, 0));
            }
            tr_sim_destroy(sim);
        }
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_integrator_names_a_wrong_sign),
        cmocka_unit_test(growth_in_bursts_is_a_warning),
        cmocka_unit_test(a_step_that_is_too_long_is_the_cause),
        cmocka_unit_test(a_force_is_the_cause_though_steps_are_too_long_in_the_end),
        cmocka_unit_test(motion_that_becomes_fast_is_no_runaway),
    };
    return cmocka_run_group_tests_name("growth", tests, NULL, NULL);
}
