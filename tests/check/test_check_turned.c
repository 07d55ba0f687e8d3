// SPDX-License-Identifier: MIT
// What a check reports about a mechanism does not depend on how the world axes lie: the same joints
// in the same sets, as many redundant directions, the same proposals, the same unique reactions.
// Only directions turn along.

#include "base/vec3.h"
#include "check/check_case.h"
#include "scenario/turned.h"
#include "system/system.h"

#define SAME 1e-6  // of directions, which come from null vectors and spans; rounding is 1e-12

static const char *const files[] = {
    "models/benchmark/bricard.lua",
    "models/benchmark/redundant_parallelogram.lua",
    "models/papers/triple_crank.lua",
    "tests/scenario/turned/bennett.lua",
    "tests/scenario/turned/door.lua",
    "tests/scenario/turned/four_hinges.lua",
    "tests/scenario/turned/massless_crank.lua",
    "tests/scenario/turned/massless_door.lua",
    "tests/scenario/turned/open_cranks.lua",
    "tests/scenario/turned/open_hinges.lua",
    "tests/scenario/turned/two_balls.lua",
    "tests/scenario/turned/two_pins.lua",
    "tests/scenario/turned/two_pins_link.lua",
    "tests/check/door.lua",
    "tests/check/screw.lua",
    "tests/check/trammel.lua",
    "tests/check/flat_four_bars.lua",
};

// How far the directions `b`, turned back, are from the span of `a`, `count` each, orthonormal.
static double apart(int count, const double a[3][3], const double b[3][3], const trMat3 *R) {
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        trVec3 u = tr_unrotate3(R, (trVec3){b[i][0], b[i][1], b[i][2]});
        for (int k = 0; k < count; k++) {
            trVec3 d = {a[k][0], a[k][1], a[k][2]};
            u = tr_add_scaled3(u, -tr_dot3(u, d), d);
        }
        most = fmax(most, tr_length3(u));
    }
    return most;
}

static void assert_same_directions(const trDirections *a, const trDirections *b, const trMat3 *R) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->forces, b->forces);
    assert_int_equal(a->moments, b->moments);
    assert_true(apart(a->forces, a->force, b->force, R) <= SAME);
    assert_true(apart(a->moments, a->moment, b->moment, R) <= SAME);
}

// "free rotation", "remove the revolute": the words before an axis.
static void assert_same_words(const char *a, const char *b) {
    const char *end = strchr(a, ' ');
    assert_non_null(end);
    end = strchr(end + 1, ' ');
    assert_non_null(end);
    assert_memory_equal(a, b, (size_t)(end - a));
}

static void assert_same_fix(const trCheckFix *a, const trCheckFix *b) {
    assert_string_equal(a->joint, b->joint);
    assert_string_equal(a->kind, b->kind);
    assert_int_equal(a->replace == NULL, b->replace == NULL);
    if (a->replace != NULL) {
        assert_string_equal(a->replace, b->replace);
    }
    assert_same_words(a->text, b->text);
}

static void assert_same_sets(int count, const trCheckSet *a, const trCheckSet *b, const trMat3 *R) {
    for (int i = 0; i < count; i++) {
        assert_int_equal(a[i].redundancy, b[i].redundancy);
        assert_int_equal(a[i].parts, b[i].parts);
        assert_int_equal(a[i].fixes, b[i].fixes);
        for (int k = 0; k < a[i].parts; k++) {
            assert_string_equal(a[i].part[k].joint, b[i].part[k].joint);
            assert_same_directions(&a[i].part[k].blocked, &b[i].part[k].blocked, R);
        }
        for (int k = 0; k < a[i].fixes; k++) {
            assert_same_fix(&a[i].fix[k], &b[i].fix[k]);
        }
    }
}

static void assert_same(const trCheck *a, const trCheck *b, const trMat3 *R) {
    assert_int_equal(a->rank, b->rank);
    assert_int_equal(a->rank_elsewhere, b->rank_elsewhere);
    assert_int_equal(a->sets, b->sets);
    assert_int_equal(a->lost, b->lost);
    assert_same_sets(a->sets, a->set, b->set, R);
    assert_same_sets(a->lost, a->lost_set, b->lost_set, R);
    assert_int_equal(a->loads, b->loads);
    for (int j = 0; j < a->loads; j++) {
        assert_int_equal(a->load[j].unique, b->load[j].unique);
        assert_same_directions(&a->load[j].open, &b->load[j].open, R);
    }
}

static void the_report_does_not_depend_on_the_axes(void **state) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Case first = case_checked((Case){.model = turned_load(files[i], 0)});
        assert_true(first.check.sets + first.check.lost > 0);
        for (int turn = 1; turn < TURNS; turn += 4) {
            Case   other = case_checked((Case){.model = turned_load(files[i], turn)});
            trMat3 R = tr_quat_matrix(turned_by(first.system->space->dim, turn));
            print_message("%s, turn %d\n", files[i], turn);
            assert_same(&first.check, &other.check, &R);
            case_free(&other);
        }
        case_free(&first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report_does_not_depend_on_the_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
