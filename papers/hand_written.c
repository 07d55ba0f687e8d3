// SPDX-License-Identifier: MIT
//     q' = v - G' mu        M v' = f - G' lambda        G v + g_t = 0        g = 0
//
// y = (q, v, lambda, mu). Multipliers are no part of the error test.

#include "hand_written.h"

#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "integrator/sundials_versions.h"

#define LARGE 1e6  // tolerance of multipliers, relative to that of the rest

static int residual(sunrealtype t, N_Vector Y, N_Vector Y_dot, N_Vector R, void *data) {
    const HandProblem *p = data;
    const int          n = p->n, m = p->m;
    const double      *y = N_VGetArrayPointer(Y), *y_dot = N_VGetArrayPointer(Y_dot);
    const double      *q = y, *v = y + n, *lambda = y + 2 * n, *mu = lambda + m;
    double            *r = N_VGetArrayPointer(R);
    double             M[HAND_N][HAND_N] = {{0.0}}, G[HAND_M][HAND_N] = {{0.0}};
    double             f[HAND_N], g[HAND_M], g_t[HAND_M] = {0.0};
    p->mass(q, M);
    p->force(t, q, v, f);
    p->phi(t, q, g);
    p->rows(t, q, G);
    if (p->rate != NULL) {
        p->rate(t, q, g_t);
    }
    for (int i = 0; i < n; i++) {
        r[i] = y_dot[i] - v[i];
        r[n + i] = -f[i];
        for (int j = 0; j < n; j++) {
            r[n + i] += M[i][j] * y_dot[n + j];
        }
        for (int k = 0; k < m; k++) {
            r[i] += G[k][i] * mu[k];
            r[n + i] += G[k][i] * lambda[k];
        }
    }
    for (int k = 0; k < m; k++) {
        r[2 * n + k] = g_t[k];
        for (int j = 0; j < n; j++) {
            r[2 * n + k] += G[k][j] * v[j];
        }
        r[2 * n + m + k] = g[k];
    }
    return 0;
}

// Runs that fail are among the results: nothing is printed.
#if SUNDIALS_VERSION_MAJOR < 7
static void ignore(int code, const char *module, const char *function, char *words, void *data) {
    (void)code;
    (void)module;
    (void)function;
    (void)words;
    (void)data;
}

static void silence(SUNContext context, void *ida) {
    (void)context;
    IDASetErrHandlerFn(ida, ignore, NULL);
}
#else
static void silence(SUNContext context, void *ida) {
    (void)ida;
    SUNContext_ClearErrHandlers(context);
}
#endif

static void must_be(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "IDA: %s failed\n", what);
        exit(1);
    }
}

// Solves A x = b in place, with the largest pivot of each column; small.
static void solve_dense(int n, double A[][HAND_N + HAND_M], double *b) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        for (int j = 0; j < n; j++) {
            double kept = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = kept;
        }
        double kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        for (int i = 0; i < n; i++) {
            double factor = i == k ? 0.0 : A[i][k] / A[k][k];
            for (int j = k; j < n; j++) {
                A[i][j] -= factor * A[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; k++) {
        b[k] /= A[k][k];
    }
}

// G v + g_t along the motion a little before and after, at constant v: what G v' must cancel.
static void acceleration_level(const HandProblem *p, double *b) {
    const double by = 1e-6;
    for (int k = 0; k < p->m; k++) {
        b[k] = 0.0;
    }
    for (int side = -1; side <= 1; side += 2) {
        double q[HAND_N], G[HAND_M][HAND_N] = {{0.0}}, g_t[HAND_M] = {0.0};
        for (int i = 0; i < p->n; i++) {
            q[i] = p->q[i] + side * by * p->v[i];
        }
        p->rows(side * by, q, G);
        if (p->rate != NULL) {
            p->rate(side * by, q, g_t);
        }
        for (int k = 0; k < p->m; k++) {
            double rate = g_t[k];
            for (int j = 0; j < p->n; j++) {
                rate += G[k][j] * p->v[j];
            }
            b[k] -= side * rate / (2.0 * by);
        }
    }
}

// M a + G' lambda = f, G a = b at the start.
static void start(const HandProblem *p, double *y, double *y_dot) {
    const int n = p->n, m = p->m;
    double    A[HAND_N + HAND_M][HAND_N + HAND_M] = {{0.0}}, x[HAND_N + HAND_M];
    double    M[HAND_N][HAND_N] = {{0.0}}, G[HAND_M][HAND_N] = {{0.0}};
    p->mass(p->q, M);
    p->rows(0.0, p->q, G);
    p->force(0.0, p->q, p->v, x);
    acceleration_level(p, x + n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i][j] = M[i][j];
        }
        for (int k = 0; k < m; k++) {
            A[i][n + k] = A[n + k][i] = G[k][i];
        }
    }
    solve_dense(n + m, A, x);
    memcpy(y, p->q, (size_t)n * sizeof *y);
    memcpy(y + n, p->v, (size_t)n * sizeof *y);
    memcpy(y + 2 * n, x + n, (size_t)m * sizeof *y);
    memcpy(y_dot, p->v, (size_t)n * sizeof *y);
    memcpy(y_dot + n, x, (size_t)n * sizeof *y);
}

HandResult hand_run(const HandProblem *p, double tolerance) {
    const int  n = p->n, m = p->m, size = 2 * n + 2 * m;
    SUNContext context = NULL;
    must_be(SUNContext_Create(SUN_COMM_NULL, &context) == 0, "context");
    N_Vector        y = N_VNew_Serial(size, context), y_dot = N_VClone(y), atol = N_VClone(y);
    N_Vector        kind = N_VClone(y);
    SUNMatrix       J = SUNDenseMatrix(size, size, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, J, context);
    void           *ida = IDACreate(context);
    N_VConst(0.0, y);
    N_VConst(0.0, y_dot);
    start(p, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot));
    for (int i = 0; i < size; i++) {
        N_VGetArrayPointer(atol)[i] = i < 2 * n ? tolerance : LARGE * tolerance;
        N_VGetArrayPointer(kind)[i] = i < 2 * n ? 1.0 : 0.0;
    }
    HandResult result = {0};
    double     t = 0.0;
    long       steps = 0, evaluations = 0, jacobians = 0, for_jacobians = 0;
    must_be(IDAInit(ida, residual, 0.0, y, y_dot) == 0, "IDAInit");
    silence(context, ida);
    IDASetUserData(ida, (void *)(uintptr_t)p);
    must_be(IDASVtolerances(ida, tolerance, atol) == 0, "IDASVtolerances");
    must_be(IDASetId(ida, kind) == 0 && IDASetSuppressAlg(ida, 1) == 0, "IDASetId");
    must_be(IDASetLinearSolver(ida, solver, J) == 0, "IDASetLinearSolver");
    IDASetMaxNumSteps(ida, 1000000);
    IDASetStopTime(ida, p->duration);
    result.flag = IDASolve(ida, p->duration, &t, y, y_dot, IDA_NORMAL);
    IDAGetNumSteps(ida, &steps);
    IDAGetNumResEvals(ida, &evaluations);
    IDAGetNumJacEvals(ida, &jacobians);
    IDAGetNumLinResEvals(ida, &for_jacobians);
    memcpy(result.q, N_VGetArrayPointer(y), (size_t)n * sizeof *result.q);
    memcpy(result.v, N_VGetArrayPointer(y) + n, (size_t)n * sizeof *result.v);
    result.steps = steps;
    result.evaluations = evaluations + for_jacobians;
    result.jacobians = jacobians;
    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(J);
    N_Vector vectors[] = {y, y_dot, atol, kind};
    for (int i = 0; i < 4; i++) {
        N_VDestroy(vectors[i]);
    }
    SUNContext_Free(&context);
    return result;
}
