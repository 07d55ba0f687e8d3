// SPDX-License-Identifier: MIT
// Newton's method with a Jacobian for each stage, for steps near singular poses:
//
//     sum_j inverse[i][j] / h B dY_j + J_i dY_i = - r_i        B: S, M and 1 of x, v and z
//
// Where rows are about to become dependent, the part of A that tells them apart is proportional to
// the distance from the pose: it differs much among the stages, and changes its sign where one is
// before the pose and another behind it. One matrix for all stages, as simplified iterations have
// it, contracts by 1 - d_i / d_2 there, that is, diverges. With exact matrices convergence is
// quadratic on both sides of the pose.
//
// Scaled as in radau5_matrices.c, with 1 / h for g. Stages move by q (+) dq, so that A, which
// counts here, is exact; x changes by T^-1(x) dq, of which 1 is taken.

#include <float.h>
#include <math.h>

#include "base/vector.h"
#include "integrator/radau5.h"
#include "integrator/radau5_tableau.h"

#define MAX_ITERATIONS 12
#define COUPLED 3  // entries that couple stages
#define STAGE_PLACES (TR_RADAU_ENTRIES + 2 * COUPLED)
#define PLACES (3 * STAGE_PLACES)
#define SHARE 0.1     // of the tolerance that rounding may take
#define LEAST 1e-12   // and may take, however small the tolerance is
#define STALLED 1e-6  // corrections that rounding may leave, at most [m, rad, m/s, rad/s]

// The placements in the rows of one stage, and their coefficients where h > 0.
static void list_places(const trRadauLayout *at, int stage, double h,
                        trPlacement place[STAGE_PLACES], double coefficient[STAGE_PLACES]) {
    trRadauEntry entry[TR_RADAU_ENTRIES];
    int          count = 0;
    tr_radau_list_entries(at, entry);
    for (int i = 0; i < TR_RADAU_ENTRIES; i++) {
        const trPlacement *p = &entry[i].place;
        for (int j = 0; j < 3; j++) {
            if (j != stage && !entry[i].couples) {
                continue;
            }
            place[count] = (trPlacement){p->part, stage * at->n + p->row, j * at->n + p->column};
            coefficient[count++] = entry[i].couples
                                       ? radau_inverse[stage][j]
                                       : entry[i].sign * pow(h, (double)entry[i].power);
        }
    }
}

trStatus tr_radau_full_plan(trArena *arena, const trDae *dae, trRadau *w) {
    trPlacement place[PLACES];
    double      coefficient[STAGE_PLACES];
    for (int i = 0; i < 3; i++) {
        list_places(&w->at, i, 1.0, place + i * STAGE_PLACES, coefficient);
    }
    w->full_y = tr_new_array(arena, double, 3 * w->at.n);
    TR_TRY(tr_arena_status(arena));
    return tr_newton_plan(arena, dae->tangent, 3 * w->at.n, PLACES, place, &w->full);
}

// The equations of a stage and how they change, into its rows. Those of motion and of z are
// multiplied by h, phi is divided by it.
static trStatus fill_stage(trRadau *w, const trDae *dae, int stage, const trDaeState *s) {
    const trRadauLayout *at = &w->at;
    const double        *r = w->r[stage], h = w->stages.h;
    double              *y = w->full_y + stage * at->n, coefficient[PLACES] = {0.0};
    trPlacement          place[STAGE_PLACES];
    TR_TRY(tr_radau_residual(w, dae, stage, s));
    TR_TRY(dae->linearize(dae->context, &w->at_stage, NULL));
    list_places(at, stage, h, place, coefficient + stage * STAGE_PLACES);
    tr_newton_add(&w->full, coefficient);
    for (int k = 0; k < at->n; k++) {
        bool motion = k >= at->v && k < at->lambda, phi = k >= at->mu && k < at->z;
        y[k] = (motion || k >= at->z ? h : phi ? 1.0 / h : 1.0) * r[k];
    }
    return TR_OK;
}

// What was solved for moves a stage; `size` receives the largest of the corrections.
static void move_stage(trRadau *w, const trDae *dae, int stage, const trDaeState *s, double *size) {
    const trRadauLayout *at = &w->at;
    double              *d = w->full_y + stage * at->n, *y = w->stages.y[stage], h = w->stages.h;
    tr_tangent_unscale(dae->tangent, d + at->lambda);
    tr_tangent_unscale(dae->tangent, d + at->mu);
    for (int k = 0; k < at->n; k++) {
        bool lambda = k >= at->lambda && k < at->mu;
        d[k] *= k < at->v ? -h : lambda ? -1.0 / h : -1.0;
    }
    dae->compose(dae->context, d, y);
    tr_add_scaled(at->n - at->v, 1.0, d + at->v, y + at->v);
    for (int k = 0; k < at->m; k++) {
        w->stages.power[stage] -= w->b1[stage][k] * d[at->lambda + k];
    }
    double norm = dae->norm(dae->context, s, s, d, d + at->v, d + at->z, 0.0);
    *size = norm <= *size ? *size : norm;  // also where it is not a number
}

// The second stage comes last: its parts stay, for the estimate of the error and the next step.
static trStatus correct(trRadau *w, const trDae *dae, const trDaeState *s, double *size) {
    static const int order[3] = {0, 2, 1};
    tr_sparse_clear(&w->full.sparse);
    for (int i = 0; i < 3; i++) {
        TR_TRY(fill_stage(w, dae, order[i], s));
    }
    w->counts.jacobians += 3;
    w->counts.factorizations++;
    w->counts.iterations++;
    TR_TRY(tr_newton_factor(&w->full));
    tr_newton_solve(&w->full, w->full_y);
    *size = 0.0;
    for (int i = 0; i < 3; i++) {
        move_stage(w, dae, i, s, size);
        w->swing[i].on = false;  // steps are short here
    }
    return TR_OK;
}

// At the distance d from the pose rounding moves velocities by eps / d^2 in the direction that is
// about to become free. Multipliers take that up, up to the angle d by which this direction turns
// within a step: eps / d is left in the motion, which is to be a small part of the tolerance.
static double most_stalled(const trRadau *w) {
    double motion = fmax(SHARE * w->tolerance, LEAST);
    return fmin(motion * motion / DBL_EPSILON, STALLED) / w->tolerance;
}

// Corrections become smaller until it is rounding that makes them.
static trStatus iterate(trRadau *w, const trDae *dae, const trDaeState *s) {
    double size = INFINITY, stalled = most_stalled(w);
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        double before = size;
        TR_TRY(correct(w, dae, s, &size));
        TR_TRY(dae->check_turns(dae->context, s->t + w->stages.h, w->stages.y[2]));
        if (size <= w->close || (size <= stalled && size > 0.5 * before)) {
            return TR_OK;
        }
        if (!isfinite(size)) {
            break;
        }
    }
    return tr_radau_fail(w, s, size);
}

trStatus tr_radau_pass(trRadau *w, const trDae *dae, const trDaeState *s) {
    w->factored = 0.0;
    w->theta = 1.0;  // the matrices do not serve the next step
    TR_TRY(iterate(w, dae, s));
    w->counts.factorizations++;
    return tr_radau_factor(&w->matrices, w->stages.h);
}
