// SPDX-License-Identifier: MIT
// BDF of order 1 to 5 with variable steps, by IDA of SUNDIALS, on the second face. It solves the
// equations of ida_equations.c with the matrix of ida_matrix.c:
//
//     ggl       phi = 0 and A v = b1 in every step (index 2, Gear, Gupta & Leimkuhler)
//     index1    A v' = b alone
//
// IDA keeps a history of its own. What the sim puts on the constraints are copies.

#include <limits.h>
#include <math.h>
#include <string.h>

#include <ida/ida.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "integrator/ida_parts.h"

#define NAME "ida"
#define MOST_ORDER 5
#define MOST_ITERATIONS 8
#define NEWTON_PART 0.1  // of the tolerances: Newton's method ends where its error is below
#define ANY_CJ 0.9       // the solver makes a matrix for every cj, unasked

static trStatus refuse_memory(void) {
    return tr_fail(TR_E_MEMORY, "IDA has no memory");
}

// All that IDA needs but a state.
static trStatus set_up(trIda *w, const trIntegratorSettings *settings) {
    void *ida = w->memory;
    bool  done = TR_SUNDIALS_LISTEN(IDA, ida, &w->library) == IDA_SUCCESS &&
                IDAInit(ida, tr_ida_residual, 0.0, w->y, w->y_dot) == IDA_SUCCESS &&
                IDASetUserData(ida, w) == IDA_SUCCESS &&
                IDAWFtolerances(ida, tr_ida_weights) == IDA_SUCCESS &&
                IDASetNonlinearSolver(ida, w->newton) == IDA_SUCCESS &&
                SUNNonlinSolSetConvTestFn(w->newton, tr_ida_converged, w) == 0 &&
                IDASetLinearSolver(ida, w->solver, w->jacobian) == IDA_SUCCESS &&
                IDASetJacFn(ida, tr_ida_no_jacobian) == IDA_SUCCESS &&
                IDASetLinearSolutionScaling(ida, SUNFALSE) == IDA_SUCCESS &&
                IDASetDeltaCjLSetup(ida, ANY_CJ) == IDA_SUCCESS &&
                IDASetMaxNonlinIters(ida, MOST_ITERATIONS) == IDA_SUCCESS &&
                IDASetNonlinConvCoef(ida, NEWTON_PART) == IDA_SUCCESS &&
                IDASetMaxOrd(ida, MOST_ORDER) == IDA_SUCCESS &&
                IDASetMaxNumSteps(ida, -1) == IDA_SUCCESS &&
                IDASetMaxStep(ida, settings->max_step) == IDA_SUCCESS &&
                IDASetInitStep(ida, settings->step) == IDA_SUCCESS;
    return done ? TR_OK : refuse_memory();
}

static trStatus begin_again(void *work);

static void keep(trArena *arena, trIda *w) {
    double *numbers[] = {&w->cj, &w->tried, &w->size, &w->slowest, &w->reached, &w->begin_t};
    w->begin_y = tr_new_array(arena, double, w->n);
    w->begin_y_dot = tr_new_array(arena, double, w->n);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        tr_keep_double(arena, numbers[i]);
    }
    tr_keep_int(arena, &w->tries, 0, INT_MAX / 2);
    tr_keep_int(arena, &w->age, 0, INT_MAX / 2);
    tr_integrator_keep_counts(arena, &w->counts);
    tr_keep_remake(arena, begin_again, w);
}

static void release_newton(void **object) {
    SUNNonlinSolFree(*object);
}

static trStatus plan(trArena *arena, const trDae *dae, const trEquations *e,
                     const trIntegratorSettings *settings, void **work) {
    trIda *w = tr_new(arena, trIda);
    if (w == NULL) {
        return TR_E_MEMORY;
    }
    w->dae = dae;
    w->ggl = strcmp(settings->form, "ggl") == 0;
    w->tighter = tr_ida_tighter(&settings->tolerance);
    w->nq = dae->nq;
    w->nv = dae->nv;
    w->m = dae->m;
    w->nz = dae->nz;
    TR_TRY(tr_sundials_plan(arena, &w->library));
    TR_TRY(tr_ida_plan_equations(arena, w));
    TR_TRY(tr_ida_plan_matrix(arena, w));
    keep(arena, w);
    w->y = tr_sundials_vector(arena, &w->library, w->n);
    w->y_dot = tr_sundials_vector(arena, &w->library, w->n);
    w->newton = w->y == NULL ? NULL : SUNNonlinSol_Newton(w->y, w->library.context);
    w->memory = IDACreate(w->library.context);
    if (w->newton != NULL) {
        (void)tr_sundials_defer(arena, release_newton, w->newton);
    }
    if (w->memory != NULL) {
        (void)tr_sundials_defer(arena, IDAFree, w->memory);
    }
    TR_TRY(tr_arena_status(arena));
    *work = w;
    bool all = w->y != NULL && w->y_dot != NULL && w->newton != NULL && w->memory != NULL;
    return all ? set_up(w, settings) : refuse_memory();
}

// Attempts of this history that failed.
static int64_t failures(const trIda *w) {
    long errors = 0, solves = 0;
    IDAGetNumErrTestFails(w->memory, &errors);
    IDAGetNumStepSolveFails(w->memory, &solves);
    return (int64_t)errors + solves;
}

static trStatus begin_again(void *work) {
    trIda *w = work;
    tr_sundials_begin(&w->library);
    memcpy(N_VGetArrayPointer(w->y), w->begin_y, (size_t)w->n * sizeof *w->begin_y);
    memcpy(N_VGetArrayPointer(w->y_dot), w->begin_y_dot, (size_t)w->n * sizeof *w->begin_y);
    int flag = IDAReInit(w->memory, w->begin_t, w->y, w->y_dot);
    return tr_sundials_status(&w->library, NAME, flag, w->begin_t);
}

// y' = (N v, a, 0, 0, g, power)
static trStatus begin(void *work, const trDae *dae, const trDaeState *s) {
    trIda        *w = work;
    double       *y = N_VGetArrayPointer(w->y), *y_dot = N_VGetArrayPointer(w->y_dot);
    trDaeResidual out = {.r = w->slide, .phi = w->phi, .rate = w->rate, .z_dot = w->z_dot};
    TR_TRY(dae->residual(dae->context, s, &out));
    TR_TRY(tr_ida_linearize(w, s));
    w->counts.rejected += failures(w);
    N_VConst(0.0, w->y);
    N_VConst(0.0, w->y_dot);
    trDaeState at = tr_ida_state(w, s->t, y, y_dot);
    tr_dae_copy(dae, s, &at);
    y[w->work] = s->work;
    dae->rate(dae->context, s->q, s->v, y_dot);
    memcpy(y_dot + w->z, w->z_dot, (size_t)w->nz * sizeof *y);
    y_dot[w->work] = out.power;
    w->tried = NAN;  // no attempt
    w->reached = w->begin_t = s->t;
    memcpy(w->begin_y, y, (size_t)w->n * sizeof *y);
    memcpy(w->begin_y_dot, y_dot, (size_t)w->n * sizeof *y);
    return begin_again(w);
}

// Quaternions are normalized.
static void take(const trIda *w, trDaeState *out) {
    const double *y = N_VGetArrayPointer(w->y);
    w->dae->move(w->dae->context, y, w->zero, out->q);
    memcpy(out->v, y + w->v, (size_t)w->nv * sizeof *y);
    memcpy(out->z, y + w->z, (size_t)w->nz * sizeof *y);
    out->work = y[w->work];
}

// The sim knows which joint it is, and where steps cannot go on.
static trStatus give_up(trIda *w, int flag, double t, double *h) {
    double now = t;
    IDAGetCurrentTime(w->memory, &now);
    *h = fmax(now - t, 0.0);
    trStatus status = tr_sundials_status(&w->library, NAME, flag, now);
    bool     stuck = flag == IDA_CONV_FAIL || flag == IDA_ERR_FAIL;
    return stuck && w->library.failed == TR_OK ? TR_NO_CONVERGENCE : status;
}

static trStatus attempt(void *work, const trDae *dae, double *h, const trDaeState *s,
                        trDaeState *next, double *error) {
    trIda *w = work;
    double end = s->t + *h, t = end;
    *error = 0.0;
    tr_sundials_begin(&w->library);
    int flag = IDASetStopTime(w->memory, end);
    if (flag == IDA_SUCCESS) {
        flag = IDASolve(w->memory, end, &t, w->y, w->y_dot, IDA_ONE_STEP);
    }
    if (flag < 0) {
        return give_up(w, flag, s->t, h);
    }
    *h = flag == IDA_TSTOP_RETURN ? *h : t - s->t;
    w->reached = t;
    next->t = s->t + *h;
    take(w, next);
    memcpy(next->a, N_VGetArrayPointer(w->y_dot) + w->v, (size_t)w->nv * sizeof *next->a);
    memcpy(next->lambda, N_VGetArrayPointer(w->y) + w->lambda, (size_t)w->m * sizeof *next->lambda);
    return TR_OK;
}

static trStatus interpolate(void *work, const trDae *dae, double h, double theta,
                            const trDaeState *s, const trDaeState *next, trDaeState *out) {
    trIda *w = work;
    double t = fmin(s->t + theta * h, w->reached);
    int    flag = IDAGetDky(w->memory, t, 0, w->y);
    take(w, out);
    return tr_sundials_status(&w->library, NAME, flag, t);
}

static void count(const void *work, trIntegratorCounts *counts) {
    const trIda *w = work;
    *counts = w->counts;
    counts->rejected += failures(w);
}

static const char *const forms[] = {"ggl", "index1", NULL};

static const trImplicitKind implicit = {
    .needs_tangent = true,
    .needs_rates = true,
    .integrates_work = true,
    .own_step = true,
    .outside = true,
    .forms = forms,
    .plan = plan,
    .begin = begin,
    .attempt = attempt,
    .interpolate = interpolate,
};

const trIntegratorKind tr_integrator_ida = {
    .name = NAME,
    .summary = "BDF of order 1 to 5 with steps of its own, for stiff systems: both levels (ggl)",
    .source = "Hindmarsh et al. 2005 (SUNDIALS); Gear, Gupta & Leimkuhler 1985",
    .traits =
        TR_COPES_NONHOLONOMIC | TR_COPES_SINGULAR_MASS | TR_COPES_REDUNDANT | TR_COPES_NONIDEAL,
    .order = MOST_ORDER,
    .error_order = MOST_ORDER,
    .dense_order = MOST_ORDER,
    .evaluations = 2,
    .count = count,
    .implicit = &implicit,
};
