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

#include "integrator/cvode.h"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <math.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integrator/sundials_ode.h"

#define MOST_FAILURES 15  // attempts of one step of each kind
// Errors add up over many small steps: with the tolerances as they are they reach 4000 times the
// tolerances on the four-bar in 2 s, and more with Adams' formulas on a fast top. With these they
// stay below 100 times (tests/sim/test_cvode.c).
#define SHARPER_BDF 100.0
#define SHARPER_ADAMS 1000.0
#define KRYLOV 5  // most vectors of GMRES: two or three are usual

typedef struct Work {
    trSundialsOde ode;  // first: callbacks get it
    void         *cvode;
    bool          bdf;
    bool          fresh;     // no step since the restart
    double        first;     // step of the user's, for the first one; 0: to be chosen [s]
    double        max_step;  // [s]
    double       *start;     // nx: x, as it was started last
    double        start_t;   // likewise [s]
    double        start_step;
} Work;

// CVODE wants the correction of x.
static int project(sunrealtype t, N_Vector x, N_Vector correction, sunrealtype tolerance,
                   N_Vector error, void *data) {
    Work         *w = data;
    const trOde  *ode = w->ode.ode;
    const double *from = N_VGetArrayPointer(x);
    double       *to = N_VGetArrayPointer(correction);
    (void)tolerance;
    (void)error;
    memcpy(to, from, (size_t)ode->nx * sizeof *to);
    trStatus status = ode->project(ode->context, t, to);
    for (int i = 0; i < ode->nx; i++) {
        to[i] -= from[i];
    }
    return tr_sundials_flag(&w->ode.base, status);
}

static void release_solver(void **object) {
    SUNLinSolFree(*object);
}

static bool plan_bdf(trArena *arena, Work *w) {
    void           *m = w->cvode;
    SUNLinearSolver solver = SUNLinSol_SPGMR(w->ode.y, SUN_PREC_LEFT, KRYLOV, w->ode.base.context);
    if (solver == NULL) {
        return false;
    }
    if (tr_sundials_defer(arena, release_solver, solver) != TR_OK) {
        return false;
    }
    bool ok =
        CVodeSetLinearSolver(m, solver, NULL) == CVLS_SUCCESS &&
        CVodeSetPreconditioner(m, tr_sundials_ode_prepare, tr_sundials_ode_solve) == CVLS_SUCCESS;
    if (w->ode.ode->project != NULL) {
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

static bool plan_adams(trArena *arena, Work *w) {
    SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(w->ode.y, 0, w->ode.base.context);
    if (iteration == NULL) {
        return false;
    }
    return tr_sundials_defer(arena, release_iteration, iteration) == TR_OK &&
           CVodeSetNonlinearSolver(w->cvode, iteration) == CV_SUCCESS;
}

static bool plan_common(Work *w, const trIntegratorSettings *settings) {
    void *m = w->cvode;
    return CVodeWFtolerances(m, tr_sundials_ode_weights) == CV_SUCCESS &&
           CVodeSetUserData(m, w) == CV_SUCCESS &&
           CVodeSetMaxStep(m, settings->max_step) == CV_SUCCESS &&
           CVodeSetMaxErrTestFails(m, MOST_FAILURES) == CV_SUCCESS &&
           CVodeSetMaxConvFails(m, MOST_FAILURES) == CV_SUCCESS;
}

static int start_at(Work *w) {
    memcpy(N_VGetArrayPointer(w->ode.y), w->start, (size_t)w->ode.ode->nx * sizeof *w->start);
    int flag = CVodeReInit(w->cvode, w->start_t, w->ode.y);
    return flag == CV_SUCCESS ? CVodeSetInitStep(w->cvode, w->start_step) : flag;
}

static trStatus start_again(void *work) {
    Work *w = work;
    return tr_sundials_ode_end(&w->ode, start_at(w), w->start_t);
}

static void keep(trArena *arena, int nx, Work *w) {
    w->start = tr_new_array(arena, double, nx);
    tr_keep_double(arena, &w->start_t);
    tr_keep_double(arena, &w->start_step);
    tr_keep_double(arena, &w->first);
    tr_keep_bool(arena, &w->fresh);
    tr_keep_double(arena, &w->ode.gamma);
    tr_integrator_keep_counts(arena, &w->ode.counts);
    tr_keep_remake(arena, start_again, w);
}

static trStatus plan(trArena *arena, const trOde *ode, const trIntegratorSettings *settings,
                     bool bdf, void **work) {
    Work *w = tr_new(arena, Work);
    if (w == NULL) {
        return TR_E_MEMORY;
    }
    w->bdf = bdf;
    w->first = settings->step;
    w->max_step = settings->max_step;
    keep(arena, ode->nx, w);
    w->ode.name = bdf ? "cvode" : "cvode_adams";
    TR_TRY(tr_sundials_ode_plan(arena, ode, settings, bdf ? SHARPER_BDF : SHARPER_ADAMS, bdf,
                                &w->ode));
    w->cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, w->ode.base.context);
    if (w->cvode == NULL) {
        return tr_fail(TR_E_MEMORY, "CVODE has no memory");
    }
    bool begun = TR_SUNDIALS_LISTEN(CVode, w->cvode, &w->ode.base) == CV_SUCCESS &&
                 CVodeInit(w->cvode, tr_sundials_ode_rhs, 0.0, w->ode.y) == CV_SUCCESS;
    if (!begun) {  // CVODE 6 would free twice what its CVodeInit has freed
        return tr_sundials_ready(&w->ode.base, "CVODE", false);
    }
    TR_TRY(tr_sundials_defer(arena, CVodeFree, w->cvode));
    TR_TRY(tr_sundials_ready(&w->ode.base, "CVODE", true));
    bool ok = plan_common(w, settings) && (bdf ? plan_bdf(arena, w) : plan_adams(arena, w));
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_sundials_ready(&w->ode.base, "CVODE", ok));
    *work = w;
    return TR_OK;
}

trStatus tr_cvode_plan_bdf(trArena *arena, const trOde *ode, const trIntegratorSettings *settings,
                           void **work) {
    return plan(arena, ode, settings, true, work);
}

trStatus tr_cvode_plan_adams(trArena *arena, const trOde *ode, const trIntegratorSettings *settings,
                             void **work) {
    return plan(arena, ode, settings, false, work);
}

// Of what CVODE counts since the last restart.
static trIntegratorCounts counts_of(const Work *w) {
    long iterations = 0, failed = 0, unsolved = 0, unprojected = 0;
    CVodeGetNumNonlinSolvIters(w->cvode, &iterations);
    CVodeGetNumErrTestFails(w->cvode, &failed);
    CVodeGetNumStepSolveFails(w->cvode, &unsolved);
    if (w->bdf && w->ode.ode->project != NULL) {
        CVodeGetNumProjFails(w->cvode, &unprojected);
    }
    return (trIntegratorCounts){.iterations = iterations,
                                .rejected = failed + unsolved + unprojected};
}

trStatus tr_cvode_restart(void *work, const trOde *ode, double t, const double *x) {
    Work              *w = work;
    trIntegratorCounts counts = counts_of(w);
    tr_sundials_ode_add_counts(&w->ode, &counts);
    tr_sundials_ode_begin(&w->ode, ode);
    memcpy(w->start, x, (size_t)ode->nx * sizeof *x);
    w->start_t = t;
    w->start_step = w->first;
    w->fresh = true;
    int flag = start_at(w);
    w->first = 0.0;  // only once
    return tr_sundials_ode_end(&w->ode, flag, t);
}

trStatus tr_cvode_step(void *work, const trOde *ode, double t, double *h, double *x_new) {
    Work       *w = work;
    double      stop = tr_sundials_ode_reach(t, *h);
    double      aim = fmin(stop, t + w->max_step);  // tells the first step its scale
    sunrealtype reached = t;
    tr_sundials_ode_begin(&w->ode, ode);
    int flag = CVodeSetStopTime(w->cvode, stop);
    flag = flag == CV_SUCCESS
               ? CVode(w->cvode, w->fresh ? aim : stop, w->ode.y, &reached, CV_ONE_STEP)
               : flag;
    TR_TRY(tr_sundials_ode_end(&w->ode, flag, t));
    w->fresh = false;
    memcpy(x_new, N_VGetArrayPointer(w->ode.y), (size_t)ode->nx * sizeof *x_new);
    if (flag != CV_TSTOP_RETURN) {
        *h = reached - t;
    }
    return TR_OK;
}

trStatus tr_cvode_interpolate(void *work, double t, double *x) {
    Work *w = work;
    int   flag = CVodeGetDky(w->cvode, t, 0, w->ode.row);
    memcpy(x, N_VGetArrayPointer(w->ode.row), (size_t)w->ode.ode->nx * sizeof *x);
    return tr_sundials_ode_end(&w->ode, flag, t);
}

void tr_cvode_count(const void *work, trIntegratorCounts *counts) {
    const Work        *w = work;
    trIntegratorCounts since = counts_of(w);
    *counts = w->ode.counts;
    counts->iterations += since.iterations;
    counts->rejected += since.rejected;
}

static const trOwnerKind owner = {
    .needs_tangent = true,
    .projects_steps = true,
    .outside = true,
    .plan = tr_cvode_plan_bdf,
    .restart = tr_cvode_restart,
    .step = tr_cvode_step,
    .interpolate = tr_cvode_interpolate,
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
    .count = tr_cvode_count,
    .owner = &owner,
};
