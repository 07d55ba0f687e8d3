// SPDX-License-Identifier: MIT
// Weak coupling, all modules at once: each solves its step with the others as they were in the last
// sweep, and in the first one as they were when the step began (couple.h).

#include <string.h>

#include "glue/couple.h"

static trStatus plan(trArena *arena, trGlue *g) {
    trCouple *c = tr_new(arena, trCouple);
    TR_TRY(tr_arena_status(arena));
    c->tells_Q = true;
    g->work = c;
    return tr_couple_plan(arena, g, c);
}

static trStatus advance(trGlue *g, const trGlueStep *step) {
    trCouple *c = g->work;
    bool      done = false;
    if (step->h == 0.0) {
        return tr_gluing_gauss.advance(g, step);
    }
    for (int k = 0; !done; k++) {
        tr_couple_begin_sweep(c, k == 0);
        tr_port_motion_keep(&g->it, &c->last);
        memcpy(c->others, g->lambda, (size_t)g->it.m * sizeof(double));
        memcpy(c->Q, g->it.Q, (size_t)(g->it.nw * g->it.ports) * sizeof(double));
        if (k == 0) {
            TR_TRY(tr_glue_exchange(g, TR_CALL_PREDICT | TR_CALL_RESIDUAL | TR_CALL_MOTION |
                                           TR_CALL_COMPLIANCE));
        }
        TR_TRY(tr_couple_answer_all(g, c, step));
        TR_TRY(tr_couple_settle(g, c, -1));
        TR_TRY(tr_couple_end_sweep(g, c, step, k, &done));
    }
    return TR_OK;
}

const trGluingKind tr_gluing_jacobi = {
    .name = "jacobi",
    .title = "Weak coupling, all at once",
    .summary = "weak: modules solve side by side with the others' last motion",
    .source = "002 section 2.3",
    .no_joints = true,
    .plan = plan,
    .advance = advance,
};
