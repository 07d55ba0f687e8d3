// SPDX-License-Identifier: MIT
// Loading models and keeping what runs give.

#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "system/system.h"

#define PATH_ROOM 1024

void must(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "%s\n", tr_last_error());
        exit(1);
    }
}

void *room(size_t bytes) {
    void *memory = calloc(1, bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

void model_load(const char *root, const char *file, const char *const *set, Model *out) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/models/%s", root, file);
    memset(out, 0, sizeof *out);
    out->def = tr_sim_def_default();
    must(tr_lua_load(path, set, &out->model, &out->def));
    must(tr_system_build(out->model, &out->system));
}

void model_free(Model *model) {
    tr_system_destroy(model->system);
    tr_model_destroy(model->model);
    memset(model, 0, sizeof *model);
}

double norm(int n, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

double distance(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return sqrt(sum);
}

// Evaluates the system apart from the simulation, so that looking changes nothing.
typedef struct Watch {
    trArena *arena;
    trEval   eval;
    double  *rate;  // m
    int      room;  // entries that the motion has place for
} Watch;

static void watch_begin(const Model *model, const trSimDef *def, Watch *watch) {
    watch->arena = tr_arena_create();
    watch->rate =
        watch->arena == NULL ? NULL : tr_new_array(watch->arena, double, model->system->m);
    if (watch->rate == NULL) {
        must(TR_E_MEMORY);
    }
    must(tr_eval_plan(watch->arena, model->system, def->rank_tolerance, &watch->eval));
    watch->room = 0;
}

static void grow(double **values, int numbers) {
    *values = realloc(*values, (size_t)numbers * sizeof **values);
    if (*values == NULL) {
        must(TR_E_MEMORY);
    }
}

static void make_room(Watch *watch, Motion *out) {
    if (out->n < watch->room) {
        return;
    }
    watch->room = watch->room > 0 ? 2 * watch->room : 1024;
    grow(&out->t, watch->room);
    grow(&out->phi, watch->room);
    grow(&out->rate, watch->room);
    grow(&out->energy, watch->room);
    grow(&out->q, watch->room * out->nq);
}

static void look(Watch *watch, const trSim *sim, Motion *out) {
    trEval            *eval = &watch->eval;
    const trEquations *e = &eval->equations;
    const double      *q = tr_sim_q(sim), *v = tr_sim_v(sim);
    const trSimStats   stats = tr_sim_stats(sim);
    eval->z = tr_sim_z(sim);
    must(tr_system_eval(eval->system, tr_sim_time(sim), q, v, eval));
    tr_rows_mul(&e->A, v, watch->rate);
    make_room(watch, out);
    out->t[out->n] = tr_sim_time(sim);
    out->phi[out->n] = norm(e->m, e->phi);
    out->rate[out->n] = distance(e->m, watch->rate, e->b1);
    out->energy[out->n] = stats.energy_end_drift;
    memcpy(&out->q[(size_t)out->n * (size_t)out->nq], q, (size_t)out->nq * sizeof *q);
    out->n++;
}

void motion_run(const Model *model, const trSimDef *def, Motion *out) {
    trSim *sim = NULL;
    Watch  watch;
    memset(out, 0, sizeof *out);
    out->nq = tr_system_nq(model->system);
    watch_begin(model, def, &watch);
    trSimDef own = *def;
    trArena *arena = tr_arena_create();
    must(arena == NULL ? TR_E_MEMORY : TR_OK);
    tr_sim_def_forget_unread(arena, &own);  // options are for those methods that have them
    out->status = tr_sim_create(model->system, &own, &sim);
    if (out->status == TR_OK) {
        look(&watch, sim, out);
        const double end = def->start + def->duration;
        while (out->status == TR_OK && tr_sim_time(sim) < end) {
            out->status = tr_sim_advance(sim, end);
            if (out->status == TR_OK) {
                look(&watch, sim, out);
            }
        }
        out->stats = tr_sim_stats(sim);
        out->stats.rank_change = NULL;
        out->stats.forced_time = NULL;
    }
    if (out->status != TR_OK) {
        snprintf(out->why, sizeof out->why, "%s", tr_last_error());
    }
    tr_sim_destroy(sim);
    tr_arena_destroy(watch.arena);
    tr_arena_destroy(arena);
}

void motion_free(Motion *motion) {
    free(motion->t);
    free(motion->phi);
    free(motion->rate);
    free(motion->energy);
    free(motion->q);
    memset(motion, 0, sizeof *motion);
}

double motion_worst_until(const Motion *motion, const double *values, double time) {
    double worst = 0.0;
    for (int i = 0; i < motion->n && motion->t[i] <= time; i++) {
        worst = fmax(worst, fabs(values[i]));
    }
    return worst;
}

double motion_worst(const Motion *motion, const double *values) {
    return motion_worst_until(motion, values, INFINITY);
}

const double *motion_end(const Motion *motion) {
    return &motion->q[(size_t)(motion->n - 1) * (size_t)motion->nq];
}
