// SPDX-License-Identifier: MIT
// Redundant sets by joint and direction, what to free, and which reactions are unique.

#include "check/check_case.h"

// A planar four-bar of hinges in space; kinds of C and D are parameters.
static const char four_bar[] =
    "local m = model { name = 'four-bar', dim = 3, gravity = { 0, -9.81, 0 },\n"
    "  coordinates = parameter('coordinates', 'body') }\n"
    "local I, h = { 0.01, 0.1, 0.1 }, math.sqrt(3)\n"
    "local crank = m:body { name = 'crank', mass = 1, inertia = I, at = { 0.5, h / 2, 0 },\n"
    "  rotation = { 0, 0, math.pi / 3 } }\n"
    "local coupler = m:body { name = 'coupler', mass = 1, inertia = I, at = { 2, h, 0 } }\n"
    "local rocker = m:body { name = 'rocker', mass = 1, inertia = I, at = { 3, h / 2, 0 } }\n"
    "local function joint(kind, name, a, b, p)\n"
    "  local j = { kind, name = name, a, b, point = p }\n"
    "  if kind ~= 'spherical' then j.axis = { 0, 0, 1 } end\n"
    "  m:joint(j)\n"
    "end\n"
    "joint('revolute', 'A', m.ground, crank, { 0, 0, 0 })\n"
    "joint('revolute', 'B', crank, coupler, { 1, h, 0 })\n"
    "joint(parameter('C', 'revolute'), 'C', coupler, rocker, { 3, h, 0 })\n"
    "joint(parameter('D', 'revolute'), 'D', rocker, m.ground, { 3, 0, 0 })\n"
    "return m\n";

static void check_four_bar(const char *const *set, int norms) {
    Case              c = case_text(four_bar, set);
    const trCheck    *k = &c.check;
    const char *const name[] = {"A", "B", "C", "D"};
    assert_int_equal(k->velocities, 18 + norms);
    assert_int_equal(k->rows, 20 + norms);
    assert_int_equal(k->rank, 17 + norms);
    assert_int_equal(k->degrees_of_freedom, 1);
    assert_int_equal(k->redundant, 3);
    assert_false(k->singular);
    assert_false(k->prevents);
    assert_true(k->poses > 0);
    assert_int_equal(k->sets, 1);
    assert_int_equal(k->set[0].redundancy, 3);
    assert_int_equal(k->set[0].parts, 4);
    for (int i = 0; i < 4; i++) {
        const trCheckPart *part = part_of(&k->set[0], name[i]);
        assert_string_equal(part->blocked.text, "translation along z, rotation about x and y");
        assert_int_equal(part->blocked.count, 3);
        assert_line(part->blocked.force[0], 0.0, 0.0, 1.0);
        assert_string_equal(load_of(k, name[i])->text,
                            "force along z not unique; across it unique; moment not unique");
    }
    assert_int_equal(k->set[0].fixes, 2);
    assert_string_equal(k->set[0].fix[0].replace, "cylindrical");
    assert_string_equal(k->set[0].fix[0].joint, "C");
    assert_string_equal(
        k->set[0].fix[1].text,
        "free rotation about x and y in joint 'D': use a spherical instead of the revolute");
    case_free(&c);
}

static void a_planar_loop_in_space_has_three_rows_too_many(void **state) {
    check_four_bar(NULL, 0);
}

static void quaternion_rates_change_nothing(void **state) {
    check_four_bar((const char *[]){"coordinates=quaternion", NULL}, 3);
    Case body = case_text(four_bar, NULL);
    Case rates = case_text(four_bar, (const char *[]){"coordinates=quaternion", NULL});
    assert_true(fabs(body.check.smallest - rates.check.smallest) < 1e-12);
    assert_true(fabs(body.check.ratio - rates.check.ratio) < 1e-12);
    case_free(&body);
    case_free(&rates);
}

// What the check proposes, done.
static void the_fix_removes_exactly_the_redundancy(void **state) {
    Case c = case_text(four_bar, (const char *[]){"C=cylindrical", "D=spherical", NULL});
    assert_int_equal(c.check.rows, 17);
    assert_int_equal(c.check.redundant, 0);
    assert_int_equal(c.check.degrees_of_freedom, 1);
    for (int i = 0; i < c.check.loads; i++) {
        assert_true(c.check.load[i].unique);
    }
    case_free(&c);
}

static void half_a_fix_leaves_the_rest(void **state) {
    Case c = case_text(four_bar, (const char *[]){"D=spherical", NULL});
    assert_int_equal(c.check.redundant, 1);
    assert_int_equal(c.check.set[0].fixes, 1);
    case_free(&c);
}

// The wrench that no motion shows is one and the same in all hinges: a force along (1, 1, 1).
static void bricard_is_redundant_everywhere(void **state) {
    Case           c = case_file("models/benchmark/bricard.lua", NULL);
    const trCheck *k = &c.check;
    assert_int_equal(k->degrees_of_freedom, 1);
    assert_int_equal(k->rows, 30);
    assert_int_equal(k->rank, 29);
    assert_int_equal(k->rank_elsewhere, 29);
    assert_int_equal(k->poses, 2);
    assert_int_equal(k->redundant, 1);
    assert_false(k->singular);
    assert_int_equal(k->sets, 1);
    assert_int_equal(k->set[0].parts, 6);
    for (int i = 0; i < 6; i++) {
        char name[16];
        snprintf(name, sizeof name, "hinge%d", i + 1);
        assert_line(part_of(&k->set[0], name)->blocked.force[0], 1.0, 1.0, 1.0);
        assert_int_equal(part_of(&k->set[0], name)->blocked.count, 1);
        assert_false(load_of(k, name)->unique);
    }
    assert_int_equal(k->set[0].fixes, 1);
    assert_non_null(k->set[0].fix[0].replace);
    case_free(&c);
}

static void the_third_crank_makes_forces_along_cranks_open(void **state) {
    Case           c = case_file("models/benchmark/redundant_parallelogram.lua", NULL);
    const trCheck *k = &c.check;
    assert_int_equal(k->rank, 11);
    assert_int_equal(k->redundant, 1);
    assert_int_equal(k->set[0].parts, 6);
    for (int i = 0; i < 3; i++) {
        char pin[16], text[80];
        snprintf(pin, sizeof pin, "pin%d", i);
        snprintf(text, sizeof text, "force along crank%d (its x axis) not unique; across it unique",
                 i);
        const trCheckLoad *load = load_of(k, pin);
        assert_false(load->unique);
        assert_string_equal(load->text, text);
        assert_int_equal(load->open.forces, 1);
        assert_int_equal(load->open.moments, 0);
        assert_line(load->open.force[0], sin(1.0), -cos(1.0), 0.0);
    }
    assert_string_equal(k->set[0].fix[0].joint, "pin2");
    assert_string_equal(k->set[0].fix[0].replace, "point_on_line");
    case_free(&c);
}

static const char motors[] =
    "local m = model { name = 'motors', gravity = { 0, -9.81 } }\n"
    "local a = m:body { name = 'crank', mass = 1, inertia = 0.1, at = { 0.5, 0 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0 } }\n"
    "for i = 1, 2 do\n"
    "  m:joint { 'driven_angle', name = 'motor' .. i, m.ground, a,\n"
    "    angle = function(t) return 2 * t end }\n"
    "end\n"
    "return m\n";

static void of_two_drivers_one_is_removed(void **state) {
    Case           c = case_text(motors, NULL);
    const trCheck *k = &c.check;
    assert_int_equal(k->degrees_of_freedom, 0);
    assert_int_equal(k->redundant, 1);
    assert_true(k->poses > 0);  // a little later
    assert_int_equal(k->set[0].parts, 2);
    assert_true(load_of(k, "A")->unique);
    assert_string_equal(load_of(k, "motor1")->text, "moment not unique");
    assert_string_equal(k->set[0].fix[0].text,
                        "remove the driven_angle 'motor2': others block all that it blocks");
    case_free(&c);
}

static void equations_of_the_users_own_are_named(void **state) {
    Case           c = case_file("models/benchmark/equations_four_bar_natural.lua", NULL);
    const trCheck *k = &c.check;
    assert_int_equal(k->rows, 4);
    assert_int_equal(k->rank, 3);
    assert_int_equal(k->redundant, 1);
    assert_int_equal(k->set[0].parts, 2);
    assert_string_equal(part_of(&k->set[0], "coupler")->kind, "constraint");
    assert_string_equal(k->set[0].fix[0].joint, "coupler_again");
    assert_false(load_of(k, "coupler")->unique);
    case_free(&c);
}

static void a_door_on_two_hinges(void **state) {
    Case c = case_text(
        "local m = model { name = 'door', dim = 3, gravity = { 0, 0, -9.81 } }\n"
        "local d = m:body { name = 'door', mass = 20, inertia = { 7, 8, 2 }, at = { 0.4, 0, 1 } }\n"
        "m:joint { 'revolute', name = 'lower', m.ground, d, point = { 0, 0, 0.2 }, axis = { 0, 0, "
        "1 } }\n"
        "m:joint { 'revolute', name = 'upper', m.ground, d, point = { 0, 0, 1.8 }, axis = { 0, 0, "
        "1 } }\n"
        "return m\n",
        NULL);
    const trCheckSet *set = &c.check.set[0];
    assert_int_equal(c.check.redundant, 5);
    assert_int_equal(set->redundancy, 5);
    assert_int_equal(set->fixes, 2);
    assert_string_equal(set->fix[0].replace, "spherical");
    assert_string_equal(set->fix[1].replace, "point_on_line");
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planar_loop_in_space_has_three_rows_too_many),
        cmocka_unit_test(quaternion_rates_change_nothing),
        cmocka_unit_test(the_fix_removes_exactly_the_redundancy),
        cmocka_unit_test(half_a_fix_leaves_the_rest),
        cmocka_unit_test(bricard_is_redundant_everywhere),
        cmocka_unit_test(the_third_crank_makes_forces_along_cranks_open),
        cmocka_unit_test(of_two_drivers_one_is_removed),
        cmocka_unit_test(equations_of_the_users_own_are_named),
        cmocka_unit_test(a_door_on_two_hinges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
