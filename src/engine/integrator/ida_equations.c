// SPDX-License-Identifier: MIT
// The equations as IDA sees them, F(t, y, y') = 0:
//
//     q' - N(q) (v - S^-1 A' mu)          S: positive weights, M where it is positive
//     M v' + A' lambda - Q - C
//     A v - b1                            index1: A v' - b, and no mu
//     phi
//     z' - g
//     W' - power
//
// A quaternion is four plain numbers, evaluated normalized. Its three rates are equations as above;
// the fourth is that it has length 1, for its length has no other meaning.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "integrator/ida_parts.h"

// Errors of BDF add up over many steps: with tolerances that are tighter by this factor, errors at
// the end are within some tens of the tolerances that were asked for. Below the tightest, rounding
// of positions over a step takes the place of errors.
#define TIGHTER 100.0
#define TIGHTEST 1e-11

double tr_ida_tighter(const trTolerance *tolerance) {
    double asked = fmax(tolerance->rtol, tolerance->atol);
    return fmax(1.0, fmin(TIGHTER, asked / TIGHTEST));
}

trStatus tr_ida_plan_equations(trArena *arena, trIda *w) {
    w->v = w->nq;
    w->lambda = w->v + w->nv;
    w->mu = w->lambda + w->m;
    w->z = w->mu + (w->ggl ? w->m : 0);
    w->work = w->z + w->nz;
    w->n = w->work + 1;
    w->q = tr_new_array(arena, double, w->nq);
    w->unit = tr_new_array(arena, double, w->nq);
    w->slide = tr_new_array(arena, double, w->nv);
    w->phi = tr_new_array(arena, double, w->m);
    w->rate = tr_new_array(arena, double, w->m);
    w->z_dot = tr_new_array(arena, double, w->nz);
    w->zero = tr_new_array(arena, double, w->nv);
    w->scale = tr_new_array(arena, double, w->m);
    w->weight = tr_new_array(arena, double, w->nq + w->nv + w->nz + 1);
    return tr_arena_status(arena);
}

trStatus tr_ida_linearize(trIda *w, const trDaeState *s) {
    w->counts.jacobians++;
    TR_TRY(w->dae->linearize(w->dae->context, s, NULL));
    for (int i = 0; i < w->m; i++) {
        w->scale[i] = 1.0;
    }
    tr_tangent_unscale(w->dae->tangent, w->scale);
    return TR_OK;
}

trDaeState tr_ida_state(const trIda *w, double t, double *y, double *y_dot) {
    return (trDaeState){.t = t,
                        .q = y,
                        .v = y + w->v,
                        .a = y_dot + w->v,
                        .lambda = y + w->lambda,
                        .z = y + w->z,
                        .work = y[w->work]};
}

// N pull(q' - N (v - S^-1 A' mu)) + rate (q - q / |q|), with `pull` from rates of q to v.
static void equations_of_positions(trIda *w, const double *y, const double *y_dot, double *F) {
    const trDae  *dae = w->dae;
    const double *S = tr_tangent_weight(dae->tangent), *v = y + w->v;
    double       *slide = w->slide;
    memset(slide, 0, (size_t)w->nv * sizeof *slide);
    if (w->ggl) {
        tr_rows_tmul_sub(&w->e->A, y + w->mu, slide);
    }
    dae->pull(dae->context, y, y_dot, w->x);
    for (int i = 0; i < w->nv; i++) {
        slide[i] = w->x[i] - (v[i] + slide[i] / S[i]);
    }
    dae->rate(dae->context, y, slide, F);
    dae->move(dae->context, y, w->zero, w->unit);
    for (int i = 0; i < w->nq; i++) {
        F[i] += TR_IDA_UNIT_RATE * (y[i] - w->unit[i]);
    }
}

// Multipliers of rows that hold nothing are zero; so are mu in rows of velocities.
static void equations_of_rows(trIda *w, const double *y, const double *y_dot, double *F) {
    const trDae  *dae = w->dae;
    const bool   *left_out = tr_tangent_left_out(dae->tangent);
    const double *lambda = y + w->lambda, *mu = y + w->mu;
    if (!w->ggl) {
        tr_rows_mul(&w->e->A, y_dot + w->v, w->rate);
        tr_add_scaled(w->m, -1.0, w->e->b, w->rate);
    }
    for (int i = 0; i < w->m; i++) {
        F[w->lambda + i] = left_out[i] ? -lambda[i] / w->scale[i] : w->rate[i];
        if (w->ggl) {
            bool held = dae->holonomic[i] && !left_out[i];
            F[w->mu + i] = held ? w->phi[i] : -mu[i] / w->scale[i];
        }
    }
}

int tr_ida_residual(double t, N_Vector y_vector, N_Vector y_dot_vector, N_Vector F_vector,
                    void *work) {
    trIda        *w = work;
    double       *y = N_VGetArrayPointer(y_vector), *y_dot = N_VGetArrayPointer(y_dot_vector);
    double       *F = N_VGetArrayPointer(F_vector);
    trDaeState    s = tr_ida_state(w, t, y, y_dot);
    trDaeResidual out = {.r = F + w->v, .phi = w->phi, .rate = w->rate, .z_dot = w->z_dot};
    trStatus      status = w->dae->residual(w->dae->context, &s, &out);
    if (status != TR_OK) {
        return tr_sundials_flag(&w->library, status);
    }
    w->e = out.e;
    w->now = y;
    w->now_dot = y_dot;
    if (t != w->tried) {
        w->tried = t;
        w->tries = 0;
        w->age++;
    }
    memcpy(w->q, y, (size_t)w->nq * sizeof *y);
    equations_of_positions(w, y, y_dot, F);
    equations_of_rows(w, y, y_dot, F);
    for (int i = 0; i < w->nz; i++) {
        F[w->z + i] = y_dot[w->z + i] - w->z_dot[i];
    }
    F[w->work] = y_dot[w->work] - out.power;
    return tr_sundials_flag(&w->library, TR_OK);
}

// IDA's norm is the root of a mean over all n. Multipliers do not count: they follow from the rest.
int tr_ida_weights(N_Vector y_vector, N_Vector weight_vector, void *work) {
    trIda        *w = work;
    double       *y = N_VGetArrayPointer(y_vector), *out = N_VGetArrayPointer(weight_vector);
    double        all = w->tighter * sqrt((double)w->n);
    trDaeState    s = tr_ida_state(w, 0.0, y, y);
    const double *weight = w->weight;
    w->dae->weigh(w->dae->context, &s, w->weight);
    memset(out, 0, (size_t)w->n * sizeof *out);
    for (int i = 0; i < w->nq + w->nv; i++) {
        out[i] = all * *weight++;
    }
    for (int i = 0; i <= w->nz; i++) {
        out[w->z + i] = all * *weight++;
    }
    return 0;
}
