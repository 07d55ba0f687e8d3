// SPDX-License-Identifier: MIT
// Making a simulation: plan all memory, put the initial state on the constraints.

#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/keep.h"
#include "sim/sim.h"

#define NEARLY_DEPENDENT 1e-2  // pivot of A M^-1 A', relative to its nominal size

static void plan_vectors(trSim *s) {
    s->x = tr_new_array(s->arena, double, s->nx);
    s->x_new = tr_new_array(s->arena, double, s->nx);
    s->x_next = tr_new_array(s->arena, double, s->nx);
    s->work.x_stage = tr_new_array(s->arena, double, s->nx);
    s->work.x_row = tr_new_array(s->arena, double, s->nx);
    s->stepper.weight = tr_new_array(s->arena, double, s->nx);
    s->a = tr_new_array(s->arena, double, s->nv);
    s->lambda = tr_new_array(s->arena, double, s->m);
    s->work.b = tr_new_array(s->arena, double, s->m);
    s->work.rate = tr_new_array(s->arena, double, s->m);
    s->methods.mass = tr_new_array(s->arena, double, s->system->dense ? s->nv * s->nv : 0);
    s->work.slide_right = tr_new_array(s->arena, double, s->m);
    s->work.slide = tr_new_array(s->arena, double, s->nv);
    s->work.a_stage = tr_new_array(s->arena, double, s->nv);
    s->a_now = tr_new_array(s->arena, double, s->nv);
    s->rows.quantity = tr_new_array(s->arena, trQuantity, s->m);
    s->rows.dependent = tr_new_array(s->arena, bool, s->m);
    s->rows.redundant = tr_new_array(s->arena, bool, s->m);
    s->notes.rank_change = tr_new_array(s->arena, trRankChange, TR_RANK_CHANGES_KEPT);
    s->notes.forced_time = tr_new_array(s->arena, double, TR_FORCED_KEPT);
}

static bool same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

// Whether the choices are those of the method. Formulations of one name and the same with "_dense"
// are one; so are a stage and its form for a moving basis.
static bool is_made_of(const trSimDef *def, const trMethod *m) {
    const trStageKind *stage = tr_stage_find(def->stage_projection);
    const char        *of = stage != NULL ? stage->moving_form_of : NULL;
    size_t             length = strlen(m->formulation);
    const char        *rest = def->formulation + length;
    bool               formulation = strncmp(m->formulation, def->formulation, length) == 0 &&
                       (*rest == '\0' || same(rest, "_dense"));
    return formulation && same(m->stabilization, def->stabilization) &&
           same(m->stage_projection, of != NULL ? of : def->stage_projection) &&
           same(m->step_projection, of != NULL ? of : def->step_projection);
}

// Whether the method is the integrator that was chosen, in the form that was.
static bool is_integrator(const trSimDef *def, const trMethod *m) {
    return m->integrator != NULL && same(m->integrator, def->integrator) &&
           (m->form == NULL || (def->form != NULL && same(m->form, def->form)));
}

// The named method that the choices make, or NULL. One that is the integrator goes first: the one
// that was given, or the first of them; then one whose form another integrator has; then those that
// leave the integrator open.
static const char *name_of_choices(const trSimDef *def) {
    const trMethod *given = def->method != NULL ? tr_method_find(def->method) : NULL;
    const char     *open = NULL, *own = NULL, *formed = NULL;
    for (int i = 0; i < tr_method_count(); i++) {
        const trMethod *m = tr_method_at(i);
        if (is_integrator(def, m)) {
            own = own == NULL || m == given ? m->name : own;
        } else if (m->form != NULL && def->form != NULL && same(m->form, def->form)) {
            formed = m->name;
        } else if (open == NULL && m->integrator == NULL && is_made_of(def, m)) {
            open = m->name;
        }
    }
    return own != NULL ? own : formed != NULL ? formed : open;
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
    s->def.q.at = copy_numbers(s, &s->def.q);
    s->def.v.at = copy_numbers(s, &s->def.v);
    s->def.basis = s->def.basis == NULL ? NULL : tr_arena_text(s->arena, s->def.basis);
}

trStatus tr_check_numbers(int count, const double *x, const char *name) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            return tr_fail(TR_E_ARGUMENT, "number %d of %s is not finite", i + 1, name);
        }
    }
    return TR_OK;
}

// A state to start from has as many numbers as the model's, all finite.
static trStatus check_start(const trNumbers *list, int size, const char *name) {
    return list->count != 0 && (list->count != size || list->at == NULL)
               ? tr_fail(TR_E_ARGUMENT, "%s has %d numbers; the system has %d", name, list->count,
                         size)
               : tr_check_numbers(list->count, list->at, name);
}

// A formulation that judges ranks, for kernels besides the one of the accelerations.
static const trFormulationKind *robust_kind(const trSim *s) {
    return s->methods.judge.kind != NULL ? s->methods.judge.kind : s->methods.kernel.kind;
}

// The projector of a kind, or NULL for none. Stages and steps of one kind share it.
static trStatus plan_chosen(trSim *s, const char *name, trProjector **out) {
    const trProjectionKind *kind = name == NULL ? NULL : tr_projection_find(name);
    const trEquations      *e = &s->eval.equations;
    *out = NULL;
    if (kind == NULL) {
        return TR_OK;
    }
    if (kind->weight == TR_WEIGHT_MASS) {
        *out = &s->methods.by_mass;
        return TR_OK;
    }
    if (kind->weight == TR_WEIGHT_IDENTITY) {
        *out = &s->methods.by_identity;
        return s->methods.by_identity.kind == kind
                   ? TR_OK
                   : tr_projector_plan(s->arena, kind, robust_kind(s), NULL, e, NULL,
                                       &s->methods.by_identity);
    }
    *out = s->methods.picked[0].kind == NULL || s->methods.picked[0].kind == kind
               ? &s->methods.picked[0]
               : &s->methods.picked[1];
    return (*out)->kind == kind
               ? TR_OK
               : tr_projector_plan(s->arena, kind, NULL, NULL, e, s->methods.given, *out);
}

static trStatus plan_projections(trSim *s) {
    const trEquations       *e = &s->eval.equations;
    const trFormulationKind *robust = robust_kind(s);
    const trProjectionKind  *by_mass = tr_projection_find(TR_MASS_PROJECTION);
    const trStageKind       *stage = tr_stage_find(s->def.stage_projection);
    TR_TRY(tr_projector_plan(s->arena, by_mass, s->methods.kernel.kind, &s->methods.kernel, e, NULL,
                             &s->methods.by_mass));
    TR_TRY(tr_projector_plan(s->arena, &tr_projection_by_units, robust, NULL, e, NULL,
                             &s->methods.by_units));
    s->methods.assembler = &s->methods.by_mass;
    if (s->methods.judge.kind != NULL) {
        s->methods.assembler = &s->methods.by_judge;
        TR_TRY(s->methods.judge.kind->plan(s->arena, e, NULL, &s->methods.judge.work));
        TR_TRY(tr_projector_plan(s->arena, by_mass, robust, &s->methods.judge, e, NULL,
                                 &s->methods.by_judge));
    }
    TR_TRY(plan_chosen(s, stage == NULL ? NULL : stage->projection, &s->methods.stage));
    return plan_chosen(s, s->def.step_projection, &s->methods.step);
}

// A as the model gives it, for the plans of kernels. What is wrong with this state is told when it
// is assembled.
static void look_at_arms(trSim *s) {
    s->eval.z = s->system->z0;
    const double *q = s->def.q.count > 0 ? s->def.q.at : s->system->q0;
    (void)tr_system_eval(s->system, s->def.start, q, s->system->v0, &s->eval);
}

static trStatus plan(trSim *s) {
    const trSystem *system = s->system;
    plan_vectors(s);
    TR_TRY(tr_react_plan(s->arena, system, &s->react));
    tr_row_exchange_plan(s->arena, &(trEquations){.nv = s->nv, .m = s->m}, &s->rows.exchange);
    for (int i = 0; i < s->m; i++) {
        s->rows.quantity[i] = tr_quantity_of(system->row_unit[i]);
        s->rows.others |= s->rows.quantity[i] == TR_OTHER;
    }
    tr_system_weights(system, s->stepper.weight);
    s->ode.weight = s->stepper.weight;
    TR_TRY(tr_eval_plan(s->arena, system, s->def.rank_tolerance, &s->eval));
    const trEquations *e = &s->eval.equations;
    TR_TRY(check_start(&s->def.q, s->nq, "q"));
    TR_TRY(check_start(&s->def.v, s->nv, "v"));
    look_at_arms(s);
    TR_TRY(s->methods.kernel.kind->plan(s->arena, e, s->methods.options, &s->methods.kernel.work));
    TR_TRY(plan_projections(s));
    if (s->methods.carry != NULL) {
        s->methods.x_carry = tr_new_array(s->arena, double, s->nx);
        s->methods.carry_at = tr_new_array(s->arena, double, s->nq + 2 * s->nv);
        TR_TRY(s->methods.carry->plan(s->arena, e, &s->methods.kernel, &s->methods.carry_work));
    }
    TR_TRY(s->stepper.driver->plan(s));
    tr_watch_plan(s);
    keep_texts(s);
    tr_sim_keep(s);
    return tr_columns_plan(s);
}

// The first state: rank, degrees of freedom, energy, the first step.
static trStatus start(trSim *s, bool stage_open) {
    s->t = s->def.start;
    s->rows.rank = s->pose.lost_row = -1;
    s->notes.stats.smallest_step = INFINITY;
    TR_TRY(tr_assemble(s));
    trRank rank;
    TR_TRY(tr_sim_rank(s, &rank));
    TR_TRY(tr_check_reactions(s, &rank, TR_E_MODEL));
    if (stage_open && rank.dropped > 0 && s->methods.step == &s->methods.by_mass) {
        s->def.stage_projection = "masarati";
        s->methods.stage = &s->methods.by_mass;
    }
    bool narrow = rank.gap_row >= 0 && rank.gap < NEARLY_DEPENDENT;
    s->methods.closely = s->def.q.count > 0 && (narrow || rank.dropped > 0);
    s->def.method = name_of_choices(&s->def);
    s->notes.stats.redundant_rows = rank.dropped;
    s->notes.stats.degrees_of_freedom = s->nv - rank.rank;
    s->notes.stats.energy_unit = tr_system_is_si(s->system) ? "J" : "";
    s->notes.stats.potential_known =
        s->system->traced == NULL || s->system->traced->Q < 0 || s->system->traced->energy >= 0;
    s->notes.stats.energy_start = tr_eval_kinetic(&s->eval, s->x, s->x + s->nq) + s->eval.potential;
    TR_TRY(tr_sim_restart(s));
    trStatus status = tr_sim_settle(s);
    if (status != TR_OK) {
        return status > 0 ? TR_E_MODEL : status;
    }
    if (s->stepper.own_step) {
        s->stepper.h = s->def.max_step;
        return TR_OK;
    }
    s->stepper.h = s->stepper.adaptive ? fmin(s->def.step, s->def.max_step) : s->def.step;
    TR_TRY(s->stepper.h > 0.0 ? TR_OK : tr_first_step(s, &s->stepper.h));
    s->pose.far_step = s->pose.passing ? s->stepper.h : 0.0;  // there were no steps before a pose
    return TR_OK;
}

static const trDefinition definition = {"trSimDef", "tr_sim_def_default()",
                                        TR_FIRST_LAYOUT(trSimDef, v), sizeof(trSimDef)};

trStatus tr_sim_create(const trSystem *system, const trSimDef *given, trSim **out) {
    trSimDef def = tr_sim_def_default();
    *out = NULL;
    TR_TRY(tr_definition_take(&definition, given, &def));
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trSim *s = tr_new(arena, trSim);
    if (s == NULL) {
        tr_arena_destroy(arena);
        return TR_E_MEMORY;
    }
    tr_keep_begin(arena);
    s->arena = arena;
    s->system = system;
    s->def = def;
    s->def.options = NULL;
    s->nq = system->nq;
    s->nv = system->nv;
    s->m = system->m;
    s->nz = system->states;
    s->nx = s->nq + s->nv + s->nz + 1;
    tr_sim_make_faces(s);
    bool     stage_open = false;
    trStatus status = tr_sim_def_bind(arena, def.options, &s->def);
    status = status == TR_E_MODEL ? TR_E_ARGUMENT : status;
    status = status == TR_OK ? tr_sim_choose(s, &stage_open) : status;
    status = status == TR_OK ? tr_sim_check_numbers(s) : status;
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
        tr_arena_destroy(sim->followed.arena);
        tr_arena_destroy(sim->arena);
    }
}
