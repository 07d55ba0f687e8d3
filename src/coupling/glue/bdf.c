// SPDX-License-Identifier: MIT
// Gluing with positions and velocities as unknowns under BDF, with the oblique projector of K
// (docs/theory/gluing.md, paper 002, (25)-(26)):
//
//     S lambda = G da + G W (Q - f)                    f <- Q - G' lambda        of the trial da
//     q += K^-1 J' w,  w = -G' S^-1 phi                                          at the position
//     S lambda = (G v - b1) / c_v + G W (Q - f)        f <- Q - G' lambda        at the velocity
//     q += K^-1 J' w,  w = c_q / c_v G' S^-1 (G v - b1)
//
// The first line keeps what goes along the joints of da, which modules found under loads of the
// past; G da is by how much the trial changes G a. The last line takes back what forces of the one
// before move positions by.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "glue/glue.h"

typedef struct Work {
    double *Q;      // nw ports: what is part of the loads
    double *trial;  // m: G da
} Work;

static trStatus plan(trArena *arena, trGlue *g) {
    Work *w = tr_new(arena, Work);
    if (w == NULL) {
        return TR_E_MEMORY;
    }
    w->Q = tr_new_array(arena, double, g->it.nw * g->it.ports);
    w->trial = tr_new_array(arena, double, g->it.m);
    g->work = w;
    if (strncmp(g->scheme->name, "bdf", 3) != 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "gluing 'bdf' needs scheme 'bdf1' or 'bdf2', not '%s'; choose one of "
                       "them, or gluing 'gauss'",
                       g->scheme->name);
    }
    return tr_arena_status(arena);
}

// Forces between ports at how they move now, in place of those before: modules judge themselves by
// these.
static void renew_loads(trGlue *g) {
    double *before = ((Work *)g->work)->Q;
    for (int i = 0; i < g->it.nw * g->it.ports; i++) {
        g->w[TR_LEVEL_LOAD][i] = g->it.Q[i] - before[i];
        g->load[i] += g->w[TR_LEVEL_LOAD][i];
        before[i] = g->it.Q[i];
    }
}

// Forces that change rows of accelerations by -`share` of `row`, and take the place of all before.
static void solve_forces(trGlue *g, const double *row, double share) {
    int n = g->it.nw * g->it.ports;
    tr_glue_solve_loads(g, row, share, g->w[TR_LEVEL_FORCE]);
    memcpy(((Work *)g->work)->Q, g->it.Q, (size_t)n * sizeof(double));
}

// The joints' accelerations are not held. Loads must be along the joints as they are now: how much
// ports are accelerated by their last change counts among the residuals of modules.
static void measure(trGlue *g, int k) {
    const trInterface *it = &g->it;
    double            *r = g->history[k], most = tr_largest(it->nw * it->ports, it->a);
    tr_glue_measure(g, k);
    r[TR_ACCELERATION] = 0.0;
    r[TR_DYNAMIC] =
        fmax(r[TR_DYNAMIC], tr_interface_largest_response(it, g->w[TR_LEVEL_FORCE]) / (1.0 + most));
    g->iterations = k;
}

// Impulses that move positions by `share` of what -K^-1 J' G' S^-1 row is.
static void move_positions(trGlue *g, const double *row, double share) {
    trInterface *it = &g->it;
    for (int i = 0; i < it->m; i++) {
        it->right[i] = share * row[i];
    }
    tr_semidefinite_solve(&it->position, it->right, it->y);
    tr_interface_spread(it, it->y, g->w[TR_LEVEL_POSITION]);
}

// Loads renewed, G da as the difference that it makes to G a - b, forces for it, residuals.
static trStatus look(trGlue *g, const trGlueStep *step, int k) {
    trInterface *it = &g->it;
    double      *trial = ((Work *)g->work)->trial;
    renew_loads(g);
    memcpy(trial, it->acceleration, (size_t)it->m * sizeof(double));
    TR_TRY(tr_glue_exchange(g, TR_CALL_LOAD | TR_CALL_JUDGE | TR_CALL_MOTION | TR_CALL_COMPLIANCE));
    TR_TRY(tr_interface_evaluate(it, step->t, true));
    for (int i = 0; i < it->m; i++) {
        trial[i] = it->acceleration[i] - trial[i];
    }
    tr_interface_factor(it);
    solve_forces(g, trial, 1.0);
    measure(g, k);
    return TR_OK;
}

// Positions before velocities, for the reason that gauss.c gives. Forces that close velocities move
// positions, too, by -c_q / c_v of G v - b1, which is taken back in the same message: the joints
// would turn by it, and velocities be off by that once more.
static trStatus iterate(trGlue *g, const trGlueStep *step) {
    move_positions(g, g->it.phi, 1.0);
    TR_TRY(tr_glue_exchange(g, TR_CALL_FORCE | TR_CALL_POSITION | TR_CALL_MOTION));
    TR_TRY(tr_interface_evaluate(&g->it, step->t, false));
    solve_forces(g, g->it.rate, 1.0 / step->c_v);
    move_positions(g, g->it.rate, -step->c_q / step->c_v);
    TR_TRY(tr_glue_exchange(g, TR_CALL_FORCE | TR_CALL_POSITION | TR_CALL_MOTION));
    return tr_interface_evaluate(&g->it, step->t, false);
}

// The last trial is taken as well, so that none is left over for the next step.
static trStatus finish(trGlue *g, const trGlueStep *step) {
    TR_TRY(tr_glue_exchange(g, TR_CALL_FORCE | TR_CALL_MOTION));
    TR_TRY(tr_interface_evaluate(&g->it, step->t, false));
    return tr_glue_finish(g, step);
}

static trStatus advance(trGlue *g, const trGlueStep *step) {
    if (step->h == 0.0) {
        TR_TRY(tr_gluing_gauss.advance(g, step));
        memcpy(((Work *)g->work)->Q, g->it.Q, (size_t)(g->it.nw * g->it.ports) * sizeof(double));
        return TR_OK;
    }
    TR_TRY(tr_glue_exchange(g, TR_CALL_PREDICT | TR_CALL_MOTION));
    TR_TRY(tr_interface_evaluate(&g->it, step->t, false));
    for (int k = 0;; k++) {
        TR_TRY(look(g, step, k));
        if (tr_glue_converged(g, k)) {
            return finish(g, step);
        }
        TR_TRY(tr_glue_check_progress(g, step, k));
        TR_TRY(iterate(g, step));
    }
}

const trGluingKind tr_gluing_bdf = {
    .name = "bdf",
    .title = "Positions and velocities under BDF",
    .summary = "joints held at positions and velocities, oblique projector; bdf1 and bdf2 only",
    .source = "002 (25)-(26), corrected",
    .takes = TR_TAKES_POSITION | TR_TAKES_VELOCITY,
    .plan = plan,
    .advance = advance,
};
