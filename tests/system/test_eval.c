// SPDX-License-Identifier: MIT
// Evaluations: stamps, who is blamed for numbers that are not finite, reactions and body frames.

#include <math.h>
#include <string.h>

#include "support/machines.h"
#include "support/random.h"
#include "support/test.h"

#define MAX_N 12

// An evaluation of a machine, ready at its initial state.
typedef struct Bench {
    Machine  machine;
    trArena *arena;
    trEval   eval;
    double   q[MAX_N], v[MAX_N];
} Bench;

static void set_up(Bench *bench, Machine machine) {
    bench->machine = machine;
    bench->arena = tr_arena_create();
    assert_int_equal(tr_eval_plan(bench->arena, machine.system, 1e-4, &bench->eval), TR_OK);
    memcpy(bench->q, machine.system->q0, (size_t)machine.system->nq * sizeof(double));
    memcpy(bench->v, machine.system->v0, (size_t)machine.system->nv * sizeof(double));
}

static void tear_down(Bench *bench) {
    tr_arena_destroy(bench->arena);
    machine_free(&bench->machine);
}

static trStatus evaluate(Bench *bench, double t) {
    return tr_system_eval(bench->machine.system, t, bench->q, bench->v, &bench->eval);
}

static int64_t stamp_at(Bench *bench, double t) {
    assert_int_equal(evaluate(bench, t), TR_OK);
    return bench->eval.equations.stamp;
}

static void a_stamp_stays_while_time_and_positions_stay(void **state) {
    Bench bench;
    set_up(&bench, machine_four_bar(1.0));
    int64_t first = stamp_at(&bench, 0.0);
    assert_true(first != 0);
    assert_int_equal(stamp_at(&bench, 0.0), first);
    for (int i = 0; i < bench.machine.system->nv; i++) {  // M and A do not depend on v
        bench.v[i] += 1.0;
        assert_int_equal(stamp_at(&bench, 0.0), first);
    }
    tear_down(&bench);
}

static void a_stamp_changes_with_time_and_with_every_position(void **state) {
    Bench bench;
    set_up(&bench, machine_four_bar(1.0));
    int64_t last = stamp_at(&bench, 0.0);
    for (int i = 0; i < bench.machine.system->nq; i++) {
        bench.q[i] = nextafter(bench.q[i], 10.0);
        int64_t now = stamp_at(&bench, 0.0);
        assert_true(now > last);
        last = now;
    }
    assert_true(stamp_at(&bench, 1e-300) > last);
    tear_down(&bench);
}

// An evaluation that failed may have left anything in A.
static void a_stamp_always_changes_after_a_failure(void **state) {
    Bench bench;
    set_up(&bench, machine_four_bar(1.0));
    int64_t first = stamp_at(&bench, 0.0);
    double  kept = bench.q[2];
    bench.q[2] = NAN;
    assert_int_equal(evaluate(&bench, 0.0), TR_NOT_FINITE);
    bench.q[2] = kept;
    int64_t second = stamp_at(&bench, 0.0);
    assert_true(second > first);
    // The same state, and only the velocity was wrong: it counts as changed nevertheless.
    kept = bench.v[2];
    bench.v[2] = INFINITY;
    assert_int_equal(evaluate(&bench, 0.0), TR_NOT_FINITE);
    bench.v[2] = kept;
    assert_true(stamp_at(&bench, 0.0) > second);
    tear_down(&bench);
}

static void a_state_that_is_not_finite_is_reported_as_such(void **state) {
    static const double wrong[] = {NAN, INFINITY, -INFINITY};
    Bench               bench;
    set_up(&bench, machine_four_bar(1.0));
    for (int i = 0; i < bench.machine.system->nq; i++) {
        for (int k = 0; k < 3; k++) {
            double kept = bench.q[i];
            bench.q[i] = wrong[k];
            assert_int_equal(evaluate(&bench, 2.5), TR_NOT_FINITE);
            assert_string_equal(strstr(tr_last_error(), "': ") + 3,
                                "its motion grows without bounds at t = 2.5 s; take a smaller "
                                "step");
            assert_non_null(strstr(tr_last_error(), bench.machine.system->body[i / 3].name));
            bench.q[i] = kept;
        }
    }
    assert_int_equal(evaluate(&bench, 2.5), TR_OK);
    tear_down(&bench);
}

// sqrt(t - 1) is not a number before t = 1, and has no derivative at t = 1.
static void a_joint_whose_function_fails_is_named_with_the_time(void **state) {
    Bench   bench;
    Machine machine = machine_new();
    int     a = machine_body(&machine, "a", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, a, NULL);
    machine_joint(&machine, "driven_angle", "motor", TR_GROUND, a,
                  TR_PARAMS(TR_TIME("angle", machine_root(&machine, 1.0))));
    machine_build(&machine);
    set_up(&bench, machine);
    assert_int_equal(evaluate(&bench, 2.0), TR_OK);
    assert_int_equal(evaluate(&bench, 0.25), TR_NOT_FINITE);
    assert_non_null(strstr(tr_last_error(), "joint 'motor': not a finite number at t = 0.25 s"));
    assert_int_equal(evaluate(&bench, 1.0), TR_NOT_FINITE);
    assert_non_null(strstr(tr_last_error(), "joint 'motor': not a finite number at t = 1 s"));
    int64_t stamp = bench.eval.equations.stamp;
    assert_true(stamp_at(&bench, 2.0) > stamp);
    tear_down(&bench);
}

static void a_force_whose_function_fails_is_named_with_the_time(void **state) {
    Bench   bench;
    Machine machine = machine_new();
    int     a = machine_body(&machine, "a", TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 1.0)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, a, NULL);
    machine_force(&machine, "torque", "brake", TR_GROUND, a, TR_PARAMS(TR_NUM("moment", 1.0)));
    machine_force(&machine, "torque", "push", TR_GROUND, a,
                  TR_PARAMS(TR_TIME("moment", machine_root(&machine, 1.0))));
    machine_build(&machine);
    set_up(&bench, machine);
    assert_int_equal(evaluate(&bench, 0.25), TR_NOT_FINITE);
    assert_non_null(strstr(tr_last_error(), "force 'push': not a finite number at t = 0.25 s"));
    assert_int_equal(evaluate(&bench, 2.0), TR_OK);
    tear_down(&bench);
}

// Two bodies with centers of mass apart from their frames, and joints of all shapes: to ground on
// either side and between them.
static Machine jointed_machine(void) {
    Machine machine = machine_new();
    int     a =
        machine_body(&machine, "a",
                     TR_PARAMS(TR_NUM("mass", 2.0), TR_NUM("inertia", 0.7), TR_VEC("at", 0.3, -0.2),
                               TR_NUM("angle", 0.4), TR_VEC("com", 0.5, 0.1),
                               TR_VEC("velocity", 0.7, -0.3), TR_NUM("angular_velocity", 1.3)));
    int b =
        machine_body(&machine, "b",
                     TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.2), TR_VEC("at", 1.5, 0.6),
                               TR_NUM("angle", -0.8), TR_VEC("com", -0.2, 0.3),
                               TR_VEC("velocity", 0.1, 0.9), TR_NUM("angular_velocity", -2.1)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, a, TR_PARAMS(TR_VEC("point", 0.1, 0.2)));
    machine_joint(&machine, "fixed", "weld", a, TR_GROUND, NULL);
    machine_joint(&machine, "prismatic", "guide", a, b, TR_PARAMS(TR_VEC("axis", 1.0, 2.0)));
    machine_joint(&machine, "distance", "rod", b, TR_GROUND,
                  TR_PARAMS(TR_VEC("world1", 1.0, 1.0), TR_VEC("world2", -1.0, 2.0)));
    machine_joint(&machine, "revolute", "elbow", a, b, TR_PARAMS(TR_VEC("point", 0.9, 0.4)));
    machine_build(&machine);
    return machine;
}

// Multipliers need not solve anything for this: signs and arms are those of the joints. The sums
// have a handful of terms of size 1 to 10.
#define FEW_ROUNDINGS 1e-14

static void set_multipliers(const Bench *bench, double *lambda) {
    trRandom random = {3};
    for (int i = 0; i < bench->machine.system->m; i++) {
        lambda[i] = 2.0 + random_real(&random);
    }
}

static void both_sides_of_a_joint_bear_opposite_loads_at_one_point(void **state) {
    Bench  bench;
    double lambda[MAX_N];
    set_up(&bench, jointed_machine());
    set_multipliers(&bench, lambda);
    assert_int_equal(evaluate(&bench, 0.0), TR_OK);
    for (int j = 0; j < bench.machine.system->joints; j++) {
        trVec3  p1, p2;
        trLoad3 one = tr_system_reaction(&bench.eval, j, 1, lambda, &p1);
        trLoad3 two = tr_system_reaction(&bench.eval, j, 2, lambda, &p2);
        assert_true(p1.x == p2.x && p1.y == p2.y);
        assert_true(fabs(one.force.x + two.force.x) <= FEW_ROUNDINGS);
        assert_true(fabs(one.force.y + two.force.y) <= FEW_ROUNDINGS);
        assert_true(fabs(one.moment.z + two.moment.z) <= FEW_ROUNDINGS);
        assert_true(fabs(one.force.x) + fabs(one.force.y) > 0.1);
    }
    tear_down(&bench);
}

// A pin bears no moment about itself.
static void reactions_of_pins_have_no_moment_about_them(void **state) {
    Bench  bench;
    double lambda[MAX_N];
    set_up(&bench, machine_four_bar(1.0));
    set_multipliers(&bench, lambda);
    assert_int_equal(evaluate(&bench, 0.0), TR_OK);
    for (int j = 0; j < bench.machine.system->joints; j++) {
        for (int side = 1; side <= 2; side++) {
            trVec3  point;
            trLoad3 load = tr_system_reaction(&bench.eval, j, side, lambda, &point);
            assert_true(fabs(load.moment.z) <= FEW_ROUNDINGS);
        }
    }
    tear_down(&bench);
}

// The loads on a body, moved to its center of mass, add up to -A' lambda.
static void reactions_of_all_joints_add_up_to_the_constraint_force(void **state) {
    Bench  bench;
    double lambda[MAX_N], left[MAX_N] = {0};
    set_up(&bench, jointed_machine());
    set_multipliers(&bench, lambda);
    assert_int_equal(evaluate(&bench, 0.0), TR_OK);
    const trSystem *s = bench.machine.system;
    tr_rows_tmul_sub(&bench.eval.equations.A, lambda, left);
    for (int j = 0; j < s->joints; j++) {
        const int body[] = {s->joint[j].body1, s->joint[j].body2};
        for (int k = 0; k < 2; k++) {
            trVec3  point;
            trLoad3 load = tr_system_reaction(&bench.eval, j, k + 1, lambda, &point);
            if (body[k] != TR_GROUND) {
                double *to = left + 3 * body[k], *q = bench.q + 3 * body[k];
                to[0] -= load.force.x;
                to[1] -= load.force.y;
                to[2] -= load.moment.z + (point.x - q[0]) * load.force.y -
                         (point.y - q[1]) * load.force.x;
            }
        }
    }
    for (int i = 0; i < s->nv; i++) {
        assert_true(fabs(left[i]) <= FEW_ROUNDINGS);
    }
    tear_down(&bench);
}

static void the_initial_state_is_that_of_the_frames(void **state) {
    Bench bench;
    set_up(&bench, jointed_machine());
    trBodyState  a = tr_system_body_state(bench.machine.system, 0, bench.q, bench.v);
    const double got[] = {a.x, a.y, a.angle, a.vx, a.vy, a.omega};
    const double given[] = {0.3, -0.2, 0.4, 0.7, -0.3, 1.3};
    for (int i = 0; i < 6; i++) {
        assert_true(fabs(got[i] - given[i]) <= 1e-15);
    }
    tear_down(&bench);
}

static void what_is_not_a_body_has_no_name_and_a_state_of_zeros(void **state) {
    Bench bench;
    set_up(&bench, jointed_machine());
    const trSystem *system = bench.machine.system;
    const int       none[] = {-2, tr_system_bodies(system), TR_GROUND};
    for (int i = 0; i < 3; i++) {
        trBodyState s = tr_system_body_state(system, none[i], bench.q, bench.v);
        assert_true(s.x == 0.0 && s.y == 0.0 && s.angle == 0.0);
        assert_true(s.vx == 0.0 && s.vy == 0.0 && s.omega == 0.0);
    }
    assert_null(tr_system_body_name(system, -2));
    assert_null(tr_system_body_name(system, tr_system_bodies(system)));
    assert_string_equal(tr_system_body_name(system, TR_GROUND), "ground");
    assert_string_equal(tr_system_body_name(system, 0), system->body[0].name);
    assert_null(tr_system_joint_name(system, -1));
    assert_null(tr_system_joint_name(system, tr_system_joints(system)));
    tear_down(&bench);
}

// x, y, angle of a frame whose body moves with q + v t + a t^2 / 2, and their rates.
static trBodyState frame_at(const trBody *body, const double *q, const double *v, const double *a,
                            double t) {
    double moved[3], rate[3];
    for (int i = 0; i < 3; i++) {
        moved[i] = q[i] + v[i] * t + 0.5 * a[i] * t * t;
        rate[i] = v[i] + a[i] * t;
    }
    return tr_space_planar.state(body, moved, rate);
}

// Differences of fourth order with h = 1e-3: they leave out h^4 / 30 times the fifth derivative. Of
// rates it is at most |com| (w^6 + 15 w^4 a + 45 w^2 a^2 + 15 a^3) = 700 with w = 2.1 and a = 2.2,
// so 3e-11; rounding adds 1e-12.
static void rates_and_accelerations_of_frames_are_derivatives(void **state) {
    const double h = 1e-3, a[] = {0.4, -1.7, 2.2};
    Bench        bench;
    set_up(&bench, jointed_machine());
    for (int i = 0; i < 2; i++) {
        const trBody  *body = &bench.machine.system->body[i];
        const double  *q = bench.q + 3 * i, *v = bench.v + 3 * i;
        trBodyState    at = tr_space_planar.state(body, q, v);
        trBodyState    p1 = frame_at(body, q, v, a, h), p2 = frame_at(body, q, v, a, 2.0 * h);
        trBodyState    m1 = frame_at(body, q, v, a, -h), m2 = frame_at(body, q, v, a, -2.0 * h);
        trAcceleration acceleration = tr_space_planar.acceleration(body, q, v, a);
#define DIFFERENCE(part) ((8.0 * (p1.part - m1.part) - (p2.part - m2.part)) / (12.0 * h))
        assert_true(fabs(at.vx - DIFFERENCE(x)) <= 4e-11);
        assert_true(fabs(at.vy - DIFFERENCE(y)) <= 4e-11);
        assert_true(fabs(at.omega - DIFFERENCE(angle)) <= 4e-11);
        assert_true(fabs(acceleration.origin.x - DIFFERENCE(vx)) <= 4e-11);
        assert_true(fabs(acceleration.origin.y - DIFFERENCE(vy)) <= 4e-11);
        assert_true(fabs(acceleration.angular.z - DIFFERENCE(omega)) <= 4e-11);
#undef DIFFERENCE
    }
    tear_down(&bench);
}

// A rod of 2 kg at 0.3 rad: m g h, and (m |v|^2 + J omega^2) / 2 with v = omega / 2 at mid-length.
static void energies_are_those_of_a_pendulum(void **state) {
    Bench bench;
    set_up(&bench, machine_pendulum(0.3));
    bench.v[0] = -2.0 * 0.5 * sin(0.3);
    bench.v[1] = 2.0 * 0.5 * cos(0.3);
    bench.v[2] = 2.0;
    assert_int_equal(evaluate(&bench, 0.0), TR_OK);
    double kinetic = 0.5 * (2.0 * 1.0 + 2.0 / 12.0 * 4.0);
    assert_true(fabs(tr_eval_kinetic(&(trEval){.system = bench.machine.system}, bench.q, bench.v) -
                     kinetic) <= 1e-15);
    double low = bench.eval.potential;
    bench.q[1] += 1.0;
    assert_int_equal(evaluate(&bench, 0.0), TR_OK);
    assert_true(fabs(bench.eval.potential - low - 2.0 * GRAVITY) <= 1e-14 * 2.0 * GRAVITY);
    assert_true(bench.eval.power == 0.0);
    tear_down(&bench);
}

// A rate of 1e-160 squared is denormal, with which arithmetic is a hundred times slower.
static void what_is_too_small_to_matter_is_zero(void **state) {
    Bench bench;
    set_up(&bench, machine_pendulum(0.0));
    bench.q[2] = 1e-200;
    bench.v[2] = 1e-160;
    assert_int_equal(evaluate(&bench, 0.0), TR_OK);
    assert_true(bench.eval.b[0] == 0.0 && bench.eval.b[1] == 0.0);
    assert_true(bench.eval.motion2[1].s == 0.0);
    bench.v[2] = 1e-90;
    assert_int_equal(evaluate(&bench, 0.0), TR_OK);
    assert_true(bench.eval.b[0] != 0.0);
    tear_down(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stamp_stays_while_time_and_positions_stay),
        cmocka_unit_test(a_stamp_changes_with_time_and_with_every_position),
        cmocka_unit_test(a_stamp_always_changes_after_a_failure),
        cmocka_unit_test(a_state_that_is_not_finite_is_reported_as_such),
        cmocka_unit_test(a_joint_whose_function_fails_is_named_with_the_time),
        cmocka_unit_test(a_force_whose_function_fails_is_named_with_the_time),
        cmocka_unit_test(both_sides_of_a_joint_bear_opposite_loads_at_one_point),
        cmocka_unit_test(reactions_of_pins_have_no_moment_about_them),
        cmocka_unit_test(reactions_of_all_joints_add_up_to_the_constraint_force),
        cmocka_unit_test(the_initial_state_is_that_of_the_frames),
        cmocka_unit_test(what_is_not_a_body_has_no_name_and_a_state_of_zeros),
        cmocka_unit_test(rates_and_accelerations_of_frames_are_derivatives),
        cmocka_unit_test(energies_are_those_of_a_pendulum),
        cmocka_unit_test(what_is_too_small_to_matter_is_zero),
    };
    return cmocka_run_group_tests_name("eval", tests, NULL, NULL);
}
