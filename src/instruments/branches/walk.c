// SPDX-License-Identifier: MIT
// A walk from the pose along a velocity, and back onto the rows by Newton's method:
//
//     q moves by s w,   then by dq with  A dq = -phi,  |dq| smallest,  until phi = 0
//
// On a motion the end differs from s w by O(s^2), and half the distance halves the difference
// between secant and tangent. Velocities that satisfy second order alone end elsewhere or nowhere.
// Rows that are redundant on the rows only, such as Bricard's, seem independent beside them: so the
// first steps of Newton's method keep large pivots alone.

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "branches/branches.h"

#define DISTANCE 1e-2  // [rad], or parts of the mechanism's size
#define ITERATIONS 12
#define FIRST_PIVOT 0.1    // of the distance
#define LAST_PIVOT 1e-2    // of the tolerance of ranks
#define ON_THE_ROWS 1e-12  // |phi|, rows divided by their norms
#define OFF_AT_MOST 0.15   // secant against tangent
#define OFF_ANYWAY 1e-2    // what is less need not fall: poses are singular to about 1e-5 rad
#define FALLS 0.7          // in half the distance

void tr_walk_plan(trArena *arena, const trFork *p, trWalk *out) {
    *out = (trWalk){.q = tr_new_array(arena, double, p->nq),
                    .loose = tr_new_array(arena, double, p->n)};
}

static double violation(const trFork *p) {
    double most = 0.0;
    for (int i = 0; i < p->m; i++) {
        most = fmax(most, fabs(tr_eval_phi(p->eval)[i]) / p->scale[i]);
    }
    return most;
}

// Time stands still during corrections.
static trStatus factor(trFork *p, const trWalk *walk, double tolerance) {
    TR_TRY(tr_fork_factor(p, walk->t, walk->q, tolerance));
    if (p->n == p->nv) {
        return TR_OK;
    }
    memcpy(p->qr.X, p->rows, (size_t)p->n * (size_t)p->m * sizeof *p->rows);
    for (int i = 0; i < p->m; i++) {
        p->qr.X[p->nv + (ptrdiff_t)i * p->n] = 0.0;
    }
    return tr_rrqr_factor(&p->qr, tolerance);
}

trStatus tr_walk(trFork *p, const double *w, double distance, trWalk *walk) {
    double pivot = FIRST_PIVOT * fabs(distance), least = LAST_PIVOT * p->tolerance;
    double before = INFINITY, now = INFINITY;
    tr_copy(p->nq, p->q, walk->q);
    for (int i = 0; i < p->nv; i++) {
        p->step[i] = distance * w[i];
    }
    tr_system_move(p->system, p->step, walk->q);
    walk->t = p->t + (p->n > p->nv ? distance * w[p->nv] : 0.0);
    for (int i = 0; i < ITERATIONS; i++) {
        TR_TRY(factor(p, walk, fmax(pivot, least)));
        now = violation(p);
        if (!isfinite(now) || (now <= ON_THE_ROWS && now > 0.25 * before)) {
            break;
        }
        before = now;
        tr_fork_correct(p, tr_eval_phi(p->eval));
        tr_system_move(p->system, p->step, walk->q);
        pivot *= 0.1;
    }
    if (!(now <= 10.0 * ON_THE_ROWS)) {
        return tr_fail(TR_NO_CONVERGENCE, "no motion along this velocity");
    }
    TR_TRY(tr_fork_factor(p, walk->t, walk->q, least));
    walk->rank = p->qr.rank;
    tr_system_difference(p->system, walk->q, p->q, p->step);
    for (int i = 0; i < p->nv; i++) {
        p->step[i] = p->step[i] / distance - w[i];
    }
    double size = tr_fork_measure(p, w);
    walk->off = tr_fork_measure(p, p->step) / (size > 0.0 ? size : 1.0);
    return TR_OK;
}

// Positive trouble of one walk means that there is no motion, nothing else.
static trStatus is_motion(trFork *p, trWalk *walk, const double *w, int *rank) {
    *rank = -1;
    for (int side = 0; side < 2; side++) {
        double   sign = side == 0 ? 1.0 : -1.0;
        trStatus status = tr_walk(p, w, sign * DISTANCE, walk);
        double   off = walk->off;
        if (status == TR_OK && off <= OFF_AT_MOST) {
            status = tr_walk(p, w, 0.5 * sign * DISTANCE, walk);
            if (status == TR_OK && walk->off <= fmax(FALLS * off, OFF_ANYWAY)) {
                *rank = walk->rank > *rank ? walk->rank : *rank;
            }
        }
        if (status < 0) {
            return status;
        }
    }
    return TR_OK;
}

trStatus tr_walk_judge(trFork *p, trWalk *walk, int dim, const double *T, int *rank) {
    double *sum = walk->loose;
    *rank = p->n;
    memset(sum, 0, (size_t)p->n * sizeof *sum);
    for (int a = 0; a <= dim && *rank >= 0; a++) {
        int           one = -1;
        bool          all = a == dim;
        const double *w = all ? sum : T + (ptrdiff_t)a * p->n;
        for (int i = 0; !all && i < p->n; i++) {
            sum[i] += w[i] * (1.0 + 0.37 * a) / dim;
        }
        if (all && dim == 1) {
            break;
        }
        TR_TRY(is_motion(p, walk, w, &one));
        *rank = one < *rank || all ? one : *rank;
    }
    return TR_OK;
}
