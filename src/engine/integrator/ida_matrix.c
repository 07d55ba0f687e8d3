// SPDX-License-Identifier: MIT
// The matrix of Newton's method for IDA, dF/dy + cj dF/dy', made of the parts of the tangent and
// factored by our own sparse factors: planned once, never by differences. IDA sees a linear solver
// that takes right sides and gives corrections as they stand in y.
//
// Inside, q changes in directions of v. With multipliers lambda and mu of joints in scaled units,
// and powers of cj such that entries keep their size as steps become small,
//
//     dq    dv / cj    dlambda / cj^2    dmu / cj    dz
//
//     S - SPIN / cj     -S              .            A'        .        rate of q         / cj
//     K / cj^2          M + D / cj      A' + C       .         Z / cj^2 r                 / cj^2
//     N / cj            A               E            .         .        A v - b1          / cj
//     A                 .               .            E_POS     .        phi
//     G_Q / cj          G_V             .            .         1 + G_Z / cj               / cj
//
// In index1 the third row is (A + 2 N / cj) dv with multipliers, divided by cj^2: how A v' - b
// changes with q is left out, which is of the order of 1 / cj^2.

#include <math.h>
#include <string.h>

#include <ida/ida.h>

#include "integrator/ida_parts.h"

// IDA would judge the speed of Newton's method by earlier steps, when the matrix was fresh, and end
// after one iteration with what an old one leaves: where stiff directions turn with the bodies,
// that grows from step to step. So convergence is measured in every attempt.
#define SLOW 0.6      // by which corrections shrink: above, the next attempt has parts of its own
#define OLD 50        // attempts after which it has them in any case
#define DIVERGES 0.9  // a step fails above
#define LUCK 0.1      // of a correction, what is left at least: a quick one may be chance
#define TINY 1e-4     // of the tolerance: one iteration suffices

// Rows and columns of v, rows, mu and z in the matrix.
typedef struct Places {
    int v, lambda, mu, z, n;
} Places;

static Places places(const trIda *w) {
    Places p = {.v = w->nv, .lambda = 2 * w->nv};
    p.mu = p.lambda + w->m;
    p.z = p.mu + (w->ggl ? w->m : 0);
    p.n = p.z + w->nz;
    return p;
}

#define ALL 22  // placements

// Those of ggl alone stand last. `fill` has the same order.
static int list_placements(const trIda *w, trPlacement place[ALL]) {
    const Places      p = places(w);
    const int         v = p.v, rows = p.lambda, mu = p.mu, z = p.z, n = w->ggl ? 0 : v;
    const trPlacement list[ALL] = {
        {TR_PART_S, 0, 0},       {TR_PART_SPIN, 0, 0},      {TR_PART_S, 0, v},
        {TR_PART_M, v, v},       {TR_PART_D, v, v},         {TR_PART_K, v, 0},
        {TR_PART_AT, v, rows},   {TR_PART_AT_VEL, v, rows}, {TR_PART_C, v, rows},
        {TR_PART_Z, v, z},       {TR_PART_V, rows, v},      {TR_PART_V_VEL, rows, v},
        {TR_PART_N, rows, n},    {TR_PART_N_VEL, rows, n},  {TR_PART_E, rows, rows},
        {TR_PART_ONE_Z, z, z},   {TR_PART_G_Q, z, 0},       {TR_PART_G_V, z, v},
        {TR_PART_G_Z, z, z},     {TR_PART_AT, 0, mu},       {TR_PART_A, mu, 0},
        {TR_PART_E_POS, mu, mu},
    };
    memcpy(place, list, sizeof list);
    return w->ggl ? ALL : ALL - 3;
}

static void fill(trIda *w, double cj) {
    const double one = 1.0 / cj, two = one * one, N = w->ggl ? one : 2.0 * one;
    const double coefficient[ALL] = {1.0, -one, -1.0, 1.0, one, two, 1.0, 1.0, 1.0, two, 1.0,
                                     1.0, N,    one,  1.0, 1.0, one, 1.0, one, 1.0, 1.0, 1.0};
    tr_newton_fill(&w->matrix, coefficient);
    w->cj = cj;
}

static trStatus factor(trIda *w, double cj) {
    fill(w, cj);
    w->counts.factorizations++;
    tr_accelerator_forget(&w->accelerator);
    return tr_newton_factor(&w->matrix);
}

static trStatus renew(trIda *w, double cj) {
    const trDaeState s = tr_ida_state(w, w->tried, w->now, w->now_dot);
    w->age = 0;
    w->slowest = 0.0;
    TR_TRY(tr_ida_linearize(w, &s));
    return factor(w, cj);
}

// Parts of earlier states serve as long as Newton's method is fast with them; cj is always exact.
static trStatus keep_fresh(trIda *w) {
    double cj = w->cj;
    IDAGetCurrentCj(w->memory, &cj);
    if (w->tries == 0 && (w->slowest > SLOW || w->age > OLD)) {
        return renew(w, cj);
    }
    return cj == w->cj ? TR_OK : factor(w, cj);
}

// IDA asks for a new matrix at the start and where Newton's method has failed.
static int set_up(SUNLinearSolver solver, SUNMatrix J) {
    trIda *w = solver->content;
    double cj = w->cj;
    IDAGetCurrentCj(w->memory, &cj);
    return tr_sundials_flag(&w->library, renew(w, cj));
}

// NOLINTNEXTLINE(readability-function-size): the parameters are those of the library.
int tr_ida_no_jacobian(double t, double cj, N_Vector y, N_Vector y_dot, N_Vector F, SUNMatrix J,
                       void *work, N_Vector tmp1, N_Vector tmp2, N_Vector tmp3) {
    return 0;
}

// From the residual of y to that of the matrix.
static void enter(trIda *w, const double *b) {
    const trDae  *dae = w->dae;
    const Places  p = places(w);
    const double *S = tr_tangent_weight(dae->tangent);
    const bool   *left_out = tr_tangent_left_out(dae->tangent);
    double       *x = w->x, one = 1.0 / w->cj, two = one * one;
    dae->pull(dae->context, w->q, b, x);
    dae->rate(dae->context, w->q, x, w->rest);
    for (int i = 0; i < w->nq; i++) {
        w->rest[i] = b[i] - w->rest[i];
    }
    for (int i = 0; i < w->nv; i++) {
        x[i] *= one * S[i];
        x[p.v + i] = two * b[w->v + i];
    }
    for (int i = 0; i < w->m; i++) {
        x[p.lambda + i] = (w->ggl && !left_out[i] ? one : two) * b[w->lambda + i];
        if (w->ggl) {
            bool held = dae->holonomic[i] && !left_out[i];
            x[p.mu + i] = (held ? 1.0 : one) * b[w->mu + i];
        }
    }
    for (int i = 0; i < w->nz; i++) {
        x[p.z + i] = one * b[w->z + i];
    }
}

// From corrections in directions of v to those of y. W changes by the power of drivers,
// -lambda' b1; how that of forces changes is left out.
static void leave(trIda *w, double b_work, double *dy) {
    const trDae  *dae = w->dae;
    const Places  p = places(w);
    const double *x = w->x;
    double        cj = w->cj;
    dae->rate(dae->context, w->q, x, dy);
    for (int i = 0; i < w->nq; i++) {
        dy[i] += w->rest[i] / TR_IDA_UNIT_RATE;
    }
    for (int i = 0; i < w->nv; i++) {
        dy[w->v + i] = cj * x[p.v + i];
    }
    for (int i = 0; i < w->m; i++) {
        dy[w->lambda + i] = cj * cj * w->scale[i] * x[p.lambda + i];
        b_work -= w->e->b1[i] * dy[w->lambda + i];
        if (w->ggl) {
            dy[w->mu + i] = cj * w->scale[i] * x[p.mu + i];
        }
    }
    for (int i = 0; i < w->nz; i++) {
        dy[w->z + i] = x[p.z + i];
    }
    dy[w->work] = b_work / cj;
}

int tr_ida_converged(SUNNonlinearSolver newton, N_Vector y, N_Vector dy, double tolerance,
                     N_Vector weight, void *work) {
    trIda *w = work;
    double size = N_VWrmsNorm(dy, weight), rate = size / w->size;
    w->size = size;
    if (++w->tries == 1) {
        bool sure = size <= TINY * tolerance || (w->age == 0 && size <= tolerance);
        return sure ? SUN_SUCCESS : SUN_NLS_CONTINUE;
    }
    w->slowest = fmax(w->slowest, rate);
    if (!(rate <= DIVERGES)) {
        return SUN_NLS_CONV_RECVR;
    }
    double left = fmax(LUCK, fmin(1.0, rate / (1.0 - rate)));
    return size * left <= tolerance ? SUN_SUCCESS : SUN_NLS_CONTINUE;
}

static int solve(SUNLinearSolver solver, SUNMatrix J, N_Vector x, N_Vector b, double tolerance) {
    trIda        *w = solver->content;
    const double *right = N_VGetArrayPointer(b);
    w->counts.iterations++;
    trStatus status = keep_fresh(w);
    if (status != TR_OK) {
        return tr_sundials_flag(&w->library, status);
    }
    enter(w, right);
    w->dae->swing(w->dae->context, &w->swing);
    tr_dae_turn_back(w->dae, &w->swing, 2, w->ggl ? 2 : 1, w->x);
    tr_newton_solve(&w->matrix, w->x);
    if (w->tries == 0) {
        tr_accelerator_begin(&w->accelerator);
    }
    tr_accelerate(&w->accelerator, w->x);
    tr_dae_turn_forth(w->dae, &w->swing, 2, w->ggl ? 2 : 1, w->x);
    leave(w, right[w->work], N_VGetArrayPointer(x));
    return 0;
}

static SUNLinearSolver_Type type_of_solver(SUNLinearSolver solver) {
    return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID id_of_solver(SUNLinearSolver solver) {
    return SUNLINEARSOLVER_CUSTOM;
}

static SUNMatrix_ID id_of_matrix(SUNMatrix J) {
    return SUNMATRIX_CUSTOM;
}

static int clear_matrix(SUNMatrix J) {  // filled anew where it is made
    return 0;
}

static void release_matrix(void **object) {
    SUNMatFreeEmpty(*object);
}

static void release_solver(void **object) {
    SUNLinSolFreeEmpty(*object);
}

trStatus tr_ida_plan_matrix(trArena *arena, trIda *w) {
    trPlacement place[ALL];
    int         count = list_placements(w, place), n = places(w).n;
    w->x = tr_new_array(arena, double, n);
    w->rest = tr_new_array(arena, double, w->nq);
    w->jacobian = SUNMatNewEmpty(w->library.context);
    w->solver = SUNLinSolNewEmpty(w->library.context);
    if (w->jacobian != NULL) {
        (void)tr_sundials_defer(arena, release_matrix, w->jacobian);
    }
    if (w->solver != NULL) {
        (void)tr_sundials_defer(arena, release_solver, w->solver);
    }
    TR_TRY(tr_arena_status(arena));
    if (w->jacobian == NULL || w->solver == NULL) {
        return tr_fail(TR_E_MEMORY, "SUNDIALS has no memory for a matrix");
    }
    w->jacobian->ops->getid = id_of_matrix;
    w->jacobian->ops->zero = clear_matrix;
    w->solver->content = w;
    w->solver->ops->gettype = type_of_solver;
    w->solver->ops->getid = id_of_solver;
    w->solver->ops->setup = set_up;
    w->solver->ops->solve = solve;
    TR_TRY(tr_swing_plan(arena, w->dae->tangent, &w->swing));
    TR_TRY(tr_accelerator_plan(arena, n, TR_ACCELERATE_DEPTH, &w->accelerator));
    for (int i = 0; i < n; i++) {  // positions, velocities over a step, further states
        bool multiplier = i >= 2 * w->nv && i < n - w->nz;
        w->accelerator.weight[i] = multiplier ? 0.0 : 1.0;
    }
    return tr_newton_plan(arena, w->dae->tangent, n, count, place, &w->matrix);
}
