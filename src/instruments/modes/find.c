// SPDX-License-Identifier: MIT
// From a system to its modes: assemble, find the equilibrium or check the steady motion, linearize,
// solve.

#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/vector.h"
#include "modes/modes.h"

trModesOptions tr_modes_options_default(void) {
    return (trModesOptions){.struct_size = sizeof(trModesOptions),
                            .rank_tolerance = tr_sim_def_default().rank_tolerance};
}

// What the linearized equations do not have.
static trStatus check_system(const trSystem *s) {
    trEval *eval = NULL;
    if (tr_system_dim(s) == 3 && tr_system_nv(s) == tr_system_nq(s)) {
        return tr_fail(TR_E_UNSUPPORTED, "modes need coordinates = \"body\", not \"quaternion\"");
    }
    TR_TRY(tr_eval_create(s, &eval));
    const bool reactive = tr_eval_C(eval) != NULL;
    tr_eval_destroy(eval);
    return reactive ? tr_fail(TR_E_UNSUPPORTED, "nonideal: uses reactions; modes have no friction "
                                                "that depends on them")
                    : TR_OK;
}

// The largest change of the pose from q0 (nq).
static trCorrection change_of_pose(const trLinear *l, const double *q0) {
    trCorrection most = {0};
    double      *change = l->block;
    tr_system_difference(l->system, l->x, q0, change);
    for (int i = 0; i < l->n; i++) {
        const trCoordinateInfo at = tr_system_velocity(l->system, i);
        if (fabs(change[i]) > most.value) {
            most = (trCorrection){fabs(change[i]), at.unit, at.name};
        }
    }
    return most;
}

static trStatus find_pose(trLinear *l, const trModesOptions *options, trModes *out) {
    double *q0 = tr_new_array(l->arena, double, l->nq);
    TR_TRY(tr_arena_status(l->arena));
    tr_copy(l->nq, l->x, q0);
    out->moving = tr_largest(l->n, l->x + l->nq) > 0.0;
    if (!out->moving && !options->keep_pose) {
        TR_TRY(tr_modes_balance(l, options->time, &out->iterations));
        out->moved = change_of_pose(l, q0);
    }
    TR_TRY(tr_linear_evaluate(l, options->time, l->x));
    return tr_linear_bases(l);
}

#define BALANCED 1e-8  // accelerations against forces, as in steady.c

static trStatus find_in(trLinear *l, const trModesOptions *options, trModes *out) {
    TR_TRY(find_pose(l, options, out));
    bool kept = options->keep_pose && !out->moving;
    if (kept && !(tr_modes_imbalance(l, l->a) <= BALANCED)) {
        tr_modes_fastest(l, l->a, &out->unbalanced);
    }
    TR_TRY(tr_linear_reduce(l));
    if (out->unbalanced.unit == NULL) {
        TR_TRY(tr_modes_check_steady(l, options->time));
    }
    return tr_modes_solve(l, out);
}

static trStatus keep_state(trArena *arena, const trLinear *l, trModes *out) {
    double *q = tr_new_array(arena, double, l->nq), *v = tr_new_array(arena, double, l->n);
    TR_TRY(tr_arena_status(arena));
    tr_copy(l->nq, l->x, q);
    tr_copy(l->n, l->x + l->nq, v);
    out->q = q;
    out->v = v;
    out->nq = l->nq;
    out->nv = l->n;
    out->bodies = l->bodies;
    out->system = l->system;
    return TR_OK;
}

static trStatus find(trArena *arena, const trSystem *system, const trModesOptions *options,
                     trModes *out) {
    trSim   *sim = NULL;
    trLinear linear = {0};
    trSimDef def = tr_sim_def_default();
    def.start = options->time;
    def.rank_tolerance = options->rank_tolerance;
    TR_TRY(check_system(system));
    trStatus status = tr_sim_create(system, &def, &sim);
    if (status == TR_OK) {
        status = tr_linear_plan(arena, system, sim, options->rank_tolerance, &linear);
    }
    status = status == TR_OK ? find_in(&linear, options, out) : status;
    status = status == TR_OK ? keep_state(arena, &linear, out) : status;
    tr_eval_destroy(linear.eval);
    tr_sim_destroy(sim);
    return status;
}

static const trDefinition definition = {"trModesOptions", "tr_modes_options_default()",
                                        TR_FIRST_LAYOUT(trModesOptions, keep_pose),
                                        sizeof(trModesOptions)};

trStatus tr_modes_create(const trSystem *system, const trModesOptions *given, trModes **out) {
    trModesOptions options = tr_modes_options_default();
    *out = NULL;
    TR_TRY(tr_definition_take(&definition, given, &options));
    trArena *arena = tr_arena_create();
    trModes *modes = arena != NULL ? tr_new(arena, trModes) : NULL;
    trStatus status = modes != NULL ? find(arena, system, &options, modes) : TR_E_MEMORY;
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status > 0 ? TR_E_SIMULATION : status;
    }
    modes->memory = arena;
    *out = modes;
    return TR_OK;
}

void tr_modes_destroy(trModes *modes) {
    if (modes != NULL) {
        tr_arena_destroy(modes->memory);
    }
}
