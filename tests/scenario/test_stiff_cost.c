// SPDX-License-Identifier: MIT
// The stiff flyball governor (A05 of the IFToMM library): eigenvalues of -2e3 to -8e3 1/s beside a
// motion of seconds. To an error of 1e-4 at the end, implicit integrators cost at least ten times
// less than dop853, whose steps are limited by stability. Cost is the number of evaluations, with
// every column of every Jacobian counted as one.

#include <math.h>
#include <string.h>

#include "integrator/integrator.h"
#include "scenario/scenario.h"
#include "sim/sim.h"
#include "support/test.h"

#define ENOUGH 1e-4  // [m], [m/s], [rad/s]
#define TIMES_LESS 10.0

// At 10 s (tests/scenario/reference/A05_flyball.csv): height and rate of the slider, spin.
static const double height = 0.61962291706136547, climb = -0.74760335416433095;
static const double spin = 5.5482036226549278;

static double error_of(const trSim *sim) {
    trBodyState shaft = tr_sim_body(sim, 0), slider = tr_sim_body(sim, 1);
    return fmax(fabs(shaft.wz - spin), fmax(fabs(slider.z - height), fabs(slider.vz - climb)));
}

// Columns of the matrix of Newton's method: positions and multipliers, and in the ggl form
// velocities and a second kind of multipliers.
static double cost_of(const trSim *sim, const trSystem *system) {
    trSimStats stats = tr_sim_stats(sim);
    bool       both = sim->def.form != NULL && strcmp(sim->def.form, "ggl") == 0;
    double     columns = (both ? 2.0 : 1.0) * (double)(system->nv + system->m);
    return (double)stats.evaluations + columns * (double)stats.jacobians;
}

// Of the tolerances or steps tried, from the loosest on, the first that is good enough; INFINITY if
// none is.
static double cost_to_be_good_enough(const char *integrator, const double *tried, int count,
                                     bool steps) {
    double cost = INFINITY;
    for (int i = 0; i < count && !isfinite(cost); i++) {
        Run      run;
        trSimDef def;
        assert_int_equal(run_load("flyball.lua", NULL, &def, &run), TR_OK);
        def.integrator = integrator;
        def.rtol = def.atol = steps ? 1e-8 : tried[i];
        def.step = steps ? tried[i] : 0.0;
        assert_int_equal(tr_sim_create(run.system, &def, &run.sim), TR_OK);
        double error = tr_sim_run_to(run.sim, 10.0) == TR_OK ? error_of(run.sim) : INFINITY;
        print_message("  %-18s %.0e: error %.1e, cost %.0f, %lld steps\n", integrator, tried[i],
                      error, cost_of(run.sim, run.system), (long long)tr_sim_stats(run.sim).steps);
        cost = error <= ENOUGH ? cost_of(run.sim, run.system) : INFINITY;
        run_free(&run);
    }
    return cost;
}

static void implicit_integrators_cost_ten_times_less(void **state) {
    static const double      tolerance[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    static const double      step[] = {4e-3, 2e-3, 1e-3, 5e-4};
    static const char *const name[] = {"radau5", "ida", "cvode"};
    // At 1e-3 the error of dop853 is that of steps at the limit of stability: from 4e-5 to 2e-3, as
    // rounding has it.
    double limit = cost_to_be_good_enough("dop853", tolerance + 1, 5, false) / TIMES_LESS;
    assert_true(isfinite(limit));
    for (int i = 0; i < 3; i++) {
        if (tr_integrator_find(name[i]) == NULL) {
            print_message("  %s is not built in\n", name[i]);
            continue;
        }
        assert_true(cost_to_be_good_enough(name[i], tolerance, 6, false) <= limit);
    }
    cost_to_be_good_enough("generalized_alpha", step, 4, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(implicit_integrators_cost_ten_times_less)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
