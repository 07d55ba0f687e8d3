// SPDX-License-Identifier: MIT
// Branches of singular poses: how many there are and which tangents they have, in closed form.

#include "check/branches_case.h"

// Poses are exact to rounding, curvatures are exact, and the basis of null(A) is one of a QR
// factorization: tangents are off by a few hundred roundings, and by what a double root makes of
// that, its root.
#define TANGENT 1e-12
#define DOUBLE_ROOT 1e-6

// The angle of planar body i, in column 3 i + 2.
static double angle_of(const trBranch *branch, int body) {
    return branch->tangent[3 * body + 2];
}

static void assert_size(const trBranches *b, int count, int rank, int generic_rank) {
    if (b->count != count || b->rank != rank || b->generic_rank != generic_rank) {
        fail_msg("%d branches, rank %d of %d", b->count, b->rank, b->generic_rank);
    }
    assert_int_equal(b->singular, count != 1);
    assert_false(b->more);
    assert_false(b->unresolved);
}

static void flat_parallel_four_bar_has_two_branches(void **state) {
    Case c = case_file("tests/check/flat_parallel_four_bar.lua", NULL);
    case_find(&c);
    assert_size(&c.branches, 2, 7, 8);
    const trBranch *with = &c.branches.branch[0], *against = &c.branches.branch[1];
    assert_near(angle_of(with, 0), 1.0, TANGENT);
    assert_near(angle_of(with, 1), 0.0, TANGENT);
    assert_near(angle_of(with, 2), 1.0, TANGENT);
    assert_near(angle_of(against, 0), 1.0 / 3.0, TANGENT);
    assert_near(angle_of(against, 1), -2.0 / 3.0, TANGENT);
    assert_near(angle_of(against, 2), -1.0, TANGENT);
    assert_string_equal(with->words, "body2 +1.00 rad, body3 y +1.00 m, body4 +1.00 rad");
    assert_string_equal(against->words, "body2 +0.33 rad, body3 -0.67 rad, body4 -1.00 rad");
    assert_int_equal(with->loose + against->loose, 0);
    case_free(&c);
}

// Branch j: cranks 0 ... j - 1 stay, the others turn together, and the coupler between with them.
static void assert_chain(const trBranches *b, int N, double tolerance) {
    assert_size(b, N + 1, 5 * N + 2, 6 * N + 2);
    for (int j = 0; j <= N; j++) {
        const trBranch *branch = &b->branch[j];
        assert_int_equal(branch->dof, 1);
        for (int i = 0; i <= N; i++) {
            assert_near(angle_of(branch, i), i < j ? 0.0 : 1.0, tolerance);
        }
        for (int i = 1; i <= N; i++) {
            assert_near(angle_of(branch, N + i), i == j ? 1.0 : 0.0, tolerance);
        }
        // Loops 1 ... j - 1 stay flat: each holds one velocity to second order only.
        assert_int_equal(branch->loose, j > 1 ? j - 1 : 0);
        assert_int_equal(branch->loose_words[0] != '\0', j > 1);
    }
}

static void flat_row_of_two_four_bars_has_three_branches(void **state) {
    Case c = case_file("tests/check/flat_four_bars.lua", NULL);
    case_find(&c);
    assert_int_equal(c.branches.rank, 12);
    assert_int_equal(c.branches.generic_rank, 14);
    assert_chain(&c.branches, 2, DOUBLE_ROOT);
    assert_string_equal(c.branches.branch[2].words, "crank2 +1.00 rad, coupler2 +1.00 rad");
    assert_string_equal(c.branches.branch[2].loose_words, "crank0 +1.00 rad, coupler1 -1.00 rad");
    case_free(&c);
}

static void a_row_of_N_has_one_more(void **state) {
    const char *const sets[][2] = {{"N=1", NULL}, {"N=3", NULL}, {"N=10", NULL}};
    const int         N[] = {1, 3, 10};
    for (int i = 0; i < 3; i++) {
        Case c = case_file("tests/check/flat_four_bars.lua", sets[i]);
        case_find(&c);
        assert_chain(&c.branches, N[i], DOUBLE_ROOT);
        case_free(&c);
    }
}

static void folded_slider_crank_has_two_branches(void **state) {
    Case c = case_text(slider_crank);
    case_find(&c);
    assert_size(&c.branches, 2, 7, 8);
    const trBranch *stays = &c.branches.branch[1], *slides = &c.branches.branch[0];
    if (fabs(stays->tangent[6]) > 0.5) {
        const trBranch *swap = stays;
        stays = slides;
        slides = swap;
    }
    assert_near(stays->tangent[6], 0.0, TANGENT);
    assert_near(angle_of(stays, 0) - angle_of(stays, 1), 0.0, TANGENT);
    assert_near(slides->tangent[6], -2.0, TANGENT);
    assert_near(angle_of(slides, 0) + angle_of(slides, 1), 0.0, TANGENT);
    assert_near(angle_of(slides, 0), 1.0, TANGENT);
    case_free(&c);
}

static void branches_in_space_are_the_same(void **state) {
    Case c = case_text(in_space);
    case_find(&c);
    assert_size(&c.branches, 2, 16, 17);
    assert_string_equal(c.branches.branch[0].words,
                        "a about z +1.00 rad, b y +1.00 m, c about z +1.00 rad");
    assert_string_equal(c.branches.branch[1].words,
                        "a about z +0.33 rad, b about z -0.67 rad, c about z -1.00 rad");
    case_free(&c);
}

static void regular_poses_have_one_branch(void **state) {
    const struct {
        const char *file;
        int         rank, dof;
    } cases[] = {
        {"models/benchmark/parallel_four_bar.lua", 8, 1},
        {"models/benchmark/n_four_bar.lua", 62, 1},
        {"models/benchmark/bricard.lua", -1, 1},  // redundant along its motion alone
        {"models/benchmark/redundant_parallelogram.lua", -1, 1},
        {"models/benchmark/spatial_slider_crank.lua", -1, 1},
        {"models/benchmark/andrews.lua", -1, 1},
        {"tests/sim/parallel_four_bar_in_angles.lua", 2, 1},
        {"models/benchmark/chain.lua", -1, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case   c = case_file(cases[i].file, NULL);
        trSim *sim = machine_sim(&c.machine, &c.def);
        assert_int_equal(tr_branches_find(c.machine.system, 0.0, tr_sim_q(sim),
                                          c.def.rank_tolerance, &c.branches),
                         TR_OK);
        print_message("%s: %d branches, rank %d of %d, dof %d\n", cases[i].file, c.branches.count,
                      c.branches.rank, c.branches.generic_rank,
                      c.branches.count > 0 ? c.branches.branch[0].dof : -1);
        assert_int_equal(c.branches.count, 1);
        assert_false(c.branches.singular);
        assert_false(c.branches.unresolved);
        assert_int_equal(c.branches.rank, c.branches.generic_rank);
        int dof = tr_sim_stats(sim).degrees_of_freedom;
        assert_int_equal(c.branches.branch[0].dof, dof);
        if (cases[i].rank >= 0) {
            assert_int_equal(c.branches.rank, cases[i].rank);
        }
        tr_sim_destroy(sim);
        case_free(&c);
    }
}

// Two bars in one line between two pivots: they can begin to move, but no further.
static const char shaky[] =
    "local m = model { name = 'shaky' }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = 0.1, com = { 0.5, 0 } }\n"
    "local b = m:body { name = 'b', mass = 1, inertia = 0.1, at = { 1, 0 }, com = { 0.5, 0 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'B', a, b, point = { 1, 0 } }\n"
    "m:joint { 'revolute', name = 'C', m.ground, b, point = { 2, 0 } }\n"
    "return m\n";

static void a_shaky_structure_has_no_branch(void **state) {
    Case c = case_text(shaky);
    case_find(&c);
    assert_int_equal(c.branches.count, 0);
    assert_false(c.branches.singular);
    assert_int_equal(c.branches.rank, 5);
    case_free(&c);
}

// x^2 + y^2 = z^2 in its tip: directions on a cone, which are no linear spaces.
static void curved_cones_are_told(void **state) {
    Case c = case_text("local s = system { coordinates = { 'x', 'y', 'z' } }\n"
                       "s:mass(function(q) return { 1, 1, 1 } end)\n"
                       "s:constraint { name = 'cone', phi = function(q)\n"
                       "  return q.x ^ 2 + q.y ^ 2 - q.z ^ 2 end }\n"
                       "return s\n");
    case_find(&c);
    assert_int_equal(c.branches.count, 0);
    assert_true(c.branches.unresolved);
    assert_true(c.branches.singular);
    case_free(&c);
}

// Three unknowns of equal square: four lines, from two forms neither of which can be split.
static void pairs_of_conics_are_solved(void **state) {
    Case c = case_text("local s = system { coordinates = { 'x', 'y', 'z' } }\n"
                       "s:mass(function(q) return { 1, 1, 1 } end)\n"
                       "s:constraint { name = 'one', phi = function(q)\n"
                       "  return q.x ^ 2 + q.y ^ 2 - 2 * q.z ^ 2 end }\n"
                       "s:constraint { name = 'two', phi = function(q)\n"
                       "  return 3 * q.x ^ 2 - q.y ^ 2 - 2 * q.z ^ 2 end }\n"
                       "return s\n");
    case_find(&c);
    assert_size(&c.branches, 4, 0, 2);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            assert_near(fabs(c.branches.branch[i].tangent[k]), 1.0, 1e-9);
        }
    }
    case_free(&c);
}

// (x + t)(x - 2 t) = 0 and y moved by t alone: two motions, of x' = -1 and x' = 2, with y' = 3.
static void time_is_a_coordinate(void **state) {
    Case c = case_text("local s = system { coordinates = { 'x', 'y' } }\n"
                       "s:mass(function(q) return { 1, 1 } end)\n"
                       "s:constraint { name = 'cross', phi = function(q, t)\n"
                       "  return (q.x + t) * (q.x - 2 * t) end }\n"
                       "s:constraint { name = 'drive', phi = function(q, t)\n"
                       "  return q.y - 3 * t end }\n"
                       "return s\n");
    case_find(&c);
    assert_size(&c.branches, 2, 1, 2);
    for (int i = 0; i < 2; i++) {
        const trBranch *branch = &c.branches.branch[i];
        assert_near(branch->tangent[0] / branch->time[0], i == 0 ? 2.0 : -1.0, TANGENT);
        assert_near(branch->tangent[1] / branch->time[0], 3.0, TANGENT);
        assert_true(branch->time[0] > 0.0);
    }
    case_free(&c);
}

// x^2 y = 0 is two lines, of which second order knows nothing: told as such, not as a plane.
static void what_is_beyond_second_order_is_told(void **state) {
    Case c = case_text("local s = system { coordinates = { 'x', 'y' } }\n"
                       "s:mass(function(q) return { 1, 1 } end)\n"
                       "s:constraint { name = 'cubic', phi = function(q)\n"
                       "  return q.x ^ 2 * q.y end }\n"
                       "return s\n");
    case_find(&c);
    assert_int_equal(c.branches.count, 0);
    assert_true(c.branches.unresolved);
    case_free(&c);
}

// Four unknowns of equal square: eight lines, from forms none of which can be split.
static void forms_that_cannot_be_split_are_solved(void **state) {
    Case c = case_text("local s = system { coordinates = { 'x', 'y', 'z', 'w' } }\n"
                       "s:mass(function(q) return { 1, 1, 1, 1 } end)\n"
                       "local function row(a, b, c, d) return function(q)\n"
                       "  return a * q.x ^ 2 + b * q.y ^ 2 + c * q.z ^ 2 + d * q.w ^ 2 end end\n"
                       "s:constraint { name = 'one', phi = row(1, 2, -1, -2) }\n"
                       "s:constraint { name = 'two', phi = row(2, -1, 1, -2) }\n"
                       "s:constraint { name = 'three', phi = row(1, -3, -1, 3) }\n"
                       "return s\n");
    case_find(&c);
    assert_int_equal(c.branches.count, 8);
    assert_true(c.branches.more);
    assert_true(c.branches.singular);
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 4; k++) {
            assert_near(fabs(c.branches.branch[i].tangent[k]), 1.0, 1e-6);
        }
    }
    case_free(&c);
}

// A flat four-bar that carries a pendulum: what the pendulum does is free on both branches.
static void other_freedoms_belong_to_every_branch(void **state) {
    Case c = case_text("local m = model { name = 'carried' }\n"
                       "local a = m:body { name = 'a', mass = 1, inertia = 1, com = { 0.5, 0 } }\n"
                       "local b = m:body { name = 'b', mass = 1, inertia = 1, at = { 1, 0 } }\n"
                       "local c = m:body { name = 'c', mass = 1, inertia = 1, at = { 2, 0 } }\n"
                       "local d = m:body { name = 'd', mass = 1, inertia = 1, at = { 1, -1 } }\n"
                       "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0 } }\n"
                       "m:joint { 'revolute', name = 'B', a, b, point = { 1, 0 } }\n"
                       "m:joint { 'revolute', name = 'C', b, c, point = { 3, 0 } }\n"
                       "m:joint { 'revolute', name = 'D', m.ground, c, point = { 2, 0 } }\n"
                       "m:joint { 'revolute', name = 'E', b, d, point = { 1, 0 } }\n"
                       "return m\n");
    case_find(&c);
    assert_size(&c.branches, 2, 9, 10);
    int with = 0, against = 0;
    for (int i = 0; i < 2; i++) {
        const trBranch *branch = &c.branches.branch[i];
        double          ratio = 0.0;  // of body c to body a, where they turn
        assert_int_equal(branch->dof, 2);
        for (int k = 0; k < 2; k++) {
            const double *v = branch->tangent + 12 * k;
            ratio = fabs(v[2]) > 0.01 ? v[8] / v[2] : ratio;
        }
        with += fabs(ratio - 1.0) < 1e-9;
        against += fabs(ratio + 3.0) < 1e-9;
    }
    assert_int_equal(with, 1);
    assert_int_equal(against, 1);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_parallel_four_bar_has_two_branches),
        cmocka_unit_test(flat_row_of_two_four_bars_has_three_branches),
        cmocka_unit_test(a_row_of_N_has_one_more),
        cmocka_unit_test(folded_slider_crank_has_two_branches),
        cmocka_unit_test(branches_in_space_are_the_same),
        cmocka_unit_test(regular_poses_have_one_branch),
        cmocka_unit_test(a_shaky_structure_has_no_branch),
        cmocka_unit_test(curved_cones_are_told),
        cmocka_unit_test(pairs_of_conics_are_solved),
        cmocka_unit_test(time_is_a_coordinate),
        cmocka_unit_test(what_is_beyond_second_order_is_told),
        cmocka_unit_test(forms_that_cannot_be_split_are_solved),
        cmocka_unit_test(other_freedoms_belong_to_every_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
