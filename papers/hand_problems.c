// SPDX-License-Identifier: MIT
// The car axis, Andrews' squeezing mechanism and the flexible slider crank of the Test Set for IVP
// Solvers, by hand. Letters are those of the models in models/benchmark, which have the sources.

#include <math.h>

#include "hand_written.h"

// --- car axis: q = (xl, yl, xr, yr) ---

#define CAR_K (1e-4 * 10.0 / 2.0)
#define CAR_L0 0.5

static void car_wheel(double t, double *xb, double *yb) {
    *yb = 0.1 * sin(10.0 * t);
    *xb = sqrt(1.0 - *yb * *yb);
}

static void car_mass(const double *q, double M[HAND_N][HAND_N]) {
    (void)q;
    for (int i = 0; i < 4; i++) {
        M[i][i] = CAR_K;
    }
}

static void car_force(double t, const double *q, const double *v, double *f) {
    double xb, yb;
    (void)v;
    car_wheel(t, &xb, &yb);
    double left = hypot(q[0], q[1]), right = hypot(q[2] - xb, q[3] - yb);
    f[0] = (CAR_L0 - left) / left * q[0];
    f[1] = (CAR_L0 - left) / left * q[1] - CAR_K;
    f[2] = (CAR_L0 - right) / right * (q[2] - xb);
    f[3] = (CAR_L0 - right) / right * (q[3] - yb) - CAR_K;
}

static void car_phi(double t, const double *q, double *g) {
    double xb, yb, x = q[0] - q[2], y = q[1] - q[3];
    car_wheel(t, &xb, &yb);
    g[0] = q[0] * xb + q[1] * yb;
    g[1] = x * x + y * y - 1.0;
}

static void car_rows(double t, const double *q, double G[HAND_M][HAND_N]) {
    double x = 2.0 * (q[0] - q[2]), y = 2.0 * (q[1] - q[3]);
    car_wheel(t, &G[0][0], &G[0][1]);
    G[1][0] = x;
    G[1][1] = y;
    G[1][2] = -x;
    G[1][3] = -y;
}

static void car_rate(double t, const double *q, double *g_t) {
    double xb, yb, rate = cos(10.0 * t);
    car_wheel(t, &xb, &yb);
    g_t[0] = -q[0] * yb * rate / xb + q[1] * rate;
    g_t[1] = 0.0;
}

const HandProblem hand_car_axis = {
    .name = "car axis",
    .n = 4,
    .m = 2,
    .duration = 3.0,
    .q = {0.0, 0.5, 1.0, 0.5},
    .v = {-0.5, 0.0, -0.5, 0.0},
    .mass = car_mass,
    .force = car_force,
    .phi = car_phi,
    .rows = car_rows,
    .rate = car_rate,
};

// --- Andrews' squeezing mechanism: q = (beta, theta, gamma, phi, delta, omega, epsilon) ---

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON };

static const double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050;
static const double m6 = 0.00706, m7 = 0.05498;
static const double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5;
static const double i6 = 5.667e-7, i7 = 1.912e-5;
static const double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014;
static const double yc = 0.072, d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007;
static const double ra = 0.00092, ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02;
static const double ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449;
static const double zf = 0.02, zt = 0.04, fa = 0.01421, mom = 0.033, c0 = 4530.0, l0 = 0.07785;

static void andrews_mass(const double *q, double M[HAND_N][HAND_N]) {
    double e4 = e - ea, f6 = zf - fa;
    M[0][0] = m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * cos(q[THETA]) + da * da) + i1 + i2;
    M[0][1] = M[1][0] = m2 * (da * da - da * rr * cos(q[THETA])) + i2;
    M[1][1] = m2 * da * da + i2;
    M[2][2] = m3 * (sa * sa + sb * sb) + i3;
    M[3][3] = m4 * e4 * e4 + i4;
    M[3][4] = M[4][3] = m4 * (e4 * e4 + zt * e4 * sin(q[PHI])) + i4;
    M[4][4] =
        m4 * (zt * zt + 2.0 * zt * e4 * sin(q[PHI]) + e4 * e4) + m5 * (ta * ta + tb * tb) + i4 + i5;
    M[5][5] = m6 * f6 * f6 + i6;
    M[5][6] = M[6][5] = m6 * (f6 * f6 - u * f6 * sin(q[OMEGA])) + i6;
    M[6][6] =
        m6 * (f6 * f6 - 2.0 * u * f6 * sin(q[OMEGA]) + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
}

static void andrews_force(double t, const double *q, const double *v, double *f) {
    double e4 = e - ea, f6 = zf - fa, C = cos(q[GAMMA]), S = sin(q[GAMMA]);
    double x = xb + sd * C + sc * S - xc, y = yb + sd * S - sc * C - yc, l = hypot(x, y);
    double pull = -c0 * (l - l0) / l;
    (void)t;
    f[0] = mom - m2 * da * rr * v[1] * (v[1] + 2.0 * v[0]) * sin(q[THETA]);
    f[1] = m2 * da * rr * v[0] * v[0] * sin(q[THETA]);
    f[2] = pull * (x * (sc * C - sd * S) + y * (sd * C + sc * S));
    f[3] = m4 * zt * e4 * v[4] * v[4] * cos(q[PHI]);
    f[4] = -m4 * zt * e4 * v[3] * (v[3] + 2.0 * v[4]) * cos(q[PHI]);
    f[5] = -m6 * u * f6 * v[6] * v[6] * cos(q[OMEGA]);
    f[6] = m6 * u * f6 * v[5] * (v[5] + 2.0 * v[6]) * cos(q[OMEGA]);
}

static void andrews_phi(double t, const double *q, double *g) {
    double k2 = q[BETA] + q[THETA], k4 = q[PHI] + q[DELTA], k6 = q[OMEGA] + q[EPSILON];
    double x = rr * cos(q[BETA]) - d * cos(k2), y = rr * sin(q[BETA]) - d * sin(k2);
    (void)t;
    g[0] = x - ss * sin(q[GAMMA]) - xb;
    g[1] = y + ss * cos(q[GAMMA]) - yb;
    g[2] = x - e * sin(k4) - zt * cos(q[DELTA]) - xa;
    g[3] = y + e * cos(k4) - zt * sin(q[DELTA]) - ya;
    g[4] = x - zf * cos(k6) - u * sin(q[EPSILON]) - xa;
    g[5] = y - zf * sin(k6) + u * cos(q[EPSILON]) - ya;
}

static void andrews_rows(double t, const double *q, double G[HAND_M][HAND_N]) {
    double k2 = q[BETA] + q[THETA], k4 = q[PHI] + q[DELTA], k6 = q[OMEGA] + q[EPSILON];
    (void)t;
    for (int k = 0; k < 6; k += 2) {
        G[k][BETA] = -rr * sin(q[BETA]) + d * sin(k2);
        G[k][THETA] = d * sin(k2);
        G[k + 1][BETA] = rr * cos(q[BETA]) - d * cos(k2);
        G[k + 1][THETA] = -d * cos(k2);
    }
    G[0][GAMMA] = -ss * cos(q[GAMMA]);
    G[1][GAMMA] = -ss * sin(q[GAMMA]);
    G[2][PHI] = -e * cos(k4);
    G[2][DELTA] = -e * cos(k4) + zt * sin(q[DELTA]);
    G[3][PHI] = -e * sin(k4);
    G[3][DELTA] = -e * sin(k4) - zt * cos(q[DELTA]);
    G[4][OMEGA] = zf * sin(k6);
    G[4][EPSILON] = zf * sin(k6) - u * cos(q[EPSILON]);
    G[5][OMEGA] = -zf * cos(k6);
    G[5][EPSILON] = -zf * cos(k6) - u * sin(q[EPSILON]);
}

const HandProblem hand_andrews = {
    .name = "Andrews' squeezing mechanism",
    .n = 7,
    .m = 6,
    .duration = 0.03,
    .q = {-0.0617138900142764496358948458001, 0.0, 0.455279819163070380255912382449,
          0.222668390165885884674473185609, 0.487364979543842550225598953530,
          -0.222668390165885884674473185609, 1.23054744454982119249735015568},
    .mass = andrews_mass,
    .force = andrews_force,
    .phi = andrews_phi,
    .rows = andrews_rows,
};
