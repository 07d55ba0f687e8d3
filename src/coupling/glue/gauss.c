// SPDX-License-Identifier: MIT
// Gluing by Gauss's principle of least constraint, with the iteration matrix K of each module as
// weight and the constraint at the trial acceleration (docs/theory/gluing.md, paper 002, (32)):
//
//     S lambda = G (a + da) - b + G W (Q - f)        S = G W G',  W = J K^-1 J'
//     f <- Q - G' lambda
//
// where f are the loads on the ports, da what modules found by themselves with f, and Q the forces
// of springs between ports. Then joints are closed (iterate.c). Rows that depend on others are
// dropped from S and hold by them.

#include <string.h>

#include "glue/glue.h"

// Loads that close the joints at the level of accelerations. Modules that solve with them find the
// projected da by themselves.
static void solve_loads(trGlue *g) {
    int n = g->it.nw * g->it.ports;
    memset(g->w[TR_LEVEL_FORCE], 0, (size_t)n * sizeof(double));
    tr_glue_solve_loads(g, g->it.acceleration, 1.0, g->w[TR_LEVEL_LOAD]);
}

static trStatus advance(trGlue *g, const trGlueStep *step) {
    trInterface *it = &g->it;
    TR_TRY(tr_glue_exchange(g, TR_CALL_PREDICT | TR_CALL_RESIDUAL | TR_CALL_MOTION |
                                   TR_CALL_COMPLIANCE));
    for (int k = 0;; k++) {
        TR_TRY(tr_interface_evaluate(it, step->t, true));
        if (step->h == 0.0 && k == 0) {
            TR_TRY(tr_interface_count_turns(it, step->t));
            tr_glue_watch_start(g);
        }
        tr_interface_factor(it);
        solve_loads(g);
        TR_TRY(tr_glue_exchange(g, TR_CALL_LOAD | TR_CALL_JUDGE | TR_CALL_FORCE | TR_CALL_MOTION));
        TR_TRY(tr_interface_evaluate(it, step->t, false));
        tr_glue_measure(g, k);
        g->iterations = k;
        if (tr_glue_converged(g, k)) {
            return tr_glue_finish(g, step);
        }
        TR_TRY(tr_glue_check_progress(g, step, k));
        TR_TRY(tr_glue_close_joints(g, step, TR_CALL_RESIDUAL | TR_CALL_COMPLIANCE));
    }
}

const trGluingKind tr_gluing_gauss = {
    .name = "gauss",
    .title = "Gauss's principle",
    .summary = "acceleration projection weighted by each module's iteration matrix",
    .source = "002 (31)-(32), corrected",
    .advance = advance,
};
