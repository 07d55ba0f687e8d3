// SPDX-License-Identifier: MIT
// Loads of force functions. With r from the center of mass to the origin of the body's frame,
//
//     F, M at the origin   ->   F, M + r x F at the center of mass

#include "system/functions.h"

#include <math.h>
#include <string.h>

int tr_force_bodies(const trForce *force, const int **body, int pair[2]) {
    if (force->kind == &tr_function_force) {
        const trFunctionForce *f = force->params;
        *body = f->body;
        return f->bodies;
    }
    pair[0] = force->body1;
    pair[1] = force->body2;
    *body = pair;
    return 2;
}

trStatus tr_functions_plan(trArena *arena, const trSystem *s, trEval *e) {
    int most = 0;
    e->u = tr_new_array(arena, double, s->inputs);
    for (int i = 0; i < s->varying; i++) {
        if (s->force[i].kind == &tr_function_force) {
            const trFunctionForce *f = s->force[i].params;
            most = f->bodies > most ? f->bodies : most;
        }
    }
    e->function_work = tr_new(arena, trFunctionWork);
    TR_TRY(tr_arena_status(arena));
    const size_t square = (size_t)(6 * most) * (size_t)(6 * most);
    *e->function_work = (trFunctionWork){.body = tr_new_array(arena, trBodyState, most),
                                         .moved = tr_new_array(arena, trBodyState, most),
                                         .given = tr_new_array(arena, trLoad, most),
                                         .plus = tr_new_array(arena, trLoad, most),
                                         .minus = tr_new_array(arena, trLoad, most),
                                         .change = tr_new_array(arena, trLoad, most),
                                         .load = tr_new_array(arena, trLoad3, most),
                                         .K = tr_new_array(arena, double, square),
                                         .D = tr_new_array(arena, double, square)};
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < s->inputs; i++) {
        e->u[i] = s->input[i].start;
    }
    return TR_OK;
}

trFunctionLoads tr_function_loads(const trEval *e, int i) {
    const trFunctionForce *f = e->system->force[i].params;
    const trFunctionWork  *w = e->function_work;
    trFunctionLoads        out = {.bodies = f->bodies, .load = w->load};
    double                 potential = NAN;
    for (int k = 0; k < f->bodies; k++) {
        w->body[k] = tr_system_body_state(e->system, f->body[k], e->q, e->v);
        w->given[k] = (trLoad){0};
    }
    const trForceAt at = {e->t, f->bodies, w->body, e->u};
    out.code = f->function.load(f->function.context, &at, w->given, &potential);
    for (int k = 0; k < f->bodies; k++) {
        const trBodyState *b = &w->body[k];
        const trLoad      *l = &w->given[k];
        const trVec3       r = tr_function_arm(e, f->body[k], b);
        const trVec3       F = {l->fx, l->fy, l->fz}, M = {l->mx, l->my, l->mz};
        w->load[k] = (trLoad3){F, tr_add3(M, tr_cross3(r, F))};
        out.power += tr_dot3(F, (trVec3){b->vx, b->vy, b->vz}) +
                     tr_dot3(M, (trVec3){b->wx, b->wy, e->motion3 != NULL ? b->wz : b->omega});
    }
    if (!isnan(potential)) {
        out.potential = potential;
        out.power = 0.0;
    }
    return out;
}

void tr_function_add(const trSystem *s, int i, trEval *e) {
    const trFunctionForce *f = s->force[i].params;
    const trFunctionLoads  loads = tr_function_loads(e, i);
    for (int k = 0; k < loads.bodies; k++) {
        const trLoad3   *l = &loads.load[k];
        const trForceOut out = {.on2 = {l->force.x, l->force.y, l->moment.z}, .at2 = *l};
        s->space->add_load(e, f->body[k], &out, 2, e->Q + s->space->nv * f->body[k]);
    }
    e->potential += loads.potential;
    e->power += loads.power;
    if (loads.code != 0 && e->failed < 0) {
        e->failed = i;
        e->failure = loads.code;
    }
}

trStatus tr_functions_check(double t, const trEval *e) {
    const trStatus status = e->failure > 0 ? TR_NO_CONVERGENCE : TR_E_SIMULATION;
    tr_fail(status, "its function %s at t = %.9g s (%d)",
            e->failure > 0 ? "has no value" : "ended the run", t, e->failure);
    return tr_blame_force(status, &e->system->force[e->failed]);
}
