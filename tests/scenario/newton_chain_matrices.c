// SPDX-License-Identifier: MIT
// For counting instructions:
//
//     newton_chain_matrices evaluate planar|spatial N count
//
// builds a chain of N bodies on hinges and makes the matrix of an implicit step `count` times:
// parts of the tangent, sum of the parts, factors. Two states take turns, so that factors change.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/tangent.h"
#include "trammel/trammel.h"

#define WORDS 64

static void must(trStatus status) {
    if (status != TR_OK) {
        fprintf(stderr, "%s\n", tr_last_error());
        exit(EXIT_FAILURE);
    }
}

static trSystem *build(bool spatial, int n, trModel **model) {
    trSystem *system = NULL;
    must(tr_model_create(spatial ? TR_PARAMS(TR_NUM("dim", 3)) : NULL, model));
    for (int i = 0; i < n; i++) {
        char   name[WORDS];
        int    body = TR_GROUND;
        double x = i, wave = 0.3 * sin(i);
        snprintf(name, sizeof name, "rod%d", i);
        must(tr_model_add_body(*model, name,
                               spatial ? TR_PARAMS(TR_NUM("mass", 1.0),
                                                   TR_VEC("inertia", 0.1, 0.2, 0.15),
                                                   TR_VEC("at", x + 0.5, wave, 0.0))
                                       : TR_PARAMS(TR_NUM("mass", 1.0), TR_NUM("inertia", 0.1),
                                                   TR_VEC("at", x + 0.5, wave)),
                               &body));
        snprintf(name, sizeof name, "hinge%d", i);
        must(tr_model_add_joint(
            *model, "revolute", name, i - 1, i,
            spatial ? TR_PARAMS(TR_VEC("point", x, wave, 0.0), TR_VEC("axis", 0.0, 0.3, 1.0))
                    : TR_PARAMS(TR_VEC("point", x, wave)),
            NULL));
    }
    must(tr_system_build(*model, &system));
    return system;
}

// The matrix of generalized-alpha with h = 1e-3 s.
static void repeat(const trSystem *s, long count) {
    const trPlacement place[] = {{TR_PART_M, 0, 0},     {TR_PART_D, 0, 0},
                                 {TR_PART_K, 0, 0},     {TR_PART_AT, 0, s->nv},
                                 {TR_PART_A, s->nv, 0}, {TR_PART_E, s->nv, s->nv}};
    const double      coefficient[] = {1.0, 1e-3, 1e-6, 1.0, 1.0, 1.0};
    trArena          *arena = tr_arena_create();
    trEval            e;
    trTangent         tangent;
    trNewtonMatrix    matrix;
    must(arena == NULL ? TR_E_MEMORY : tr_eval_plan(arena, s, 1e-4, &e));
    must(tr_tangent_plan(arena, s, &tangent));
    must(tr_newton_plan(arena, &tangent, s->nv + s->m, 6, place, &matrix));
    double *v = tr_new_array(arena, double, s->nv), *x = tr_new_array(arena, double, s->nv);
    double *a = tr_new_array(arena, double, s->nv), *lambda = tr_new_array(arena, double, s->m);
    must(tr_arena_status(arena));
    must(tr_system_eval(s, 0.0, s->q0, v, &e));
    for (long k = 0; k < count; k++) {
        for (int i = 0; i < s->nv; i++) {
            v[i] = 0.1 * sin(i + (double)(k % 2));
            x[i] = 1e-3 * v[i];
        }
        for (int i = 0; i < s->m; i++) {
            lambda[i] = cos(i + (double)(k % 2));
        }
        const trTangentState state = {.v = v, .a = a, .lambda = lambda, .x = x};
        tr_tangent_evaluate(&tangent, &e, &state);
        tr_newton_fill(&matrix, coefficient);
        must(tr_newton_factor(&matrix));
    }
    tr_arena_destroy(arena);
}

int main(int argc, char **argv) {
    trModel *model = NULL;
    if (argc != 5 || strcmp(argv[1], "evaluate") != 0) {
        return 2;
    }
    trSystem *system = build(strcmp(argv[2], "spatial") == 0, atoi(argv[3]), &model);
    repeat(system, atol(argv[4]));
    tr_system_destroy(system);
    tr_model_destroy(model);
    return EXIT_SUCCESS;
}
