// SPDX-License-Identifier: MIT
// The pendulum of Masarati 2011, section 4.1, as callbacks, and a Runge-Kutta step that holds it.

#ifndef TR_TESTS_CONSTRAIN_PENDULUM_H
#define TR_TESTS_CONSTRAIN_PENDULUM_H

#include <math.h>

#include "trammel/constrain.h"

#define PENDULUM_GRAVITY 9.81  // [m/s^2]

typedef struct Pendulum {
    double mass, length;  // [kg], [m]
} Pendulum;

static inline int pendulum_mass(void *context, double t, const double *q, double *M) {
    (void)t, (void)q;
    M[0] = M[3] = ((const Pendulum *)context)->mass;
    M[1] = M[2] = 0.0;
    return 0;
}

static inline int pendulum_mass_solve(void *context, double t, const double *q, const double *x,
                                      double *y) {
    (void)t, (void)q;
    y[0] = x[0] / ((const Pendulum *)context)->mass;
    y[1] = x[1] / ((const Pendulum *)context)->mass;
    return 0;
}

static inline int pendulum_phi(void *context, double t, const double *q, double *phi) {
    (void)t;
    phi[0] = sqrt(q[0] * q[0] + q[1] * q[1]) - ((const Pendulum *)context)->length;
    return 0;
}

static inline int pendulum_jacobian(void *context, double t, const double *q, double *A) {
    (void)context, (void)t;
    A[0] = q[0] / sqrt(q[0] * q[0] + q[1] * q[1]);
    A[1] = q[1] / sqrt(q[0] * q[0] + q[1] * q[1]);
    return 0;
}

static inline int pendulum_b1(void *context, double t, const double *q, double *b1) {
    (void)context, (void)t, (void)q;
    b1[0] = 0.0;
    return 0;
}

static inline int pendulum_b(void *context, double t, const double *q, const double *v, double *b) {
    (void)context, (void)t;
    double r = sqrt(q[0] * q[0] + q[1] * q[1]), rate = (q[0] * v[0] + q[1] * v[1]) / r;
    b[0] = -(v[0] * v[0] + v[1] * v[1] - rate * rate) / r;
    return 0;
}

// The rod, by differences, or with all derivatives.
static inline trConstrainDef pendulum_def(Pendulum *p, int given) {
    static const char *const names[] = {"rod"};
    trConstrainDef           def = tr_constrain_def_default();
    def.n = 2;
    def.m = 1;
    def.context = p;
    def.names = names;
    def.mass = pendulum_mass;
    def.phi = pendulum_phi;
    if (given) {
        def.jacobian = pendulum_jacobian;
        def.b1 = pendulum_b1;
        def.b = pendulum_b;
    }
    return def;
}

// y = (x, z, vx, vz). By forces, or by accelerations.
static inline trStatus pendulum_rhs(trConstrain *c, const Pendulum *p, int by_force, double t,
                                    const double *y, double *ydot) {
    double   q[2] = {y[0], y[1]}, v[2] = {y[2], y[3]};
    double   f[2] = {0.0, -p->mass * PENDULUM_GRAVITY}, a[2] = {0.0, -PENDULUM_GRAVITY};
    trStatus status = tr_constrain_state(c, t, q, v);
    if (status == TR_OK) {
        status = by_force ? tr_constrain_force(c, t, q, v, f, NULL)
                          : tr_constrain_accel(c, t, q, v, a, NULL);
    }
    for (int i = 0; i < 2; i++) {
        ydot[i] = v[i];
        ydot[2 + i] = by_force ? f[i] / p->mass : a[i];
    }
    return status;
}

static inline trStatus pendulum_step(trConstrain *c, const Pendulum *p, int by_force, double t,
                                     double h, double *y) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double              slope[4] = {0.0}, sum[4] = {0.0}, stage[4];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 4; i++) {
            stage[i] = y[i] + at[s] * h * slope[i];
        }
        trStatus status = pendulum_rhs(c, p, by_force, t + at[s] * h, stage, slope);
        if (status != TR_OK) {
            return status;
        }
        for (int i = 0; i < 4; i++) {
            sum[i] += weight[s] / 6.0 * slope[i];
        }
    }
    for (int i = 0; i < 4; i++) {
        y[i] += h * sum[i];
    }
    return tr_constrain_state(c, t + h, y, y + 2);
}

#endif
