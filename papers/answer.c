// SPDX-License-Identifier: MIT
// Formulations on systems with known accelerations.

#include "answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "la/dense.h"
#include "study.h"

double largest(int n, const double *x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

double largest_difference(int n, const double *x, const double *y) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most;
}

const Golden *golden_named(const char *name) {
    for (int k = 0; k < golden_count(); k++) {
        if (strcmp(golden_at(k)->name, name) == 0) {
            return golden_at(k);
        }
    }
    fprintf(stderr, "%s: no such system\n", name);
    exit(1);
}

bool answer_is_claimed(const trFormulationKind *kind, const Golden *g) {
    const bool singular = g->q_M == NULL;
    return (g->diagonal || (kind->traits & TR_DENSE) != 0) &&
           (!singular || (kind->traits & TR_COPES_SINGULAR_MASS) != 0) &&
           (g->rank == g->m || (kind->traits & TR_COPES_REDUNDANT) != 0);
}

Answer answer_of(const char *formulation, const trParam *options, const trEquations *e) {
    const trFormulationKind *kind = tr_formulation_find(formulation);
    trArena                 *arena = tr_arena_create();
    void                    *work = NULL;
    double                   lambda[GOLDEN_M] = {0.0};
    Answer                   answer = {.status = TR_E_MEMORY};
    if (kind == NULL || arena == NULL) {
        must(TR_E_MEMORY);
        return answer;
    }
    void *own = NULL;
    answer.status = tr_options_bind(arena, kind->size, kind->fields, options, &own);
    if (answer.status == TR_OK) {
        answer.status = kind->plan(arena, e, own, &work);
    }
    if (answer.status == TR_OK) {
        answer.status = kind->factor(work, e);
    }
    if (answer.status == TR_OK) {
        answer.status = kind->solve(work, e, e->Q, e->b, answer.a, lambda);
    }
    if (answer.status == TR_OK) {
        answer.dropped = kind->rank(work).dropped;
        tr_rows_tmul_sub(&e->A, lambda, answer.force);
    } else {
        snprintf(answer.why, sizeof answer.why, "%s", tr_last_error());
    }
    tr_arena_destroy(arena);
    return answer;
}

static double size_of_free_motion(int n, int m, const GoldenNumbers *x) {
    static double G[GOLDEN_N * GOLDEN_N];
    double        trace_m = 0.0, trace_a = 0.0, a0[GOLDEN_N], memory[GOLDEN_N];
    for (int i = 0; i < n; i++) {
        trace_m += x->M[i * n + i];
    }
    for (int i = 0; i < m * n; i++) {
        trace_a += x->A[i] * x->A[i];
    }
    const double weight = trace_m / trace_a;
    for (int i = 0; i < n; i++) {
        a0[i] = x->Q[i];
        for (int k = 0; k < m; k++) {
            a0[i] += weight * x->A[k * n + i] * x->b[k];
        }
        for (int j = 0; j < n; j++) {
            G[i * n + j] = x->M[i * n + j];
            for (int k = 0; k < m; k++) {
                G[i * n + j] += weight * x->A[k * n + i] * x->A[k * n + j];
            }
        }
    }
    must(tr_cholesky_factor(n, G, memory, NULL));
    tr_cholesky_forward(n, G, 1, a0);
    tr_cholesky_backward(n, G, a0);
    return largest(n, a0);
}

double answer_error(const Answer *answer, const GoldenSystem *system) {
    const Golden *g = system->golden;
    const double  size = largest(g->n, g->a) + size_of_free_motion(g->n, g->m, &system->numbers);
    return largest_difference(g->n, answer->a, g->a) / size;
}

double answer_force_error(const Answer *answer, const GoldenSystem *system) {
    const Golden *g = system->golden;
    const double  size = largest(g->n, g->Fc) + largest(g->n, g->Q);
    return largest_difference(g->n, answer->force, g->Fc) / size;
}
