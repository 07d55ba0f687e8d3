// SPDX-License-Identifier: MIT
// Error-controlled steps of generalized_alpha. The method's local error is of the order of h^3;
// formulas of higher order with the same true rates tell it:
//
//     x = h v_n + (h^2 / 6) (2 v'_n + v'_n+1) + (h / 3) (T^-1 v_n+1 - v_n+1)
//     v_n+1 = v_n + (h / 2) (v'_n + v'_n+1) - (h^3 / 6) v'[n-1, n, n+1]
//
// with the second divided difference of v', and the same for z; the first line's last term is what
// rotations in space add, h^3 / 12 w x w'. The second line lacks its last term in a first step.
//
// The algorithm's a belongs to the time t_n + (alpha_m - alpha_f) h: where h changes it moves by
// (alpha_m - alpha_f) (h - h_last) v'', without which the order would be one.
//
// Velocities of index 3 are off the constraints by some h_last^2, which a step of another size
// turns into accelerations of h_last^2 / h: errors are controlled in the form ggl alone.

#include <math.h>

#include "base/largest.h"
#include "integrator/generalized_alpha.h"

#define LEFT 2.0  // of the last correction, at most, where corrections are rounding

void tr_alpha_fit_history(trAlpha *w) {
    double ahead = (w->rule.alpha_m - w->rule.alpha_f) * (w->h - w->h_last);
    for (int i = 0; i < w->nv + w->nz; i++) {
        double bend = w->has_old ? (w->rate[i] - w->rate_old[i]) / w->h_last : 0.0;
        w->a_now[i] = w->a[i] + (w->has_old ? ahead * bend : 0.0);
    }
}

// v or z, of which `rate` are the true rates from component `first` on.
static void compare(const trAlpha *w, int first, int n, const double *y, const double *y_next,
                    double *error) {
    double h = w->h, last = w->h_last;
    for (int i = 0; i < n; i++) {
        double r0 = w->rate[first + i], r1 = w->rate_next[first + i], bend = 0.0;
        if (w->has_old) {
            bend = ((r1 - r0) / h - (r0 - w->rate_old[first + i]) / last) / (h + last);
        }
        error[i] = y_next[i] - y[i] - h * (0.5 * (r0 + r1) - h * h / 6.0 * bend);
    }
}

// What Newton's method leaves in velocities, as its last correction tells, or what it could not get
// rid of before: shorter steps only make it larger, so that it must not ask for them.
static double rounding(trAlpha *w, const trDae *dae, const trDaeState *s, const trDaeState *next) {
    double *dv = w->ex;  // memory
    double  size = fmax(1.0, tr_largest(w->nq, next->q));
    for (int i = 0; i < w->nv; i++) {
        double last = LEFT * fabs(w->y[w->ggl ? w->nv + i : i]);
        dv[i] = w->factors.cv * fmax(last, w->factors.noise * size);
    }
    return dae->norm(dae->context, s, next, NULL, dv, NULL, 0.0);
}

double tr_alpha_error(trAlpha *w, const trDae *dae, const trDaeState *s, const trDaeState *next) {
    double  h = w->h;
    double *turn = w->x_old;
    dae->x_rate(dae->context, w->x, next->v, turn);
    for (int i = 0; i < w->nv; i++) {
        double better =
            s->v[i] + h / 6.0 * (2.0 * w->rate[i] + w->rate_next[i]) + (turn[i] - next->v[i]) / 3.0;
        w->ex[i] = w->x[i] - h * better;
    }
    compare(w, 0, w->nv, s->v, next->v, w->ev);
    compare(w, w->nv, w->nz, s->z, next->z, w->ev + w->nv);
    double error = dae->norm(dae->context, s, next, w->ex, w->ev, w->ev + w->nv, 0.0);
    return fmax(0.0, error - rounding(w, dae, s, next));
}
