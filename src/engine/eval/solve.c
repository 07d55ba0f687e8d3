// SPDX-License-Identifier: MIT
// Solving, projecting and linearizing at what was evaluated last. What these need is planned by the
// first of them.

#include <math.h>
#include <string.h>

#include "eval/solver.h"

// --- the manifold, as projections see it ---

static trStatus evaluate(void *context, double t, const double *q, const double *v,
                         const trEquations **out) {
    trEval *e = context;
    *out = &e->equations;
    return tr_system_eval(e->system, t, q, v, e);
}

static void retract(void *context, const double *dv, double *q) {
    tr_system_retract(((const trEval *)context)->system, dv, q);
}

static double reach(void *context, const double *dv) {
    return tr_system_reach(((const trEval *)context)->system, dv);
}

// --- plans ---

static trStatus plan(trArena *arena, trEval *e) {
    trSolver                *s = e->solver;
    const trEquations       *eq = &e->equations;
    const trFormulationKind *kind = tr_formulation_robust(e->system->dense);
    const trProjectionKind  *by_mass = tr_projection_find(TR_MASS_PROJECTION);
    s->manifold = (trManifold){.nq = e->system->nq,
                               .nv = eq->nv,
                               .context = e,
                               .evaluate = evaluate,
                               .retract = retract,
                               .reach = reach};
    s->kernel = (trKernel){.kind = kind};
    s->lambda = tr_new_array(arena, double, eq->m);
    TR_TRY(kind->plan(arena, eq, NULL, &s->kernel.work));
    TR_TRY(tr_projector_plan(arena, by_mass, kind, &s->kernel, eq, NULL, &s->projector));
    return tr_react_plan(arena, e->system, &s->react);
}

static trStatus plan_tangent(trArena *arena, trEval *e) {
    return tr_tangent_plan(arena, e->system, &e->solver->tangent);
}

// The arena of a plan, made the first time.
static trStatus made_ready(trEval *e, trArena **arena, trStatus (*plan_it)(trArena *, trEval *)) {
    if (*arena != NULL) {
        return TR_OK;
    }
    trArena *own = tr_arena_create();
    trStatus status = own != NULL ? plan_it(own, e) : TR_E_MEMORY;
    if (status != TR_OK) {
        tr_arena_destroy(own);
        return status;
    }
    tr_arena_seal(own);
    *arena = own;
    return TR_OK;
}

static trStatus check_evaluated(const trEval *e) {
    return e->equations.stamp != 0
               ? TR_OK
               : tr_fail(TR_E_ARGUMENT, "nothing has been evaluated yet; call tr_eval_at first");
}

trStatus tr_eval_prepare(trEval *e) {
    return made_ready(e, &e->solver->solving, plan);
}

// --- calls ---

// A velocity that neither mass nor constraints determine, by its body.
static trStatus explain(const trEval *e, trStatus status) {
    const trSystem *s = e->system;
    const trKernel *k = &e->solver->kernel;
    const int       column = status == TR_SINGULAR ? k->kind->rank(k->work).free_column : -1;
    if (column < 0 || column >= s->nv) {
        return tr_blame(status, "t = %.9g s: ", e->solver->t);
    }
    tr_fail(status, "%s is determined neither by mass nor by constraints at t = %.9g s",
            tr_space_motion(s->space, column % s->space->nv), e->solver->t);
    return tr_blame_body(status, &s->body[column / s->space->nv]);
}

trStatus tr_eval_solve(trEval *e, const double *F, const double *b, double *a, double *lambda) {
    TR_TRY(check_evaluated(e));
    TR_TRY(tr_eval_prepare(e));
    trSolver          *s = e->solver;
    const trEquations *eq = &e->equations;
    double            *multipliers = lambda != NULL ? lambda : s->lambda;
    b = b != NULL ? b : eq->b;
    trStatus status = tr_kernel_factor(&s->kernel, eq);
    if (status == TR_OK && F == NULL && e->C != NULL) {
        status = tr_nonideal_solve(&s->react, &s->kernel, e, b, a, multipliers);
    } else if (status == TR_OK) {
        const double *right = F != NULL ? F : eq->Q;
        status = s->kernel.kind->solve(s->kernel.work, eq, right, b, a, multipliers);
    }
    return status == TR_OK ? TR_OK : explain(e, status);
}

trStatus tr_eval_project(trEval *e, double *q, double *v) {
    TR_TRY(check_evaluated(e));
    TR_TRY(tr_eval_prepare(e));
    trSolver *s = e->solver;
    int       worst = -1;
    trStatus  status = v != NULL
                           ? tr_project(&s->projector, &s->manifold, s->t, q, v, &worst)
                           : tr_project_position(&s->projector, &s->manifold, s->t, q, e->v, &worst);
    if (status != TR_OK && worst >= 0) {
        return tr_blame_joint(status, &e->system->joint[e->system->row_joint[worst]]);
    }
    return status == TR_OK ? tr_system_eval(e->system, s->t, q, v != NULL ? v : e->v, e) : status;
}

// --- the linearized equations ---

// A part of the tangent, rows x columns, row after row.
static void put_part(const trTangent *t, trPart which, int rows, int columns, double *out) {
    if (out == NULL) {
        return;
    }
    memset(out, 0, (size_t)rows * (size_t)columns * sizeof *out);
    for (int b = 0; b < t->blocks; b++) {
        const trPartBlock *block = &t->block[b];
        for (int k = 0; block->part == which && k < tr_part_entries(block); k++) {
            int i = 0, j = 0;
            tr_part_entry(block, k, &i, &j);
            out[(ptrdiff_t)i * columns + j] += t->value[block->value + k];
        }
    }
}

trStatus tr_eval_linearize(trEval *e, const double *a, const double *lambda,
                           const trLinearization *out) {
    TR_TRY(check_evaluated(e));
    TR_TRY(made_ready(e, &e->solver->linear, plan_tangent));
    trTangent           *t = &e->solver->tangent;
    const trTangentState at = {.v = e->v, .a = a, .lambda = lambda};
    const int            nv = e->system->nv, m = e->system->m, nz = e->system->states;
    tr_tangent_evaluate(t, e, &at);
    put_part(t, TR_PART_M, nv, nv, out->M);
    put_part(t, TR_PART_D, nv, nv, out->D);
    put_part(t, TR_PART_K, nv, nv, out->K);
    put_part(t, TR_PART_N_VEL, m, nv, out->N);
    put_part(t, TR_PART_Z, nv, nz, out->Z);
    put_part(t, TR_PART_G_Q, nz, nv, out->Gq);
    put_part(t, TR_PART_G_V, nz, nv, out->Gv);
    put_part(t, TR_PART_G_Z, nz, nz, out->Gz);
    if (out->A != NULL) {
        tr_eval_dense_A(e, out->A);
    }
    if (out->weight != NULL) {
        memcpy(out->weight, tr_tangent_weight(t), (size_t)nv * sizeof *out->weight);
    }
    return TR_OK;
}
