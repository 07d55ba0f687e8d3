// SPDX-License-Identifier: MIT
// Starts on branches: each run stays on its own, told by the geometry, with the joints closed to
// 1e-12 at every accepted state; what is moved, and what is refused.

#include "branches/branches.h"
#include "check/branches_case.h"

#define CLOSED 1e-12  // [m]
// Runs have tolerances of 1e-12 and take less than a second, in about 100 steps.
#define ON_BRANCH 1e-9  // [rad]

static trSim *begin_on(Case *c, int number, trBranchStart *start) {
    trSim *sim = NULL;
    c->def.rtol = c->def.atol = 1e-12;
    if (tr_branch_start(c->machine.system, &c->def, number, start) != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
    c->def.q = start->q;
    c->def.v = start->v;
    c->def.start = start->time;
    if (tr_sim_create(c->machine.system, &c->def, &sim) != TR_OK) {
        fail_msg("branch %d: %s", number, tr_last_error());
    }
    return sim;
}

// The end of a run on this branch, whose joints were closed all the time.
static trSim *run_on(Case *c, int number, trBranchStart *start) {
    trSim *sim = begin_on(c, number, start);
    if (tr_sim_run(sim, NULL, NULL) != TR_OK) {
        fail_msg("branch %d: %s", number, tr_last_error());
    }
    const trSimStats stats = tr_sim_stats(sim);
    print_message("branch %d: %s: violation %.2e m, drift %.2e J, moved %.3g %s\n", number,
                  start->words, stats.position.length, stats.energy_drift, start->moved.value,
                  start->moved.unit);
    assert_true(stats.position.length < CLOSED);
    assert_int_equal(stats.rank_changes, 0);
    return sim;
}

static void end(Case *c, trSim *sim, trBranchStart *start) {
    tr_sim_destroy(sim);
    tr_branch_start_free(start);
    case_free(c);
}

// Parallelogram: equal angles. Antiparallelogram: the diagonals stay parallel; body4 turns against
// body2, and three times as fast at first.
static void try_parallel(const char *const *set, bool rest) {
    for (int number = 1; number <= 2; number++) {
        Case          c = case_file("tests/check/flat_parallel_four_bar.lua", set);
        trBranchStart start;
        trSim        *sim = run_on(&c, number, &start);
        double        a = tr_sim_body(sim, 0).angle, f = tr_sim_body(sim, 2).angle;
        assert_int_equal(start.rest, rest);
        assert_true(fabs(a) > 0.05);
        if (number == 1) {
            assert_near(f, a, ON_BRANCH);
            assert_near(tr_sim_body(sim, 1).angle, 0.0, ON_BRANCH);
        } else {
            assert_true(f * a < 0.0);
            // Crank ends (cos a, sin a) and (2 + cos f, sin f) are 2 m apart, as the pivots are:
            // in an antiparallelogram the diagonals are parallel.
            double x1 = 2.0 + cos(f), y1 = sin(f), x2 = 2.0 - cos(a), y2 = -sin(a);
            assert_near(x1 * y2 - y1 * x2, 0.0, ON_BRANCH);
        }
        end(&c, sim, &start);
    }
}

static void the_parallel_four_bar_follows_both_branches(void **state) {
    try_parallel((const char *const[]){"speed=2", NULL}, false);
    try_parallel((const char *const[]){"speed=-2", "g=9.81", NULL}, false);
    try_parallel((const char *const[]){"g=9.81", NULL}, true);
}

static void assert_row(const trSim *sim, int number, int N) {
    double turn = tr_sim_body(sim, N).angle;
    assert_true(fabs(turn) > 0.05);
    for (int i = 0; i <= N; i++) {
        assert_near(tr_sim_body(sim, i).angle, i < number - 1 ? 0.0 : turn, ON_BRANCH);
    }
    for (int i = 1; i <= N; i++) {
        assert_near(tr_sim_body(sim, N + i).angle, i == number - 1 ? turn : 0.0, ON_BRANCH);
    }
}

// On branch 3 the first loop stays flat, and weights on it would need infinite forces: so without.
static void the_row_of_two_follows_three_branches(void **state) {
    const char *const light[] = {"g=0", "speed=-1", NULL}, *const heavy[] = {"speed=-1", NULL};
    for (int number = 1; number <= 3; number++) {
        for (int k = 0; k < (number < 3 ? 3 : 1); k++) {
            Case          c = case_file("tests/check/flat_four_bars.lua", k == 0   ? light
                                                                          : k == 1 ? heavy
                                                                                   : NULL);
            trBranchStart start;
            trSim        *sim = run_on(&c, number, &start);
            assert_row(sim, number, 2);
            assert_int_equal(start.warning != NULL, number == 3);
            assert_int_equal(start.rest, k == 2);
            assert_true(tr_sim_body(sim, 2).angle < 0.0);  // with the velocity, or downwards
            end(&c, sim, &start);
        }
    }
}

// What the velocity along the branch has at the pose: with all links at 1 kg and 1 m turning at w,
// on branch 1 three cranks of 1/3 kg m^2 and two couplers of 1 kg; the velocity of the model is
// along it. The potential of the pose is 0.
static void the_energy_is_that_of_the_pose(void **state) {
    const char *const set[] = {"speed=-1", NULL};
    Case              c = case_file("tests/check/flat_four_bars.lua", set);
    trBranchStart     start;
    trSim            *sim = begin_on(&c, 1, &start);
    const trSimStats  stats = tr_sim_stats(sim);
    assert_near(stats.energy_start, 0.5 * (3.0 / 3.0 + 2.0), 1e-13);
    assert_true(stats.potential < -1e-3);
    assert_true(start.moved.value > 1e-3 && start.moved.value < 0.1);
    assert_string_equal(start.moved.unit, "rad");
    end(&c, sim, &start);
}

// Uphill so slowly that it would turn before the end of the walk: it starts at rest, downhill.
static void too_little_energy_is_a_start_at_rest(void **state) {
    const char *const set[] = {"speed=1e-3", NULL};
    Case              c = case_file("tests/check/flat_four_bars.lua", set);
    trBranchStart     start;
    trSim            *sim = begin_on(&c, 1, &start);
    assert_true(start.rest);
    assert_true(tr_sim_body(sim, 0).angle < 0.0);
    end(&c, sim, &start);
}

// A motor turns the first crank: the other one follows it on branch 1, and on the other branches
// turns against it. With time as a coordinate both are there.
static const char driven[] =
    "local m = model { name = 'driven' }\n"
    "local a = m:body { name = 'a', mass = 1, inertia = 1, com = { 0.5, 0 } }\n"
    "local b = m:body { name = 'b', mass = 1, inertia = 1, at = { 1, 0 }, com = { 1, 0 } }\n"
    "local c = m:body { name = 'c', mass = 1, inertia = 1, at = { 2, 0 }, com = { 0.5, 0 } }\n"
    "m:joint { 'revolute', name = 'A', m.ground, a, point = { 0, 0 } }\n"
    "m:joint { 'revolute', name = 'B', a, b, point = { 1, 0 } }\n"
    "m:joint { 'revolute', name = 'C', b, c, point = { 3, 0 } }\n"
    "m:joint { 'revolute', name = 'D', m.ground, c, point = { 2, 0 } }\n"
    "m:joint { 'driven_angle', name = 'motor', m.ground, a, angle = function(t) return 2 * t end "
    "}\n"
    "m:simulate { duration = 0.2 }\n"
    "return m\n";

static void drives_move_along_each_branch(void **state) {
    for (int number = 1; number <= 2; number++) {
        Case          c = case_text(driven);
        trBranchStart start;
        trSim        *sim = run_on(&c, number, &start);
        double        a = tr_sim_body(sim, 0).angle, f = tr_sim_body(sim, 2).angle;
        assert_true(start.time > 0.0 && start.time < 0.05);
        assert_near(a, 2.0 * tr_sim_time(sim), ON_BRANCH);
        assert_true(number == 1 ? fabs(f - a) < ON_BRANCH : f < -a);
        end(&c, sim, &start);
    }
}

// Velocities of the caller: those of a branch, and as much of all the others.
static void give_velocities(Case *c, double v[], int number) {
    case_find(c);
    assert_int_equal(c->branches.count, 2);
    for (int i = 0; i < c->branches.nv; i++) {
        v[i] = 0.7 * c->branches.branch[number - 1].tangent[i] +
               0.1 * c->branches.branch[2 - number].tangent[i];
    }
    c->def.v = (trNumbers){c->branches.nv, v};
    c->def.duration = 0.5;
}

static void a_slider_crank_follows_both_branches(void **state) {
    int stayed = 0;
    for (int number = 1; number <= 2; number++) {
        double        v[9], quarter = 0.5 * acos(-1.0);
        Case          c = case_text(slider_crank);
        trBranchStart start;
        give_velocities(&c, v, number);
        bool   stays = fabs(c.branches.branch[number - 1].tangent[6]) < 0.5;
        trSim *sim = run_on(&c, number, &start);
        double a = tr_sim_body(sim, 0).angle - quarter, b = tr_sim_body(sim, 1).angle + quarter;
        assert_true(fabs(a) > 0.05);
        assert_near(b, stays ? a : -a, ON_BRANCH);
        assert_near(tr_sim_body(sim, 2).x, stays ? 0.0 : -2.0 * sin(a), ON_BRANCH);
        stayed += stays;
        end(&c, sim, &start);
    }
    assert_int_equal(stayed, 1);
}

static void redundant_joints_in_space_follow_both_branches(void **state) {
    for (int number = 1; number <= 2; number++) {
        double        v[18];
        Case          c = case_text(in_space);
        trBranchStart start;
        give_velocities(&c, v, number);
        trSim      *sim = run_on(&c, number, &start);
        trBodyState a = tr_sim_body(sim, 0), f = tr_sim_body(sim, 2);
        double      turn = 2.0 * atan2(a.quaternion[3], a.quaternion[0]);
        double      other = 2.0 * atan2(f.quaternion[3], f.quaternion[0]);
        assert_true(fabs(turn) > 0.05);
        assert_true(number == 1 ? fabs(other - turn) < ON_BRANCH : other < -turn);
        end(&c, sim, &start);
    }
}

static void assert_refused(Case *c, int number, const char *text) {
    trBranchStart start;
    assert_int_equal(tr_branch_start(c->machine.system, &c->def, number, &start), TR_E_ARGUMENT);
    if (strstr(tr_last_error(), text) == NULL) {
        fail_msg("%s", tr_last_error());
    }
    assert_null(start.memory);
    tr_branch_start_free(&start);
    case_free(c);
}

static void what_is_not_there_is_refused(void **state) {
    Case c = case_file("tests/check/flat_parallel_four_bar.lua", NULL);
    assert_refused(&c, 3, "there is no branch 3; choose one of 2: 1 (body2 +1.00 rad, body3 y");
    c = case_file("tests/check/flat_parallel_four_bar.lua", NULL);
    assert_refused(&c, 0, "there is no branch 0");
    c = case_file("models/benchmark/parallel_four_bar.lua", NULL);
    assert_refused(&c, 1, "the pose is not singular: there is one motion only");
}

// Weights of two bodies on a velocity that joints do not hold: they are refused, upwards or
// downwards, unless they cancel to rounding. Centers of mass are coordinates, so that a weight has
// no part along a rotation.
static void loads_on_what_is_not_held_are_refused(void **state) {
    Case            c = case_file("tests/check/flat_four_bars.lua", NULL);
    const trSystem *system = c.machine.system;
    trFork          pose = {.nv = 15};
    double          x[15] = {0.0};
    trBranch        branch = {.loose_velocity = x, .loose_words = "crank0 +1.00 rad"};
    assert_int_equal(system->nv, 15);
    assert_int_equal(tr_eval_create(system, &pose.eval), TR_OK);
    static const struct {
        double   y0, y1, turn;
        trStatus status;
    } trial[] = {{0.0, 0.0, 1.0, TR_OK},
                 {1.0, -1.0 + 1e-12, 1.0, TR_OK},
                 {1.0, 0.0, 0.0, TR_E_MODEL},
                 {-1.0, 0.0, 0.0, TR_E_MODEL},
                 {1.0, -0.999999, 0.0, TR_E_MODEL},
                 {-1.0, 0.999999, 0.0, TR_E_MODEL}};
    for (size_t i = 0; i < sizeof trial / sizeof *trial; i++) {
        x[1] = trial[i].y0;
        x[4] = trial[i].y1;
        x[5] = trial[i].turn;
        assert_int_equal(tr_branch_refuse_loads(&pose, &branch, 3, 0.0, system->q0, system->v0),
                         trial[i].status);
    }
    assert_non_null(strstr(tr_last_error(), "all along branch 3 the joints hold one velocity "
                                            "(crank0 +1.00 rad) to second order only"));
    branch.loose_velocity = NULL;
    assert_int_equal(tr_branch_refuse_loads(&pose, &branch, 3, 0.0, system->q0, system->v0), TR_OK);
    tr_eval_destroy(pose.eval);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_on_what_is_not_held_are_refused),
        cmocka_unit_test(the_parallel_four_bar_follows_both_branches),
        cmocka_unit_test(the_row_of_two_follows_three_branches),
        cmocka_unit_test(the_energy_is_that_of_the_pose),
        cmocka_unit_test(too_little_energy_is_a_start_at_rest),
        cmocka_unit_test(a_slider_crank_follows_both_branches),
        cmocka_unit_test(redundant_joints_in_space_follow_both_branches),
        cmocka_unit_test(drives_move_along_each_branch),
        cmocka_unit_test(what_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
