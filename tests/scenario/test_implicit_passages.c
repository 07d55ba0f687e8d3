// SPDX-License-Identifier: MIT
// Overconstrained mechanisms and singular poses under every integrator that is implicit or owns its
// step: each arrives within 1e-4 of the motion that is known, or refuses or stops in words that
// name the joint. The motion known is that of dop853 with projected stages, which test_benchmarks
// compares with closed forms.
//
// Alpha methods have a fixed step here in both forms, and once more, in the form that can, one that
// errors choose. With a tolerance per step a method of second order ends with errors of the order
// of tolerance^(2/3), 5e-6 times what the motion amplifies them by; where the N-four-bar stands
// upright that is much: at tolerances of 1e-5, 1e-6, 1e-7, 1e-8 it ends off by 4e-2, 7e-3, 1e-3,
// 2e-4.

#include <math.h>
#include <string.h>

#include "integrator/integrator.h"
#include "scenario/scenario.h"
#include "support/test.h"

#define ARRIVED 1e-4    // [m], [rad] or numbers of quaternions
#define TOLERANCE 1e-8  // of adaptive methods
#define STEP 5e-4       // of the others: second order leaves some 1e-5 after 5 s [s]
#define TIGHT 1e-9      // of alpha methods with steps of their own through upright and flat poses
// Where the mechanism lies flat, phi is quadratic in the motion that branches off: the 1e-12 m that
// a projection leaves are sqrt(2e-12) = 1.4e-6 rad. The upright pose multiplies them by 40 (above:
// 5e-6 become 2e-4), and there are six flat poses: 3.4e-4 in all, beside ARRIVED. How much of it
// comes about depends on where steps end, and so on the last bit: cvode_adams ends off by 2.4e-7
// with fused multiply-add in sin and cos and by 3.2e-4 without.
#define THROUGH_FLAT 4.5e-4
// Iterations of alpha methods whose steps errors choose end at 1e-11 (1 + max|q|) m, with angles of
// up to 15 rad, half as much on average: 6 * 40 * sqrt(2 * 8e-11) = 3e-3. Tolerances of 1e-9 to
// 1.01e-9 end off by 2e-6 to 1.6e-3.
#define ALPHA_THROUGH_FLAT 3e-3

// Of steps that errors choose: the tolerance of alpha methods, and how far off they and all others
// may end.
typedef struct Limits {
    double tolerance, alpha, others;
} Limits;

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

typedef struct Choice {
    const trIntegratorKind *kind;
    const char             *form;
    double                  step;  // [s]; 0: chosen by errors
    double                  tolerance;
    double                  arrived;  // how close it must end
} Choice;

static bool passes(const Run *run, const Choice *choice, double duration, const double *end) {
    trSimDef    def = tr_sim_def_default();
    trSim      *sim = NULL;
    double      off = INFINITY;
    const char *form = choice->form == NULL ? "" : choice->form;
    def.integrator = choice->kind->name;
    def.form = choice->form;
    def.duration = duration;
    def.rtol = def.atol = choice->tolerance;
    def.step = choice->step;
    trStatus status = tr_sim_create(run->system, &def, &sim);
    status = status == TR_OK ? tr_sim_run_to(sim, duration) : status;
    print_message("  %-18s %-7s %-8s ", def.integrator, form,
                  def.step > 0.0 ? "fixed" : "adaptive");
    if (status == TR_OK) {
        off = gap(run->system->nq, tr_sim_q(sim), end);
        print_message("off by %.1e\n", off);
    } else {
        print_message("%s\n", tr_last_error());
    }
    bool good =
        status == TR_OK ? off <= choice->arrived : names_a_joint(run->system, tr_last_error());
    tr_sim_destroy(sim);
    return good;
}

// A kind in one of its forms: with a fixed step where it can have one, and where errors are
// controlled. Returns how many runs were bad.
static int try_form(const Run *run, const trIntegratorKind *kind, const char *form, double duration,
                    const double *end, const Limits *limits) {
    const char  *only = kind->implicit != NULL ? kind->implicit->adaptive_form : NULL;
    bool         adapts = kind->error_order > 0 && (only == NULL || strcmp(only, form) == 0);
    const Choice fixed = {kind, form, STEP, TOLERANCE, ARRIVED};
    Choice       adaptive = {kind, form, 0.0, TOLERANCE, limits->others};
    int          bad = 0;
    if (kind->keeps_given_step) {
        adaptive.tolerance = limits->tolerance;
        adaptive.arrived = limits->alpha;
    }
    if (kind->error_order == 0 || kind->keeps_given_step) {
        bad += !passes(run, &fixed, duration, end);
    }
    if (adapts) {
        bad += !passes(run, &adaptive, duration, end);
    }
    return bad;
}

static void try_all(const char *file, const char *const *set, const Limits *limits) {
    const double duration = 5.0;
    Run          run;
    trSimDef     def;
    int          bad = 0;
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
            bad += try_form(&run, kind, form == NULL ? NULL : *form, duration, tr_sim_q(run.sim),
                            limits);
        } while (form != NULL && *++form != NULL);
    }
    run_free(&run);
    assert_int_equal(bad, 0);
}

static void overconstrained_in_the_plane(void **state) {
    try_all("redundant_parallelogram.lua", NULL, &(Limits){TOLERANCE, ARRIVED, ARRIVED});
}

static void overconstrained_in_space(void **state) {
    try_all("bricard.lua", NULL, &(Limits){TOLERANCE, ARRIVED, ARRIVED});
}

// Flat at 0.7144 s and five times more.
static void through_flat_poses(void **state) {
    const char *const two[] = {"N=2", NULL};
    try_all("n_four_bar.lua", two, &(Limits){TIGHT, ALPHA_THROUGH_FLAT, THROUGH_FLAT});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(overconstrained_in_the_plane),
                                       cmocka_unit_test(overconstrained_in_space),
                                       cmocka_unit_test(through_flat_poses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
