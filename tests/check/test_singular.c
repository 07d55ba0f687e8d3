// SPDX-License-Identifier: MIT
// Singular poses told apart from redundancy, and what nearly moves.

#include "check/check_case.h"

#define FLAT "angle=1.5707963267948966"

static void the_start_of_a02_is_regular(void **state) {
    Case c = case_file("models/benchmark/n_four_bar.lua", (const char *[]){"N=2", NULL});
    assert_int_equal(c.check.rank, 14);
    assert_int_equal(c.check.rank_elsewhere, 14);
    assert_int_equal(c.check.degrees_of_freedom, 1);
    assert_int_equal(c.check.redundant, 0);
    assert_false(c.check.singular);
    assert_int_equal(c.check.sets, 0);
    assert_int_equal(c.check.lost, 0);
    case_free(&c);
}

static void the_flat_pose_of_a02_is_singular(void **state) {
    Case c = case_file("models/benchmark/n_four_bar.lua", (const char *[]){"N=2", FLAT, NULL});
    const trCheck *k = &c.check;
    assert_int_equal(k->rank, 12);
    assert_int_equal(k->rank_elsewhere, 14);
    assert_int_equal(k->degrees_of_freedom, 3);
    assert_true(k->singular);
    assert_int_equal(k->redundant, 0);
    assert_int_equal(k->sets, 0);
    // One row of each loop, which are joints of its own.
    assert_int_equal(k->lost, 2);
    for (int i = 0; i < 2; i++) {
        const trCheckSet *set = &k->lost_set[i];
        bool              first = strcmp(set->part[0].joint, "ground0") == 0;
        assert_int_equal(set->redundancy, 1);
        assert_int_equal(set->parts, 4);
        assert_int_equal(set->fixes, 0);
        part_of(set, first ? "left1" : "left2");
        const trCheckPart *right = part_of(set, first ? "right1" : "right2");
        assert_line(right->blocked.force[0], 1.0, 0.0, 0.0);
    }
    finding_of(k, "singular", "ground0, ground1, left1, right1");
    assert_int_equal(k->branches.count, 3);
    assert_false(k->branches.more);
    case_free(&c);
}

// 3.7e-6 and 3.4e-5 rad beside it, within the tolerance, the rank is the same, and so are the
// words: joints of the loop that loses a row, and none of the other one.
static void beside_the_flat_pose_the_words_are_the_same(void **state) {
    static const char *const angle[] = {"angle=1.5708", "angle=1.57083"};
    for (int i = 0; i < 4; i++) {
        Case c = case_file("models/benchmark/n_four_bar.lua",
                           (const char *[]){"N=2", angle[i / 2], NULL});
        assert_int_equal(c.check.lost, 2);
        const trCheckSet *set = &c.check.lost_set[i % 2];
        bool              first = strcmp(set->part[0].joint, "ground0") == 0;
        assert_int_equal(set->parts, 4);
        assert_string_equal(part_of(set, first ? "left1" : "left2")->blocked.text,
                            first ? "translation along crank0 (its x axis)"
                                  : "translation along crank1 (its x axis)");
        case_free(&c);
    }
}

// Three cranks that lie flat: one row too many everywhere, and one more here.
static void both_at_once(void **state) {
    Case c = case_text(
        "local m = model { name = 'cranks', gravity = { 0, -9.81 } }\n"
        "local bar = m:body { name = 'bar', mass = 2, inertia = 1, at = { 1, 0 }, com = { 1, 0 } "
        "}\n"
        "for i = 0, 2 do\n"
        "  local crank = m:body { name = 'crank' .. i, mass = 1, inertia = 0.1, at = { i, 0 },\n"
        "    com = { 0.5, 0 } }\n"
        "  m:joint { 'revolute', name = 'pivot' .. i, m.ground, crank, point = { i, 0 } }\n"
        "  m:joint { 'revolute', name = 'pin' .. i, crank, bar, point = { i + 1, 0 } }\n"
        "end\n"
        "return m\n",
        NULL);
    const trCheck *k = &c.check;
    assert_int_equal(k->rank, 10);
    assert_int_equal(k->rank_elsewhere, 11);
    assert_true(k->singular);
    assert_int_equal(k->redundant, 1);
    assert_int_equal(k->sets, 1);
    assert_int_equal(k->set[0].parts, 6);
    assert_int_equal(k->lost, 1);
    assert_int_equal(k->lost_set[0].redundancy, 1);
    case_free(&c);
}

static void parallel_four_bar_lies_flat(void **state) {
    Case c = case_file("models/benchmark/parallel_four_bar.lua", (const char *[]){FLAT, NULL});
    assert_int_equal(c.check.rank, 7);
    assert_int_equal(c.check.rank_elsewhere, 8);
    assert_true(c.check.singular);
    assert_int_equal(c.check.lost, 1);
    assert_int_equal(c.check.lost_set[0].parts, 4);
    case_free(&c);
}

static const char toggle[] =
    "local m = model { name = 'toggle', gravity = { 0, -9.81 } }\n"
    "local e = parameter('e', 2e-4)\n"
    "local a = m:body { name = 'a', mass = 1, inertia = 0.1, at = { 0.5, 0 } }\n"
    "local b = m:body { name = 'b', mass = 1, inertia = 0.1, at = { 1.5, 0 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'B', a, b, point = { 1, e } }\n"
    "m:joint { 'revolute', name = 'C', m.ground, b, point = { 2, 0 } }\n"
    "return m\n";

// Two rods in a line, but for e at the pin between them: it moves by y, which no rod resists but in
// proportion to e.
static void a_toggle_nearly_moves(void **state) {
    Case           c = case_text(toggle, NULL);
    const trCheck *k = &c.check;
    assert_int_equal(k->degrees_of_freedom, 0);
    assert_true(k->near);
    assert_true(k->ratio > 1e-5 && k->ratio < 1e-3);
    double full = k->smallest;
    assert_true(strcmp(k->nearly.body, "a") == 0 || strcmp(k->nearly.body, "b") == 0);
    assert_non_null(strstr(k->nearly.text, "rotation about joint '"));
    finding_of(k, "near", k->nearly.body);
    case_free(&c);

    c = case_text(toggle, (const char *[]){"e=4e-4", NULL});
    assert_true(fabs(c.check.smallest / full - 2.0) < 1e-3);  // linear in e, next term e^2
    case_free(&c);

    c = case_text(toggle, (const char *[]){"e=0.5", NULL});
    assert_false(c.check.near);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_of_a02_is_regular),
        cmocka_unit_test(the_flat_pose_of_a02_is_singular),
        cmocka_unit_test(beside_the_flat_pose_the_words_are_the_same),
        cmocka_unit_test(both_at_once),
        cmocka_unit_test(parallel_four_bar_lies_flat),
        cmocka_unit_test(a_toggle_nearly_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
