// SPDX-License-Identifier: MIT
// Spatial bodies in quaternion coordinates e: a free body, and a pendulum of five bars. The mass
// matrix of a rotation is singular along e.
//
//     w = 2 L(e) e' (body axes)     M = 4 L'JL     Q = -8 L(e')' J L(e) e'
//     (e.e - 1) / 2 = 0
//
// R(e) is kept quadratic in e: R(e) = B(e, e), so that R' = 2 B(e, e') and R'' = 2 R(e') + ...

#include <math.h>
#include <string.h>

#include "formulation/golden.h"

// x = R(e) c, also where e is not of length one.
static void rotate(const double *e, const double *c, double *x) {
    const double a = e[1], b = e[2], d = e[3], s = e[0];
    x[0] = (s * s + a * a - b * b - d * d) * c[0] + 2.0 * (a * b - s * d) * c[1] +
           2.0 * (a * d + s * b) * c[2];
    x[1] = 2.0 * (a * b + s * d) * c[0] + (s * s - a * a + b * b - d * d) * c[1] +
           2.0 * (b * d - s * a) * c[2];
    x[2] = 2.0 * (a * d - s * b) * c[0] + 2.0 * (b * d + s * a) * c[1] +
           (s * s - a * a - b * b + d * d) * c[2];
}

// J (3 x 4, row after row) = d(R(e) c)/de: column i is 2 B(e, unit_i) c, that is
// (R(e + unit_i) - R(e - unit_i)) c / 2, written out.
static void rotate_gradient(const double *e, const double *c, double *J) {
    const double s = e[0], a = e[1], b = e[2], d = e[3];
    const double gradient[12] = {s * c[0] - d * c[1] + b * c[2],  a * c[0] + b * c[1] + d * c[2],
                                 -b * c[0] + a * c[1] + s * c[2], -d * c[0] - s * c[1] + a * c[2],
                                 d * c[0] + s * c[1] - a * c[2],  b * c[0] - a * c[1] - s * c[2],
                                 a * c[0] + b * c[1] + d * c[2],  s * c[0] - d * c[1] + b * c[2],
                                 -b * c[0] + a * c[1] + s * c[2], d * c[0] + s * c[1] - a * c[2],
                                 -s * c[0] + d * c[1] - b * c[2], a * c[0] + b * c[1] + d * c[2]};
    for (int i = 0; i < 12; i++) {
        J[i] = 2.0 * gradient[i];
    }
}

static double dot(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// L (3 x 4) with w = 2 L(e) e' in body axes.
static void body_rates(const double *e, double *L) {
    const double rows[12] = {-e[1], e[0], e[3],  -e[2], -e[2], -e[3],
                             e[0],  e[1], -e[3], e[2],  -e[1], e[0]};
    memcpy(L, rows, sizeof rows);
}

// Mass and forces of a rotation in the columns from `first` on, and its norm in `row`.
static void add_rotation(int n, int first, int row, const double *J, const double *q,
                         const double *v, GoldenNumbers *out) {
    const double *e = q + first, *rate = v + first;
    double        L[12], L_rate[12], momentum[3] = {0.0, 0.0, 0.0};
    body_rates(e, L);
    body_rates(rate, L_rate);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++) {
            momentum[k] += J[k] * L[4 * k + i] * rate[i];
        }
    }
    double norm2 = 0.0, rate2 = 0.0;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            out->Q[first + i] -= 8.0 * L_rate[4 * k + i] * momentum[k];
            for (int j = 0; j < 4; j++) {
                out->M[(first + i) * n + first + j] += 4.0 * L[4 * k + i] * J[k] * L[4 * k + j];
            }
        }
        out->A[row * n + first + i] = e[i];
        norm2 += e[i] * e[i];
        rate2 += rate[i] * rate[i];
    }
    out->phi[row] = 0.5 * (norm2 - 1.0);
    out->b[row] = -rate2;
}

void golden_quat(double t, const double *q, const double *v, GoldenNumbers *out) {
    static const double J[3] = {1.0, 2.0, 3.0};
    (void)t;
    add_rotation(4, 0, 0, J, q, v, out);
}

#define BARS 5
#define COORDINATES (7 * BARS)

// Bars along their x axis, turned about z by -0.5, 0.5, -0.5, ... rad at the start. Joint k, at the
// inner end of bar k, has its axis and two vectors that complete it, all in world axes at the
// start.
static double start_angle(int bar) {
    return bar % 2 == 0 ? -0.5 : 0.5;
}

static void cross(const double *x, const double *y, double *z) {
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

static void normalize(double *x) {
    double length = sqrt(dot(x, x));
    for (int i = 0; i < 3; i++) {
        x[i] /= length;
    }
}

// Into the axes that a bar has at the start; the ground (-1) keeps world axes.
static void into_bar(int bar, double *x) {
    if (bar >= 0) {
        const double c = cos(start_angle(bar)), s = sin(start_angle(bar));
        const double turned[2] = {c * x[0] + s * x[1], -s * x[0] + c * x[1]};
        x[0] = turned[0];
        x[1] = turned[1];
    }
}

// The two bars of a joint have a common point: inner end of `bar`, outer end of the one before.
static void add_point(int bar, const double *q, const double *v, GoldenNumbers *out) {
    static const double inner[3] = {-0.5, 0.0, 0.0}, outer[3] = {0.5, 0.0, 0.0};
    for (int side = 0; side < 2; side++) {
        const int     first = 7 * (bar - side), row = 6 * bar + 1;
        const double *point = side == 0 ? inner : outer;
        const double  sign = side == 0 ? 1.0 : -1.0;
        double        arm[3], turning[3], gradient[12];
        if (first < 0) {
            return;
        }
        rotate(q + first + 3, point, arm);
        rotate(v + first + 3, point, turning);
        rotate_gradient(q + first + 3, point, gradient);
        for (int k = 0; k < 3; k++) {
            out->phi[row + k] += sign * (q[first + k] + arm[k]);
            out->b[row + k] -= sign * 2.0 * turning[k];
            out->A[(row + k) * COORDINATES + first + k] = sign;
            for (int i = 0; i < 4; i++) {
                out->A[(row + k) * COORDINATES + first + 3 + i] = sign * gradient[4 * k + i];
            }
        }
    }
}

// phi = w.p: a vector w of the bar before stays perpendicular to the axis p of this bar.
static void add_perpendicular(int bar, int row, const double *across, const double *axis,
                              const double *q, const double *v, GoldenNumbers *out) {
    static const double at_rest[4] = {1.0, 0.0, 0.0, 0.0}, still[4] = {0.0, 0.0, 0.0, 0.0};
    const double       *e = q + 7 * bar + 3, *rate = v + 7 * bar + 3;
    const double       *e0 = bar > 0 ? e - 7 : at_rest, *rate0 = bar > 0 ? rate - 7 : still;
    double              w[3], w_turning[3], w_gradient[12], p[3], p_turning[3], p_gradient[12];
    double              w_rate[3] = {0.0, 0.0, 0.0}, p_rate[3] = {0.0, 0.0, 0.0};
    rotate(e0, across, w);
    rotate(rate0, across, w_turning);
    rotate_gradient(e0, across, w_gradient);
    rotate(e, axis, p);
    rotate(rate, axis, p_turning);
    rotate_gradient(e, axis, p_gradient);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            w_rate[k] += w_gradient[4 * k + i] * rate0[i];
            p_rate[k] += p_gradient[4 * k + i] * rate[i];
            out->A[row * COORDINATES + 7 * bar + 3 + i] += w[k] * p_gradient[4 * k + i];
            if (bar > 0) {
                out->A[row * COORDINATES + 7 * bar - 4 + i] += p[k] * w_gradient[4 * k + i];
            }
        }
    }
    out->phi[row] = dot(w, p);
    out->b[row] = -2.0 * (dot(w_turning, p) + dot(w_rate, p_rate) + dot(w, p_turning));
}

void golden_fivebar(double t, const double *q, const double *v, GoldenNumbers *out) {
    static const double J[3] = {1.0 / 600.0, 1.01 / 12.0, 1.01 / 12.0};
    static const double aside[3] = {1.0, 0.2, 0.1};
    (void)t;
    for (int bar = 0; bar < BARS; bar++) {
        double axis[3] = {0.0, 1.0, 0.0}, across[2][3];
        if (bar % 2 == 1) {
            axis[0] = 0.3;
            axis[1] = 0.9;
            axis[2] = 0.3;
        }
        normalize(axis);
        cross(axis, aside, across[0]);
        normalize(across[0]);
        cross(axis, across[0], across[1]);
        into_bar(bar, axis);
        into_bar(bar - 1, across[0]);
        into_bar(bar - 1, across[1]);

        for (int k = 0; k < 3; k++) {
            out->M[(7 * bar + k) * COORDINATES + 7 * bar + k] = 1.0;
        }
        out->Q[7 * bar + 2] = -9.81;
        add_rotation(COORDINATES, 7 * bar + 3, 6 * bar, J, q, v, out);
        add_point(bar, q, v, out);
        add_perpendicular(bar, 6 * bar + 4, across[0], axis, q, v, out);
        add_perpendicular(bar, 6 * bar + 5, across[1], axis, q, v, out);
    }
}
