// SPDX-License-Identifier: MIT
// States inside the last step: dense output is read at Chebyshev's points before the step is
// committed, and interpolated between them by the barycentric formula
//
//     x(s) = sum w_k x_k / (s - s_k) / sum w_k / (s - s_k)      s_k = (1 - cos(k pi / n)) / 2
//
// with w_k = (-1)^k, halved at both ends, which is the dense output itself where that is a
// polynomial of degree n or less (Berrut and Trefethen, SIAM Review 46 (2004)).

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "sim/sim.h"

#define LAST 12  // n: no dense output here has a higher degree
#define PI 3.14159265358979323846

static double point(int k) {
    return 0.5 * (1.0 - cos(PI * k / LAST));
}

trStatus tr_sim_follow(trSim *s, bool on) {
    tr_arena_destroy(s->followed.arena);
    s->followed = (trFollowed){0};
    if (!on) {
        return TR_OK;
    }
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    s->followed.x = tr_new_array(arena, double, (size_t)(LAST + 1) * (size_t)s->nx);
    trStatus status = tr_arena_status(arena);
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        s->followed.x = NULL;
        return status;
    }
    tr_arena_seal(arena);
    s->followed.arena = arena;
    return TR_OK;
}

trStatus tr_follow_step(trSim *s) {
    const double h = s->stepper.found, whole = h + s->stepper.beyond;
    trFollowed  *f = &s->followed;
    for (int k = 0; f->arena != NULL && k <= LAST; k++) {
        TR_TRY(tr_step_interpolate(s, h, point(k) * whole / h, k == 0));
        memcpy(f->x + (ptrdiff_t)k * s->nx, s->work.x_row, (size_t)s->nx * sizeof *f->x);
    }
    f->start = s->t;
    f->end = s->stepper.arrive;
    return TR_OK;
}

static void interpolate(const trSim *s, double at, double *x) {
    const trFollowed *f = &s->followed;
    double            sum = 0.0;
    memset(x, 0, (size_t)s->nx * sizeof *x);
    for (int k = 0; k <= LAST; k++) {
        const double *from = f->x + (ptrdiff_t)k * s->nx, beside = at - point(k);
        if (beside == 0.0) {
            memcpy(x, from, (size_t)s->nx * sizeof *x);
            return;
        }
        const double weight =
            (k == 0 || k == LAST ? 0.5 : 1.0) * (k % 2 == 0 ? 1.0 : -1.0) / beside;
        sum += weight;
        tr_add_scaled(s->nx, weight, from, x);
    }
    for (int i = 0; i < s->nx; i++) {
        x[i] /= sum;
    }
}

trStatus tr_sim_interpolate(trSim *s, double t, double *q, double *v) {
    const trFollowed *f = &s->followed;
    const double     *x = s->x;
    if (f->arena == NULL || !(f->start < f->end) || f->end != s->t) {
        return tr_fail(TR_E_ARGUMENT, f->arena == NULL
                                          ? "steps are not kept; call tr_sim_follow first"
                                          : "there was no step yet");
    }
    if (!(t >= f->start && t <= f->end)) {
        return tr_fail(TR_E_ARGUMENT, "t = %.9g s is not in the last step, %.9g to %.9g s", t,
                       f->start, f->end);
    }
    if (t < f->end) {
        interpolate(s, (t - f->start) / (f->end - f->start), s->work.x_row);
        tr_system_normalize(s->system, s->work.x_row);
        s->at_state = false;
        s->eval.z = s->work.x_row + s->nq + s->nv;
        TR_TRY(tr_project_row(s, t));
        x = s->work.x_row;
    }
    memcpy(q, x, (size_t)s->nq * sizeof *q);
    memcpy(v, x + s->nq, (size_t)s->nv * sizeof *v);
    return TR_OK;
}
