// SPDX-License-Identifier: MIT
// Accuracy of b by differences, as src/engine/constrain/differences.c claims it: second derivatives
// along the motion by Neville's scheme, on a curve y = f(x) whose derivatives are known.

#include <math.h>

#include "support/test.h"
#include "trammel/constrain.h"

#define SPEED 1.3

static int mass(void *context, double t, const double *q, double *M) {
    (void)context, (void)t, (void)q;
    M[0] = M[3] = 1.0;
    M[1] = M[2] = 0.0;
    return 0;
}

// f = sin(2 x) + exp(-x) / 2
static double f(double x) {
    return sin(2.0 * x) + 0.5 * exp(-x);
}

static double slope(double x) {
    return 2.0 * cos(2.0 * x) - 0.5 * exp(-x);
}

static double curvature(double x) {
    return -4.0 * sin(2.0 * x) + 0.5 * exp(-x);
}

static int phi(void *context, double t, const double *q, double *out) {
    (void)context, (void)t;
    out[0] = f(q[0]) - q[1];
    return 0;
}

static int jacobian(void *context, double t, const double *q, double *A) {
    (void)context, (void)t;
    A[0] = slope(q[0]);
    A[1] = -1.0;
    return 0;
}

// f' a_x - a_y = -f'' v_x^2. The header of differences.c derives some 4e-12 for numbers of size 1,
// 1e-9 at worst. Here terms are up to 8 times as large: 2 of 3 states must have less than 3e-11.
static void second_derivatives_are_as_accurate_as_derived(void **state) {
    int good = 0, all = 0;
    for (double x = -1.5; x < 1.5; x += 0.1) {
        static const char *const names[] = {"curve"};
        trConstrainDef           def = tr_constrain_def_default();
        trConstrain             *c = NULL;
        double q[2] = {x, f(x)}, v[2] = {SPEED, SPEED * slope(x)}, a[2] = {0.4, 0.7};
        def.n = 2;
        def.m = 1;
        def.names = names;
        def.mass = mass;
        def.phi = phi;
        def.jacobian = jacobian;
        assert_int_equal(tr_constrain_create(&def, 0.0, q, v, &c), TR_OK);
        assert_int_equal(tr_constrain_accel(c, 0.0, q, v, a, NULL), TR_OK);
        double off = fabs(slope(x) * a[0] - a[1] + curvature(x) * SPEED * SPEED);
        if (!(off <= 1e-9)) {
            fail_msg("at %.17g b is off by %.3g", x, off);
        }
        good += off <= 3e-11 ? 1 : 0;
        all++;
        tr_constrain_destroy(c);
    }
    if (3 * good < 2 * all) {
        fail_msg("b is off by less than 3e-11 in %d of %d states", good, all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_derivatives_are_as_accurate_as_derived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
