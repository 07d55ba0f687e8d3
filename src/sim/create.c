// SPDX-License-Identifier: MIT
// Making a simulation: choose the methods, check that they fit, plan all memory, put the initial
// state on the constraints.

#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/sim.h"

#define DEFAULT_METHOD "mass_orthogonal"
#define DENSE_FORMULATION "lagrange_dense"  // where M is not diagonal
#define RK4_LIMIT 2.7           // h alpha of Baumgarte with rk4; 2.78 is the border of stability
#define RTOL_MIN 2e-15          // about ten units in the last place
#define RANK_TOLERANCE_MAX 0.1  // beyond, rows at an angle of several degrees would count as one
#define ROWS_MAX 1e12           // of output
#define LONGEST_STEP 0.2        // of the duration, where no max_step is given

static bool is_chosen(const char *word) {
    return word != NULL && strcmp(word, "none") != 0;
}

// Methods on the second face hold the constraints themselves. What acts on the first is refused.
static trStatus choose_implicit(trSimDef *def) {
    const char *key = is_chosen(def->stage_projection)  ? "stage_projection"
                      : is_chosen(def->step_projection) ? "step_projection"
                      : is_chosen(def->stabilization)   ? "stabilization"
                      : def->method != NULL             ? "method"
                                                        : NULL;
    if (key != NULL) {
        return tr_fail(TR_E_ARGUMENT,
                       "'%s' cannot be combined with integrator '%s', which holds the positions on "
                       "the constraints by itself; leave it out, or take dop853",
                       key, def->integrator);
    }
    def->stage_projection = def->step_projection = def->stabilization = "none";
    return TR_OK;
}

// A preset fills what the user left open; what was given stays.
static trStatus choose_methods(trSim *s, bool *stage_open) {
    trSimDef *def = &s->def;
    def->integrator = def->integrator == NULL ? tr_sim_def_default().integrator : def->integrator;
    TR_TRY(tr_sim_def_check(def));
    s->integrator = tr_integrator_find(def->integrator);
    if (s->integrator->implicit != NULL) {
        TR_TRY(choose_implicit(def));
    }
    const trMethod *method = tr_method_find(def->method == NULL ? DEFAULT_METHOD : def->method);
    *stage_open = def->method == NULL && def->stage_projection == NULL;
    if (def->formulation == NULL) {
        def->formulation = s->system->dense ? DENSE_FORMULATION : method->formulation;
    }
    def->stabilization = def->stabilization == NULL ? method->stabilization : def->stabilization;
    def->stage_projection =
        def->stage_projection == NULL ? method->stage_projection : def->stage_projection;
    def->step_projection =
        def->step_projection == NULL ? method->step_projection : def->step_projection;
    if (def->max_step == 0.0) {
        def->max_step = fmax(LONGEST_STEP * def->duration, def->min_step);
    }
    s->kernel.kind = tr_formulation_find(def->formulation);
    return TR_OK;
}

static trStatus check_times(const trSimDef *def) {
    double end = def->start + def->duration;
    if (!(def->duration > 0.0) || !isfinite(def->duration) || !isfinite(def->start)) {
        return tr_fail(TR_E_ARGUMENT, "duration must be positive and finite");
    }
    if (!(end - def->start >= def->duration * 0.5)) {
        return tr_fail(TR_E_ARGUMENT, "a duration of %g s cannot be told apart from 0 at %g s",
                       def->duration, def->start);
    }
    if (def->sample > 0.0 && !(def->duration / def->sample <= ROWS_MAX)) {
        return tr_fail(TR_E_ARGUMENT, "sample = %g s would give %.1e rows; %.0e are possible",
                       def->sample, def->duration / def->sample, ROWS_MAX);
    }
    if (def->times.count < 0 || (def->times.count > 0 && def->times.at == NULL)) {
        return tr_fail(TR_E_ARGUMENT, "times has %d numbers, at nowhere", def->times.count);
    }
    return TR_OK;
}

static trStatus check_control(const trSimDef *def) {
    if (!(def->rtol >= RTOL_MIN) || !(def->atol > 0.0)) {
        return tr_fail(TR_E_ARGUMENT,
                       "rtol must be at least %.0e, what numbers can resolve, and atol positive",
                       RTOL_MIN);
    }
    if (!(def->min_step >= 0.0) || !(def->max_step >= 0.0) ||
        (def->max_step > 0.0 && def->min_step > def->max_step)) {
        return tr_fail(
            TR_E_ARGUMENT,
            "min_step = %g s and max_step = %g s do not fit: not negative, min_step the smaller",
            def->min_step, def->max_step);
    }
    if (!(def->rho >= 0.0 && def->rho <= 1.0)) {
        return tr_fail(TR_E_ARGUMENT, "rho = %g; a spectral radius lies between 0 and 1", def->rho);
    }
    if (!(def->rank_tolerance > 0.0) || !(def->rank_tolerance <= RANK_TOLERANCE_MAX)) {
        return tr_fail(TR_E_ARGUMENT,
                       "rank_tolerance must be above 0 and at most %g; 1e-4 is usual",
                       RANK_TOLERANCE_MAX);
    }
    return TR_OK;
}

static trStatus check_numbers(const trSim *s) {
    const trSimDef *def = &s->def;
    bool            fixed = s->integrator->error_order == 0;
    double          gain = def->step * fmax(def->alpha, def->beta);
    TR_TRY(check_times(def));
    TR_TRY(check_control(def));
    if (fixed && !(def->step > 0.0)) {
        return tr_fail(TR_E_ARGUMENT,
                       "integrator '%s' has a fixed step; give one, e.g. step = 1e-3 (--step 1e-3)",
                       s->integrator->name);
    }
    if (fixed && !(def->step > 16.0 * DBL_EPSILON * fmax(fabs(def->start), def->duration))) {
        return tr_fail(TR_E_ARGUMENT, "step = %g s is too small for the time to advance",
                       def->step);
    }
    if (fixed && strcmp(def->stabilization, "baumgarte") == 0 && gain > RK4_LIMIT) {
        return tr_fail(TR_E_ARGUMENT,
                       "Baumgarte gain times step is %.3g; above %.1f the run is unstable: take a "
                       "smaller step or smaller gains (about 5 1/s are most accurate)",
                       gain, RK4_LIMIT);
    }
    return TR_OK;
}

static void plan_vectors(trSim *s) {
    s->x = tr_new_array(s->arena, double, s->nx);
    s->x_new = tr_new_array(s->arena, double, s->nx);
    s->x_next = tr_new_array(s->arena, double, s->nx);
    s->x_stage = tr_new_array(s->arena, double, s->nx);
    s->x_row = tr_new_array(s->arena, double, s->nx);
    s->weight = tr_new_array(s->arena, double, s->nx);
    s->a = tr_new_array(s->arena, double, s->nv);
    s->lambda = tr_new_array(s->arena, double, s->m);
    s->b = tr_new_array(s->arena, double, s->m);
    s->rate = tr_new_array(s->arena, double, s->m);
    s->F = tr_new_array(s->arena, double, s->nv);
    s->quantity = tr_new_array(s->arena, trQuantity, s->m);
    s->dependent = tr_new_array(s->arena, bool, s->m);
    s->rank_change = tr_new_array(s->arena, trRankChange, TR_RANK_CHANGES_KEPT);
    s->forced_time = tr_new_array(s->arena, double, TR_FORCED_KEPT);
}

// The named method that the four choices make, or NULL.
static const char *name_of_choices(const trSimDef *def) {
    for (int i = 0; i < tr_method_count(); i++) {
        const trMethod *m = tr_method_at(i);
        if (strcmp(m->formulation, def->formulation) == 0 &&
            strcmp(m->stabilization, def->stabilization) == 0 &&
            strcmp(m->stage_projection, def->stage_projection) == 0 &&
            strcmp(m->step_projection, def->step_projection) == 0) {
            return m->name;
        }
    }
    return NULL;
}

// NULL if there are none.
static const double *copy_numbers(trSim *s, const trNumbers *numbers) {
    double *copy = numbers->count > 0 ? tr_new_array(s->arena, double, numbers->count) : NULL;
    for (int i = 0; copy != NULL && i < numbers->count; i++) {
        copy[i] = numbers->at[i];
    }
    return copy;
}

// What the definition points to may not outlive it.
static void keep_texts(trSim *s) {
    s->def.times.at = copy_numbers(s, &s->def.times);
    // The words are those of the registries, which live forever.
    s->def.integrator = s->integrator->name;
    s->def.formulation = s->kernel.kind->name;
    s->def.stabilization = strcmp(s->def.stabilization, "none") == 0 ? "none" : "baumgarte";
    s->def.stage_projection = strcmp(s->def.stage_projection, "none") == 0 ? "none" : "masarati";
    const trProjectionKind *step = tr_projection_find(s->def.step_projection);
    s->def.step_projection = step == NULL ? "none" : step->name;
}

// What a formulation may look at; numbers are copied because the definition may not outlive this.
static void plan_options(trSim *s) {
    const trSimDef *def = &s->def;
    s->options = (trFormulationOptions){.inverse = def->inverse,
                                        .basis = def->basis,
                                        .penalty = def->penalty,
                                        .gauge = def->gauge,
                                        .gauge_weights = copy_numbers(s, &def->gauge_weights),
                                        .gauge_z = copy_numbers(s, &def->gauge_z)};
}

static trStatus plan(trSim *s) {
    const trSystem   *system = s->system;
    const trTolerance tolerance = {s->def.rtol, s->def.atol};
    plan_vectors(s);
    TR_TRY(tr_react_plan(s->arena, system, &s->react));
    for (int i = 0; i < s->m; i++) {
        s->quantity[i] = strcmp(system->row_unit[i], "m") == 0     ? TR_LENGTH
                         : strcmp(system->row_unit[i], "rad") == 0 ? TR_ANGLE
                                                                   : TR_OTHER;
        s->others |= s->quantity[i] == TR_OTHER;
    }
    tr_system_weights(system, s->weight);
    s->ode.weight = s->weight;
    TR_TRY(tr_eval_plan(s->arena, system, s->def.rank_tolerance, &s->eval));
    const trEquations *e = &s->eval.equations;
    plan_options(s);
    TR_TRY(s->kernel.kind->plan(s->arena, e, &s->options, &s->kernel.work));
    TR_TRY(tr_projector_plan(s->arena, tr_projection_find("mass_orthogonal"), s->kernel.kind,
                             &s->kernel, e, &s->by_mass));
    TR_TRY(tr_projector_plan(s->arena, tr_projection_find("direct"), s->kernel.kind, NULL, e,
                             &s->by_identity));
    const trProjectionKind *step = tr_projection_find(s->def.step_projection);
    if (step != NULL) {
        s->step = step->weight == TR_WEIGHT_MASS ? &s->by_mass : &s->by_identity;
    }
    if (s->integrator->implicit != NULL) {
        TR_TRY(tr_implicit_plan(s));
    } else {
        TR_TRY(s->integrator->plan(s->arena, s->nx, &tolerance, &s->integrator_work));
    }
    keep_texts(s);
    return tr_columns_plan(s);
}

// Newton's method on the second face has one matrix for all rows.
static trStatus refuse_redundant(const trSim *s, const trRank *rank) {
    tr_fail(
        TR_E_MODEL,
        "depends on the other %s (%d redundant row%s in all), which integrator '%s' cannot take; "
        "free what is held twice, or take dop853",
        tr_word_for_rows(s), rank->dropped, rank->dropped == 1 ? "" : "s", s->integrator->name);
    return tr_blame_joint(TR_E_MODEL, &s->system->joint[s->system->row_joint[rank->rows[0]]]);
}

// Of rows that depend on each other only the sum of their forces is unique, not each reaction.
static trStatus refuse_reaction(const trSim *s, const trRank *rank) {
    tr_fail(TR_E_MODEL,
            "depends on the other constraints, so that reactions are not unique; the function of "
            "s:nonideal uses them: remove what is held twice");
    return tr_blame_joint(TR_E_MODEL, &s->system->joint[s->system->row_joint[rank->rows[0]]]);
}

// The first state: rank, degrees of freedom, energy, the first step.
static trStatus start(trSim *s, bool stage_open) {
    s->t = s->def.start;
    s->rank = -1;
    s->stats.smallest_step = INFINITY;
    TR_TRY(tr_assemble(s));
    trRank rank;
    TR_TRY(tr_sim_rank(s, &rank));
    if (s->integrator->implicit != NULL && rank.dropped > 0) {
        return refuse_redundant(s, &rank);
    }
    if (s->system->traced != NULL && s->system->traced->reactive && rank.dropped > 0) {
        return refuse_reaction(s, &rank);
    }
    if (stage_open && rank.dropped > 0 && s->step != NULL) {
        s->def.stage_projection = "masarati";
    }
    s->stage = strcmp(s->def.stage_projection, "masarati") == 0 ? &s->by_mass : NULL;
    s->def.method = s->integrator->implicit != NULL ? NULL : name_of_choices(&s->def);
    s->stats.redundant_rows = rank.dropped;
    s->stats.degrees_of_freedom = s->nv - rank.rank;
    s->stats.energy_unit = tr_system_is_si(s->system) ? "J" : "";
    s->stats.potential_known =
        s->system->traced == NULL || s->system->traced->Q < 0 || s->system->traced->energy >= 0;
    s->stats.energy_start = tr_eval_kinetic(&s->eval, s->x, s->x + s->nq) + s->eval.potential;
    if (s->integrator->implicit != NULL) {
        tr_implicit_begin(s);
    }
    TR_TRY(tr_sim_settle(s));
    s->h = s->integrator->error_order > 0 ? fmin(s->def.step, s->def.max_step) : s->def.step;
    return s->h > 0.0 ? TR_OK : tr_first_step(s, &s->h);
}

trStatus tr_sim_create(const trSystem *system, const trSimDef *def, trSim **out) {
    *out = NULL;
    if (def->struct_size != sizeof(trSimDef)) {
        return tr_fail(TR_E_ARGUMENT, "start from tr_sim_def_default()");
    }
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trSim *s = tr_new(arena, trSim);
    if (s == NULL) {
        tr_arena_destroy(arena);
        return TR_E_MEMORY;
    }
    s->arena = arena;
    s->system = system;
    s->def = *def;
    s->nq = system->nq;
    s->nv = system->nv;
    s->m = system->m;
    s->nz = system->states;
    s->nx = s->nq + s->nv + s->nz + 1;
    tr_sim_make_faces(s);
    bool     stage_open = false;
    trStatus status = choose_methods(s, &stage_open);
    status = status == TR_OK ? check_numbers(s) : status;
    status = status == TR_OK ? plan(s) : status;
    if (status == TR_OK) {
        tr_arena_seal(arena);
        status = start(s, stage_open);
    }
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    *out = s;
    return TR_OK;
}

void tr_sim_destroy(trSim *sim) {
    if (sim != NULL) {
        tr_arena_destroy(sim->arena);
    }
}
