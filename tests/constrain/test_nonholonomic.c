// SPDX-License-Identifier: MIT
// Constraints on velocities that are not linear in them. A point under gravity g keeps the speed u,
// psi = |v|^2 - u^2; then only the part of gravity across the path acts, and
//
//     v = u (cos theta, sin theta),   u theta' = -g cos theta,   sin theta = -tanh(g t / u)
//
// from a horizontal start: it turns down and then falls with u.

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/test.h"
#include "trammel/constrain.h"

static const double gravity = 9.81, speed = 5.0;  // [m/s^2], [m/s]

typedef enum Flaw { NONE, WRONG_JACOBIAN, WRONG_B } Flaw;

static int mass(void *context, double t, const double *q, double *M) {
    (void)context, (void)t, (void)q;
    M[0] = M[3] = 2.0;
    M[1] = M[2] = 0.0;
    return 0;
}

static int psi(void *context, double t, const double *q, const double *v, double *out) {
    (void)context, (void)t, (void)q;
    out[0] = v[0] * v[0] + v[1] * v[1] - speed * speed;
    return 0;
}

static int psi_jacobian(void *context, double t, const double *q, const double *v, double *A) {
    (void)t, (void)q;
    A[0] = 2.0 * v[0];
    A[1] = (*(const Flaw *)context == WRONG_JACOBIAN ? 1.0 : 2.0) * v[1];
    return 0;
}

static int psi_b(void *context, double t, const double *q, const double *v, double *b) {
    (void)t, (void)q, (void)v;
    b[0] = *(const Flaw *)context == WRONG_B ? 0.5 : 0.0;
    return 0;
}

static trConstrainDef define(Flaw *flaw, bool given) {
    static const char *const names[] = {"speed"};
    trConstrainDef           def = tr_constrain_def_default();
    def.n = 2;
    def.k = 1;
    def.context = flaw;
    def.names = names;
    def.mass = mass;
    def.psi = psi;
    def.psi_jacobian = given ? psi_jacobian : NULL;
    def.psi_b = given ? psi_b : NULL;
    return def;
}

static void rhs(trConstrain *c, double t, const double *y, double *ydot) {
    double q[2] = {y[0], y[1]}, v[2] = {y[2], y[3]}, a[2] = {0.0, -gravity};
    assert_int_equal(tr_constrain_state(c, t, q, v), TR_OK);
    assert_int_equal(tr_constrain_accel(c, t, q, v, a, NULL), TR_OK);
    memcpy(ydot, v, sizeof v);
    memcpy(ydot + 2, a, sizeof a);
}

static void step(trConstrain *c, double t, double h, double *y) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double              slope[4] = {0.0}, sum[4] = {0.0}, stage[4];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 4; i++) {
            stage[i] = y[i] + at[s] * h * slope[i];
        }
        rhs(c, t + at[s] * h, stage, slope);
        for (int i = 0; i < 4; i++) {
            sum[i] += weight[s] / 6.0 * slope[i];
        }
    }
    for (int i = 0; i < 4; i++) {
        y[i] += h * sum[i];
    }
    assert_int_equal(tr_constrain_state(c, t + h, y, y + 2), TR_OK);
}

// rk4 with h = 1e-3 and rates of g / u = 2 a second: h^4 2^5 / 120 is below 1e-12.
static void a_point_that_keeps_its_speed_turns_down_as_the_closed_form_says(void **state) {
    for (int given = 0; given < 2; given++) {
        Flaw                 flaw = NONE;
        trConstrain         *c = NULL;
        trConstrainDef       def = define(&flaw, given != 0);
        trConstrainViolation left;
        double               y[4] = {0.0, 0.0, speed, 0.0};
        assert_int_equal(tr_constrain_create(&def, 0.0, y, y + 2, &c), TR_OK);
        for (int i = 1; i <= 1000; i++) {
            step(c, (i - 1) * 1e-3, 1e-3, y);
            const double angle = gravity * i * 1e-3 / speed;
            assert_true(fabs(y[2] - speed / cosh(angle)) < 1e-9);
            assert_true(fabs(y[3] + speed * tanh(angle)) < 1e-9);
            assert_int_equal(tr_constrain_violation(c, i * 1e-3, y, y + 2, NULL, &left), TR_OK);
            assert_true(left.velocity < 1e-13 * speed * speed);
            assert_null(left.position_name);
        }
        tr_constrain_destroy(c);
    }
}

// Newton's method for psi goes on until it is zero: twice as fast is put back along itself.
static void velocities_far_off_are_brought_back(void **state) {
    Flaw           flaw = NONE;
    trConstrain   *c = NULL;
    trConstrainDef def = define(&flaw, true);
    double         q[2] = {1.0, 2.0}, v[2] = {6.0, 8.0};
    assert_int_equal(tr_constrain_create(&def, 0.0, q, v, &c), TR_OK);
    assert_int_equal(tr_constrain_state(c, 0.0, q, v), TR_OK);
    assert_true(fabs(v[0] - 3.0) < 1e-14 && fabs(v[1] - 4.0) < 1e-14);
    assert_true(q[0] == 1.0 && q[1] == 2.0);
    tr_constrain_destroy(c);
}

// psi = v . (0.6, 0.8) / |v|, a direction, which a point at rest does not have; phi holds x.
static int direction(void *context, double t, const double *q, const double *v, double *out) {
    (void)context, (void)t, (void)q;
    out[0] = (0.6 * v[0] + 0.8 * v[1]) / sqrt(v[0] * v[0] + v[1] * v[1]);
    return 0;
}

static int place(void *context, double t, const double *q, double *out) {
    (void)context, (void)t;
    out[0] = q[0] * q[0] + q[1] - 3.0;
    return 0;
}

static void positions_alone_do_not_ask_for_psi(void **state) {
    Flaw                 flaw = NONE;
    trConstrain         *c = NULL;
    trConstrainRank      rank;
    trConstrainViolation left;
    trConstrainDef       def = define(&flaw, false);
    double               q[2] = {1.0, 2.5}, v[2] = {1.0, -1.0}, M[4];
    def.names = NULL;
    def.m = 1;
    def.phi = place;
    def.psi = direction;
    // In the plane the two leave nothing: phi asks for v = (1, -2 x), psi for (4, -3).
    assert_int_equal(tr_constrain_create(&def, 0.0, q, v, &c), TR_E_MODEL);
    assert_non_null(strstr(tr_last_error(), "cannot be satisfied by velocities"));
    def.m = 0;
    def.phi = NULL;
    assert_int_equal(tr_constrain_create(&def, 0.0, q, v, &c), TR_OK);
    assert_int_equal(tr_constrain_state(c, 0.0, q, NULL), TR_OK);
    assert_int_equal(tr_constrain_violation(c, 0.0, q, NULL, NULL, &left), TR_OK);
    assert_int_equal(tr_constrain_mass(c, 0.0, q, M), TR_OK);
    assert_int_equal(tr_constrain_rank(c, 0.0, q, NULL, &rank), TR_E_ARGUMENT);
    assert_int_equal(tr_constrain_state(c, 0.0, q, v), TR_OK);
    assert_true(fabs(0.6 * v[0] + 0.8 * v[1]) < 1e-14 && fabs(v[0]) > 0.1);
    tr_constrain_destroy(c);
}

static void wrong_derivatives_of_psi_are_named(void **state) {
    Flaw           flaw = WRONG_JACOBIAN;
    trConstrain   *c = NULL;
    trConstrainDef def = define(&flaw, true);
    const double   q[2] = {0.0, 0.0}, v[2] = {3.0, 4.0};
    assert_int_equal(tr_constrain_create(&def, 0.0, q, v, &c), TR_E_ARGUMENT);
    assert_string_equal(tr_last_error(), "the Jacobian of constraint 'speed' with respect to "
                                         "velocity 1 is 4, differences give 8");
    flaw = WRONG_B;
    assert_int_equal(tr_constrain_create(&def, 0.0, q, v, &c), TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "psi_b of constraint 'speed' is 0.5"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_that_keeps_its_speed_turns_down_as_the_closed_form_says),
        cmocka_unit_test(velocities_far_off_are_brought_back),
        cmocka_unit_test(positions_alone_do_not_ask_for_psi),
        cmocka_unit_test(wrong_derivatives_of_psi_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
