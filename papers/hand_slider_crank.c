// SPDX-License-Identifier: MIT
// The flexible slider crank of the Test Set for IVP Solvers, by hand: q = (phi1, phi2, x3, q1..q4).
// Letters as in models/benchmark/slider_crank_flexible.lua.

#include <math.h>

#include "hand_written.h"

#define OMEGA 150.0
#define PI 3.1415927  // as the source has it
#define FM (7870.0 * 0.008 * 0.008 * 0.30)
#define FK (2e11 * 0.008 * 0.008 / 0.30)
#define FB (0.008 * 0.008 * 0.30)
#define SLENDER (0.008 / 0.30 * (0.008 / 0.30))

static const double rho = 7870.0, l1 = 0.15, l2 = 0.30, m2 = 0.151104, m3 = 0.075552;
static const double J1 = 0.002727, J2 = 0.0045339259;
static const double MQ[4][4] = {{FM / 2.0, 0.0, 0.0, 0.0},
                                {0.0, FM / 2.0, 0.0, 0.0},
                                {0.0, 0.0, 8.0 * FM, FM},
                                {0.0, 0.0, FM, 2.0 * FM}};
static const double KQ[4][4] = {{FK * PI * PI * PI * PI / 24.0 * SLENDER, 0.0, 0.0, 0.0},
                                {0.0, FK *PI *PI *PI *PI * 2.0 / 3.0 * SLENDER, 0.0, 0.0},
                                {0.0, 0.0, 16.0 / 3.0 * FK, -8.0 / 3.0 * FK},
                                {0.0, 0.0, -8.0 / 3.0 * FK, 7.0 / 3.0 * FK}};
#define B13 (-16.0 * FB / (PI * PI * PI))
#define B14 (FB * (8.0 / (PI * PI * PI) - 1.0 / PI))
#define B24 (FB / (2.0 * PI))
static const double BQ[4][4] = {
    {0.0, 0.0, B13, B14}, {0.0, 0.0, 0.0, B24}, {-B13, 0.0, 0.0, 0.0}, {-B14, -B24, 0.0, 0.0}};
static const double c1[4] = {0.0, 0.0, 2.0 * FB / 3.0, FB / 6.0};
static const double c2[4] = {2.0 * FB / PI, 0.0, 0.0, 0.0};
static const double c12[4] = {0.0, 0.0, 0.30 * FB / 3.0, 0.30 * FB / 6.0};
static const double c21[4] = {0.30 * FB / PI, -0.30 * FB / (2.0 * PI), 0.0, 0.0};

static double inner(const double *a, const double *x) {
    return a[0] * x[0] + a[1] * x[1] + a[2] * x[2] + a[3] * x[3];
}

static void times(const double A[4][4], const double *x, double *y) {
    for (int i = 0; i < 4; i++) {
        y[i] = inner(A[i], x);
    }
}

static void mass(const double *q, double M[HAND_N][HAND_N]) {
    const double *Q = q + 3;
    double        S = sin(q[0] - q[1]), C = cos(q[0] - q[1]), MQ_Q[4], BQ_Q[4];
    times(MQ, Q, MQ_Q);
    times(BQ, Q, BQ_Q);
    M[0][0] = J1 + m2 * l1 * l1;
    M[0][1] = M[1][0] = l1 * l2 * m2 * C / 2.0 + rho * l1 * (S * inner(c2, Q) + C * inner(c1, Q));
    M[1][1] = J2 + inner(Q, MQ_Q) + 2.0 * rho * inner(c12, Q);
    M[2][2] = m3;
    for (int k = 0; k < 4; k++) {
        M[0][3 + k] = M[3 + k][0] = rho * l1 * (C * c2[k] - S * c1[k]);
        M[1][3 + k] = M[3 + k][1] = rho * (c21[k] - BQ_Q[k]);
        for (int i = 0; i < 4; i++) {
            M[3 + k][3 + i] = MQ[k][i];
        }
    }
}

static void force(double t, const double *q, const double *v, double *f) {
    const double *Q = q + 3, *R = v + 3;
    double        w1 = v[0], w2 = v[1], S = sin(q[0] - q[1]), C = cos(q[0] - q[1]);
    double        c1Q = inner(c1, Q), c2Q = inner(c2, Q), MQ_Q[4], BQ_R[4], KQ_Q[4];
    (void)t;
    times(MQ, Q, MQ_Q);
    times(BQ, R, BQ_R);
    times(KQ, Q, KQ_Q);
    f[0] = -l1 * l2 * m2 * w2 * w2 * S / 2.0 + rho * l1 * w2 * w2 * (C * c2Q - S * c1Q) -
           2.0 * rho * l1 * w2 * (C * inner(c1, R) + S * inner(c2, R));
    f[1] = l1 * l2 * m2 * w1 * w1 * S / 2.0 + rho * l1 * w1 * w1 * (S * c1Q - C * c2Q) -
           2.0 * rho * w2 * inner(c12, R) - 2.0 * w2 * inner(R, MQ_Q);
    f[2] = 0.0;
    for (int k = 0; k < 4; k++) {
        f[3 + k] =
            w2 * w2 * MQ_Q[k] - KQ_Q[k] +
            rho * (w2 * w2 * c12[k] + l1 * w1 * w1 * (C * c1[k] + S * c2[k]) + 2.0 * w2 * BQ_R[k]);
    }
}

static void phi(double t, const double *q, double *g) {
    g[0] = l1 * sin(q[0]) + (l2 + q[6]) * sin(q[1]);
    g[1] = q[2] - l1 * cos(q[0]) - (l2 + q[6]) * cos(q[1]);
    g[2] = q[0] - OMEGA * t;
}

static void rows(double t, const double *q, double G[HAND_M][HAND_N]) {
    (void)t;
    G[0][0] = l1 * cos(q[0]);
    G[0][1] = (l2 + q[6]) * cos(q[1]);
    G[0][6] = sin(q[1]);
    G[1][0] = l1 * sin(q[0]);
    G[1][1] = (l2 + q[6]) * sin(q[1]);
    G[1][2] = 1.0;
    G[1][6] = -cos(q[1]);
    G[2][0] = 1.0;
}

static void rate(double t, const double *q, double *g_t) {
    (void)t, (void)q;
    g_t[0] = g_t[1] = 0.0;
    g_t[2] = -OMEGA;
}

// The published start, put on the constraints as the model is.
const HandProblem hand_slider_crank = {
    .name = "flexible slider crank",
    .n = 7,
    .m = 3,
    .duration = 0.1,
    .q = {0.0, 0.0, 0.450016933, 0.0, 0.0, 0.103339863e-4, 0.169327969e-4},
    .v = {OMEGA, -74.9957670, -0.268938672e-5, 0.444896105, 0.463434311e-2, -0.178591076e-5,
          -0.268938672e-5},
    .mass = mass,
    .force = force,
    .phi = phi,
    .rows = rows,
    .rate = rate,
};
