// SPDX-License-Identifier: MIT
// A parallel four-bar turns freely, and every fiftieth step of 0.01 s ends in its flat position,
// where the loop is singular and the motion could leave on another branch. Every method either
// arrives where the exact motion does,
//
//     q1(t) = pi / 2 + 2 pi t
//
// or says at what time and where it failed, or refuses beforehand. None arrives elsewhere without
// a word.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrator/integrator.h"
#include "scenario/papers.h"
#include "sim/def.h"
#include "support/test.h"

#define DURATION 3.0  // [s]
#define STEP 0.01     // [s]
#define ARRIVED 1e-3  // [rad]
// Of the alpha methods with a fixed step, which are of second order: (2 pi STEP)^2 / 12 of the
// angle 6 pi, 6.2e-3, and some by damping [rad].
#define ARRIVED_ROUGHLY 1e-2
#define TEXT_ROOM 512

static bool is_quoted(const char *text, const char *name) {
    char quoted[TEXT_ROOM];
    snprintf(quoted, sizeof quoted, "'%s'", name);
    return strstr(text, quoted) != NULL;
}

// Does the text name a joint or constraint of the system?
static bool names_the_place(const trSystem *system, const char *text) {
    bool named = false;
    for (int i = 0; i < tr_system_joints(system); i++) {
        named |= is_quoted(text, tr_system_joint_name(system, i));
    }
    for (int i = 0; i < tr_system_constraints(system); i++) {
        named |= is_quoted(text, tr_system_constraint_name(system, i));
    }
    return named;
}

static bool is_alpha_method(const char *method) {
    const char             *own = tr_method_find(method)->integrator;
    const trIntegratorKind *kind = own != NULL ? tr_integrator_find(own) : NULL;
    return kind != NULL && kind->keeps_given_step;
}

// Prints one line; false if the run ended elsewhere, or in words that do not help.
static bool try_method(const Run *run, int angle, const trSimDef *def) {
    trSim   *sim = NULL;
    trStatus status = tr_sim_create(run->system, def, &sim);
    bool     good = true;
    print_message("  %-32s %-16s %-7s ", def->method, def->basis == NULL ? "" : def->basis,
                  def->integrator == NULL ? "own" : def->integrator);
    if (status != TR_OK) {
        good = status < 0 && strlen(tr_last_error()) > 0;
        print_message("refused: %s", tr_last_error());
        print_message("%s\n", good ? "" : "  WITHOUT A REASON");
        return good;
    }
    status = tr_sim_run_to(sim, DURATION);
    if (status == TR_OK) {
        double exact = 0.5 * acos(-1.0) + 2.0 * acos(-1.0) * DURATION;
        double off = tr_sim_q(sim)[angle] - exact;
        good = fabs(off) <= (is_alpha_method(def->method) ? ARRIVED_ROUGHLY : ARRIVED);
        print_message("arrived, q1 off by %9.2e rad, energy by %9.2e J%s\n", off,
                      tr_sim_stats(sim).energy_end_drift, good ? "" : "  WRONG");
    } else {
        const char *text = tr_last_error();
        // Weak instability, which is everywhere, is named by its method.
        bool everywhere = strstr(text, "swing from step to step") != NULL;
        good = strstr(text, "t = ") != NULL && (everywhere || names_the_place(run->system, text));
        print_message("failed: %s%s\n", text, good ? "" : "  DOES NOT SAY WHEN OR WHERE");
    }
    tr_sim_destroy(sim);
    return good;
}

static trSimDef define(const char *method, const char *basis, bool fixed) {
    trSimDef def = tr_sim_def_default();
    def.method = method;
    def.basis = basis;
    def.duration = DURATION;
    if (fixed || paper_integrator(method) == NULL) {
        def.integrator = paper_integrator(method);
        def.step = STEP;
    }
    return def;
}

// `angle` is the coordinate that is q1. Steps are fixed, or those of the default integrator.
static void try_all(const char *model, int angle, bool fixed) {
    Run      run;
    trSimDef def;
    int      bad = 0;
    assert_int_equal(paper_load(model, NULL, &def, &run), TR_OK);
    print_message("%s\n", model);
    for (int i = 0; i < tr_method_count(); i++) {
        const char *method = tr_method_at(i)->name;
        def = define(method, NULL, fixed);
        bad += try_method(&run, angle, &def) ? 0 : 1;
        for (int k = 0; strcmp(method, "maggi") == 0 && k < PAPER_BASES; k++) {
            def = define(method, paper_basis[k], fixed);
            bad += try_method(&run, angle, &def) ? 0 : 1;
        }
    }
    run_free(&run);
    assert_int_equal(bad, 0);
}

static void cartesian_coordinates_with_fixed_steps(void **state) {
    try_all("parallel_fourbar_cartesian.lua", 2, true);
}

static void joint_coordinates_with_fixed_steps(void **state) {
    try_all("parallel_fourbar_joint.lua", 0, true);
}

static void cartesian_coordinates_with_the_default_integrator(void **state) {
    try_all("parallel_fourbar_cartesian.lua", 2, false);
}

static void joint_coordinates_with_the_default_integrator(void **state) {
    try_all("parallel_fourbar_joint.lua", 0, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cartesian_coordinates_with_fixed_steps),
        cmocka_unit_test(joint_coordinates_with_fixed_steps),
        cmocka_unit_test(cartesian_coordinates_with_the_default_integrator),
        cmocka_unit_test(joint_coordinates_with_the_default_integrator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
