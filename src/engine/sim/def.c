// SPDX-License-Identifier: MIT
// How a simulation is described: the fields of simulate{} and of the command's options.

#include "sim/def.h"

#include <math.h>
#include <string.h>

#include "base/spell.h"
#include "basis/basis.h"
#include "formulation/formulation.h"
#include "integrator/integrator.h"
#include "projection/projection.h"
#include "stabilization/stabilization.h"

static const char *const beginnings[] = {TR_ASSEMBLE, TR_STRICT, NULL};

// clang-format off
const trField tr_sim_def_fields[] = {
    TR_FIELD(trSimDef, method, TR_FIELD_TEXT, 0, NAN, "", "preset of the next four settings; see `trammel methods`"),
    TR_FIELD(trSimDef, formulation, TR_FIELD_TEXT, 0, NAN, "", "solves for accelerations and multipliers"),
    TR_FIELD(trSimDef, stabilization, TR_FIELD_TEXT, 0, NAN, "", "changes b: \"none\" or a name from `trammel methods`"),
    TR_FIELD(trSimDef, stage_projection, TR_FIELD_TEXT, 0, NAN, "", "in every evaluation: \"none\" or a name from `trammel methods`"),
    TR_FIELD(trSimDef, step_projection, TR_FIELD_TEXT, 0, NAN, "", "after every step: \"none\" or a name from `trammel methods`"),
    TR_FIELD(trSimDef, integrator, TR_FIELD_TEXT, 0, NAN, "", "see `trammel integrators`; default: dop853, or that of the method"),
    TR_FIELD(trSimDef, start, TR_FIELD_REAL, 0, 0.0, "s", "start time"),
    TR_FIELD(trSimDef, duration, TR_FIELD_REAL, TR_POSITIVE, 1.0, "s", "duration of the run"),
    TR_FIELD(trSimDef, step, TR_FIELD_REAL, TR_POSITIVE, NAN, "s", "step size; of adaptive methods the first step"),
    TR_FIELD(trSimDef, rtol, TR_FIELD_REAL, TR_POSITIVE, 1e-8, "", "relative tolerance of adaptive methods"),
    TR_FIELD(trSimDef, atol, TR_FIELD_REAL, TR_POSITIVE, 1e-8, "", "absolute tolerance of adaptive methods"),
    TR_FIELD(trSimDef, min_step, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.0, "s", "steps of this size are always accepted, and counted as forced"),
    TR_FIELD(trSimDef, max_step, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.0, "s", "largest step; 0: a fifth of the duration. Reduce it to the width of the narrowest pulse"),
    TR_FIELD(trSimDef, max_steps, TR_FIELD_REAL, TR_NOT_NEGATIVE, TR_MAX_STEPS, "", "most steps of a run, accepted and rejected; 0: no limit. The default does not limit fixed steps"),
    TR_OPTION(trSimDef, form, TR_FIELD_TEXT, 0, NAN, "", "equations of an implicit integrator: \"index3\", \"ggl\" or \"index1\"; see `trammel integrators`", "the integrator's own", NULL),
    TR_OPTION(trSimDef, basis, TR_FIELD_TEXT, 0, NAN, "", "null-space basis of the maggi methods", "householder", tr_basis_names),
    TR_FIELD(trSimDef, rank_tolerance, TR_FIELD_REAL, TR_POSITIVE, 1e-4, "", "rows closer than this to a combination of others count as dependent"),
    TR_FIELD(trSimDef, sample, TR_FIELD_REAL, TR_POSITIVE, NAN, "s", "time between output rows; default: 1/200 of the duration"),
    TR_FIELD(trSimDef, times, TR_FIELD_NUMBERS, 0, NAN, "s", "output times, instead of sample"),
    TR_OPTION(trSimDef, initial, TR_FIELD_TEXT, 0, NAN, "", "how a run begins: \"assemble\" corrects a start that violates the constraints, \"strict\" refuses it", TR_ASSEMBLE, beginnings),
    TR_FIELD_END,
};
// clang-format on

trSimDef tr_sim_def_default(void) {
    return (trSimDef){.struct_size = sizeof(trSimDef),
                      .duration = 1.0,
                      .rtol = 1e-8,
                      .atol = 1e-8,
                      .max_steps = TR_MAX_STEPS,
                      .rank_tolerance = 1e-4};
}

static const char *method_name(const void *context, int i) {
    (void)context;
    return tr_method_at(i)->name;
}

static const char *step_projection_name(const void *context, int i) {
    (void)context;
    return i == 0 ? "none" : tr_projection_at(i - 1)->name;
}

static const char *stage_projection_name(const void *context, int i) {
    (void)context;
    return i == 0 ? "none" : tr_stage_at(i - 1)->name;
}

static const char *stabilization_name(const void *context, int i) {
    (void)context;
    return i == 0 ? "none" : tr_stabilization_at(i - 1)->name;
}

// `value` must be one of the `count` names; NULL is allowed.
static trStatus check_word(const char *what, const char *value, int count,
                           const char *(*name)(const void *, int), const void *context) {
    for (int i = 0; value != NULL && i < count; i++) {
        if (strcmp(name(context, i), value) == 0) {
            return TR_OK;
        }
    }
    if (value == NULL) {
        return TR_OK;
    }
    if (strcmp(what, "method") == 0 && tr_integrator_find(value) != NULL) {
        return tr_fail(TR_E_ARGUMENT,
                       "unknown method '%s'; it is an integrator: integrator = \"%s\"", value,
                       value);
    }
    if (strcmp(what, "integrator") == 0 && tr_method_find(value) != NULL) {
        return tr_fail(TR_E_ARGUMENT, "unknown integrator '%s'; it is a method: method = \"%s\"",
                       value, value);
    }
    return tr_spell_refuse(what, value, count, name, context);
}

static trStatus check_integrator(const char *name) {
    if (name != NULL && tr_integrator_is_absent(name)) {
        return tr_fail(TR_E_ARGUMENT,
                       "integrator '%s' needs SUNDIALS, which this build does not have; use radau5 "
                       "for stiff systems, else dop853",
                       name);
    }
    return check_word("integrator", name, tr_integrator_count(), tr_integrator_word, NULL);
}

// Words of members that have a list of them.
static trStatus check_listed(const trSimDef *def) {
    for (const trField *f = tr_sim_def_fields; f->name != NULL; f++) {
        const trParam one[] = {tr_field_param(f, def), {0}};
        if (f->words != NULL && one->text != NULL) {
            TR_TRY(tr_fields_check(tr_sim_def_fields, one));
        }
    }
    return TR_OK;
}

trStatus tr_sim_def_check(const trSimDef *def) {
    TR_TRY(check_listed(def));
    TR_TRY(check_word("method", def->method, tr_method_count(), method_name, NULL));
    TR_TRY(check_word("formulation", def->formulation, tr_formulation_count(), tr_formulation_word,
                      NULL));
    TR_TRY(check_integrator(def->integrator));
    TR_TRY(check_word("step_projection", def->step_projection, tr_projection_count() + 1,
                      step_projection_name, NULL));
    TR_TRY(check_word("stage_projection", def->stage_projection, tr_stage_count() + 1,
                      stage_projection_name, NULL));
    return check_word("stabilization", def->stabilization, tr_stabilization_count() + 1,
                      stabilization_name, NULL);
}
