// SPDX-License-Identifier: MIT
// Stiffness is found where stability limits the steps, at rest and in motion, and nowhere else.

#include "alarms_case.h"

// Belt friction over 1e-6 m/s sticks: -4/V0 is an eigenvalue of -4e6 1/s. Over 0.1 m/s there is
// nothing stiff, however many steps there are.
static void stiffness_is_found_where_it_is(void **state) {
    static const char *const integrators[] = {"dop853", "dopri5"};
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

// A controller with an eigenvalue of -3e4 1/s makes an arm follow a sine.
static const char following[] =
    "local m = model {}\n"
    "local b = m:body { name = 'arm', mass = 1, inertia = 1 / 12, at = { 0.5, 0 } }\n"
    "m:joint { 'revolute', name = 'pin', m.ground, b, point = { 0, 0 } }\n"
    "m:force { name = 'control', b, moment = function(b, t)\n"
    "    return -1e6 * (b.angle - sin(t)) - 1e4 * (b.omega - cos(t)) end }\n"
    "m:simulate { duration = 0.6 }\n"
    "return m\n";

static void stiffness_is_found_in_motion(void **state) {
    static const char *const integrators[] = {"dop853", "dopri5"};
    Case                     c = case_of_text(following);
    for (int i = 0; i < 2; i++) {
        trSimDef def = c.def;
        trSim   *sim = NULL;
        def.integrator = integrators[i];
        require(tr_sim_create(c.system, &def, &sim));
        require(tr_sim_run(sim, NULL, NULL));
        if (!warns(sim, "the equations are stiff")) {
            fail_msg("%s: %.0f steps", integrators[i], (double)tr_sim_stats(sim).steps);
        }
        tr_sim_destroy(sim);
    }
    case_free(&c);
}

// A car that comes to rest after 2 s ends with steps that stability limits, 42 ms long. In 10 s
// cvode needs as many evaluations as dopri5, with a matrix besides, and advice to take it would be
// wrong. In 200 s it needs a third. A stiff suspension is stiff from the start.
static void steps_at_rest_do_not_make_a_run_stiff(void **state) {
    static const struct {
        const char *file, *integrator;
        double      duration;  // 0: of the file
        bool        stiff;
    } runs[] = {
        {"benchmark/iltis.lua", "dopri5", 10.0, false},
        {"benchmark/iltis.lua", "dopri5", 200.0, true},
        {"guide/suspension.lua", "dopri5", 0.0, true},
        {"guide/suspension.lua", "dop853", 0.0, true},
        {"benchmark/bicycle.lua", "dop853", 60.0, false},
        {"benchmark/heavy_top.lua", "dop853", 5.0, false},
        {"guide/top.lua", "dop853", 5.0, false},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/models/%s", SOURCE_DIR, runs[i].file);
        Case     c = case_of_file(path);
        trSim   *sim = NULL;
        trSimDef def = tr_sim_def_default();  // without what belongs to other integrators
        def.integrator = runs[i].integrator;
        def.rtol = c.def.rtol;
        def.atol = c.def.atol;
        def.duration = runs[i].duration > 0.0 ? runs[i].duration : c.def.duration;
        require(tr_sim_create(c.system, &def, &sim));
        require(tr_sim_run(sim, NULL, NULL));
        assert_true(tr_sim_stats(sim).steps > 1000);
        if (warns(sim, "stiff") != runs[i].stiff) {
            fail_msg("%s, %s: %s", runs[i].file, runs[i].integrator,
                     runs[i].stiff ? "no warning" : tr_sim_warning(sim, 0));
        }
        tr_sim_destroy(sim);
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_is_found_where_it_is),
        cmocka_unit_test(stiffness_is_found_in_motion),
        cmocka_unit_test(steps_at_rest_do_not_make_a_run_stiff),
    };
    return cmocka_run_group_tests_name("stiffness", tests, NULL, NULL);
}
