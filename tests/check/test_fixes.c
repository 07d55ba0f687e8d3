// SPDX-License-Identifier: MIT
// Proposals of a check, made: what is proposed for all sets together leaves nothing redundant and
// no motion more. Kinds of joints are parameters of the models, so that a proposal can be followed.

#include "check/check_case.h"
#include "system/system.h"

static const trCheckFix *fix_of(const trCheck *k, int set, const char *joint) {
    for (int i = 0; i < k->set[set].fixes; i++) {
        if (strcmp(k->set[set].fix[i].joint, joint) == 0) {
            return &k->set[set].fix[i];
        }
    }
    fail_msg("no fix of joint '%s' in set %d", joint, set);
    return NULL;
}

// Joint by joint the same words in all sets.
static void assert_no_contradiction(const trCheck *k) {
    for (int a = 0; a < k->sets; a++) {
        for (int i = 0; i < k->set[a].fixes; i++) {
            const trCheckFix *one = &k->set[a].fix[i];
            for (int b = 0; b < k->sets; b++) {
                for (int j = 0; j < k->set[b].fixes; j++) {
                    const trCheckFix *two = &k->set[b].fix[j];
                    if (strcmp(one->joint, two->joint) == 0) {
                        assert_string_equal(one->text, two->text);
                    }
                }
            }
        }
    }
}

static void assert_counts(const char *file, const char *const *set, int free, int redundant) {
    Case c = case_file(file, set);
    assert_int_equal(c.check.degrees_of_freedom, free);
    assert_int_equal(c.check.redundant, redundant);
    case_free(&c);
}

// --- sets that share a joint ---

// The second and the third hinge each block what the first one does: two sets with one joint in
// common, which may be changed in one way only.
static void a_door_on_three_hinges(void **state) {
    Case           c = case_file("tests/check/door.lua", NULL);
    const trCheck *k = &c.check;
    assert_int_equal(k->redundant, 10);
    assert_int_equal(k->sets, 2);
    assert_no_contradiction(k);
    assert_string_equal(fix_of(k, 0, "hinge1")->replace, "spherical");
    assert_string_equal(fix_of(k, 0, "hinge2")->replace, "point_on_line");
    assert_int_equal(k->set[1].fixes, 1);
    assert_string_equal(k->set[1].fix[0].text,
                        "remove the revolute 'hinge3': others block all that it blocks");
    case_free(&c);
    assert_counts(
        "tests/check/door.lua",
        (const char *const[]){"kind1=spherical", "kind2=point_on_line", "kind3=none", NULL}, 1, 0);
}

// Both sets need a change of the same guide: it is told in both, as it is in the end.
static void a_joint_that_two_sets_change(void **state) {
    Case           c = case_file("tests/check/screw.lua", NULL);
    const trCheck *k = &c.check;
    assert_int_equal(k->redundant, 9);
    assert_int_equal(k->sets, 2);
    assert_int_equal(k->set[0].redundancy, 4);
    assert_int_equal(k->set[0].parts, 3);
    assert_int_equal(k->set[1].redundancy, 5);
    assert_int_equal(k->set[1].parts, 2);
    assert_no_contradiction(k);
    assert_string_equal(fix_of(k, 0, "bearing")->replace, "point_on_line");
    assert_string_equal(fix_of(k, 0, "guide")->text,
                        "remove the prismatic 'guide': others block all that it blocks");
    fix_of(k, 1, "guide");
    assert_string_equal(fix_of(k, 1, "second")->replace, "cylindrical");
    case_free(&c);
    assert_counts(
        "tests/check/screw.lua",
        (const char *const[]){"bearing=point_on_line", "guide=none", "second=cylindrical", NULL}, 1,
        0);
}

// --- loads that are combined ---

// The trammel of Archimedes with a crank, in space: seven rows too many, whose loads overlap in
// every joint. What one freed direction leaves of them decides on the next.
static void the_trammel_of_archimedes(void **state) {
    Case           c = case_file("tests/check/trammel.lua", NULL);
    const trCheck *k = &c.check;
    assert_int_equal(k->degrees_of_freedom, 1);
    assert_int_equal(k->redundant, 7);
    assert_int_equal(k->sets, 1);
    assert_int_equal(k->set[0].fixes, 4);
    assert_string_equal(fix_of(k, 0, "Rx")->replace, "cylindrical");
    assert_string_equal(fix_of(k, 0, "Ry")->replace, "spherical");
    assert_string_equal(fix_of(k, 0, "O")->replace, "cylindrical");
    assert_string_equal(fix_of(k, 0, "Mid")->replace, "point_on_line");
    case_free(&c);
    assert_counts("tests/check/trammel.lua",
                  (const char *const[]){"Rx=cylindrical", "Ry=spherical", "O=cylindrical",
                                        "Mid=point_on_line", NULL},
                  1, 0);
}

// Two carriages on one rail, welded, and held at opposite distances: x2 - x1 and x1 + x2. A row of
// the changed weld with the wrong sign for one of its bodies would be the second one again.
static void a_changed_joint_between_two_bodies(void **state) {
    Case c = case_text(
        "local m = model { name = 'carriages' }\n"
        "local a = m:body { name = 'a', mass = 1, inertia = 0.1, at = { -1, 0 } }\n"
        "local b = m:body { name = 'b', mass = 1, inertia = 0.1, at = { 1, 0 } }\n"
        "m:joint { 'prismatic', name = 'rail_a', m.ground, a, point = { -1, 0 }, axis = { 1, 0 } "
        "}\n"
        "m:joint { 'prismatic', name = 'rail_b', m.ground, b, point = { 1, 0 }, axis = { 1, 0 } }\n"
        "m:joint { 'fixed', name = 'weld', a, b, point = { 0, 0 } }\n"
        "m:constraint { name = 'opposite', a, b, phi = function(p, q) return p.x + q.x end }\n"
        "return m\n",
        NULL);
    const trCheck *k = &c.check;
    assert_int_equal(k->degrees_of_freedom, 0);
    assert_int_equal(k->redundant, 2);
    assert_int_equal(k->sets, 1);
    assert_true(k->set[0].fixes > 0);
    assert_non_null(fix_of(k, 0, "weld"));
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_on_three_hinges),
        cmocka_unit_test(a_joint_that_two_sets_change),
        cmocka_unit_test(the_trammel_of_archimedes),
        cmocka_unit_test(a_changed_joint_between_two_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
