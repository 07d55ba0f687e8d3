// SPDX-License-Identifier: MIT
// Which poses and motions have modes, which are refused and in what words, and what is recorded.

#include "modes/modes_case.h"

static Machine falling(void) {
    Machine machine = machine_new();
    machine_body(&machine, "stone", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_build(&machine);
    return machine;
}

static void nothing_holds_a_falling_body(void **state) {
    Machine machine = falling();
    assert_refused(machine.system, TR_E_SIMULATION,
                   "body 'stone': no equilibrium found: after 62 steps it still accelerates by "
                   "9.81 m/s^2");
    machine_free(&machine);
}

// A weight on a spring, beside nothing that pushes across: in balance no force is left to compare
// with but rounding. It is so at the start if the spring is shortened by m g / k already.
static void weight_on_spring(double length, bool keep_pose) {
    Machine        machine = machine_new();
    trModesOptions options = tr_modes_options_default();
    trModes        modes;
    int            block = machine_body(
                   &machine, "block",
                   TR_PARAMS(TR_NUM("mass", 3.0), TR_NUM("inertia", 1.0), TR_VEC("at", 0.0, 0.8)));
    machine_joint(&machine, "prismatic", "guide", TR_GROUND, block,
                  TR_PARAMS(TR_VEC("axis", 0.0, 1.0)));
    assert_int_equal(
        tr_model_add_force(machine.model, "spring", "coil", TR_GROUND, block,
                           TR_PARAMS(TR_NUM("stiffness", 2e4), TR_NUM("length", length),
                                     TR_VEC("world1", 0.0, 0.0), TR_VEC("world2", 0.0, 0.8)),
                           NULL),
        TR_OK);
    machine_build(&machine);
    options.keep_pose = keep_pose;
    if (tr_modes_find(machine.system, &options, &modes) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    assert_null(modes.unbalanced.unit);
    assert_near(modes.q[1], length - 3.0 * GRAVITY / 2e4, 1e-14);
    assert_int_equal(modes.count, 1);
    assert_mode(&modes, 0.0, sqrt(2e4 / 3.0), 1e-12);
    tr_modes_free(&modes);
    machine_free(&machine);
}

static void springs_may_carry_the_whole_weight(void **state) {
    weight_on_spring(0.813, false);
    weight_on_spring(0.8 + 3.0 * GRAVITY / 2e4, false);
    weight_on_spring(0.8 + 3.0 * GRAVITY / 2e4, true);
}

static void a_pose_may_be_kept(void **state) {
    Machine        machine = machine_pendulum(0.0);
    trModesOptions options = tr_modes_options_default();
    trModes        modes;
    options.keep_pose = true;
    assert_int_equal(tr_modes_find(machine.system, &options, &modes), TR_OK);
    assert_non_null(modes.unbalanced.unit);
    assert_string_equal(modes.unbalanced.body, "rod");
    assert_int_equal(modes.iterations, 0);
    assert_null(modes.moved.unit);
    assert_memory_equal(modes.q, machine.system->q0, 3 * sizeof(double));
    tr_modes_free(&modes);
    machine_free(&machine);

    machine = machine_pendulum(-1.57079632679489661923);  // hangs: kept and balanced
    assert_int_equal(tr_modes_find(machine.system, &options, &modes), TR_OK);
    assert_null(modes.unbalanced.unit);
    assert_int_equal(modes.count, 1);
    tr_modes_free(&modes);
    machine_free(&machine);
}

static void free_body_at_rest_is_neutral(void **state) {
    Machine machine = {0};
    assert_int_equal(tr_model_create(NULL, &machine.model), TR_OK);
    machine_body(&machine, "stone", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_build(&machine);
    trModes modes = modes_of(machine.system);
    assert_int_equal(modes.count, 0);
    assert_int_equal(modes.neutrals, 3);
    assert_int_equal(modes.zeros, 6);
    tr_modes_free(&modes);
    machine_free(&machine);
}

// Every mode is one period: it begins and ends at the full amplitude, and passes the equilibrium
// and the other side on its way.
static void modes_are_recorded_as_motions(void **state) {
    Machine     machine = machine_pendulum(-1.0);
    trModes     modes = modes_of(machine.system);
    trRecorder *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    assert_int_equal(tr_modes_record(&modes, recorder), TR_OK);
    int columns = tr_recorder_columns(recorder), angle = tr_recorder_find(recorder, "rod.angle");
    const double *row = tr_recorder_table(recorder), down = -1.57079632679489661923;
    assert_int_equal(tr_recorder_rows(recorder), 49);
    assert_int_equal(columns, 1 + 3 + 3);
    // A tenth of 0.5 m, by which its center of mass is away from the origin.
    assert_near(fabs(row[angle] - down), 0.1, 1e-9);
    assert_near(row[12 * columns + angle], down, 1e-9);
    assert_near(row[24 * columns + angle] - down, -(row[angle] - down), 1e-9);
    assert_near(row[48 * columns + angle], row[angle], 1e-9);
    assert_near(row[48 * columns], 1.0 / modes.mode[0].frequency, 1e-12);
    assert_near(row[tr_recorder_find(recorder, "mode")], 1.0, 0.0);
    assert_near(row[tr_recorder_find(recorder, "eigenvalue.im")], modes.mode[0].im, 0.0);
    tr_recorder_destroy(recorder);
    tr_modes_free(&modes);
    machine_free(&machine);
}

// In space: the shape turns bodies about axes of the world. A rod that hangs askew on a hinge along
// (1, 2, 2) / 3, with other moments of inertia about each of its axes, keeps its hinge to the
// second order of 0.2 rad, which is 0.02, times its length; a turn about another axis would be of
// the first.
static void recorded_turns_are_about_axes_of_the_world(void **state) {
    Machine machine = machine_new3();
    int     rod =
        machine_body(&machine, "rod",
                     TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.1, 0.2, 0.25),
                               TR_VEC("com", 0.3, 0.1, -0.4), TR_VEC("rotation", 0.4, -0.3, 0.9)));
    machine_joint(&machine, "revolute", "hinge", TR_GROUND, rod,
                  TR_PARAMS(TR_VEC("point", 0.0, 0.0, 0.0), TR_VEC("axis", 1.0, 2.0, 2.0)));
    machine_build(&machine);
    trModes     modes = modes_of(machine.system);
    trRecorder *recorder = NULL;
    assert_int_equal(modes.count, 1);
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    assert_int_equal(tr_modes_record(&modes, recorder), TR_OK);
    int columns = tr_recorder_columns(recorder), first = tr_recorder_find(recorder, "rod.x");
    const double *row = tr_recorder_table(recorder);
    const double *e = row + first + 3, *f = row + 12 * columns + first + 3;  // the middle
    trQuat        start = {e[0], e[1], e[2], e[3]}, middle = {f[0], f[1], f[2], f[3]};
    trVec3        turn = tr_quat_log(tr_quat_mul(start, tr_quat_conjugate(middle)));
    double        angle = tr_length3(turn);
    assert_true(angle > 0.05);
    assert_near(fabs(turn.x) / angle, 1.0 / 3.0, 1e-9);
    assert_near(turn.y / turn.x, 2.0, 1e-9);
    assert_near(turn.z / turn.x, 2.0, 1e-9);
    for (int k = 0; k < 49; k++) {
        for (int i = 0; i < 3; i++) {
            assert_near(row[k * columns + first + i], 0.0, 0.5 * angle * angle * 0.6);
        }
    }
    tr_recorder_destroy(recorder);
    tr_modes_free(&modes);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_holds_a_falling_body),
        cmocka_unit_test(springs_may_carry_the_whole_weight),
        cmocka_unit_test(a_pose_may_be_kept),
        cmocka_unit_test(free_body_at_rest_is_neutral),
        cmocka_unit_test(modes_are_recorded_as_motions),
        cmocka_unit_test(recorded_turns_are_about_axes_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
