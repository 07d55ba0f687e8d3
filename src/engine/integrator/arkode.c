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

#include "integrator/arkode.h"

#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <string.h>

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

typedef struct Work {
    trSundialsOde ode;  // first: callbacks get it
    void         *arkode;
    bool          implicit;
    double        first;     // step of the user's, for the first one; 0: to be chosen [s]
    double        max_step;  // [s]
    bool          fresh;     // no step since the restart
    double       *start;     // nx: of the step
    double       *begin;     // nx: x, as it was started last
    double        begin_t;   // likewise [s]
    double        begin_step;
} Work;

static int project(sunrealtype t, N_Vector x, void *data) {
    Work        *w = data;
    const trOde *ode = w->ode.ode;
    return tr_sundials_flag(&w->ode.base, ode->project(ode->context, t, N_VGetArrayPointer(x)));
}

static bool plan_stages(Work *w) {
    void *m = w->arkode;
    if (!w->implicit) {
        return ARKStepSetTableNum(m, ARKODE_DIRK_NONE, ARKODE_CASH_KARP_6_4_5) == ARK_SUCCESS;
    }
    bool solver =
        ARKodeSetLinearSolver(m, w->ode.solver, NULL) == ARKLS_SUCCESS &&
        ARKodeSetPreconditioner(m, tr_sundials_ode_prepare, tr_sundials_ode_solve) == ARKLS_SUCCESS;
    return solver &&
           ARKStepSetTableNum(m, ARKODE_ESDIRK547L2SA2_7_4_5, ARKODE_ERK_NONE) == ARK_SUCCESS &&
           ARKodeSetNonlinConvCoef(m, NEWTON_SHARE) == ARK_SUCCESS &&
           ARKodeSetMaxNonlinIters(m, NEWTON_ITERATIONS) == ARK_SUCCESS &&
           ARKodeSetPredictorMethod(m, PREDICT_BY_STAGES) == ARK_SUCCESS;
}

static bool plan_common(Work *w) {
    void *m = w->arkode;
    bool  ok = TR_SUNDIALS_LISTEN(ARKStep, m, &w->ode.base) == ARK_SUCCESS &&
              ARKodeWFtolerances(m, tr_sundials_ode_weights) == ARK_SUCCESS &&
              ARKodeSetUserData(m, w) == ARK_SUCCESS &&
              ARKodeSetMaxStep(m, w->max_step) == ARK_SUCCESS &&
              ARKodeSetMaxErrTestFails(m, MOST_FAILURES) == ARK_SUCCESS &&
              ARKodeSetMaxConvFails(m, MOST_FAILURES) == ARK_SUCCESS;
    return ok &&
           (w->ode.ode->project == NULL || ARKodeSetPostprocessStepFn(m, project) == ARK_SUCCESS);
}

static trStatus begin_again(void *work);

static void keep(trArena *arena, int nx, Work *w) {
    w->begin = tr_new_array(arena, double, nx);
    tr_keep_double(arena, &w->begin_t);
    tr_keep_double(arena, &w->begin_step);
    tr_keep_double(arena, &w->first);
    tr_keep_bool(arena, &w->fresh);
    tr_keep_double(arena, &w->ode.gamma);
    tr_integrator_keep_counts(arena, &w->ode.counts);
    tr_keep_remake(arena, begin_again, w);
}

static trStatus plan(trArena *arena, const trOde *ode, const trIntegratorSettings *settings,
                     bool implicit, void **work) {
    Work *w = tr_new(arena, Work);
    if (w == NULL) {
        return TR_E_MEMORY;
    }
    w->implicit = implicit;
    w->first = settings->step;
    w->max_step = settings->max_step;
    w->start = tr_new_array(arena, double, ode->nx);
    keep(arena, ode->nx, w);
    w->ode.name = implicit ? "arkode_dirk" : "arkode";
    TR_TRY(tr_sundials_ode_plan(arena, ode, settings, SHARPER, implicit, &w->ode));
    w->arkode =
        ARKStepCreate(implicit ? NULL : tr_sundials_ode_rhs, implicit ? tr_sundials_ode_rhs : NULL,
                      0.0, w->ode.y, w->ode.base.context);
    if (w->arkode == NULL) {
        return tr_fail(TR_E_MEMORY, "ARKODE has no memory");
    }
    TR_TRY(tr_sundials_defer(arena, ARKodeFree, w->arkode));
    TR_TRY(tr_sundials_ready(&w->ode.base, "ARKODE", plan_common(w) && plan_stages(w)));
    *work = w;
    return tr_arena_status(arena);
}

trStatus tr_arkode_plan_explicit(trArena *arena, const trOde *ode,
                                 const trIntegratorSettings *settings, void **work) {
    return plan(arena, ode, settings, false, work);
}

trStatus tr_arkode_plan_implicit(trArena *arena, const trOde *ode,
                                 const trIntegratorSettings *settings, void **work) {
    return plan(arena, ode, settings, true, work);
}

// Of what ARKODE counts since the last restart.
static trIntegratorCounts counts_of(const Work *w) {
    long iterations = 0, failed = 0, unsolved = 0;
    if (w->implicit) {
        ARKodeGetNumNonlinSolvIters(w->arkode, &iterations);
    }
    ARKodeGetNumErrTestFails(w->arkode, &failed);
    ARKodeGetNumStepSolveFails(w->arkode, &unsolved);
    return (trIntegratorCounts){.iterations = iterations, .rejected = failed + unsolved};
}

static int start_at(Work *w, double t, const double *x, double first) {
    trIntegratorCounts counts = counts_of(w);
    tr_sundials_ode_add_counts(&w->ode, &counts);
    memmove(N_VGetArrayPointer(w->ode.y), x, (size_t)w->ode.ode->nx * sizeof *x);
    w->fresh = true;
    int flag = ARKStepReInit(w->arkode, w->implicit ? NULL : tr_sundials_ode_rhs,
                             w->implicit ? tr_sundials_ode_rhs : NULL, t, w->ode.y);
    return flag == ARK_SUCCESS ? ARKodeSetInitStep(w->arkode, first) : flag;
}

static trStatus begin_again(void *work) {
    Work *w = work;
    return tr_sundials_ode_end(&w->ode, start_at(w, w->begin_t, w->begin, w->begin_step),
                               w->begin_t);
}

trStatus tr_arkode_restart(void *work, const trOde *ode, double t, const double *x) {
    Work *w = work;
    tr_sundials_ode_begin(&w->ode, ode);
    memcpy(w->begin, x, (size_t)ode->nx * sizeof *x);
    w->begin_t = t;
    w->begin_step = w->first;
    int flag = start_at(w, t, x, w->first);
    w->first = 0.0;  // only once
    return tr_sundials_ode_end(&w->ode, flag, t);
}

// ARKODE does not repeat a step whose end cannot be projected.
static int repeat_shorter(Work *w, double t, double stop, double *reached) {
    double h = 0.0;
    int    flag = ARK_POSTPROCESS_STEP_FAIL;
    ARKodeGetCurrentStep(w->arkode, &h);
    h = fmin(h, stop - t);
    for (int i = 0;
         i < MOST_FAILURES && flag == ARK_POSTPROCESS_STEP_FAIL && w->ode.base.failed > 0; i++) {
        h *= RETRY_FACTOR;
        w->ode.counts.rejected++;
        flag = start_at(w, t, w->start, h);
        flag = flag == ARK_SUCCESS ? ARKodeSetStopTime(w->arkode, stop) : flag;
        flag = flag == ARK_SUCCESS ? ARKodeEvolve(w->arkode, stop, w->ode.y, reached, ARK_ONE_STEP)
                                   : flag;
    }
    return flag;
}

trStatus tr_arkode_step(void *work, const trOde *ode, double t, double *h, double *x_new) {
    Work       *w = work;
    double      stop = tr_sundials_ode_reach(t, *h);
    double      aim = fmin(stop, t + w->max_step);  // tells the first step its scale
    sunrealtype reached = t;
    tr_sundials_ode_begin(&w->ode, ode);
    memcpy(w->start, N_VGetArrayPointer(w->ode.y), (size_t)ode->nx * sizeof *x_new);
    int flag = ARKodeSetStopTime(w->arkode, stop);
    flag = flag == ARK_SUCCESS
               ? ARKodeEvolve(w->arkode, w->fresh ? aim : stop, w->ode.y, &reached, ARK_ONE_STEP)
               : flag;
    if (flag == ARK_POSTPROCESS_STEP_FAIL) {
        flag = repeat_shorter(w, t, stop, &reached);
    }
    TR_TRY(tr_sundials_ode_end(&w->ode, flag, t));
    w->fresh = false;
    memcpy(x_new, N_VGetArrayPointer(w->ode.y), (size_t)ode->nx * sizeof *x_new);
    if (flag != ARK_TSTOP_RETURN) {
        *h = reached - t;
    }
    return TR_OK;
}

trStatus tr_arkode_interpolate(void *work, double t, double *x) {
    Work *w = work;
    int   flag = ARKodeGetDky(w->arkode, t, 0, w->ode.row);
    memcpy(x, N_VGetArrayPointer(w->ode.row), (size_t)w->ode.ode->nx * sizeof *x);
    return tr_sundials_ode_end(&w->ode, flag, t);
}

void tr_arkode_count(const void *work, trIntegratorCounts *counts) {
    const Work        *w = work;
    trIntegratorCounts since = counts_of(w);
    *counts = w->ode.counts;
    counts->iterations += since.iterations;
    counts->rejected += since.rejected;
}

static const trOwnerKind owner = {
    .projects_steps = true,
    .outside = true,
    .plan = tr_arkode_plan_explicit,
    .restart = tr_arkode_restart,
    .step = tr_arkode_step,
    .interpolate = tr_arkode_interpolate,
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
    .count = tr_arkode_count,
    .owner = &owner,
};
