// SPDX-License-Identifier: MIT
#include "integrator/radau5.h"

#include <string.h>

#include "integrator/radau5_tableau.h"

trStatus tr_radau_stages_plan(trArena *arena, const trRadauLayout *at, trRadauStages *out) {
    *out = (trRadauStages){.at = *at};
    for (int i = 0; i < 3; i++) {
        out->y[i] = tr_new_array(arena, double, at->n);
    }
    tr_keep_double(arena, &out->h);
    tr_keep_doubles(arena, out->power, 3);
    return tr_arena_status(arena);
}

void tr_radau_stages_copy(const trRadauStages *from, trRadauStages *to) {
    to->h = from->h;
    for (int i = 0; i < 3; i++) {
        memcpy(to->y[i], from->y[i], (size_t)from->at.n * sizeof *to->y[i]);
        to->power[i] = from->power[i];
    }
}

// Lagrange's polynomials through c at theta; `zero`: that vanish at 0, too.
static void lagrange(double theta, bool zero, double weight[3]) {
    const double *c = radau_c;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        weight[i] = (theta - c[j]) * (theta - c[k]) / ((c[i] - c[j]) * (c[i] - c[k]));
        weight[i] *= zero ? theta / c[i] : 1.0;
    }
}

static void blend(const trRadauStages *s, const double weight[3], int from, int count,
                  double *out) {
    for (int i = from; i < from + count; i++) {
        out[i] = weight[0] * s->y[0][i] + weight[1] * s->y[1][i] + weight[2] * s->y[2][i];
    }
}

void tr_radau_inside(const trRadauStages *s, double theta, double *out) {
    double weight[3];
    lagrange(theta, true, weight);
    blend(s, weight, 0, 2 * s->at.nv, out);
    blend(s, weight, s->at.z, s->at.nz, out);
}

// The integral of the polynomial through the powers: with a = c_j, b = c_k of the other stages,
// int_0^theta (s - a) (s - b) ds = theta^3 / 3 - (a + b) theta^2 / 2 + a b theta.
double tr_radau_work(const trRadauStages *s, double theta) {
    const double *c = radau_c;
    double        sum = 0.0;
    for (int i = 0; i < 3; i++) {
        double a = c[(i + 1) % 3], b = c[(i + 2) % 3];
        double area = theta * (theta * (theta / 3.0 - 0.5 * (a + b)) + a * b);
        sum += s->power[i] * area / ((c[i] - a) * (c[i] - b));
    }
    return s->h * sum;
}

// mu vanishes in exact solutions.
static void set_multipliers(const trDaeState *s, const trRadauLayout *at, double *y) {
    for (int k = 0; k < at->m; k++) {
        y[at->lambda + k] = s->lambda[k];
        y[at->mu + k] = 0.0;
    }
}

void tr_radau_start(const trDaeState *s, const double *z_dot, trRadauStages *stages) {
    const trRadauLayout *at = &stages->at;
    for (int i = 0; i < 3; i++) {
        double *y = stages->y[i], t = radau_c[i] * stages->h;
        for (int k = 0; k < at->nv; k++) {
            y[k] = t * (s->v[k] + 0.5 * t * s->a[k]);
            y[at->v + k] = t * s->a[k];
        }
        for (int k = 0; k < at->nz; k++) {
            y[at->z + k] = t * z_dot[k];
        }
        set_multipliers(s, at, y);
    }
}

// x belongs to the start of its own step, from which the present one is x_3 away:
// q_n (+) (-x_3) (+) x is where the old polynomial leads. Rows that are left out keep multipliers
// that somebody else has chosen.
void tr_radau_extrapolate(const trRadauStages *last, const trDae *dae, const trDaeState *s,
                          double *memory, trRadauStages *stages) {
    const trRadauLayout *at = &stages->at;
    const double        *end = last->y[2];
    const bool          *left_out = tr_tangent_left_out(dae->tangent);
    for (int i = 0; i < 3; i++) {
        double *y = stages->y[i], theta = 1.0 + radau_c[i] * stages->h / last->h, weight[3];
        tr_radau_inside(last, theta, memory);
        for (int k = 0; k < at->nv; k++) {
            y[k] = -end[k];
            y[at->v + k] = memory[at->v + k] - end[at->v + k];
        }
        dae->compose(dae->context, memory, y);
        for (int k = at->z; k < at->n; k++) {
            y[k] = memory[k] - end[k];
        }
        lagrange(theta, false, weight);
        blend(last, weight, at->lambda, at->m, memory);
        set_multipliers(s, at, y);
        for (int k = 0; k < at->m; k++) {
            y[at->lambda + k] = left_out[k] ? s->lambda[k] : memory[at->lambda + k];
        }
    }
}
