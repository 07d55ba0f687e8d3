// SPDX-License-Identifier: MIT
// Modes whose eigenvalues are known in closed form. They are found from small matrices of regular
// numbers: what rounding leaves is some ten units in the last place, of which 1e-12 leaves a
// margin.

#include "modes/modes_case.h"

#define EXACT 1e-12

// A rod that hangs from the origin, with its center of mass at `com` and started at `angle` from
// the x axis.
static Machine pendulum(double mass, double inertia, double com, double angle) {
    Machine machine = machine_new();
    int     rod = machine_body(&machine, "rod",
                               TR_PARAMS(TR_NUM("mass", mass), TR_NUM("inertia", inertia),
                                         TR_VEC("com", com, 0.0), TR_NUM("angle", angle)));
    machine_joint(&machine, "revolute", "pin", TR_GROUND, rod, NULL);
    machine_build(&machine);
    return machine;
}

static void pendulums_swing_as_they_should(void **state) {
    const double inertia[2] = {0.0, 0.3};
    for (int k = 0; k < 2; k++) {
        Machine machine = pendulum(2.0, inertia[k], 0.7, -0.4);
        trModes modes = modes_of(machine.system);
        double  rate = sqrt(2.0 * GRAVITY * 0.7 / (inertia[k] + 2.0 * 0.7 * 0.7));
        assert_int_equal(modes.count, 1);
        assert_int_equal(modes.neutrals, 0);
        assert_false(modes.moving);
        const trMode *mode = assert_mode(&modes, 0.0, rate, EXACT);
        assert_near(mode->frequency, rate / 6.28318530717958647693, EXACT);
        assert_true(mode->damping == 0.0 && !mode->unstable);
        // From -0.4 rad down to -pi / 2.
        assert_near(modes.moved.value, 1.57079632679489661923 - 0.4, 1e-9);
        assert_string_equal(modes.moved.body, "rod");
        assert_string_equal(modes.moved.unit, "rad");
        tr_modes_free(&modes);
        machine_free(&machine);
    }
}

// The shape has unit kinetic energy: with a rate of the angle of w, m (l w)^2 + I w^2 = 1.
static void shapes_have_unit_kinetic_energy(void **state) {
    Machine       machine = pendulum(2.0, 0.3, 0.7, -0.4);
    trModes       modes = modes_of(machine.system);
    const double *shape = modes.mode[0].shape, w = 1.0 / sqrt(0.3 + 2.0 * 0.49);
    assert_near(fabs(shape[2]), w, EXACT);
    assert_near(shape[0], 0.7 * w, EXACT);  // the largest share, made positive
    assert_near(shape[1], 0.0, 1e-9);
    assert_near(modes.mode[0].share, 2.0 * 0.49 * w * w, EXACT);
    assert_string_equal(modes.mode[0].part, "rod");
    assert_string_equal(modes.mode[0].motion, "translation along x");
    assert_near(modes.mode[0].body_share[0], 1.0, EXACT);
    tr_modes_free(&modes);
    machine_free(&machine);
}

// Two point masses: m1 l1 l2 w^4 - (m1 + m2) g (l1 + l2) w^2 + (m1 + m2) g^2 = 0.
static Machine double_pendulum(const double m[2], const double l[2], double angle1, double angle2) {
    Machine machine = machine_new();
    int     one = machine_body(
            &machine, "upper",
            TR_PARAMS(TR_NUM("mass", m[0]), TR_VEC("com", l[0], 0.0), TR_NUM("angle", angle1)));
    int two = machine_body(&machine, "lower",
                           TR_PARAMS(TR_NUM("mass", m[1]), TR_VEC("com", l[1], 0.0),
                                     TR_NUM("angle", angle2),
                                     TR_VEC("at", l[0] * cos(angle1), l[0] * sin(angle1))));
    machine_joint(&machine, "revolute", "A", TR_GROUND, one, NULL);
    machine_joint(&machine, "revolute", "B", one, two, NULL);
    machine_build(&machine);
    return machine;
}

static void double_pendulum_hangs_and_stands(void **state) {
    const double m[2] = {1.5, 0.8}, l[2] = {0.6, 1.1}, half_pi = 1.57079632679489661923;
    double       a = m[0] * l[0] * l[1], sum = m[0] + m[1];
    double       b = sum * GRAVITY * (l[0] + l[1]), c = sum * GRAVITY * GRAVITY;
    double       fast = (b + sqrt(b * b - 4.0 * a * c)) / (2.0 * a), slow = c / (a * fast);

    Machine machine = double_pendulum(m, l, -0.5, -1.0);
    trModes modes = modes_of(machine.system);
    assert_int_equal(modes.count, 2);
    assert_mode(&modes, 0.0, sqrt(slow), EXACT);
    assert_mode(&modes, 0.0, sqrt(fast), EXACT);
    tr_modes_free(&modes);
    machine_free(&machine);

    machine = double_pendulum(m, l, half_pi, half_pi);
    modes = modes_of(machine.system);
    assert_int_equal(modes.count, 4);
    for (int k = 0; k < 2; k++) {
        double rate = sqrt(k == 0 ? slow : fast);
        assert_true(assert_mode(&modes, rate, 0.0, EXACT)->unstable);
        assert_false(assert_mode(&modes, -rate, 0.0, EXACT)->unstable);
    }
    tr_modes_free(&modes);
    machine_free(&machine);
}

// m x'' + c x' + k x = 0, with gravity across; c below and above the critical one of 12.
static void damped_spring_and_mass(void **state) {
    const double m = 2.0, k = 18.0, damping[2] = {3.0, 20.0};
    for (int i = 0; i < 2; i++) {
        Machine machine = machine_new();
        int     body =
            machine_body(&machine, "cart", TR_PARAMS(TR_NUM("mass", m), TR_VEC("at", 1.3, 0.0)));
        machine_joint(&machine, "prismatic", "rail", TR_GROUND, body,
                      TR_PARAMS(TR_VEC("axis", 1.0, 0.0)));
        machine_force(&machine, "spring", "strut", TR_GROUND, body,
                      TR_PARAMS(TR_NUM("stiffness", k), TR_NUM("damping", damping[i]),
                                TR_NUM("length", 1.0)));
        machine_build(&machine);
        trModes modes = modes_of(machine.system);
        double  half = damping[i] / (2.0 * m), rest = half * half - k / m;
        if (rest < 0.0) {
            const trMode *mode = assert_mode(&modes, -half, sqrt(-rest), EXACT);
            assert_int_equal(modes.count, 1);
            assert_near(mode->damping, half / sqrt(k / m), EXACT);
        } else {
            assert_int_equal(modes.count, 2);
            assert_mode(&modes, -half + sqrt(rest), 0.0, EXACT);
            assert_mode(&modes, -half - sqrt(rest), 0.0, EXACT);
        }
        assert_near(modes.moved.value, 0.3, 1e-12);
        tr_modes_free(&modes);
        machine_free(&machine);
    }
}

// A body on a ball joint at the origin with its center of mass at z = height, which turns about z.
static Machine top(double height, double across1, double across2, double along, double spin) {
    Machine machine = machine_new3();
    int     body = machine_body(&machine, "top",
                                TR_PARAMS(TR_NUM("mass", 3.0), TR_VEC("com", 0.0, 0.0, height),
                                          TR_VEC("inertia", across1, across2, along),
                                          TR_VEC("angular_velocity", 0.0, 0.0, spin)));
    machine_joint(&machine, "spherical", "tip", TR_GROUND, body,
                  TR_PARAMS(TR_VEC("point", 0.0, 0.0, 0.0)));
    machine_build(&machine);
    return machine;
}

static void spherical_pendulum_has_two_equal_modes(void **state) {
    Machine machine = top(-0.5, 0.2, 0.2, 0.1, 0.0);
    trModes modes = modes_of(machine.system);
    double  rate = sqrt(3.0 * GRAVITY * 0.5 / (0.2 + 3.0 * 0.25));
    assert_int_equal(modes.count, 2);
    for (int i = 0; i < 2; i++) {
        assert_near(modes.mode[i].im, rate, EXACT * rate);
        assert_near(modes.mode[i].re, 0.0, EXACT);
    }
    assert_int_equal(modes.neutrals, 1);
    assert_int_equal(modes.zeros, 2);
    assert_string_equal(modes.neutral[0].motion, "rotation about z");
    tr_modes_free(&modes);
    machine_free(&machine);
}

// Upright, with the tilt as a complex number x + i y in axes of the world:
//
//     I1 w'' - i I3 spin w' - m g h w = 0        I1 = across + m h^2
static void sleeping_top_is_stable_only_if_fast(void **state) {
    const double h = 0.5, I1 = 0.2 + 3.0 * h * h, I3 = 0.4, fall = 3.0 * GRAVITY * h;
    double       critical = 2.0 * sqrt(I1 * fall) / I3;
    for (int k = 0; k < 2; k++) {
        double  spin = critical * (k == 0 ? 1.5 : 0.5), momentum = I3 * spin;
        double  rest = momentum * momentum - 4.0 * I1 * fall;
        Machine machine = top(h, 0.2, 0.2, I3, spin);
        trModes modes = modes_of(machine.system);
        assert_true(modes.moving);
        assert_int_equal(modes.count, 2);
        if (rest > 0.0) {
            const trMode *slow =
                assert_mode(&modes, 0.0, (momentum - sqrt(rest)) / (2.0 * I1), 1e-11);
            const trMode *fast =
                assert_mode(&modes, 0.0, (momentum + sqrt(rest)) / (2.0 * I1), 1e-11);
            assert_true(slow != fast && !slow->unstable && !fast->unstable);
        } else {
            double re = sqrt(-rest) / (2.0 * I1), im = momentum / (2.0 * I1);
            assert_true(assert_mode(&modes, re, im, 1e-11)->unstable);
            assert_false(assert_mode(&modes, -re, im, 1e-11)->unstable);
        }
        assert_int_equal(modes.neutrals, 1);  // the angle it has turned by
        assert_int_equal(modes.zeros, 2);     // and its rate
        tr_modes_free(&modes);
        machine_free(&machine);
    }
}

// A top with two different moments across has a steady spin, but no constant equations.
static void unsymmetric_top_is_refused_by_name(void **state) {
    Machine machine = top(0.5, 0.2, 0.3, 0.4, 50.0);
    assert_refused(machine.system, TR_E_MODEL, "body 'top': is not symmetric");
    machine_free(&machine);
}

// theta'' = -(11.445 + k / 3) sin(theta) near zero, as the model's file says; rank 11 of 12 rows.
static void redundant_rows_do_not_matter(void **state) {
    Machine machine = machine_load("redundant_parallelogram.lua", NULL);
    trModes modes = modes_of(machine.system);
    assert_int_equal(modes.count, 1);
    assert_mode(&modes, 0.0, sqrt(11.445), EXACT);
    tr_modes_free(&modes);
    machine_free(&machine);
}

static void equations_of_the_users_own(void **state) {
    Machine machine = machine_load("equations_pendulum.lua", NULL);
    trModes modes = modes_of(machine.system);
    assert_int_equal(modes.count, 1);
    assert_mode(&modes, 0.0, sqrt(9.81), EXACT);
    assert_string_equal(modes.mode[0].part, "x");
    tr_modes_free(&modes);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulums_swing_as_they_should),
        cmocka_unit_test(shapes_have_unit_kinetic_energy),
        cmocka_unit_test(double_pendulum_hangs_and_stands),
        cmocka_unit_test(damped_spring_and_mass),
        cmocka_unit_test(spherical_pendulum_has_two_equal_modes),
        cmocka_unit_test(sleeping_top_is_stable_only_if_fast),
        cmocka_unit_test(unsymmetric_top_is_refused_by_name),
        cmocka_unit_test(redundant_rows_do_not_matter),
        cmocka_unit_test(equations_of_the_users_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
