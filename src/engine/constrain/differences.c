// SPDX-License-Identifier: MIT
// Derivatives of phi and psi by differences. For g(s), the function along a path from the state,
//
//     g'(0)  = (g(s) - g(-s)) / 2 s                 error s^2 g'''/6 + eps |g| / s
//     g''(0) = D(s) + c2 s^2 + c4 s^4 + ...         D(s) = (g(s) - 2 g(0) + g(-s)) / s^2
//
// The first takes s = eps^(1/3) L, where g changes over L. In the second, Neville's scheme takes
// the powers of s away one after the other,
//
//     T[k][0] = D(L/2^(k+4))        T[k][j] = T[k][j-1] + (T[k][j-1] - T[k-1][j-1]) / (4^j - 1)
//
// and the entry that differs least from both of its parents is taken (Ridders, Adv. Eng. Softw. 4
// (1982) 75-76). Errors: docs/theory/adding-constraints.md.

#include <math.h>

#include "constrain/constrain.h"

#define LEVELS TR_DIFFERENCE_LEVELS  // rows of the scheme: steps L/16 to L/1024
#define FIRST 0.0625                 // the first, in L

static double scale_of(const trConstrain *c, int i) {
    return c->def.scale != NULL ? c->def.scale[i] : 1.0 + fabs(c->x[i]);
}

static double scale_of_rate(const trConstrain *c, int i) {
    const double scale = c->def.scale != NULL ? c->def.scale[i] / c->def.time_scale : 1.0;
    return scale + fabs(c->xdot[i]);
}

// The largest step of x, or of xdot, along a direction (n) before scales are exceeded.
static double reach_of(const trConstrain *c, bool rate, const double *direction) {
    double reach = INFINITY;
    for (int i = 0; i < c->n; i++) {
        const double scale = rate ? scale_of_rate(c, i) : scale_of(c, i);
        reach = direction[i] != 0.0 ? fmin(reach, scale / fabs(direction[i])) : reach;
    }
    return reach;
}

double tr_difference_reach_path(const trConstrain *c) {
    return fmin(c->def.time_scale, reach_of(c, false, c->xdot));
}

trPath tr_difference_along(const trConstrain *c, trAsk ask, const double *direction,
                           double *reach) {
    const bool rate = ask == TR_ASK_PSI;
    *reach = reach_of(c, rate, direction);
    return rate ? (trPath){0.0, c->still, direction} : (trPath){0.0, direction, c->still};
}

// out = phi or psi at the state moved by s along the path.
static trStatus ask_moved(trConstrain *c, trAsk ask, trPath path, double s, double *out) {
    for (int i = 0; i < c->n; i++) {
        c->x_moved[i] = c->x[i] + s * path.dx[i];
        c->xdot_moved[i] = c->xdot[i] + s * path.dv[i];
    }
    return tr_constrain_ask(c, ask, c->t + s * path.dt, c->x_moved, c->xdot_moved, out);
}

trStatus tr_difference_first(trConstrain *c, trAsk ask, trPath path, double s, double *out) {
    const int rows = ask == TR_ASK_PSI ? c->k : c->def.m;
    TR_TRY(ask_moved(c, ask, path, s, c->plus));
    TR_TRY(ask_moved(c, ask, path, -s, c->minus));
    for (int i = 0; i < rows; i++) {
        out[i] = (c->plus[i] - c->minus[i]) / (2.0 * s);
    }
    return TR_OK;
}

// One more row of Neville's scheme for one constraint. `row` holds the row before, up to level.
static void extrapolate(int level, double newest, double *row, double *best, double *doubt) {
    double value = newest, power = 1.0;
    for (int j = 0; j < level; j++) {
        double before = row[j];
        row[j] = value;
        power *= 4.0;
        double next = value + (value - before) / (power - 1.0);
        double apart = fmax(fabs(next - value), fabs(next - before));
        if (apart <= *doubt) {
            *doubt = apart;
            *best = next;
        }
        value = next;
    }
    row[level] = value;
}

trStatus tr_difference_second(trConstrain *c, double *out) {
    const trPath path = {.dt = 1.0, .dx = c->xdot, .dv = c->still};
    double       s = FIRST * tr_difference_reach_path(c);
    TR_TRY(ask_moved(c, TR_ASK_PHI, path, 0.0, c->middle));
    for (int i = 0; i < c->def.m; i++) {
        c->doubt[i] = INFINITY;
        out[i] = NAN;
    }
    for (int level = 0; level < LEVELS; level++, s *= 0.5) {
        // Far steps may leave the domain of phi; near ones decide then.
        trStatus status = ask_moved(c, TR_ASK_PHI, path, s, c->plus);
        if (status == TR_OK) {
            status = ask_moved(c, TR_ASK_PHI, path, -s, c->minus);
        }
        if (status < TR_OK) {
            return status;
        }
        for (int i = 0; i < c->def.m; i++) {
            double second = (c->plus[i] - 2.0 * c->middle[i] + c->minus[i]) / (s * s);
            extrapolate(level, status == TR_OK ? second : NAN, c->tableau + (ptrdiff_t)i * LEVELS,
                        &out[i], &c->doubt[i]);
        }
    }
    return TR_OK;
}
