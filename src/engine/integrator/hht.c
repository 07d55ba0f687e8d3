// SPDX-License-Identifier: MIT
// The method of Hilber, Hughes and Taylor: alpha_m = 0, and alpha_f = (1 - rho) / (1 + rho) is the
// opposite of their alpha. Its smallest spectral radius is 1/2: there, alpha_f is 1/3.

#include "integrator/generalized_alpha.h"

static trStatus plan(trArena *arena, const trDae *dae, const trEquations *e,
                     const trIntegratorSettings *settings, void **work) {
    const double rho = ((const trAlphaOptions *)settings->options)->rho;
    (void)e;
    if (rho < 0.5 || rho > 1.0) {
        return tr_fail(TR_E_ARGUMENT,
                       "rho = %g; integrator 'hht' has spectral radii from 0.5 to 1: use a larger "
                       "one, or generalized_alpha",
                       rho);
    }
    trAlphaRule rule = {.alpha_f = (1.0 - rho) / (1.0 + rho)};
    rule.gamma = 0.5 + rule.alpha_f;
    rule.beta = 0.25 * (1.0 + rule.alpha_f) * (1.0 + rule.alpha_f);
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

const trIntegratorKind tr_integrator_hht = {
    .name = "hht",
    .summary = "HHT-alpha, the older kind of generalized_alpha: rho from 0.5 to 1",
    .source = "Hilber, Hughes & Taylor 1977; Cardona & Geradin 1989; Negrut et al. 2007",
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
