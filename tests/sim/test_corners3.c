// SPDX-License-Identifier: MIT
// Corners of spatial runs: output rows where phi is nearly nothing, steps that turn far, ends and
// goals beside a step, drives whose acceleration jumps, small units.

#include <math.h>
#include <string.h>

#include "model/model.h"
#include "support/machines.h"
#include "support/test.h"
#include "tape/tape.h"

static Machine spatial(void) {
    Machine machine = {0};
    assert_int_equal(
        tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0), TR_VEC("gravity", 0.0, 0.0, -9.81)),
                        &machine.model),
        TR_OK);
    return machine;
}

static trSimDef implicit(double step, double duration) {
    trSimDef def = tr_sim_def_default();
    def.integrator = "generalized_alpha";
    def.step = step;
    def.duration = duration;
    return def;
}

// Two arms of the length `scale` one after the other.
static Machine double_pendulum(double scale, double mass) {
    Machine machine = spatial();
    double  J = 0.1 * mass * scale * scale;
    int     a = machine_body(&machine, "a",
                             TR_PARAMS(TR_NUM("mass", mass), TR_VEC("inertia", J, J, J),
                                       TR_VEC("at", 0.5 * scale, 0.0, 0.0)));
    int     b = machine_body(&machine, "b",
                             TR_PARAMS(TR_NUM("mass", mass), TR_VEC("inertia", J, J, J),
                                       TR_VEC("at", 1.5 * scale, 0.0, 0.0)));
    machine_joint(&machine, "revolute", "A", TR_GROUND, a,
                  TR_PARAMS(TR_VEC("point", 0.0, 0.0, 0.0), TR_VEC("axis", 0.0, 1.0, 0.0)));
    machine_joint(&machine, "revolute", "B", a, b,
                  TR_PARAMS(TR_VEC("point", scale, 0.0, 0.0), TR_VEC("axis", 0.0, 1.0, 0.0)));
    machine_build(&machine);
    return machine;
}

static Machine top(double speed) {
    Machine machine = spatial();
    machine_body(&machine, "top",
                 TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 1.0, 1.0, 1.5),
                           TR_VEC("angular_velocity", 0.0, 0.0, speed)));
    machine_build(&machine);
    return machine;
}

static trReaction reaction(trSim *sim, int joint) {
    trReaction out;
    assert_int_equal(tr_sim_reaction(sim, joint, &out), TR_OK);
    return out;
}

// Coordinates that are nearly zero let phi fall far below rounding, again and again.
static void rows_of_bodies_at_rest_against_each_other_are_written(void **state) {
    Machine     machine = spatial();
    trSimDef    def = tr_sim_def_default();
    trRecorder *recorder = NULL;
    int         a = machine_body(&machine, "a",
                                 TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 1.0, 1.0, 1.0)));
    int         b = machine_body(&machine, "b",
                                 TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.1, 0.2, 0.25),
                                           TR_VEC("at", 1.0, 0.0, 0.0), TR_VEC("com", 0.1, 0.1, 0.1)));
    machine_joint(&machine, "fixed", "weld", a, b, NULL);
    machine_build(&machine);
    trSim *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
    assert_int_equal(tr_recorder_rows(recorder), 201);
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// About a fixed axis the method is exact: ten steps of 4 rad leave rounding.
static void a_step_may_turn_a_body_by_more_than_half_a_turn(void **state) {
    Machine  machine = top(4000.0);
    trSimDef def = implicit(1e-3, 0.01);
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
    assert_true(fabs(tr_sim_body(sim, 0).wz - 4000.0) <= 1e-9 * 4000.0);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

static void a_step_that_turns_a_body_too_far_is_refused_by_its_name(void **state) {
    Machine  machine = top(6000.0);
    trSimDef def = implicit(1e-3, 0.01);
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_E_SIMULATION);
    assert_non_null(strstr(tr_last_error(), "body 'top': turns by more than 5 rad"));
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// The weight of both is 20 N. A step of 1e-10 s would give rounding, 1e-16 m, times 1e20 1/s^2.
// Over 1e-10 s the reaction itself changes by some 1e-7 N.
static void a_run_that_ends_just_after_a_step_has_true_reactions(void **state) {
    Machine    machine = double_pendulum(1.0, 1.0);
    trReaction end[2];
    for (int i = 0; i < 2; i++) {
        trSimDef def = implicit(1e-3, i == 0 ? 1.0 : 1.0 + 1e-10);
        trSim   *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
        end[i] = reaction(sim, 0);
        tr_sim_destroy(sim);
    }
    assert_true(fabs(end[1].fx - end[0].fx) + fabs(end[1].fz - end[0].fz) <= 1e-5);
    machine_free(&machine);
}

// Likewise where the next goal is near. What comes after is as if it had not been.
static void goals_that_are_near_do_no_harm(void **state) {
    Machine    machine = double_pendulum(1.0, 1.0);
    trSimDef   def = implicit(1e-3, 2.0);
    trReaction end[2];
    for (int i = 0; i < 2; i++) {
        trSim *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
        trReaction before = reaction(sim, 0);
        if (i == 1) {
            assert_int_equal(tr_sim_run_to(sim, nextafter(1.0, 2.0)), TR_OK);
            assert_int_equal(tr_sim_run_to(sim, 1.0 + 1e-9), TR_OK);
            assert_true(fabs(reaction(sim, 0).fz - before.fz) <= 1e-5);
        }
        assert_int_equal(tr_sim_run_to(sim, 1.1), TR_OK);
        end[i] = reaction(sim, 0);
        tr_sim_destroy(sim);
    }
    assert_true(fabs(end[1].fx - end[0].fx) + fabs(end[1].fz - end[0].fz) <= 1e-4);
    machine_free(&machine);
}

// 0 before t0, then 50 (t - t0)^2.
static const trTape *start_turning(Machine *machine, double t0) {
    trTape *tape = tr_tape_create(machine->model->arena);
    int     t = tr_tape_time(tape), at = tr_tape_constant(tape, t0);
    int     u = tr_tape_op(tape, TR_OP_SUB, t, at, -1);
    int     square = tr_tape_op(tape, TR_OP_MUL, u, u, -1);
    square = tr_tape_op(tape, TR_OP_MUL, tr_tape_constant(tape, 50.0), square, -1);
    int early = tr_tape_op(tape, TR_OP_LESS, t, at, -1);
    int all = tr_tape_op(tape, TR_OP_WHERE, early, tr_tape_constant(tape, 0.0), square);
    tr_tape_finish(tape, all, "start");
    return tape;
}

// The acceleration of the step before the jump, 100 rad/s^2 off, does not count.
static void a_drive_whose_acceleration_jumps_is_not_violated(void **state) {
    Machine machine = spatial();
    int     a = machine_body(&machine, "a",
                             TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.1, 0.1, 0.1),
                                       TR_VEC("at", 0.5, 0.0, 0.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, a,
                  TR_PARAMS(TR_VEC("point", 0.0, 0.0, 0.0), TR_VEC("axis", 0.0, 0.0, 1.0)));
    machine_joint(
        &machine, "driven_angle", "motor", TR_GROUND, a,
        TR_PARAMS(TR_VEC("axis", 0.0, 0.0, 1.0), TR_TIME("angle", start_turning(&machine, 0.05))));
    machine_build(&machine);
    trSimDef def = implicit(1e-3, 0.1);
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
    assert_true(tr_sim_stats(sim).acceleration.angle <= 1e-3);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A micrometer and 1e-15 kg, as of water: the joints are as independent as with a meter and a
// kilogram.
static void small_mechanisms_are_not_taken_for_singular(void **state) {
    Machine  machine = double_pendulum(1e-6, 1e-15);
    trSimDef def = implicit(1e-6, 1e-4);
    trSim   *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// An edge mill: a wheel rolls round a driven post, on a hinged axle without mass. One row depends
// on the others, and the dependence joins rows of positions and of rolling: what holds velocities
// alone must not hold back a correction of positions.
static void rolling_does_not_hold_back_positions(void **state) {
    const double R = 0.3, L = 0.5, w = 2.0;
    Machine      machine = {0};
    assert_int_equal(
        tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0), TR_VEC("gravity", 0.0, 0.0, -GRAVITY)),
                        &machine.model),
        TR_OK);
    int axle =
        machine_body(&machine, "axle", TR_PARAMS(TR_NUM("mass", 0.0), TR_VEC("at", 0, 0, R)));
    int post = machine_body(&machine, "post",
                            TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.01, 0.01, 0.01),
                                      TR_VEC("at", 0, 0, R), TR_VEC("angular_velocity", 0, 0, w)));
    int wheel = machine_body(&machine, "wheel",
                             TR_PARAMS(TR_NUM("mass", 10.0), TR_VEC("inertia", 0.45, 0.225, 0.225),
                                       TR_VEC("at", L, 0, R), TR_VEC("velocity", 0, w * L, 0),
                                       TR_VEC("angular_velocity", -w * L / R, 0, w)));
    machine_joint(&machine, "revolute", "post", TR_GROUND, post,
                  TR_PARAMS(TR_VEC("axis", 0, 0, 1)));
    machine_joint(&machine, "driven_angle", "motor", TR_GROUND, post,
                  TR_PARAMS(TR_VEC("axis", 0, 0, 1),
                            TR_TIME("angle", machine_polynomial(&machine, 0.0, w, 0.0))));
    machine_joint(&machine, "revolute", "hinge", post, axle, TR_PARAMS(TR_VEC("axis", 0, 1, 0)));
    machine_joint(&machine, "revolute", "bearing", axle, wheel, TR_PARAMS(TR_VEC("axis", 1, 0, 0)));
    machine_joint(
        &machine, "rolling_disk", "road", TR_GROUND, wheel,
        TR_PARAMS(TR_NUM("radius", R), TR_VEC("axis", 1, 0, 0), TR_VEC("normal", 0, 0, 1)));
    machine_build(&machine);
    trSimDef def = tr_sim_def_default();
    def.duration = 3.0;
    trSim *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run(sim, NULL, NULL), TR_OK);
    trSimStats stats = tr_sim_stats(sim);
    assert_int_equal(stats.redundant_rows, 1);
    assert_true(stats.rejected <= 2);  // the motion is uniform: every step is as good as any other
    assert_true(stats.position.length <= 1e-11 && stats.position.angle <= 1e-11);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// A ball on a damped contact lifts off while the damper would still pull: its force is cut there,
// and the power of what has no potential has a kink that the motion hardly feels. The work is held
// to the tolerances all the same.
static void work_is_held_to_the_tolerances(void **state) {
    Machine machine = spatial();
    int     ball = machine_body(&machine, "ball",
                                TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.1, 0.1, 0.1),
                                          TR_VEC("at", 0.0, 0.0, 0.5)));
    machine_joint(&machine, "prismatic", "guide", TR_GROUND, ball,
                  TR_PARAMS(TR_VEC("axis", 0.0, 0.0, 1.0)));
    machine_force(&machine, "contact", "floor", TR_GROUND, ball,
                  TR_PARAMS(TR_VEC("up", 0.0, 0.0, 1.0), TR_NUM("radius", 0.2),
                            TR_NUM("stiffness", 2000.0), TR_NUM("damping", 30.0)));
    machine_build(&machine);
    trSimDef def = tr_sim_def_default();
    def.rtol = def.atol = 1e-10;
    trSim *sim = machine_sim(&machine, &def);
    assert_int_equal(tr_sim_run_to(sim, 1.5), TR_OK);
    trSimStats stats = tr_sim_stats(sim);
    assert_true(stats.work < -0.5);
    // Some 10 bounces with errors of 1e-10 (1 + |E|) each, where steps end, and 100 steps between.
    if (!(stats.energy_drift <= 1e-7)) {
        fail_msg("drift of %g J", stats.energy_drift);
    }
    tr_sim_destroy(sim);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_bodies_at_rest_against_each_other_are_written),
        cmocka_unit_test(a_step_may_turn_a_body_by_more_than_half_a_turn),
        cmocka_unit_test(a_step_that_turns_a_body_too_far_is_refused_by_its_name),
        cmocka_unit_test(a_run_that_ends_just_after_a_step_has_true_reactions),
        cmocka_unit_test(goals_that_are_near_do_no_harm),
        cmocka_unit_test(a_drive_whose_acceleration_jumps_is_not_violated),
        cmocka_unit_test(small_mechanisms_are_not_taken_for_singular),
        cmocka_unit_test(rolling_does_not_hold_back_positions),
        cmocka_unit_test(work_is_held_to_the_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
