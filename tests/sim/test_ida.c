// SPDX-License-Identifier: MIT
// ida: errors in proportion to the tolerances, both levels of constraints, redundant and
// nonholonomic rows, bodies without mass, drives and breaks, and clear words where it cannot go on.

#include "sim/own_step.h"
#include "support/allocations.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static trSimDef ida_def(double tolerance, const char *form) {
    trSimDef def = tr_sim_def_default();
    def.integrator = "ida";
    def.form = form;
    def.rtol = def.atol = tolerance;
    return def;
}

static Machine load_benchmark(const char *file) {
    char        path[512];
    const char *none[] = {NULL};
    snprintf(path, sizeof path, BENCHMARK "%s", file);
    return load(path, none);
}

// The state at time t by dop853 with tolerances of 1e-12.
static int exact_at(const Machine *machine, double t, double state[ROOM]) {
    trSimStats stats;
    trSimDef   def = tr_sim_def_default();
    def.rtol = def.atol = 1e-12;
    return state_at(machine, &def, t, &stats, state);
}

// max |x - y| / (1 + |y|), as tolerances are meant.
static double relative_gap(int n, const double *x, const double *y) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]) / (1.0 + fabs(y[i])));
    }
    return most;
}

static void errors_stay_within_100_tolerances(void **state) {
    static const struct {
        const char *file;
        double      t;
    } cases[] = {{"pendulum.lua", 10.0}, {"four_bar.lua", 5.0}, {"heavy_top.lua", 2.0}};
    for (int i = 0; i < COUNT(cases); i++) {
        Machine machine = load_benchmark(cases[i].file);
        double  exact[ROOM], end[ROOM], coarsest = 0.0, error = 0.0;
        int     n = exact_at(&machine, cases[i].t, exact);
        for (int digits = 4; digits <= 9; digits++) {
            double     tolerance = pow(10.0, -digits);
            trSimStats stats;
            trSimDef   def = ida_def(tolerance, "ggl");
            state_at(&machine, &def, cases[i].t, &stats, end);
            error = relative_gap(n, end, exact);
            coarsest = digits == 4 ? error : coarsest;
            if (!(error <= 100.0 * tolerance)) {
                fail_msg("%s: error %.2g with tolerances of %.0g", cases[i].file, error, tolerance);
            }
        }
        assert_true(error <= 1e-3 * coarsest);  // it follows the tolerances, 1e5 apart
        machine_free(&machine);
    }
}

// With the sim's projection both levels are at its rounding. Without it IDA's own states are seen:
// they miss by what Newton's method leaves, a part of the tolerance, also after many steps.
static void both_levels_are_held(void **state) {
    static const char *const files[] = {"four_bar.lua", "heavy_top.lua", "bricard.lua"};
    for (int i = 0; i < COUNT(files); i++) {
        for (int own = 0; own < 2; own++) {
            Machine    machine = load_benchmark(files[i]);
            trSimDef   def = ida_def(1e-7, NULL);
            trSimStats stats;
            double     end[ROOM], most = own == 1 ? 1e-7 : 1e-11;
            def.step_projection = own == 1 ? "none" : NULL;
            state_at(&machine, &def, 1.0, &stats, end);
            if (!(fmax(stats.position.length, stats.position.angle) <= most) ||
                !(fmax(stats.velocity.length, stats.velocity.angle) <= 100.0 * most)) {
                fail_msg("%s: %.2g m, %.2g m/s", files[i], stats.position.length,
                         stats.velocity.length);
            }
            machine_free(&machine);
        }
    }
}

// index1 holds accelerations alone: positions drift, in proportion to the tolerances, and are seen
// to.
static void index1_drifts_and_says_so(void **state) {
    Machine machine = load_benchmark("four_bar.lua");
    double  exact[ROOM], end[ROOM], drift[2];
    int     n = exact_at(&machine, 5.0, exact);
    for (int i = 0; i < 2; i++) {
        trSimStats stats;
        trSimDef   def = ida_def(i == 0 ? 1e-5 : 1e-8, "index1");
        state_at(&machine, &def, 5.0, &stats, end);
        drift[i] = stats.position.length;
        assert_true(relative_gap(n, end, exact) <= 1e3 * def.rtol);
    }
    assert_true(drift[0] > 1e-6 && drift[1] > 1e-9 && drift[1] < 0.1 * drift[0]);
    machine_free(&machine);
}

// Redundant rows, rows of velocities, bodies without mass, drives, functions of time, equations of
// a user's own, friction made from reactions.
static void all_kinds_of_models_end_where_they_should(void **state) {
    static const struct {
        const char *file;
        double      t;
    } cases[] = {{"redundant_parallelogram.lua", 10.0},
                 {"bricard.lua", 10.0},
                 {"knife_edge.lua", 10.0},
                 {"rolling_disk.lua", 5.0},
                 {"four_bar_massless_coupler.lua", 5.0},
                 {"slider_crank_driven.lua", 0.1},
                 {"car_axis.lua", 3.0},
                 {"appell_hamel.lua", 1.0},
                 {"sphere_friction.lua", 2.0}};
    for (int i = 0; i < COUNT(cases); i++) {
        Machine    machine = load_benchmark(cases[i].file);
        double     exact[ROOM], end[ROOM];
        trSimStats stats;
        trSimDef   def = ida_def(1e-6, NULL);
        int        n = exact_at(&machine, cases[i].t, exact);
        state_at(&machine, &def, cases[i].t, &stats, end);
        double error = relative_gap(n, end, exact);
        if (!(error <= 1e-4)) {
            fail_msg("%s: error %.2g", cases[i].file, error);
        }
        // T + V - W, W by BDF as well: of the size of the tolerance times the energy.
        assert_true(stats.energy_drift <= 1e-3 * (1.0 + fabs(stats.energy_start)));
        machine_free(&machine);
    }
}

// Ten four-bars that become flat together, where rows lose their independence: it passes, with an
// error of 1e-4 or the hundred tolerances that are promised, or the run ends by a joint's name.
// Which of the two it is depends on rounding from 1e-5 on; steps of coarser runs are long enough.
static void singular_poses_are_passed_or_refused_by_name(void **state) {
    Machine machine = load_benchmark("n_four_bar.lua");
    double  exact[ROOM * 2];
    int     passed = 0;
    {
        trSimDef def = tr_sim_def_default();
        def.rtol = def.atol = 1e-11;
        def.stage_projection = "masarati";
        def.step_projection = "mass_orthogonal";
        def.min_step = 0.01;
        trSim *sim = machine_sim(&machine, &def);
        run_to(sim, 10.0);
        assert_true(sim->nq + sim->nv <= COUNT(exact));
        memcpy(exact, sim->x, (size_t)(sim->nq + sim->nv) * sizeof *exact);
        tr_sim_destroy(sim);
    }
    static const double digits[] = {3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0};
    for (size_t i = 0; i < COUNT(digits); i++) {
        trSimDef def = ida_def(pow(10.0, -digits[i]), NULL);
        trSim   *sim = machine_sim(&machine, &def);
        if (tr_sim_run_to(sim, 10.0) != TR_OK) {
            const char *words = tr_last_error();
            if (strstr(words, "are about to depend on each other") == NULL &&
                strstr(words, "depends on the other joints") == NULL) {
                fail_msg("%s", words);
            }
        } else {
            double error = relative_gap(sim->nq + sim->nv, sim->x, exact);
            passed++;
            if (!(error <= fmax(1e-4, 100.0 * def.rtol))) {
                fail_msg("%.2g: error %.2g", def.rtol, error);
            }
        }
        tr_sim_destroy(sim);
    }
    assert_true(passed > 0);
    machine_free(&machine);
}

// A torque of 100 N m for 10 ms: steps end where it changes, and history starts anew.
static void history_starts_anew_at_breaks(void **state) {
    Machine machine = machine_new();
    int     a = machine_body(&machine, "a", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, a, NULL);
    machine_force(&machine, "torque", "on", TR_GROUND, a,
                  TR_PARAMS(TR_TIME("moment", machine_switch(&machine, 0.5, 100.0, 0.0))));
    machine_force(&machine, "torque", "off", TR_GROUND, a,
                  TR_PARAMS(TR_TIME("moment", machine_switch(&machine, 0.51, -100.0, 0.0))));
    machine_build(&machine);
    trSimDef def = ida_def(1e-8, NULL);
    trSim   *sim = machine_sim(&machine, &def);
    run_to(sim, 1.0);
    assert_true(fabs(tr_sim_body(sim, a).omega - 1.0) < 1e-7);
    assert_true(fabs(tr_sim_stats(sim).work - 0.5) < 1e-6);  // J omega^2 / 2
    assert_int_equal(tr_sim_stats(sim).rejected, 0);         // a history across a break would fail
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// Rows between steps have the accuracy of the steps, and asking for them changes nothing.
static void rows_inside_steps_are_as_accurate(void **state) {
    const double times[] = {0.1234, 0.4321, 0.5};
    Machine      machine = machine_four_bar(1.0);
    double       exact[ROOM], plain[ROOM];
    trSimStats   stats;
    trSimDef     def = ida_def(1e-8, NULL);
    int          n = state_at(&machine, &def, 0.5, &stats, plain);
    def.duration = 0.5;
    def.times = (trNumbers){3, times};
    trSim      *sim = machine_sim(&machine, &def);
    trRecorder *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
    assert_true(largest_gap(n, sim->x, plain) <= 1e-6);  // steps may end elsewhere
    const double *table = tr_recorder_table(recorder);
    int width = tr_recorder_columns(recorder), column = tr_recorder_find(recorder, "crank.angle");
    for (int i = 0; i < 2; i++) {
        exact_at(&machine, times[i], exact);
        assert_true(fabs(table[i * width + column] - exact[2]) <= 1e-6);
    }
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

static void runs_are_equal_to_the_last_bit(void **state) {
    Machine    machine = load_benchmark("bricard.lua");
    double     end[2][ROOM] = {{0}};
    trSimStats stats;
    trSimDef   def = ida_def(1e-6, NULL);
    for (int i = 0; i < 2; i++) {
        state_at(&machine, &def, 2.0, &stats, end[i]);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
    machine_free(&machine);
}

// Requests of SUNDIALS and KLU are not seen here; the former makes none in steps.
static void steps_ask_for_no_memory(void **state) {
    Machine  machine = load_benchmark("heavy_top.lua");
    trSimDef def = ida_def(1e-6, NULL);
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_step(sim), TR_OK);
    long before = allocations;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(tr_sim_step(sim), TR_OK);
    }
    assert_int_equal(allocations, before);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A ram of 3 m that grows by 1 m/s between (3, 0) m and the tip of a crank of 1 m: at t = 1 s it
// can grow no more.
static void a_limit_of_the_motion_is_named(void **state) {
    Machine machine = machine_new();
    int     crank = machine_body(&machine, "crank",
                                 TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1),
                                           TR_NUM("angle", acos(1.0 / 6.0)), TR_VEC("com", 0.5, 0.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, crank, NULL);
    machine_joint(&machine, "driven_distance", "ram", TR_GROUND, crank,
                  TR_PARAMS(TR_VEC("point1", 3.0, 0.0), TR_VEC("point2", 1.0, 0.0),
                            TR_TIME("length", machine_polynomial(&machine, 3.0, 1.0, 0.0))));
    machine_build(&machine);
    trSimDef def = ida_def(1e-6, NULL);
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run_to(sim, 2.0), TR_E_SIMULATION);
    assert_true(tr_sim_time(sim) > 0.9 && tr_sim_time(sim) < 1.01);
    if (strstr(tr_last_error(), "joint '") == NULL || strstr(tr_last_error(), " s") == NULL) {
        fail_msg("%s", tr_last_error());
    }
    print_message("%s\n", tr_last_error());
    tr_sim_destroy(sim);
    machine_free(&machine);
}

static void what_it_cannot_honor_is_refused(void **state) {
    Machine  machine = machine_four_bar(1.0);
    trSimDef def = ida_def(1e-6, NULL);
    def.min_step = 1e-3;
    machine_refuses(&machine, &def, TR_E_ARGUMENT, "min_step = 0.001 s cannot be combined");
    def = ida_def(1e-6, "index3");
    machine_refuses(&machine, &def, TR_E_ARGUMENT, "has no form 'index3'");
    def = ida_def(1e-6, NULL);
    def.stage_projection = "masarati";
    machine_refuses(&machine, &def, TR_E_ARGUMENT, "'stage_projection' cannot be combined");
    machine_free(&machine);
}

// The method of that name is the integrator with its first form, and its results say so.
static void ggl_is_a_method(void **state) {
    Machine    machine = machine_four_bar(1.0);
    double     end[2][ROOM] = {{0}};
    trSimStats stats;
    trSimDef   def = ida_def(1e-6, NULL);
    int        n = state_at(&machine, &def, 0.5, &stats, end[0]);
    def.integrator = NULL;
    def.method = "ggl";
    state_at(&machine, &def, 0.5, &stats, end[1]);
    assert_memory_equal(end[0], end[1], (size_t)n * sizeof(double));
    trSim *sim = machine_sim(&machine, &def);
    assert_string_equal(sim->def.method, "ggl");
    assert_string_equal(sim->def.form, "ggl");
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stay_within_100_tolerances),
        cmocka_unit_test(both_levels_are_held),
        cmocka_unit_test(index1_drifts_and_says_so),
        cmocka_unit_test(all_kinds_of_models_end_where_they_should),
        cmocka_unit_test(singular_poses_are_passed_or_refused_by_name),
        cmocka_unit_test(history_starts_anew_at_breaks),
        cmocka_unit_test(rows_inside_steps_are_as_accurate),
        cmocka_unit_test(runs_are_equal_to_the_last_bit),
        cmocka_unit_test(steps_ask_for_no_memory),
        cmocka_unit_test(a_limit_of_the_motion_is_named),
        cmocka_unit_test(what_it_cannot_honor_is_refused),
        cmocka_unit_test(ggl_is_a_method),
    };
    return cmocka_run_group_tests_name("ida", tests, NULL, NULL);
}
