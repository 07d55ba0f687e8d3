// SPDX-License-Identifier: MIT
// Making a simulation: what is chosen, and what is refused in which words.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/machines.h"
#include "support/options.h"
#include "support/test.h"

static const trMethod *method_with(const char *name) {
    const trMethod *method = tr_method_find(name);
    assert_non_null(method);
    return method;
}

static void presets_fill_what_is_open(void **state) {
    Machine machine = machine_four_bar(1.0);
    for (int i = 0; i <= tr_method_count(); i++) {
        trSimDef def = tr_sim_def_default();
        def.method = i < tr_method_count() ? tr_method_at(i)->name : NULL;
        const char *brings = i < tr_method_count() ? tr_method_at(i)->integrator : NULL;
        if (brings != NULL && tr_integrator_find(brings) == NULL) {  // SUNDIALS was not found
            machine_refuses(&machine, &def, TR_E_ARGUMENT, "needs SUNDIALS");
            continue;
        }
        def.step = 1e-3;  // for methods that are integrators with a fixed step
        const trMethod *method = method_with(def.method == NULL ? "direct_mass" : def.method);
        trSim          *sim = machine_sim(&machine, &def);
        trSimDef        chosen = tr_sim_def(sim);
        assert_string_equal(chosen.method, method->name);
        assert_string_equal(chosen.formulation, method->formulation);
        assert_string_equal(chosen.stabilization, method->stabilization);
        assert_string_equal(chosen.stage_projection, method->stage_projection);
        assert_string_equal(chosen.step_projection, method->step_projection);
        assert_string_equal(chosen.integrator,
                            method->integrator != NULL ? method->integrator : "dop853");
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

static void a_method_that_is_an_integrator_takes_no_other(void **state) {
    Machine machine = machine_four_bar(1.0);
    for (int i = 0; i < tr_method_count(); i++) {
        trSimDef def = tr_sim_def_default();
        def.method = tr_method_at(i)->name;
        def.integrator = "rk4";
        def.step = 1e-3;
        if (tr_method_at(i)->integrator != NULL) {
            machine_refuses(&machine, &def, TR_E_ARGUMENT, "is an integrator of its own");
        }
    }
    machine_free(&machine);
}

static void lists_need_a_number_for_every_row(void **state) {
    const double three[] = {1.0, 2.0, 3.0};
    Machine      machine = machine_four_bar(1.0);
    trSimDef     def = tr_sim_def_default();
    def.method = "udwadia_wanichanon";
    set_list(&def, "gauge_weights", 3, three);
    machine_refuses(&machine, &def, TR_E_ARGUMENT, "gauge_weights has 3 numbers; there are 8");
    def.options = NULL;
    set_list(&def, "gauge_z", 3, three);
    machine_refuses(&machine, &def, TR_E_ARGUMENT, "gauge_z has 3 numbers; there are 8");
    machine_free(&machine);
}

// Each choice that a user makes is one that the preset would not make.
static void what_is_given_stays(void **state) {
    Machine  machine = machine_four_bar(1.0);
    char     words[5][32] = {"lagrange_dense", "none", "masarati", "direct", "dopri5"};
    double   times[] = {0.25, 0.5};
    trSimDef def = tr_sim_def_default();
    def.method = "baumgarte";
    def.formulation = words[0];
    def.stabilization = words[1];
    def.stage_projection = words[2];
    def.step_projection = words[3];
    def.integrator = words[4];
    def.times = (trNumbers){2, times};
    trSim *sim = machine_sim(&machine, &def);
    memset(words, 'x', sizeof words);  // nothing of the definition is needed any more
    times[0] = times[1] = NAN;
    trSimDef chosen = tr_sim_def(sim);
    assert_null(chosen.method);  // no named method makes these choices
    assert_string_equal(chosen.formulation, "lagrange_dense");
    assert_string_equal(chosen.stabilization, "none");
    assert_string_equal(chosen.stage_projection, "masarati");
    assert_string_equal(chosen.step_projection, "direct");
    assert_string_equal(chosen.integrator, "dopri5");
    assert_true(chosen.times.at[0] == 0.25 && chosen.times.at[1] == 0.5);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

static void unknown_words_are_refused_with_a_suggestion(void **state) {
    static const struct {
        size_t      offset;
        const char *word, *text;
    } mistakes[] = {
        {offsetof(trSimDef, method), "baumgart",
         "unknown method 'baumgart'; did you mean 'baumgarte'?"},
        {offsetof(trSimDef, formulation), "lagrang",
         "unknown formulation 'lagrang'; did you mean 'lagrange'?"},
        {offsetof(trSimDef, stabilization), "baumgartee",
         "unknown stabilization 'baumgartee'; did you mean 'baumgarte'?"},
        {offsetof(trSimDef, stage_projection), "massarati",
         "unknown stage_projection 'massarati'; did you mean 'masarati'?"},
        {offsetof(trSimDef, step_projection), "mass_ortogonal",
         "unknown step_projection 'mass_ortogonal'; did you mean 'mass_orthogonal'?"},
        {offsetof(trSimDef, integrator), "dop583", "unknown integrator 'dop583'; did you mean"},
        {offsetof(trSimDef, stage_projection), "qqqqqqqqqqq",
         "unknown stage_projection 'qqqqqqqqqqq'; known: none, basis, frozen, liang_lance, "
         "masa"},
        {offsetof(trSimDef, step_projection), "qqqqqqqqqqq",
         "known: none, basis, direct, frozen, mass_orth"},
    };
    Machine machine = machine_pendulum(0.3);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        trSimDef def = tr_sim_def_default();
        memcpy((char *)&def + mistakes[i].offset, &mistakes[i].word, sizeof(const char *));
        machine_refuses(&machine, &def, TR_E_ARGUMENT, mistakes[i].text);
    }
    machine_free(&machine);
}

static void numbers_that_make_no_sense_are_refused(void **state) {
    static const struct {
        size_t      offset;
        double      value;
        const char *text;
    } mistakes[] = {
        {offsetof(trSimDef, duration), 0.0, "duration must be positive"},
        {offsetof(trSimDef, duration), -1.0, "duration must be positive"},
        {offsetof(trSimDef, duration), INFINITY, "duration must be positive and finite"},
        {offsetof(trSimDef, duration), NAN, "duration"},
        {offsetof(trSimDef, start), NAN, "finite"},
        {offsetof(trSimDef, rank_tolerance), 0.5, "rank_tolerance = 0.5 must be from 1e-06 to 0.1"},
        {offsetof(trSimDef, rank_tolerance), 1e-8, "rank_tolerance = 1e-08 must be"},
        {offsetof(trSimDef, sample), 1e-14, "gives 1.0e+14 rows"},
        {offsetof(trSimDef, start), 1e300, "is lost in rounding"},
        {offsetof(trSimDef, rtol), 1e-30, "rtol must be at least"},
        {offsetof(trSimDef, rtol), 0.0, "rtol must be at least"},
        {offsetof(trSimDef, rtol), NAN, "rtol must be at least"},
        {offsetof(trSimDef, atol), -1e-3, "rtol must be at least"},
        {offsetof(trSimDef, min_step), -1e-3, "must not be negative, and min_step"},
    };
    Machine machine = machine_pendulum(0.3);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        trSimDef def = tr_sim_def_default();
        memcpy((char *)&def + mistakes[i].offset, &mistakes[i].value, sizeof(double));
        machine_refuses(&machine, &def, TR_E_ARGUMENT, mistakes[i].text);
    }
    trSimDef old = tr_sim_def_default();
    old.struct_size--;
    machine_refuses(&machine, &old, TR_E_ARGUMENT, "tr_sim_def_default");
    machine_free(&machine);
}

static void a_fixed_step_must_be_given(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = tr_sim_def_default();
    def.integrator = "rk4";
    machine_refuses(&machine, &def, TR_E_ARGUMENT, "integrator 'rk4' has a fixed step; give one");
    def.step = 1e-3;
    tr_sim_destroy(machine_sim(&machine, &def));
    machine_free(&machine);
}

// The border of stability of rk4 on the negative real axis is 2.785; gains times step up to 2.7 are
// taken.
static void baumgarte_gains_beyond_stability_are_refused(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = tr_sim_def_default();
    def.method = "baumgarte";
    def.integrator = "rk4";
    def.step = 0.01;
    set_number(&def, "alpha", 280.0);
    machine_refuses(&machine, &def, TR_E_ARGUMENT, "Baumgarte gain times step is 2.8; above 2.7");
    set_number(&def, "alpha", 5.0);
    set_number(&def, "beta", 280.0);
    machine_refuses(&machine, &def, TR_E_ARGUMENT, "smaller step or smaller gains");
    set_number(&def, "alpha", 269.0);
    set_number(&def, "beta", 269.0);
    tr_sim_destroy(machine_sim(&machine, &def));
    set_number(&def, "alpha", 280.0);  // with an adaptive step gains do no harm
    def.integrator = "dopri5";
    tr_sim_destroy(machine_sim(&machine, &def));
    machine_free(&machine);
}

// One value of each option; of numbers the default, as what is written counts.
static void give(trSimDef *def, const char *option) {
    static const double list[] = {1.0, 1.0, 1.0};
    const trField      *f = tr_setting_find(option);
    if (strcmp(option, "basis") == 0) {
        def->basis = "svd";
    } else if (f->kind == TR_FIELD_TEXT) {
        set_word(def, option, "gram_schmidt");
    } else if (f->kind == TR_FIELD_NUMBERS) {
        set_list(def, option, 3, list);
    } else {
        set_number(def, option, f->fallback);
    }
}

// Which methods read an option, written down apart from the tables of the kinds.
typedef struct OptionReaders {
    const char *option;
    const char *methods;  // each between blanks
} OptionReaders;

static const OptionReaders option_readers[] = {
    {"alpha", " baumgarte "},
    {"beta", " baumgarte "},
    {"rho", " generalized_alpha hht index3 "},
    {"basis", " maggi maggi_frozen "},
    {"inverse", " udwadia_kalaba "},
    {"penalty", " augmented_lagrangian augmented_lagrangian_projected penalty "},
    {"mu", " augmented_lagrangian penalty "},
    {"omega", " augmented_lagrangian penalty "},
    {"relaxation", " braun_goldfarb "},
    {"epsilon", " park_chiou "},
    {"gauge", " udwadia_schutte udwadia_wanichanon "},
    {"gauge_weights", " udwadia_wanichanon "},
    {"gauge_z", " udwadia_wanichanon "},
};

static bool is_listed(const OptionReaders *readers, const char *method) {
    char word[64];
    snprintf(word, sizeof word, " %s ", method);
    return strstr(readers->methods, word) != NULL;
}

// Some are libraries that may be missing.
static bool has_integrator(const trMethod *method) {
    return method->integrator == NULL || tr_integrator_find(method->integrator) != NULL;
}

static void options_that_a_method_does_not_read_are_refused(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trArena *arena = tr_arena_create();
    for (int k = 0; k < tr_method_count(); k++) {
        for (size_t i = 0; i < sizeof option_readers / sizeof *option_readers; i++) {
            const char *option = option_readers[i].option;
            trSimDef    def = tr_sim_def_default();
            char        text[64];
            def.method = tr_method_at(k)->name;
            def.step = 1e-3;
            if (!has_integrator(tr_method_at(k))) {
                continue;
            }
            give(&def, option);
            assert_true(tr_sim_def_gives(&def, tr_setting_find(option)));
            if (is_listed(&option_readers[i], def.method)) {
                assert_int_equal(tr_sim_def_check_options(&def), TR_OK);
                continue;
            }
            snprintf(text, sizeof text, "'%s' is not read by method '%s'; ", option, def.method);
            machine_refuses(&machine, &def, TR_E_ARGUMENT, text);
            tr_sim_def_forget_unread(arena, &def);
            assert_false(tr_sim_def_gives(&def, tr_setting_find(option)));
            tr_sim_destroy(machine_sim(&machine, &def));
        }
    }
    tr_arena_destroy(arena);
    machine_free(&machine);
}

static void a_refused_option_names_who_reads_it(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = tr_sim_def_default();
    def.method = "direct";
    def.basis = "svd";
    machine_refuses(&machine, &def, TR_E_ARGUMENT,
                    "; maggi and maggi_frozen do; use one of these, or leave 'basis' out");
    def = tr_sim_def_default();
    set_number(&def, "rho", 0.5);
    machine_refuses(&machine, &def, TR_E_ARGUMENT,
                    "'rho' is not read by what is chosen; generalized_alpha, hht and index3 do");
    // Integrators that are no methods read some, too.
    def = tr_sim_def_default();
    def.form = "ggl";
    const char *readers = tr_integrator_find("ida") != NULL
                              ? "; generalized_alpha, ggl, hht, index3, newmark, radau5 and ida do"
                              : "; generalized_alpha, ggl, hht, index3, newmark and radau5 do";
    machine_refuses(&machine, &def, TR_E_ARGUMENT, readers);
    // A choice over the method's own takes its options away, or brings others.
    def = tr_sim_def_default();
    def.method = "baumgarte";
    def.stabilization = "none";
    set_number(&def, "alpha", 7.0);
    machine_refuses(&machine, &def, TR_E_ARGUMENT, "'alpha' is not read by what is chosen; baum");
    def.method = "direct";
    def.stabilization = "baumgarte";
    trSim   *sim = machine_sim(&machine, &def);
    trSimDef chosen = tr_sim_def(sim);
    assert_true(number_of(&chosen, "alpha") == 7.0);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// Where nobody gives it, what is chosen is told: the fixed step, or a twentieth of a second.
static void the_relaxation_time_that_is_chosen_is_told(void **state) {
    Machine  machine = machine_pendulum(0.3);
    trSimDef def = tr_sim_def_default();
    def.method = "braun_goldfarb";
    trSim   *adaptive = machine_sim(&machine, &def);
    trSimDef chosen = tr_sim_def(adaptive);
    assert_true(number_of(&chosen, "relaxation") == 0.05);
    def.integrator = "rk4";
    def.step = 1e-3;
    trSim *fixed = machine_sim(&machine, &def);
    chosen = tr_sim_def(fixed);
    assert_true(number_of(&chosen, "relaxation") == 1e-3);
    tr_sim_destroy(adaptive);
    tr_sim_destroy(fixed);
    machine_free(&machine);
}

// Every method belongs to the group that its parts make it.
static void methods_are_grouped_by_what_they_do_to_the_constraints(void **state) {
    static const struct {
        const char   *method;
        trMethodGroup group;
    } known[] = {
        {"lagrange", TR_GROUP_DRIFTS},
        {"udwadia_kalaba", TR_GROUP_DRIFTS},
        {"baumgarte", TR_GROUP_SOFT},
        {"penalty", TR_GROUP_SOFT},
        {"augmented_lagrangian", TR_GROUP_SOFT},
        {"maggi", TR_GROUP_VELOCITIES},
        {"borri_phase_space", TR_GROUP_VELOCITIES},
        {"maggi_frozen", TR_GROUP_PROJECTED},
        {"partition", TR_GROUP_PROJECTED},
        {"direct_mass", TR_GROUP_PROJECTED},
        {"masarati", TR_GROUP_PROJECTED},
        {"augmented_lagrangian_projected", TR_GROUP_PROJECTED},
        {"rattle", TR_GROUP_OWN},
        {"park_chiou", TR_GROUP_OWN},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(tr_method_group(method_with(known[i].method)), known[i].group);
    }
}

// A parallelogram: two cranks, and a coupler that a third crank holds once more.
static Machine parallelogram(void) {
    Machine       machine = machine_new();
    const trParam crank[] = {TR_NUM("mass", 1.0),
                             TR_NUM("inertia", 0.1),
                             TR_NUM("angle", 1.0),
                             TR_VEC("com", 0.5, 0.0),
                             {0}};
    int           coupler = machine_body(
                  &machine, "coupler",
                  TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1), TR_VEC("at", cos(1.0), sin(1.0))));
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"first", "second", "third"};
        trParam                  with_place[6];
        memcpy(with_place, crank, sizeof crank);
        with_place[4] = (trParam)TR_VEC("at", 1.0 * i, 0.0);
        with_place[5] = (trParam){0};
        int body = machine_body(&machine, names[i], with_place);
        machine_joint(&machine, "revolute", NULL, TR_GROUND, body, NULL);
        machine_joint(&machine, "revolute", NULL, body, coupler,
                      TR_PARAMS(TR_VEC("point1", 1.0, 0.0), TR_VEC("point2", 1.0 * i, 0.0)));
    }
    machine_build(&machine);
    return machine;
}

static void stages_are_projected_by_themselves_where_rows_are_dependent(void **state) {
    Machine  machine = parallelogram();
    trSimDef def = tr_sim_def_default();
    trSim   *sim = machine_sim(&machine, &def);
    assert_string_equal(tr_sim_def(sim).stage_projection, "masarati");
    assert_int_equal(tr_sim_stats(sim).redundant_rows, 1);
    assert_int_equal(tr_sim_stats(sim).degrees_of_freedom, 1);
    tr_sim_destroy(sim);
    // Who asks for a method, or for no projection of stages, gets what they ask for.
    def.stage_projection = "none";
    sim = machine_sim(&machine, &def);
    assert_string_equal(tr_sim_def(sim).stage_projection, "none");
    tr_sim_destroy(sim);
    def.stage_projection = NULL;
    def.method = "direct_mass";
    sim = machine_sim(&machine, &def);
    assert_string_equal(tr_sim_def(sim).stage_projection, "none");
    tr_sim_destroy(sim);
    machine_free(&machine);
    // Nor is there a reason where all rows are independent.
    machine = machine_four_bar(1.0);
    def = tr_sim_def_default();
    sim = machine_sim(&machine, &def);
    assert_string_equal(tr_sim_def(sim).stage_projection, "none");
    assert_int_equal(tr_sim_stats(sim).redundant_rows, 0);
    assert_int_equal(tr_sim_stats(sim).degrees_of_freedom, 1);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_fill_what_is_open),
        cmocka_unit_test(a_method_that_is_an_integrator_takes_no_other),
        cmocka_unit_test(lists_need_a_number_for_every_row),
        cmocka_unit_test(what_is_given_stays),
        cmocka_unit_test(unknown_words_are_refused_with_a_suggestion),
        cmocka_unit_test(numbers_that_make_no_sense_are_refused),
        cmocka_unit_test(a_fixed_step_must_be_given),
        cmocka_unit_test(baumgarte_gains_beyond_stability_are_refused),
        cmocka_unit_test(options_that_a_method_does_not_read_are_refused),
        cmocka_unit_test(a_refused_option_names_who_reads_it),
        cmocka_unit_test(the_relaxation_time_that_is_chosen_is_told),
        cmocka_unit_test(methods_are_grouped_by_what_they_do_to_the_constraints),
        cmocka_unit_test(stages_are_projected_by_themselves_where_rows_are_dependent),
    };
    return cmocka_run_group_tests_name("create", tests, NULL, NULL);
}
