// SPDX-License-Identifier: MIT
// Spatial models from a file: vectors of three numbers, orientations, frames and what they stand
// for; mistakes in them are named with their line.

#include "lua/lua_case.h"

#define HEAD3                                                                                   \
    "local m = model { name = 'x', dim = 3, gravity = { 1, 2, 3 } } local a = m:body { name = " \
    "'a', "                                                                                     \
    "mass = 1, inertia = { 1, 2, 2 }, at = { 1, 0, 0 } }\n"
#define ROUNDING 2e-15  // of some ten operations on numbers of size one

static void expect_vector(trVec3 a, double x, double y, double z) {
    assert_true(fabs(a.x - x) <= ROUNDING && fabs(a.y - y) <= ROUNDING &&
                fabs(a.z - z) <= ROUNDING);
}

static void a_file_becomes_a_spatial_model(void **state) {
    trModel *model = model_of(
        HEAD3 "local b = m:body { name = 'b', mass = 2, at = { 1, 2, 3 }, com = { 4, 5, 6 },\n"
              "    velocity = { 7, 8, 9 }, angular_velocity = { 10, 11, 12 },\n"
              "    rotation = { 0, 0, math.pi / 2 } }\n"
              "m:body { name = 'c', mass = 2, quaternion = { 0, 0, 1, 0 } }\n"
              "m:joint { 'spherical', name = 'J', a, b, point = { 1, 2, 3 } }\n"
              "m:force { 'bushing', name = 'F', 'ground', 'c', stiffness = { 1, 2, 3, 4, 5, 6 } }\n"
              "return m",
        NULL);
    assert_int_equal(model->dim, 3);
    expect_vector(model->gravity, 1, 2, 3);
    assert_string_equal(model->coordinates, "body");
    assert_int_equal(model->bodies, 3);
    const trBody3 *b = &model->body[1].spatial;
    expect_vector(b->place.at, 1, 2, 3);
    expect_vector(b->place.com, 4, 5, 6);
    expect_vector(b->velocity, 7, 8, 9);
    expect_vector(b->angular_velocity, 10, 11, 12);
    // A quarter turn about z takes x to y.
    expect_vector(tr_quat_rotate(b->place.orientation, (trVec3){1, 0, 0}), 0, 1, 0);
    // Half a turn about y takes x to -x.
    expect_vector(tr_quat_rotate(model->body[2].spatial.place.orientation, (trVec3){1, 0, 0}), -1,
                  0, 0);
    assert_string_equal(model->joint[0].kind->name, "spherical");
    assert_int_equal(model->joint[0].kind->dim, 3);
    assert_string_equal(model->force[0].kind->name, "bushing");
    tr_model_destroy(model);
}

static void frames_arrive_in_the_model(void **state) {
    trModel *model = model_of(HEAD3 "m:frame { a, name = 'tip', at = { 1, 2, 3 }, rotation = { 0, "
                                    "math.pi / 2, 0 } }\n"
                                    "local seat = m:frame { m.ground, name = 'seat' }\n"
                                    "assert(seat == 'seat')\n"
                                    "m:frame { 'a', name = 'tail', quaternion = { 0, 1, 0, 0 } }\n"
                                    "return m",
                              NULL);
    assert_int_equal(model->frames, 3);
    assert_string_equal(model->frame[0].name, "tip");
    assert_true(model->frame[0].body == 0 && model->frame[1].body == TR_GROUND &&
                model->frame[2].body == 0);
    expect_vector(model->frame[0].at, 1, 2, 3);
    // A quarter turn about y takes z to x; half a turn about x takes z to -z.
    expect_vector(tr_quat_rotate(model->frame[0].turn, (trVec3){0, 0, 1}), 1, 0, 0);
    expect_vector(tr_quat_rotate(model->frame[2].turn, (trVec3){0, 0, 1}), 0, 0, -1);
    tr_model_destroy(model);

    model = model_of(HEAD "m:frame { a, name = 'tip', at = { 1, 2 }, angle = 3 } return m", NULL);
    assert_true(model->frame[0].angle == 3.0);
    expect_vector(model->frame[0].at, 1, 2, 0);
    tr_model_destroy(model);
}

// phi of a joint with the bodies where they start: ground, and a body without rotation whose center
// of mass and frame stand at (1, 0, 0), with principal axes like the frame's.
static void rows_at_start(const trJoint *joint, double phi[6]) {
    const trMotion3 ground = {.u = {1, 0, 0, 0}, .R = tr_identity3()};
    trMotion3       a = ground;
    double          J1[36], J2[36], b1[6], b[6];
    trJointRows     rows = {.J = {J1, J2}, .phi = phi, .b1 = b1, .b = b};
    a.r = (trVec3){1, 0, 0};
    joint->kind->eval3(joint->params, (const trMotion3 *const[]){&ground, &a}, &rows);
}

static void frames_stand_for_points_and_axes(void **state) {
    // Where the frames do not meet, phi is what is between them: P2 - P1 = (1, 0, 0.5) - (0, 2, 0).
    trModel *model =
        model_of(HEAD3 "m:frame { m.ground, name = 'f', at = { 0, 2, 0 } }\n"
                       "m:frame { a, name = 'g', at = { 0, 0, 0.5 }, rotation = { 0.2, 0.1, 0 } }\n"
                       "m:joint { 'spherical', name = 'J', m.ground, a, frame1 = 'f', frame2 = 'g',"
                       " report = 'g' }\n"
                       "m:joint { 'revolute', m.ground, a, frame1 = 'f', frame2 = 'g' } return m",
                 NULL);
    double phi[6];
    assert_int_equal(model->joint[0].report, 1);
    assert_int_equal(model->joint[1].report, -1);
    rows_at_start(&model->joint[0], phi);
    expect_vector((trVec3){phi[0], phi[1], phi[2]}, 1, -2, 0.5);
    // The axes of the hinge are the z axes of the frames, which that rotation takes apart by its
    // whole angle: |phi| = 2 sin(angle / 2). The other axes are nearer.
    rows_at_start(&model->joint[1], phi);
    expect_vector((trVec3){phi[0], phi[1], phi[2]}, 1, -2, 0.5);
    assert_true(fabs(hypot(phi[3], phi[4]) - 2.0 * sin(0.5 * hypot(0.2, 0.1))) <= ROUNDING);
    tr_model_destroy(model);
}

static void mistakes_in_frames_are_explained(void **state) {
    static const Mistake mistakes[] = {
        {HEAD3 "m:frame { name = 'tip' }", "2: frame 'tip': the first entry must be its body"},
        {HEAD3 "local b\nm:frame { b, name = 'tip' }",
         "3: frame 'tip': the first entry must be its body"},
        {HEAD3 "m:frame { a }", "2: frame: 'name' is missing"},
        {HEAD3 "m:frame { a, a, name = 'tip' }",
         "2: frame 'tip': too many entries without a key; its body alone is expected"},
        {HEAD3 "m:frame { 5, name = 'tip' }", "2: frame 'tip': entry 1 must be a body, got number"},
        {HEAD3 "m:frame { 'gruond', name = 'tip' }",
         "2: frame 'tip': there is no body 'gruond'; did you mean 'ground'?"},
        {HEAD3 "m:frame { a, name = 'a' }",
         "2: frame 'a': there is already a body of this name; choose another"},
        {HEAD3 "m:frame { a, name = 'ground' }",
         "2: frame 'ground': this name is reserved; choose another"},
        {HEAD3 "m:frame { a, name = 'tip', angle = 1 }",
         "2: frame 'tip': unknown key 'angle'; known: at, quaternion, rotation"},
        {HEAD3 "m:frame { a, name = 'tip', at = { 1, 2 } }",
         "2: frame 'tip': 'at' must be a vector {x, y, z}, got a list of 2 numbers"},
        {HEAD3 "m.frame { a, name = 'tip' }", "2: call frame with a colon: m:frame { ... }"},
        {HEAD3 "m:joint { 'spherical', name = 'J', m.ground, a, frame2 = a }",
         "2: joint 'J': 'frame2' must be the name of a frame"},
        {HEAD3 "m:joint { 'spherical', name = 'J', m.ground, a, frame2 = 2 }",
         "2: joint 'J': 'frame2' must be the name of a frame"},
    };
    EXPECT_ERRORS(mistakes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_becomes_a_spatial_model),
        cmocka_unit_test(frames_arrive_in_the_model),
        cmocka_unit_test(frames_stand_for_points_and_axes),
        cmocka_unit_test(mistakes_in_frames_are_explained),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
