// SPDX-License-Identifier: MIT
// One step of generalized_alpha and its kin, and what each of them is.

#include <string.h>

#include "integrator/generalized_alpha.h"

#define HOLD 1.5  // the step changes rarely: each change costs factors and accuracy

static void keep(trArena *arena, trAlpha *w) {
    bool   *flags[] = {&w->has_old, &w->tried, &w->factors.linearized};
    double *numbers[] = {&w->h_last,     &w->h,          &w->factors.h,     &w->factors.cv,
                         &w->factors.ca, &w->factors.cz, &w->factors.theta, &w->factors.noise};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        tr_keep_bool(arena, flags[i]);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        tr_keep_double(arena, numbers[i]);
    }
    tr_integrator_keep_counts(arena, &w->counts);
}

typedef struct Options {
    double rho;  // spectral radius at infinity
} Options;

// clang-format off
static const trField fields[] = {
    TR_FIELD(Options, rho, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.9, "", "spectral radius of generalized_alpha and hht: 1 damps nothing, 0 damps fast motion at once"),
    TR_FIELD_END,
};
// clang-format on

static double rho_of(const trIntegratorSettings *settings) {
    const Options *options = settings->options;
    return options != NULL ? options->rho : 1.0;
}

// Of second order for all rho. The method of Hilber, Hughes and Taylor has alpha_m = 0, and alpha_f
// is the opposite of their alpha; its smallest spectral radius is 1/2: there, alpha_f is 1/3.
// Newmark's average acceleration damps nothing, so that in index 3 multipliers swing about the true
// ones for ever.
static trStatus find_rule(const trIntegratorSettings *settings, trAlphaRule *u) {
    const double rho = rho_of(settings);
    const bool   hht = strcmp(settings->kind->name, "hht") == 0;
    if (settings->options == NULL) {  // newmark has none
        *u = (trAlphaRule){.beta = 0.25, .gamma = 0.5};
        return TR_OK;
    }
    if (hht && (rho < 0.5 || rho > 1.0)) {
        return tr_fail(TR_E_ARGUMENT,
                       "rho = %g; integrator 'hht' has spectral radii from 0.5 to 1: use a larger "
                       "one, or generalized_alpha",
                       rho);
    }
    if (rho > 1.0) {
        return tr_fail(TR_E_ARGUMENT, "rho = %g; it must be between 0 and 1", rho);
    }
    if (hht) {
        u->alpha_f = (1.0 - rho) / (1.0 + rho);
        u->gamma = 0.5 + u->alpha_f;
        u->beta = 0.25 * (1.0 + u->alpha_f) * (1.0 + u->alpha_f);
    } else {
        u->alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        u->alpha_f = rho / (rho + 1.0);
        u->gamma = 0.5 + u->alpha_f - u->alpha_m;
        u->beta = 0.25 * (u->gamma + 0.5) * (u->gamma + 0.5);
    }
    return TR_OK;
}

static trStatus plan(trArena *arena, const trDae *dae, const trEquations *e,
                     const trIntegratorSettings *settings, void **work) {
    trAlphaRule rule = {0};
    TR_TRY(find_rule(settings, &rule));
    trAlpha *w = tr_new(arena, trAlpha);
    if (w == NULL) {
        return TR_E_MEMORY;
    }
    *w = (trAlpha){.nq = dae->nq, .nv = dae->nv, .m = dae->m, .nz = dae->nz, .rule = rule};
    w->ggl = strcmp(settings->form, "ggl") == 0;
    w->adaptive = !(settings->step > 0.0);
    double **rates[] = {&w->a,    &w->a_now, &w->a_next,   &w->rate_old,
                        &w->rate, &w->ev,    &w->rate_next};
    double **moves[] = {&w->x, &w->x_old, &w->x_free, &w->r, &w->ex};
    double **rows[] = {&w->lambda_old, &w->lambda_now, &w->mu, &w->phi, &w->w};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        *rates[i] = tr_new_array(arena, double, w->nv + w->nz);
    }
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        *moves[i] = tr_new_array(arena, double, w->nv);
        *rows[i] = tr_new_array(arena, double, w->m);
    }
    w->z_dot = tr_new_array(arena, double, w->nz);
    TR_TRY(tr_arena_status(arena));
    *work = w;
    keep(arena, w);
    return tr_alpha_plan_matrix(arena, dae, w);
}

static trStatus begin(void *work, const trDae *dae, const trDaeState *s) {
    trAlpha *w = work;
    if (w->nz > 0) {
        trDaeResidual out = {.r = w->r, .phi = w->phi, .rate = w->w, .z_dot = w->z_dot};
        TR_TRY(dae->residual(dae->context, s, &out));
    }
    for (int i = 0; i < w->nv + w->nz; i++) {
        w->a[i] = w->rate[i] = i < w->nv ? s->a[i] : w->z_dot[i - w->nv];
    }
    w->has_old = w->tried = false;
    w->factors = (trAlphaFactors){.theta = 1.0};
    return TR_OK;
}

// v or z at the end, with the algorithm's rates a at both ends.
static void advance(const trAlpha *w, int n, const double *y, const double *a, const double *a_next,
                    double *y_next) {
    double gamma = w->rule.gamma;
    for (int i = 0; i < n; i++) {
        y_next[i] = y[i] + w->h * ((1.0 - gamma) * a[i] + gamma * a_next[i]);
    }
}

// The algorithm's rates at the end, from true ones.
static void blend(trAlpha *w) {
    const trAlphaRule *u = &w->rule;
    for (int i = 0; i < w->nv + w->nz; i++) {
        w->a_next[i] = ((1.0 - u->alpha_f) * w->rate_next[i] + u->alpha_f * w->rate[i] -
                        u->alpha_m * w->a_now[i]) /
                       (1.0 - u->alpha_m);
    }
}

// True rates and multipliers go on as they changed in the last step, or stay.
static void predict(trAlpha *w, const trDae *dae, const trDaeState *s, trDaeState *next) {
    double beta = w->rule.beta, h = w->h, more = w->has_old ? h / w->h_last : 0.0;
    next->t = s->t + h;
    for (int i = 0; i < w->nv + w->nz; i++) {
        w->rate_next[i] = w->rate[i] + more * (w->rate[i] - w->rate_old[i]);
    }
    blend(w);
    advance(w, w->nv, s->v, w->a_now, w->a_next, next->v);
    advance(w, w->nz, s->z, w->a_now + w->nv, w->a_next + w->nv, next->z);
    for (int i = 0; i < w->nv; i++) {
        next->a[i] = w->rate_next[i];
        w->x[i] = h * s->v[i] + h * h * ((0.5 - beta) * w->a_now[i] + beta * w->a_next[i]);
        w->x_free[i] = w->x[i];
    }
    for (int i = 0; i < w->m; i++) {
        next->lambda[i] = s->lambda[i] + more * (s->lambda[i] - w->lambda_old[i]);
        w->lambda_now[i] = s->lambda[i];
        w->mu[i] = 0.0;
    }
    dae->move(dae->context, s->q, w->x, next->q);
}

static trStatus step(trAlpha *w, const trDae *dae, const trDaeState *s, trDaeState *next) {
    predict(w, dae, s, next);
    TR_TRY(tr_alpha_solve(w, dae, s, next));
    memcpy(w->rate_next, next->a, (size_t)w->nv * sizeof *next->a);
    blend(w);
    return TR_OK;
}

// Where nothing is known of the rate of v', its first value is that of a first trial.
static trStatus start_again(trAlpha *w, const trDae *dae, const trDaeState *s, trDaeState *next) {
    double ahead = w->rule.alpha_m - w->rule.alpha_f;
    for (int i = 0; i < w->nv + w->nz; i++) {
        w->a_now[i] = w->rate[i] + ahead * (w->rate_next[i] - w->rate[i]);
    }
    return step(w, dae, s, next);
}

static trStatus attempt(void *work, const trDae *dae, double *h, const trDaeState *s,
                        trDaeState *next, double *error) {
    trAlpha *w = work;
    w->h = *h;
    w->tried = false;
    *error = 0.0;
    memcpy(w->rate, s->a, (size_t)w->nv * sizeof *s->a);
    tr_alpha_fit_history(w);
    TR_TRY(step(w, dae, s, next));
    if (w->adaptive && !w->has_old) {
        TR_TRY(start_again(w, dae, s, next));
    }
    if (w->adaptive) {
        *error = tr_alpha_error(w, dae, s, next);
    }
    w->tried = true;
    return TR_OK;
}

// A step that was too short for the method was none of its own.
static void accept(void *work) {
    trAlpha *w = work;
    if (!w->tried) {
        return;
    }
    const size_t rates = (size_t)(w->nv + w->nz) * sizeof *w->a;
    memcpy(w->a, w->a_next, rates);
    memcpy(w->rate_old, w->rate, rates);
    memcpy(w->rate, w->rate_next, rates);
    memcpy(w->lambda_old, w->lambda_now, (size_t)w->m * sizeof *w->lambda_old);
    w->h_last = w->h;
    w->has_old = true;
    w->tried = false;
}

static void count(const void *work, trIntegratorCounts *counts) {
    *counts = ((const trAlpha *)work)->counts;
}

// --- the kinds ---

static const char *warn(const trIntegratorSettings *settings) {
    bool index3 = strcmp(settings->form, "index3") == 0;
    return rho_of(settings) == 1.0 && index3
               ? "a spectral radius of 1 damps nothing: accelerations and multipliers, and with "
                 "them reactions, oscillate from step to step and are unusable; friction made from "
                 "reactions makes positions wrong, too; use generalized_alpha with rho below 1, or "
                 "form = \"ggl\""
               : NULL;
}

static const char *const forms[] = {"index3", "ggl", NULL};

static const trImplicitKind implicit = {
    .needs_tangent = true,
    .rates_form = "ggl",
    .adaptive_form = "ggl",
    .own_reactions = true,
    .forms = forms,
    .warn = warn,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .accept = accept,
};

static const trImplicitKind implicit_newmark = {
    .needs_tangent = true,
    .rates_form = "ggl",
    .own_reactions = true,
    .forms = forms,
    .warn = warn,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .accept = accept,
};

#define TRAITS                                                                                 \
    (TR_COPES_NONHOLONOMIC | TR_COPES_NONIDEAL | TR_COPES_SINGULAR_MASS | TR_COPES_REDUNDANT | \
     TR_COPES_SINGULAR_POSE)

const trIntegratorKind tr_integrator_generalized_alpha = {
    .name = "generalized_alpha",
    .summary = "implicit, for stiff systems: damping by rho; constraints on positions (index 3), "
               "or on both levels (ggl)",
    .source = "Chung & Hulbert 1993; Arnold & Bruls 2007; Bruls, Cardona & Arnold 2012",
    .traits = TRAITS,
    .order = 2,
    .error_order = 3,
    .keeps_given_step = true,
    .dense_order = 2,
    .evaluations = 3,
    .hold = HOLD,
    .size = sizeof(Options),
    .fields = fields,
    .count = count,
    .implicit = &implicit,
};

const trIntegratorKind tr_integrator_hht = {
    .name = "hht",
    .summary = "HHT-alpha, the older kind of generalized_alpha: rho from 0.5 to 1",
    .source = "Hilber, Hughes & Taylor 1977; Cardona & Geradin 1989; Negrut et al. 2007",
    .traits = TRAITS,
    .order = 2,
    .error_order = 3,
    .keeps_given_step = true,
    .dense_order = 2,
    .evaluations = 3,
    .hold = HOLD,
    .size = sizeof(Options),
    .fields = fields,
    .count = count,
    .implicit = &implicit,
};

const trIntegratorKind tr_integrator_newmark = {
    .name = "newmark",
    .summary = "Newmark's average acceleration: no damping, reactions of index 3 unusable",
    .source = "Newmark 1959; Laulusa & Bauchau 2008, section 3",
    .traits = TRAITS & ~TR_COPES_SINGULAR_POSE,  // nothing damps what a pose excites
    .order = 2,
    .dense_order = 2,
    .evaluations = 3,
    .count = count,
    .implicit = &implicit_newmark,
};
