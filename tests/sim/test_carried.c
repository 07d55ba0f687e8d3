// SPDX-License-Identifier: MIT
// Whole runs of methods that carry other numbers in place of velocities: modified momenta
// (phase_space) and speeds in a moving basis (liang_lance). Violations and energies are those of
// independent implementations; motions and reactions are those of the default method.

#include <math.h>
#include <string.h>

#include "scenario/scenario.h"
#include "support/machines.h"
#include "support/test.h"
#include "tape/tape.h"

// Two runs with local errors of 1e-10 (1 + |x|) in some 100 to 1000 steps, relative to 1 + the
// largest value of the column. Accelerations and forces follow the motion with its rates squared.
#define SAME 1e-7

static const char *const stages[] = {"phase_space", "liang_lance"};
#define STAGES 2

static void require(trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static void carry(trSimDef *def, const char *stage) {
    def->method = NULL;
    def->stage_projection = stage;
    def->step_projection = "none";
}

// --- violations and energy with fixed steps ---

// Sums of squares of phi and of A v - b1, and the change of the energy from start to end [J], with
// rk4 over 10 s, by an implementation that shares nothing with this one. 0: not given.
static const struct Row {
    const char *file, *stage;
    double      step;  // [s]
    double      position, velocity, energy;
} rows[] = {
    {"four_bar.lua", "phase_space", 1e-3, 5.6e-19, 1.2e-24, 8.5e-8},
    {"four_bar.lua", "liang_lance", 1e-3, 1.0e-21, 3.1e-28, 1.6e-8},
    {"equations_pendulum.lua", "phase_space", 1e-2, 2.3e-15, 0.0, 1.5e-6},
    {"equations_pendulum.lua", "liang_lance", 1e-2, 6.3e-16, 0.0, 1.4e-7},
};

static void violations_and_energies_are_those_of_others(void **state) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct Row *row = &rows[i];
        Run               run;
        trSimDef          def;
        require(run_load(row->file, NULL, &def, &run));
        carry(&def, row->stage);
        def.integrator = "rk4";
        def.step = row->step;
        def.duration = 10.0;
        require(run_simulate(&run, &def));
        trSimStats stats = tr_sim_stats(run.sim);
        print_message("  %s, %s: phi^2 %.1e, (A v - b1)^2 %.1e, dE %.1e J\n", row->file, row->stage,
                      stats.position_squares.worst, stats.velocity_squares.worst,
                      stats.energy_end_drift);
        assert_true(stats.position_squares.worst <= fmax(3.0 * row->position, 1e-20));
        assert_true(stats.velocity_squares.worst <= fmax(3.0 * row->velocity, 1e-20));
        assert_true(fabs(stats.energy_end_drift) <= fmax(3.0 * row->energy, 1e-7));
        assert_true(stats.position_squares.worst > 0.0);
        run_free(&run);
    }
}

#define INSTANTS 20

// The crank of the four-bar at instants up to 1 s. A fixed step of 0 stands for dop853.
static void crank_angles(const char *stage, const char *step_projection, double step,
                         double angle[INSTANTS]) {
    Run      run;
    trSimDef def;
    require(run_load("four_bar.lua", NULL, &def, &run));
    carry(&def, stage);
    def.step_projection = step_projection;
    def.integrator = step > 0.0 ? "rk4" : "dop853";
    def.step = step;
    def.rtol = def.atol = 1e-13;
    require(tr_sim_create(run.system, &def, &run.sim));
    for (int i = 0; i < INSTANTS; i++) {
        require(tr_sim_run_to(run.sim, (i + 1.0) / INSTANTS));
        angle[i] = tr_sim_body(run.sim, 0).angle;
    }
    // A projection leaves 1e-12 (1 + max|q|), fixed steps without one leave more than 1e-10 m.
    bool on = tr_sim_stats(run.sim).position.length <= 1e-11;
    assert_true(step == 0.0 || on == (strcmp(step_projection, "none") != 0));
    run_free(&run);
}

static double largest_error(const double *x, const double *exact) {
    double most = 0.0;
    for (int i = 0; i < INSTANTS; i++) {
        most = fmax(most, fabs(x[i] - exact[i]));
    }
    return most;
}

// rk4 has order 4: half the step, a sixteenth of the error or less.
static void the_order_of_the_integrator_is_kept_with_and_without_projection(void **state) {
    static const char *const projections[] = {"none", "mass_orthogonal"};
    for (int k = 0; k < 2 * STAGES; k++) {
        const char *stage = stages[k / 2], *project = projections[k % 2];
        double      exact[INSTANTS], coarse[INSTANTS], fine[INSTANTS];
        crank_angles(stage, project, 0.0, exact);
        crank_angles(stage, project, 0.005, coarse);
        crank_angles(stage, project, 0.0025, fine);
        double error = largest_error(fine, exact);
        double order = log2(largest_error(coarse, exact) / error);
        print_message("  %s, %s: order %.2f, error %.1e rad\n", stage, project, order, error);
        assert_true(order > 3.8);
    }
}

// --- against the default method ---

static bool is_compared(const char *column) {
    return strncmp(column, "violation", 9) != 0 && strncmp(column, "energy.balance", 14) != 0;
}

// The largest difference of any column, relative to 1 + its largest value.
static double difference(const Run *one, const Run *two) {
    double worst = 0.0;
    assert_int_equal(one->columns, two->columns);
    assert_int_equal(one->rows, two->rows);
    for (int k = 0; k < one->columns; k++) {
        double off = 0.0, size = 1.0;
        for (long i = 0; is_compared(one->column[k].name) && i < one->rows; i++) {
            double x = one->table[i * one->columns + k], y = two->table[i * two->columns + k];
            off = fmax(off, isfinite(y) ? fabs(x - y) : INFINITY);
            size = fmax(size, 1.0 + fabs(x));
        }
        worst = fmax(worst, off / size);
    }
    return worst;
}

static void compare(Run *expected, Run *run, const trSimDef *def, const char *name,
                    const char *stage) {
    trSimDef other = *def;
    require(run_simulate(expected, def));
    carry(&other, stage);
    require(run_simulate(run, &other));
    double off = difference(expected, run);
    print_message("  %s, %s: %.1e, %lld steps\n", name, stage, off,
                  (long long)tr_sim_stats(run->sim).steps);
    if (!(off <= SAME)) {
        fail_msg("%s, %s: columns differ by %.3g", name, stage, off);
    }
    // Rows lie between the ends of steps.
    assert_true(run->rows > tr_sim_stats(run->sim).steps);
}

// Every one with rows between steps. `both`: rows are independent.
static const struct Model {
    const char *file;
    double      duration;
    bool        both;
} models[] = {
    {"five_bar.lua", 1.0, true},                   // a spatial chain
    {"slider_crank_driven.lua", 0.1, true},        // a drive, a body without inertia
    {"four_bar_massless_coupler.lua", 1.0, true},  // no mass at all
    {"knife_edge.lua", 5.0, true},                 // nonholonomic
    {"rolling_disk.lua", 2.0, true},               // nonholonomic, spatial
    {"car_axis.lua", 1.0, true},                   // equations, rows that depend on time
    {"sphere_friction.lua", 0.5, true},            // constraint forces that are not ideal
    {"redundant_parallelogram.lua", 5.0, false},   // rank 11 of 12
    {"bricard.lua", 1.0, false},                   // rank 29 of 30, spatial
};

static void motions_and_reactions_are_those_of_direct_mass(void **state) {
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        for (int k = 0; k < (models[i].both ? 2 : 1); k++) {
            Run      expected, run;
            trSimDef def;
            require(run_load(models[i].file, NULL, &def, &expected));
            require(run_load(models[i].file, NULL, &def, &run));
            def.method = "direct_mass";
            def.rtol = def.atol = 1e-10;
            def.duration = models[i].duration;
            def.sample = models[i].duration / 1000.0;
            compare(&expected, &run, &def, models[i].file, stages[k]);
            run_free(&expected);
            run_free(&run);
        }
    }
}

// t before t0, then t + c (t - t0)^2: its second derivative jumps, so that steps end at t0 and
// begin anew there.
static const trTape *kink(trModel *model, double t0, double c) {
    trTape *tape = tr_tape_create(model->arena);
    int     t = tr_tape_time(tape), start = tr_tape_constant(tape, t0);
    int     u = tr_tape_op(tape, TR_OP_SUB, t, start, -1);
    int     bend = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, c), u, -1);
    bend = tr_tape_op(tape, TR_OP_ADD, t, tr_tape_op(tape, TR_OP_MUL, bend, u, -1), -1);
    int before = tr_tape_op(tape, TR_OP_LESS, t, start, -1);
    tr_tape_finish(tape, tr_tape_op(tape, TR_OP_WHERE, before, t, bend), "kink");
    require(tr_tape_status(tape));
    return tape;
}

#define KINK 0.4  // when the motor begins to run up [s]

// A turret that a motor turns about a tilted axis, and an arm that swings from it on a universal
// joint: spatial, driven, two degrees of freedom.
static void turret(const char *coordinates, Run *run) {
    int base = -1, arm = -1;
    memset(run, 0, sizeof *run);
    require(tr_model_create(TR_PARAMS(TR_NUM("dim", 3), TR_VEC("gravity", 0.0, 0.0, -9.81),
                                      TR_WORD("coordinates", coordinates)),
                            &run->model));
    require(tr_model_add_body(run->model, "turret",
                              TR_PARAMS(TR_NUM("mass", 2.0), TR_VEC("com", 0.1, 0.0, 0.2),
                                        TR_VEC("inertia", 0.1, 0.2, 0.25, 0.02, -0.01, 0.03)),
                              &base));
    require(tr_model_add_body(run->model, "arm",
                              TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("at", 0.5, 0.0, 0.0),
                                        TR_VEC("com", 0.3, 0.1, -0.2),
                                        TR_VEC("inertia", 0.03, 0.04, 0.05)),
                              &arm));
    const trParam *hinge = TR_PARAMS(TR_VEC("point", 0.0, 0.0, 0.0), TR_VEC("axis", 0.1, 0.2, 1.0));
    require(tr_model_add_joint(run->model, "revolute", "hinge", TR_GROUND, base, hinge, NULL));
    const trParam *motor =
        TR_PARAMS(TR_VEC("axis", 0.1, 0.2, 1.0), TR_TIME("angle", kink(run->model, KINK, 3.0)));
    require(tr_model_add_joint(run->model, "driven_angle", "motor", TR_GROUND, base, motor, NULL));
    const trParam *cross =
        TR_PARAMS(TR_VEC("point", 0.5, 0.0, 0.0), TR_VEC("world_axis1", 0.0, 1.0, 0.0),
                  TR_VEC("world_axis2", 0.0, 0.0, 1.0));
    require(tr_model_add_joint(run->model, "universal", "cross", base, arm, cross, NULL));
    require(tr_system_build(run->model, &run->system));
}

static trSimDef turret_def(void) {
    trSimDef def = tr_sim_def_default();
    def.method = "direct_mass";
    def.rtol = def.atol = 1e-10;
    def.duration = 1.0;
    def.sample = 1e-3;
    return def;
}

// Quaternion rates have a singular mass matrix that depends on q.
static void a_spatial_drive_with_a_kink_is_followed_in_all_coordinates(void **state) {
    static const char *const coordinates[] = {"body", "quaternion"};
    for (int c = 0; c < 2; c++) {
        for (int k = 0; k < STAGES; k++) {
            Run      expected, run;
            trSimDef def = turret_def();
            turret("body", &expected);
            turret(coordinates[c], &run);
            compare(&expected, &run, &def, coordinates[c], stages[k]);
            run_free(&expected);
            run_free(&run);
        }
    }
}

// A run in pieces, which ends steps at instants of its own, is the run in one.
static void runs_may_be_stopped_and_taken_up(void **state) {
    for (int k = 0; k < STAGES; k++) {
        Run      run;
        trSim   *whole = NULL, *parts = NULL;
        trSimDef def = turret_def();
        carry(&def, stages[k]);
        turret("body", &run);
        require(tr_sim_create(run.system, &def, &whole));
        require(tr_sim_create(run.system, &def, &parts));
        require(tr_sim_run_to(whole, 1.0));
        for (int i = 1; i <= 7; i++) {
            require(tr_sim_run_to(parts, i < 7 ? i / 7.0 : 1.0));
        }
        double off = 0.0;
        for (int i = 0; i < whole->nv; i++) {
            off = fmax(off, fabs(tr_sim_v(whole)[i] - tr_sim_v(parts)[i]));
        }
        assert_true(tr_sim_stats(parts).steps > tr_sim_stats(whole).steps);
        // Local errors of 1e-10 (1 + |v|), |v| up to 6, in 100 steps.
        assert_true(off <= 7e-8);
        tr_sim_destroy(whole);
        tr_sim_destroy(parts);
        run_free(&run);
    }
}

// --- what cannot be taken ---

// `culprit` is what cannot take it, in the words of a model file.
static void refuses(const char *file, const char *stage, const char *culprit, const char *reason) {
    Run      run;
    trSimDef def;
    require(run_load(file, NULL, &def, &run));
    carry(&def, stage);
    assert_int_equal(tr_sim_create(run.system, &def, &run.sim), TR_E_MODEL);
    assert_non_null(strstr(tr_last_error(), culprit));
    assert_non_null(strstr(tr_last_error(), reason));
    run_free(&run);
}

static void what_cannot_be_taken_is_refused_by_name(void **state) {
    const char *basis = "stage_projection 'liang_lance' does not support";
    refuses("redundant_parallelogram.lua", "liang_lance", basis, "joint 'pin2'");
    refuses("bricard.lua", "liang_lance", basis, "joint 'hinge4'");
    refuses("appell_hamel.lua", "liang_lance", basis, "not linear in velocities");
    refuses("appell_hamel.lua", "phase_space", "stage_projection 'phase_space' does not support",
            "not linear in velocities");
}

// Rows of the parallel four-bar depend on each other where it is flat. With q1(t) exact, a run ends
// near it or says when it failed.
static void flat_positions_end_in_the_exact_angle_or_in_words(void **state) {
    static const double steps[] = {0.01, 0.011};
    for (int k = 0; k < 2 * STAGES; k++) {
        Run      run;
        trSimDef def;
        require(run_load("parallel_four_bar.lua", NULL, &def, &run));
        carry(&def, stages[k / 2]);
        def.integrator = "rk4";
        def.step = steps[k % 2];
        require(tr_sim_create(run.system, &def, &run.sim));
        trStatus status = tr_sim_run_to(run.sim, 3.0);
        double   exact = 2.0 * atan(1.0) + 8.0 * atan(1.0) * 3.0 - 27.0 / 81.0;
        if (status == TR_OK) {
            assert_true(fabs(tr_sim_body(run.sim, 0).angle - exact) < 1e-3);
        } else {
            assert_int_equal(status, TR_E_SIMULATION);
            assert_non_null(strstr(tr_last_error(), "t = "));
            assert_non_null(strstr(tr_last_error(), "depends on the other joints in the pose at"));
            // phase_space without step projection is a named method, too.
            bool        named = strcmp(stages[k / 2], "phase_space") == 0;
            const char *culprit = named ? "which method 'borri_phase_space' does not support"
                                        : "which stage_projection 'liang_lance' does not support";
            assert_non_null(strstr(tr_last_error(), culprit));
        }
        run_free(&run);
    }
}

// A step in which a direction would turn by a right angle has no sign to go by.
static void steps_in_which_the_basis_turns_too_far_are_refused(void **state) {
    Run      run;
    trSimDef def;
    require(run_load("four_bar.lua", NULL, &def, &run));
    carry(&def, "liang_lance");
    def.integrator = "rk4";
    def.step = 0.3;
    require(tr_sim_create(run.system, &def, &run.sim));
    assert_int_equal(tr_sim_run_to(run.sim, 3.0), TR_E_SIMULATION);
    assert_non_null(strstr(tr_last_error(), "60 degrees"));
    run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(violations_and_energies_are_those_of_others),
        cmocka_unit_test(the_order_of_the_integrator_is_kept_with_and_without_projection),
        cmocka_unit_test(motions_and_reactions_are_those_of_direct_mass),
        cmocka_unit_test(a_spatial_drive_with_a_kink_is_followed_in_all_coordinates),
        cmocka_unit_test(runs_may_be_stopped_and_taken_up),
        cmocka_unit_test(what_cannot_be_taken_is_refused_by_name),
        cmocka_unit_test(flat_positions_end_in_the_exact_angle_or_in_words),
        cmocka_unit_test(steps_in_which_the_basis_turns_too_far_are_refused),
    };
    return cmocka_run_group_tests_name("carried", tests, NULL, NULL);
}
