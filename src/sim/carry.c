// SPDX-License-Identifier: MIT
// States whose velocities are carried by other numbers y (carry/carry.h), around the integrator.
//
//     y' = rate + d/ds image(q moved by s v, t + s)
//
// The derivative along the motion by differences of order 4,
//
//     f'(0) = (8 (f(d) - f(-d)) - (f(2 d) - f(-2 d))) / (12 d)        d = 3e-4 / (1 + max|v|)
//
// which moves positions by 6e-4 at most: rounding about eps / d, 1e-12 of what changes, and
// truncation about d^4 / 30 times the fifth derivative. With 1e-3 in place of 3e-4 the crank of a
// four-bar is off by 7e-10 rad after 10 s in place of 1e-11 rad.

#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define MOVE 3e-4  // of positions [m, rad]

static trStatus evaluate(trSim *s, double t, const double *q, const double *v) {
    s->at_state = false;
    return tr_system_eval(s->system, t, q, v, &s->eval);
}

trStatus tr_carry_enter(trSim *s) {
    memcpy(s->x_carry, s->x, (size_t)s->nx * sizeof *s->x);
    return s->carry->enter(s->carry_work, &s->eval.equations, s->x + s->nq, s->x_carry + s->nq);
}

// Velocities of the last accepted state stand in for those that are not known yet: rows are linear.
trStatus tr_carry_leave(trSim *s, double t, double *x) {
    double *v = s->carry_at;
    TR_TRY(evaluate(s, t, x, s->x + s->nq));
    TR_TRY(s->carry->leave(s->carry_work, &s->eval.equations, x + s->nq, v));
    memcpy(x + s->nq, v, (size_t)s->nv * sizeof *v);
    return TR_OK;
}

// The image where the motion is `along` seconds on.
static trStatus image(trSim *s, double t, const double *x, double along, double *out) {
    const double *v = x + s->nq;
    double       *q = s->carry_at, *dv = q + s->nq;
    memcpy(q, x, (size_t)s->nq * sizeof *q);
    for (int i = 0; i < s->nv; i++) {
        dv[i] = along * v[i];
    }
    tr_system_retract(s->system, dv, q);
    TR_TRY(evaluate(s, t + along, q, v));
    return s->carry->image(s->carry_work, &s->eval.equations, v, out);
}

trStatus tr_carry_rate(trSim *s, double t, const double *x, const double *a, double *rate) {
    static const double place[] = {1.0, -1.0, 2.0, -2.0}, weight[] = {8.0, -8.0, -1.0, 1.0};
    const double       *F = s->eval.C != NULL ? s->F : s->eval.equations.Q;
    double             *part = s->carry_at + s->nq + s->nv, most = 0.0;
    for (int i = 0; i < s->nv; i++) {
        most = fmax(most, fabs(x[s->nq + i]));
    }
    double d = MOVE / (1.0 + most);
    s->carry->rate(s->carry_work, F, a, part + s->nv);
    memcpy(rate, part + s->nv, (size_t)s->nv * sizeof *rate);
    for (int k = 0; k < 4; k++) {
        TR_TRY(image(s, t, x, place[k] * d, part));
        for (int i = 0; i < s->nv; i++) {
            rate[i] += weight[k] * part[i] / (12.0 * d);
        }
    }
    return evaluate(s, t, x, x + s->nq);
}
