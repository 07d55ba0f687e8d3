// SPDX-License-Identifier: MIT
// Which methods and settings are compared, and at which times their motions are looked at.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/spell.h"
#include "compare/compare.h"
#include "formulation/formulation.h"
#include "integrator/integrator.h"

#define SAMPLES 200        // output times of a run whose model names none
#define LONGEST_STEP 1e-3  // where no step is given [s]
#define STEPS_LEAST 1000   // in the duration, where no step is given
#define HALVINGS_MOST 30
#define DEFAULT_INTEGRATOR "dop853"

// Tolerances of the work-precision table.
static const double sweep_tolerance[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};

#define SWEEP_TOLERANCES ((int)(sizeof sweep_tolerance / sizeof *sweep_tolerance))

double tr_compare_step(double duration) {
    double most = fmin(LONGEST_STEP, duration / STEPS_LEAST) * (1.0 + 1e-9);
    double decade = pow(10.0, floor(log10(most)));
    double digit = most >= 5.0 * decade ? 5.0 : most >= 2.0 * decade ? 2.0 : 1.0;
    return digit * decade;
}

static const char *method_name(const void *context, int i) {
    (void)context;
    return tr_method_at(i)->name;
}

static trStatus refuse_name(const char *name) {
    const char *near = tr_spell_nearest(name, tr_method_count(), method_name, NULL);
    tr_fail(TR_E_ARGUMENT, "unknown method '%s'", name);
    return near != NULL ? tr_add_hint(TR_E_ARGUMENT, "; did you mean '%s'?", near)
                        : tr_add_hint(TR_E_ARGUMENT, "; 'trammel methods' lists them");
}

// What a method runs with: the model's settings, but its own choices of the five.
static trSimDef def_of(const trCompare *c, const trMethod *method) {
    trSimDef def = c->base;
    def.method = method->name;
    def.integrator = method->integrator != NULL ? method->integrator : def.integrator;
    tr_sim_def_forget_unread(&def);  // options are for those methods that have them
    return def;
}

static bool is_fixed(const char *integrator) {
    const trIntegratorKind *kind = tr_integrator_find(integrator);
    return kind != NULL && kind->error_order == 0;
}

static bool is_too_large(const trSystem *system, const trMethod *method) {
    const trFormulationKind *kind = tr_formulation_find(method->formulation);
    return kind != NULL && (kind->traits & TR_DENSE) != 0 &&
           tr_system_nv(system) + tr_system_m(system) > TR_COMPARE_DENSE_LIMIT;
}

static trCompareRow *add_row(trCompare *c, const trMethod *method, bool force) {
    trCompareRow *row = &c->row[c->rows++];
    *row = (trCompareRow){.method = method,
                          .def = def_of(c, method),
                          .shown = true,
                          .seconds = NAN,
                          .ratio = NAN,
                          .reached = c->base.start};
    row->fixed = is_fixed(row->def.integrator);
    if (row->fixed && !(row->def.step > 0.0)) {
        row->def.step = tr_compare_step(c->base.duration);
        c->step_chosen = true;
    }
    if (!force && is_too_large(c->system, method)) {
        row->state = TR_COMPARE_SKIPPED;
        snprintf(row->reason, sizeof row->reason,
                 "dense, and %d velocities and %d rows are more than %d together",
                 tr_system_nv(c->system), tr_system_m(c->system), TR_COMPARE_DENSE_LIMIT);
    }
    return row;
}

// The i-th setting of the work-precision table.
static void sweep_setting(const trCompareOptions *o, int i, trCompareRow *row) {
    row->sweep = true;
    if (!row->fixed) {
        row->def.rtol = row->def.atol = sweep_tolerance[i];
    } else if (o->sweep_steps.count > 0) {
        row->def.step = o->sweep_steps.at[i];
    } else {
        row->def.step = ldexp(row->def.step, -i);
    }
}

static int sweep_count(const trCompareOptions *o, bool fixed) {
    bool wanted = o->sweep_steps.count > 0 || o->sweep_halvings > 0;
    int  steps = o->sweep_steps.count > 0 ? o->sweep_steps.count : o->sweep_halvings + 1;
    return !wanted ? 0 : fixed ? steps : SWEEP_TOLERANCES;
}

static int sweep_most(const trCompareOptions *o) {
    int fixed = sweep_count(o, true), adaptive = sweep_count(o, false);
    return fixed > adaptive ? fixed : adaptive;
}

static void add_sweep(trCompare *c, const trCompareOptions *o) {
    int first = c->rows;
    for (int k = 0; k < first; k++) {
        const trCompareRow *of = &c->row[k];
        for (int i = 0; of->shown && i < sweep_count(o, of->fixed); i++) {
            sweep_setting(o, i, add_row(c, of->method, o->force));
        }
    }
}

static trStatus add_methods(trCompare *c, const trCompareOptions *o) {
    int  count = o->methods != NULL ? o->method_count : tr_method_count();
    bool baseline = false;
    c->row = tr_new_array(c->arena, trCompareRow, (count + 1) * (1 + sweep_most(o)));
    TR_TRY(tr_arena_status(c->arena));
    for (int i = 0; i < count; i++) {
        const char     *name = o->methods != NULL ? o->methods[i] : tr_method_at(i)->name;
        const trMethod *method = tr_method_find(name);
        if (method == NULL) {
            return refuse_name(name);
        }
        for (int k = 0; k < c->rows; k++) {
            if (c->row[k].method == method) {
                return tr_fail(TR_E_ARGUMENT, "method '%s' is named twice", method->name);
            }
        }
        baseline |= strcmp(method->name, TR_COMPARE_BASELINE) == 0;
        add_row(c, method, o->force);
    }
    if (!baseline) {
        add_row(c, tr_method_find(TR_COMPARE_BASELINE), o->force)->shown = false;
    }
    add_sweep(c, o);
    return TR_OK;
}

// The longest fixed step of all rows, or 0.
static double longest_step(const trCompare *c) {
    double most = 0.0;
    for (int i = 0; i < c->rows; i++) {
        most = c->row[i].fixed ? fmax(most, c->row[i].def.step) : most;
    }
    return most;
}

// Times that the model names must increase and lie in the run, as for a run of its own.
static trStatus check_times(const trSimDef *base) {
    double end = base->start + base->duration, last = -INFINITY;
    for (int i = 0; i < base->times.count; i++) {
        double t = base->times.at[i];
        if (!(t >= base->start) || !(t <= end) || !(t > last)) {
            return tr_fail(TR_E_ARGUMENT,
                           "output time %g s does not fit; times increase from %g to %g s", t,
                           base->start, end);
        }
        last = t;
    }
    return TR_OK;
}

// Times are whole numbers of the longest fixed step, so that these runs need no interpolation,
// which would add an error of its own.
static trStatus plan_times(trCompare *c) {
    const trSimDef *base = &c->base;
    double          sample = base->duration / SAMPLES, step = longest_step(c);
    if (step > 0.0) {
        sample = step * fmax(1.0, ceil(sample / step * (1.0 - 1e-9)));
    }
    int whole = (int)floor(base->duration / sample * (1.0 + 1e-12));
    int count = base->times.count > 0 ? base->times.count : whole + 2;
    c->time = tr_new_array(c->arena, double, count);
    TR_TRY(tr_arena_status(c->arena));
    if (base->times.count > 0) {
        memcpy(c->time, base->times.at, (size_t)count * sizeof *c->time);
        c->times = count;
        return TR_OK;
    }
    double end = base->start + base->duration;
    for (int i = 0; i <= whole; i++) {
        c->time[c->times++] = base->start + i * sample;
    }
    if (end - c->time[c->times - 1] > 1e-9 * sample) {
        c->times++;
    }
    c->time[c->times - 1] = end;
    return TR_OK;
}

static trStatus check_options(const trSimDef *base, const trCompareOptions *o) {
    if (!(base->duration > 0.0) || !isfinite(base->duration)) {
        return tr_fail(TR_E_ARGUMENT, "duration must be positive and finite");
    }
    if (o->repeat < 0) {
        return tr_fail(TR_E_ARGUMENT, "repeat must not be negative");
    }
    if (o->sweep_halvings < 0 || o->sweep_halvings > HALVINGS_MOST) {
        return tr_fail(TR_E_ARGUMENT, "a step can be halved 1 to %d times", HALVINGS_MOST);
    }
    for (int i = 0; i < o->sweep_steps.count; i++) {
        if (!(o->sweep_steps.at[i] > 0.0)) {
            return tr_fail(TR_E_ARGUMENT, "a step must be positive, not %g", o->sweep_steps.at[i]);
        }
    }
    return check_times(base);
}

trStatus tr_compare_plan(trCompare *c, const trSimDef *base, const trCompareOptions *options) {
    TR_TRY(check_options(base, options));
    const trSimDef plain = tr_sim_def_default();
    c->base = *base;
    c->base.method = NULL;
    c->base.integrator = base->integrator != NULL ? base->integrator : DEFAULT_INTEGRATOR;
    c->base.formulation = plain.formulation;
    c->base.stabilization = plain.stabilization;
    c->base.stage_projection = plain.stage_projection;
    c->base.step_projection = plain.step_projection;
    c->base.sample = 0.0;
    c->width = tr_compare_width(c->system);
    TR_TRY(add_methods(c, options));
    return plan_times(c);
}
