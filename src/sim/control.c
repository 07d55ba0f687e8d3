// SPDX-License-Identifier: MIT
// Step-size control of all adaptive methods.

#include <math.h>
#include <string.h>

#include "sim/sim.h"

// With 0.9 up to a quarter of the attempts on the benchmarks fail; this costs fewer evaluations in
// all and halves the error.
#define SAFETY 0.8
#define FACTOR_MIN 0.2
#define FACTOR_MAX 6.0

// The error behaves as h^p: the step that would just meet the tolerance is h error^(-1/p).
double tr_step_factor(double error, int error_order) {
    if (!(error > 0.0)) {
        return error == 0.0 ? FACTOR_MAX : FACTOR_MIN;
    }
    double factor = SAFETY * pow(error, -1.0 / error_order);
    return fmin(FACTOR_MAX, fmax(FACTOR_MIN, factor));
}

// h0 makes an Euler step move the state by 1 % of itself; a trial of that step shows the second
// derivative, and h1 makes the local error of order p about 1 %.
trStatus tr_first_step(trSim *s, double *h) {
    const trTolerance tolerance = {s->def.rtol, s->def.atol};
    const double     *x = tr_sim_integrated(s), *slope = s->x_row;
    if (s->integrator->implicit != NULL) {
        TR_TRY(tr_sim_rhs(s, s->t, x, s->x_row));
    } else {
        slope = s->integrator->slope(s->integrator_work);
    }
    double d0 = tr_error_norm(&s->ode, x, x, x, &tolerance);
    double d1 = tr_error_norm(&s->ode, slope, x, x, &tolerance);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    h0 = fmin(h0, s->def.duration);
    for (int i = 0; i < s->nx; i++) {
        s->x_new[i] = x[i] + h0 * slope[i];
    }
    trStatus status = tr_sim_rhs(s, s->t + h0, s->x_new, s->x_next);
    if (status < 0) {
        return status;
    }
    for (int i = 0; i < s->nx; i++) {
        s->x_next[i] -= slope[i];
    }
    double d2 = status > 0 ? 0.0 : tr_error_norm(&s->ode, s->x_next, x, x, &tolerance) / h0;
    double most = fmax(d1, d2);
    double h1 =
        most <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : pow(0.01 / most, 1.0 / s->integrator->error_order);
    *h = fmax(fmin(fmin(100.0 * h0, h1), s->def.duration), s->def.min_step);
    if (s->def.max_step > 0.0) {
        *h = fmin(*h, s->def.max_step);
    }
    return TR_OK;
}
