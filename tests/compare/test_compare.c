// SPDX-License-Identifier: MIT
// What is run, with which settings, and what becomes of methods that cannot or that fail.

#include <math.h>
#include <string.h>

#include "base/traits.h"
#include "compare/compare.h"
#include "support/machines.h"
#include "support/options.h"
#include "support/test.h"
#include "trammel/lua.h"

static trCompare *compare(const trSystem *system, const trSimDef *def,
                          const trCompareOptions *options) {
    trCompare *c = NULL;
    if (tr_compare_create(system, def, options, &c) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return c;
}

static const trCompareRow *row_of(const trCompare *c, const char *method) {
    for (int i = 0; i < c->rows; i++) {
        if (!c->row[i].sweep && strcmp(c->row[i].name, method) == 0) {
            return &c->row[i];
        }
    }
    fail_msg("no row of %s", method);
    return NULL;
}

static trSystem *load(const char *path, const char *const *set, trModel **model, trSimDef *def) {
    trSystem *system = NULL;
    *def = tr_sim_def_default();
    if (tr_lua_load(path, set, model, def) != TR_OK || tr_system_build(*model, &system) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    return system;
}

static int integrators(void) {
    int count = 0;
    while (tr_compare_integrator(count) != NULL) {
        count++;
    }
    return count;
}

// The figures are those of a run of its own.
static void a_row_has_the_figures_of_a_run(void **state) {
    Machine                machine = machine_four_bar(2.0);
    trSimDef               def = tr_sim_def_default();
    const trCompareOptions options = {.struct_size = sizeof(trCompareOptions), .repeat = 2};
    trCompare             *c = compare(machine.system, &def, &options);
    assert_int_equal(c->rows, tr_method_count() + integrators());
    for (int i = 0; i < c->rows; i++) {
        const trCompareRow *row = &c->row[i];
        if (row->state != TR_COMPARE_DONE) {
            continue;
        }
        trSimDef own = def;
        own.method = i < tr_method_count() ? row->name : NULL;
        own.step = row->fixed ? row->def.step : own.step;
        own.integrator = row->def.integrator;
        trSim *sim = machine_sim(&machine, &own);
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
        trSimStats s = tr_sim_stats(sim);
        assert_int_equal(row->steps, s.steps);
        assert_int_equal(row->evaluations, s.evaluations);
        assert_int_equal(row->factorizations, s.factorizations);
        assert_true(row->energy_worst == s.energy_drift);
        assert_int_equal(row->trace.count, 0);  // it was not asked for
        assert_true(row->energy_end == s.kinetic + s.potential - s.work - s.energy_start);
        assert_true(row->level[0].worst >= s.position.length);
        assert_true(row->seconds > 0.0 && row->ratio > 0.0);
        tr_sim_destroy(sim);
    }
    assert_true(row_of(c, "lagrange")->ratio == 1.0);
    assert_string_equal(c->time_unit, "lagrange");
    tr_compare_destroy(c);
    machine_free(&machine);
}

// Gains times step are beyond what Baumgarte's stabilization can take; other methods run.
static void a_method_that_is_refused_is_a_row_with_its_reason(void **state) {
    Machine           machine = machine_pendulum(-1.0);
    trSimDef          def = tr_sim_def_default();
    const char *const methods[] = {"baumgarte", "direct"};
    def.integrator = "rk4";
    def.step = 0.05;
    def.options = TR_PARAMS(TR_NUM("alpha", 60.0), TR_NUM("beta", 60.0));
    const trCompareOptions options = {.struct_size = sizeof(trCompareOptions),
                                      .methods = methods,
                                      .method_count = 2,
                                      .repeat = 1};
    trCompare             *c = compare(machine.system, &def, &options);
    const trCompareRow    *refused = row_of(c, "baumgarte");
    assert_int_equal(refused->state, TR_COMPARE_REFUSED);
    assert_non_null(strstr(refused->reason, "Baumgarte gain times step is 3"));
    assert_false(refused->measured || refused->ranks);
    assert_int_equal(row_of(c, "direct")->state, TR_COMPARE_DONE);
    assert_string_equal(c->row[c->recommended].name, "direct");
    // lagrange ran too, as the measure of time.
    assert_int_equal(c->rows, 3);
    assert_false(row_of(c, "lagrange")->shown);
    assert_true(row_of(c, "direct")->ratio > 0.0);
    tr_compare_destroy(c);
    machine_free(&machine);
}

// At the pose where all links are in line nothing holds what is not projected.
static void a_method_that_fails_on_the_way_is_a_row_with_time_and_reason(void **state) {
    trModel  *model = NULL;
    trSimDef  def;
    trSystem *system =
        load(SOURCE_DIR "/models/benchmark/parallel_four_bar.lua", NULL, &model, &def);
    const char *const      methods[] = {"lagrange", "masarati"};
    const trCompareOptions options = {.struct_size = sizeof(trCompareOptions),
                                      .methods = methods,
                                      .method_count = 2,
                                      .repeat = 1};
    trCompare             *c = compare(system, &def, &options);
    const trCompareRow    *failed = row_of(c, "lagrange");
    assert_int_equal(failed->state, TR_COMPARE_FAILED);
    assert_true(failed->reached > 0.0 && failed->reached < def.duration);
    assert_true(failed->reason[0] != '\0' && failed->steps > 0 && !failed->ranks);
    assert_int_equal(row_of(c, "masarati")->state, TR_COMPARE_DONE);
    assert_string_equal(c->row[c->recommended].name, "masarati");
    assert_string_equal(c->time_unit, "masarati");
    tr_compare_destroy(c);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

static void unknown_and_repeated_names_are_refused(void **state) {
    Machine           machine = machine_pendulum(0.3);
    trSimDef          def = tr_sim_def_default();
    const char *const methods[] = {"masaratti"}, *const twice[] = {"direct", "direct"};
    trCompareOptions options = {.struct_size = sizeof(trCompareOptions),
                                .methods = methods,
                                .method_count = 1,
                                .repeat = 1};
    trCompare       *c = NULL;
    assert_int_equal(tr_compare_create(machine.system, &def, &options, &c), TR_E_ARGUMENT);
    assert_string_equal(tr_last_error(), "unknown method 'masaratti'; did you mean 'masarati'?");
    tr_compare_destroy(c);
    options.methods = twice;
    options.method_count = 2;
    assert_int_equal(tr_compare_create(machine.system, &def, &options, &c), TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "named twice"));
    tr_compare_destroy(c);
    machine_free(&machine);
}

static trCompare *plan(const trSystem *system, const trSimDef *def,
                       const trCompareOptions *options) {
    trArena   *arena = tr_arena_create();
    trCompare *c = tr_new(arena, trCompare);
    c->memory = arena;
    c->system = system;
    assert_int_equal(tr_compare_plan(c, def, options), TR_OK);
    return c;
}

static void dense_methods_are_skipped_above_their_size_unless_forced(void **state) {
    static const char *const set[] = {"N=100", NULL};
    trModel                 *model = NULL;
    trSimDef                 def;
    trSystem *system = load(SOURCE_DIR "/models/benchmark/chain.lua", set, &model, &def);
    assert_true(tr_system_nv(system) + tr_system_m(system) > TR_COMPARE_DENSE_LIMIT);
    for (int force = 0; force < 2; force++) {
        const trCompareOptions options = {
            .struct_size = sizeof(trCompareOptions), .repeat = 1, .force = force == 1};
        trCompare *c = plan(system, &def, &options);
        for (int i = 0; i < c->rows; i++) {
            const trMethod *method = NULL;
            trSimDef        any = def;
            assert_int_equal(tr_compare_variant(c->memory, c->row[i].label, &method, &any), TR_OK);
            bool dense = (tr_method_traits(method) & TR_DENSE) != 0;
            assert_int_equal(c->row[i].state == TR_COMPARE_SKIPPED, dense && !force);
        }
        tr_compare_destroy(c);
    }
    tr_system_destroy(system);
    tr_model_destroy(model);
}

// The first step of an adaptive integrator is none for rattle, a fixed step of the model is.
static void integrators_of_methods_take_fixed_steps_of_the_model(void **state) {
    static const char *const methods[] = {"rattle", "direct"};
    Machine                  machine = machine_pendulum(0.3);
    trSimDef                 def = tr_sim_def_default();
    trCompareOptions         options = {
                .struct_size = sizeof(trCompareOptions), .methods = methods, .method_count = 2};
    static const struct {
        const char *integrator;
        bool        given, chosen;
        double      step;
    } cases[] = {{"dop853", false, true, 1e-3},
                 {"dop853", true, false, 1e-5},
                 {"rk4", false, false, 1e-5},
                 {"generalized_alpha", false, false, 1e-5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        def.integrator = cases[i].integrator;
        def.step = 1e-5;
        options.step_given = cases[i].given;
        trCompare *c = plan(machine.system, &def, &options);
        assert_true(fabs(row_of(c, "rattle")->def.step - cases[i].step) < 1e-15);
        assert_int_equal(c->step_chosen, cases[i].chosen);
        // An implicit integrator of the model takes no methods.
        bool replaced = strcmp(cases[i].integrator, "generalized_alpha") == 0;
        assert_int_equal(c->replaced != NULL, replaced);
        assert_string_equal(row_of(c, "direct")->def.integrator,
                            replaced ? "dop853" : cases[i].integrator);
        tr_compare_destroy(c);
    }
    machine_free(&machine);
}

static void a_value_after_a_colon_is_the_option_of_a_method(void **state) {
    static const char *const methods[] = {
        "maggi",        "maggi:svd",          "udwadia_kalaba:svd", "penalty:1e4",
        "baumgarte:20", "braun_goldfarb:0.1", "udwadia_schutte:2"};
    Machine                machine = machine_pendulum(0.3);
    const trSimDef         def = tr_sim_def_default();
    const trCompareOptions options = {
        .struct_size = sizeof(trCompareOptions), .methods = methods, .method_count = 7};
    trCompare *c = plan(machine.system, &def, &options);
    assert_null(c->row[0].def.basis);
    assert_string_equal(c->row[1].def.basis, "svd");
    assert_string_equal(c->row[1].label, "maggi:svd");
    assert_string_equal(c->row[1].def.method, "maggi");
    assert_string_equal(tr_param_find(c->row[2].def.options, "inverse")->text, "svd");
    assert_true(number_of(&c->row[3].def, "penalty") == 1e4);
    assert_true(number_of(&c->row[4].def, "alpha") == 20.0);
    assert_true(number_of(&c->row[4].def, "beta") == 20.0);
    assert_true(number_of(&c->row[5].def, "relaxation") == 0.1);
    assert_true(number_of(&c->row[6].def, "gauge") == 2.0);
    assert_null(tr_param_find(c->row[5].def.options, "alpha"));
    tr_compare_destroy(c);
    machine_free(&machine);
}

// What charts show is what the tables show, and the last point is at the end.
static void a_trace_has_the_extremes_of_the_run(void **state) {
    Machine                  machine = machine_four_bar(2.0);
    trSimDef                 def = tr_sim_def_default();
    static const char *const methods[] = {"lagrange", "baumgarte"};
    def.integrator = "rk4";
    def.step = 1e-3;
    trCompareOptions options = {.struct_size = sizeof(trCompareOptions),
                                .methods = methods,
                                .method_count = 2,
                                .repeat = 1};
    trCompare       *plain = compare(machine.system, &def, &options);
    options.traces = true;
    trCompare *c = compare(machine.system, &def, &options);
    for (int i = 0; i < 2; i++) {
        const trCompareRow   *row = &c->row[i];
        const trCompareTrace *trace = &row->trace;
        double                most[3] = {0.0};
        assert_int_equal(trace->count, TR_COMPARE_TRACE_POINTS);
        assert_true(trace->time[trace->count - 1] == 1.0);
        for (int k = 0; k < trace->count; k++) {
            assert_true(k == 0 || trace->time[k] > trace->time[k - 1]);
            most[0] = fmax(most[0], trace->position[k]);
            most[1] = fmax(most[1], trace->velocity[k]);
            most[2] = fmax(most[2], trace->energy[k]);
        }
        assert_true(most[0] == row->level[0].worst && most[1] == row->level[1].worst);
        assert_true(most[2] == row->energy_worst && most[0] > 0.0 && most[2] > 0.0);
        assert_true(row->level[0].worst == plain->row[i].level[0].worst);
    }
    // Drift grows with time: it is small at first.
    assert_true(c->row[0].trace.position[3] < 0.1 * c->row[0].level[0].worst);
    tr_compare_destroy(plain);
    tr_compare_destroy(c);
    machine_free(&machine);
}

// The error of rk4 falls with the fourth power of the step.
static void a_sweep_shows_the_order_of_the_integrator(void **state) {
    Machine                machine = machine_pendulum(0.3);
    trSimDef               def = tr_sim_def_default();
    const char *const      methods[] = {"direct"};
    const trCompareOptions options = {.struct_size = sizeof(trCompareOptions),
                                      .methods = methods,
                                      .method_count = 1,
                                      .repeat = 1,
                                      .sweep_halvings = 2};
    def.integrator = "rk4";
    def.step = 0.02;
    trCompare *c = compare(machine.system, &def, &options);
    assert_int_equal(c->rows, 5);  // itself, lagrange, three steps
    for (int k = 0; k < 3; k++) {
        const trCompareRow *row = &c->row[2 + k];
        assert_true(row->sweep && row->measured && row->def.step == ldexp(0.02, -k));
        if (k > 0) {
            double order =
                log2(tr_compare_gap_size(row[-1].error) / tr_compare_gap_size(row->error));
            assert_true(fabs(order - 4.0) < 0.3);
            assert_true(row->evaluations > row[-1].evaluations);
        }
    }
    tr_compare_destroy(c);
    machine_free(&machine);
}

static void a_sweep_of_an_adaptive_integrator_is_over_tolerances(void **state) {
    Machine                machine = machine_pendulum(0.3);
    trSimDef               def = tr_sim_def_default();
    const char *const      methods[] = {"direct"};
    const trCompareOptions options = {.struct_size = sizeof(trCompareOptions),
                                      .methods = methods,
                                      .method_count = 1,
                                      .repeat = 1,
                                      .sweep_halvings = 2};
    trCompare             *c = compare(machine.system, &def, &options);
    assert_int_equal(c->rows, 2 + 7);
    for (int i = 3; i < c->rows; i++) {
        assert_true(fabs(c->row[i].def.rtol / c->row[i - 1].def.rtol - 0.1) < 1e-12);
        assert_true(c->row[i].evaluations >= c->row[i - 1].evaluations);
    }
    assert_true(tr_compare_gap_size(c->row[8].error) < 1e-3 * tr_compare_gap_size(c->row[2].error));
    tr_compare_destroy(c);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_has_the_figures_of_a_run),
        cmocka_unit_test(a_method_that_is_refused_is_a_row_with_its_reason),
        cmocka_unit_test(a_method_that_fails_on_the_way_is_a_row_with_time_and_reason),
        cmocka_unit_test(unknown_and_repeated_names_are_refused),
        cmocka_unit_test(dense_methods_are_skipped_above_their_size_unless_forced),
        cmocka_unit_test(integrators_of_methods_take_fixed_steps_of_the_model),
        cmocka_unit_test(a_value_after_a_colon_is_the_option_of_a_method),
        cmocka_unit_test(a_trace_has_the_extremes_of_the_run),
        cmocka_unit_test(a_sweep_shows_the_order_of_the_integrator),
        cmocka_unit_test(a_sweep_of_an_adaptive_integrator_is_over_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
