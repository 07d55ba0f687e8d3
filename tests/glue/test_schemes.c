// SPDX-License-Identifier: MIT
// Schemes by trCoordinate alone: orders on a damped oscillator, and their coefficients.

#include <math.h>
#include <string.h>

#include "glue/schemes.h"
#include "support/test.h"

#define OMEGA2 4.0   // [1/s^2]
#define DAMPING 0.5  // [1/s]

static double force(const trCoordinate *c) {
    return -OMEGA2 * c->q - DAMPING * c->v;
}

// a = -omega^2 q - d v is linear: one correction solves it.
static void correct(trCoordinate *c, const trGlueStep *step) {
    double K = 1.0 + step->c_v * DAMPING + step->c_q * OMEGA2;
    tr_coordinate_accelerate(c, step, (force(c) - c->a) / K);
    assert_true(fabs(force(c) - c->a) < 1e-12);
}

static trCoordinate run(const trSchemeKind *kind, const trGlueDef *def, int steps) {
    trCoordinate c = {.q = 1.0};
    for (int n = 0; n <= steps; n++) {
        double     h = 1.0 / steps;
        trGlueStep step = tr_scheme_step(kind, def, n, n * h, h);
        tr_coordinate_predict(&c, &step);
        correct(&c, &step);
        if (n == 0) {
            c.s = c.a;
        }
    }
    return c;
}

static double exact_position(double t) {
    double w = sqrt(OMEGA2 - 0.25 * DAMPING * DAMPING);
    return exp(-0.5 * DAMPING * t) * (cos(w * t) + 0.5 * DAMPING / w * sin(w * t));
}

static double exact_velocity(double t) {
    double w = sqrt(OMEGA2 - 0.25 * DAMPING * DAMPING);
    return -exp(-0.5 * DAMPING * t) * OMEGA2 / w * sin(w * t);
}

// Of positions, velocities and, from these, of accelerations.
static void schemes_have_their_orders(void **state) {
    const double wanted[] = {2.0, 2.0, 1.0, 2.0};
    assert_int_equal(tr_scheme_count(), 4);
    for (int k = 0; k < tr_scheme_count(); k++) {
        const trSchemeKind *kind = NULL;
        trGlueDef           def = tr_glue_def_default();
        def.scheme = tr_scheme_at(k)->name;
        assert_int_equal(tr_scheme_choose(&def, &kind), TR_OK);
        trCoordinate coarse = run(kind, &def, 200), fine = run(kind, &def, 400);
        double       x = exact_position(1.0), v = exact_velocity(1.0);
        assert_true(fabs(log2(fabs((coarse.q - x) / (fine.q - x))) - wanted[k]) < 0.1);
        assert_true(fabs(log2(fabs((coarse.v - v) / (fine.v - v))) - wanted[k]) < 0.1);
    }
}

// Newmark's formulas with beta = 1/6 are exact for accelerations that are linear in time.
static void linear_acceleration_is_exact(void **state) {
    const trSchemeKind *kind = NULL;
    trGlueDef           def = tr_glue_def_default();
    trCoordinate        c = {.v = 1.0};
    def.beta = 1.0 / 6.0;
    assert_int_equal(tr_scheme_choose(&def, &kind), TR_OK);
    for (int n = 0; n <= 4; n++) {
        trGlueStep step = tr_scheme_step(kind, &def, n, 0.5 * n, 0.5);
        tr_coordinate_predict(&c, &step);
        tr_coordinate_accelerate(&c, &step, 6.0 * step.t - c.a);  // q = t + t^3
    }
    assert_true(fabs(c.q - 10.0) < 1e-13 && fabs(c.v - 13.0) < 1e-13);
}

// c_v and c_q are what a change of a does to v and q, and the start moves nothing.
static void coefficients_are_derivatives(void **state) {
    for (int k = 0; k < tr_scheme_count(); k++) {
        trGlueDef def = tr_glue_def_default();
        for (int n = 0; n < 3; n++) {
            trGlueStep   step = tr_scheme_step(tr_scheme_at(k), &def, n, 0.1 * n, 0.1);
            trCoordinate c = {.q = 1.0, .v = 2.0, .a = 3.0, .s = 2.5, .v0 = 1.9, .q0 = 0.8};
            tr_coordinate_predict(&c, &step);
            trCoordinate by_change = c, anew = c;
            tr_coordinate_accelerate(&by_change, &step, 0.7);
            anew.a += 0.7;
            tr_coordinate_follow(&anew, &step);
            assert_true(fabs(by_change.q - anew.q) < 1e-15 && fabs(by_change.v - anew.v) < 1e-15);
            assert_true(fabs(by_change.s - anew.s) < 1e-15 || n == 0);
            assert_true(n > 0 || (by_change.q == 1.0 && by_change.v == 2.0));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_have_their_orders),
        cmocka_unit_test(linear_acceleration_is_exact),
        cmocka_unit_test(coefficients_are_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
