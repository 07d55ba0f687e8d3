// SPDX-License-Identifier: MIT
// Overconstrained mechanisms and singular poses under every integrator that is implicit or owns its
// step: each arrives within 1e-4 of the motion that is known, or refuses or stops in words that
// name the joint. The motion known is that of dop853 with projected stages, which test_benchmarks
// compares with closed forms.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "integrator/integrator.h"
#include "scenario/scenario.h"

#define ARRIVED 1e-4    // [m], [rad] or numbers of quaternions
#define TOLERANCE 1e-8  // of adaptive methods
#define STEP 5e-4       // of the others: second order leaves some 1e-5 after 5 s [s]

static double gap(int n, const double *x, const double *y) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

static bool names_a_joint(const trSystem *system, const char *text) {
    for (int i = 0; i < system->joints; i++) {
        if (strstr(text, system->joint[i].name) != NULL) {
            return true;
        }
    }
    return false;
}

// Integrators with a fixed step, and those whose step is fixed where one is given.
static bool is_fixed(const trIntegratorKind *kind) {
    return kind->error_order == 0;
}

static bool passes(const Run *run, const trIntegratorKind *kind, const char *form, double duration,
                   const double *end) {
    trSimDef def = tr_sim_def_default();
    trSim   *sim = NULL;
    double   off = INFINITY;
    def.integrator = kind->name;
    def.form = form;
    def.duration = duration;
    def.rtol = def.atol = TOLERANCE;
    def.step = is_fixed(kind) ? STEP : 0.0;
    trStatus status = tr_sim_create(run->system, &def, &sim);
    status = status == TR_OK ? tr_sim_run_to(sim, duration) : status;
    if (status == TR_OK) {
        off = gap(run->system->nq, tr_sim_q(sim), end);
        print_message("  %-18s %-7s off by %.1e\n", kind->name, form == NULL ? "" : form, off);
    } else {
        print_message("  %-18s %-7s %s\n", kind->name, form == NULL ? "" : form, tr_last_error());
    }
    bool good = status == TR_OK ? off <= ARRIVED : names_a_joint(run->system, tr_last_error());
    tr_sim_destroy(sim);
    return good;
}

static void try_all(const char *file, const char *const *set, double duration) {
    Run      run;
    trSimDef def;
    int      bad = 0;
    assert_int_equal(run_load(file, set, &def, &run), TR_OK);
    assert_int_equal(tr_sim_create(run.system, &def, &run.sim), TR_OK);
    assert_int_equal(tr_sim_run_to(run.sim, duration), TR_OK);
    print_message("%s\n", file);
    for (int i = 0; i < tr_integrator_count(); i++) {
        const trIntegratorKind *kind = tr_integrator_at(i);
        const char *const      *form = kind->implicit != NULL ? kind->implicit->forms : NULL;
        if (kind->implicit == NULL && kind->owner == NULL) {
            continue;
        }
        do {
            bad += !passes(&run, kind, form == NULL ? NULL : *form, duration, tr_sim_q(run.sim));
        } while (form != NULL && *++form != NULL);
    }
    run_free(&run);
    assert_int_equal(bad, 0);
}

static void overconstrained_in_the_plane(void **state) {
    (void)state;
    try_all("redundant_parallelogram.lua", NULL, 5.0);
}

static void overconstrained_in_space(void **state) {
    (void)state;
    try_all("bricard.lua", NULL, 5.0);
}

// Flat at 0.7144 s and five times more.
static void through_flat_poses(void **state) {
    (void)state;
    const char *const two[] = {"N=2", NULL};
    try_all("n_four_bar.lua", two, 5.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(overconstrained_in_the_plane),
                                       cmocka_unit_test(overconstrained_in_space),
                                       cmocka_unit_test(through_flat_poses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
