// SPDX-License-Identifier: MIT
// States whose velocities are carried by other numbers y (carry/carry.h), around the integrator.
//
//     y' = rate + d/ds image(q moved by s v, t + s)
//
// The derivative along the motion by differences of order 4,
//
//     f'(0) = (8 (f(d) - f(-d)) - (f(2 d) - f(-2 d))) / (12 d)        d = 3e-4 / (1 + max|v|)
//
// accurate to about 1e-12 of what changes (docs/theory/carried-states.md). Where a function of time
// changes its formula, or the run begins or ends, within 2 d, the formula is that of one side,
//
//     f'(0) = (-25 f(0) + 48 f(d) - 36 f(2 d) + 16 f(3 d) - 3 f(4 d)) / (12 d)        d < 0: before

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "sim/sim.h"

#define MOVE 3e-4  // of positions [m, rad]

static trStatus evaluate(trSim *s, double t, const double *q, const double *v) {
    s->at_state = false;
    return tr_system_eval(s->system, t, q, v, &s->eval);
}

trStatus tr_carry_enter(trSim *s) {
    memcpy(s->methods.x_carry, s->x, (size_t)s->nx * sizeof *s->x);
    return s->methods.carry->enter(s->methods.carry_work, &s->eval.equations, s->x + s->nq,
                                   s->methods.x_carry + s->nq);
}

// Velocities of the last accepted state stand in for those that are not known yet: rows are linear.
trStatus tr_carry_leave(trSim *s, double t, double *x) {
    double *v = s->methods.carry_at;
    TR_TRY(evaluate(s, t, x, s->x + s->nq));
    TR_TRY(s->methods.carry->leave(s->methods.carry_work, &s->eval.equations, x + s->nq, v));
    memcpy(x + s->nq, v, (size_t)s->nv * sizeof *v);
    return TR_OK;
}

// The image where the motion is `along` seconds on.
static trStatus image(trSim *s, double t, const double *x, double along, double *out) {
    const double *v = x + s->nq;
    double       *q = s->methods.carry_at, *dv = q + s->nq;
    memcpy(q, x, (size_t)s->nq * sizeof *q);
    for (int i = 0; i < s->nv; i++) {
        dv[i] = along * v[i];
    }
    tr_system_retract(s->system, dv, q);
    TR_TRY(evaluate(s, t + along, q, v));
    return s->methods.carry->image(s->methods.carry_work, &s->eval.equations, v, out);
}

// Where the image is asked for, in units of d, and what it counts there.
typedef struct Stencil {
    int    count;
    double place[5], weight[5];
} Stencil;

static const Stencil central = {4, {1.0, -1.0, 2.0, -2.0}, {8.0, -8.0, -1.0, 1.0}};
static const Stencil one_sided = {5, {0.0, 1.0, 2.0, 3.0, 4.0}, {-25.0, 48.0, -36.0, 16.0, -3.0}};

// Functions of time have one formula in [*first, *last), around t, and are asked for no other time
// than those of the run.
static void find_formula(const trSim *s, double t, double *first, double *last) {
    double end = s->def.start + s->def.duration;
    *first = fmin(s->def.start, t);
    *last = t <= end ? nextafter(end, INFINITY) : INFINITY;
    for (int i = 0; i < s->system->breaks; i++) {
        double at = s->system->break_time[i];
        if (at <= t) {
            *first = fmax(*first, at);
        } else {
            *last = fmin(*last, at);
            return;
        }
    }
}

// Makes *d smaller, or negative, so that every place is of the formula at t.
static const Stencil *choose_stencil(const trSim *s, double t, double *d) {
    double first = 0.0, last = 0.0;
    find_formula(s, t, &first, &last);
    *d = fmin(*d, (last - first) / 8.0);
    if (t - 2.0 * *d >= first && t + 2.0 * *d < last) {
        return &central;
    }
    *d = t + 4.0 * *d < last ? *d : -*d;
    return &one_sided;
}

trStatus tr_carry_rate(trSim *s, double t, const double *x, const double *a, double *rate) {
    const double  *F = s->eval.C != NULL ? s->react.F : s->eval.equations.Q;
    double        *part = s->methods.carry_at + s->nq + s->nv;
    double         d = MOVE / (1.0 + tr_largest(s->nv, x + s->nq));
    const Stencil *stencil = choose_stencil(s, t, &d);
    s->methods.carry->rate(s->methods.carry_work, F, a, rate);
    for (int k = 0; k < stencil->count; k++) {
        TR_TRY(image(s, t, x, stencil->place[k] * d, part));
        for (int i = 0; i < s->nv; i++) {
            rate[i] += stencil->weight[k] * part[i] / (12.0 * d);
        }
    }
    return evaluate(s, t, x, x + s->nq);
}
