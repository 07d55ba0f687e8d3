// SPDX-License-Identifier: MIT
// Equations of the stages, and simplified Newton iterations.

#include "base/vector.h"
#include "integrator/radau5.h"

#include <float.h>
#include <math.h>

#include "integrator/radau5_tableau.h"

#define MAX_ITERATIONS 16
#define PATIENCE 5  // iterations before convergence is judged: the first ones teach the accelerator
#define LUCK 0.03   // of a correction, what is left at least: a quick one may be chance
#define SLOW 0.95   // a rate of convergence that is no better than none
#define STALLED 0.1  // times the tolerance: corrections that rounding may leave

// The state of stage i; multipliers stay where they are.
void tr_radau_visit(trRadau *w, const trDae *dae, int i, const trDaeState *s) {
    const trRadauLayout *at = &w->at;
    trDaeState          *stage = &w->at_stage;
    double              *y = w->stages.y[i], h = w->stages.h;
    stage->t = s->t + radau_c[i] * h;
    stage->lambda = y + at->lambda;
    for (int k = 0; k < at->nv; k++) {
        stage->v[k] = s->v[k] + y[at->v + k];
        stage->a[k] = tr_radau_combine(&w->stages, radau_inverse[i], at->v + k) / h;
    }
    for (int k = 0; k < at->nz; k++) {
        stage->z[k] = s->z[k] + y[at->z + k];
    }
    dae->move(dae->context, s->q, y, stage->q);
}

trStatus tr_radau_residual(trRadau *w, const trDae *dae, int i, const trDaeState *s) {
    const trRadauLayout *at = &w->at;
    double              *y = w->stages.y[i], *r = w->r[i], h = w->stages.h;
    const double        *S = tr_tangent_weight(dae->tangent);
    trDaeResidual        out = {
               .r = r + at->v, .rate = r + at->lambda, .phi = r + at->mu, .z_dot = r + at->z};
    tr_radau_visit(w, dae, i, s);
    TR_TRY(dae->residual(dae->context, &w->at_stage, &out));
    w->stages.power[i] = out.power;
    w->e = out.e;
    tr_copy(at->m, out.e->b1, w->b1[i]);
    dae->x_rate(dae->context, y, w->at_stage.v, w->x_dot);
    for (int k = 0; k < at->nv; k++) {
        r[k] = S[k] * (w->x_dot[k] - tr_radau_combine(&w->stages, radau_inverse[i], k) / h);
    }
    tr_rows_tmul_sub(&out.e->A, y + at->mu, r);
    for (int k = 0; k < at->nv; k++) {
        r[k] = -r[k];
    }
    for (int k = at->z; k < at->n; k++) {
        r[k] = tr_radau_combine(&w->stages, radau_inverse[i], k) / h - r[k];
    }
    return TR_OK;
}

// The three vectors r become sums of them.
static void transform(trRadau *w, const double by[3][3]) {
    for (int k = 0; k < w->at.n; k++) {
        const double old[3] = {w->r[0][k], w->r[1][k], w->r[2][k]};
        for (int i = 0; i < 3; i++) {
            w->r[i][k] = by[i][0] * old[0] + by[i][1] * old[1] + by[i][2] * old[2];
        }
    }
}

// One iteration; `size` receives that of its correction, without multipliers.
static trStatus correct(trRadau *w, const trDae *dae, const trDaeState *s, double *size) {
    const trRadauLayout *at = &w->at;
    for (int i = 0; i < 3; i++) {
        TR_TRY(tr_radau_residual(w, dae, i, s));
        dae->swing(dae->context, &w->swing[i]);
        tr_dae_turn_back(dae, &w->swing[i], 2, 2, w->r[i]);
    }
    w->counts.iterations++;
    transform(w, radau_T_inverse);
    tr_radau_solve(&w->matrices, w->r[0]);
    tr_radau_solve_pair(&w->matrices, w->r[1], w->r[2]);
    transform(w, radau_T);
    double shortened = tr_accelerate(&w->accelerator, w->r[0]);
    *size = 0.0;
    for (int i = 0; i < 3; i++) {
        double *y = w->stages.y[i], *d = w->r[i];
        tr_dae_turn_forth(dae, &w->swing[i], 2, 2, d);
        tr_add_scaled(at->n, -1.0, d, y);
        for (int k = 0; k < at->m; k++) {  // drives do work with the multipliers just found
            w->stages.power[i] += w->b1[i][k] * d[at->lambda + k];
        }
        double norm = dae->norm(dae->context, s, s, d, d + at->v, d + at->z, 0.0);
        *size = norm <= *size ? *size : norm;  // also where it is not a number
    }
    *size *= shortened;
    return TR_OK;
}

trStatus tr_radau_fail(const trRadau *w, const trDaeState *s, double size) {
    return tr_fail(TR_NO_CONVERGENCE,
                   "t = %.9g s: Newton's method does not converge (last correction %.2g times the "
                   "tolerance); take a smaller step",
                   s->t + w->stages.h, size);
}

// Iterates until the error left, as the rate theta tells it, is a small part of the tolerance.
static trStatus iterate(trRadau *w, const trDae *dae, const trDaeState *s) {
    double before = 0.0, ratio = 0.0, size = 0.0;
    w->confidence = pow(fmax(w->confidence, DBL_EPSILON), 0.8);
    w->theta = 0.0;
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        TR_TRY(correct(w, dae, s, &size));
        TR_TRY(dae->check_turns(dae->context, s->t + w->stages.h, w->stages.y[2]));
        if (!isfinite(size)) {
            break;
        }
        if (k > 0 && size > 0.0) {
            double now = size / before;
            w->theta = k == 1 ? now : sqrt(now * ratio);
            ratio = now;
            w->confidence = w->theta < SLOW ? w->theta / (1.0 - w->theta) : 1.0 / (1.0 - SLOW);
            w->confidence = fmax(w->confidence, LUCK);
            double left = pow(w->theta, MAX_ITERATIONS - 1 - k);
            if (k >= PATIENCE && w->confidence * size * left > w->close) {
                break;
            }
        }
        if (w->confidence * size <= w->close) {
            return TR_OK;
        }
        before = size;
    }
    return size <= STALLED ? TR_OK : tr_radau_fail(w, s, size);
}

static void predict(trRadau *w, const trDae *dae, const trDaeState *s) {
    if (w->has_last) {
        tr_radau_extrapolate(&w->last, dae, s, w->memory, &w->stages);
    } else {
        tr_radau_start(s, w->z_dot, &w->stages);
    }
}

// z'_n.
trStatus tr_radau_look_at_start(trRadau *w, const trDae *dae, const trDaeState *s) {
    double       *r = w->memory;
    trDaeResidual out = {
        .r = r + w->at.v, .rate = r + w->at.lambda, .phi = r + w->at.mu, .z_dot = w->z_dot};
    w->has_z_dot = true;
    return dae->residual(dae->context, s, &out);
}

// The parts of the matrices, at the second stage as it is expected, inside of the step: so they are
// closer to all stages, which saves a third of the evaluations on the benchmarks.
trStatus tr_radau_linearize(trRadau *w, const trDae *dae, const trDaeState *s) {
    const bool   *left_out = tr_tangent_left_out(dae->tangent);
    double       *r = w->r[0];
    trDaeResidual out = {
        .r = r + w->at.v, .rate = r + w->at.lambda, .phi = r + w->at.mu, .z_dot = r + w->at.z};
    if (dae->nz > 0 && !w->has_z_dot) {
        TR_TRY(tr_radau_look_at_start(w, dae, s));
    }
    predict(w, dae, s);
    tr_radau_visit(w, dae, 1, s);
    TR_TRY(dae->residual(dae->context, &w->at_stage, &out));
    TR_TRY(dae->linearize(dae->context, &w->at_stage, NULL));
    for (int k = 0; k < w->at.m; k++) {
        w->left_out[k] = left_out[k];
    }
    w->has_jacobian = w->is_fresh = true;
    w->factored = 0.0;
    w->counts.jacobians++;
    return TR_OK;
}

bool tr_radau_has_other_rows(const trRadau *w, const trDae *dae) {
    const bool *left_out = tr_tangent_left_out(dae->tangent);
    for (int k = 0; k < w->at.m; k++) {
        if (left_out[k] != w->left_out[k]) {
            return true;
        }
    }
    return false;
}

// What corrections count for the accelerator: positions, velocities over a step, further states.
static void weigh(trRadau *w) {
    const trRadauLayout *at = &w->at;
    for (int i = 0; i < 3 * at->n; i++) {
        int k = i % at->n;
        w->accelerator.weight[i] = k < at->v        ? 1.0
                                   : k < at->lambda ? w->stages.h
                                   : k >= at->z     ? 1.0
                                                    : 0.0;
    }
}

// Starting values, factors, iteration.
trStatus tr_radau_solve_stages(trRadau *w, const trDae *dae, const trDaeState *s) {
    double h = w->stages.h;
    predict(w, dae, s);
    TR_TRY(dae->check_turns(dae->context, s->t + h, w->stages.y[2]));
    if (dae->passing) {
        return tr_radau_pass(w, dae, s);
    }
    if (w->factored != h) {
        w->factored = 0.0;
        w->counts.factorizations++;
        TR_TRY(tr_radau_factor(&w->matrices, h));
        w->factored = h;
        weigh(w);
        tr_accelerator_forget(&w->accelerator);
    }
    tr_accelerator_begin(&w->accelerator);
    return iterate(w, dae, s);
}
