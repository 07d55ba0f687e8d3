// SPDX-License-Identifier: MIT
// What prevents a run, what looks wrong, and how far a start is off.

#include "check/check_case.h"

#include "integrator/integrator.h"
#include "sim/def.h"

static void a_tie_rod_on_two_balls_turns_about_its_axis(void **state) {
    Case c = case_file("models/benchmark/iltis.lua", (const char *[]){"tie=spherical", NULL});
    const trCheck *k = &c.check;
    assert_true(k->prevents);
    assert_non_null(k->refusal);
    assert_true(k->assembled);
    assert_int_equal(k->degrees_of_freedom, 2);
    assert_int_equal(k->massless, 1);
    assert_string_equal(k->free_motion[0].body, "tie rod");
    assert_string_equal(k->free_motion[0].text, "rotation about its axis");
    const double *w = k->free_motion[0].twist + 3, length = sqrt(w[1] * w[1] + w[2] * w[2]);
    assert_line((const double[]){w[0] / length, w[1] / length, w[2] / length}, 0.0, -0.378, -0.069);
    const trFinding *f = finding_of(k, "massless", "tie rod");
    assert_string_equal(f->reason,
                        "rotation about its axis has neither inertia nor a joint that holds it");
    assert_int_equal(f->severity, TR_PREVENTS);
    assert_ptr_equal(f, &k->finding[0]);
    case_free(&c);

    c = case_file("models/benchmark/iltis.lua", NULL);
    assert_false(c.check.prevents);
    assert_null(c.check.refusal);
    assert_int_equal(c.check.massless, 0);
    assert_int_equal(c.check.degrees_of_freedom, 1);
    case_free(&c);
}

static void a_coordinate_without_mass_is_named(void **state) {
    Case c = case_text("local s = system { name = 'own', coordinates = { 'x', 'y', 'w' } }\n"
                       "s:mass(function(q) return { { 1, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } end)\n"
                       "s:constraint { name = 'link', phi = function(q) return q.w - q.x end }\n"
                       "return s\n",
                       NULL);
    assert_true(c.check.prevents);
    assert_int_equal(c.check.massless, 1);
    assert_string_equal(c.check.free_motion[0].body, "y");
    case_free(&c);
}

static void what_cannot_be_closed_is_said_and_looked_at(void **state) {
    Case c = case_text(
        "local m = model { name = 'short', gravity = { 0, -9.81 } }\n"
        "local a = m:body { name = 'a', mass = 1, inertia = 0.1, angle = 1 }\n"
        "local b = m:body { name = 'b', mass = 1, inertia = 0.1, at = { 1, 1 } }\n"
        "m:joint { 'revolute', name = 'A', m.ground, a, point1 = { 0, 0 }, point2 = { 0, 0 } }\n"
        "m:joint { 'revolute', name = 'B', a, b, point1 = { 1, 0 }, point2 = { 0, 0 } }\n"
        "m:joint { 'revolute', name = 'C', m.ground, b, point1 = { 5, 0 }, point2 = { 1, 0 } }\n"
        "return m\n",
        NULL);
    const trCheck *k = &c.check;
    assert_true(k->prevents);
    assert_false(k->assembled);
    assert_non_null(strstr(k->refusal, "cannot be assembled"));
    assert_string_equal(finding_of(k, "assembly", "short")->reason, k->refusal);
    assert_int_equal(k->rank, 6);
    assert_int_equal(k->gaps, 2);
    assert_string_equal(k->gap[0].joint, "B");
    assert_true(fabs(k->gap[0].length - hypot(1.0 - cos(1.0), 1.0 - sin(1.0))) < 1e-15);
    assert_string_equal(k->gap[1].joint, "C");
    assert_true(fabs(k->gap[1].length - hypot(3.0, 1.0)) < 1e-15);
    case_free(&c);
}

static void a_start_that_is_off_is_told_by_joint(void **state) {
    Case c = case_text(
        "local m = model { name = 'off', gravity = { 0, -9.81 } }\n"
        "local a = m:body { name = 'a', mass = 1, inertia = 0.1, at = { 0.6, 0 },\n"
        "  angular_velocity = 3 }\n"
        "m:joint { 'revolute', name = 'A', m.ground, a, point1 = { 0, 0 }, point2 = { -0.5, 0 } }\n"
        "return m\n",
        NULL);
    const trCheck *k = &c.check;
    assert_false(k->prevents);
    assert_int_equal(k->gaps, 1);
    assert_true(fabs(k->gap[0].length - 0.1) < 1e-15);
    assert_true(fabs(k->gap[0].length_rate - 1.5) < 1e-15);
    assert_true(k->gap[0].angle == 0.0);
    assert_string_equal(k->moved.body, "a");
    assert_true(k->moved.value > 0.01);
    case_free(&c);
}

static void wrong_units_are_suspected(void **state) {
    Case c = case_text(
        "local m = model { name = 'units', dim = 3, gravity = { 0, 0, -9810 } }\n"
        "local a = m:body { name = 'rod', mass = 1, inertia = { 83e3, 83e3, 100 },\n"
        "  at = { 0.5, 0, 0 } }\n"
        "local b = m:body { name = 'bolt', mass = 1e-7, inertia = { 1e-18, 1e-18, 1e-18 },\n"
        "  at = { 1, 0, 0 } }\n"
        "m:body { name = 'lost', mass = 1, inertia = { 1, 1, 1 } }\n"
        "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0, 0 }, axis = { 0, 1, 0 } }\n"
        "m:joint { 'spherical', name = 'B', a, b, point = { 1, 0, 0 } }\n"
        "return m\n",
        NULL);
    const trCheck *k = &c.check;
    assert_false(k->prevents);
    assert_string_equal(finding_of(k, "units", "units")->reason, "gravity 9810: millimeters?");
    assert_non_null(strstr(finding_of(k, "inertia", "rod")->reason, "288 m, is huge"));
    assert_non_null(strstr(finding_of(k, "inertia", "bolt")->reason, "is tiny"));
    assert_non_null(strstr(finding_of(k, "units", "rod")->reason, "times that of bolt"));
    assert_int_equal(finding_of(k, "unused", "lost")->severity, TR_NOTE);
    assert_int_equal(k->findings, 5);
    case_free(&c);
}

static void degrees_and_millimeters_are_suspected(void **state) {
    Case c = case_text(
        "local m = model { name = 'mm', gravity = { 0, -9.81 } }\n"
        "local rod = m:body { name = 'rod', mass = 1, inertia = 500 ^ 2 / 12, at = { 250, 0 },\n"
        "                     angle = -45 }\n"
        "m:joint { 'revolute', name = 'pin', m.ground, rod, point = { 0, 0 } }\n"
        "return m\n",
        NULL);
    assert_string_equal(finding_of(&c.check, "units", "rod")->reason,
                        "its angle, -45 rad, is 7.16 turns, as if in degrees");
    assert_non_null(strstr(finding_of(&c.check, "units", "mm")->reason, "as if in millimeters"));
    case_free(&c);
    c = case_text(
        "local m = model { name = 'space', dim = 3, gravity = { 0, 0, -9.81 } }\n"
        "local rod = m:body { name = 'rod', mass = 1, inertia = { 1, 1, 1 }, at = { 0.5, 0, 0 },\n"
        "                     rotation = { 0, 0, 90 } }\n"
        "m:joint { 'spherical', name = 'pin', m.ground, rod, point = { 0, 0, 0 } }\n"
        "return m\n",
        NULL);
    assert_non_null(strstr(finding_of(&c.check, "model", "space")->reason, "14.3 turns: degrees?"));
    case_free(&c);
}

static void a_joint_far_away_is_suspected(void **state) {
    Case c = case_text(
        "local m = model { name = 'far', gravity = { 0, -9.81 } }\n"
        "local last = m.ground\n"
        "for i = 1, 200 do\n"
        "  local rod = m:body { name = 'rod' .. i, mass = 1, inertia = 0.1, at = { i, 0 } }\n"
        "  m:joint { 'revolute', name = 'pin' .. i, last, rod, point = { i - 0.5, 0 } }\n"
        "  last = rod\n"
        "end\n"
        "m:joint { 'distance', name = 'rope', m.ground, last, world1 = { 0, 5 },\n"
        "  world2 = { 200, 800 } }\n"
        "return m\n",
        NULL);
    assert_non_null(
        strstr(finding_of(&c.check, "frames", "rope")->reason, "800 m from the center"));
    case_free(&c);
}

// How many bodies are said to be immobile.
static int immobile(const trCheck *check) {
    int count = 0;
    for (int i = 0; i < check->findings; i++) {
        count += strcmp(check->finding[i].topic, "immobile") == 0 ? 1 : 0;
    }
    return count;
}

static int immobile_in(const char *text, const char *const *set) {
    Case c = case_text(text, set);
    int  count = immobile(&c.check);
    case_free(&c);
    return count;
}

static const char door[] =
    "local m = model { name = 'house', dim = 3, gravity = { 0, 0, -9.81 } }\n"
    "local off, tilt = parameter('off', 0.01), parameter('tilt', 0.05)\n"
    "local door = m:body { name = 'door', mass = 20, inertia = { 7, 1.1, 8.1 },\n"
    "  com = { 0.4, 0, 1 } }\n"
    "local knob = m:body { name = 'knob', mass = 1, inertia = { 1, 1, 1 }, at = { 0.7, 0, 1 } }\n"
    "local key = m:body { name = 'key', mass = 1, inertia = { 1, 1, 1 }, at = { 0.7, 0, 0.9 } }\n"
    "m:joint { 'revolute', name = 'lower', m.ground, door, point = { 0, 0, 0.2 },\n"
    "  axis = { 0, 0, 1 } }\n"
    "m:joint { 'revolute', name = 'upper', m.ground, door, point = { 0, off, 1.8 },\n"
    "  axis = { 0, tilt, 1 } }\n"
    "m:joint { 'fixed', name = 'screws', door, knob }\n"
    "m:joint { 'revolute', name = 'ring', knob, key, point = { 0.7, 0, 1 }, axis = { 1, 0, 0 } }\n"
    "return m\n";

// atan(0.05) = 2.86 deg. The knob is screwed to the door, which is to blame; the key swings.
static void a_door_on_hinges_out_of_line_cannot_move(void **state) {
    Case             c = case_text(door, NULL);
    const trFinding *f = finding_of(&c.check, "immobile", "door");
    assert_int_equal(f->severity, TR_WARNING);
    assert_string_equal(f->reason, "cannot move: its joints hold all of it; the axes of 'lower' "
                                   "and 'upper' are off by 10 mm, 2.9 deg");
    assert_string_equal(f->remedy, "if it should turn: let these axes coincide");
    assert_int_equal(immobile(&c.check), 1);
    assert_false(c.check.prevents);
    case_free(&c);

    // Beyond 10 degrees nobody meant them to be in line.
    c = case_text(door, (const char *[]){"tilt=0.2", NULL});
    f = finding_of(&c.check, "immobile", "door");
    assert_string_equal(f->reason, "cannot move: its joints hold all of it");
    assert_non_null(strstr(f->remedy, "axes of its hinges coincide"));
    case_free(&c);

    assert_int_equal(immobile_in(door, (const char *[]){"off=0", "tilt=0", NULL}), 0);
}

static void a_plate_on_two_pins_cannot_move(void **state) {
    Case c =
        case_text("local m = model { name = 'plate', gravity = { 0, -9.81 } }\n"
                  "local plate = m:body { name = 'plate', mass = 1, inertia = 0.1 }\n"
                  "local rod = m:body { name = 'rod', mass = 1, inertia = 0.1, at = { 1, 0 } }\n"
                  "m:joint { 'revolute', name = 'A', m.ground, plate, point = { -0.5, 0 } }\n"
                  "m:joint { 'revolute', name = 'B', m.ground, plate, point = { 0.5, 0 } }\n"
                  "m:joint { 'revolute', name = 'C', plate, rod, point = { 0.5, 0 } }\n"
                  "return m\n",
                  NULL);
    assert_string_equal(finding_of(&c.check, "immobile", "plate")->remedy,
                        "if it should move: use joints that constrain less, or leave one out");
    assert_int_equal(immobile(&c.check), 1);
    case_free(&c);
}

static void what_is_held_on_purpose_is_not_immobile(void **state) {
    Case c = case_file("models/benchmark/slider_crank_driven.lua", NULL);
    assert_int_equal(c.check.degrees_of_freedom, 0);
    assert_int_equal(immobile(&c.check), 0);
    case_free(&c);
    assert_int_equal(
        immobile_in("local m = model { name = 'base', gravity = { 0, -9.81 } }\n"
                    "local base = m:body { name = 'base', mass = 1, inertia = 0.1 }\n"
                    "local top = m:body { name = 'top', mass = 1, inertia = 0.1, at = { 0, 1 } }\n"
                    "m:joint { 'fixed', name = 'F', m.ground, base }\n"
                    "m:joint { 'fixed', name = 'G', base, top }\n"
                    "m:joint { 'revolute', name = 'A', base, top, point = { 0, 0.5 } }\n"
                    "return m\n",
                    NULL),
        0);
}

// In line, crank and rod leave the slider no velocity, but only there; driven or not.
static void a_slider_at_dead_center_moves(void **state) {
    static const char text[] =
        "local m = model { name = 'dead center', gravity = { 0, -9.81 } }\n"
        "local crank = m:body { name = 'crank', mass = 1, inertia = 0.1, at = { 0.5, 0 } }\n"
        "local rod = m:body { name = 'rod', mass = 1, inertia = 0.1, at = { 2, 0 } }\n"
        "local slider = m:body { name = 'slider', mass = 1, inertia = 0.1, at = { 3, 0 } }\n"
        "m:joint { 'revolute', name = 'A', m.ground, crank, point = { 0, 0 } }\n"
        "m:joint { 'revolute', name = 'B', crank, rod, point = { 1, 0 } }\n"
        "m:joint { 'revolute', name = 'C', rod, slider, point = { 3, 0 } }\n"
        "m:joint { 'prismatic', name = 'D', m.ground, slider, axis = { 1, 0 } }\n"
        "if parameter('driven', false) then\n"
        "  m:joint { 'driven_angle', name = 'motor', m.ground, crank,\n"
        "    angle = function(t) return 3 * t end }\n"
        "end\n"
        "return m\n";
    assert_int_equal(immobile_in(text, NULL), 0);
    assert_int_equal(immobile_in(text, (const char *[]){"driven=true", NULL}), 0);
}

static void rows_on_velocities_are_counted_apart(void **state) {
    Case c = case_file("models/benchmark/bicycle.lua", NULL);
    assert_int_equal(c.check.degrees_of_freedom, 3);
    assert_int_equal(c.check.free_positions, 7);
    case_free(&c);
}

static void a_large_model_is_refused_politely(void **state) {
    char           path[1024];
    trModel       *model = NULL;
    trSystem      *system = NULL;
    trCheck        check;
    trSimDef       def = tr_sim_def_default();
    trCheckOptions options = tr_check_options_default();
    snprintf(path, sizeof path, "%s/models/benchmark/chain.lua", SOURCE_DIR);
    assert_int_equal(tr_lua_load(path, (const char *[]){"N=700", NULL}, &model, &def), TR_OK);
    assert_int_equal(tr_system_build(model, &system), TR_OK);
    assert_int_equal(tr_check(model, system, &options, &check), TR_E_UNSUPPORTED);
    assert_non_null(strstr(tr_last_error(), "up to 2000 velocities"));
    assert_null(check.memory);
    options.struct_size = 0;
    assert_int_equal(tr_check(model, system, &options, &check), TR_E_ARGUMENT);
    tr_check_free(&check);
    tr_system_destroy(system);
    tr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tie_rod_on_two_balls_turns_about_its_axis),
        cmocka_unit_test(a_coordinate_without_mass_is_named),
        cmocka_unit_test(what_cannot_be_closed_is_said_and_looked_at),
        cmocka_unit_test(a_start_that_is_off_is_told_by_joint),
        cmocka_unit_test(wrong_units_are_suspected),
        cmocka_unit_test(degrees_and_millimeters_are_suspected),
        cmocka_unit_test(a_joint_far_away_is_suspected),
        cmocka_unit_test(a_door_on_hinges_out_of_line_cannot_move),
        cmocka_unit_test(a_plate_on_two_pins_cannot_move),
        cmocka_unit_test(what_is_held_on_purpose_is_not_immobile),
        cmocka_unit_test(a_slider_at_dead_center_moves),
        cmocka_unit_test(rows_on_velocities_are_counted_apart),
        cmocka_unit_test(a_large_model_is_refused_politely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
