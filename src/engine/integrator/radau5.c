// SPDX-License-Identifier: MIT
// Radau IIA with three stages on the second face, in the stabilized index-2 form of Gear, Gupta and
// Leimkuhler: positions and velocities are both constrained, and x' may differ from what v says by
// as much as keeping both takes, which is nothing for exact solutions. With q = q_n (+) x:
//
//     S (x' - T^-1(x) v) + A' mu = 0,    phi = 0          S: positive weights, constant over a step
//     M v' + A' lambda = Q + C,          A v = b1         mu = 0 in rows of velocities
//     z' = g,    W' = power
//
// All hold at t_n + c_i h, with x, v, z polynomials of third degree. Newton's method is simplified:
// one matrix, of this step or of an earlier one, serves all stages. In transformed
// variables it splits into a real and a complex system (radau5.h).
//
// With e and gamma of the tableau and y = (x, v, z), the error is estimated by
//
//     (g B + J) err = B (sum_i e_i (Y_i - y_n) / h + y'_n),    g = gamma / h
//
// and once more with y'_n at y_n + err after a rejected attempt, where stiff parts overestimate it.
//
// References: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.8 and VII.4 to
// VII.6; C. W. Gear, B. Leimkuhler, G. K. Gupta, J. Comput. Appl. Math. 12 (1985) 77.

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "integrator/radau5.h"
#include "integrator/radau5_tableau.h"

#define FAST 0.3        // a rate of convergence with which the matrix is kept
#define KAPPA 0.03      // Newton's error as a part of the tolerance
#define ROUNDING 100.0  // times DBL_EPSILON, relative: corrections cannot become smaller
#define SHORTER 0.7  // of the step with which Newton's method failed last: as long as steps become
#define FORGET 1.1   // with each step that succeeds, that one counts as this much longer

static void keep(trArena *arena, trRadau *w) {
    bool   *flags[] = {&w->has_last, &w->has_jacobian, &w->is_fresh, &w->has_z_dot, &w->doubted};
    double *numbers[] = {&w->failed, &w->factored, &w->confidence, &w->theta};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        tr_keep_bool(arena, flags[i]);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        tr_keep_double(arena, numbers[i]);
    }
    tr_integrator_keep_counts(arena, &w->counts);
}

static trStatus plan(trArena *arena, const trDae *dae, const trEquations *e,
                     const trIntegratorSettings *settings, void **work) {
    trRadau *w = tr_new(arena, trRadau);
    if (w == NULL) {
        return TR_E_MEMORY;
    }
    w->at = tr_radau_layout(dae);
    w->left_out = tr_new_array(arena, bool, dae->m);
    w->at_stage = (trDaeState){.q = tr_new_array(arena, double, dae->nq),
                               .v = tr_new_array(arena, double, dae->nv),
                               .a = tr_new_array(arena, double, dae->nv),
                               .z = tr_new_array(arena, double, dae->nz)};
    w->x_dot = tr_new_array(arena, double, dae->nv);
    w->z_dot = tr_new_array(arena, double, dae->nz);
    w->memory = tr_new_array(arena, double, w->at.n);
    double *r = tr_new_array(arena, double, 3 * w->at.n);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < 3; i++) {
        w->r[i] = r + (ptrdiff_t)i * w->at.n;
        w->b1[i] = tr_new_array(arena, double, dae->m);
    }
    // Relative to rtol as Hairer does; where atol alone counts, numbers of the size of 1 round.
    w->tolerance = fmax(settings->tolerance.rtol, settings->tolerance.atol);
    w->close = fmax(ROUNDING * DBL_EPSILON / w->tolerance, fmin(KAPPA, sqrt(w->tolerance)));
    TR_TRY(tr_accelerator_plan(arena, 3 * w->at.n, TR_ACCELERATE_DEPTH, &w->accelerator));
    for (int i = 0; i < 3; i++) {
        TR_TRY(tr_swing_plan(arena, dae->tangent, &w->swing[i]));
    }
    TR_TRY(tr_radau_stages_plan(arena, &w->at, &w->stages));
    TR_TRY(tr_radau_stages_plan(arena, &w->at, &w->last));
    keep(arena, w);
    *work = w;
    TR_TRY(tr_radau_plan(arena, dae, &w->matrices));
    return tr_radau_full_plan(arena, dae, w);
}

static trStatus begin(void *work, const trDae *dae, const trDaeState *s) {
    trRadau *w = work;
    w->has_last = w->has_jacobian = w->is_fresh = w->has_z_dot = false;
    w->doubted = true;
    w->factored = 0.0;
    w->failed = INFINITY;
    w->confidence = 1.0;
    return TR_OK;
}

// The same of W, which nothing depends on: g err = sum_i e_i (W_i - W_n) / h + W'_n. The power at
// the start is that of the end of the last step.
static double error_of_work(const trRadau *w) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += radau_e[i] * tr_radau_work(&w->stages, radau_c[i]);
    }
    return w->has_last ? (sum + w->stages.h * w->last.power[2]) / radau_gamma : 0.0;
}

// Solves for err, in w->memory, where y'_n stands in the equations of x and z and M v'_n - M a in
// those of v: a is added here. M is that of the equations evaluated last.
static double estimate(trRadau *w, const trDae *dae, const double *a, const trDaeState *s,
                       const trDaeState *next) {
    const trRadauLayout *at = &w->at;
    double              *err = w->memory, h = w->stages.h;
    const double        *S = tr_tangent_weight(dae->tangent);
    for (int k = 0; k < at->nv; k++) {
        err[k] += S[k] * tr_radau_combine(&w->stages, radau_e, k) / h;
        w->x_dot[k] =
            tr_radau_combine(&w->stages, radau_e, at->v + k) / h + (a != NULL ? a[k] : 0.0);
    }
    tr_mass_mul(&w->e->M, w->x_dot, w->r[0]);
    for (int k = 0; k < at->nv; k++) {
        err[at->v + k] += w->r[0][k];
    }
    for (int k = at->z; k < at->n; k++) {
        err[k] += tr_radau_combine(&w->stages, radau_e, k) / h;
    }
    tr_dae_turn_back(dae, &w->swing[0], 2, 2, err);
    tr_radau_solve(&w->matrices, err);
    tr_dae_turn_forth(dae, &w->swing[0], 2, 2, err);
    return dae->norm(dae->context, s, next, err, err + at->v, err + at->z, error_of_work(w));
}

// The equations at y_n + err, without derivatives, as the right side of the estimate.
static trStatus look_beside(trRadau *w, const trDae *dae, const trDaeState *s) {
    const trRadauLayout *at = &w->at;
    double              *err = w->memory;
    const double        *S = tr_tangent_weight(dae->tangent);
    trDaeState          *beside = &w->at_stage;
    trDaeResidual        out = {
               .r = err + at->v, .rate = err + at->lambda, .phi = err + at->mu, .z_dot = w->r[0]};
    beside->t = s->t;
    beside->lambda = s->lambda;
    for (int k = 0; k < at->nv; k++) {
        beside->v[k] = s->v[k] + err[at->v + k];
        beside->a[k] = 0.0;
    }
    for (int k = 0; k < at->nz; k++) {
        beside->z[k] = s->z[k] + err[at->z + k];
    }
    dae->move(dae->context, s->q, err, beside->q);
    dae->x_rate(dae->context, err, beside->v, w->x_dot);
    TR_TRY(dae->residual(dae->context, beside, &out));
    for (int k = 0; k < at->n; k++) {
        err[k] = k < at->nv ? S[k] * w->x_dot[k] : -err[k];
    }
    for (int k = 0; k < at->nz; k++) {
        err[at->z + k] = w->r[0][k];
    }
    w->e = out.e;
    return TR_OK;
}

// y'_n is known: v, a and z'. M is that of the last stage: what it multiplies is of the order of
// h^3 in all, so that the difference does not count.
static trStatus judge(trRadau *w, const trDae *dae, const trDaeState *s, const trDaeState *next,
                      double *error) {
    const trRadauLayout *at = &w->at;
    const double        *S = tr_tangent_weight(dae->tangent);
    for (int k = 0; k < at->n; k++) {
        w->memory[k] = k < at->nv ? S[k] * s->v[k] : k >= at->z ? w->z_dot[k - at->z] : 0.0;
    }
    *error = estimate(w, dae, s->a, s, next);
    if (*error > 1.0 && w->doubted) {
        TR_TRY(look_beside(w, dae, s));
        *error = estimate(w, dae, NULL, s, next);
    }
    return TR_OK;
}

static void finish(trRadau *w, const trDae *dae, const trDaeState *s, trDaeState *next) {
    tr_radau_visit(w, dae, 2, s);
    tr_dae_copy(dae, &w->at_stage, next);
    next->t = s->t + w->stages.h;
    next->work = s->work + tr_radau_work(&w->stages, 1.0);
}

static trStatus attempt(void *work, const trDae *dae, double *h, const trDaeState *s,
                        trDaeState *next, double *error) {
    trRadau *w = work;
    w->stages.h = *h;
    if (!w->has_jacobian || tr_radau_has_other_rows(w, dae)) {
        TR_TRY(tr_radau_linearize(w, dae, s));
    } else if (dae->nz > 0 && !w->has_z_dot) {
        TR_TRY(tr_radau_look_at_start(w, dae, s));
    }
    trStatus status = tr_radau_solve_stages(w, dae, s);
    if (status > 0 && !w->is_fresh) {
        TR_TRY(tr_radau_linearize(w, dae, s));
        status = tr_radau_solve_stages(w, dae, s);
    }
    if (status != TR_OK) {
        w->confidence = 1.0;
        w->doubted = true;
        w->failed = *h;
        w->has_jacobian = w->is_fresh = false;
        return status;
    }
    finish(w, dae, s, next);
    TR_TRY(judge(w, dae, s, next, error));
    w->doubted |= *error > 1.0;
    // The stepper takes 0.8 h error^(-1/4) next.
    *error = fmax(*error, fmin(1.0, pow(0.8 * *h / (SHORTER * w->failed), 4.0)));
    return TR_OK;
}

// The matrix serves the next step, too, if Newton's method was fast.
static void accept(void *work) {
    trRadau *w = work;
    tr_radau_stages_copy(&w->stages, &w->last);
    w->has_last = true;
    w->is_fresh = w->has_z_dot = w->doubted = false;
    w->has_jacobian = w->theta <= FAST;
    w->failed *= FORGET;
}

static trStatus interpolate(void *work, const trDae *dae, double h, double theta,
                            const trDaeState *s, const trDaeState *next, trDaeState *out) {
    trRadau *w = work;
    tr_radau_inside(&w->stages, theta, w->memory);
    dae->move(dae->context, s->q, w->memory, out->q);
    for (int k = 0; k < w->at.nv; k++) {
        out->v[k] = s->v[k] + w->memory[w->at.v + k];
    }
    for (int k = 0; k < w->at.nz; k++) {
        out->z[k] = s->z[k] + w->memory[w->at.z + k];
    }
    out->work = s->work + tr_radau_work(&w->stages, theta);
    return TR_OK;
}

static void count(const void *work, trIntegratorCounts *counts) {
    *counts = ((const trRadau *)work)->counts;
}

static const char *const forms[] = {"ggl", NULL};

static const trImplicitKind implicit = {
    .needs_tangent = true,
    .needs_rates = true,
    .integrates_work = true,
    .forms = forms,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .accept = accept,
    .interpolate = interpolate,
};

const trIntegratorKind tr_integrator_radau5 = {
    .name = "radau5",
    .summary = "implicit, for stiff systems: order 5, adaptive, constraints on positions and "
               "velocities",
    .source = "Hairer & Wanner 1996; Gear, Leimkuhler & Gupta 1985",
    .traits = TR_COPES_ALL,
    .order = 5,
    .error_order = 4,
    .dense_order = 4,
    .evaluations = 9,
    .hold = 1.2,
    .count = count,
    .implicit = &implicit,
};
