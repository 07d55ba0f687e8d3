// SPDX-License-Identifier: MIT
// Newmark's formulas, generalized alpha and BDF as coefficients of one form (trammel/module.h).

#include "glue/schemes.h"

#include <string.h>

#include "base/spell.h"

// v' = v + h ((1 - gamma) s + gamma s'), q' = q + h v + h^2 ((1/2 - beta) s + beta s')
static void newmark_with(double beta, double gamma, trGlueStep *s) {
    s->r0 = 1.0;
    s->b0 = 0.5 - beta;
    s->b1 = beta;
    s->g0 = 1.0 - gamma;
    s->g1 = gamma;
}

static void newmark(const trGlueDef *def, int64_t n, trGlueStep *s) {
    newmark_with(def->beta, def->gamma, s);
}

// Chung and Hulbert, with Arnold and Bruels' acceleration s that only the scheme sees.
static void generalized_alpha(const trGlueDef *def, int64_t n, trGlueStep *s) {
    s->alpha_m = (2.0 * def->rho - 1.0) / (def->rho + 1.0);
    s->alpha_f = def->rho / (def->rho + 1.0);
    double gamma = 0.5 + s->alpha_f - s->alpha_m;
    newmark_with(0.25 * (gamma + 0.5) * (gamma + 0.5), gamma, s);
}

// v' = v + h a', q' = q + h v'. Leaves joints open by h^2 / 2 of the acceleration.
static void bdf1(const trGlueDef *def, int64_t n, trGlueStep *s) {
    s->g1 = s->r1 = 1.0;
    s->anew = 1;
}

// v' = v + (v - v_before) / 3 + 2/3 h a', q likewise; the first step is one of bdf1.
static void bdf2(const trGlueDef *def, int64_t n, trGlueStep *s) {
    bdf1(def, n, s);
    if (n > 1) {
        s->p = 1.0 / 3.0;
        s->g1 = s->r1 = 2.0 / 3.0;
    }
}

static const trSchemeKind kinds[] = {
    {"newmark",
     "Newmark's formulas, second order for gamma = 1/2; no damping",
     "002 (29)",
     {"beta", "gamma"},
     newmark},
    {"generalized_alpha",
     "second order, damps what the step does not resolve, by rho",
     "Chung and Hulbert 1993; Arnold and Bruels 2007",
     {"rho"},
     generalized_alpha},
    {"bdf1", "implicit Euler, first order, strongly damped", "002 (18)", {NULL}, bdf1},
    {"bdf2", "backward differences of second order", "002 (18)", {NULL}, bdf2}};

int tr_scheme_count(void) {
    return (int)(sizeof kinds / sizeof *kinds);
}

const trSchemeKind *tr_scheme_at(int index) {
    return &kinds[index];
}

static const char *word(const void *context, int i) {
    return kinds[i].name;
}

const trSchemeKind *tr_scheme_find(const char *name) {
    for (int i = 0; i < tr_scheme_count(); i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

trStatus tr_scheme_choose(const trGlueDef *def, const trSchemeKind **out) {
    *out = tr_scheme_find(def->scheme);
    if (*out == NULL) {
        return tr_spell_refuse("scheme", def->scheme, tr_scheme_count(), word, NULL);
    }
    if (!(def->rho >= 0.0 && def->rho <= 1.0)) {
        return tr_fail(TR_E_ARGUMENT, "rho = %g must be between 0 and 1", def->rho);
    }
    return def->beta > 0.0 && def->beta <= 1.0 && def->gamma >= 0.5 && def->gamma <= 1.0
               ? TR_OK
               : tr_fail(TR_E_ARGUMENT, "beta = %g must be in (0, 1] and gamma = %g in [1/2, 1]",
                         def->beta, def->gamma);
}

trGlueStep tr_scheme_step(const trSchemeKind *kind, const trGlueDef *def, int64_t n, double t,
                          double h) {
    trGlueStep step = {.t = t, .h = n == 0 ? 0.0 : h};
    if (n > 0) {
        kind->coefficients(def, n, &step);
        double ds = (1.0 - step.alpha_f) / (1.0 - step.alpha_m);  // of s by a
        step.c_v = h * step.g1 * ds;
        step.c_q = h * step.r1 * step.c_v + h * h * step.b1 * ds;
    }
    return step;
}
