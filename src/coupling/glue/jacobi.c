// SPDX-License-Identifier: MIT
// Weak coupling, all modules at once: each solves its step with the others as they were in the last
// sweep, and in the first one as they were when the step began (couple.h).

#include <string.h>

#include "glue/couple.h"

static trStatus plan(trArena *arena, trGlue *g) {
    g->work = tr_new(arena, trCouple);
    TR_TRY(tr_arena_status(arena));
    return tr_couple_plan(arena, g, true, g->work);
}

static trStatus sweep(trGlue *g, trCouple *c, const trGlueStep *step, bool first) {
    tr_port_motion_keep(&g->it, &c->last);
    memcpy(c->others, g->lambda, (size_t)g->it.m * sizeof(double));
    memcpy(c->Q, g->it.Q, (size_t)(g->it.nw * g->it.ports) * sizeof(double));
    if (first) {
        TR_TRY(tr_glue_exchange(g, TR_CALL_PREDICT | TR_CALL_RESIDUAL | TR_CALL_MOTION |
                                       TR_CALL_COMPLIANCE));
    }
    TR_TRY(tr_couple_answer_all(g, c, step));
    return tr_couple_settle(g, c, -1);
}

static trStatus advance(trGlue *g, const trGlueStep *step) {
    return tr_couple_advance(g, step, sweep);
}

const trGluingKind tr_gluing_jacobi = {
    .name = "jacobi",
    .title = "Weak coupling, all at once",
    .summary = "weak: modules solve side by side with the others' last motion",
    .source = "002 section 2.3",
    .options = {"sweeps"},
    .no_joints = true,
    .plan = plan,
    .advance = advance,
};
