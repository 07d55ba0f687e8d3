// SPDX-License-Identifier: MIT
// From a system to its modes: assemble, find the equilibrium or check the steady motion, linearize,
// solve.

#include <math.h>
#include <string.h>

#include "modes/modes.h"

trModesOptions tr_modes_options_default(void) {
    return (trModesOptions){.struct_size = sizeof(trModesOptions),
                            .rank_tolerance = tr_sim_def_default().rank_tolerance};
}

// What the linearized equations do not have; the tangent refuses the rest.
static trStatus check_system(const trSystem *s) {
    if (s->space->widen != NULL) {
        return tr_fail(TR_E_UNSUPPORTED, "modes need coordinates = \"body\", not \"%s\"",
                       s->space->name);
    }
    if (s->traced != NULL && s->traced->reactive) {
        return tr_fail(TR_E_UNSUPPORTED,
                       "nonideal: uses reactions; modes have no friction that depends on them");
    }
    return TR_OK;
}

static bool is_moving(const trSim *sim) {
    for (int i = 0; i < sim->nv; i++) {
        if (sim->x[sim->nq + i] != 0.0) {
            return true;
        }
    }
    return false;
}

// The largest change of the pose from q0 (nq).
static trCorrection change_of_pose(const trLinear *l, const double *q0) {
    const trSpace *space = l->system->space;
    trCorrection   most = {0};
    double        *change = l->block;
    tr_system_difference(l->system, l->sim->x, q0, change);
    for (int i = 0; i < l->n; i++) {
        if (fabs(change[i]) > most.value) {
            const char *unit = tr_space_turns(space, i % space->nv) ? "rad" : "m";
            most = (trCorrection){fabs(change[i]),
                                  space->dim == 0 ? tr_system_coordinate_unit(l->system, i) : unit,
                                  l->system->body[i / space->nv].name};
        }
    }
    return most;
}

static trStatus find_pose(trLinear *l, const trModesOptions *options, trModes *out) {
    trSim  *sim = l->sim;
    double *q0 = tr_new_array(l->arena, double, sim->nq);
    TR_TRY(tr_arena_status(l->arena));
    memcpy(q0, sim->x, (size_t)sim->nq * sizeof *q0);
    out->moving = is_moving(sim);
    if (!out->moving && !options->keep_pose) {
        TR_TRY(tr_modes_balance(l, options->time, &out->iterations));
        out->moved = change_of_pose(l, q0);
    }
    TR_TRY(tr_linear_evaluate(l, options->time, sim->x));
    return tr_linear_bases(l);
}

#define BALANCED 1e-8  // accelerations against forces, as in steady.c

static trStatus find_in(trLinear *l, const trModesOptions *options, trModes *out) {
    TR_TRY(find_pose(l, options, out));
    bool kept = options->keep_pose && !out->moving;
    if (kept && !(tr_modes_imbalance(l, l->sim->a) <= BALANCED)) {
        tr_modes_fastest(l, l->sim->a, &out->unbalanced);
    }
    TR_TRY(tr_linear_reduce(l));
    if (out->unbalanced.unit == NULL) {
        TR_TRY(tr_modes_check_steady(l, options->time));
    }
    return tr_modes_solve(l, out);
}

static trStatus keep_state(trArena *arena, const trSim *sim, trModes *out) {
    double *q = tr_new_array(arena, double, sim->nq), *v = tr_new_array(arena, double, sim->nv);
    TR_TRY(tr_arena_status(arena));
    memcpy(q, sim->x, (size_t)sim->nq * sizeof *q);
    memcpy(v, sim->x + sim->nq, (size_t)sim->nv * sizeof *v);
    out->q = q;
    out->v = v;
    out->nq = sim->nq;
    out->nv = sim->nv;
    out->bodies = sim->system->bodies;
    out->system = sim->system;
    return TR_OK;
}

static trStatus find(trArena *arena, const trSystem *system, const trModesOptions *options,
                     trModes *out) {
    trSim   *sim = NULL;
    trLinear linear;
    trSimDef def = tr_sim_def_default();
    def.start = options->time;
    def.rank_tolerance = options->rank_tolerance;
    TR_TRY(check_system(system));
    trStatus status = tr_sim_create(system, &def, &sim);
    if (status == TR_OK) {
        status = tr_linear_plan(arena, system, sim, options->rank_tolerance, &linear);
    }
    status = status == TR_OK ? find_in(&linear, options, out) : status;
    status = status == TR_OK ? keep_state(arena, sim, out) : status;
    tr_sim_destroy(sim);
    return status;
}

trStatus tr_modes_find(const trSystem *system, const trModesOptions *options, trModes *out) {
    *out = (trModes){0};
    if (options->struct_size != sizeof(trModesOptions)) {
        return tr_fail(TR_E_ARGUMENT, "start from tr_modes_options_default()");
    }
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trStatus status = find(arena, system, options, out);
    out->memory = arena;
    if (status != TR_OK) {
        tr_modes_free(out);
    }
    return status > 0 ? TR_E_SIMULATION : status;
}

void tr_modes_free(trModes *modes) {
    tr_arena_destroy(modes->memory);
    *modes = (trModes){0};
}
