// SPDX-License-Identifier: MIT
// Newmark's average acceleration, beta = 1/4 and gamma = 1/2: nothing is damped, so that in index 3
// multipliers swing about the true ones for ever.

#include "integrator/generalized_alpha.h"

static trStatus plan(trArena *arena, const trDae *dae, const trEquations *e,
                     const trIntegratorSettings *settings, void **work) {
    const trAlphaRule rule = {.beta = 0.25, .gamma = 0.5};
    (void)e;
    return tr_alpha_plan(arena, dae, settings, &rule, work);
}

static const char *warn(const trIntegratorSettings *settings) {
    return tr_alpha_warning(settings, 1.0);
}

static const trImplicitKind implicit = {
    .needs_tangent = true,
    .rates_form = "ggl",
    .own_reactions = true,
    .forms = tr_alpha_forms,
    .warn = warn,
    .plan = plan,
    .begin = tr_alpha_begin,
    .attempt = tr_alpha_attempt,
    .accept = tr_alpha_accept,
};

const trIntegratorKind tr_integrator_newmark = {
    .name = "newmark",
    .summary = "Newmark's average acceleration: no damping, reactions of index 3 unusable",
    .source = "Newmark 1959; Laulusa & Bauchau 2008, section 3",
    .traits = TR_ALPHA_TRAITS & ~TR_COPES_SINGULAR_POSE,  // nothing damps what a pose excites
    .order = 2,
    .dense_order = 2,
    .evaluations = 3,
    .count = tr_alpha_count,
    .implicit = &implicit,
};
