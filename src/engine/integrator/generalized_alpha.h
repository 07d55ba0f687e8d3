// SPDX-License-Identifier: MIT
// generalized_alpha, hht and newmark are one method with other numbers:
//
//     x = h v_n + h^2 ((1/2 - beta) a_n + beta a_n+1)
//     v_n+1 = v_n + h ((1 - gamma) a_n + gamma a_n+1)
//     (1 - alpha_m) a_n+1 + alpha_m a_n = (1 - alpha_f) v'_n+1 + alpha_f v'_n
//     M v' + A' lambda = Q + C        at n + 1
//
//     index3    q_n+1 = q_n (+) x,  phi = 0
//     ggl       S (x* - x) + A' mu = 0,  q_n+1 = q_n (+) x*,  phi = 0,  A v = b1
//
// The algorithm's a is not the acceleration v': it is that of the time t_n + (alpha_m - alpha_f) h.
// Further states z follow the line of v, with z' = g in place of v'.

#ifndef TR_INTEGRATOR_GENERALIZED_ALPHA_H
#define TR_INTEGRATOR_GENERALIZED_ALPHA_H

#include "integrator/integrator.h"

typedef struct trAlphaRule {
    double alpha_m, alpha_f, beta, gamma;
} trAlphaRule;

// Newton's method: a correction dq moves q, and w is by how much the formulas' x changes, so that
// v moves by cv w and v' by ca w. In index 3 w is the change of x by dq.
typedef struct trAlphaFactors {
    double h;           // of the factors; 0: there are none
    double cv, ca;      // [1/s], [1/s^2]
    double cz;          // z' by z [1/s]
    double theta;       // by how much one iteration shrinks the next; 1: not known
    double noise;       // corrections of this size are rounding, relative
    bool   linearized;  // the parts of the tangent have values
} trAlphaFactors;

typedef struct trAlpha {
    int                nq, nv, m, nz;
    trAlphaRule        rule;
    bool               ggl;
    bool               adaptive;
    bool               has_old;      // rates at n - 1 are known
    bool               tried;        // there was an attempt since the last accepted state
    double             h_last, h;    // the last accepted step, the last attempt [s]
    double            *a;            // nv + nz: the algorithm's a, and the same of z'
    double            *a_now;        // nv + nz: as they are for the step tried
    double            *a_next;       // nv + nz
    double            *rate_old;     // nv + nz: v' and z' at n - 1
    double            *rate;         // nv + nz: at n
    double            *rate_next;    // nv + nz: at n + 1
    double            *lambda_old;   // m: at n - 1
    double            *lambda_now;   // m: at n
    double            *x;            // nv: from q_n to q_n+1
    double            *x_old;        // nv
    double            *x_free;       // nv: x of the formulas (ggl)
    double            *mu;           // m (ggl)
    double            *r, *phi, *w;  // nv, m, m: residuals
    double            *z_dot;        // nz
    double            *y;            // residual, then corrections
    double            *ex, *ev;      // nv, nv + nz: errors
    trSwing            swing;        // of the mechanism since
    trNewtonMatrix     matrix;
    trAlphaFactors     factors;
    trIntegratorCounts counts;
} trAlpha;

// --- Newton's method (generalized_alpha_newton.c) ---

trStatus tr_alpha_plan_matrix(trArena *arena, const trDae *dae, trAlpha *w);
// From the first guess in `next`, w->x and w->rate_next to the end of the step.
trStatus tr_alpha_solve(trAlpha *w, const trDae *dae, const trDaeState *s, trDaeState *next);

// --- error-controlled steps (generalized_alpha_error.c) ---

// a as it would be had the steps always been w->h.
void   tr_alpha_fit_history(trAlpha *w);
double tr_alpha_error(trAlpha *w, const trDae *dae, const trDaeState *s, const trDaeState *next);

// Corrections of this size, relative to 1 + max|q|, are rounding.
#define TR_ALPHA_NOISE 4e-15

#endif
