// SPDX-License-Identifier: MIT
// Small systems: a pendulum, two particles on a moving support, a knife edge, and the pitch link of
// a helicopter blade.

#include <math.h>

#include "formulation/golden.h"

static double dot(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// phi = |r| - 1
void golden_pendulum(double t, const double *q, const double *v, GoldenNumbers *out) {
    const double r = sqrt(q[0] * q[0] + q[1] * q[1]), rate = (q[0] * v[0] + q[1] * v[1]) / r;
    (void)t;
    out->M[0] = 1.0;
    out->M[3] = 1.0;
    out->Q[1] = -9.81;
    out->phi[0] = r - 1.0;
    out->A[0] = q[0] / r;
    out->A[1] = q[1] / r;
    out->b[0] = -(v[0] * v[0] + v[1] * v[1] - rate * rate) / r;
}

// phi = (|r1 - c|^2 - 1)/2, (|r2 - r1|^2 - 2.25)/2, y2 - y1 with c = (0.1 sin 2t, 0, 0)
void golden_dp3(double t, const double *q, const double *v, GoldenNumbers *out) {
    const double mass[2] = {2.0, 3.0};
    const double arm[3] = {q[0] - 0.1 * sin(2.0 * t), q[1], q[2]};
    const double arm_rate[3] = {v[0] - 0.2 * cos(2.0 * t), v[1], v[2]};
    const double rod[3] = {q[3] - q[0], q[4] - q[1], q[5] - q[2]};
    const double rod_rate[3] = {v[3] - v[0], v[4] - v[1], v[5] - v[2]};
    for (int i = 0; i < 6; i++) {
        out->M[7 * i] = mass[i / 3];
        out->Q[i] = -0.1 * v[i] - (i % 3 == 2 ? 9.81 * mass[i / 3] : 0.0);
    }
    for (int i = 0; i < 3; i++) {
        out->A[i] = arm[i];
        out->A[6 + i] = -rod[i];
        out->A[9 + i] = rod[i];
    }
    out->A[12 + 1] = -1.0;
    out->A[12 + 4] = 1.0;
    out->phi[0] = 0.5 * (dot(arm, arm) - 1.0);
    out->phi[1] = 0.5 * (dot(rod, rod) - 2.25);
    out->phi[2] = q[4] - q[1];
    out->b1[0] = arm[0] * 0.2 * cos(2.0 * t);
    out->b[0] = -dot(arm_rate, arm_rate) - arm[0] * 0.4 * sin(2.0 * t);
    out->b[1] = -dot(rod_rate, rod_rate);
}

// psi = x' sin(theta) - y' cos(theta)
void golden_knife(double t, const double *q, const double *v, GoldenNumbers *out) {
    const double c = cos(q[2]), s = sin(q[2]);
    (void)t;
    out->M[0] = 1.5;
    out->M[4] = 1.5;
    out->M[8] = 0.4;
    out->Q[0] = 1.5 * 3.0;
    out->A[0] = s;
    out->A[1] = -c;
    out->b[0] = -v[2] * (c * v[0] + s * v[1]);
}

// phi = |xA(beta, theta) - xB(t)| - L of the pitch link, q = (beta, theta), with
// xA = (0.2, 0, 0) + Rbeta Rtheta (0.05, 0.2, 0) and xB = (0.25, 0.2, -0.15 + 0.01 sin 40 t).
void golden_heli(double t, const double *q, const double *v, GoldenNumbers *out) {
    const double omega = 40.0, Ib = 416.67, If = 9.375e-2, Ix = 1.875e-2, nu = 1.0625;
    const double x = 0.05, y = 0.2, length = 0.15;
    const double cb = cos(q[0]), sb = sin(q[0]), ct = cos(q[1]), st = sin(q[1]);
    const double d[3] = {0.2 + cb * x - sb * y * st - 0.25, y * ct - 0.2,
                         sb * x + cb * y * st - (-0.15 + 0.01 * sin(omega * t))};
    const double by_b[3] = {-sb * x - cb * y * st, 0.0, cb * x - sb * y * st};
    const double by_t[3] = {-sb * y * ct, -y * st, cb * y * ct};
    const double by_bb[3] = {-cb * x + sb * y * st, 0.0, -sb * x - cb * y * st};
    const double by_bt[3] = {-cb * y * ct, 0.0, -sb * y * ct};
    const double by_tt[3] = {sb * y * st, -y * ct, -cb * y * st};
    const double l = sqrt(dot(d, d)), z_rate = 0.01 * omega * cos(omega * t);
    double       rate[3], rest[3];  // d', and d'' where q'' = 0
    for (int i = 0; i < 3; i++) {
        rate[i] = by_b[i] * v[0] + by_t[i] * v[1] - (i == 2 ? z_rate : 0.0);
        rest[i] = by_bb[i] * v[0] * v[0] + 2.0 * by_bt[i] * v[0] * v[1] + by_tt[i] * v[1] * v[1] +
                  (i == 2 ? 0.01 * omega * omega * sin(omega * t) : 0.0);
    }
    double l_rate = dot(d, rate) / l, quarter = 2.0 * atan(1.0);
    out->M[0] = Ib;
    out->M[1] = -Ix;
    out->M[2] = -Ix;
    out->M[3] = If;
    out->Q[0] = -0.5 * omega * Ib * v[0] + 1e4 * cos(omega * t + quarter) -
                Ib * omega * omega * nu * nu * q[0] + Ix * omega * omega * q[1];
    out->Q[1] = -If * omega * omega * q[1] + Ix * omega * omega * q[0];
    out->phi[0] = l - length;
    out->A[0] = dot(d, by_b) / l;
    out->A[1] = dot(d, by_t) / l;
    out->b1[0] = d[2] * z_rate / l;
    out->b[0] = -(dot(rate, rate) - l_rate * l_rate) / l - dot(d, rest) / l;
}
