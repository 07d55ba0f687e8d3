// SPDX-License-Identifier: MIT
// Loading and watching the systems of models/papers.

#include "scenario/papers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/def.h"
#include "support/test.h"

#define NAME_ROOM 128

trStatus paper_load(const char *file, const char *const *set, trSimDef *def, Run *out) {
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "../papers/%s", file);
    return run_load(name, set, def, out);
}

const char *paper_integrator(const char *method) {
    const trMethod *known = tr_method_find(method);
    return known != NULL && known->integrator != NULL ? NULL : "rk4";
}

const char *const paper_basis[PAPER_BASES] = {"zero_eigenvalue", "lu",           "svd",
                                              "householder",     "gram_schmidt", "kim_vanderploeg",
                                              "liang_lance",     "extraction"};

void watch_begin(const trSystem *system, Watch *watch) {
    memset(watch, 0, sizeof *watch);
    watch->arena = tr_arena_create();
    assert_non_null(watch->arena);
    watch->rate = tr_new_array(watch->arena, double, system->m);
    assert_non_null(watch->rate);
    assert_int_equal(
        tr_eval_plan(watch->arena, system, tr_sim_def_default().rank_tolerance, &watch->eval),
        TR_OK);
}

static double sum_of_squares(int n, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sum;
}

void watch_look(Watch *watch, const trSim *sim) {
    trEval            *eval = &watch->eval;
    const trEquations *e = &eval->equations;
    const double      *v = tr_sim_v(sim);
    eval->z = tr_sim_z(sim);
    assert_int_equal(tr_system_eval(eval->system, tr_sim_time(sim), tr_sim_q(sim), v, eval), TR_OK);
    tr_rows_mul(&e->A, v, watch->rate);
    for (int i = 0; i < e->m; i++) {
        watch->rate[i] -= e->b1[i];
    }
    watch->worst.position = fmax(watch->worst.position, sum_of_squares(e->m, e->phi));
    watch->worst.velocity = fmax(watch->worst.velocity, sum_of_squares(e->m, watch->rate));
}

void watch_end(Watch *watch) {
    tr_arena_destroy(watch->arena);
    memset(watch, 0, sizeof *watch);
}

void paper_reference(const Run *run, double duration, double *q, double *v) {
    trSim   *sim = NULL;
    trSimDef def = tr_sim_def_default();
    def.method = "masarati";
    def.integrator = "dop853";
    def.rtol = def.atol = 1e-12;
    def.duration = duration;
    assert_int_equal(tr_sim_create(run->system, &def, &sim), TR_OK);
    assert_int_equal(tr_sim_run_to(sim, duration), TR_OK);
    memcpy(q, tr_sim_q(sim), (size_t)run->system->nq * sizeof *q);
    memcpy(v, tr_sim_v(sim), (size_t)run->system->nv * sizeof *v);
    tr_sim_destroy(sim);
}

double paper_distance(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return sqrt(sum);
}
