// SPDX-License-Identifier: MIT
// ARKODE of SUNDIALS: Runge-Kutta methods with embedded error estimates.
//
//     k_i = rhs(t + c_i h, x_n + h sum_j a_ij k_j)        x_n+1 = x_n + h sum_i b_i k_i
//
// Explicit: Cash and Karp's, order 5. Diagonally implicit: ESDIRK5(4)7L[2]SA2 of Kennedy and
// Carpenter, L-stable, each stage by Newton's method with (1 - gamma J)^-1 as the sim makes it.
// The end of each accepted step is put on the constraints.
//
// Reynolds et al., ARKODE: a flexible IVP solver infrastructure, ACM Trans. Math. Softw. 49 (2023)
// 19; Cash & Karp, ACM Trans. Math. Softw. 16 (1990) 201; Kennedy & Carpenter, Appl. Numer. Math.
// 146 (2019) 221.

#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <string.h>
#include <sundials/sundials_linearsolver.h>

#include "integrator/sundials_ode.h"

#define MOST_FAILURES 15  // attempts of one step of each kind
// Errors add up over the steps: without it they reach 250 times the tolerances on the four-bar in
// 2 s, with it a tenth of that.
#define SHARPER 10.0
// What Newton's method may leave, of the tolerances: where forces are stiff, more of it makes the
// error test fail. Its matrix is not exact: it needs more than the usual 3 iterations.
#define NEWTON_SHARE 0.01
#define NEWTON_ITERATIONS 8
#define PREDICT_BY_STAGES 4  // ARKODE's "bootstrap" predictor, from the stages so far
#define RETRY_FACTOR 0.25    // of a step whose end could not be projected

// --- a linear solver that applies the preconditioner once: no Krylov method around it ---

typedef struct Direct {
    SUNPSetupFn prepare;
    SUNPSolveFn solve;
    void       *data;
} Direct;

static SUNLinearSolver_Type direct_type(SUNLinearSolver s) {
    return SUNLINEARSOLVER_ITERATIVE;
}

static int direct_set_atimes(SUNLinearSolver s, void *data, SUNATimesFn times) {
    return SUN_SUCCESS;
}

static int direct_set_preconditioner(SUNLinearSolver s, void *data, SUNPSetupFn prepare,
                                     SUNPSolveFn solve) {
    *(Direct *)s->content = (Direct){prepare, solve, data};
    return SUN_SUCCESS;
}

static int direct_setup(SUNLinearSolver s, SUNMatrix A) {
    const Direct *direct = s->content;
    int           flag = direct->prepare == NULL ? 0 : direct->prepare(direct->data);
    return flag == 0 ? SUN_SUCCESS : flag < 0 ? SUNLS_PSET_FAIL_UNREC : SUNLS_PSET_FAIL_REC;
}

static int direct_solve(SUNLinearSolver s, SUNMatrix A, N_Vector x, N_Vector b, sunrealtype tol) {
    const Direct *direct = s->content;
    int           flag = direct->solve(direct->data, b, x, tol, SUN_PREC_LEFT);
    return flag == 0 ? SUN_SUCCESS : flag < 0 ? SUNLS_PSOLVE_FAIL_UNREC : SUNLS_PSOLVE_FAIL_REC;
}

static int direct_iterations(SUNLinearSolver s) {
    return 1;
}

static sunrealtype direct_residual(SUNLinearSolver s) {
    return 0.0;
}

static void release_solver(void **object) {
    SUNLinSolFreeEmpty(*object);
}

static trStatus plan_solver(trArena *arena, trSundialsOde *s, SUNLinearSolver *out) {
    Direct         *direct = tr_new(arena, Direct);
    SUNLinearSolver solver = SUNLinSolNewEmpty(s->base.context);
    if (solver == NULL) {
        return tr_fail(TR_E_MEMORY, "SUNDIALS has no memory for a linear solver");
    }
    TR_TRY(tr_sundials_defer(arena, release_solver, solver));
    solver->content = direct;
    solver->ops->gettype = direct_type;
    solver->ops->setatimes = direct_set_atimes;
    solver->ops->setpreconditioner = direct_set_preconditioner;
    solver->ops->setup = direct_setup;
    solver->ops->solve = direct_solve;
    solver->ops->numiters = direct_iterations;
    solver->ops->resnorm = direct_residual;
    *out = solver;
    return tr_arena_status(arena);
}

// --- ARKODE ---

static int project(sunrealtype t, N_Vector x, void *data) {
    trSundialsOde *s = data;
    const trOde   *ode = s->ode;
    return tr_sundials_flag(&s->base, ode->project(ode->context, t, N_VGetArrayPointer(x)));
}

static bool plan_stages(trSundialsOde *s, SUNLinearSolver direct) {
    void *m = s->memory;
    if (!s->second) {
        return ARKStepSetTableNum(m, ARKODE_DIRK_NONE, ARKODE_CASH_KARP_6_4_5) == ARK_SUCCESS;
    }
    bool solver =
        ARKodeSetLinearSolver(m, direct, NULL) == ARKLS_SUCCESS &&
        ARKodeSetPreconditioner(m, tr_sundials_ode_prepare, tr_sundials_ode_solve) == ARKLS_SUCCESS;
    return solver &&
           ARKStepSetTableNum(m, ARKODE_ESDIRK547L2SA2_7_4_5, ARKODE_ERK_NONE) == ARK_SUCCESS &&
           ARKodeSetNonlinConvCoef(m, NEWTON_SHARE) == ARK_SUCCESS &&
           ARKodeSetMaxNonlinIters(m, NEWTON_ITERATIONS) == ARK_SUCCESS &&
           ARKodeSetPredictorMethod(m, PREDICT_BY_STAGES) == ARK_SUCCESS;
}

static bool plan_common(trSundialsOde *s) {
    void *m = s->memory;
    bool  ok = TR_SUNDIALS_LISTEN(ARKStep, m, &s->base) == ARK_SUCCESS &&
              ARKodeWFtolerances(m, tr_sundials_ode_weights) == ARK_SUCCESS &&
              ARKodeSetUserData(m, s) == ARK_SUCCESS &&
              ARKodeSetMaxStep(m, s->max_step) == ARK_SUCCESS &&
              ARKodeSetMaxErrTestFails(m, MOST_FAILURES) == ARK_SUCCESS &&
              ARKodeSetMaxConvFails(m, MOST_FAILURES) == ARK_SUCCESS;
    return ok && (s->ode->project == NULL || ARKodeSetPostprocessStepFn(m, project) == ARK_SUCCESS);
}

// Of what ARKODE counts since the last restart.
static trIntegratorCounts count(const trSundialsOde *s) {
    long iterations = 0, failed = 0, unsolved = 0;
    if (s->second) {
        ARKodeGetNumNonlinSolvIters(s->memory, &iterations);
    }
    ARKodeGetNumErrTestFails(s->memory, &failed);
    ARKodeGetNumStepSolveFails(s->memory, &unsolved);
    return (trIntegratorCounts){.iterations = iterations, .rejected = failed + unsolved};
}

static int start(trSundialsOde *s, double t, double first) {
    int flag = ARKStepReInit(s->memory, s->second ? NULL : tr_sundials_ode_rhs,
                             s->second ? tr_sundials_ode_rhs : NULL, t, s->y);
    return flag == ARK_SUCCESS ? ARKodeSetInitStep(s->memory, first) : flag;
}

static int go(trSundialsOde *s, double aim, double stop, double *reached) {
    int flag = ARKodeSetStopTime(s->memory, stop);
    return flag == ARK_SUCCESS ? ARKodeEvolve(s->memory, aim, s->y, reached, ARK_ONE_STEP) : flag;
}

// ARKODE does not repeat a step whose end cannot be projected.
static int step(trSundialsOde *s, double t, double aim, double stop, double *reached) {
    double h = 0.0;
    memcpy(s->before, N_VGetArrayPointer(s->y), (size_t)s->ode->nx * sizeof *s->before);
    int flag = go(s, aim, stop, reached);
    if (flag == ARK_POSTPROCESS_STEP_FAIL) {
        ARKodeGetCurrentStep(s->memory, &h);
        h = fmin(h, stop - t);
    }
    for (int i = 0; i < MOST_FAILURES && flag == ARK_POSTPROCESS_STEP_FAIL && s->base.failed > 0;
         i++) {
        h *= RETRY_FACTOR;
        s->counts.rejected++;
        flag = tr_sundials_ode_start(s, t, s->before, h);
        flag = flag == ARK_SUCCESS ? go(s, stop, stop, reached) : flag;
    }
    return flag;
}

static int look(trSundialsOde *s, double t) {
    return ARKodeGetDky(s->memory, t, 0, s->row);
}

static const trSundialsLibrary library = {ARK_TSTOP_RETURN, count, start, step, look};

static trStatus plan(trArena *arena, const trOde *ode, const trIntegratorSettings *settings,
                     void **work) {
    const bool      implicit = settings->kind->owner->needs_tangent;
    SUNLinearSolver direct = NULL;
    trSundialsOde  *s = tr_new(arena, trSundialsOde);
    if (s == NULL) {
        return TR_E_MEMORY;
    }
    s->library = &library;
    s->second = implicit;
    s->before = tr_new_array(arena, double, ode->nx);
    TR_TRY(tr_sundials_ode_plan(arena, ode, settings, SHARPER, s));
    TR_TRY(implicit ? plan_solver(arena, s, &direct) : TR_OK);
    s->memory = ARKStepCreate(implicit ? NULL : tr_sundials_ode_rhs,
                              implicit ? tr_sundials_ode_rhs : NULL, 0.0, s->y, s->base.context);
    if (s->memory == NULL) {
        return tr_fail(TR_E_MEMORY, "ARKODE has no memory");
    }
    TR_TRY(tr_sundials_defer(arena, ARKodeFree, s->memory));
    TR_TRY(tr_sundials_ready(&s->base, "ARKODE", plan_common(s) && plan_stages(s, direct)));
    *work = s;
    return tr_arena_status(arena);
}

static const trOwnerKind explicitly = {
    .projects_steps = true,
    .outside = true,
    .plan = plan,
    .restart = tr_sundials_ode_restart,
    .step = tr_sundials_ode_step,
    .interpolate = tr_sundials_ode_interpolate,
};

static const trOwnerKind implicitly = {
    .needs_tangent = true,
    .projects_steps = true,
    .outside = true,
    .plan = plan,
    .restart = tr_sundials_ode_restart,
    .step = tr_sundials_ode_step,
    .interpolate = tr_sundials_ode_interpolate,
};

const trIntegratorKind tr_integrator_arkode = {
    .name = "arkode",
    .summary = "Runge-Kutta of order 5 by SUNDIALS, with its step-size control",
    .source = "Reynolds et al. 2023; Cash & Karp 1990",
    .traits = TR_COPES_ALL,
    .order = 5,
    .error_order = 5,
    .dense_order = 4,
    .evaluations = 6,
    .count = tr_sundials_ode_count,
    .owner = &explicitly,
};

const trIntegratorKind tr_integrator_arkode_dirk = {
    .name = "arkode_dirk",
    .summary = "for stiff systems: diagonally implicit Runge-Kutta of order 5, by SUNDIALS",
    .source = "Reynolds et al. 2023; Kennedy & Carpenter 2019",
    .traits = TR_COPES_ALL,
    .order = 5,
    .error_order = 5,
    .dense_order = 4,
    .evaluations = 20,
    .count = tr_sundials_ode_count,
    .owner = &implicitly,
};
