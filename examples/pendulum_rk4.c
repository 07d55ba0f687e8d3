// SPDX-License-Identifier: MIT
// A pendulum in x and z, integrated by a Runge-Kutta loop that knows nothing of constraints.
//
//     m x'' = 0,   m z'' = -m g,   held by  phi = sqrt(x^2 + z^2) - L = 0

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <trammel/constrain.h>

static const double mass = 1.0, length = 1.0, gravity = 9.81;  // [kg], [m], [m/s^2]

static int pendulum_mass(void *context, double t, const double *q, double *M) {
    (void)context, (void)t, (void)q;
    M[0] = M[3] = mass;
    M[1] = M[2] = 0.0;
    return 0;
}

static int pendulum_phi(void *context, double t, const double *q, double *phi) {
    (void)context, (void)t;
    phi[0] = sqrt(q[0] * q[0] + q[1] * q[1]) - length;
    return 0;
}

static void need(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "%s: %s\n", tr_status_text(status), tr_last_error());
        exit(1);
    }
}

// y = (x, z, vx, vz). The state is put on the constraint, then the force is corrected.
static void rhs(trConstrain *c, double t, const double *y, double *ydot, double *lambda) {
    double q[2] = {y[0], y[1]}, v[2] = {y[2], y[3]}, f[2] = {0.0, -mass * gravity};
    need(tr_constrain_state(c, t, q, v));
    need(tr_constrain_force(c, t, q, v, f, lambda));
    for (int i = 0; i < 2; i++) {
        ydot[i] = v[i];
        ydot[2 + i] = f[i] / mass;
    }
}

static void step(trConstrain *c, double t, double h, double *y) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    double              k[5][4] = {{0.0}}, stage[4];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 4; i++) {
            stage[i] = y[i] + at[s] * h * k[s][i];
        }
        rhs(c, t + at[s] * h, stage, k[s + 1], NULL);
    }
    for (int i = 0; i < 4; i++) {
        y[i] += h / 6.0 * (k[1][i] + 2.0 * k[2][i] + 2.0 * k[3][i] + k[4][i]);
    }
    need(tr_constrain_state(c, t + h, y, y + 2));  // the step itself leaves the constraint again
}

int main(void) {
    double         y[4] = {length, 0.0, 0.0, 0.0}, ydot[4], lambda = 0.0;
    trConstrain   *c = NULL;
    trConstrainDef def = tr_constrain_def_default();
    def.n = 2;
    def.m = 1;
    def.names = (const char *const[]){"rod"};
    def.mass = pendulum_mass;
    def.phi = pendulum_phi;
    need(tr_constrain_create(&def, 0.0, y, y + 2, &c));
    for (int i = 0; i <= 10000; i++) {
        if (i % 1000 == 0) {
            rhs(c, i * 1e-3, y, ydot, &lambda);
            printf("t = %2d s: x = %.12f m, z = %.12f m, rod force %.6f N\n", i / 1000, y[0], y[1],
                   lambda);
        }
        step(c, i * 1e-3, 1e-3, y);
    }
    tr_constrain_destroy(c);
    return 0;
}
