// SPDX-License-Identifier: MIT
// CVODE of SUNDIALS: formulas of several steps, of variable order and step size.
//
//     backward differentiation    sum_j alpha_j x_n-j + h beta_0 x'_n = 0        order 1 to 5
//     Adams-Moulton               x_n = x_n-1 + h sum_j beta_j x'_n-j            order 1 to 12
//
// The first are solved by Newton's method and GMRES, which needs products J y, each by one
// difference of the right-hand side, and is preconditioned by (1 - gamma J)^-1 as the sim makes it
// from the tangents of joints and forces: J itself is never made. States are put on the constraints
// in the library's own slot, after its error test: the error is that of the integration alone.
// Adams' formulas have no such slot; they are solved by functional iteration.
//
// Hindmarsh et al., SUNDIALS, ACM Trans. Math. Softw. 31 (2005) 363; the projection: Eich,
// Convergence results for a coordinate projection method, SIAM J. Numer. Anal. 30 (1993) 1467.

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/vector.h"
#include "integrator/sundials_ode.h"

#define MOST_FAILURES 15  // attempts of one step of each kind
// Errors add up over many small steps: with the tolerances as they are they reach 4000 times the
// tolerances on the four-bar in 2 s, and more with Adams' formulas on a fast top. With these they
// stay below 100 times (tests/sim/test_cvode.c).
#define SHARPER_BDF 100.0
#define SHARPER_ADAMS 1000.0
#define KRYLOV 5  // most vectors of GMRES: two or three are usual

// CVODE wants the correction of x.
static int project(sunrealtype t, N_Vector x, N_Vector correction, sunrealtype tolerance,
                   N_Vector error, void *data) {
    trSundialsOde *s = data;
    const trOde   *ode = s->ode;
    const double  *from = N_VGetArrayPointer(x);
    double        *to = N_VGetArrayPointer(correction);
    memcpy(to, from, (size_t)ode->nx * sizeof *to);
    trStatus status = ode->project(ode->context, t, to);
    tr_add_scaled(ode->nx, -1.0, from, to);
    return tr_sundials_flag(&s->base, status);
}

static void release_solver(void **object) {
    SUNLinSolFree(*object);
}

static bool plan_bdf(trArena *arena, trSundialsOde *s) {
    void           *m = s->memory;
    SUNLinearSolver solver = SUNLinSol_SPGMR(s->y, SUN_PREC_LEFT, KRYLOV, s->base.context);
    if (solver == NULL) {
        return false;
    }
    if (tr_sundials_defer(arena, release_solver, solver) != TR_OK) {
        return false;
    }
    bool ok =
        CVodeSetLinearSolver(m, solver, NULL) == CVLS_SUCCESS &&
        CVodeSetPreconditioner(m, tr_sundials_ode_prepare, tr_sundials_ode_solve) == CVLS_SUCCESS;
    if (s->ode->project != NULL) {
        ok = ok && CVodeSetProjFn(m, project) == CV_SUCCESS &&
             CVodeSetProjErrEst(m, SUNFALSE) == CV_SUCCESS &&
             CVodeSetProjFrequency(m, 1) == CV_SUCCESS &&
             CVodeSetMaxNumProjFails(m, MOST_FAILURES) == CV_SUCCESS;
    }
    return ok;
}

static void release_iteration(void **object) {
    SUNNonlinSolFree(*object);
}

static bool plan_adams(trArena *arena, trSundialsOde *s) {
    SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(s->y, 0, s->base.context);
    if (iteration == NULL) {
        return false;
    }
    return tr_sundials_defer(arena, release_iteration, iteration) == TR_OK &&
           CVodeSetNonlinearSolver(s->memory, iteration) == CV_SUCCESS;
}

static bool plan_common(trSundialsOde *s) {
    void *m = s->memory;
    return CVodeWFtolerances(m, tr_sundials_ode_weights) == CV_SUCCESS &&
           CVodeSetUserData(m, s) == CV_SUCCESS && CVodeSetMaxStep(m, s->max_step) == CV_SUCCESS &&
           CVodeSetMaxErrTestFails(m, MOST_FAILURES) == CV_SUCCESS &&
           CVodeSetMaxConvFails(m, MOST_FAILURES) == CV_SUCCESS;
}

// Of what CVODE counts since the last restart.
static trIntegratorCounts count(const trSundialsOde *s) {
    long iterations = 0, failed = 0, unsolved = 0, unprojected = 0;
    CVodeGetNumNonlinSolvIters(s->memory, &iterations);
    CVodeGetNumErrTestFails(s->memory, &failed);
    CVodeGetNumStepSolveFails(s->memory, &unsolved);
    if (!s->second && s->ode->project != NULL) {
        CVodeGetNumProjFails(s->memory, &unprojected);
    }
    return (trIntegratorCounts){.iterations = iterations,
                                .rejected = failed + unsolved + unprojected};
}

static int start(trSundialsOde *s, double t, double first) {
    int flag = CVodeReInit(s->memory, t, s->y);
    return flag == CV_SUCCESS ? CVodeSetInitStep(s->memory, first) : flag;
}

static int step(trSundialsOde *s, double t, double aim, double stop, double *reached) {
    int flag = CVodeSetStopTime(s->memory, stop);
    return flag == CV_SUCCESS ? CVode(s->memory, aim, s->y, reached, CV_ONE_STEP) : flag;
}

static int look(trSundialsOde *s, double t) {
    return CVodeGetDky(s->memory, t, 0, s->row);
}

static const trSundialsLibrary library = {CV_TSTOP_RETURN, count, start, step, look};

static trStatus plan(trArena *arena, const trOde *ode, const trIntegratorSettings *settings,
                     void **work) {
    const bool     adams = !settings->kind->owner->projects_steps;
    trSundialsOde *s = tr_new(arena, trSundialsOde);
    if (s == NULL) {
        return TR_E_MEMORY;
    }
    s->library = &library;
    s->second = adams;
    TR_TRY(tr_sundials_ode_plan(arena, ode, settings, adams ? SHARPER_ADAMS : SHARPER_BDF, s));
    s->memory = CVodeCreate(adams ? CV_ADAMS : CV_BDF, s->base.context);
    if (s->memory == NULL) {
        return tr_fail(TR_E_MEMORY, "CVODE has no memory");
    }
    bool begun = TR_SUNDIALS_LISTEN(CVode, s->memory, &s->base) == CV_SUCCESS &&
                 CVodeInit(s->memory, tr_sundials_ode_rhs, 0.0, s->y) == CV_SUCCESS;
    if (!begun) {  // CVODE 6 would free twice what its CVodeInit has freed
        return tr_sundials_ready(&s->base, "CVODE", false);
    }
    TR_TRY(tr_sundials_defer(arena, CVodeFree, s->memory));
    TR_TRY(tr_sundials_ready(&s->base, "CVODE", true));
    bool ok = plan_common(s) && (adams ? plan_adams(arena, s) : plan_bdf(arena, s));
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_sundials_ready(&s->base, "CVODE", ok));
    *work = s;
    return TR_OK;
}

static const trOwnerKind by_differences = {
    .needs_tangent = true,
    .projects_steps = true,
    .outside = true,
    .plan = plan,
    .restart = tr_sundials_ode_restart,
    .step = tr_sundials_ode_step,
    .interpolate = tr_sundials_ode_interpolate,
};

// Its history cannot be projected: constraints are held by projection inside the right-hand side,
// and states are projected copies.
static const trOwnerKind by_slopes = {
    .outside = true,
    .plan = plan,
    .restart = tr_sundials_ode_restart,
    .step = tr_sundials_ode_step,
    .interpolate = tr_sundials_ode_interpolate,
};

const trIntegratorKind tr_integrator_cvode = {
    .name = "cvode",
    .summary = "for stiff systems: backward differentiation, order 1 to 5, by SUNDIALS",
    .source = "Hindmarsh et al. 2005; Eich 1993",
    .traits = TR_COPES_ALL,
    .order = 5,
    .error_order = 6,
    .dense_order = 5,
    .evaluations = 2,
    .count = tr_sundials_ode_count,
    .owner = &by_differences,
};

const trIntegratorKind tr_integrator_cvode_adams = {
    .name = "cvode_adams",
    .summary = "Adams-Moulton, order 1 to 12, by SUNDIALS: few evaluations on smooth motion",
    .source = "Hindmarsh et al. 2005",
    .traits = TR_COPES_ALL,
    .order = 12,
    .error_order = 13,
    .dense_order = 12,
    .evaluations = 2,
    .count = tr_sundials_ode_count,
    .owner = &by_slopes,
};
