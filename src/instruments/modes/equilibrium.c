// SPDX-License-Identifier: MIT
// Static equilibrium on the constraints, from a state at rest:
//
//     U' K U ds = U' F        y = U ds, then back onto phi = 0
//
// U' K U, its symmetric part, is taken by its eigenvalues, which count by their size: steps then go
// down where the pose is not stable, so that a pendulum that starts aside hangs in the end. One
// that starts upright stays there, as nothing pushes it. Motions without stiffness are followed
// where something pushes along them and are left alone elsewhere.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "la/symmetric.h"
#include "modes/modes.h"

#define MOST_STEPS 300
#define MOST_STUCK 60       // of these, in which forces do not come closer to balance
#define BALANCED 1e-13      // U' F against F: as good as it gets
#define NEARLY 1e-9         // and good enough where it does not get better
#define NO_STIFFNESS 1e-12  // eigenvalues against the largest one
#define MOST_TURN 0.5       // of a body in one step [rad]
#define MOST_MOVE 0.25      // of the size of the model, and of coordinates of a user's own
#define OVERSHOOT 0.9       // of the work along a step, which may not turn round more than this
#define MOST_HALVINGS 12

typedef struct Search {
    double *step;           // n, in the directions of v
    double *push;           // n: M a, what is not balanced
    double *values, *work;  // n, 4 n
    double *g, *along;      // n: U' F, and in the directions of eigenvectors
    double *x;              // nq + n + nz: a trial
    double  length;         // size of the model [m]
} Search;

static void plan(trLinear *l, Search *s) {
    s->step = tr_new_array(l->arena, double, l->n);
    s->push = tr_new_array(l->arena, double, l->n);
    s->values = tr_new_array(l->arena, double, l->n);
    s->work = tr_new_array(l->arena, double, 4 * l->n);
    s->g = tr_new_array(l->arena, double, l->n);
    s->along = tr_new_array(l->arena, double, l->n);
    s->x = tr_new_array(l->arena, double, l->nq + l->n + l->nz);
}

// ds = V |values|^-1 V' g, in s->along; V stands in l->Ku.
static void find_step(trLinear *l, Search *s, double nearly) {
    int    nu = l->nu;
    double largest = tr_largest(nu, s->values);
    tr_product_t(nu, nu, 1, l->Ku, s->g, s->along);
    for (int i = 0; i < nu; i++) {
        bool soft = fabs(s->values[i]) <= NO_STIFFNESS * largest;
        if (soft && fabs(s->along[i]) <= nearly) {
            s->along[i] = 0.0;
        } else {
            s->along[i] /= soft ? fmax(NO_STIFFNESS * largest, 1e-6) : fabs(s->values[i]);
        }
    }
    tr_product(nu, nu, 1, l->Ku, s->along, s->g);
}

// Into the directions of v, and not too far.
static void limit_step(trLinear *l, Search *s) {
    const int nb = l->each;
    double   *y = l->block, excess = 1.0;
    tr_product(l->n, l->nu, 1, l->U, s->g, y);
    for (int i = 0; i < l->n; i++) {
        s->step[i] = 0.0;
        for (int k = 0; k < nb; k++) {
            s->step[i] += l->T[(ptrdiff_t)i * nb + k] * y[i - i % nb + k];
        }
        double most = MOST_MOVE * (l->dim == 0 ? 1.0 + fabs(l->x[i]) : s->length);
        most = tr_system_velocity(l->system, i).turns ? MOST_TURN : most;
        excess = fmax(excess, fabs(s->step[i]) / most);
    }
    for (int i = 0; i < l->n; i++) {
        s->step[i] /= excess;
    }
}

static double work_along(const trLinear *l, Search *s) {
    tr_eval_mul_M(l->eval, l->a, s->push);
    return tr_dot(l->n, s->push, s->step);
}

// The step, or as much of it as does not push back more than it pushed on.
static trStatus take_step(trLinear *l, Search *s, double t) {
    double before = work_along(l, s);
    for (int k = 0;; k++) {
        tr_copy(l->nq + l->n + l->nz, l->x, s->x);
        tr_system_move(l->system, s->step, s->x);
        trStatus status = tr_eval_project(l->eval, s->x, NULL);
        status = status == TR_OK ? tr_linear_accelerate(l, t, s->x) : status;
        if (status < 0) {
            return status;
        }
        if (status == TR_OK && work_along(l, s) >= -OVERSHOOT * fabs(before)) {
            break;
        }
        if (k == MOST_HALVINGS) {
            TR_TRY(status);
            break;
        }
        for (int i = 0; i < l->n; i++) {
            s->step[i] *= 0.5;
        }
    }
    tr_copy(l->nq + l->n + l->nz, s->x, l->x);
    tr_eval_accept(l->eval);
    return TR_OK;
}

static trStatus refuse(trLinear *l, double t, int steps) {
    trCorrection most;
    TR_TRY(tr_linear_accelerate(l, t, l->x));
    int body = tr_modes_fastest(l, l->a, &most);
    tr_fail(TR_E_SIMULATION,
            "no equilibrium found: after %d steps it still accelerates by %.3g %s; hold it, or "
            "start closer, or linearize where it is (keep_pose, --no-equilibrium)",
            steps, most.value, most.unit);
    return tr_modes_blame(l, TR_E_SIMULATION, l->each * body);
}

// The symmetric part of U' K U, into Ku; then eigenvectors there.
static trStatus find_stiffness(trLinear *l, Search *s) {
    int nu = l->nu;
    tr_product(l->n, l->n, nu, l->K, l->U, l->block);
    tr_product_t(nu, l->n, nu, l->U, l->block, l->Ku);
    for (int i = 0; i < nu; i++) {
        for (int j = 0; j < i; j++) {
            double *one = &l->Ku[i + (ptrdiff_t)j * nu], *two = &l->Ku[j + (ptrdiff_t)i * nu];
            *one = *two = 0.5 * (*one + *two);
        }
    }
    return nu == 0 ? TR_OK : tr_symmetric_eigen(nu, l->Ku, s->values, s->work);
}

trStatus tr_modes_balance(trLinear *l, double t, int *iterations) {
    Search s = {0};
    double best = INFINITY;
    int    stuck = 0;
    plan(l, &s);
    TR_TRY(tr_arena_status(l->arena));
    for (*iterations = 0; *iterations < MOST_STEPS && stuck <= MOST_STUCK; (*iterations)++) {
        TR_TRY(tr_linear_evaluate(l, t, l->x));
        TR_TRY(tr_linear_bases(l));
        s.length = tr_linear_length(l);
        tr_product_t(l->nu, l->n, 1, l->U, l->F, s.g);
        double force = tr_norm(l->n, l->F), left = tr_norm(l->nu, s.g);
        double nearly = NEARLY * force + tr_linear_rounding(l);
        stuck = left < 0.5 * best ? 0 : stuck + 1;
        best = fmin(best, left);
        if (left <= BALANCED * force || (left <= nearly && stuck > 2)) {
            return TR_OK;
        }
        TR_TRY(find_stiffness(l, &s));
        find_step(l, &s, nearly);
        limit_step(l, &s);
        TR_TRY(take_step(l, &s, t));
    }
    return refuse(l, t, *iterations);
}
