// SPDX-License-Identifier: MIT
// The field table of trSimDef, and the named methods (presets).

#ifndef TR_SIM_DEF_H
#define TR_SIM_DEF_H

#include "base/field.h"
#include "trammel/sim.h"

extern const trField tr_sim_def_fields[];

// A paper's method is a preset of five choices.
typedef struct trMethod {
    const char *name;
    const char *formulation, *stabilization, *stage_projection, *step_projection;
    const char *integrator;  // NULL: the user's choice
    const char *summary;
    const char *source;
} trMethod;

int             tr_method_count(void);
const trMethod *tr_method_at(int index);
const trMethod *tr_method_find(const char *name);

// What the right-hand side does to a state before it evaluates: a projection, or a way back from
// what is integrated in place of velocities.
typedef struct trStageKind {
    const char *name;
    const char *projection;  // a name of the registry of projections, or NULL
    const char *carry;       // a name of the registry of carries, or NULL
    const char *summary;
} trStageKind;

int                tr_stage_count(void);
const trStageKind *tr_stage_at(int index);
const trStageKind *tr_stage_find(const char *name);  // NULL if unknown

// What the parts of a method can take together.
unsigned tr_method_traits(const trMethod *method);
unsigned tr_choice_traits(const char *formulation, const char *stabilization, const char *stage,
                          const char *step, const char *integrator);

// Over what `def` holds, sets what `params` say. Texts are copied to the arena.
trStatus tr_sim_def_bind(trArena *arena, const trParam *params, trSimDef *def);

// Unknown words are refused with a suggestion.
trStatus tr_sim_def_check(const trSimDef *def);

#endif
