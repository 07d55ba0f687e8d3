// SPDX-License-Identifier: MIT
// How a simulation is described: the fields of simulate{} and of the command's options, and options
// that nothing would read.

#include "sim/def.h"

#include <math.h>
#include <string.h>

#include "basis/basis.h"

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
    TR_FIELD_NAMED("output_step", trSimDef, sample, TR_FIELD_REAL, TR_POSITIVE, NAN, "s", "time between output rows; default: 1/200 of the duration"),
    TR_FIELD_NAMED("output_times", trSimDef, times, TR_FIELD_NUMBERS, 0, NAN, "s", "output times, instead of output_step"),
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

// --- options that are given and not read ---

static bool method_reads(const char *method, const char *setting) {
    const trSimDef def = {.method = method};
    return tr_sim_def_reads(&def, setting);
}

// The k-th that reads it: methods, then integrators that are no methods; NULL: there are no more.
static const char *reader_name(const char *setting, int k) {
    for (int i = 0; i < tr_method_count(); i++) {
        const char *name = tr_method_at(i)->name;
        if (method_reads(name, setting) && k-- == 0) {
            return name;
        }
    }
    trReader reader;
    for (int i = 0; tr_setting_reader(setting, i, &reader); i++) {
        bool counts =
            strcmp(reader.choice, "integrator") == 0 && tr_method_find(reader.kind) == NULL;
        if (counts && k-- == 0) {
            return reader.kind;
        }
    }
    return NULL;
}

// "; maggi and maggi_frozen do: ...", or the choice where none of them does.
static trStatus add_readers(const char *setting) {
    int count = 0;
    while (reader_name(setting, count) != NULL) {
        count++;
    }
    for (int k = 0; k < count; k++) {
        const char *before = k == 0 ? "; " : k < count - 1 ? ", " : " and ";
        tr_add_hint(TR_E_ARGUMENT, "%s%s", before, reader_name(setting, k));
    }
    trReader reader;
    for (int i = 0; count == 0 && tr_setting_reader(setting, i, &reader); i++) {
        tr_add_hint(TR_E_ARGUMENT, "; %s '%s'", reader.choice, reader.kind);
    }
    return tr_add_hint(TR_E_ARGUMENT, "%s, or leave '%s' out",
                       count > 1 ? " do; use one of these" : " does: take it", setting);
}

trStatus tr_sim_def_check_options(const trSimDef *def) {
    const trFieldList all = tr_settings();
    for (int i = 0; i < all.count; i++) {
        const char *setting = all.at[i]->name;
        if (tr_sim_def_reads(def, setting) || !tr_sim_def_gives(def, all.at[i])) {
            continue;
        }
        if (def->method == NULL || method_reads(def->method, setting)) {
            tr_fail(TR_E_ARGUMENT, "'%s' is not read by what is chosen", setting);
        } else {
            tr_fail(TR_E_ARGUMENT, "'%s' is not read by method '%s'", setting, def->method);
        }
        return add_readers(setting);
    }
    return TR_OK;
}
