// SPDX-License-Identifier: MIT
// Joints that accelerations have left open are closed by impulses.

#include "glue/glue.h"

trStatus tr_glue_close_joints(trGlue *g, const trGlueStep *step, unsigned calls) {
    TR_TRY(tr_glue_correct(g, step, TR_LEVEL_POSITION));
    TR_TRY(tr_glue_exchange(g, TR_CALL_POSITION | TR_CALL_MOTION));
    TR_TRY(tr_glue_correct(g, step, TR_LEVEL_VELOCITY));
    return tr_glue_exchange(g, TR_CALL_VELOCITY | TR_CALL_MOTION | calls);
}
