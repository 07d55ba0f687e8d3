// SPDX-License-Identifier: MIT
// What the tests of assemblies share: systems from model texts and files, and assembling them.

#ifndef TR_TESTS_SIM_ASSEMBLY_CASE_H
#define TR_TESTS_SIM_ASSEMBLY_CASE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "sim/sim.h"
#include "support/random.h"
#include "support/test.h"
#include "trammel/trammel.h"

#define PI 3.14159265358979323846

typedef struct Case {
    trModel  *model;
    trSystem *system;
    trSimDef  def;
} Case;

static inline void require(trStatus status) {
    if (status != TR_OK) {
        fail_msg("%s", tr_last_error());
    }
}

static inline Case case_of_text(const char *text) {
    Case c = {.def = tr_sim_def_default()};
    require(tr_lua_load_text("case.lua", text, strlen(text), NULL, &c.model, &c.def));
    require(tr_system_build(c.model, &c.system));
    return c;
}

static inline Case case_of_file(const char *path) {
    Case c = {.def = tr_sim_def_default()};
    require(tr_lua_load(path, NULL, &c.model, &c.def));
    require(tr_system_build(c.model, &c.system));
    return c;
}

static inline void case_free(Case *c) {
    tr_system_destroy(c->system);
    tr_model_destroy(c->model);
}

// From positions q, or the model's for NULL.
static inline trStatus assemble(const Case *c, const double *q, int keeps, const trKeep *keep,
                                trAssembly *out) {
    trAssembleOptions options = tr_assemble_options_default();
    options.time = c->def.start;
    options.rank_tolerance = c->def.rank_tolerance;
    options.q = (trNumbers){q == NULL ? 0 : c->system->nq, q};
    options.keeps = keeps;
    options.keep = keep;
    return tr_assembly_find(c->system, &options, out);
}

// The largest |phi|, by an evaluation of its own, relative to 1 + max|q|.
static inline double violation(const Case *c, const double *q, const double *v, double *rate) {
    trArena *arena = tr_arena_create();
    trEval   eval;
    assert_non_null(arena);
    require(tr_eval_plan(arena, c->system, 1e-4, &eval));
    eval.z = c->system->z0;
    require(tr_system_eval(c->system, c->def.start, q, v, &eval));
    double worst = 0.0, gap = 0.0;
    for (int g = 0; g < c->system->pattern.groups; g++) {
        for (int i = c->system->pattern.group_row[g]; i < c->system->pattern.group_row[g + 1];
             i++) {
            double size = eval.row_size[i] > 0.0 ? eval.row_size[i] : 1.0;
            worst = c->system->holonomic[i] ? fmax(worst, fabs(eval.phi[i]) / size) : worst;
        }
    }
    double *Av = tr_new_array(arena, double, c->system->m);
    tr_rows_mul(&eval.equations.A, v, Av);
    for (int i = 0; i < c->system->m; i++) {
        gap = fmax(gap, fabs(Av[i] - eval.b1[i]));
    }
    if (rate != NULL) {
        *rate = gap / (1.0 + tr_largest(c->system->nv, v));
    }
    worst /= 1.0 + tr_largest(c->system->nq, q);
    tr_arena_destroy(arena);
    return worst;
}

#endif
