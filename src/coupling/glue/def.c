// SPDX-License-Identifier: MIT
// How a glued simulation is described: its fields, and what they may hold.

#include "glue/def.h"
#include "system/equations.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/spell.h"
#include "glue/glue.h"
#include "sim/def.h"
#include "trammel/assembly.h"

#define MOST_STEPS 1e12       // more than a machine takes in years
#define STEP_ROUNDING 1000.0  // a step is at least so many roundings of the time

// clang-format off
const trField tr_glue_def_fields[] = {
    TR_FIELD(trGlueDef, gluing, TR_FIELD_TEXT, 0, NAN, "", "coupling algorithm: \"gauss\", ...; default: gauss"),
    TR_FIELD(trGlueDef, scheme, TR_FIELD_TEXT, 0, NAN, "", "integration scheme of all modules: \"newmark\", \"generalized_alpha\", \"bdf1\" or \"bdf2\"; default: newmark"),
    TR_FIELD(trGlueDef, start, TR_FIELD_REAL, 0, 0.0, "s", "start time"),
    TR_FIELD(trGlueDef, duration, TR_FIELD_REAL, TR_NOT_NEGATIVE, 1.0, "s", "duration of the run"),
    TR_FIELD(trGlueDef, step, TR_FIELD_REAL, TR_POSITIVE, 1e-3, "s", "largest step; the duration is divided into equal steps"),
    TR_FIELD(trGlueDef, beta, TR_FIELD_REAL, TR_POSITIVE, 0.25, "", "Newmark's beta: 1/4, or 1/6 for accelerations that are linear in a step"),
    TR_FIELD(trGlueDef, gamma, TR_FIELD_REAL, TR_POSITIVE, 0.5, "", "Newmark's gamma: 1/2 for second order, larger for damping"),
    TR_FIELD(trGlueDef, rho, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.8, "", "spectral radius of generalized_alpha: 1 damps nothing, 0 damps fast motion at once"),
    TR_FIELD(trGlueDef, tolerance, TR_FIELD_REAL, TR_POSITIVE, 1e-11, "", "relative tolerance of all residuals"),
    TR_FIELD(trGlueDef, max_iterations, TR_FIELD_INT, TR_POSITIVE, 50, "", "iterations per step"),
    TR_FIELD(trGlueDef, sweeps, TR_FIELD_INT, TR_NOT_NEGATIVE, 0, "", "number of sweeps of jacobi, gauss_seidel and waveform; 0: until they converge"),
    TR_FIELD(trGlueDef, window, TR_FIELD_INT, TR_POSITIVE, 10, "", "steps per window of waveform"),
    TR_FIELD(trGlueDef, rank_tolerance, TR_FIELD_REAL, TR_POSITIVE, 1e-4, "", "rows closer than this to a combination of others count as dependent"),
    TR_FIELD_NAMED("output_step", trGlueDef, sample, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.0, "s", "time between output rows, rounded to whole steps; default: 1/200 of the duration"),
    TR_FIELD(trGlueDef, max_steps, TR_FIELD_REAL, TR_NOT_NEGATIVE, TR_MAX_STEPS, "", "longer runs are refused; 0: no limit"),
    TR_FIELD(trGlueDef, timeout, TR_FIELD_REAL, TR_POSITIVE, 30.0, "s", "longest time for an answer of a module in another process"),
    TR_FIELD_END,
};
// clang-format on

// --- options: members that not all kinds read ---

static bool lists(const char *const options[TR_GLUE_OPTION_COUNT], const char *name) {
    for (int i = 0; i < TR_GLUE_OPTION_COUNT; i++) {
        if (options[i] != NULL && strcmp(options[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// The k-th kind that reads it; NULL: there are no more.
static const char *reader(const char *option, int k) {
    for (int i = 0; i < tr_gluing_count() + tr_scheme_count(); i++) {
        const trGluingKind *gluing = i < tr_gluing_count() ? tr_gluing_at(i) : NULL;
        const trSchemeKind *scheme = gluing == NULL ? tr_scheme_at(i - tr_gluing_count()) : NULL;
        if (lists(gluing != NULL ? gluing->options : scheme->options, option) && k-- == 0) {
            return gluing != NULL ? gluing->name : scheme->name;
        }
    }
    return NULL;
}

static bool reads(const trGlueDef *def, const char *member) {
    const trGluingKind *gluing = tr_gluing_find(def->gluing);
    const trSchemeKind *scheme = tr_scheme_find(def->scheme);
    return reader(member, 0) == NULL || (gluing != NULL && lists(gluing->options, member)) ||
           (scheme != NULL && lists(scheme->options, member));
}

// One that no chosen kind reads would be ignored in silence.
static trStatus check_options(const trGlueDef *def) {
    const trGlueDef plain = tr_glue_def_default();
    for (const trField *f = tr_glue_def_fields; f->name != NULL; f++) {
        const trParam is = tr_field_param(f, def), otherwise = tr_field_param(f, &plain);
        if (reads(def, f->name) || tr_param_equal(&is, &otherwise)) {
            continue;
        }
        tr_fail(TR_E_ARGUMENT, "'%s' is not read by gluing '%s' with scheme '%s', but by", f->name,
                def->gluing, def->scheme);
        for (int k = 0; reader(f->name, k) != NULL; k++) {
            tr_add_hint(TR_E_ARGUMENT, "%s %s", k == 0 ? "" : ",", reader(f->name, k));
        }
        return tr_add_hint(TR_E_ARGUMENT, "; leave it out, or choose what reads it");
    }
    return TR_OK;
}

// What was given for another choice is forgotten with it.
trStatus tr_glue_def_bind(trArena *arena, const trParam *params, trGlueDef *def) {
    const trGlueDef before = *def, plain = tr_glue_def_default();
    TR_TRY(tr_fields_check(tr_glue_def_fields, params));
    TR_TRY(tr_fields_take(arena, tr_glue_def_fields, params, def));
    for (const trField *f = tr_glue_def_fields; f->name != NULL; f++) {
        bool given = tr_param_find(params, f->name) != NULL;
        if (!given && reads(&before, f->name) && !reads(def, f->name)) {
            tr_field_copy(f, &plain, def);
        }
    }
    return TR_OK;
}

// --- checks ---

static trStatus check_times(const trGlueDef *def) {
    double end = def->start + def->duration, most = fmax(fabs(def->start), fabs(end));
    if (!isfinite(def->start)) {
        return tr_fail(TR_E_ARGUMENT, "start = %g s must be a finite number", def->start);
    }
    if (!(def->duration >= 0.0 && isfinite(end))) {
        return tr_fail(TR_E_ARGUMENT, "duration = %g s must be finite and not negative",
                       def->duration);
    }
    if (!(def->step > 0.0 && isfinite(def->step))) {
        return tr_fail(TR_E_ARGUMENT, "step = %g s must be positive", def->step);
    }
    if (def->duration / def->step > MOST_STEPS) {
        return tr_fail(TR_E_ARGUMENT,
                       "step = %g s is too small: the duration of %g s would take more than %g "
                       "steps",
                       def->step, def->duration, MOST_STEPS);
    }
    // Times are multiples of the step: of steps that rounding swallows there is none left.
    if (def->duration > 0.0 &&
        fmin(def->step, def->duration) < STEP_ROUNDING * DBL_EPSILON * most) {
        return tr_fail(TR_E_ARGUMENT,
                       "step = %g s is too small at times of %g s, where numbers are %.2g s apart; "
                       "begin at an earlier start",
                       def->step, most, DBL_EPSILON * most);
    }
    return TR_OK;
}

static trStatus check_numbers(const trGlueDef *def) {
    TR_TRY(check_times(def));
    if (!(def->tolerance >= 1e-14 && def->tolerance < 1.0)) {
        return tr_fail(TR_E_ARGUMENT, "tolerance = %g must be between 1e-14 and 1", def->tolerance);
    }
    if (def->max_iterations < 1 || def->max_iterations > 10000) {
        return tr_fail(TR_E_ARGUMENT, "max_iterations = %d must be between 1 and 10000",
                       def->max_iterations);
    }
    if (def->sweeps < 0 || def->sweeps > def->max_iterations || def->window < 1 ||
        def->window > 10000) {
        return tr_fail(TR_E_ARGUMENT,
                       "sweeps = %d must be between 0 and max_iterations = %d, window = %d between "
                       "1 and 10000",
                       def->sweeps, def->max_iterations, def->window);
    }
    if (!(def->rank_tolerance >= TR_RANK_TOLERANCE_MIN &&
          def->rank_tolerance <= TR_RANK_TOLERANCE_MAX)) {
        return tr_fail(TR_E_ARGUMENT, "rank_tolerance = %g must be from %g to %g; 1e-4 is usual",
                       def->rank_tolerance, TR_RANK_TOLERANCE_MIN, TR_RANK_TOLERANCE_MAX);
    }
    if (!(def->sample >= 0.0) || !(def->timeout > 0.0)) {
        return tr_fail(TR_E_ARGUMENT, "output_step must not be negative, timeout must be positive");
    }
    if (!(def->max_steps >= 0.0)) {
        return tr_fail(TR_E_ARGUMENT, "max_steps = %g must not be negative", def->max_steps);
    }
    return TR_OK;
}

trStatus tr_glue_def_check(const trGlueDef *def) {
    const trSchemeKind *scheme = NULL;
    TR_TRY(check_numbers(def));
    if (tr_gluing_find(def->gluing) == NULL) {
        return tr_spell_refuse("gluing", def->gluing, tr_gluing_count(), tr_gluing_word, NULL);
    }
    TR_TRY(tr_scheme_choose(def, &scheme));
    return check_options(def);
}

const char *tr_module_source_name(trModuleSource source) {
    static const char *const names[] = {"model", "program", "fmu", "command"};
    return names[source];
}
