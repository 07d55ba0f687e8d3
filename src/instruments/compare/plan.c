// SPDX-License-Identifier: MIT
// Which methods and settings are compared, and at which times their motions are looked at.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/traits.h"
#include "compare/compare.h"
#include "integrator/integrator.h"

#define SAMPLES 200        // output times of a run whose model names none
#define LONGEST_STEP 1e-3  // where no step is given [s]
#define STEPS_LEAST 1000   // in the duration, where no step is given
#define HALVINGS_MOST 30

// Tolerances of the work-precision table.
static const double sweep_tolerance[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};

#define SWEEP_TOLERANCES ((int)(sizeof sweep_tolerance / sizeof *sweep_tolerance))

double tr_compare_step(double duration) {
    double most = fmin(LONGEST_STEP, duration / STEPS_LEAST) * (1.0 + 1e-9);
    double decade = pow(10.0, floor(log10(most)));
    double digit = most >= 5.0 * decade ? 5.0 : most >= 2.0 * decade ? 2.0 : 1.0;
    return digit * decade;
}

static bool is_fixed(const char *integrator) {
    const trIntegratorKind *kind = tr_integrator_find(integrator);
    return kind != NULL && (kind->error_order == 0 || kind->keeps_given_step);
}

static bool is_too_large(const trSystem *system, const trMethod *method) {
    return (tr_method_traits(method) & TR_DENSE) != 0 &&
           tr_system_nv(system) + tr_system_m(system) > TR_COMPARE_DENSE_LIMIT;
}

// The first step of an adaptive integrator says nothing about a fixed one.
static void choose_step(trCompare *c, trCompareRow *row) {
    row->fixed = is_fixed(row->def.integrator);
    if (row->fixed && !(c->step_known && row->def.step > 0.0)) {
        row->def.step = tr_compare_step(c->base.duration);
        c->step_chosen = true;
    }
}

// The method itself puts states on the constraints: it projects, or is an integrator that does.
static bool projects(const trMethod *method) {
    return strcmp(method->stage_projection, "none") != 0 ||
           strcmp(method->step_projection, "none") != 0 || method->integrator != NULL;
}

// A method runs with the model's settings, but its own choices of the five, and its option.
static trStatus add_row(trCompare *c, const trCompareOptions *o, const char *label,
                        trCompareRow **out) {
    const trMethod *method = NULL;
    trSimDef        def = c->base;
    TR_TRY(tr_compare_variant(c->memory, label, &method, &def));
    trCompareRow *row = *out = &c->row[c->rows++];
    *row = (trCompareRow){.name = method->name,
                          .label = label,
                          .def = def,
                          .shown = true,
                          .free = tr_system_m(c->system) == 0,
                          .projects = projects(method),
                          .seconds = NAN,
                          .ratio = NAN,
                          .reached = c->base.start};
    choose_step(c, row);
    if (!o->force && is_too_large(c->system, method)) {
        row->state = TR_COMPARE_SKIPPED;
        snprintf(row->reason, sizeof row->reason,
                 "dense, and %d velocities and %d rows are more than %d together",
                 tr_system_nv(c->system), tr_system_m(c->system), TR_COMPARE_DENSE_LIMIT);
    }
    return TR_OK;
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

// The reason of a method that is skipped stands once, with the method.
static void add_sweep(trCompare *c, const trCompareOptions *o) {
    int first = c->rows;
    for (int k = 0; k < first; k++) {
        const trCompareRow *of = &c->row[k];
        bool                runs = of->shown && of->state == TR_COMPARE_WAITING;
        for (int i = 0; runs && i < sweep_count(o, of->fixed); i++) {
            c->row[c->rows] = *of;
            sweep_setting(o, i, &c->row[c->rows++]);
        }
    }
}

static bool is_named(const trCompare *c, const char *label) {
    for (int k = 0; k < c->rows; k++) {
        if (strcmp(c->row[k].label, label) == 0) {
            return true;
        }
    }
    return false;
}

static int count_integrators(void) {
    int count = 0;
    while (tr_compare_integrator(count) != NULL) {
        count++;
    }
    return count;
}

// Those asked for; or all methods, then the integrators for stiff models.
static const char *label_at(const trCompareOptions *o, int i) {
    return o->methods != NULL      ? o->methods[i]
           : i < tr_method_count() ? tr_method_at(i)->name
                                   : tr_compare_integrator(i - tr_method_count())->name;
}

// With the integrator of all methods it would be the default method once more.
static bool is_default_method(const trCompare *c, const char *label) {
    const trIntegratorKind *kind = tr_integrator_find(label);
    return kind != NULL && kind->implicit == NULL && strcmp(label, c->base.integrator) == 0;
}

static trStatus add_methods(trCompare *c, const trCompareOptions *o) {
    int count = o->methods != NULL ? o->method_count : tr_method_count() + count_integrators();
    trCompareRow *row = NULL;
    c->row = tr_new_array(c->memory, trCompareRow, (count + 1) * (1 + sweep_most(o)));
    c->order = tr_new_array(c->memory, int, count + 1);
    TR_TRY(tr_arena_status(c->memory));
    for (int i = 0; i < count; i++) {
        const char *label = label_at(o, i);
        if (o->methods == NULL && is_default_method(c, label)) {
            continue;
        }
        if (is_named(c, label)) {
            return tr_fail(TR_E_ARGUMENT, "method '%s' is named twice", label);
        }
        TR_TRY(add_row(c, o, label, &row));
    }
    if (!is_named(c, TR_COMPARE_BASELINE)) {
        TR_TRY(add_row(c, o, TR_COMPARE_BASELINE, &row));
        row->shown = false;
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
    c->time = tr_new_array(c->memory, double, count);
    TR_TRY(tr_arena_status(c->memory));
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

// An implicit integrator of the model holds the constraints by itself and takes no method; where it
// was not asked for, methods are compared with another.
static void choose_integrator(trCompare *c, const trSimDef *base, const trCompareOptions *o) {
    const trIntegratorKind *kind =
        base->integrator != NULL ? tr_integrator_find(base->integrator) : NULL;
    bool replace = kind != NULL && kind->implicit != NULL && !o->integrator_given;
    c->replaced = replace ? kind->name : NULL;
    c->step_known = o->step_given || (kind != NULL && !tr_integrator_adapts(kind, base->step));
    c->base.integrator =
        base->integrator != NULL && !replace ? base->integrator : TR_DEFAULT_INTEGRATOR;
}

// Of positions of all rows; rates are in the same per s, accelerations per s^2.
static const char *row_unit(const trSystem *system) {
    bool length = false, angle = false, other = false;
    for (int i = 0; i < tr_system_m(system); i++) {
        const char *unit = tr_system_row(system, i).unit;
        bool        is_length = strcmp(unit, "m") == 0, is_angle = strcmp(unit, "rad") == 0;
        length |= is_length;
        angle |= is_angle;
        other |= !is_length && !is_angle;
    }
    return other ? "" : length && angle ? "m or rad" : length ? "m" : angle ? "rad" : "";
}

trStatus tr_compare_plan(trCompare *c, const trSimDef *base, const trCompareOptions *options) {
    TR_TRY(check_options(base, options));
    const trSimDef plain = tr_sim_def_default();
    c->base = *base;
    c->base.method = NULL;
    choose_integrator(c, base, options);
    c->base.formulation = plain.formulation;
    c->base.stabilization = plain.stabilization;
    c->base.stage_projection = plain.stage_projection;
    c->base.step_projection = plain.step_projection;
    c->base.sample = 0.0;
    c->width = tr_compare_width(c->system);
    c->row_unit = row_unit(c->system);
    TR_TRY(add_methods(c, options));
    return plan_times(c);
}
