// SPDX-License-Identifier: MIT
// Putting modules together, and taking steps.

#include <math.h>

#include "base/definition.h"
#include "base/keep.h"
#include "glue/def.h"
#include "glue/glue.h"
#include "sim/def.h"

trGlueDef tr_glue_def_default(void) {
    return (trGlueDef){.struct_size = sizeof(trGlueDef),
                       .gluing = "gauss",
                       .scheme = "newmark",
                       .duration = 1.0,
                       .step = 1e-3,
                       .beta = 0.25,
                       .gamma = 0.5,
                       .rho = 0.8,
                       .tolerance = 1e-11,
                       .max_iterations = 50,
                       .rank_tolerance = 1e-4,
                       .timeout = 30.0,
                       .window = 10,
                       .max_steps = TR_MAX_STEPS};
}

// --- choices ---

static trStatus check_modules(const trGlue *g) {
    for (int i = 0; i < g->it.modules; i++) {
        if ((g->it.face[i].takes & g->kind->takes) != g->kind->takes) {
            return tr_fail(TR_E_UNSUPPORTED,
                           "gluing '%s' is not supported by module '%s'; use 'gauss'",
                           g->kind->name, g->it.face[i].name);
        }
    }
    return TR_OK;
}

// --- memory ---

static void plan_exchanges(trArena *arena, trGlue *g) {
    trInterface *it = &g->it;
    g->exchange = tr_arena_take(arena, (size_t)it->modules, sizeof *g->exchange);
    for (int k = 0; k < TR_LEVELS; k++) {
        g->w[k] = tr_new_array(arena, double, it->nw * it->ports);
    }
    g->load = tr_new_array(arena, double, it->nw * it->ports);
    g->impulse[0] = tr_new_array(arena, double, it->nw * it->ports);
    g->impulse[1] = tr_new_array(arena, double, it->nw * it->ports);
    g->lambda = tr_new_array(arena, double, it->m);
    g->history = tr_arena_take(arena, (size_t)g->def.max_iterations + 1, sizeof *g->history);
    if (tr_arena_status(arena) != TR_OK) {
        return;
    }
    for (int i = 0; i < it->modules; i++) {
        trExchange *e = &g->exchange[i];
        int         first = it->nw * it->first[i];
        e->x = it->x + it->nx * it->first[i];
        e->v = it->v + first;
        e->a = it->a + first;
        e->W = it->W + it->W_first[i];
        e->output = tr_new_array(arena, double, it->face[i].outputs);
        e->about = tr_arena_take(arena, 1, TR_ABOUT_SIZE);
        for (int k = 0; k < TR_LEVELS; k++) {
            e->w[k] = g->w[k] + first;
        }
    }
}

static trStatus plan(trGlue *g, const trSystem *ports, trCarrier *carrier) {
    TR_TRY(tr_glue_def_check(&g->def));
    g->kind = tr_gluing_find(g->def.gluing);
    TR_TRY(tr_scheme_choose(&g->def, &g->scheme));
    TR_TRY(tr_interface_plan(g->arena, ports, carrier, g->def.rank_tolerance, &g->it));
    TR_TRY(check_modules(g));
    g->carrier = carrier;
    plan_exchanges(g->arena, g);
    TR_TRY(tr_arena_status(g->arena));
    if (g->kind->plan != NULL) {
        TR_TRY(g->kind->plan(g->arena, g));
    }
    // The duration is divided into equal steps.
    g->last = (int64_t)ceil(g->def.duration / g->def.step * (1.0 - 1e-12));
    g->h = g->last > 0 ? g->def.duration / (double)g->last : 0.0;
    g->t = g->def.start;
    for (int i = 0; i < 3 * TR_GLUE_LEVELS; i++) {
        g->worst[i / 3][i % 3] = -1;
    }
    tr_glue_keep(g);
    return tr_arena_status(g->arena);
}

// --- steps ---

trGlueStep tr_glue_step_at(const trGlue *g, int64_t n) {
    double     t = g->def.start + (double)n * g->h;
    trGlueStep step = tr_scheme_step(g->scheme, &g->def, n, t, g->h);
    for (int i = 0; i < g->it.modules; i++) {
        step.anew = step.anew && (g->it.face[i].takes & TR_MAKES_ANEW) != 0;
    }
    return step;
}

static trStatus advance(trGlue *g) {
    trGlueStep step = tr_glue_step_at(g, g->n);
    for (int i = 0; i < g->it.modules; i++) {
        g->exchange[i].step = step;
    }
    TR_TRY(tr_eval_check_turn_speed(&g->it.eval, step.h));
    TR_TRY(g->kind->advance(g, &step));
    g->t = step.t;
    g->accepting = true;
    TR_TRY(tr_eval_check_ends(&g->it.eval));
    TR_TRY(tr_eval_check_turn_speed(&g->it.eval, step.h));
    tr_eval_accept(&g->it.eval);
    tr_glue_watch(g);
    return TR_OK;
}

trStatus tr_glue_step(trGlue *g) {
    g->n++;
    trStatus status = advance(g);
    if (status != TR_OK) {
        g->n--;
        return tr_glue_blame_divergence(g, status);
    }
    g->stats.steps++;
    g->stats.iterations += g->iterations;
    g->stats.max_iterations =
        g->iterations > g->stats.max_iterations ? g->iterations : g->stats.max_iterations;
    return TR_OK;
}

static const trDefinition definition = {"trGlueDef", "tr_glue_def_default()",
                                        TR_FIRST_LAYOUT(trGlueDef, max_steps), sizeof(trGlueDef)};

trStatus tr_glue_create(const trSystem *ports, trCarrier *carrier, const trGlueDef *given,
                        trGlue **out) {
    trGlueDef def = tr_glue_def_default();
    *out = NULL;
    TR_TRY(tr_definition_take(&definition, given, &def));
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return tr_fail(TR_E_MEMORY, "out of memory");
    }
    trGlue  *g = tr_new(arena, trGlue);
    trStatus status = tr_arena_status(arena);
    if (status == TR_OK) {
        *g = (trGlue){.arena = arena, .def = def};
        tr_keep_begin(arena);
        status = plan(g, ports, carrier);
    }
    if (status == TR_OK) {
        status = advance(g);
    }
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    g->stats.redundant_rows = g->it.m - g->it.force.rank;
    *out = g;
    return TR_OK;
}

void tr_glue_destroy(trGlue *g) {
    if (g != NULL) {
        tr_arena_destroy(g->arena);
    }
}
