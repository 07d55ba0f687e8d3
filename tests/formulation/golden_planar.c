// SPDX-License-Identifier: MIT
// Planar linkages of bars with coordinates (x, y, angle) of their centres: the parallel four-bar of
// Tseng and Hulbert, also in joint coordinates, the four-bar of Marques, Souto and Flores, and a
// redundant triple crank.
//
//     a pin:  phi = (r1 + R1 (s1, 0)) - (r2 + R2 (s2, 0))

#include <math.h>
#include <stddef.h>

#include "formulation/golden.h"

#define GROUND (-1)

typedef struct Bar {
    double mass, inertia;
} Bar;

// A point at `s1` along bar 1 stays on the point at `s2` along bar 2, or on (s2, 0) of the ground.
typedef struct Pin {
    int    bar1;
    double s1;
    int    bar2;
    double s2;
} Pin;

typedef struct Linkage {
    int        bars, pins;
    const Bar *bar;
    const Pin *pin;
    double     gravity;
} Linkage;

// Adds sign (r + R (s, 0)) of one bar to the two rows from `row` on.
static void add_end(int n, int row, int bar, double s, double sign, const double *q,
                    const double *v, GoldenNumbers *out) {
    const int    first = 3 * bar;
    const double c = s * cos(q[first + 2]), d = s * sin(q[first + 2]);
    const double rate2 = v[first + 2] * v[first + 2];
    out->phi[row] += sign * (q[first] + c);
    out->phi[row + 1] += sign * (q[first + 1] + d);
    out->A[row * n + first] = sign;
    out->A[row * n + first + 2] = -sign * d;
    out->A[(row + 1) * n + first + 1] = sign;
    out->A[(row + 1) * n + first + 2] = sign * c;
    out->b[row] += sign * c * rate2;
    out->b[row + 1] += sign * d * rate2;
}

static void evaluate_linkage(const Linkage *linkage, const double *q, const double *v,
                             GoldenNumbers *out) {
    const int n = 3 * linkage->bars;
    for (int i = 0; i < linkage->bars; i++) {
        out->M[(3 * i) * n + 3 * i] = linkage->bar[i].mass;
        out->M[(3 * i + 1) * n + 3 * i + 1] = linkage->bar[i].mass;
        out->M[(3 * i + 2) * n + 3 * i + 2] = linkage->bar[i].inertia;
        out->Q[3 * i + 1] = -linkage->bar[i].mass * linkage->gravity;
    }
    for (int i = 0; i < linkage->pins; i++) {
        const Pin *pin = &linkage->pin[i];
        add_end(n, 2 * i, pin->bar1, pin->s1, 1.0, q, v, out);
        if (pin->bar2 == GROUND) {
            out->phi[2 * i] -= pin->s2;
        } else {
            add_end(n, 2 * i, pin->bar2, pin->s2, -1.0, q, v, out);
        }
    }
}

void golden_parcart(double t, const double *q, const double *v, GoldenNumbers *out) {
    static const Bar bar[] = {{10.0, 1.0}, {20.0, 2.0}, {10.0, 1.0}};
    static const Pin pin[] = {
        {0, -0.5, GROUND, 0.0}, {0, 0.5, 1, -1.0}, {1, 1.0, 2, 0.5}, {2, -0.5, GROUND, 2.0}};
    static const Linkage linkage = {3, 4, bar, pin, 0.0};
    evaluate_linkage(&linkage, q, v, out);
    out->Q[2] = -2.0 * t;
}

void golden_fourbar(double t, const double *q, const double *v, GoldenNumbers *out) {
    static const Bar bar[] = {{1.0, 0.3}, {2.25, 2.0}, {2.2, 1.35}};
    static const Pin pin[] = {
        {0, -1.0, GROUND, 0.0}, {0, 1.0, 1, -2.0}, {1, 2.0, 2, 2.0}, {2, -2.0, GROUND, 2.5}};
    static const Linkage linkage = {3, 4, bar, pin, 9.81};
    (void)t;
    evaluate_linkage(&linkage, q, v, out);
}

void golden_triple(double t, const double *q, const double *v, GoldenNumbers *out) {
    static const Bar bar[] = {{1.0, 1.0 / 12.0}, {1.0, 1.0 / 12.0}, {1.0, 1.0 / 12.0}, {3.0, 1.0}};
    static const Pin pin[] = {{0, -0.5, GROUND, 0.0}, {0, 0.5, 3, -1.25},
                              {1, -0.5, GROUND, 1.0}, {1, 0.5, 3, -0.25},
                              {2, -0.5, GROUND, 2.5}, {2, 0.5, 3, 1.25}};
    static const Linkage linkage = {4, 6, bar, pin, 9.81};
    (void)t;
    evaluate_linkage(&linkage, q, v, out);
}

// The chain of three bars in absolute angles p_i = q_1 + ... + q_i has
//     M_ij = h_ij cos(p_i - p_j),   Q_i = -sum_j h_ij sin(p_i - p_j) p_j'^2
// and q' = (p1', p2' - p1', p3' - p2').
void golden_parjoint(double t, const double *q, const double *v, GoldenNumbers *out) {
    static const double length[3] = {1.0, 2.0, 1.0};
    static const double h[3][3] = {{33.5, 40.0, 5.0}, {40.0, 62.0, 10.0}, {5.0, 10.0, 3.5}};
    double              p[3] = {q[0], q[0] + q[1], q[0] + q[1] + q[2]};
    double              rate[3] = {v[0], v[0] + v[1], v[0] + v[1] + v[2]};

    out->Q[0] = -2.0 * t;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double force = -h[i][j] * sin(p[i] - p[j]) * rate[j] * rate[j];
            for (int k = 0; k <= i; k++) {
                out->Q[k] += force;
                for (int l = 0; l <= j; l++) {
                    out->M[3 * k + l] += h[i][j] * cos(p[i] - p[j]);
                }
            }
        }
        for (int k = 0; k <= i; k++) {
            out->A[k] -= length[i] * sin(p[i]);
            out->A[3 + k] += length[i] * cos(p[i]);
        }
        out->phi[0] += length[i] * cos(p[i]);
        out->phi[1] += length[i] * sin(p[i]);
        out->b[0] += length[i] * cos(p[i]) * rate[i] * rate[i];
        out->b[1] += length[i] * sin(p[i]) * rate[i] * rate[i];
    }
    out->phi[0] -= 2.0;
}
