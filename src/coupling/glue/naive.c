// SPDX-License-Identifier: MIT
// The first algorithm of paper 002, GL-DYN and GL-ACC: residuals and accelerations projected one
// after the other, both orthogonally, A = G J being the rows of the joints in the modules' own
// coordinates:
//
//     K da = -P r        P = I - A+ A        da_total = da - A+ (A (a + da) - b)
//
// It diverges for most mechanisms (docs/theory/gluing.md), and is kept to show that.
//
// Modules find P r as the residual under loads w: r - J' w with w = G' (A A')+ G y, y = J r.

#include "glue/glue.h"

#define STATE (TR_CALL_RESIDUAL | TR_CALL_MOTION | TR_CALL_COMPLIANCE | TR_CALL_PORT_RESIDUAL)

static trStatus plan(trArena *arena, trGlue *g) {
    double *y = tr_new_array(arena, double, g->it.nw * g->it.ports);
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < g->it.modules; i++) {
        g->exchange[i].y = y + g->it.nw * g->it.first[i];
    }
    g->work = y;
    return TR_OK;
}

// Loads that leave P r of the residual that modules have under Q, the forces between ports.
static void project_residual(trGlue *g) {
    trInterface *it = &g->it;
    double      *w = g->w[TR_LEVEL_LOAD];
    int          n = it->nw * it->ports;
    for (int i = 0; i < n; i++) {
        w[i] = it->Q[i] - g->load[i];
    }
    tr_interface_respond(it, w, it->y);
    tr_interface_rows(it, g->work, it->right);
    for (int i = 0; i < it->m; i++) {
        it->right[i] = it->y[i] - it->right[i];
    }
    tr_semidefinite_solve(&it->force, it->right, g->lambda);
    tr_interface_spread(it, g->lambda, w);
    for (int i = 0; i < n; i++) {
        double load = it->Q[i] + w[i];
        w[i] = load - g->load[i];
        g->load[i] = load;
    }
}

static trStatus iterate(trGlue *g, const trGlueStep *step) {
    trInterface *it = &g->it;
    TR_TRY(tr_interface_evaluate(it, step->t, true));
    tr_interface_factor(it);
    project_residual(g);
    TR_TRY(tr_glue_exchange(g, TR_CALL_LOAD | TR_CALL_JUDGE | TR_CALL_MOTION));
    TR_TRY(tr_interface_evaluate(it, step->t, false));
    tr_semidefinite_solve(&it->force, it->acceleration, it->y);
    tr_interface_spread(it, it->y, g->w[TR_LEVEL_FORCE]);
    TR_TRY(tr_glue_exchange(g, TR_CALL_FORCE | TR_CALL_MOTION));
    return tr_interface_evaluate(it, step->t, false);
}

static trStatus advance(trGlue *g, const trGlueStep *step) {
    if (step->h == 0.0) {
        return tr_gluing_gauss.advance(g, step);
    }
    for (int i = 0; i < g->it.modules; i++) {
        g->exchange[i].step.plain = 1;
    }
    TR_TRY(tr_glue_exchange(g, TR_CALL_PREDICT | STATE));
    for (int k = 0;; k++) {
        TR_TRY(iterate(g, step));
        tr_glue_measure(g, k);
        g->iterations = k;
        if (tr_glue_converged(g, k)) {
            return tr_glue_finish(g, step);
        }
        TR_TRY(tr_glue_check_progress(g, step, k));
        TR_TRY(tr_glue_close_joints(g, step, STATE));
    }
}

const trGluingKind tr_gluing_naive = {
    .name = "naive",
    .title = "Orthogonal projections",
    .summary = "as first proposed; diverges for most mechanisms, kept to show it",
    .source = "002, GL-DYN and GL-ACC",
    .takes = TR_TAKES_POSITION | TR_TAKES_VELOCITY | TR_TAKES_PLAIN,
    .plan = plan,
    .advance = advance,
};
