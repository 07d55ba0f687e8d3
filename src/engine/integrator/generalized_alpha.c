// SPDX-License-Identifier: MIT
// Generalized-alpha: one number, the spectral radius rho at infinity, sets how fast motion is
// damped. Of second order for all of them.

#include "integrator/generalized_alpha.h"

static trStatus plan(trArena *arena, const trDae *dae, const trEquations *e,
                     const trIntegratorSettings *settings, void **work) {
    const double rho = ((const trAlphaOptions *)settings->options)->rho;
    trAlphaRule  rule = {.alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), .alpha_f = rho / (rho + 1.0)};
    rule.gamma = 0.5 + rule.alpha_f - rule.alpha_m;
    rule.beta = 0.25 * (rule.gamma + 0.5) * (rule.gamma + 0.5);
    (void)e;
    if (rho > 1.0) {
        return tr_fail(TR_E_ARGUMENT, "rho = %g; it must be between 0 and 1", rho);
    }
    return tr_alpha_plan(arena, dae, settings, &rule, work);
}

static const char *warn(const trIntegratorSettings *settings) {
    return tr_alpha_warning(settings, ((const trAlphaOptions *)settings->options)->rho);
}

static const trImplicitKind implicit = {
    .needs_tangent = true,
    .rates_form = "ggl",
    .adaptive_form = "ggl",
    .own_reactions = true,
    .forms = tr_alpha_forms,
    .warn = warn,
    .plan = plan,
    .begin = tr_alpha_begin,
    .attempt = tr_alpha_attempt,
    .accept = tr_alpha_accept,
};

const trIntegratorKind tr_integrator_generalized_alpha = {
    .name = "generalized_alpha",
    .summary = "implicit, for stiff systems: damping by rho; constraints on positions (index 3), "
               "or on both levels (ggl)",
    .source = "Chung & Hulbert 1993; Arnold & Bruls 2007; Bruls, Cardona & Arnold 2012",
    .traits = TR_ALPHA_TRAITS,
    .order = 2,
    .error_order = 3,
    .keeps_given_step = true,
    .dense_order = 2,
    .evaluations = 3,
    .hold = TR_ALPHA_HOLD,
    .size = sizeof(trAlphaOptions),
    .fields = tr_alpha_fields,
    .count = tr_alpha_count,
    .implicit = &implicit,
};
