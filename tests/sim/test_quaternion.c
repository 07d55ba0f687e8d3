// SPDX-License-Identifier: MIT
// coordinates = "quaternion" gives the motion, frames and reactions of coordinates = "body", with
// every named method; and what cannot be had with it is refused in words.
//
// The mechanism is that of support/mechanism3.h: loops, redundant rows, a tie without mass, drives,
// springs, a frame.

#include <math.h>
#include <string.h>

#include "formulation/formulation.h"
#include "scenario/scenario.h"
#include "sim/def.h"
#include "support/machines.h"
#include "support/mechanism3.h"
#include "support/test.h"

#define DURATION 0.5  // [s]
#define ROWS 10

// Each run has local errors of 1e-10 (1 + |x|) in some 100 steps, 1e-8 at the end if they add up,
// and two runs are compared; relative to 1 + the largest value of the column.
#define SAME_MOTION 2e-8
// Accelerations and forces follow the motion with its rates squared, some 10 1/s^2 here.
#define SAME_LOAD 2e-7

static const View3 plain = {VIEW3_SI}, by_rates = {VIEW3_SI, .coordinates = "quaternion"};

static void require(trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static void simulate(const View3 *view, const char *method, Run *run) {
    memset(run, 0, sizeof *run);
    require(mechanism3_model(view, &run->model));
    require(tr_system_build(run->model, &run->system));
    trSimDef def = tr_sim_def_default();
    def.method = method;
    def.rtol = def.atol = 1e-10;
    def.duration = DURATION;
    def.sample = DURATION / ROWS;
    require(run_simulate(run, &def));
    assert_int_equal(run->rows, ROWS + 1);
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

typedef enum Sort { NOT_COMPARED, OF_MOTION, OF_LOADS } Sort;

// Reactions in the redundant loop are not unique, violations are not the same.
static Sort sort_of(const char *column) {
    static const char *const loads[] = {".ax", ".ay", ".az", ".alphax", ".alphay", ".alphaz",
                                        ".Fx", ".Fy", ".Fz", ".Mx",     ".My",     ".Mz"};
    for (int j = 0; j < MECHANISM_JOINTS; j++) {
        size_t      length = strlen(mechanism3_joint(j));
        const char *name = mechanism3_joint(j);
        if (!mechanism3_is_unique(j) && strncmp(column, name, length) == 0 &&
            column[length] == '.') {
            return NOT_COMPARED;
        }
    }
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        if (ends_with(column, loads[i])) {
            return OF_LOADS;
        }
    }
    return strncmp(column, "violation", 9) == 0 ? NOT_COMPARED : OF_MOTION;
}

static double largest_in(const Run *run, int column) {
    double most = 0.0;
    for (long row = 0; row < run->rows; row++) {
        most = fmax(most, fabs(run->table[row * run->columns + column]));
    }
    return most;
}

static void compare(const Run *one, const Run *two, const char *method) {
    double worst[3] = {0.0, 0.0, 0.0};
    assert_int_equal(one->columns, two->columns);
    for (int c = 0; c < one->columns; c++) {
        Sort   sort = sort_of(one->column[c].name);
        double size = 1.0 + largest_in(one, c);
        assert_string_equal(one->column[c].name, two->column[c].name);
        for (long row = 0; row < one->rows && sort != NOT_COMPARED; row++) {
            double a = one->table[row * one->columns + c], b = two->table[row * two->columns + c];
            double error = fabs(a - b) / size;
            worst[sort] = fmax(worst[sort], error);
            if (!(error <= (sort == OF_MOTION ? SAME_MOTION : SAME_LOAD))) {
                fail_msg("%s, %s in row %ld: %g and %g", method, one->column[c].name, row, a, b);
            }
        }
    }
    print_message("  %s: motion %.1e, loads %.1e\n", method, worst[OF_MOTION], worst[OF_LOADS]);
}

static void every_method_gives_the_motion_of_body_coordinates(void **state) {
    const unsigned needs = TR_COPES_REDUNDANT | TR_COPES_SINGULAR_MASS | TR_COPES_NONHOLONOMIC;
    for (int i = 0; i < tr_method_count(); i++) {
        const trMethod *kind = tr_method_at(i);
        const char     *method = kind->name;
        Run             one, two;
        if ((tr_method_traits(kind) & needs) != needs || kind->integrator != NULL ||
            tr_formulation_find(kind->formulation)->error > 1e-10) {
            continue;
        }
        simulate(&plain, method, &one);
        simulate(&by_rates, method, &two);
        if (strcmp(kind->formulation, "lagrange") == 0) {
            assert_string_equal(tr_sim_def(two.sim).formulation, "lagrange_dense");
        }
        assert_int_equal(tr_system_nv(two.system), 7 * MECHANISM_BODIES);
        trSimStats a = tr_sim_stats(one.sim), b = tr_sim_stats(two.sim);
        assert_int_equal(a.degrees_of_freedom, b.degrees_of_freedom);
        assert_int_equal(a.redundant_rows, b.redundant_rows);
        compare(&one, &two, method);
        run_free(&two);
        run_free(&one);
    }
}

// One body that tumbles, without projection: only the norm of its quaternion can drift.
static Machine tumbling(void) {
    Machine machine = {0};
    require(tr_model_create(TR_PARAMS(TR_NUM("dim", 3), TR_WORD("coordinates", "quaternion")),
                            &machine.model));
    machine_body(&machine, "top",
                 TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.2, 0.3, 0.4),
                           TR_VEC("angular_velocity", 5.0, 0.1, 7.0)));
    machine_build(&machine);
    return machine;
}

static void the_norm_is_reported_by_name(void **state) {
    Machine  machine = tumbling();
    trSimDef def = tr_sim_def_default();
    def.method = "lagrange";
    def.integrator = "rk4";
    def.step = 0.02;
    trSim *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_stats(sim).degrees_of_freedom, 6);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
    trViolation position = tr_sim_stats(sim).position, velocity = tr_sim_stats(sim).velocity;
    assert_true(position.angle > 1e-9);  // the step is large enough to see it
    assert_string_equal(position.angle_joint, "quaternion of top");
    assert_string_equal(velocity.angle_joint, "quaternion of top");
    assert_int_equal(tr_system_joints(machine.system), 0);  // it is no joint of the user's
    tr_sim_destroy(sim);
    machine_free(&machine);
}

static void what_needs_a_diagonal_mass_is_refused(void **state) {
    Machine  machine = tumbling();
    trSimDef def = tr_sim_def_default();
    def.formulation = "lagrange";
    machine_refuses(&machine, &def, TR_E_UNSUPPORTED, "lagrange_dense");
    assert_non_null(strstr(tr_last_error(), "mass matrix"));
    machine_free(&machine);
}

// The largest difference of positions and velocities between a run by quaternions with implicit
// steps and an accurate one.
static double error_of_steps(const Run *accurate, double step) {
    Run    run = {0};
    double worst = 0.0;
    require(mechanism3_model(&by_rates, &run.model));
    require(tr_system_build(run.model, &run.system));
    trSimDef def = tr_sim_def_default();
    def.integrator = "generalized_alpha";
    def.step = step;
    def.duration = DURATION;
    def.sample = DURATION / ROWS;
    require(run_simulate(&run, &def));
    assert_int_equal(run.columns, accurate->columns);
    for (int c = 0; c < run.columns; c++) {
        double size = 1.0 + largest_in(accurate, c);
        for (long row = 0; row < run.rows && sort_of(run.column[c].name) == OF_MOTION; row++) {
            long at = row * run.columns + c;
            worst = fmax(worst, fabs(run.table[at] - accurate->table[at]) / size);
        }
    }
    run_free(&run);
    return worst;
}

// Of second order, as in body coordinates: half the step, a quarter of the error.
static void an_implicit_integrator_takes_it(void **state) {
    Run accurate;
    simulate(&plain, "direct_mass", &accurate);
    double coarse = error_of_steps(&accurate, 2e-3), fine = error_of_steps(&accurate, 1e-3);
    print_message("  generalized_alpha: %.1e and %.1e\n", coarse, fine);
    assert_true(fine < 2e-4);
    assert_true(coarse > 3.5 * fine && coarse < 4.5 * fine);
    run_free(&accurate);
}

// A rod without inertia about x, held at both ends on that axis by ball joints.
static void a_rod_that_spins_without_inertia_is_refused_by_name(void **state) {
    Machine machine = {0};
    require(tr_model_create(TR_PARAMS(TR_NUM("dim", 3), TR_WORD("coordinates", "quaternion")),
                            &machine.model));
    int arm = machine_body(&machine, "arm",
                           TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.2, 0.3, 0.4)));
    int rod =
        machine_body(&machine, "rod",
                     TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.0, 0.3, 0.3),
                               TR_VEC("at", 0.3, 0.4, 0.1), TR_VEC("rotation", 0.3, 0.7, -0.4)));
    machine_joint(&machine, "spherical", "head", arm, rod,
                  TR_PARAMS(TR_VEC("point2", 0.7, 0.0, 0.0)));
    machine_joint(&machine, "spherical", "foot", TR_GROUND, rod,
                  TR_PARAMS(TR_VEC("point2", -0.4, 0.0, 0.0)));
    machine_build(&machine);
    trSimDef def = tr_sim_def_default();
    machine_refuses(&machine, &def, TR_E_MODEL,
                    "body 'rod': a rotation of it has neither inertia nor a joint that holds it");
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_gives_the_motion_of_body_coordinates),
        cmocka_unit_test(the_norm_is_reported_by_name),
        cmocka_unit_test(what_needs_a_diagonal_mass_is_refused),
        cmocka_unit_test(an_implicit_integrator_takes_it),
        cmocka_unit_test(a_rod_that_spins_without_inertia_is_refused_by_name),
    };
    return cmocka_run_group_tests_name("quaternion coordinates", tests, NULL, NULL);
}
