// SPDX-License-Identifier: MIT
#include "base/vec3.h"

#include <float.h>

trQuat tr_quat_of_matrix(const trMat3 *R) {
    double trace = R->x.x + R->y.y + R->z.z;
    trQuat q;
    if (trace >= R->x.x && trace >= R->y.y && trace >= R->z.z) {
        q = (trQuat){1.0 + trace, R->y.z - R->z.y, R->z.x - R->x.z, R->x.y - R->y.x};
    } else if (R->x.x >= R->y.y && R->x.x >= R->z.z) {
        q = (trQuat){R->y.z - R->z.y, 1.0 + 2.0 * R->x.x - trace, R->y.x + R->x.y, R->z.x + R->x.z};
    } else if (R->y.y >= R->z.z) {
        q = (trQuat){R->z.x - R->x.z, R->y.x + R->x.y, 1.0 + 2.0 * R->y.y - trace, R->z.y + R->y.z};
    } else {
        q = (trQuat){R->x.y - R->y.x, R->z.x + R->x.z, R->z.y + R->y.z, 1.0 + 2.0 * R->z.z - trace};
    }
    return tr_quat_unit(q);
}

trVec3 tr_perpendicular3(trVec3 a) {
    double ax = fabs(a.x), ay = fabs(a.y), az = fabs(a.z);
    trVec3 other = ax <= ay && ax <= az ? (trVec3){1.0, 0.0, 0.0}
                   : ay <= az           ? (trVec3){0.0, 1.0, 0.0}
                                        : (trVec3){0.0, 0.0, 1.0};
    trVec3 n = tr_cross3(a, other);
    return tr_scale3(1.0 / tr_length3(n), n);
}

// With c = a.b: w = cos(half angle) = sqrt((1 + c) / 2), and a x b = 2 w (vector part). Where a and
// b are nearly opposite, half a turn about the same axis takes a to -a, and a small rest remains.
trQuat tr_quat_between(trVec3 a, trVec3 b) {
    trVec3 n = tr_cross3(a, b);
    double c = tr_dot3(a, b);
    if (c > -0.999) {
        return tr_quat_unit((trQuat){1.0 + c, n.x, n.y, n.z});
    }
    double s = tr_length3(n);
    n = s > 1e-8 ? tr_scale3(1.0 / s, n) : tr_perpendicular3(a);
    n = tr_add_scaled3(n, -tr_dot3(n, a), a);
    n = tr_scale3(1.0 / tr_length3(n), n);
    return tr_quat_mul(tr_quat_between(tr_scale3(-1.0, a), b), (trQuat){0.0, n.x, n.y, n.z});
}

#define SWEEPS 30  // of Jacobi's method; it converges quadratically, five are usual

// One rotation of Jacobi's method in the plane of axes i and j: A = G' A G, V = V G.
static void rotate_plane(double A[3][3], double V[3][3], int i, int j) {
    if (A[i][j] == 0.0) {
        return;
    }
    double theta = (A[j][j] - A[i][i]) / (2.0 * A[i][j]);
    double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + hypot(theta, 1.0));
    double c = 1.0 / hypot(t, 1.0), s = t * c;
    for (int k = 0; k < 3; k++) {
        double x = A[k][i], y = A[k][j];
        A[k][i] = c * x - s * y;
        A[k][j] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
        double x = A[i][k], y = A[j][k];
        A[i][k] = c * x - s * y;
        A[j][k] = s * x + c * y;
        x = V[k][i], y = V[k][j];
        V[k][i] = c * x - s * y;
        V[k][j] = s * x + c * y;
    }
    A[i][j] = A[j][i] = 0.0;
}

void tr_principal_axes(const double tensor[6], double value[3], trMat3 *axes) {
    double A[3][3] = {{tensor[0], tensor[3], tensor[4]},
                      {tensor[3], tensor[1], tensor[5]},
                      {tensor[4], tensor[5], tensor[2]}};
    double V[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double size = fabs(tensor[0]) + fabs(tensor[1]) + fabs(tensor[2]);
    for (int n = 0; n < SWEEPS; n++) {
        if (fabs(A[0][1]) + fabs(A[0][2]) + fabs(A[1][2]) <= 0.01 * DBL_EPSILON * size) {
            break;
        }
        rotate_plane(A, V, 0, 1);
        rotate_plane(A, V, 0, 2);
        rotate_plane(A, V, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < 2; k++) {
            if (A[order[k]][order[k]] > A[order[k + 1]][order[k + 1]]) {
                int swap = order[k];
                order[k] = order[k + 1];
                order[k + 1] = swap;
            }
        }
    }
    trVec3 column[3];
    for (int k = 0; k < 3; k++) {
        value[k] = A[order[k]][order[k]];
        column[k] = (trVec3){V[0][order[k]], V[1][order[k]], V[2][order[k]]};
    }
    *axes = (trMat3){column[0], column[1], tr_cross3(column[0], column[1])};
}
