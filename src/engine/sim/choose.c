// SPDX-License-Identifier: MIT
// From words to methods: what a preset brings, what the user chose over it, and numbers that do not
// fit.

#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define STAGE_PROJECTION "masarati"
#define DRIFTING_FORM "index1"  // accelerations alone: violations are shown, not projected away
#define RK4_LIMIT 2.7           // h alpha of Baumgarte with rk4; 2.78 is the border of stability
#define RTOL_MIN 2e-15          // about ten units in the last place
#define ROWS_MAX 1e11           // of output: more than any disk holds is a slip of the pen
#define STEPS_MAX 1e12          // more than a machine takes in years
#define STEP_ROUNDING 16.0      // units in the last place of a time, which a step must exceed
#define LONGEST_STEP 0.2        // of the duration, where no max_step is given

static bool is_chosen(const char *word) {
    return word != NULL && strcmp(word, "none") != 0;
}

// The word of the integrator's own table, which lives forever; NULL: it has no such form.
static const char *find_form(const trIntegratorKind *kind, const char *form) {
    const char *const *known =
        kind != NULL && kind->implicit != NULL ? kind->implicit->forms : NULL;
    while (known != NULL && *known != NULL && strcmp(*known, form) != 0) {
        known++;
    }
    return known != NULL ? *known : NULL;
}

// A method that is an integrator brings it; one that is a form may be had with others that know it.
static trStatus choose_integrator(trSimDef *def, const trMethod *method) {
    bool fits = method->form != NULL && def->integrator != NULL &&
                find_form(tr_integrator_find(def->integrator), method->form) != NULL;
    if (method->integrator != NULL && def->integrator != NULL && !fits &&
        strcmp(method->integrator, def->integrator) != 0) {
        return tr_fail(TR_E_ARGUMENT,
                       "method '%s' is an integrator of its own and cannot be combined with "
                       "integrator '%s'; leave one of them out",
                       method->name, def->integrator);
    }
    if (def->integrator == NULL && method->integrator != NULL &&
        tr_integrator_is_absent(method->integrator)) {
        return tr_fail(TR_E_ARGUMENT,
                       "method '%s' needs SUNDIALS, which this build does not have; use integrator "
                       "= \"generalized_alpha\", which supports this form",
                       method->name);
    }
    if (def->integrator == NULL) {
        def->integrator = method->integrator != NULL ? method->integrator : TR_DEFAULT_INTEGRATOR;
    }
    return TR_OK;
}

static trStatus choose_form(trSimDef *def, const trMethod *method, const trIntegratorKind *kind) {
    const char *const *known = kind->implicit->forms;
    const char        *given = def->form != NULL ? def->form : method->form;
    const char *only = tr_integrator_adapts(kind, def->step) ? kind->implicit->adaptive_form : NULL;
    def->form = only != NULL ? only : known != NULL ? known[0] : NULL;
    if (given == NULL) {
        return TR_OK;
    }
    def->form = find_form(kind, given);
    if (def->form != NULL && only != NULL && strcmp(given, only) != 0) {
        return tr_fail(TR_E_ARGUMENT,
                       "integrator '%s' has a fixed step in form '%s'; give one, e.g. step = 1e-3 "
                       "(--step 1e-3), or use form '%s'",
                       kind->name, given, only);
    }
    if (def->form != NULL) {
        return TR_OK;
    }
    tr_fail(TR_E_ARGUMENT, "integrator '%s' has no form '%s'", kind->name, given);
    for (int i = 0; known != NULL && known[i] != NULL; i++) {
        tr_add_hint(TR_E_ARGUMENT, "%s'%s'", i == 0 ? "; known: " : ", ", known[i]);
    }
    return TR_E_ARGUMENT;
}

// Methods on the second face hold the constraints themselves. What acts on the first is refused,
// but for the projection that ends a step where accelerations are evaluated there.
static trStatus choose_implicit(trSimDef *def, const trMethod *method,
                                const trIntegratorKind *kind) {
    bool projects = !kind->implicit->own_reactions;
    bool other_step = is_chosen(def->step_projection) &&
                      !(projects && strcmp(def->step_projection, TR_MASS_PROJECTION) == 0);
    bool        other = def->method != NULL && method->integrator == NULL;
    const char *key = is_chosen(def->stage_projection) ? "stage_projection"
                      : other_step                     ? "step_projection"
                      : is_chosen(def->stabilization)  ? "stabilization"
                      : other                          ? "method"
                                                       : NULL;
    if (key != NULL) {
        return tr_fail(TR_E_ARGUMENT,
                       "'%s' cannot be combined with integrator '%s', which enforces the position "
                       "constraints by itself; leave it out, or use dop853",
                       key, def->integrator);
    }
    TR_TRY(choose_form(def, method, kind));
    bool drifts = def->form != NULL && strcmp(def->form, DRIFTING_FORM) == 0;
    if (def->step_projection == NULL) {
        def->step_projection = projects && !drifts ? TR_MASS_PROJECTION : "none";
    }
    def->stage_projection = def->stabilization = "none";
    return TR_OK;
}

static const char *or_else(const char *given, const char *otherwise) {
    return given != NULL ? given : otherwise;
}

// What makes its steps by itself has a state of its own, or a history. A projection that is chosen
// anew at every accepted state, or a state that is carried in place of velocities, would break it;
// one that does not reach it needs the same inside every evaluation.
static trStatus check_owner(const trSim *s) {
    const trSimDef         *def = &s->def;
    const trStageKind      *stage = tr_stage_find(def->stage_projection);
    const trProjectionKind *step = tr_projection_find(def->step_projection);
    const trProjectionKind *inside =
        stage != NULL && stage->projection != NULL ? tr_projection_find(stage->projection) : NULL;
    bool        stage_renews = inside != NULL && inside->weight == TR_WEIGHT_NONE;
    bool        step_renews = step != NULL && step->weight == TR_WEIGHT_NONE;
    const char *name = s->stepper.kind->name;
    if (s->methods.carry != NULL || stage_renews || step_renews) {
        bool by_stage = s->methods.carry != NULL || stage_renews;
        return tr_fail(TR_E_ARGUMENT,
                       "%s_projection '%s' cannot be combined with integrator '%s', which controls "
                       "its steps by itself and cannot use a choice that is renewed after each; "
                       "use direct_mass, masarati, or dop853",
                       by_stage ? "stage" : "step",
                       by_stage ? def->stage_projection : def->step_projection, name);
    }
    if (step != NULL && stage == NULL && !s->stepper.kind->owner->projects_steps) {
        return tr_fail(TR_E_ARGUMENT,
                       "step_projection '%s' alone cannot be combined with integrator '%s', which "
                       "continues from the unprojected state; add stage_projection = \"masarati\", "
                       "or use cvode or dop853",
                       step->name, name);
    }
    return TR_OK;
}

// The options, and members of the definition that kinds have fields for, too.
static const trParam *with_basis(const trSim *s) {
    const int count = tr_param_count(s->def.options);
    trParam  *given = tr_arena_take(s->arena, (size_t)count + 2, sizeof *given);
    for (int i = 0; given != NULL && i < count; i++) {
        given[i] = s->def.options[i];
    }
    if (given != NULL && s->def.basis != NULL) {
        given[count] = (trParam){.key = "basis", .kind = TR_PARAM_TEXT, .text = s->def.basis};
    }
    return given;
}

// Speeds in a moving basis are a state of their own.
static void choose_moving_basis(trSimDef *def) {
    const trStageKind *stage = def->basis != NULL ? tr_stage_find(def->basis) : NULL;
    const char        *of = stage != NULL ? stage->moving_form_of : NULL;
    if (of != NULL && strcmp(def->stage_projection, of) == 0) {
        def->stage_projection = stage->name;
        bool same = strcmp(def->step_projection, of) == 0;  // another was chosen, and stays
        def->step_projection = same ? "none" : def->step_projection;
    }
}

// The words are those of the registries, which live forever.
static void choose_kinds(trSim *s) {
    trSimDef               *def = &s->def;
    const trStageKind      *stage = tr_stage_find(def->stage_projection);
    const trProjectionKind *step = tr_projection_find(def->step_projection);
    s->methods.kernel.kind = tr_formulation_find(def->formulation);
    s->methods.stabilization = tr_stabilization_find(def->stabilization);
    s->methods.carry = stage != NULL && stage->carry != NULL ? tr_carry_find(stage->carry) : NULL;
    def->integrator = s->stepper.kind->name;
    def->formulation = s->methods.kernel.kind->name;
    def->stabilization = s->methods.stabilization != NULL ? s->methods.stabilization->name : "none";
    def->stage_projection = stage != NULL ? stage->name : "none";
    def->step_projection = step != NULL ? step->name : "none";
    bool robust = strcmp(def->formulation, TR_ROBUST_SPARSE) == 0 ||
                  strcmp(def->formulation, TR_ROBUST_DENSE) == 0;
    if (!robust) {
        s->methods.judge.kind = tr_formulation_robust(s->system->dense);
    }
}

static void choose_driver(trSim *s) {
    const trImplicitKind *implicit = s->stepper.kind->implicit;
    const bool            owner = s->stepper.kind->owner != NULL;
    s->stepper.driver = implicit != NULL ? &tr_implicit_driver
                        : owner          ? &tr_owner_driver
                                         : &tr_explicit_driver;
    s->stepper.adaptive = tr_integrator_adapts(s->stepper.kind, s->def.step);
    s->stepper.own_step = owner || (implicit != NULL && implicit->own_step);
    s->stepper.own_reactions = implicit != NULL && implicit->own_reactions;
}

// What the kinds of one object hold, after those before it.
static int list_options(const trField *fields, const void *object, trParam *all, int count) {
    for (; object != NULL && fields != NULL && fields->name != NULL; fields++) {
        if (tr_field_find(tr_sim_def_fields, fields->name) == NULL) {
            all[count++] = tr_field_param(fields, object);
        }
    }
    return count;
}

// Each kind gets its own options; the definition then has all that are read, as they are.
static trStatus bind_options(trSim *s) {
    const trFormulationKind   *formulation = s->methods.kernel.kind;
    const trIntegratorKind    *integrator = s->stepper.kind;
    const trStabilizationKind *gains = s->methods.stabilization;
    const trParam             *given = s->methods.given = with_basis(s);
    void         **kept[] = {&s->methods.options, &s->methods.gains, &s->stepper.options};
    const trField *fields[] = {formulation->fields, gains != NULL ? gains->fields : NULL,
                               integrator->fields};
    const size_t   sizes[] = {formulation->size, gains != NULL ? gains->size : 0, integrator->size};
    trParam       *all = tr_arena_take(s->arena, TR_FIELDS_MOST + 1, sizeof *all);
    int            count = 0;
    for (int i = 0; i < 3; i++) {
        TR_TRY(tr_options_bind(s->arena, sizes[i], fields[i], given, kept[i]));
    }
    TR_TRY(tr_arena_status(s->arena));
    if (gains != NULL && gains->fill != NULL) {
        gains->fill(s->methods.gains, s->stepper.adaptive ? 0.0 : s->def.step);
    }
    for (int i = 0; i < 3; i++) {
        count = list_options(fields[i], *kept[i], all, count);
    }
    s->def.options = all;
    return TR_OK;
}

// A preset fills what the user left open; what was given stays.
trStatus tr_sim_choose(trSim *s, bool *stage_open) {
    trSimDef *def = &s->def;
    TR_TRY(tr_sim_def_check(def));
    const trMethod *method = tr_method_find(or_else(def->method, TR_DEFAULT_METHOD));
    TR_TRY(choose_integrator(def, method));
    s->stepper.kind = tr_integrator_find(def->integrator);
    choose_driver(s);
    if (s->stepper.kind->implicit != NULL) {
        TR_TRY(choose_implicit(def, method, s->stepper.kind));
    }
    if (s->stepper.kind->owner != NULL && !s->stepper.kind->owner->projects_steps &&
        def->method == NULL && def->step_projection == NULL) {
        def->stage_projection = or_else(def->stage_projection, STAGE_PROJECTION);
    }
    TR_TRY(tr_sim_def_check_options(def));
    *stage_open = def->method == NULL && def->stage_projection == NULL;
    bool sparse = strcmp(method->formulation, TR_ROBUST_SPARSE) == 0;
    def->formulation = or_else(def->formulation,
                               sparse && s->system->dense ? TR_ROBUST_DENSE : method->formulation);
    def->stabilization = or_else(def->stabilization, method->stabilization);
    def->stage_projection = or_else(def->stage_projection, method->stage_projection);
    def->step_projection = or_else(def->step_projection, method->step_projection);
    choose_moving_basis(def);
    if (def->max_step == 0.0) {
        def->max_step = fmax(LONGEST_STEP * def->duration, def->min_step);
    }
    choose_kinds(s);
    if (s->stepper.kind->owner != NULL) {
        TR_TRY(check_owner(s));
    }
    if (s->stepper.own_step && def->min_step > 0.0) {
        return tr_fail(TR_E_ARGUMENT,
                       "min_step = %g s cannot be combined with integrator '%s', which accepts no "
                       "step whose error is too large; leave it out, or use dop853",
                       def->min_step, s->stepper.kind->name);
    }
    return bind_options(s);
}

static trStatus check_times(const trSimDef *def) {
    double end = def->start + def->duration;
    if (!(def->duration > 0.0) || !isfinite(def->duration) || !isfinite(def->start)) {
        return tr_fail(TR_E_ARGUMENT, "duration must be positive and finite");
    }
    if (!(end - def->start >= def->duration * 0.5)) {
        return tr_fail(TR_E_ARGUMENT, "a duration of %g s is lost in rounding at %g s",
                       def->duration, def->start);
    }
    if (def->sample > 0.0 && !(def->duration / def->sample <= ROWS_MAX)) {
        return tr_fail(
            TR_E_ARGUMENT,
            "output_step = %g s gives %.1e rows; take a larger one (at most %.0e rows are "
            "possible)",
            def->sample, def->duration / def->sample, ROWS_MAX);
    }
    if (def->times.count < 0 || (def->times.count > 0 && def->times.at == NULL)) {
        return tr_fail(TR_E_ARGUMENT, "times.count is %d but times.at is NULL", def->times.count);
    }
    return TR_OK;
}

static trStatus check_control(const trSimDef *def) {
    if (!(def->rtol >= RTOL_MIN) || !(def->atol > 0.0)) {
        return tr_fail(TR_E_ARGUMENT, "rtol must be at least %.0e and atol positive", RTOL_MIN);
    }
    if (!(def->min_step >= 0.0) || !(def->max_step >= 0.0) ||
        (def->max_step > 0.0 && def->min_step > def->max_step)) {
        return tr_fail(TR_E_ARGUMENT,
                       "min_step = %g s and max_step = %g s must not be negative, and min_step "
                       "must be the smaller",
                       def->min_step, def->max_step);
    }
    if (!(def->rank_tolerance >= TR_RANK_TOLERANCE_MIN) ||
        !(def->rank_tolerance <= TR_RANK_TOLERANCE_MAX)) {
        return tr_fail(TR_E_ARGUMENT, "rank_tolerance = %g must be from %g to %g; 1e-4 is usual",
                       def->rank_tolerance, TR_RANK_TOLERANCE_MIN, TR_RANK_TOLERANCE_MAX);
    }
    return TR_OK;
}

// No step is longer than `h`, the setting `name`.
static trStatus check_step_count(const trSimDef *def, const char *name, double h) {
    if (!(h > STEP_ROUNDING * DBL_EPSILON * fmax(fabs(def->start), def->duration))) {
        return tr_fail(TR_E_ARGUMENT, "%s = %g s is too small for the time to advance", name, h);
    }
    if (def->duration / h > STEPS_MAX) {
        return tr_fail(TR_E_ARGUMENT,
                       "%s = %g s is too small: the duration of %g s would take %.0e steps; %.0e "
                       "are possible",
                       name, h, def->duration, def->duration / h, STEPS_MAX);
    }
    return TR_OK;
}

static trStatus check_gains(const trSim *s, bool fixed) {
    double gain = s->def.step * s->methods.stabilization->rate(s->methods.gains);
    if (fixed && gain > RK4_LIMIT) {
        return tr_fail(TR_E_ARGUMENT,
                       "%s gain times step is %.3g; above %.1f the run is unstable: take a "
                       "smaller step or smaller gains (about 5 1/s are most accurate)",
                       s->methods.stabilization->title, gain, RK4_LIMIT);
    }
    return TR_OK;
}

// What a model file and the command refuse by the same table; 0 is "not given" where there is no
// other default.
static trStatus check_fields(const trSimDef *def) {
    for (const trField *f = tr_sim_def_fields; f->name != NULL; f++) {
        if (f->kind != TR_FIELD_REAL || (f->flags & (TR_POSITIVE | TR_NOT_NEGATIVE)) == 0) {
            continue;
        }
        double value = 0.0;
        memcpy(&value, (const char *)def + f->offset, sizeof value);
        bool positive = (f->flags & TR_POSITIVE) != 0 && !isnan(f->fallback);
        if (!isfinite(value) || value < 0.0 || (positive && value == 0.0)) {
            return tr_fail(TR_E_ARGUMENT, "%s = %g; it must be finite and %s", f->name, value,
                           positive ? "positive" : "not negative");
        }
    }
    return TR_OK;
}

trStatus tr_sim_check_numbers(const trSim *s) {
    const trSimDef *def = &s->def;
    bool            fixed = !s->stepper.adaptive;
    TR_TRY(check_times(def));
    TR_TRY(check_control(def));
    TR_TRY(check_fields(def));
    if (fixed && !(def->step > 0.0)) {
        return tr_fail(TR_E_ARGUMENT,
                       "integrator '%s' has a fixed step; give one, e.g. step = 1e-3 (--step 1e-3)",
                       s->stepper.kind->name);
    }
    TR_TRY(fixed ? check_step_count(def, "step", def->step)
                 : check_step_count(def, "max_step", def->max_step));
    return s->methods.stabilization != NULL ? check_gains(s, fixed) : TR_OK;
}
