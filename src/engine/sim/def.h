// SPDX-License-Identifier: MIT
// The field table of trSimDef, and the named methods (presets).

#ifndef TR_SIM_DEF_H
#define TR_SIM_DEF_H

#include "base/field.h"
#include "trammel/sim.h"

extern const trField tr_sim_def_fields[];

// What stands where the user chooses nothing.
#define TR_DEFAULT_METHOD "direct_mass"
#define TR_DEFAULT_INTEGRATOR "dop853"
#define TR_STIFF_INTEGRATOR "radau5"  // for stiff equations
#define TR_STIFF_LIBRARY "cvode"      // in its place where it is there and fits
#define TR_ASSEMBLE "assemble"        // what a run begins with
#define TR_STRICT "strict"
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
    const char *projection;      // a name of the registry of projections, or NULL
    const char *carry;           // a name of the registry of carries, or NULL
    const char *moving_form_of;  // another stage, for the moving basis of this name; or NULL
    const char *summary;
} trStageKind;

int                tr_stage_count(void);
const trStageKind *tr_stage_at(int index);
const trStageKind *tr_stage_find(const char *name);  // NULL if unknown

// What the parts of a method can take together.
unsigned tr_method_traits(const trMethod *method);
unsigned tr_choice_traits(const char *formulation, const char *stabilization, const char *stage,
                          const char *step, const char *integrator);

// --- settings: members of trSimDef, and options of kinds (settings.c) ---

#define TR_SETTING_NAME 32  // most bytes of a name, with its end

// In the order of listings and of notes in result files. Where kinds share an option, the field is
// that of the first.
trFieldList    tr_settings(void) TR_SHARED;
const trField *tr_setting_find(const char *name) TR_SHARED;  // NULL if unknown

// One kind that reads an option.
typedef struct trReader {
    const char    *choice;  // the member of trSimDef that names the kind: "formulation", ...
    const char    *kind;
    const trField *field;  // NULL: a member of trSimDef, of which the kind has no field
} trReader;

// The k-th that reads it; false: there are no more.
bool tr_setting_reader(const char *setting, int k, trReader *out) TR_SHARED;
bool tr_is_option(const char *setting) TR_SHARED;  // only some kinds read it

// Whether what `def` chooses, itself or by its method, reads the setting; what is no option is read
// by all.
bool tr_sim_def_reads(const trSimDef *def, const char *setting) TR_SHARED;
// What it is, also where that is its default. Texts and lists are those of `def`.
trParam tr_sim_def_value(const trSimDef *def, const trField *setting) TR_SHARED;
bool    tr_sim_def_is_plain(const trSimDef *def, const trField *setting) TR_SHARED;  // the default
// Whether it is written: an option that is named, or a member that is not what it is by default.
bool tr_sim_def_gives(const trSimDef *def, const trField *setting) TR_SHARED;
bool tr_sim_def_is_strict(const trSimDef *def);  // how it begins
// Back to its default. Memory that is missing is seen in the arena, here and below.
void tr_sim_def_forget(trArena *arena, trSimDef *def, const char *setting) TR_SHARED;
void tr_sim_def_forget_unread(trArena *arena, trSimDef *def) TR_SHARED;
// TR_E_ARGUMENT, with who would read it, for an option that is given and not read.
trStatus tr_sim_def_check_options(const trSimDef *def);

// Over what `def` holds, sets what `params` say. Everything is copied to the arena.
trStatus tr_sim_def_bind(trArena *arena, const trParam *params, trSimDef *def) TR_SHARED;

// How many of the first warnings are about the chosen methods, whatever the run does.
int tr_sim_method_warnings(const trSim *sim);

// Unknown words are refused with a suggestion.
trStatus tr_sim_def_check(const trSimDef *def) TR_SHARED;

#endif
