// SPDX-License-Identifier: MIT
// Joints that an iteration has left open are closed by impulses, level after level. Positions and
// velocities that were put on the joints need other accelerations: those are put there without
// moving the rest. Left to the next iteration, they would move positions off the joints and back
// again, while K da tells springs of a movement that does not last: stiff modules would need twice
// as many iterations.

#include "glue/glue.h"

static bool any_takes_accelerations(const trInterface *it) {
    for (int i = 0; i < it->modules; i++) {
        if ((it->face[i].takes & TR_TAKES_ACCELERATION) != 0 && it->face[i].ports > 0) {
            return true;
        }
    }
    return false;
}

trStatus tr_glue_close_joints(trGlue *g, const trGlueStep *step, unsigned calls) {
    TR_TRY(tr_glue_correct(g, step, TR_LEVEL_POSITION));
    TR_TRY(tr_glue_exchange(g, TR_CALL_POSITION | TR_CALL_MOTION));
    TR_TRY(tr_glue_correct(g, step, TR_LEVEL_VELOCITY));
    if (!any_takes_accelerations(&g->it)) {
        return tr_glue_exchange(g, TR_CALL_VELOCITY | TR_CALL_MOTION | calls);
    }
    TR_TRY(tr_glue_exchange(g, TR_CALL_VELOCITY | TR_CALL_MOTION));
    TR_TRY(tr_glue_correct(g, step, TR_LEVEL_ACCELERATION));
    return tr_glue_exchange(g, TR_CALL_ACCELERATION | TR_CALL_MOTION | calls);
}
