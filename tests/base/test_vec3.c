// SPDX-License-Identifier: MIT
// Rotations as quaternions, matrices and vectors are the same rotations; principal axes are
// eigenvectors, also where eigenvalues coincide.

#include <float.h>

#include "base/vec3.h"
#include "joint/space.h"
#include "support/test.h"

#define PI 3.14159265358979323846
#define CASES 200

// A few dozen operations on numbers of size 1.
#define ROUNDING (50.0 * DBL_EPSILON)

static const trVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static void assert_vec(trVec3 mine, trVec3 expected, double tolerance) {
    double distance = tr_length3(tr_sub3(mine, expected));
    if (!(distance <= tolerance)) {
        fail_msg("{%.17g, %.17g, %.17g} should be {%.17g, %.17g, %.17g}", mine.x, mine.y, mine.z,
                 expected.x, expected.y, expected.z);
    }
}

static void assert_mat(const trMat3 *mine, const trMat3 *expected, double tolerance) {
    assert_vec(mine->x, expected->x, tolerance);
    assert_vec(mine->y, expected->y, tolerance);
    assert_vec(mine->z, expected->z, tolerance);
}

static void assert_small(double x, double tolerance) {
    if (!(fabs(x) <= tolerance)) {
        fail_msg("%.17g should be 0 within %g", x, tolerance);
    }
}

// Orthonormal and right-handed.
static void assert_rotation(const trMat3 *R) {
    assert_small(tr_length3(R->x) - 1.0, ROUNDING);
    assert_small(tr_length3(R->y) - 1.0, ROUNDING);
    assert_small(tr_dot3(R->x, R->y), ROUNDING);
    assert_vec(R->z, tr_cross3(R->x, R->y), ROUNDING);
}

// Rodrigues: R c = cos(angle) c + sin(angle) n x c + (1 - cos(angle)) (n.c) n.
static trMat3 turned_by(trVec3 n, double angle) {
    trVec3 column[3];
    for (int j = 0; j < 3; j++) {
        column[j] = tr_scale3(cos(angle), axes[j]);
        column[j] = tr_add_scaled3(column[j], sin(angle), tr_cross3(n, axes[j]));
        column[j] = tr_add_scaled3(column[j], (1.0 - cos(angle)) * tr_dot3(n, axes[j]), n);
    }
    return (trMat3){column[0], column[1], column[2]};
}

static void quaternions_and_matrices_turn_alike(void **state) {
    Random random = {3};
    for (int i = 0; i < CASES; i++) {
        trQuat p = random_quat(&random), q = random_quat(&random);
        trVec3 a = random_vec3(&random, 1.0);
        trMat3 P = tr_quat_matrix(p), Q = tr_quat_matrix(q), PQ = tr_quat_matrix(tr_quat_mul(p, q));
        assert_rotation(&P);
        assert_vec(tr_quat_rotate(p, a), tr_rotate3(&P, a), ROUNDING);
        assert_vec(tr_quat_unrotate(p, a), tr_unrotate3(&P, a), ROUNDING);
        assert_vec(tr_unrotate3(&P, tr_rotate3(&P, a)), a, ROUNDING);
        assert_vec(tr_rotate3(&PQ, a), tr_rotate3(&P, tr_rotate3(&Q, a)), ROUNDING);
        assert_vec(tr_quat_vector(tr_quat_mul(p, tr_quat_conjugate(p))), (trVec3){0.0, 0.0, 0.0},
                   ROUNDING);
    }
    trMat3 one = tr_identity3(), same = tr_quat_matrix((trQuat){1.0, 0.0, 0.0, 0.0});
    assert_mat(&same, &one, 0.0);
}

// All four branches: no turn, and turns near half a turn about each axis.
static void a_matrix_gives_its_quaternion_back(void **state) {
    Random random = {5};
    for (int i = 0; i < CASES; i++) {
        trVec3 near_axis = tr_add_scaled3(axes[i % 3], 0.2, random_vec3(&random, 1.0));
        trQuat q = i % 4 == 0 ? random_quat(&random)
                   : i % 4 == 1
                       ? tr_quat_exp(random_vec3(&random, 1e-3))
                       : tr_quat_exp(tr_scale3(random_in(&random, 3.0, 3.3), unit3(near_axis)));
        trMat3 Q = tr_quat_matrix(q);
        trQuat back = tr_quat_of_matrix(&Q);
        double sign = q.w * back.w + q.x * back.x + q.y * back.y + q.z * back.z < 0.0 ? -1.0 : 1.0;
        assert_small(sign * back.w - q.w, ROUNDING);
        assert_vec(tr_scale3(sign, tr_quat_vector(back)), tr_quat_vector(q), ROUNDING);
    }
    for (int i = 0; i < 3; i++) {
        trMat3 half = turned_by(axes[i], PI);
        assert_vec(tr_quat_vector(tr_quat_of_matrix(&half)), axes[i], ROUNDING);
    }
}

static void exp_turns_by_the_length_about_the_direction(void **state) {
    Random random = {9};
    for (int i = 0; i < CASES; i++) {
        trVec3 n = random_direction3(&random);
        double angle =
            i % 2 == 0 ? random_in(&random, 0.0, 6.2) : pow(10.0, random_in(&random, -20.0, 0.0));
        trMat3 R = tr_quat_matrix(tr_quat_exp(tr_scale3(angle, n))), expected = turned_by(n, angle);
        assert_rotation(&R);
        assert_mat(&R, &expected, ROUNDING);
    }
    trQuat still = tr_quat_exp((trVec3){0.0, 0.0, 0.0});
    assert_true(still.w == 1.0 && tr_length3(tr_quat_vector(still)) == 0.0);
}

// Up to half a turn, and to relative accuracy for small ones. Both signs of a quaternion are the
// same rotation.
static void log_is_the_inverse_of_exp(void **state) {
    Random random = {15};
    for (int i = 0; i < CASES; i++) {
        double angle = i % 2 == 0 ? random_in(&random, 0.0, 0.999 * PI)
                                  : pow(10.0, random_in(&random, -20.0, 0.0));
        trVec3 a = tr_scale3(angle, random_direction3(&random));
        trQuat q = tr_quat_exp(a), opposite = {-q.w, -q.x, -q.y, -q.z};
        // A quaternion holds axis and angle equally well up to half a turn.
        assert_vec(tr_quat_log(q), a, ROUNDING * angle);
        assert_vec(tr_quat_log(opposite), a, ROUNDING * angle);
    }
    for (int i = 0; i < 3; i++) {
        trVec3 half = tr_quat_log((trQuat){0.0, axes[i].x, axes[i].y, axes[i].z});
        assert_vec(half, tr_scale3(PI, axes[i]), ROUNDING);
    }
    assert_small(tr_length3(tr_quat_log((trQuat){-1.0, 0.0, 0.0, 0.0})), 0.0);
}

// The shortest rotation has its axis across both vectors and the angle between them.
static void between_takes_one_vector_to_the_other_by_the_shortest_way(void **state) {
    Random random = {21};
    for (int i = 0; i < CASES; i++) {
        trVec3 a = random_direction3(&random), b = random_direction3(&random);
        trQuat q = tr_quat_between(a, b);
        assert_vec(tr_quat_rotate(q, a), b, 2.0 * ROUNDING);  // see the next test
        if (tr_dot3(a, b) > -0.99) {
            trVec3 turn = tr_quat_log(q);
            double angle = atan2(tr_length3(tr_cross3(a, b)), tr_dot3(a, b));
            assert_small(tr_dot3(turn, a), 10.0 * ROUNDING);  // |a x b| may be 0.1
            assert_small(tr_dot3(turn, b), 10.0 * ROUNDING);
            assert_small(tr_length3(turn) - angle, 10.0 * ROUNDING);
        }
        trQuat none = tr_quat_between(a, a);
        assert_small(tr_length3(tr_quat_vector(none)), ROUNDING);
    }
}

// From a small angle beside the opposite direction to none at all, across the change of formula.
static void between_works_near_opposite_vectors(void **state) {
    Random random = {25};
    for (int i = 0; i < CASES; i++) {
        trVec3 a = i < 6 ? tr_scale3(i < 3 ? 1.0 : -1.0, axes[i % 3]) : random_direction3(&random);
        double angle = i % 5 == 0 ? 0.0 : pow(10.0, random_in(&random, -17.0, -1.0));
        trVec3 across = unit3(tr_cross3(a, random_direction3(&random)));
        trMat3 small = turned_by(across, angle);
        trVec3 b = unit3(tr_scale3(-1.0, tr_rotate3(&small, a)));
        trQuat q = tr_quat_between(a, b);
        assert_small(q.w * q.w + tr_dot3(tr_quat_vector(q), tr_quat_vector(q)) - 1.0, ROUNDING);
        // Near the change of formula, a.b = -0.999, the quaternion (1 + a.b, a x b) has the length
        // 0.045: scaled to 1, its roundings grow by 22, and the turned vector has them twice.
        assert_vec(tr_quat_rotate(q, a), b, 2.0 * ROUNDING);
        if (angle > 1e-7) {  // the shortest way is about the axis across both
            assert_small(tr_dot3(tr_quat_vector(q), a), 2.0 * ROUNDING);
            assert_small(tr_dot3(tr_quat_vector(q), b), 2.0 * ROUNDING / angle);
        }
    }
}

static void a_perpendicular_vector_is_one(void **state) {
    Random random = {27};
    for (int i = 0; i < CASES; i++) {
        trVec3 a = i < 3 ? axes[i] : random_direction3(&random), n = tr_perpendicular3(a);
        assert_small(tr_dot3(a, n), ROUNDING);
        assert_small(tr_length3(n) - 1.0, ROUNDING);
    }
}

// R diag(value) R' as xx, yy, zz, xy, xz, yz.
static void tensor_of(const double value[3], const trMat3 *R, double tensor[6]) {
    const double columns[3][3] = {
        {R->x.x, R->x.y, R->x.z}, {R->y.x, R->y.y, R->y.z}, {R->z.x, R->z.y, R->z.z}};
    const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < 6; i++) {
        tensor[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            tensor[i] += value[k] * columns[k][place[i][0]] * columns[k][place[i][1]];
        }
    }
}

static trVec3 apply(const double t[6], trVec3 a) {
    return (trVec3){t[0] * a.x + t[3] * a.y + t[4] * a.z, t[3] * a.x + t[1] * a.y + t[5] * a.z,
                    t[4] * a.x + t[5] * a.y + t[2] * a.z};
}

// Eigenvalues as given (increasing), A v = value v, and axes that are a rotation. Backward stable:
// errors relative to the largest eigenvalue.
static void check_axes(const double given[3], const trMat3 *R) {
    double tensor[6], value[3], size = fabs(given[0]) + fabs(given[2]);
    trMat3 mine;
    tensor_of(given, R, tensor);
    tr_principal_axes(tensor, value, &mine);
    assert_rotation(&mine);
    const trVec3 column[3] = {mine.x, mine.y, mine.z};
    for (int k = 0; k < 3; k++) {
        assert_small(value[k] - given[k], ROUNDING * size);
        assert_vec(apply(tensor, column[k]), tr_scale3(value[k], column[k]), ROUNDING * size);
    }
}

static void principal_axes_are_eigenvectors(void **state) {
    Random       random = {33};
    const double degenerate[][3] = {
        {1.0, 1.0, 2.0}, {1.0, 2.0, 2.0}, {2.0, 2.0, 2.0},   {1e-12, 1.0, 1.0},
        {0.0, 1.0, 1.0}, {0.0, 0.0, 0.0}, {-1.0, -1.0, 3.0}, {1.0, 1.0 + 1e-15, 1.0 + 2e-15},
    };
    for (int i = 0; i < CASES; i++) {
        trMat3 R = tr_quat_matrix(random_quat(&random));
        double scale = pow(10.0, random_in(&random, -30.0, 30.0));
        double low = random_in(&random, 0.1, 1.0), middle = random_in(&random, 1.0, 2.0);
        check_axes((double[]){scale * low, scale * middle, 2.5 * scale}, &R);
        check_axes(degenerate[i % 8], &R);
    }
}

// A diagonal tensor keeps its axes to the last bit, in the order of the values.
static void axes_of_a_diagonal_tensor_stay(void **state) {
    double value[3];
    trMat3 mine, one = tr_identity3();
    tr_principal_axes((double[]){0.1, 0.2, 0.3, 0.0, 0.0, 0.0}, value, &mine);
    assert_mat(&mine, &one, 0.0);
    assert_true(value[0] == 0.1 && value[1] == 0.2 && value[2] == 0.3);
    tr_principal_axes((double[]){0.3, 0.3, 0.3, 0.0, 0.0, 0.0}, value, &mine);
    assert_mat(&mine, &one, 0.0);
    tr_principal_axes((double[]){0.3, 0.1, 0.2, 0.0, 0.0, 0.0}, value, &mine);
    assert_mat(&mine, &(trMat3){axes[1], axes[2], axes[0]}, 0.0);
    assert_true(value[0] == 0.1 && value[1] == 0.2 && value[2] == 0.3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quaternions_and_matrices_turn_alike),
        cmocka_unit_test(a_matrix_gives_its_quaternion_back),
        cmocka_unit_test(exp_turns_by_the_length_about_the_direction),
        cmocka_unit_test(log_is_the_inverse_of_exp),
        cmocka_unit_test(between_takes_one_vector_to_the_other_by_the_shortest_way),
        cmocka_unit_test(between_works_near_opposite_vectors),
        cmocka_unit_test(a_perpendicular_vector_is_one),
        cmocka_unit_test(principal_axes_are_eigenvectors),
        cmocka_unit_test(axes_of_a_diagonal_tensor_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
