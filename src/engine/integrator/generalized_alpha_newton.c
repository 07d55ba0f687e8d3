// SPDX-License-Identifier: MIT
// Newton's method of generalized_alpha, with factors that are kept as long as they serve.
//
//     index3    [ (ca M + cv D) T^-1 + K   A' ] [ dq, dlambda ]
//               [            A              0 ]
//
//     ggl       K dq + (ca M + cv D) w + A' dlambda = - r
//               S (T^-1 dq - w) + A' dmu = - (S (x* - x) + A' mu)
//               A dq = - phi,     N dq + cv A w = - (A v - b1)
//
// Rows of bodies and the multipliers lambda are divided by ca, rows of velocities by cv, those of z
// by cz: so all entries keep their size as the step becomes small.

#include <math.h>

#include "base/largest.h"
#include "integrator/generalized_alpha.h"

#define MAX_ITERATIONS 20
#define SLOW 0.3          // contraction above which factors are made anew
#define MANY 3.0          // likewise where so many iterations would be left
#define THETA_LEAST 0.1   // contraction that is believed without being measured
#define ROUNDING 5e-16    // of corrections of fixed steps, relative to 1 + max|q|
#define NOISE_MOST 1e-10  // whatever rounding does, they must become this small
#define TIGHT 1e-11       // of corrections of error-controlled steps, likewise
#define SHARE 1e-3        // of what the tolerances allow

#define ALL 22     // placements
#define INDEX3 15  // of these

// Columns dq, w, dmu, dlambda, dz; rows r, x, phi, A v - b1, z'. In index3, where w is dq, dmu and
// the rows of x are missing and phi is among the rows of rates. `factor` has the same order.
trStatus tr_alpha_plan_matrix(trArena *arena, const trDae *dae, trAlpha *w) {
    const int         both = w->ggl, nv = w->nv, v = both * nv;
    const int         mu = nv + v, rate = mu + both * w->m, z = rate + w->m, n = z + w->nz;
    const trPlacement place[ALL] = {
        {TR_PART_M, 0, v},       {TR_PART_D, 0, v},         {TR_PART_K, 0, 0},
        {TR_PART_AT, 0, rate},   {TR_PART_AT_VEL, 0, rate}, {TR_PART_C, 0, rate},
        {TR_PART_A, mu, 0},      {TR_PART_V_VEL, rate, v},  {TR_PART_N_VEL, rate, 0},
        {TR_PART_E, rate, rate}, {TR_PART_Z, 0, z},         {TR_PART_G_Q, z, 0},
        {TR_PART_G_V, z, v},     {TR_PART_G_Z, z, z},       {TR_PART_ONE_Z, z, z},
        {TR_PART_S, nv, 0},      {TR_PART_SPIN, nv, 0},     {TR_PART_S, nv, v},
        {TR_PART_AT, nv, mu},    {TR_PART_E_POS, mu, mu},   {TR_PART_V, rate, v},
        {TR_PART_N, rate, 0},
    };
    w->y = tr_new_array(arena, double, n);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_swing_plan(arena, dae->tangent, &w->swing));
    return tr_newton_plan(arena, dae->tangent, n, w->ggl ? ALL : INDEX3, place, &w->matrix);
}

// The parts change when they are linearized anew; a change of the step alone leaves them.
static trStatus factor(trAlpha *w, const trDae *dae, const trDaeState *next, bool renew) {
    trAlphaFactors *f = &w->factors;
    const double    position = 1.0 / f->ca, velocity = f->cv / f->ca, rate = 1.0 / f->cv;
    const double    z = 1.0 / f->cz, v_of_z = f->cv / f->cz;
    const double    coefficient[ALL] = {1.0,   velocity, position, 1.0, 1.0,    1.0, 1.0, 1.0,
                                        rate,  1.0,      position, z,   v_of_z, z,   1.0, 1.0,
                                        -w->h, -1.0,     1.0,      1.0, 1.0,    rate};
    f->h = 0.0;  // until there are new ones
    if (renew) {
        f->linearized = false;
        TR_TRY(dae->linearize(dae->context, next, w->ggl ? NULL : w->x));
        f->linearized = true;
        w->counts.jacobians++;
    }
    w->counts.factorizations++;
    tr_newton_fill(&w->matrix, coefficient);
    TR_TRY(tr_newton_factor(&w->matrix));
    f->h = w->h;
    f->theta = 1.0;
    return TR_OK;
}

// The opposite of the residuals, in the rows of the matrix.
static void fill_right(trAlpha *w, const trDae *dae, const trEquations *e) {
    const trAlphaFactors *f = &w->factors;
    int                   nv = w->nv, m = w->m, rate = nv;
    const double         *S = tr_tangent_weight(dae->tangent);
    for (int i = 0; i < nv; i++) {
        w->y[i] = -w->r[i] / f->ca;
    }
    if (w->ggl) {
        double *right = w->y + nv;
        for (int i = 0; i < nv; i++) {
            right[i] = S[i] * (w->x_free[i] - w->x[i]);
        }
        tr_rows_tmul_sub(&e->A, w->mu, right);
        for (int i = 0; i < m; i++) {
            w->y[2 * nv + i] = -w->phi[i];
        }
        rate = 2 * nv + m;
    }
    for (int i = 0; i < m; i++) {
        bool position = !w->ggl && dae->holonomic[i];
        w->y[rate + i] = position ? -w->phi[i] : -w->w[i] / f->cv;
    }
    for (int i = 0; i < w->nz; i++) {
        w->y[rate + m + i] = (w->z_dot[i] - w->rate_next[nv + i]) / f->cz;
    }
}

// The size of corrections relative to that of positions. Multipliers count by their forces, too,
// which tell nothing where a stiff spring turns rounding into them; and they tell nothing where
// constraints are all but dependent.
static double measure(const trAlpha *w, const trDae *dae, const trDaeState *next) {
    const double *dlambda = w->y + (w->ggl ? 2 * w->nv + w->m : w->nv), *dz = dlambda + w->m;
    const double *S = tr_tangent_weight(dae->tangent);
    double        moved = tr_largest(w->ggl ? 2 * w->nv : w->nv, w->y), force = 0.0;
    for (int i = 0; i < w->nv; i++) {
        force = fmax(force, fabs(w->r[i]) / (w->factors.ca * S[i]));
    }
    moved = fmax(moved, fmin(force, tr_largest(w->m, dlambda)));
    return fmax(moved / (1.0 + tr_largest(w->nq, next->q)),
                tr_largest(w->nz, dz) / (1.0 + tr_largest(w->nz, next->z)));
}

// What was solved for moves the end of the step.
static void move(trAlpha *w, const trDae *dae, const double *q0, trDaeState *next) {
    const trAlphaFactors *f = &w->factors;
    int                   nv = w->nv, m = w->m;
    double *dmu = w->y + 2 * nv, *dlambda = w->ggl ? dmu + m : w->y + nv, *dz = dlambda + m;
    for (int i = 0; i < nv; i++) {
        w->x_old[i] = w->x[i];
    }
    dae->compose(dae->context, w->y, w->x);
    for (int i = 0; i < nv; i++) {
        double moved = w->ggl ? w->y[nv + i] : w->x[i] - w->x_old[i];
        w->x_free[i] += moved;
        next->v[i] += f->cv * moved;
        next->a[i] += f->ca * moved;
    }
    tr_tangent_unscale(dae->tangent, dlambda);
    if (w->ggl) {
        tr_tangent_unscale(dae->tangent, dmu);
    }
    for (int i = 0; i < m; i++) {
        next->lambda[i] += f->ca * dlambda[i];
        w->mu[i] += w->ggl ? dmu[i] : 0.0;
    }
    for (int i = 0; i < w->nz; i++) {
        next->z[i] += dz[i];
        w->rate_next[nv + i] += f->cz * dz[i];
    }
    dae->move(dae->context, q0, w->x, next->q);
}

// The matrix is that of the mechanism as it stood when its parts were made.
static void solve(trAlpha *w, const trDae *dae) {
    const int blocks = w->ggl ? 2 : 1;
    dae->swing(dae->context, &w->swing);
    tr_dae_turn_back(dae, &w->swing, blocks, blocks, w->y);
    tr_newton_solve(&w->matrix, w->y);
    tr_dae_turn_forth(dae, &w->swing, blocks, blocks, w->y);
}

// One iteration; `size` receives that of the correction.
static trStatus correct(trAlpha *w, const trDae *dae, const trDaeState *s, trDaeState *next,
                        bool renew, double *size) {
    trDaeResidual out = {.r = w->r, .phi = w->phi, .rate = w->w, .z_dot = w->z_dot};
    TR_TRY(dae->residual(dae->context, next, &out));
    if (renew || w->factors.h != w->h) {
        TR_TRY(factor(w, dae, next, renew || !w->factors.linearized));
    }
    fill_right(w, dae, out.e);
    solve(w, dae);
    w->counts.iterations++;
    *size = measure(w, dae, next);
    move(w, dae, s->q, next);
    return TR_OK;
}

// What is left after a correction is theta / (1 - theta) of it. Fixed steps are solved to rounding;
// those whose errors are controlled to a part of the tolerances, and the constraints with them.
static bool is_done(trAlpha *w, const trDae *dae, const trDaeState *s, const trDaeState *next,
                    double size) {
    const trAlphaFactors *f = &w->factors;
    double                rest = f->theta < 1.0 ? f->theta / (1.0 - f->theta) : 1.0;
    if (fmin(rest, 1.0) * size <= ROUNDING ||
        (f->theta > SLOW && size <= fmax(TR_ALPHA_NOISE, f->noise))) {
        return true;
    }
    if (!w->adaptive || !(rest * size <= TIGHT)) {
        return false;
    }
    for (int i = 0; i < w->nv; i++) {
        w->ex[i] = rest * w->y[i];
        w->ev[i] = rest * f->cv * w->y[w->ggl ? w->nv + i : i];
    }
    return dae->norm(dae->context, s, next, w->ex, w->ev, NULL, 0.0) <= SHARE;
}

// Whether other factors would be better: these converge slowly, or many iterations are left.
static bool is_slow(const trAlpha *w, double size) {
    double theta = w->factors.theta, aim = w->adaptive ? TIGHT : ROUNDING;
    return theta > SLOW || log(aim / size) < MANY * log(theta);
}

static void set_factors(trAlpha *w) {
    trAlphaFactors    *f = &w->factors;
    const trAlphaRule *u = &w->rule;
    double             share = (1.0 - u->alpha_m) / (1.0 - u->alpha_f);
    f->cv = u->gamma / (u->beta * w->h);
    f->ca = share / (u->beta * w->h * w->h);
    f->cz = share / (u->gamma * w->h);
}

// Before there are two corrections to compare, that of the last step serves, with caution: factors
// grow old. To reach rounding, one correction is never enough.
static double first_guess(const trAlpha *w) {
    return w->adaptive ? fmax(w->factors.theta, THETA_LEAST) : 1.0;
}

trStatus tr_alpha_solve(trAlpha *w, const trDae *dae, const trDaeState *s, trDaeState *next) {
    trAlphaFactors *f = &w->factors;
    double          size = INFINITY;
    bool            renew = !f->linearized, made = false;  // factors in this attempt
    set_factors(w);
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        double  before = size;
        int64_t jacobians = w->counts.jacobians;
        TR_TRY(correct(w, dae, s, next, renew, &size));
        bool fresh = w->counts.jacobians > jacobians;
        f->theta = fresh ? 1.0 : k > 0 ? fmin(size / before, 1.0) : first_guess(w);
        if (made && !fresh && f->theta > SLOW &&
            size <= NOISE_MOST) {  // more than this cannot be had
            f->noise = fmax(f->noise, 2.0 * size);
        }
        if (is_done(w, dae, s, next, size)) {
            return TR_OK;
        }
        renew = k > 0 && !fresh && is_slow(w, size);
        made = made || fresh;
    }
    f->linearized = false;
    return tr_fail(TR_NO_CONVERGENCE,
                   "t = %.9g s: Newton's method did not converge in %d iterations (last correction "
                   "%.2g); take a smaller step",
                   next->t, MAX_ITERATIONS, size);
}
