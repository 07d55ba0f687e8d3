// SPDX-License-Identifier: MIT
// The field table of trSimDef, and the named methods (presets).

#ifndef TR_SIM_DEF_H
#define TR_SIM_DEF_H

#include "base/field.h"
#include "trammel/sim.h"

extern const trField tr_sim_def_fields[];

// One setting, as tr_sim_def_bind takes it. Texts and lists are those of `def`.
trParam tr_sim_def_param(const trSimDef *def, const trField *field);

// What stands where the user chooses nothing.
#define TR_DEFAULT_METHOD "direct_mass"
#define TR_DEFAULT_INTEGRATOR "dop853"
#define TR_SAMPLES 200    // rows in place of `sample` and `times`
#define TR_MAX_STEPS 1e6  // accepted and rejected ones of a run

// A paper's method is a preset of five choices.
typedef struct trMethod {
    const char *name;
    const char *formulation, *stabilization, *stage_projection, *step_projection;
    const char *integrator;  // NULL: the user's choice
    const char *form;        // in which an implicit integrator sees the equations; or NULL
    const char *summary;
    const char *source;
} trMethod;

// What a method does to the constraints; follows from its parts.
typedef enum trMethodGroup {
    TR_GROUP_DRIFTS,      // accelerations alone
    TR_GROUP_SOFT,        // violations are fed back
    TR_GROUP_VELOCITIES,  // velocities satisfy the constraints in every evaluation
    TR_GROUP_PROJECTED,   // so do positions, after every step at least
    TR_GROUP_OWN,         // integrators of their own
    TR_GROUPS,
} trMethodGroup;

trMethodGroup tr_method_group(const trMethod *method);
const char   *tr_group_name(trMethodGroup group);     // "drifts", ...
const char   *tr_group_summary(trMethodGroup group);  // what that means

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

// --- options: settings that only some choices read (options.c) ---

// One kind that reads one option.
typedef struct trReader {
    const char *setting;
    const char *choice;  // the member of trSimDef that names the kind: "formulation", ...
    const char *kind;
} trReader;

int             tr_reader_count(void);
const trReader *tr_reader_at(int index);
bool            tr_is_option(const char *setting);
// What holds where the option is left out, in words; NULL: its default is a number.
const char *tr_option_left_out(const char *setting);

// Whether what `def` chooses, itself or by its method, reads the setting; what is no option is read
// by all.
bool tr_sim_def_reads(const trSimDef *def, const char *setting);
// Whether it is not what it is by default.
bool tr_sim_def_gives(const trSimDef *def, const char *setting);
void tr_sim_def_forget(trSimDef *def, const char *setting);  // back to its default
void tr_sim_def_forget_unread(trSimDef *def);
// TR_E_ARGUMENT, with who would read it, for an option that is given and not read.
trStatus tr_sim_def_check_options(const trSimDef *def);

// Over what `def` holds, sets what `params` say. Texts are copied to the arena.
trStatus tr_sim_def_bind(trArena *arena, const trParam *params, trSimDef *def) TR_SHARED;

// How many of the first warnings are about the chosen methods, whatever the run does.
int tr_sim_method_warnings(const trSim *sim);

// Unknown words are refused with a suggestion.
trStatus tr_sim_def_check(const trSimDef *def) TR_SHARED;

#endif
