// SPDX-License-Identifier: MIT
// Integrators, and the algorithms and schemes of coupled runs.

#include "base/traits.h"
#include "glue/glue.h"
#include "integrator/integrator.h"
#include "registry/registry.h"

// Those on the first face that need tangents iterate, too.
static bool is_implicit(const trIntegratorKind *kind) {
    return kind->implicit != NULL || (kind->owner != NULL && kind->owner->needs_tangent);
}

// What a method on the second face cannot be combined with: it holds positions on the constraints
// by itself. Where accelerations are its own results, they belong to states that must not be moved;
// else ends of steps are put on the constraints in the metric of M, or not at all.
static void add_refusals(trKindInfo *out, const trIntegratorKind *kind) {
    const trImplicitKind *implicit = kind->implicit;
    if (implicit == NULL) {
        tr_fact_item(out, "refuses", NULL);
        return;
    }
    const struct {
        bool        refused;
        const char *words;
    } all[] = {
        {true, "method"},
        {true, "stabilization"},
        {true, "stage_projection"},
        {implicit->own_reactions, "step_projection"},
        {!implicit->own_reactions, "step_projection but mass_orthogonal"},
        {(kind->traits & TR_COPES_REDUNDANT) == 0, "redundant joints"},
        {!implicit->needs_tangent, "extra states"},
        {!implicit->needs_tangent, "constraints that are not linear in velocities"},
        {(kind->traits & TR_COPES_NONIDEAL) == 0, "nonideal that uses reactions"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].refused) {
            tr_fact_item(out, "refuses", all[i].words);
        }
    }
}

static void describe_integrator(int index, trKindInfo *out) {
    const trIntegratorKind *kind = tr_integrator_at(index);
    const char *const      *form = kind->implicit != NULL ? kind->implicit->forms : NULL;
    *out = (trKindInfo){.name = kind->name, .summary = kind->summary, .source = kind->source};
    tr_fact_integer(out, "order", kind->order);
    tr_fact_bool(out, "adaptive", kind->error_order > 0);
    tr_fact_integer(out, "error_order", kind->error_order);
    tr_fact_integer(out, "dense_order", kind->dense_order);
    tr_fact_integer(out, "evaluations", kind->evaluations);
    tr_fact_bool(out, "implicit", is_implicit(kind));
    if (form == NULL) {
        tr_fact_item(out, "forms", NULL);
    }
    for (; form != NULL && *form != NULL; form++) {
        tr_fact_item(out, "forms", *form);
    }
    add_refusals(out, kind);
}

const trFamilyKind tr_family_integrators = {"integrators", tr_integrator_count, describe_integrator,
                                            NULL};

// --- coupled runs ---

static void describe_coupling(int index, trKindInfo *out) {
    const trGluingKind *kind = tr_gluing_at(index);
    *out = (trKindInfo){
        .name = kind->name, .summary = kind->summary, .source = kind->source, .title = kind->title};
    const struct {
        unsigned    bit;
        const char *key;
    } needs[] = {{TR_TAKES_POSITION, "positions"},
                 {TR_TAKES_VELOCITY, "velocities"},
                 {TR_TAKES_PLAIN, "plain"}};
    tr_fact_bool(out, "for_joints", !kind->no_joints);
    if ((kind->takes & (TR_TAKES_POSITION | TR_TAKES_VELOCITY | TR_TAKES_PLAIN)) == 0) {
        tr_fact_item(out, "modules_must_take", NULL);
    }
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if ((kind->takes & needs[i].bit) != 0) {
            tr_fact_item(out, "modules_must_take", needs[i].key);
        }
    }
}

static void describe_scheme(int index, trKindInfo *out) {
    const trSchemeKind *kind = tr_scheme_at(index);
    *out = (trKindInfo){.name = kind->name, .summary = kind->summary, .source = kind->source};
}

const trFamilyKind tr_family_couplings = {"gluings", tr_gluing_count, describe_coupling, NULL};
const trFamilyKind tr_family_schemes = {"schemes", tr_scheme_count, describe_scheme, NULL};
