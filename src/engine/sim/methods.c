// SPDX-License-Identifier: MIT
// The named methods, in the order of methods.def, and what they can take.

#include <string.h>

#include "carry/carry.h"
#include "formulation/formulation.h"
#include "integrator/integrator.h"
#include "projection/projection.h"
#include "sim/def.h"
#include "stabilization/stabilization.h"

#define TR_METHOD(name, formulation, stabilization, stage, step, integrator, form, summary, \
                  source)                                                                   \
    {name, formulation, stabilization, stage, step, integrator, form, summary, source},
static const trMethod methods[] = {
#include "sim/methods.def"
};
#undef TR_METHOD

int tr_method_count(void) {
    return (int)(sizeof methods / sizeof *methods);
}

const trMethod *tr_method_at(int index) {
    return &methods[index];
}

const trMethod *tr_method_find(const char *name) {
    for (int i = 0; i < tr_method_count(); i++) {
        if (strcmp(methods[i].name, name) == 0) {
            return &methods[i];
        }
    }
    return NULL;
}

#define TR_STAGE(...) {__VA_ARGS__},
static const trStageKind stages[] = {
#include "sim/stages.def"
};
#undef TR_STAGE

int tr_stage_count(void) {
    return (int)(sizeof stages / sizeof *stages);
}

const trStageKind *tr_stage_at(int index) {
    return &stages[index];
}

const trStageKind *tr_stage_find(const char *name) {
    for (int i = 0; i < tr_stage_count(); i++) {
        if (strcmp(stages[i].name, name) == 0) {
            return &stages[i];
        }
    }
    return NULL;
}

// Rows that are dropped in a singular pose are not enforced there: something must put the state
// back on them.
static unsigned without_pose(unsigned traits, const char *stage, const char *step) {
    bool held = strcmp(stage, "none") != 0 || strcmp(step, "none") != 0;
    return held || (traits & TR_JUDGES_NO_RANK) != 0 ? traits
                                                     : traits & ~(unsigned)TR_COPES_SINGULAR_POSE;
}

unsigned tr_choice_traits(const char *formulation, const char *stabilization, const char *stage,
                          const char *step, const char *integrator) {
    const trStabilizationKind *gains = tr_stabilization_find(stabilization);
    const trStageKind         *in = tr_stage_find(stage);
    const trProjectionKind    *projection =
        in != NULL && in->projection != NULL ? tr_projection_find(in->projection) : NULL;
    const trCarryKind *carry = in != NULL && in->carry != NULL ? tr_carry_find(in->carry) : NULL;
    const trProjectionKind *after = tr_projection_find(step);
    const trIntegratorKind *advance = integrator == NULL ? NULL : tr_integrator_find(integrator);
    bool                    first_face = advance == NULL || advance->implicit == NULL;
    unsigned                own = tr_formulation_find(formulation)->traits;
    unsigned                part[] = {first_face ? without_pose(own, stage, step) : own,
                       gains != NULL ? gains->traits : TR_COPES_ALL,
                       projection != NULL ? projection->traits : TR_COPES_ALL,
                       carry != NULL ? carry->traits : TR_COPES_ALL,
                       after != NULL ? after->traits : TR_COPES_ALL,
                       advance != NULL ? advance->traits : TR_COPES_ALL};
    unsigned all = TR_COPES_ALL, any = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        all &= part[i];
        any |= part[i] & ~(unsigned)TR_COPES_ALL;
    }
    return all | any;
}

static const char *const groups[TR_GROUPS][2] = {
    [TR_GROUP_DRIFTS] = {"drifts", "accelerations alone satisfy the constraints; violations grow"},
    [TR_GROUP_SOFT] = {"soft", "violations are fed back and stay small, not zero"},
    [TR_GROUP_VELOCITIES] = {"velocities exact",
                             "velocities satisfy the constraints; positions drift little"},
    [TR_GROUP_PROJECTED] = {"projected", "positions and velocities are put on the constraints"},
    [TR_GROUP_OWN] = {"integrator", "integrators that hold the constraints themselves"},
};

const char *tr_group_name(trMethodGroup group) {
    return groups[group][0];
}

const char *tr_group_summary(trMethodGroup group) {
    return groups[group][1];
}

// Whether the projection of this name puts positions on the constraints; NULL is none.
static bool holds_positions(const char *projection) {
    const trProjectionKind *kind = projection == NULL ? NULL : tr_projection_find(projection);
    return kind != NULL && !kind->velocities_only;
}

trMethodGroup tr_method_group(const trMethod *m) {
    const trStageKind *stage = tr_stage_find(m->stage_projection);
    bool               in_stages = stage != NULL && holds_positions(stage->projection);
    bool               stabilized = tr_stabilization_find(m->stabilization) != NULL;
    return m->integrator != NULL                              ? TR_GROUP_OWN
           : in_stages || holds_positions(m->step_projection) ? TR_GROUP_PROJECTED
           : stage != NULL                                    ? TR_GROUP_VELOCITIES
           : stabilized                                       ? TR_GROUP_SOFT
                                                              : TR_GROUP_DRIFTS;
}

unsigned tr_method_traits(const trMethod *m) {
    return tr_choice_traits(m->formulation, m->stabilization, m->stage_projection,
                            m->step_projection, m->integrator);
}
