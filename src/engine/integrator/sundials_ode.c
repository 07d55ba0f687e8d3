// SPDX-License-Identifier: MIT
#include "integrator/sundials_ode.h"

#include <math.h>
#include <string.h>

// A number that does not count, the work W, must have some weight: iterations divide by it.
#define LEAST_WEIGHT 1e-6
#define LEAST_RTOL 1e-14  // that the libraries can be asked for

// --- a linear solver that applies the preconditioner once ---

typedef struct Direct {
    SUNPSetupFn prepare;
    SUNPSolveFn solve;
    void       *data;
} Direct;

static SUNLinearSolver_Type direct_type(SUNLinearSolver s) {
    (void)s;
    return SUNLINEARSOLVER_ITERATIVE;
}

static int direct_set_atimes(SUNLinearSolver s, void *data, SUNATimesFn times) {
    (void)s;
    (void)data;
    (void)times;
    return SUN_SUCCESS;
}

static int direct_set_preconditioner(SUNLinearSolver s, void *data, SUNPSetupFn prepare,
                                     SUNPSolveFn solve) {
    *(Direct *)s->content = (Direct){prepare, solve, data};
    return SUN_SUCCESS;
}

static int direct_setup(SUNLinearSolver s, SUNMatrix A) {
    const Direct *direct = s->content;
    (void)A;
    int flag = direct->prepare == NULL ? 0 : direct->prepare(direct->data);
    return flag == 0 ? SUN_SUCCESS : flag < 0 ? SUNLS_PSET_FAIL_UNREC : SUNLS_PSET_FAIL_REC;
}

static int direct_solve(SUNLinearSolver s, SUNMatrix A, N_Vector x, N_Vector b, sunrealtype tol) {
    const Direct *direct = s->content;
    (void)A;
    int flag = direct->solve(direct->data, b, x, tol, SUN_PREC_LEFT);
    return flag == 0 ? SUN_SUCCESS : flag < 0 ? SUNLS_PSOLVE_FAIL_UNREC : SUNLS_PSOLVE_FAIL_REC;
}

static int direct_iterations(SUNLinearSolver s) {
    (void)s;
    return 1;
}

static sunrealtype direct_residual(SUNLinearSolver s) {
    (void)s;
    return 0.0;
}

static void release_solver(void **object) {
    SUNLinSolFreeEmpty(*object);
}

static trStatus plan_solver(trArena *arena, trSundialsOde *s) {
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
    s->solver = solver;
    return tr_arena_status(arena);
}

// --- the first face ---

// The library's norm is that of all nx numbers together. A number of a group of n is multiplied by
// sqrt(nx / n): the squares of one group then have the sum that its own mean square has.
static void plan_weights(const trOde *ode, double sharper, double *count) {
    for (int i = 0; i < ode->nx; i++) {
        count[i] = LEAST_WEIGHT;
    }
    for (int g = 0; g < tr_error_groups(ode); g++) {
        trErrorGroup group = tr_error_group(ode, g);
        double       factor = sharper * sqrt((double)ode->nx / (group.count[0] + group.count[1]));
        for (int part = 0; part < 2; part++) {
            for (int i = group.first[part]; i < group.first[part] + group.count[part]; i++) {
                double weight = ode->weight == NULL ? 1.0 : ode->weight[i];
                count[i] = fmax(LEAST_WEIGHT, factor * weight);
            }
        }
    }
}

trStatus tr_sundials_ode_plan(trArena *arena, const trOde *ode,
                              const trIntegratorSettings *settings, double sharper,
                              bool needs_solver, trSundialsOde *out) {
    out->ode = ode;
    out->tolerance = settings->tolerance;
    TR_TRY(tr_sundials_plan(arena, &out->base));
    double *count = tr_new_array(arena, double, ode->nx);
    out->y = tr_sundials_vector(arena, &out->base, ode->nx);
    out->row = tr_sundials_vector(arena, &out->base, ode->nx);
    if (out->y == NULL || out->row == NULL) {
        return tr_fail(TR_E_MEMORY, "SUNDIALS has no memory for a state");
    }
    TR_TRY(tr_arena_status(arena));
    double most = fmax(1.0, settings->tolerance.rtol / LEAST_RTOL);
    plan_weights(ode, fmin(sharper, most), count);
    out->count = count;
    return needs_solver ? plan_solver(arena, out) : TR_OK;
}

int tr_sundials_ode_rhs(sunrealtype t, N_Vector x, N_Vector xdot, void *data) {
    trSundialsOde *s = data;
    return tr_sundials_flag(
        &s->base, s->ode->rhs(s->ode->context, t, N_VGetArrayPointer(x), N_VGetArrayPointer(xdot)));
}

int tr_sundials_ode_weights(N_Vector x, N_Vector weight, void *data) {
    const trSundialsOde *s = data;
    const double        *at = N_VGetArrayPointer(x);
    double              *w = N_VGetArrayPointer(weight);
    for (int i = 0; i < s->ode->nx; i++) {
        w[i] = s->count[i] / (s->tolerance.atol + s->tolerance.rtol * fabs(at[i]));
        if (!isfinite(w[i])) {
            return -1;
        }
    }
    return 0;
}

// The parts of J are kept where the library says that they are still good.
int tr_sundials_ode_prepare(sunrealtype t, N_Vector x, N_Vector xdot, sunbooleantype keep,
                            sunbooleantype *renewed, sunrealtype gamma, void *data) {
    trSundialsOde *s = data;
    const double  *at = keep ? NULL : N_VGetArrayPointer(x);
    (void)xdot;
    s->counts.jacobians += keep ? 0 : 1;
    s->counts.factorizations++;
    s->gamma = gamma;
    *renewed = keep ? SUNFALSE : SUNTRUE;
    return tr_sundials_flag(&s->base, s->ode->prepare(s->ode->context, t, at, gamma));
}

// Factors of another gamma are replaced: no evaluation is needed.
// NOLINTNEXTLINE(readability-function-size): the parameters are those of the library.
int tr_sundials_ode_solve(sunrealtype t, N_Vector x, N_Vector xdot, N_Vector r, N_Vector y,
                          sunrealtype gamma, sunrealtype tolerance, int side, void *data) {
    trSundialsOde *s = data;
    double        *out = N_VGetArrayPointer(y);
    (void)x;
    (void)xdot;
    (void)tolerance;
    (void)side;
    if (gamma != s->gamma) {
        trStatus status = s->ode->prepare(s->ode->context, t, NULL, gamma);
        s->counts.factorizations++;
        if (status != TR_OK) {
            return tr_sundials_flag(&s->base, status);
        }
        s->gamma = gamma;
    }
    memcpy(out, N_VGetArrayPointer(r), (size_t)s->ode->nx * sizeof *out);
    return tr_sundials_flag(&s->base, s->ode->solve(s->ode->context, out));
}

#define VERY_FAR 1e300  // [s]

double tr_sundials_ode_reach(double t, double h) {
    return t + h < VERY_FAR ? t + h : VERY_FAR;
}

void tr_sundials_ode_begin(trSundialsOde *s, const trOde *ode) {
    s->ode = ode;
    tr_sundials_begin(&s->base);
}

void tr_sundials_ode_add_counts(trSundialsOde *s, const trIntegratorCounts *since) {
    s->counts.iterations += since->iterations;
    s->counts.rejected += since->rejected;
}

trStatus tr_sundials_ode_end(const trSundialsOde *s, int flag, double t) {
    return tr_sundials_status(&s->base, s->name, flag, t);
}
