// SPDX-License-Identifier: MIT
// The field table of trSimDef, and the named methods (presets).

#ifndef TR_SIM_DEF_H
#define TR_SIM_DEF_H

#include "base/field.h"
#include "trammel/sim.h"

extern const trField tr_sim_def_fields[];

// A paper's method is a preset of five choices; the integrator stays the user's.
typedef struct trMethod {
    const char *name;
    const char *formulation, *stabilization, *stage_projection, *step_projection;
    const char *summary;
    const char *source;
} trMethod;

int             tr_method_count(void);
const trMethod *tr_method_at(int index);
const trMethod *tr_method_find(const char *name);

// Over what `def` holds, sets what `params` say. Texts are copied to the arena.
trStatus tr_sim_def_bind(trArena *arena, const trParam *params, trSimDef *def);

// Unknown words are refused with a suggestion.
trStatus tr_sim_def_check(const trSimDef *def);

#endif
