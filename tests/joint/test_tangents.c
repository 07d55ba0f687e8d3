// SPDX-License-Identifier: MIT
// Tangents of every planar joint against differences of its evaluation:
//
//     K = d(J' lambda)/dq        N = d(J v - b1)/dq of nonholonomic rows

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <string.h>

#include "joint/cases.h"

#define MOTIONS 40

typedef struct Instant {
    double    t;
    trMotion2 m[2];
    double    lambda[TR_PLANAR_ROWS];
} Instant;

// What is differentiated: up to six numbers at an instant.
typedef void (*Quantity)(const Case *c, const Instant *at, double *y);

// J' lambda, 6.
static void loads(const Case *c, const Instant *at, double *y) {
    double      J[2][3 * TR_PLANAR_ROWS], phi[TR_PLANAR_ROWS], b1[TR_PLANAR_ROWS];
    double      b[TR_PLANAR_ROWS];
    trJointRows out = {.J1 = J[0], .J2 = J[1], .phi = phi, .b1 = b1, .b = b};
    c->kind->eval(c->params, at->t, &at->m[0], &at->m[1], &out);
    for (int k = 0; k < 6; k++) {
        y[k] = 0.0;
        for (int i = 0; i < c->kind->rows; i++) {
            y[k] += J[k / 3][3 * i + k % 3] * at->lambda[i];
        }
    }
}

// J v - b1 of the nonholonomic rows, which are the last.
static void rates(const Case *c, const Instant *at, double *y) {
    double      J[2][3 * TR_PLANAR_ROWS], phi[TR_PLANAR_ROWS], b1[TR_PLANAR_ROWS];
    double      b[TR_PLANAR_ROWS];
    trJointRows out = {.J1 = J[0], .J2 = J[1], .phi = phi, .b1 = b1, .b = b};
    c->kind->eval(c->params, at->t, &at->m[0], &at->m[1], &out);
    int first = c->kind->rows - c->kind->nonholonomic;
    for (int i = 0; i < c->kind->nonholonomic; i++) {
        y[i] = -b1[first + i];
        for (int k = 0; k < 2; k++) {
            const double *row = &J[k][3 * (first + i)];
            y[i] += row[0] * at->m[k].v.x + row[1] * at->m[k].v.y + row[2] * at->m[k].omega;
        }
    }
}

static Instant moved(const Instant *at, int coordinate, double by) {
    Instant    out = *at;
    trMotion2 *m = &out.m[coordinate / 3];
    m->r.x += coordinate % 3 == 0 ? by : 0.0;
    m->r.y += coordinate % 3 == 1 ? by : 0.0;
    *m = motion_of(m->r, m->angle + (coordinate % 3 == 2 ? by : 0.0), m->v, m->omega);
    return out;
}

// dy/dq_j by the central difference of order eight.
static void difference(const Case *c, Quantity quantity, const Instant *at, int j,
                       double slope[6]) {
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    const double        h = 1.0 / 128.0;
    for (int k = 0; k < 6; k++) {
        slope[k] = 0.0;
    }
    for (int i = 0; i < 4; i++) {
        double  ahead[6] = {0.0}, behind[6] = {0.0};
        Instant later = moved(at, j, (i + 1) * h), before = moved(at, j, -(i + 1) * h);
        quantity(c, &later, ahead);
        quantity(c, &before, behind);
        for (int k = 0; k < 6; k++) {
            slope[k] += weight[i] * (ahead[k] - behind[k]) / h;
        }
    }
}

// The error of the difference is h^8 / 630 = 2.2e-20 times a ninth derivative. The distance of two
// points is analytic within 0.85 of every coordinate here, because the points are at least 4.3 m
// apart on arms of at most 0.85 m, and J' lambda stays below 25 there: by Cauchy's estimate ninth
// derivatives are below 25 * 9! / 0.85^9 = 4e7, the error below 1e-12. All else is sines of angles
// and of their sums, with ninth derivatives below 2^9 times the numbers. Rounding of the numbers y
// by 8 DBL_EPSILON becomes 2.1 / h = 270 times as much.
static void assert_slopes(const Case *c, const char *what, int j, int count, const double *mine,
                          const double *slope, const double *y) {
    double size = 1.0;
    for (int k = 0; k < count; k++) {
        size = fmax(size, fabs(y[k]));
    }
    for (int k = 0; k < count; k++) {
        if (!(fabs(mine[k] - slope[k]) <= 1e-12 + 270.0 * 8.0 * DBL_EPSILON * size)) {
            fail_msg("%s: %s(%d, %d) is %.15g, should be %.15g", c->kind->name, what, k, j, mine[k],
                     slope[k]);
        }
    }
}

static Instant random_instant(const Case *c, Random *random) {
    Instant at = {.t = random_in(random, 0.0, 3.0)};
    at.m[0] = random_motion(random, &c->place[0]);
    at.m[1] = random_motion(random, &c->place[1]);
    at.m[1].r.x += 4.0;  // Far from body 1, for the sake of the distance's derivatives.
    for (int i = 0; i < TR_PLANAR_ROWS; i++) {
        at.lambda[i] = random_in(random, -3.0, 3.0);
    }
    return at;
}

// K starts with numbers of its own, because a tangent adds.
static void check_tangent(const Case *c, const Instant *at) {
    double K[36], y[6];
    for (int i = 0; i < 36; i++) {
        K[i] = 0.25 * i;
    }
    if (c->kind->tangent == NULL) {
        fail_msg("%s has no tangent", c->kind->name);
    }
    c->kind->tangent(c->params, at->t, &at->m[0], &at->m[1], at->lambda, K);
    loads(c, at, y);
    y[0] = fmax(fabs(y[0]), 9.0);  // The numbers that K started with are rounded as well.
    for (int j = 0; j < 6; j++) {
        double slope[6], mine[6];
        difference(c, loads, at, j, slope);
        for (int k = 0; k < 6; k++) {
            mine[k] = K[6 * k + j] - 0.25 * (6 * k + j);
        }
        assert_slopes(c, "K", j, 6, mine, slope, y);
    }
}

// N is overwritten, and nothing beyond it.
static void check_rate_tangent(const Case *c, const Instant *at) {
    double N[7] = {9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0}, y[6];
    assert_int_equal(c->kind->nonholonomic, 1);
    if (c->kind->rate_tangent == NULL) {
        fail_msg("%s has no rate_tangent", c->kind->name);
    }
    c->kind->rate_tangent(c->params, at->t, &at->m[0], &at->m[1], N);
    assert_true(N[6] == 9.0);
    rates(c, at, y);
    for (int j = 0; j < 6; j++) {
        double slope[6];
        difference(c, rates, at, j, slope);
        assert_slopes(c, "N", j, 1, &N[j], slope, y);
    }
}

static void tangents_are_derivatives_of_the_loads(void **state) {
    (void)state;
    Random random = {29};
    int    planar = 0, nonholonomic = 0;
    for (int k = 0; k < tr_joint_count(); k++) {
        const trJointKind *kind = tr_joint_at(k);
        planar += kind->dim == 2;
        nonholonomic += kind->dim == 2 && kind->nonholonomic > 0;
        for (int i = 0; i < MOTIONS && kind->dim == 2; i++) {
            Case c;
            open_case(&c, kind, &random, i % 2 == 0 ? IN_BODY_AXES : IN_THE_WORLD);
            Instant at = random_instant(&c, &random);
            check_tangent(&c, &at);
            if (kind->nonholonomic > 0) {
                check_rate_tangent(&c, &at);
            }
            close_case(&c);
        }
    }
    assert_true(planar >= 10 && nonholonomic >= 1);
}

// Second derivatives are symmetric; the loads of nonholonomic rows come from no phi.
static void tangents_of_holonomic_joints_are_symmetric(void **state) {
    (void)state;
    Random random = {31};
    for (int k = 0; k < tr_joint_count(); k++) {
        const trJointKind *kind = tr_joint_at(k);
        if (kind->dim != 2 || kind->nonholonomic > 0) {
            continue;
        }
        Case c;
        open_case(&c, kind, &random, IN_BODY_AXES);
        Instant at = random_instant(&c, &random);
        double  K[36] = {0.0};
        kind->tangent(c.params, at.t, &at.m[0], &at.m[1], at.lambda, K);
        for (int i = 0; i < 36; i++) {
            assert_true(K[i] == K[6 * (i % 6) + i / 6]);
        }
        close_case(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_are_derivatives_of_the_loads),
        cmocka_unit_test(tangents_of_holonomic_joints_are_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
