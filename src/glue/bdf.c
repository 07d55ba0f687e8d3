// SPDX-License-Identifier: MIT
// Gluing with positions and velocities as unknowns (paper 002, (25)-(26)), under BDF: joints are
// held at these two levels, and accelerations are what velocities make of them, a = (v - ...) /
// c_v. The projector is the oblique one, weighted by K; the paper's orthogonal one diverges.
//
//     q += K^-1 J' w,  w = -G' S^-1 phi                                          at the position
//     S lambda = (G v - b1) / c_v + G W (Q - f)        f <- Q - G' lambda        at the velocity
//     q += K^-1 J' w,  w = c_q / c_v G' S^-1 (G v - b1)
//
// v, with what modules found by themselves under f, is v + c_v da. Positions have a multiplier of
// their own: q' = v is left by what closes the joints, as in Gear, Gupta and Leimkuhler's form. The
// third line takes back what forces of the second one move positions by, so that an iteration moves
// them along the joints only by -phi, and G v - b1 stays closed to second order.

#include <string.h>

#include "glue/glue.h"

static trStatus plan(trArena *arena, trGlue *g) {
    g->work = tr_new_array(arena, double, g->it.nw * g->it.ports);  // Q that is part of the loads
    if (strncmp(g->scheme->name, "bdf", 3) != 0) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "gluing 'bdf' goes with scheme 'bdf1' or 'bdf2', not '%s'; choose one of "
                       "them, or gluing 'gauss'",
                       g->scheme->name);
    }
    return tr_arena_status(arena);
}

static void no_force(trGlue *g) {
    memset(g->w[TR_LEVEL_FORCE], 0, (size_t)(g->it.nw * g->it.ports) * sizeof(double));
}

// Forces between ports at how they move now, in place of those before: modules judge themselves by
// these.
static void renew_loads(trGlue *g) {
    double *before = g->work;
    for (int i = 0; i < g->it.nw * g->it.ports; i++) {
        g->w[TR_LEVEL_LOAD][i] = g->it.Q[i] - before[i];
        g->load[i] += g->w[TR_LEVEL_LOAD][i];
        before[i] = g->it.Q[i];
    }
}

// Forces that close the joints at the level of velocities.
static void solve_forces(trGlue *g, const trGlueStep *step) {
    trInterface *it = &g->it;
    double      *w = g->w[TR_LEVEL_FORCE];
    int          n = it->nw * it->ports;
    for (int i = 0; i < n; i++) {
        w[i] = it->Q[i] - g->load[i];
    }
    tr_interface_respond(it, w, it->right);
    for (int i = 0; i < it->m; i++) {
        it->right[i] += it->rate[i] / step->c_v;
    }
    tr_semidefinite_solve(&it->force, it->right, g->lambda);
    tr_interface_spread(it, g->lambda, w);
    for (int i = 0; i < n; i++) {
        double load = it->Q[i] + w[i];
        w[i] = load - g->load[i];
        g->load[i] = load;
    }
    memcpy(g->work, it->Q, (size_t)n * sizeof(double));
}

// Residuals where modules took their own trial. The joints' accelerations are not held.
static void measure(trGlue *g, int k) {
    tr_glue_measure(g, k);
    g->history[k][TR_ACCELERATION] = 0.0;
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

// Positions first, for the reason that gauss.c gives. Forces that close velocities there move
// positions, too, by -c_q / c_v of G v - b1, which is taken back in the same message: the joints
// would turn by it, and velocities be off by that once more.
static trStatus iterate(trGlue *g, const trGlueStep *step) {
    move_positions(g, g->it.phi, 1.0);
    TR_TRY(tr_glue_exchange(g, TR_CALL_POSITION | TR_CALL_MOTION));
    TR_TRY(tr_interface_evaluate(&g->it, step->t, false));
    solve_forces(g, step);
    move_positions(g, g->it.rate, -step->c_q / step->c_v);
    TR_TRY(tr_glue_exchange(g, TR_CALL_FORCE | TR_CALL_POSITION | TR_CALL_MOTION));
    no_force(g);
    return tr_interface_evaluate(&g->it, step->t, false);
}

static trStatus begin(trGlue *g, const trGlueStep *step) {
    no_force(g);
    TR_TRY(tr_glue_exchange(g, TR_CALL_PREDICT | TR_CALL_MOTION));
    return tr_interface_evaluate(&g->it, step->t, false);
}

static trStatus advance(trGlue *g, const trGlueStep *step) {
    if (step->h == 0.0) {
        TR_TRY(tr_gluing_gauss.advance(g, step));
        memcpy(g->work, g->it.Q, (size_t)(g->it.nw * g->it.ports) * sizeof(double));
        return TR_OK;
    }
    TR_TRY(begin(g, step));
    for (int k = 0;; k++) {
        renew_loads(g);
        TR_TRY(tr_glue_exchange(g, TR_CALL_LOAD | TR_CALL_JUDGE | TR_CALL_FORCE | TR_CALL_MOTION |
                                       TR_CALL_COMPLIANCE));
        TR_TRY(tr_interface_evaluate(&g->it, step->t, true));
        tr_interface_factor(&g->it);
        measure(g, k);
        if (tr_glue_converged(g, k)) {
            TR_TRY(tr_glue_close_joints(g, step, 0u));
            return tr_interface_evaluate(&g->it, step->t, true);
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
