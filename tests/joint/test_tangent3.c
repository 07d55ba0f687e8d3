// SPDX-License-Identifier: MIT
// What every spatial joint owes to implicit methods: K = d(J' lambda) / dq, and for nonholonomic
// rows N = d(J v - b1) / dq, against differences. Coordinates move by r += dr, u = u exp(dtheta),
// with dtheta in body axes; v = (v, W) stays, with W in body axes.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

#include "joint/cases3.h"

#define MOTIONS 20
#define BEFORE 3.0  // what K holds before it gains

// Central differences of fourth order with step h: truncation f''''' h^4 / 30, rounding eps / h. At
// h = 1e-3 both are near 1e-13 for functions whose derivatives are about 1. A twist near its bad
// place has larger ones; there the difference to the result with twice the step, sixteen times as
// wrong, says how wrong it can be.
#define STEP 1e-3
#define TOLERANCE 1e-10  // relative to the largest entry

// Coordinate `index` of twelve moved by `by`.
static void move(const trMotion3 from[2], int index, double by, trMotion3 to[2]) {
    int    body = index / 6;
    double d[6] = {0.0};
    d[index % 6] = by;
    to[0] = from[0];
    to[1] = from[1];
    const trMotion3 *m = &from[body];
    trVec3           r = tr_add3(m->r, (trVec3){d[0], d[1], d[2]});
    trQuat           u = tr_quat_mul(m->u, tr_quat_exp((trVec3){d[3], d[4], d[5]}));
    trMat3           R = tr_quat_matrix(u);
    to[body] = motion_of3(r, u, m->v, tr_rotate3(&R, tr_unrotate3(&m->R, m->w)));
}

// out = J' lambda, twelve numbers.
static void forces(const Case3 *c, const trMotion3 m[2], const double *lambda, double *out) {
    Rows3 rows = evaluate3(c, 0.4, m);
    for (int k = 0; k < 12; k++) {
        out[k] = 0.0;
        for (int i = 0; i < c->kind->rows; i++) {
            out[k] += rows.J[k / 6][6 * i + k % 6] * lambda[i];
        }
    }
}

// out = J v - b1 of the nonholonomic rows.
static void rates(const Case3 *c, const trMotion3 m[2], const double *lambda, double *out) {
    Rows3 rows = evaluate3(c, 0.4, m);
    int   first = c->kind->rows - c->kind->nonholonomic;
    (void)lambda;
    for (int i = first; i < c->kind->rows; i++) {
        out[i - first] = -rows.b1[i];
        for (int k = 0; k < 2; k++) {
            const double *J = &rows.J[k][6 * i];
            trVec3        W = tr_unrotate3(&m[k].R, m[k].w), v = m[k].v;
            out[i - first] +=
                J[0] * v.x + J[1] * v.y + J[2] * v.z + J[3] * W.x + J[4] * W.y + J[5] * W.z;
        }
    }
}

typedef void (*Function)(const Case3 *c, const trMotion3 m[2], const double *lambda, double *out);

// The function of twelve coordinates whose derivatives are asked for.
typedef struct Problem {
    const Case3     *c;
    const trMotion3 *m;  // two
    const double    *lambda;
    Function         f;
    int              n;  // numbers that f gives
} Problem;

// D (n x 12): f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / (12 h).
static void differentiate(const Problem *p, double h, double *D) {
    const double at[4] = {h, -h, 2.0 * h, -2.0 * h};
    const double weight[4] = {8.0, -8.0, -1.0, 1.0};
    for (int j = 0; j < 12; j++) {
        double sum[12] = {0.0}, value[12];
        for (int s = 0; s < 4; s++) {
            trMotion3 moved[2];
            move(p->m, j, at[s], moved);
            p->f(p->c, moved, p->lambda, value);
            for (int i = 0; i < p->n; i++) {
                sum[i] += weight[s] * value[i];
            }
        }
        for (int i = 0; i < p->n; i++) {
            D[12 * i + j] = sum[i] / (12.0 * h);
        }
    }
}

static void assert_derivatives(const Problem *p, const char *what, const double *mine) {
    double D[144], coarse[144], largest = 1.0;
    differentiate(p, STEP, D);
    differentiate(p, 2.0 * STEP, coarse);
    for (int i = 0; i < 12 * p->n; i++) {
        largest = fmax(largest, fabs(D[i]));
    }
    for (int i = 0; i < 12 * p->n; i++) {
        if (!(fabs(mine[i] - D[i]) <= TOLERANCE * largest + fabs(D[i] - coarse[i]))) {
            fail_msg("%s: %s(%d, %d) is %.12g, should be %.12g", p->c->kind->name, what, i / 12,
                     i % 12, mine[i], D[i]);
        }
    }
}

static void check_tangent(Case3 *c, Random *random) {
    trMotion3 m[2] = {random_motion3(random, &c->setup.place[0]),
                      random_motion3(random, &c->setup.place[1])};
    double    lambda[TR_JOINT_ROWS], K[144];
    for (int i = 0; i < TR_JOINT_ROWS; i++) {
        lambda[i] = random_in(random, -2.0, 2.0);
    }
    for (int i = 0; i < 144; i++) {
        K[i] = BEFORE;
    }
    c->kind->tangent3(c->params, 0.4, &m[0], &m[1], lambda, K);
    for (int i = 0; i < 144; i++) {
        K[i] -= BEFORE;
    }
    assert_derivatives(&(Problem){c, m, lambda, forces, 12}, "K", K);
    if (c->kind->nonholonomic > 0) {
        double N[12 * TR_JOINT_ROWS];
        c->kind->rate_tangent3(c->params, 0.4, &m[0], &m[1], N);
        assert_derivatives(&(Problem){c, m, lambda, rates, c->kind->nonholonomic}, "N", N);
    }
}

static void tangents_are_derivatives(void **state) {
    (void)state;
    Random random = {37};
    for (int k = first_spatial_kind(); k < tr_joint_count(); k++) {
        const trJointKind *kind = tr_joint_at(k);
        if (kind->tangent3 == NULL || (kind->nonholonomic > 0 && kind->rate_tangent3 == NULL)) {
            fail_msg("%s has no tangent", kind->name);
        }
        for (int i = 0; i < MOTIONS; i++) {
            Case3 c;
            open_random_case3(&c, kind, &random, i % 2 == 0 ? IN_BODY_AXES : IN_THE_WORLD);
            check_tangent(&c, &random);
            close_case3(&c);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_are_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
