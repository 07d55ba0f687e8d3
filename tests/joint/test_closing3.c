// SPDX-License-Identifier: MIT
// Spatial joints closed from afar, and what closed ones transmit: no joint ends flipped, a screw
// counts its turns, shafts keep the speeds that textbooks give.

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "joint/cases3.h"
#include "support/test.h"

#define PI 3.14159265358979323846
#define TURNS 20          // random axes
#define ITERATIONS 200    // at most; a dozen are usual
#define MAX_ROTATION 0.7  // of one iteration [rad]
#define CLOSED 1e-10      // [m, rad]

static const trVec3 none = {0.0, 0.0, 0.0};

// Solves the n equations S y = x in place, by elimination with partial pivoting.
static void solve_dense(int n, double S[TR_JOINT_ROWS][TR_JOINT_ROWS], double *x) {
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
            pivot = fabs(S[i][k]) > fabs(S[pivot][k]) ? i : pivot;
        }
        for (int j = 0; j < n; j++) {
            double swap = S[k][j];
            S[k][j] = S[pivot][j];
            S[pivot][j] = swap;
        }
        double swap = x[k];
        x[k] = x[pivot];
        x[pivot] = swap;
        for (int i = k + 1; i < n; i++) {
            double factor = S[i][k] / S[k][k];
            for (int j = k; j < n; j++) {
                S[i][j] -= factor * S[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            x[k] -= S[k][j] * x[j];
        }
        x[k] /= S[k][k];
    }
}

// The shortest step of body 2 with J2 step = -phi: step = -J2' (J2 J2')^-1 phi.
static void shortest_step(const Rows3 *rows, int n, double step[6]) {
    double        S[TR_JOINT_ROWS][TR_JOINT_ROWS] = {{0.0}}, y[TR_JOINT_ROWS] = {0.0};
    const double *J = rows->J[1];
    for (int i = 0; i < n; i++) {
        y[i] = rows->phi[i];
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < 6; j++) {
                S[i][k] += J[6 * i + j] * J[6 * k + j];
            }
        }
    }
    solve_dense(n, S, y);
    for (int j = 0; j < 6; j++) {
        step[j] = 0.0;
        for (int i = 0; i < n; i++) {
            step[j] -= J[6 * i + j] * y[i];
        }
    }
}

static double largest_violation(const Rows3 *rows, int n) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(rows->phi[i]));
    }
    return largest;
}

// Newton's method with body 1 standing still; false where it does not close the joint.
static bool close_joint(Case3 *c, trMotion3 m[2]) {
    for (int n = 0; n < ITERATIONS; n++) {
        Rows3  rows = evaluate3(c, 0.0, m);
        double step[6];
        memcpy(c->setup.near, rows.turn, (size_t)c->kind->turns * sizeof *rows.turn);
        if (largest_violation(&rows, c->kind->rows) < CLOSED) {
            return true;
        }
        shortest_step(&rows, c->kind->rows, step);
        trVec3 dr = {step[0], step[1], step[2]}, turn = {step[3], step[4], step[5]};
        double damping = fmin(1.0, MAX_ROTATION / fmax(tr_length3(turn), DBL_MIN));
        trQuat u = tr_quat_mul(m[1].u, tr_quat_exp(tr_scale3(damping, turn)));
        m[1] = motion_of3(tr_add_scaled3(m[1].r, damping, dr), tr_quat_unit(u), none, none);
    }
    return false;
}

// From a closed pose body 2 is turned by 170 degrees about an axis of the world, and shifted.
static void close_from(const trJointKind *kind, Random *random, int number) {
    const double far = 170.0 * PI / 180.0;
    trPlace3     place[3] = {ground_place3(), random_place3(random, 2), ground_place3()};
    Case3        c;
    open_case3(&c, kind, place, random, AS_AT_THE_START);
    trMotion3 m[3] = {motion_at3(&place[0]), motion_at3(&place[1]), motion_at3(&place[2])};
    trMat3    marker = tr_quat_matrix(c.setup.marker1);
    trVec3    axis = number == 0   ? marker.x
                     : number == 1 ? marker.y
                     : number == 2 ? marker.z
                                   : random_direction3(random);
    trVec3    r = tr_add3(m[1].r, random_vec3(random, 0.5));
    m[1] = motion_of3(r, tr_quat_mul(tr_quat_exp(tr_scale3(far, axis)), m[1].u), none, none);
    if (!close_joint(&c, m)) {
        fail_msg("%s is not closed, turned about axis %d", kind->name, number);
    }
    // A violation of 1e-10 in each of six rows is at most 1e-9 between directions; a flipped pose
    // has 2.
    if (c.family->wrongness != NULL && !(c.family->wrongness(&c, m) < 10.0 * CLOSED)) {
        fail_msg("%s ends flipped, turned about axis %d: %g", kind->name, number,
                 c.family->wrongness(&c, m));
    }
    close_case3(&c);
}

static void no_joint_ends_flipped(void **state) {
    Random random = {29};
    for (int k = first_spatial_kind(); k < tr_joint_count(); k++) {
        const trJointKind *kind = tr_joint_at(k);
        for (int i = 0; i < TURNS + 3 && kind->nonholonomic == 0 && has_twin3(kind); i++) {
            close_from(kind, &random, i);
        }
    }
}

// Body 2 goes along the screw, seven turns to and fro; at each step `near` is where it was before.
static void a_screw_counts_its_turns(void **state) {
    Random   random = {31};
    trPlace3 place[2] = {random_place3(&random, 1), random_place3(&random, 2)};
    Case3    c;
    open_case3(&c, tr_joint_find("screw", 3), place, &random, AS_AT_THE_START);
    trMotion3 start[2] = {motion_at3(&place[0]), motion_at3(&place[1])};
    trVec3    axis = vector_of3(&c, start, 0, unit3(c.setup.axis1));
    trVec3    arm = vector_of3(&c, start, 1, tr_sub3(place[1].com, c.setup.point2));
    trVec3    pin = tr_sub3(start[1].r, arm);
    for (int i = 0; i <= 80; i++) {
        double    angle = 14.0 * PI * sin(2.0 * PI * i / 80.0);
        trQuat    turn = tr_quat_exp(tr_scale3(angle, axis));
        trVec3    at = tr_add_scaled3(pin, c.setup.pitch * angle / (2.0 * PI), axis);
        trMotion3 m[2] = {start[0], motion_of3(tr_add3(at, tr_quat_rotate(turn, arm)),
                                               tr_quat_mul(turn, start[1].u), none, none)};
        Rows3     rows = evaluate3(&c, 0.0, m);
        // Rounding of positions of 20 m and angles of 50 rad.
        assert_true(fabs(rows.turn[0] - angle) < 1000.0 * DBL_EPSILON * 50.0);
        assert_true(largest_violation(&rows, 5) < 1000.0 * DBL_EPSILON * 50.0);
        c.setup.near[0] = rows.turn[0];
    }
    close_case3(&c);
}

// Two shafts through the origin, the second bent by `bend` about x; both forks lie in x at first.
// Shaft 1 along z is turned by angle1, shaft 2 about itself by angle2.
static void turn_shafts(double bend, double angle1, double angle2, trMotion3 m[2]) {
    trQuat bent = tr_quat_exp((trVec3){bend, 0.0, 0.0});
    m[0] = motion_of3(none, tr_quat_exp((trVec3){0.0, 0.0, angle1}), none, none);
    trQuat turned = tr_quat_mul(bent, tr_quat_exp((trVec3){0.0, 0.0, angle2}));
    m[1] = motion_of3(none, turned, none, none);
}

// omega2 / omega1 that the last row of the joint asks for: (J1.z) omega1 + (J2.z) omega2 = 0.
static double speed_ratio(const trJointKind *kind, const void *params, const trMotion3 m[2],
                          double *phi) {
    double      near[TR_JOINT_TURNS] = {0.0}, turn[TR_JOINT_TURNS];
    double      J1[24], J2[24], rows_phi[4], b1[4], b[4];
    trJointRows out = {
        .J = {J1, J2}, .phi = rows_phi, .b1 = b1, .b = b, .near = near, .turn = turn};
    kind->eval3(params, (const trMotion3 *const[]){&m[0], &m[1]}, &out);
    *phi = rows_phi[3];
    return -J1[23] / J2[23];
}

// Constant velocity: equal angles at any bend. Cardan, with the cross along x of body 1 and y of
// body 2: their dot product sin(angle1) cos(angle2) cos(bend) - cos(angle1) sin(angle2) vanishes
// for tan(angle2) = tan(angle1) cos(bend), and omega2 / omega1 = cos(bend) / (1 - sin(bend)^2
// sin(angle1)^2).
static void shafts_turn_as_textbooks_say(void **state) {
    const trJointKind *equal = tr_joint_find("constant_velocity", 3);
    const trJointKind *cardan = tr_joint_find("universal", 3);
    trArena           *arena = tr_arena_create();
    void              *p = tr_arena_take(arena, 1, equal->size);
    void              *q = tr_arena_take(arena, 1, cardan->size);
    trPlace3           place = ground_place3();
    const trParam     *shafts =
        TR_PARAMS(TR_VEC("axis1", 0.0, 0.0, 1.0), TR_VEC("axis2", 0.0, 0.0, 1.0));
    const trParam *cross =
        TR_PARAMS(TR_VEC("axis1", 1.0, 0.0, 0.0), TR_VEC("axis2", 0.0, 1.0, 0.0));
    assert_int_equal(tr_fields_bind(arena, equal->fields, shafts, p), TR_OK);
    assert_int_equal(tr_fields_bind(arena, cardan->fields, cross, q), TR_OK);
    assert_int_equal(equal->prepare3(p, (const trPlace3[]){place, place}), TR_OK);
    assert_int_equal(cardan->prepare3(q, (const trPlace3[]){place, place}), TR_OK);
    for (int i = 0; i < 40; i++) {
        double    bend = 0.03 * i, angle = 0.31 * i, phi;
        trMotion3 m[2];
        turn_shafts(bend, angle, angle, m);
        assert_true(fabs(speed_ratio(equal, p, m, &phi) - 1.0) < 1e-13);
        assert_true(fabs(phi) < 1e-14);
        turn_shafts(bend, angle, atan2(sin(angle) * cos(bend), cos(angle)), m);
        double wave = sin(bend) * sin(angle);
        double ratio = cos(bend) / (1.0 - wave * wave);
        assert_true(fabs(speed_ratio(cardan, q, m, &phi) - ratio) < 1e-13 * ratio);
        assert_true(fabs(phi) < 1e-14);
    }
    tr_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_joint_ends_flipped),
        cmocka_unit_test(a_screw_counts_its_turns),
        cmocka_unit_test(shafts_turn_as_textbooks_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
