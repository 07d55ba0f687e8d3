// SPDX-License-Identifier: MIT
// Frames on bodies: their motion, joints placed at them, and reactions given in them.

#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"

#define H 1e-3  // between states of a run [s]

// A rod that hangs by a universal joint, with two frames, and a frame of ground.
static Machine hanging(const char *report) {
    Machine machine = {0};
    int     rod;
    assert_int_equal(
        tr_model_create(TR_PARAMS(TR_NUM("dim", 3.0), TR_VEC("gravity", 0.0, 0.0, -GRAVITY)),
                        &machine.model),
        TR_OK);
    rod = machine_body(&machine, "rod",
                       TR_PARAMS(TR_NUM("mass", 2.0), TR_VEC("inertia", 0.2, 0.3, 0.15),
                                 TR_VEC("at", 0.0, 0.0, 1.0), TR_VEC("com", 0.1, 0.2, -0.7),
                                 TR_VEC("angular_velocity", 0.8, -1.1, 0.0)));
    assert_int_equal(tr_model_add_frame(machine.model, "tip", rod,
                                        TR_PARAMS(TR_VEC("at", 0.3, -0.2, -1.5),
                                                  TR_VEC("rotation", 0.4, 0.9, -0.3)),
                                        NULL),
                     TR_OK);
    assert_int_equal(tr_model_add_frame(machine.model, "base", TR_GROUND,
                                        TR_PARAMS(TR_VEC("at", 0.0, 0.0, 1.0)), NULL),
                     TR_OK);
    assert_int_equal(tr_model_add_frame(machine.model, "eye", rod, NULL, NULL), TR_OK);
    machine_joint(&machine, "universal", "U", TR_GROUND, rod,
                  TR_PARAMS(TR_WORD("frame1", "base"), TR_WORD("frame2", "eye"),
                            TR_VEC("axis1", 1.0, 0.0, 0.0), TR_VEC("axis2", 0.0, 1.0, 0.0),
                            TR_WORD("report", report)));
    machine_build(&machine);
    return machine;
}

static trSim *run_to(const Machine *machine, double t) {
    trSimDef def = tr_sim_def_default();
    def.rtol = def.atol = 1e-12;
    trSim *sim = machine_sim(machine, &def);
    assert_int_equal(tr_sim_run_to(sim, t), TR_OK);
    return sim;
}

// Fourth-order differences of a run with tolerance 1e-12: rounding and tolerance are divided by H.
static void frames_follow_their_body(void **state) {
    Machine     machine = hanging("tip");
    trBodyState at[5];
    for (int i = 0; i < 5; i++) {
        trSim *sim = run_to(&machine, 0.3 + (i - 2) * H);
        at[i] = tr_sim_frame(sim, 0);
        tr_sim_destroy(sim);
    }
#define SLOPE(part) ((at[0].part - 8.0 * at[1].part + 8.0 * at[3].part - at[4].part) / (12.0 * H))
    assert_true(fabs(at[2].vx - SLOPE(x)) <= 1e-9 && fabs(at[2].vy - SLOPE(y)) <= 1e-9);
    assert_true(fabs(at[2].vz - SLOPE(z)) <= 1e-9 && fabs(at[2].vz) > 0.01);
    trQuat e = {at[2].quaternion[0], at[2].quaternion[1], at[2].quaternion[2], at[2].quaternion[3]};
    trQuat rate = {SLOPE(quaternion[0]), SLOPE(quaternion[1]), SLOPE(quaternion[2]),
                   SLOPE(quaternion[3])};
    trQuat w = tr_quat_mul(rate, tr_quat_conjugate(e));
    assert_true(fabs(at[2].wx - 2.0 * w.x) <= 1e-9 && fabs(at[2].wz - 2.0 * w.z) <= 1e-9);
#undef SLOPE
    machine_free(&machine);
}

// Accelerations are recorded: against differences of recorded velocities, as above.
static void recorded_accelerations_of_frames_are_derivatives(void **state) {
    Machine      machine = hanging("tip");
    const double times[] = {0.3 - 2.0 * H, 0.3 - H, 0.3, 0.3 + H, 0.3 + 2.0 * H};
    trSimDef     def = tr_sim_def_default();
    def.rtol = def.atol = 1e-12;
    def.times = (trNumbers){5, times};
    trSim      *sim = machine_sim(&machine, &def);
    trRecorder *recorder = NULL;
    assert_int_equal(tr_recorder_create(&recorder), TR_OK);
    assert_int_equal(tr_recorder_add(recorder, "memory", NULL), TR_OK);
    assert_int_equal(tr_sim_run(sim, recorder, NULL), TR_OK);
    const char   *pairs[][2] = {{"tip.vx", "tip.ax"},
                                {"tip.vy", "tip.ay"},
                                {"tip.vz", "tip.az"},
                                {"tip.wx", "tip.alphax"},
                                {"tip.wz", "tip.alphaz"}};
    const double *table = tr_recorder_table(recorder);
    int           width = tr_recorder_columns(recorder);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const double *v = table + tr_recorder_find(recorder, pairs[k][0]);
        double        a = table[2 * width + tr_recorder_find(recorder, pairs[k][1])];
        double slope = (v[0] - 8.0 * v[width] + 8.0 * v[3 * width] - v[4 * width]) / (12.0 * H);
        if (!(fabs(a - slope) <= 2e-9)) {
            fail_msg("%s is %.12g, should be %.12g", pairs[k][1], a, slope);
        }
    }
    tr_recorder_destroy(recorder);
    tr_sim_destroy(sim);
    machine_free(&machine);
}

// The same load: turned into the frame's axes, with the moment about its origin.
static void a_reaction_may_be_given_in_a_frame(void **state) {
    Machine    with = hanging("tip"), without = hanging("eye");
    trSim     *framed = run_to(&with, 0.4), *plain = run_to(&without, 0.4);
    trReaction r, p;
    assert_int_equal(tr_sim_reaction(framed, 0, &r), TR_OK);
    assert_int_equal(tr_sim_reaction(plain, 0, &p), TR_OK);
    assert_string_equal(r.frame, "tip");
    trBodyState tip = tr_sim_frame(framed, 0), eye = tr_sim_frame(plain, 2);
    trQuat      a = {tip.quaternion[0], tip.quaternion[1], tip.quaternion[2], tip.quaternion[3]};
    trQuat      b = {eye.quaternion[0], eye.quaternion[1], eye.quaternion[2], eye.quaternion[3]};
    trVec3      F = tr_quat_rotate(b, (trVec3){p.fx, p.fy, p.fz});
    trVec3      M = tr_quat_rotate(b, (trVec3){p.mx, p.my, p.mz});
    trVec3      arm = {p.x - r.x, p.y - r.y, p.z - r.z};
    M = tr_quat_unrotate(a, tr_add3(M, tr_cross3(arm, F)));
    F = tr_quat_unrotate(a, F);
    assert_true(fabs(r.x - tip.x) <= 1e-15 && fabs(r.z - tip.z) <= 1e-15);
    assert_true(fabs(F.x - r.fx) <= 1e-11 && fabs(F.y - r.fy) <= 1e-11);
    assert_true(fabs(F.z - r.fz) <= 1e-11 && fabs(M.x - r.mx) <= 1e-11);
    assert_true(fabs(M.y - r.my) <= 1e-11 && fabs(M.z - r.mz) <= 1e-11);
    assert_true(fabs(r.mx) + fabs(r.my) > 1.0);
    tr_sim_destroy(framed);
    tr_sim_destroy(plain);
    machine_free(&with);
    machine_free(&without);
}

static void planar_models_have_frames_too(void **state) {
    Machine machine = machine_new();
    int     rod = machine_body(&machine, "rod",
                               TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1),
                                         TR_NUM("angle", 0.3), TR_NUM("angular_velocity", 2.0)));
    assert_int_equal(tr_model_add_frame(machine.model, "tip", rod,
                                        TR_PARAMS(TR_VEC("at", 2.0, 0.0), TR_NUM("angle", 0.25)),
                                        NULL),
                     TR_OK);
    machine_joint(&machine, "revolute", "pin", TR_GROUND, rod, NULL);
    machine_build(&machine);
    const trSystem *s = machine.system;
    trBodyState     tip = tr_system_frame_state(s, 0, s->q0, s->v0);
    assert_true(fabs(tip.x - 2.0 * cos(0.3)) <= 1e-15 && fabs(tip.y - 2.0 * sin(0.3)) <= 1e-15);
    assert_true(fabs(tip.angle - 0.55) <= 1e-15 && tip.omega == 2.0);
    assert_true(fabs(tip.vx + 4.0 * sin(0.3)) <= 1e-15);
    assert_int_equal(tr_system_frames(s), 1);
    assert_string_equal(tr_system_frame_name(s, 0), "tip");
    assert_null(tr_system_frame_name(s, 1));
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_follow_their_body),
        cmocka_unit_test(recorded_accelerations_of_frames_are_derivatives),
        cmocka_unit_test(a_reaction_may_be_given_in_a_frame),
        cmocka_unit_test(planar_models_have_frames_too),
    };
    return cmocka_run_group_tests_name("frames", tests, NULL, NULL);
}
