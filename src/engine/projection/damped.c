// SPDX-License-Identifier: MIT
// Damped least squares (Levenberg, Marquardt) for positions far from the constraints. With rows
// r = weight phi and columns J = weight A scale, each iteration minimizes
//
//     |r + J u|^2 + mu |u|^2,      which is      u + J' l = 0,    J u - mu l = -r
//
// or, with one slack s for each row, s = -sqrt(mu) l,
//
//     [u; s] + [J  sqrt(mu) I]' l = 0,    [J  sqrt(mu) I] [u; s] = -r :
//
// a smallest step for the sparse kernel, at the cost of a Newton step, and regular for mu > 0
// whatever the rank of J. mu follows the ratio of the decrease to the one that was predicted.
// Reference: Nielsen, Damping parameter in Marquardt's method, IMM-REP-1999-05 (1999).

#include "projection/damped.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

#define FIRST_MU 1e-2
#define FAR_MU 1e-9          // least mu far from the constraints
#define LEAST_MU 1e-14       // and near them, where it falls with |r|^2: singular poses need that
#define MOST_MU 1e12         // no step at all makes it better
#define RANK_TOLERANCE 1e-8  // squared on pivots, which are not below mu
#define WORTH_TAKING 1e-4    // part of the predicted decrease that a step must reach
#define MAX_ITERATIONS 300
#define SLOW 1e-9    // relative decrease of |r|^2 ...
#define MAX_SLOW 4   // ... in so many steps in a row: a minimum
#define LEVEL 1e-13  // likewise, of the decrease that is predicted

// The pattern of A, with a side of width 1 in each group for each of its rows.
static void plan_pattern(trArena *arena, const trRows *A, trDamped *d) {
    int  sides = A->group_side[A->groups] + A->m, at = 0, values = 0;
    int *group_side = tr_new_array(arena, int, A->groups + 1);
    int *column = tr_new_array(arena, int, sides), *width = tr_new_array(arena, int, sides);
    int *value = tr_new_array(arena, int, sides);
    if (tr_arena_status(arena) != TR_OK) {
        return;
    }
    for (int g = 0; g < A->groups; g++) {
        int rows = A->group_row[g + 1] - A->group_row[g];
        int own = A->group_side[g + 1] - A->group_side[g];
        group_side[g] = at;
        for (int k = 0; k < own + rows; k++, at++) {
            bool slack = k >= own;
            column[at] =
                slack ? A->n + A->group_row[g] + k - own : A->side_column[A->group_side[g] + k];
            width[at] = slack ? 1 : A->side_width[A->group_side[g] + k];
            value[at] = values;
            values += rows * width[at];
        }
    }
    group_side[A->groups] = at;
    d->value = tr_new_array(arena, double, values);
    d->e.A = (trRows){A->m,   A->n + A->m, A->groups, A->group_row, group_side,
                      column, width,       value,     d->value};
}

trStatus tr_damped_plan(trArena *arena, const trEquations *e, int nq, const double *scale,
                        trDamped *d) {
    int n = e->nv + e->m;
    *d = (trDamped){.scale = scale, .nv = e->nv, .nq = nq, .m = e->m};
    plan_pattern(arena, &e->A, d);
    d->ones = tr_new_array(arena, double, n);
    d->zero = tr_new_array(arena, double, n);
    d->step = tr_new_array(arena, double, n);
    d->weight = tr_new_array(arena, double, e->m);
    d->r = tr_new_array(arena, double, e->m);
    d->right = tr_new_array(arena, double, e->m);
    d->lambda = tr_new_array(arena, double, e->m);
    d->q = tr_new_array(arena, double, nq);
    TR_TRY(tr_arena_status(arena));
    tr_fill(n, 1.0, d->ones);
    d->e.nv = n;
    d->e.m = e->m;
    d->e.M = (trMass){.n = n, .diagonal = d->ones};
    d->e.rank_tolerance = RANK_TOLERANCE;
    d->kernel.kind = tr_formulation_robust(false);
    return d->kernel.kind->plan(arena, &d->e, NULL, &d->kernel.work);
}

typedef struct State {
    double half;  // half the sum of squares of r
    double mu;
    double grow;  // factor of mu when a step is not taken
    double gain;  // relative decrease by the last step
} State;

// J from A; rows that are not holonomic have weight zero.
static void fill(trDamped *d, const trEquations *e, double mu) {
    const trRows *A = &e->A, *J = &d->e.A;
    double        slack = sqrt(mu);
    for (int g = 0; g < A->groups; g++) {
        int first = A->group_row[g], rows = A->group_row[g + 1] - first;
        int own = A->group_side[g + 1] - A->group_side[g];
        for (int k = 0; k < own + rows; k++) {
            int           side = A->group_side[g] + k, to = J->group_side[g] + k;
            int           width = J->side_width[to];
            double       *block = d->value + J->side_value[to];
            const double *from = k < own ? A->value + A->side_value[side] : NULL;
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < width; j++) {
                    double entry = from == NULL ? (i == k - own ? slack : 0.0)
                                                : d->weight[first + i] * from[i * width + j] *
                                                      d->scale[J->side_column[to] + j];
                    block[i * width + j] = entry;
                }
            }
        }
    }
}

// r, and half the sum of its squares; infinite where it cannot be evaluated.
static double measure(trDamped *d, const trEquations *e) {
    double sum = 0.0;
    for (int i = 0; i < d->m; i++) {
        d->r[i] = d->weight[i] == 0.0 ? 0.0 : d->weight[i] * e->phi[i];
        sum += 0.5 * d->r[i] * d->r[i];
    }
    return isfinite(sum) ? sum : INFINITY;
}

// A step u in d->step, turned into dq and cut to reach; *decrease is what it is expected to gain.
static trStatus find_step(trDamped *d, const trManifold *manifold, const trEquations *e, double mu,
                          double *decrease) {
    fill(d, e, mu);
    for (int i = 0; i < d->m; i++) {
        d->right[i] = -d->r[i];
    }
    TR_TRY(tr_kernel_factor(&d->kernel, &d->e));
    TR_TRY(d->kernel.kind->solve(d->kernel.work, &d->e, d->zero, d->right, d->step, d->lambda));
    for (int i = 0; i < d->nv; i++) {
        d->step[i] *= d->scale[i];
    }
    double part = manifold->reach == NULL ? 1.0 : manifold->reach(manifold->context, d->step);
    double left = 0.0, all = 0.0;
    tr_rows_mul(&e->A, d->step, d->right);
    for (int i = 0; i < d->m; i++) {
        double r = d->r[i], change = part * d->weight[i] * d->right[i];
        left += 0.5 * (r + change) * (r + change);
        all += 0.5 * r * r;
    }
    for (int i = 0; i < d->nv; i++) {
        d->step[i] *= part;
    }
    *decrease = all - left;
    return TR_OK;
}

// One iteration from q: a step that gains is taken. The equations at the new q are in *e, and those
// at the old one again where the step was not taken.
static trStatus iterate(trDamped *d, const trManifold *manifold, double t, double *q,
                        const double *v, const trEquations **e, State *s) {
    double expected = 0.0;
    TR_TRY(find_step(d, manifold, *e, s->mu, &expected));
    d->iterations++;
    s->gain = 0.0;
    if (!(expected > LEVEL * s->half)) {
        s->mu *= s->grow;
        s->grow *= 2.0;
        return TR_OK;
    }
    memcpy(d->q, q, (size_t)d->nq * sizeof *q);
    manifold->retract(manifold->context, d->step, d->q);
    trStatus status = manifold->evaluate(manifold->context, t, d->q, v, e);
    if (status < 0) {
        return status;
    }
    double next = status == TR_OK ? measure(d, *e) : INFINITY;
    double ratio = (s->half - next) / expected;
    if (ratio > WORTH_TAKING) {
        memcpy(q, d->q, (size_t)d->nq * sizeof *q);
        s->gain = (s->half - next) / s->half;
        s->half = next;
        s->mu = fmax(s->mu * fmax(1.0 / 3.0, 1.0 - pow(2.0 * ratio - 1.0, 3.0)),
                     fmax(LEAST_MU, fmin(FAR_MU, next)));
        s->grow = 2.0;
        return TR_OK;
    }
    s->mu *= s->grow;
    s->grow *= 2.0;
    TR_TRY(manifold->evaluate(manifold->context, t, q, v, e));
    measure(d, *e);
    return TR_OK;
}

trStatus tr_damped_minimize(trDamped *d, const trManifold *manifold, double t, double *q,
                            const double *v, double enough, double *norm) {
    const trEquations *e = NULL;
    int                slow = 0;
    TR_TRY(manifold->evaluate(manifold->context, t, q, v, &e));
    State s = {.half = measure(d, e), .grow = 2.0};
    s.mu = fmax(LEAST_MU, fmin(FIRST_MU, s.half));
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        if (!(sqrt(2.0 * s.half) > enough) || s.mu > MOST_MU || !isfinite(s.half)) {
            break;
        }
        double before = s.half;
        TR_TRY(iterate(d, manifold, t, q, v, &e, &s));
        slow = s.half < before && s.gain < SLOW ? slow + 1 : s.half < before ? 0 : slow;
        if (slow == MAX_SLOW) {
            break;
        }
    }
    *norm = sqrt(2.0 * s.half);
    return TR_OK;
}
