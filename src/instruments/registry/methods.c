// SPDX-License-Identifier: MIT
// Methods, what they are made of, and settings.

#include "base/traits.h"
#include "basis/basis.h"
#include "carry/carry.h"
#include "formulation/formulation.h"
#include "projection/projection.h"
#include "registry/registry.h"
#include "sim/def.h"
#include "stabilization/stabilization.h"

// Methods in the order of groups, and in a group in that of methods.def.
static const trMethod *method_at(int index) {
    for (int group = 0; group < TR_GROUPS; group++) {
        for (int i = 0; i < tr_method_count(); i++) {
            const trMethod *method = tr_method_at(i);
            if ((int)tr_method_group(method) == group && index-- == 0) {
                return method;
            }
        }
    }
    return NULL;
}

static void describe_method(int index, trKindInfo *out) {
    const trMethod *method = method_at(index);
    unsigned        traits = tr_method_traits(method);
    *out = (trKindInfo){.name = method->name,
                        .summary = method->summary,
                        .source = method->source,
                        .title = tr_group_name(tr_method_group(method))};
    tr_fact_text(out, "group_means", tr_group_summary(tr_method_group(method)));
    tr_fact_text(out, "formulation", method->formulation);
    tr_fact_text(out, "stabilization", method->stabilization);
    tr_fact_text(out, "stage_projection", method->stage_projection);
    tr_fact_text(out, "step_projection", method->step_projection);
    tr_fact_text(out, "integrator", method->integrator);
    tr_fact_traits(out, traits);
    if ((traits & TR_COPES_ALL) == TR_COPES_ALL) {
        tr_fact_item(out, "refuses", NULL);
    }
    for (int i = 0; i < TR_TRAITS; i++) {
        if ((traits & tr_traits[i].bit) == 0) {
            tr_fact_item(out, "refuses", tr_traits[i].refusal);
        }
    }
}

// The options that it reads.
static trFieldList method_fields(int index) {
    const trSimDef    def = {.method = method_at(index)->name};
    const trFieldList all = tr_settings();
    trFieldList       read = {0};
    for (int i = 0; i < all.count; i++) {
        if (tr_is_option(all.at[i]->name) && tr_sim_def_reads(&def, all.at[i]->name)) {
            read.at[read.count++] = all.at[i];
        }
    }
    return read;
}

const trFamilyKind tr_family_methods = {"methods", tr_method_count, describe_method, method_fields};

// --- parts ---

#define HEAD(kind) \
    ((trKindInfo){.name = (kind)->name, .summary = (kind)->summary, .source = (kind)->source})

static void describe_formulation(int index, trKindInfo *out) {
    const trFormulationKind *kind = tr_formulation_at(index);
    *out = HEAD(kind);
    tr_fact_traits(out, kind->traits);
    tr_fact_number(out, "error", kind->error);
}

static void describe_stabilization(int index, trKindInfo *out) {
    *out = HEAD(tr_stabilization_at(index));
    tr_fact_traits(out, tr_stabilization_at(index)->traits);
}

// A stage is a projection, or leaves what is carried; the source is that of the part.
static void describe_stage(int index, trKindInfo *out) {
    const trStageKind      *stage = tr_stage_at(index);
    const trProjectionKind *projection =
        stage->projection != NULL ? tr_projection_find(stage->projection) : NULL;
    const trCarryKind *carry = projection == NULL ? tr_carry_find(stage->carry) : NULL;
    *out = (trKindInfo){.name = stage->name,
                        .summary = stage->summary,
                        .source = projection != NULL ? projection->source : carry->source};
    tr_fact_text(out, "projection", stage->projection);
    tr_fact_text(out, "carry", stage->carry);
    tr_fact_traits(out, projection != NULL ? projection->traits : carry->traits);
}

// The metric is that in which the step is the smallest; NULL: it is chosen by other means.
static void describe_projection(int index, trKindInfo *out) {
    const trProjectionKind *kind = tr_projection_at(index);
    *out = HEAD(kind);
    tr_fact_text(out, "metric",
                 kind->weight == TR_WEIGHT_MASS       ? "mass"
                 : kind->weight == TR_WEIGHT_IDENTITY ? "identity"
                                                      : NULL);
    tr_fact_bool(out, "velocities_only", kind->velocities_only);
    tr_fact_traits(out, kind->traits);
}

static void describe_carry(int index, trKindInfo *out) {
    *out = HEAD(tr_carry_at(index));
    tr_fact_traits(out, tr_carry_at(index)->traits);
}

static void describe_basis(int index, trKindInfo *out) {
    const trBasisKind *kind = tr_basis_at(index);
    *out = HEAD(kind);
    tr_fact_bool(out, "orthonormal", kind->orthonormal);
    tr_fact_bool(out, "continuous", kind->continuous);
    tr_fact_bool(out, "depends_on_units", (kind->traits & TR_BY_UNITS) != 0);
}

const trFamilyKind tr_family_formulations = {"formulations", tr_formulation_count,
                                             describe_formulation, NULL};
const trFamilyKind tr_family_stabilizations = {"stabilizations", tr_stabilization_count,
                                               describe_stabilization, NULL};
const trFamilyKind tr_family_stage_projections = {"stage_projections", tr_stage_count,
                                                  describe_stage, NULL};
const trFamilyKind tr_family_projections = {"projections", tr_projection_count, describe_projection,
                                            NULL};
const trFamilyKind tr_family_carries = {"carries", tr_carry_count, describe_carry, NULL};
const trFamilyKind tr_family_bases = {"bases", tr_basis_count, describe_basis, NULL};

// --- settings ---

static int count_settings(void) {
    return tr_settings().count;
}

// Kinds that read an option, by the choice that names them.
static void describe_setting(int index, trKindInfo *out) {
    const trField *field = tr_settings().at[index];
    trReader       reader;
    *out = (trKindInfo){.name = field->name, .summary = field->help};
    tr_fact_bool(out, "option", tr_is_option(field->name));
    for (int k = 0; tr_setting_reader(field->name, k, &reader); k++) {
        tr_fact_item(out, reader.choice, reader.kind);
    }
}

static trFieldList setting_fields(int index) {
    return (trFieldList){1, {tr_settings().at[index]}};
}

const trFamilyKind tr_family_settings = {"settings", count_settings, describe_setting,
                                         setting_fields};
