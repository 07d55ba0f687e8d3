// SPDX-License-Identifier: MIT
// A stretched string of 19 nodes, described by three Ritz forms x = X q, and then clamped at two
// nodes. Mass, force and clamps are written for the nodes; the library reduces them. The forms are
// symmetric, so that a clamp and its mirror image are one condition on q: one of the two rows is
// found dependent and is left out.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trammel/constrain.h>

enum { NODES = 19, FORMS = 3, LEFT = 4, RIGHT = NODES - 1 - LEFT, MIDDLE = NODES / 2 };

static const double node_mass = 0.1, load = 3.0;  // [kg], [N]
static const double stiffness = 40.0;             // tension / spacing [N/m]

static void need(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "%s: %s\n", tr_status_text(status), tr_last_error());
        exit(1);
    }
}

static int string_mass(void *context, double t, const double *x, double *M) {
    (void)context, (void)t, (void)x;
    memset(M, 0, NODES * NODES * sizeof *M);
    for (int i = 0; i < NODES; i++) {
        M[i * (NODES + 1)] = node_mass;
    }
    return 0;
}

static int clamps(void *context, double t, const double *x, double *phi) {
    (void)context, (void)t;
    phi[0] = x[LEFT];
    phi[1] = x[RIGHT];
    return 0;
}

// Forces on the nodes: neighbors pull, a load acts in the middle.
static void string_force(const double *x, double *f) {
    for (int i = 0; i < NODES; i++) {
        const double left = i > 0 ? x[i - 1] : 0.0, right = i < NODES - 1 ? x[i + 1] : 0.0;
        f[i] = stiffness * (left - 2.0 * x[i] + right) + (i == MIDDLE ? load : 0.0);
    }
}

// y = (q, q')
static void rhs(trConstrain *c, double t, const double *y, double *ydot) {
    double q[FORMS], v[FORMS], x[NODES], f[NODES], g[FORMS];
    memcpy(q, y, sizeof q);
    memcpy(v, y + FORMS, sizeof v);
    need(tr_constrain_state(c, t, q, v));
    tr_constrain_expand(c, q, x);  // x = X q
    string_force(x, f);
    tr_constrain_reduce(c, f, g);  // g = X' f
    need(tr_constrain_solve(c, t, q, v, g, ydot + FORMS, NULL));
    memcpy(ydot, v, sizeof v);
}

static void step(trConstrain *c, double t, double h, double *y) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double              slope[2 * FORMS] = {0.0}, sum[2 * FORMS] = {0.0}, stage[2 * FORMS];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 2 * FORMS; i++) {
            stage[i] = y[i] + at[s] * h * slope[i];
        }
        rhs(c, t + at[s] * h, stage, slope);
        for (int i = 0; i < 2 * FORMS; i++) {
            sum[i] += weight[s] / 6.0 * slope[i];
        }
    }
    for (int i = 0; i < 2 * FORMS; i++) {
        y[i] += h * sum[i];
    }
    need(tr_constrain_state(c, t + h, y, y + FORMS));
}

int main(void) {
    const double    pi = acos(-1.0);
    double          X[NODES * FORMS], y[2 * FORMS] = {0.0}, x[NODES];
    const char     *names[] = {"left clamp", "right clamp"};
    trConstrain    *c = NULL;
    trConstrainRank rank;
    for (int i = 0; i < NODES * FORMS; i++) {
        X[i] = sin((2 * (i % FORMS) + 1) * pi * (i / FORMS + 1) / (NODES + 1));
    }
    trConstrainDef def = tr_constrain_def_default();
    def.n = NODES;
    def.m = 2;
    def.names = names;
    def.mass = string_mass;
    def.phi = clamps;
    def.forms = FORMS;
    def.X = X;
    need(tr_constrain_create(&def, 0.0, y, y + FORMS, &c));
    need(tr_constrain_rank(c, 0.0, y, y + FORMS, &rank));
    printf("rank %d freedoms %d dropped %d: %s\n", rank.rank, rank.freedoms, rank.dropped,
           rank.dropped > 0 ? tr_constrain_name(c, rank.rows[0]) : "none");
    for (int i = 0; i < 2000; i++) {
        step(c, i * 1e-3, 1e-3, y);
        if ((i + 1) % 500 == 0) {
            tr_constrain_expand(c, y, x);
            printf("ritz t %.1f middle %.12f left %.1e right %.1e\n", (i + 1) * 1e-3, x[MIDDLE],
                   x[LEFT], x[RIGHT]);
        }
    }
    tr_constrain_destroy(c);
    return 0;
}
