// SPDX-License-Identifier: MIT
// Settings that make no sense are refused by name whoever gives them, and a setting that does is
// not replaced by another.

#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/options.h"
#include "support/test.h"

// Every number of the table that may not be negative, by what would make it one.
static void numbers_that_are_none_are_refused_by_name(void **state) {
    const double bad[] = {NAN, INFINITY, -1.0};
    Machine      machine = machine_pendulum(0.0);
    int          fields = 0;
    trFieldList  all = tr_settings();
    for (int k = 0; k < all.count; k++) {
        const trField *f = all.at[k];
        if (f->kind != TR_FIELD_REAL || (f->flags & (TR_POSITIVE | TR_NOT_NEGATIVE)) == 0) {
            continue;
        }
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            trSimDef def = tr_sim_def_default();
            if (tr_field_find(tr_sim_def_fields, f->name) != NULL) {
                memcpy((char *)&def + f->offset, &bad[i], sizeof bad[i]);
            } else {
                set_number(&def, f->name, bad[i]);
            }
            machine_refuses(&machine, &def, TR_E_ARGUMENT, f->name);
        }
        fields++;
    }
    assert_true(fields > 10);
    trSimDef def = tr_sim_def_default();
    def.method = "park_chiou";
    def.integrator = NULL;
    set_number(&def, "epsilon", 0.0);
    machine_refuses(&machine, &def, TR_E_ARGUMENT, "'epsilon' must be positive, not 0");
    machine_free(&machine);
}

static void unknown_words_are_refused(void **state) {
    Machine  machine = machine_pendulum(0.0);
    trSimDef def = tr_sim_def_default();
    def.method = "maggi";
    def.basis = "householdr";
    machine_refuses(&machine, &def, TR_E_ARGUMENT,
                    "unknown basis 'householdr'; did you mean 'householder'?");
    def.basis = NULL;
    set_word(&def, "inverse", "inverse");
    machine_refuses(&machine, &def, TR_E_ARGUMENT,
                    "unknown inverse 'inverse'; known: svd, gram_schmidt");
    machine_free(&machine);
}

static void a_moving_basis_leaves_the_step_projection_that_was_chosen(void **state) {
    static const char *const step[][2] = {
        {NULL, "none"}, {"basis", "none"}, {"direct", "direct"}, {"none", "none"}};
    Machine machine = machine_four_bar(2.0);
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        trSimDef def = tr_sim_def_default();
        def.method = "maggi";
        def.basis = "liang_lance";
        def.step_projection = step[i][0];
        trSim *sim = machine_sim(&machine, &def);
        assert_string_equal(tr_sim_def(sim).stage_projection, "liang_lance");
        assert_string_equal(tr_sim_def(sim).step_projection, step[i][1]);
        tr_sim_destroy(sim);
    }
    machine_free(&machine);
}

// With next to no penalty bodies would fall freely, and rounds would end at once because none
// changes anything.
static void factors_far_from_the_masses_are_refused(void **state) {
    static const char *const soft[] = {"penalty", "augmented_lagrangian",
                                       "augmented_lagrangian_projected"};
    Machine                  machine = machine_four_bar(2.0);
    for (size_t i = 0; i < sizeof soft / sizeof *soft; i++) {
        trSimDef def = tr_sim_def_default();
        def.method = soft[i];
        set_number(&def, "penalty", 1e-12);
        machine_refuses(&machine, &def, TR_E_MODEL, "penalty 1e-12 is too small");
        set_number(&def, "penalty", 1e30);
        machine_refuses(&machine, &def, TR_E_MODEL, "the penalty is too large");
    }
    trSimDef def = tr_sim_def_default();
    def.method = "udwadia_schutte";
    set_number(&def, "gauge", 1e9);
    machine_refuses(&machine, &def, TR_E_MODEL, "choose a gauge that balances M and A better");
    machine_free(&machine);
}

static void what_was_chosen_over_a_method_is_blamed_and_not_the_method(void **state) {
    Machine  machine = machine_four_bar(0.0);
    trSimDef def = tr_sim_def_default();
    def.method = "masarati";
    def.formulation = "udwadia_kalaba";
    machine_refuses(&machine, &def, TR_E_MODEL,
                    "which formulation 'udwadia_kalaba' does not support");
    def.method = "udwadia_kalaba";
    def.formulation = NULL;
    machine_refuses(&machine, &def, TR_E_MODEL, "which method 'udwadia_kalaba' does not support");
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_none_are_refused_by_name),
        cmocka_unit_test(unknown_words_are_refused),
        cmocka_unit_test(a_moving_basis_leaves_the_step_projection_that_was_chosen),
        cmocka_unit_test(factors_far_from_the_masses_are_refused),
        cmocka_unit_test(what_was_chosen_over_a_method_is_blamed_and_not_the_method),
    };
    return cmocka_run_group_tests_name("refused settings", tests, NULL, NULL);
}
