// SPDX-License-Identifier: MIT
// Spatial bodies without mass, without inertia, or without inertia about one axis.

#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/test.h"

#define VECTOR(key, a) TR_VEC(key, (a).x, (a).y, (a).z)

static const char *const formulations[] = {"lagrange", "lagrange_dense"};

static Machine machine_space(void) {
    Machine machine = {0};
    assert_int_equal(tr_model_create(TR_PARAMS(TR_NUM("dim", 3), TR_VEC("gravity", 1.0, 2.0, -9.0)),
                                     &machine.model),
                     TR_OK);
    return machine;
}

// --- a tie rod without mass is a distance ---

// An arm on a hinge and a slider on a guide, tied from P on the arm to S on the slider.
static const trVec3 P = {0.7, 0.2, 0.4}, S = {1.5, 1.0, -0.3};

static Machine arm_and_slider(void) {
    Machine machine = machine_space();
    int     arm = machine_body(&machine, "arm",
                               TR_PARAMS(TR_NUM("mass", 2.0), TR_VEC("com", 0.4, 0.1, 0.2),
                                         TR_VEC("inertia", 0.1, 0.2, 0.25, 0.02, -0.01, 0.03),
                                         TR_VEC("angular_velocity", 0.0, 0.3, 1.0)));
    int     slider = machine_body(
            &machine, "slider",
            TR_PARAMS(TR_NUM("mass", 1.5), TR_VEC("inertia", 0.1, 0.1, 0.1), VECTOR("at", S)));
    machine_joint(&machine, "revolute", "hinge", TR_GROUND, arm,
                  TR_PARAMS(TR_VEC("point", 0.0, 0.0, 0.0), TR_VEC("axis", 0.1, 0.3, 1.0)));
    machine_joint(&machine, "prismatic", "guide", TR_GROUND, slider,
                  TR_PARAMS(TR_VEC("axis", 1.0, 0.2, 0.3)));
    return machine;
}

// The rod as a body without mass, held by a ball joint and by what the caller chooses.
static int add_tie(Machine *machine, const trParam *params, const char *foot) {
    int tie = machine_body(machine, "tie", params);
    machine_joint(machine, "spherical", "head", 0, tie, TR_PARAMS(VECTOR("point", P)));
    if (strcmp(foot, "universal") == 0) {
        trVec3 along = tr_sub3(S, P), a = tr_cross3(along, (trVec3){0.0, 0.0, 1.0});
        trVec3 b = tr_cross3(along, a);
        machine_joint(
            machine, "universal", "foot", tie, 1,
            TR_PARAMS(VECTOR("point", S), VECTOR("world_axis1", a), VECTOR("world_axis2", b)));
    } else {
        machine_joint(machine, foot, "foot", tie, 1, TR_PARAMS(VECTOR("point", S)));
    }
    machine_build(machine);
    return tie;
}

static trVec3 force_at(trSim *sim, int joint) {
    trReaction r;
    assert_int_equal(tr_sim_reaction(sim, joint, &r), TR_OK);
    return (trVec3){r.fx, r.fy, r.fz};
}

static trVec3 moment_at(trSim *sim, int joint) {
    trReaction r;
    assert_int_equal(tr_sim_reaction(sim, joint, &r), TR_OK);
    return (trVec3){r.mx, r.my, r.mz};
}

// Of a run of 1 s, as both are to be judged: dop853 at 1e-10.
static trSimDef accurate(const char *formulation) {
    trSimDef def = tr_sim_def_default();
    def.formulation = formulation;
    def.rtol = def.atol = 1e-10;
    return def;
}

// Two runs of 1e-10 each, over 1 s with rates of some 1/s; loads of some 10 N follow the motion.
#define SAME_MOTION 1e-8
#define SAME_LOAD 1e-7  // [N], [N m]

static void a_tie_rod_without_mass_is_a_distance(void **state) {
    for (int k = 0; k < 2; k++) {
        Machine rod = arm_and_slider(), plain = arm_and_slider();
        add_tie(&rod, TR_PARAMS(TR_NUM("mass", 0.0), TR_VEC("at", 1.0, 0.5, 0.0)), "universal");
        machine_joint(&plain, "distance", "tie", 0, 1,
                      TR_PARAMS(VECTOR("world1", P), VECTOR("world2", S)));
        machine_build(&plain);
        trSimDef def = accurate(formulations[k]);
        trSim   *one = machine_sim(&rod, &def), *two = machine_sim(&plain, &def);
        double   largest = 0.0;
        for (int i = 1; i <= 10; i++) {
            assert_int_equal(tr_sim_run_to(one, 0.1 * i), TR_OK);
            assert_int_equal(tr_sim_run_to(two, 0.1 * i), TR_OK);
            for (int b = 0; b < 2; b++) {
                trBodyState x = tr_sim_body(one, b), y = tr_sim_body(two, b);
                assert_true(fabs(x.x - y.x) + fabs(x.y - y.y) + fabs(x.z - y.z) < SAME_MOTION);
                assert_true(fabs(x.wx - y.wx) + fabs(x.wz - y.wz) < SAME_MOTION);
            }
            // Both ends bear the same force, that of the distance, and no moment.
            trVec3 head = force_at(one, 2), foot = force_at(one, 3), tie = force_at(two, 2);
            largest = fmax(largest, tr_length3(tie));
            assert_true(tr_length3(tr_sub3(head, tie)) < SAME_LOAD);
            assert_true(tr_length3(tr_sub3(foot, tie)) < SAME_LOAD);
            assert_true(tr_length3(moment_at(one, 3)) < SAME_LOAD);
        }
        assert_true(largest > 1.0);
        assert_int_equal(tr_sim_stats(one).degrees_of_freedom, 1);
        tr_sim_destroy(one);
        tr_sim_destroy(two);
        machine_free(&rod);
        machine_free(&plain);
    }
}

// --- a coupler without mass, hinged at both ends in a loop: redundant out of the plane ---

// With `coupler` a body, without it a distance between the pins.
static Machine four_bar(bool coupler) {
    static const trVec3 pin[4] = {
        {0.0, 0.0, 0.0}, {0.3, 0.8, 0.1}, {1.7, 1.2, 0.1}, {1.5, 0.0, -0.1}};
    const trVec3 n = {0.05, -0.1, 1.0};
    Machine      machine = machine_space();
    int          crank = machine_body(&machine, "crank",
                                      TR_PARAMS(TR_NUM("mass", 1.0), TR_VEC("inertia", 0.1, 0.1, 0.1),
                                                TR_VEC("com", 0.2, 0.4, 0.0)));
    int          follower = machine_body(
                 &machine, "follower",
                 TR_PARAMS(TR_NUM("mass", 1.4), TR_VEC("inertia", 0.1, 0.2, 0.2), VECTOR("at", pin[3])));
    machine_joint(&machine, "revolute", "A0", TR_GROUND, crank,
                  TR_PARAMS(VECTOR("point", pin[0]), VECTOR("axis", n)));
    machine_joint(
        &machine, "revolute", "B0", TR_GROUND, follower,
        TR_PARAMS(VECTOR("point", tr_add_scaled3(pin[3], 0.2, pin[1])), VECTOR("axis", n)));
    if (coupler) {
        int link = machine_body(&machine, "coupler", TR_PARAMS(TR_NUM("mass", 0.0)));
        machine_joint(&machine, "revolute", "A", crank, link,
                      TR_PARAMS(VECTOR("point", pin[1]), VECTOR("axis", n)));
        machine_joint(&machine, "revolute", "B", link, follower,
                      TR_PARAMS(VECTOR("point", pin[2]), VECTOR("axis", n)));
    } else {
        machine_joint(&machine, "distance", "rod", crank, follower,
                      TR_PARAMS(VECTOR("world1", pin[1]), VECTOR("world2", pin[2])));
    }
    machine_build(&machine);
    return machine;
}

// Pins of the two members are at different heights along the hinges: the distance has a part along
// them that does not change, so that both loops have the same motion.
static void a_coupler_without_mass_is_a_distance(void **state) {
    for (int k = 0; k < 2; k++) {
        Machine  link = four_bar(true), rod = four_bar(false);
        trSimDef def = accurate(formulations[k]);
        trSim   *one = machine_sim(&link, &def), *two = machine_sim(&rod, &def);
        assert_int_equal(tr_sim_stats(one).redundant_rows, 3);
        assert_int_equal(tr_sim_stats(one).degrees_of_freedom, 1);
        for (int i = 1; i <= 10; i++) {
            assert_int_equal(tr_sim_run_to(one, 0.1 * i), TR_OK);
            assert_int_equal(tr_sim_run_to(two, 0.1 * i), TR_OK);
            for (int b = 0; b < 2; b++) {
                trBodyState x = tr_sim_body(one, b), y = tr_sim_body(two, b);
                assert_true(fabs(x.x - y.x) + fabs(x.y - y.y) + fabs(x.z - y.z) < SAME_MOTION);
                assert_true(fabs(x.wz - y.wz) < SAME_MOTION);
            }
        }
        assert_true(fabs(tr_sim_body(one, 0).wz) > 0.1);
        tr_sim_destroy(one);
        tr_sim_destroy(two);
        machine_free(&link);
        machine_free(&rod);
    }
}

// --- bodies with mass but without inertia, or without it about one axis ---

// A point mass m at c from a hinge: the motion about the unit axis n has the inertia m |c x n|^2.
static void a_point_mass_on_a_hinge_is_a_pendulum(void **state) {
    const trVec3 c = {0.3, -0.6, 0.2}, g = {1.0, 2.0, -9.0}, axis = {0.3, 0.5, 1.0};
    trVec3       n = tr_scale3(1.0 / tr_length3(axis), axis), arm = tr_cross3(c, n);
    double       alpha = tr_dot3(n, tr_cross3(c, g)) / tr_dot3(arm, arm);
    for (int k = 0; k < 2; k++) {
        Machine machine = machine_space();
        int bob = machine_body(&machine, "bob", TR_PARAMS(TR_NUM("mass", 3.0), VECTOR("com", c)));
        machine_joint(&machine, "revolute", "pin", TR_GROUND, bob, TR_PARAMS(VECTOR("axis", axis)));
        machine_build(&machine);
        trSimDef def = accurate(formulations[k]);
        trSim   *sim = machine_sim(&machine, &def);
        double   a[6];
        assert_int_equal(tr_sim_accelerate(sim, 0.0, sim->x, a), TR_OK);
        // The center of mass has the acceleration alpha n x c.
        trVec3 expected = tr_scale3(alpha, tr_cross3(n, c));
        assert_true(tr_length3(tr_sub3((trVec3){a[0], a[1], a[2]}, expected)) < 1e-13 * 9.0);
        assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
        assert_true(tr_sim_stats(sim).energy_drift < SAME_MOTION);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
}

// A slender rod, its axis along x of its frame.
static const trParam *slender(double mass) {
    static double  inertia[3], at[3], turn[3];
    static trParam params[5];
    trVec3         along = tr_sub3(S, P), middle = tr_add_scaled3(P, 0.5, along);
    trVec3         x = tr_scale3(1.0 / tr_length3(along), along);
    trVec3         rotation = tr_quat_log(tr_quat_between((trVec3){1.0, 0.0, 0.0}, x));
    inertia[1] = inertia[2] = mass * tr_dot3(along, along) / 12.0;
    memcpy(at, &middle, sizeof at);
    memcpy(turn, &rotation, sizeof turn);
    params[0] = (trParam)TR_NUM("mass", mass);
    params[1] = (trParam){"inertia", TR_PARAM_NUMBERS, .count = 3, .numbers = inertia};
    params[2] = (trParam){"at", TR_PARAM_NUMBERS, .count = 3, .numbers = at};
    params[3] = (trParam){"rotation", TR_PARAM_NUMBERS, .count = 3, .numbers = turn};
    return params;
}

static void a_slender_rod_on_two_balls_is_refused_by_name(void **state) {
    for (int k = 0; k < 4; k++) {
        Machine machine = arm_and_slider();
        add_tie(&machine, slender(k < 2 ? 0.8 : 0.0), "spherical");
        trSimDef def = accurate(formulations[k % 2]);
        machine_refuses(
            &machine, &def, TR_E_MODEL,
            "body 'tie': a rotation of it has neither inertia nor a joint that holds it");
        machine_free(&machine);
    }
}

static void a_slender_rod_on_a_ball_and_a_cross_moves(void **state) {
    trBodyState end[2];
    for (int k = 0; k < 2; k++) {
        Machine  machine = arm_and_slider();
        int      tie = add_tie(&machine, slender(0.8), "universal");
        trSimDef def = accurate(formulations[k]);
        trSim   *sim = machine_sim(&machine, &def);
        assert_int_equal(tr_sim_stats(sim).degrees_of_freedom, 1);
        assert_int_equal(tr_sim_run_to(sim, 1.0), TR_OK);
        assert_true(tr_sim_stats(sim).energy_drift < SAME_MOTION * 10.0);
        end[k] = tr_sim_body(sim, tie);
        tr_sim_destroy(sim);
        machine_free(&machine);
    }
    assert_true(fabs(end[0].x - end[1].x) + fabs(end[0].wy - end[1].wy) < SAME_MOTION);
}

// A body that nothing holds at all, and one on a ball joint.
static void free_bodies_without_inertia_are_refused_by_name(void **state) {
    static const char *const texts[] = {
        "body 'ghost': its motion along x has neither inertia nor a joint that holds it",
        "body 'ghost': a rotation of it has neither inertia nor a joint that holds it",
        "body 'ghost': a rotation of it has neither inertia nor a joint that holds it",
    };
    for (int i = 0; i < 6; i++) {
        Machine machine = arm_and_slider();
        double  mass = i / 2 == 2 ? 1.0 : 0.0;  // a free point mass can still spin
        int     ghost = machine_body(&machine, "ghost", TR_PARAMS(TR_NUM("mass", mass)));
        if (i / 2 == 1) {
            machine_joint(&machine, "spherical", "ball", 0, ghost, NULL);
        }
        machine_build(&machine);
        trSimDef def = accurate(formulations[i % 2]);
        machine_refuses(&machine, &def, TR_E_MODEL, texts[i / 2]);
        machine_free(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tie_rod_without_mass_is_a_distance),
        cmocka_unit_test(a_coupler_without_mass_is_a_distance),
        cmocka_unit_test(a_point_mass_on_a_hinge_is_a_pendulum),
        cmocka_unit_test(a_slender_rod_on_two_balls_is_refused_by_name),
        cmocka_unit_test(a_slender_rod_on_a_ball_and_a_cross_moves),
        cmocka_unit_test(free_bodies_without_inertia_are_refused_by_name),
    };
    return cmocka_run_group_tests_name("massless in space", tests, NULL, NULL);
}
