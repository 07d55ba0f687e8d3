// SPDX-License-Identifier: MIT
// Dormand and Prince's pair of orders 5 and 4, with local extrapolation. Stage 7 is the slope at
// the end, and the continuous extension is of order four.
//
//     error estimate = h sum_j e_1j k_j             (order 5 minus order 4)
//
// Reference: Dormand and Prince, J. Comp. Appl. Math. 6 (1980), 19-26; Hairer, Norsett and Wanner,
// Solving Ordinary Differential Equations I, II.4 to II.6.

#include "integrator/runge_kutta.h"

static const trRungeKuttaTable table = {
    .stages = 6,
    .all = 7,
    .vectors = 5,
    .c = {0, 0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1},
    .a = {[2] = {0, 1.0 / 5.0},
          [3] = {0, 3.0 / 40.0, 9.0 / 40.0},
          [4] = {0, 44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
          [5] = {0, 19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
          [6] = {0, 9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0,
                 -5103.0 / 18656.0}},
    .b = {0, 35.0 / 384.0, 0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
    .divisor = 1,
    .terms = 1,
    .d = {{0, -12715105075.0 / 11282082432.0, 0, 87487479700.0 / 32700410799.0,
           -10690763975.0 / 1880347072.0, 701980252875.0 / 199316789632.0,
           -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0}},
    .e = {{0, 71.0 / 57600.0, 0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0,
           -1.0 / 40.0}},
};

static trStatus plan(trArena *arena, int nx, const trTolerance *tolerance, void **work) {
    return tr_runge_kutta_plan(arena, nx, tolerance, &table, work);
}

static trStatus attempt(void *work, const trOde *ode, double t, double h, const double *x,
                        double *x_new, double *error) {
    trRungeKutta *w = work;
    double       *difference = w->dense[4];  // memory: w->y stays that of stage 6
    TR_TRY(tr_runge_kutta_advance(w, ode, t, h, x, x_new));
    TR_TRY(ode->rhs(ode->context, t + h, x_new, w->k[7]));
    tr_runge_kutta_sum(w, table.e[0], difference);
    for (int i = 0; i < w->nx; i++) {
        difference[i] *= h;
    }
    *error = tr_error_norm(ode, difference, x, x_new, &w->tolerance);
    return tr_runge_kutta_check(*error);
}

static trStatus prepare_dense(void *work, const trOde *ode, double t, double h, const double *x,
                              const double *x_new) {
    trRungeKutta *w = work;
    tr_runge_kutta_prepare(w, h, x, x_new, w->k[7]);
    return TR_OK;
}

const trIntegratorKind tr_integrator_dopri5 = {
    .name = "dopri5",
    .summary = "Dormand-Prince 5(4), adaptive step",
    .source = "Dormand & Prince 1980",
    .traits = TR_COPES_ALL,
    .order = 5,
    .error_order = 5,
    .dense_order = 5,
    .evaluations = 7,
    .plan = plan,
    .begin = tr_runge_kutta_begin,
    .attempt = attempt,
    .prepare_dense = prepare_dense,
    .interpolate = tr_runge_kutta_interpolate,
    .slope = tr_runge_kutta_slope,
    .last_stage = tr_runge_kutta_last_stage,
    .stable = 3.25,
};
