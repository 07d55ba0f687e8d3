// SPDX-License-Identifier: MIT
#include "paper_001_body.h"

#include <math.h>
#include <string.h>

static void make_E(const double u[4], double E[3][4]) {
    const double rows[3][4] = {
        {-u[1], u[0], u[3], -u[2]}, {-u[2], -u[3], u[0], u[1]}, {-u[3], u[2], -u[1], u[0]}};
    memcpy(E, rows, sizeof rows);
}

// w = 2 E(u) v
static void angular_velocity(const Body *body, double w[3]) {
    double E[3][4];
    make_E(body->u, E);
    for (int k = 0; k < 3; k++) {
        w[k] = 0.0;
        for (int i = 0; i < 4; i++) {
            w[k] += 2.0 * E[k][i] * body->v[i];
        }
    }
}

static void point_equations(Body *body) {
    static const int    group_row[] = {0, 1}, group_side[] = {0, 1}, zero[] = {0}, width[] = {4};
    static const bool   holonomic[] = {true};
    static const double none[] = {0.0};
    body->equations = (trEquations){.nv = 4,
                                    .m = 1,
                                    .M = {.n = 4, .dense = body->M},
                                    .A = {.m = 1,
                                          .n = 4,
                                          .groups = 1,
                                          .group_row = group_row,
                                          .group_side = group_side,
                                          .side_column = zero,
                                          .side_width = width,
                                          .side_value = zero,
                                          .value = body->A},
                                    .Q = body->Q,
                                    .b = body->b,
                                    .b1 = none,
                                    .phi = none,
                                    .holonomic = holonomic,
                                    .rank_tolerance = 1e-4};
}

void body_evaluate(Body *body) {
    double E[3][4], E_dot[3][4], w[3];
    make_E(body->u, E);
    make_E(body->v, E_dot);
    angular_velocity(body, w);
    body->b[0] = 0.0;
    for (int i = 0; i < 4; i++) {
        body->A[i] = body->u[i];
        body->b[0] -= body->v[i] * body->v[i];
        body->Q[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            body->Q[i] += -4.0 * E_dot[k][i] * body->J[k] * w[k] + 2.0 * E[k][i] * body->torque[k];
        }
        for (int j = 0; j < 4; j++) {
            body->M[4 * i + j] = 0.0;
            for (int k = 0; k < 3; k++) {
                body->M[4 * i + j] += 4.0 * E[k][i] * body->J[k] * E[k][j];
            }
        }
    }
    point_equations(body);
}

void body_place(Body *body, double angle) {
    static const double axis[3] = {1.0, -2.0, 0.5}, w[3] = {0.3, 2.0, -0.1};
    double              E[3][4];
    double              length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    body->u[0] = cos(0.5 * angle);
    for (int k = 0; k < 3; k++) {
        body->u[k + 1] = sin(0.5 * angle) * axis[k] / length;
    }
    make_E(body->u, E);
    for (int i = 0; i < 4; i++) {
        body->v[i] = 0.5 * (E[0][i] * w[0] + E[1][i] * w[1] + E[2][i] * w[2]);
    }
}

void body_closed_form(const Body *body, bool printed, double a[4]) {
    double E[3][4], w[3], rate[3];
    make_E(body->u, E);
    angular_velocity(body, w);
    for (int k = 0; k < 3; k++) {  // J^-1 (Gamma - w x J w)
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        rate[k] = (body->torque[k] - (body->J[j] - body->J[i]) * w[i] * w[j]) / body->J[k];
    }
    const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    const double N = printed ? sqrt(square) : square;
    for (int i = 0; i < 4; i++) {
        a[i] = 0.5 * (E[0][i] * rate[0] + E[1][i] * rate[1] + E[2][i] * rate[2]) -
               0.25 * N * body->u[i];
    }
}

double body_energy(const Body *body) {
    double w[3], sum = 0.0;
    angular_velocity(body, w);
    for (int k = 0; k < 3; k++) {
        sum += 0.5 * body->J[k] * w[k] * w[k];
    }
    return sum;
}

void body_step(Body *body, double h, bool printed) {
    static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double              du[4] = {0.0}, dv[4] = {0.0}, slope_u[4] = {0.0}, slope_v[4] = {0.0};
    for (int stage = 0; stage < 4; stage++) {
        Body at = *body;
        for (int i = 0; i < 4; i++) {
            at.u[i] += part[stage] * h * slope_u[i];
            at.v[i] += part[stage] * h * slope_v[i];
        }
        body_closed_form(&at, printed, slope_v);
        memcpy(slope_u, at.v, sizeof slope_u);
        for (int i = 0; i < 4; i++) {
            du[i] += weight[stage] * h / 6.0 * slope_u[i];
            dv[i] += weight[stage] * h / 6.0 * slope_v[i];
        }
    }
    for (int i = 0; i < 4; i++) {
        body->u[i] += du[i];
        body->v[i] += dv[i];
    }
}
