// SPDX-License-Identifier: MIT
#include "formulation/random_equations.h"

#include <stddef.h>

// Uniform in (-1, 1); a linear congruential generator of Knuth's.
static double draw(Random *random) {
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random->state >> 11) / 4503599627370496.0 - 1.0;
}

// Group g joins bodies g - 1 and g (modulo their number), so that there are chains and loops; the
// first one joins the last body to the ground, unless the case floats.
void random_lay_out(Problem *p, const Case *c) {
    int row = 0, side = 0, value = 0;
    for (int g = 0; g < c->groups; g++) {
        int original = g >= c->groups - c->copied ? g - (c->groups - c->copied) : g;
        int body = (c->bodies - 1 + original) % c->bodies, other = (body + 1) % c->bodies;
        p->group_row[g] = row;
        p->group_side[g] = side;
        for (int k = 0; k < (original == 0 && !c->floating ? 1 : 2); k++) {
            p->side_column[side] = WIDTH * (k == 0 ? body : other);
            p->side_width[side] = WIDTH;
            p->side_value[side] = value;
            value += WIDTH * c->rows[g];
            side++;
        }
        row += c->rows[g];
    }
    p->group_row[c->groups] = row;
    p->group_side[c->groups] = side;
    p->e = (trEquations){
        .nv = WIDTH * c->bodies,
        .m = row,
        .M = {.n = WIDTH * c->bodies, .diagonal = p->mass},
        .A = {.m = row,
              .n = WIDTH * c->bodies,
              .groups = c->groups,
              .group_row = p->group_row,
              .group_side = p->group_side,
              .side_column = p->side_column,
              .side_width = p->side_width,
              .side_value = p->side_value,
              .value = p->value},
        .Q = p->Q,
        .b = p->b,
        .row_scale = NULL,
        .rank_tolerance = 1e-4,
    };
    if (c->dense) {
        p->e.M = (trMass){.n = p->e.nv, .dense = p->M};
    }
}

// diag(mass) + u u', which is positive definite on columns that have mass.
static void fill_dense(Problem *p, Random *random) {
    const int n = p->e.nv;
    double    u[MAX_N];
    for (int i = 0; i < n; i++) {
        u[i] = p->mass[i] > 0.0 ? draw(random) : 0.0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            p->M[i * n + j] = u[i] * u[j] + (i == j ? p->mass[i] : 0.0);
        }
    }
}

// The right side b is A times something, so that dependent rows do not contradict each other.
void random_fill(Problem *p, const Case *c, Random *random) {
    double reached[MAX_N];
    int    values = 0;
    for (int i = 0; i < p->e.nv; i++) {
        bool   massless = i / WIDTH >= c->bodies - c->massless;
        double drawn = draw(random);
        p->mass[i] = massless ? 0.0 : 1.5 + drawn;
        p->Q[i] = draw(random);
        reached[i] = draw(random);
    }
    for (int g = 0; g < c->groups; g++) {
        int size = 0;
        for (int s = p->group_side[g]; s < p->group_side[g + 1]; s++) {
            size += WIDTH * c->rows[g];
        }
        int original = g - (c->groups - c->copied);
        for (int i = 0; i < size; i++) {
            double drawn = draw(random);
            p->value[values] =
                original < 0 ? drawn : -1.7 * p->value[p->side_value[p->group_side[original]] + i];
            values++;
        }
    }
    tr_rows_mul(&p->e.A, reached, p->b);
    if (c->dense) {
        fill_dense(p, random);
    }
}
