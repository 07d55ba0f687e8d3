// SPDX-License-Identifier: MIT
// Nonholonomic rows of spatial joints, near the start where all of them are well defined:
// N = d(J v - b1) / dq against central differences.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "joint/cases3.h"

#define MOTIONS 20

// Differences (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h err by h^4 f^(5) / 30. The motions below
// keep every angle at which a kind is not defined 0.2 rad away, where f^(5) is at most about
// 5! / 0.2^5 = 4e5: 1.3e-8, and rounding adds 1e-15 / h = 1e-12. A wrong or missing term is of the
// order of 1.
#define SHIFT 1e-3      // h, in m or rad
#define TOLERANCE 1e-7  // relative to 1 + the size of the entry

// Turned by at most 0.1 rad from the start, about any axis.
static trMotion3 near_the_start(Random *random, const trPlace3 *place) {
    trVec3 turn = tr_scale3(random_in(random, 0.0, 0.1), random_direction3(random));
    trQuat u = tr_quat_mul(tr_quat_mul(place->orientation, place->principal), tr_quat_exp(turn));
    trVec3 r = tr_add3(place->at, random_vec3(random, 0.5)), v = random_vec3(random, 2.0);
    return motion_of3(r, u, v, random_vec3(random, 2.0));
}

// Body 1 or 2 moved along one of the 12 coordinates, with its velocities v and W kept.
static void shift_body(trMotion3 m[2], int coordinate, double by) {
    trMotion3 *moved = &m[coordinate / 6];
    double     step[3] = {0.0, 0.0, 0.0};
    step[coordinate % 3] = by;
    trVec3 along = {step[0], step[1], step[2]};
    if (coordinate % 6 < 3) {
        moved->r = tr_add3(moved->r, along);
        return;
    }
    trVec3 W = tr_unrotate3(&moved->R, moved->w);
    moved->u = tr_quat_mul(moved->u, tr_quat_exp(along));
    moved->R = tr_quat_matrix(moved->u);
    moved->w = tr_rotate3(&moved->R, W);
}

// J v - b1 of the nonholonomic rows.
static void rates_of(const Case3 *c, const trMotion3 m[2], double *psi) {
    Rows3 rows = evaluate3(c, 0.7, m);
    int   holonomic = c->kind->rows - c->kind->nonholonomic;
    for (int i = 0; i < c->kind->nonholonomic; i++) {
        psi[i] = -rows.b1[holonomic + i];
        for (int k = 0; k < 2; k++) {
            const double *J = &rows.J[k][6 * (holonomic + i)];
            trVec3        W = tr_unrotate3(&m[k].R, m[k].w);
            psi[i] += J[0] * m[k].v.x + J[1] * m[k].v.y + J[2] * m[k].v.z;
            psi[i] += J[3] * W.x + J[4] * W.y + J[5] * W.z;
        }
    }
}

// N (nonholonomic rows x 12) against differences.
static void check_columns(const Case3 *c, const trMotion3 m[2], const double *N) {
    const double step[4] = {SHIFT, -SHIFT, 2.0 * SHIFT, -2.0 * SHIFT};
    for (int column = 0; column < 12; column++) {
        double at[4][TR_JOINT_ROWS];
        for (int k = 0; k < 4; k++) {
            trMotion3 moved[2] = {m[0], m[1]};
            shift_body(moved, column, step[k]);
            rates_of(c, moved, at[k]);
        }
        for (int row = 0; row < c->kind->nonholonomic; row++) {
            double expected = 8.0 * (at[0][row] - at[1][row]) - (at[2][row] - at[3][row]);
            double mine = N[12 * row + column];
            expected /= 12.0 * SHIFT;
            if (!(fabs(mine - expected) <= TOLERANCE * (1.0 + fabs(expected)))) {
                fail_msg("%s, row %d, column %d: %.12g, should be %.12g", c->kind->name, row,
                         column, mine, expected);
            }
        }
    }
}

static void rate_tangents_match_differences(void **state) {
    (void)state;
    Random random = {43};
    int    seen = 0;
    for (int k = first_spatial_kind(); k < tr_joint_count(); k++) {
        const trJointKind *kind = tr_joint_at(k);
        if (kind->nonholonomic == 0) {
            continue;
        }
        assert_non_null(kind->rate_tangent3);
        seen++;
        for (int i = 0; i < MOTIONS; i++) {
            Case3 c;
            open_random_case3(&c, kind, &random, i % 2 == 0 ? IN_BODY_AXES : IN_THE_WORLD);
            trMotion3 m[2] = {near_the_start(&random, &c.setup.place[0]),
                              near_the_start(&random, &c.setup.place[1])};
            double    N[12 * TR_JOINT_ROWS];
            kind->rate_tangent3(c.params, 0.7, &m[0], &m[1], N);
            check_columns(&c, m, N);
            close_case3(&c);
        }
    }
    assert_true(seen > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_tangents_match_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
