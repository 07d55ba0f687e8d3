// SPDX-License-Identifier: MIT
// Weak coupling, one module after the other, in the order of the assembly: each solves its step
// with the latest motion of the others (couple.h).

#include "glue/couple.h"

static trStatus plan(trArena *arena, trGlue *g) {
    g->work = tr_new(arena, trCouple);
    TR_TRY(tr_arena_status(arena));
    return tr_couple_plan(arena, g, false, g->work);
}

// Modules begin the step when it is their turn: those before see them where the last one ended.
static trStatus sweep(trGlue *g, trCouple *c, const trGlueStep *step, bool first) {
    unsigned begin = TR_CALL_PREDICT | TR_CALL_RESIDUAL | TR_CALL_MOTION | TR_CALL_COMPLIANCE |
                     (g->accepting ? TR_CALL_ACCEPT : 0u);
    for (int i = 0; i < g->it.modules; i++) {
        if (first) {
            TR_TRY(tr_couple_ask(g, i, begin));
        }
        TR_TRY(tr_couple_answer(g, c, step, i, g->lambda));
        TR_TRY(tr_couple_settle(g, c, i));
    }
    g->accepting = false;
    return TR_OK;
}

static trStatus advance(trGlue *g, const trGlueStep *step) {
    return tr_couple_advance(g, step, sweep);
}

const trGluingKind tr_gluing_gauss_seidel = {
    .name = "gauss_seidel",
    .title = "Weak coupling, one after the other",
    .summary = "weak: modules solve in turn with the others' latest motion",
    .source = "002 section 2.3",
    .options = {"sweeps"},
    .no_joints = true,
    .plan = plan,
    .advance = advance,
};
