// SPDX-License-Identifier: MIT
// The pendulum of pendulum_rk4.c, integrated by CVODE of SUNDIALS in two ways:
//
//     adams   the state is put on the constraint in the right-hand side, and where it is read
//     bdf     CVODE puts it there itself, by CVodeSetProjFn, which it offers with BDF only
//
// The derivatives of phi are given here; without them the program works as well.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <trammel/constrain.h>

#ifndef SUN_COMM_NULL  // before SUNDIALS 7
#define SUN_COMM_NULL NULL
#endif

static const double mass = 1.0, length = 1.0, gravity = 9.81;  // [kg], [m], [m/s^2]
static const double tolerance = 1e-8, pull = 0.1;              // relative and absolute; [s]

static void need(int good, const char *what) {
    if (!good) {
        fprintf(stderr, "%s failed: %s\n", what, tr_last_error());
        exit(1);
    }
}

static int pendulum_mass(void *context, double t, const double *q, double *M) {
    (void)context, (void)t, (void)q;
    M[0] = M[3] = mass;
    M[1] = M[2] = 0.0;
    return 0;
}

static int pendulum_phi(void *context, double t, const double *q, double *phi) {
    (void)context, (void)t;
    phi[0] = sqrt(q[0] * q[0] + q[1] * q[1]) - length;
    return 0;
}

static int pendulum_jacobian(void *context, double t, const double *q, double *A) {
    const double r = sqrt(q[0] * q[0] + q[1] * q[1]);
    (void)context, (void)t;
    A[0] = q[0] / r;
    A[1] = q[1] / r;
    return 0;
}

// b = -(d/dt A) v
static int pendulum_b(void *context, double t, const double *q, const double *v, double *b) {
    const double r = sqrt(q[0] * q[0] + q[1] * q[1]), rate = (q[0] * v[0] + q[1] * v[1]) / r;
    (void)context, (void)t;
    b[0] = -(v[0] * v[0] + v[1] * v[1] - rate * rate) / r;
    return 0;
}

typedef struct Run {
    trConstrain *c;
    double       pull_rate;  // 1 / pull with adams, else 0 [1/s]
} Run;

// The sign of a status means the same to CVODE: above 0 it tries a smaller step, below it stops.
static int rhs(sunrealtype t, N_Vector state, N_Vector slope, void *data) {
    const Run    *run = data;
    const double *y = N_VGetArrayPointer(state);
    double       *ydot = N_VGetArrayPointer(slope);
    double        q[2] = {y[0], y[1]}, v[2] = {y[2], y[3]}, f[2] = {0.0, -mass * gravity};
    trStatus      status = tr_constrain_state(run->c, t, q, v);
    if (status == TR_OK) {
        status = tr_constrain_force(run->c, t, q, v, f, NULL);
    }
    for (int i = 0; i < 2; i++) {
        ydot[i] = v[i] - (y[i] - q[i]) * run->pull_rate;
        ydot[2 + i] = f[i] / mass - (y[2 + i] - v[i]) * run->pull_rate;
    }
    return (int)status;
}

// CVODE asks for the correction, not for the corrected state.
static int project(sunrealtype t, N_Vector state, N_Vector correction, sunrealtype eps,
                   N_Vector error, void *data) {
    const Run    *run = data;
    const double *y = N_VGetArrayPointer(state);
    double       *dy = N_VGetArrayPointer(correction);
    double        q[2] = {y[0], y[1]}, v[2] = {y[2], y[3]};
    (void)eps, (void)error;
    trStatus status = tr_constrain_state(run->c, t, q, v);
    for (int i = 0; i < 2; i++) {
        dy[i] = q[i] - y[i];
        dy[2 + i] = v[i] - y[2 + i];
    }
    return (int)status;
}

// What CVODE interpolates for an output time is near the constraint, not on it.
static void report(const char *name, int second, trConstrain *c, double t, const double *y) {
    double               q[2] = {y[0], y[1]}, v[2] = {y[2], y[3]};
    trConstrainViolation left;
    need(tr_constrain_state(c, t, q, v) == TR_OK, "tr_constrain_state");
    need(tr_constrain_violation(c, t, q, v, NULL, &left) == TR_OK, "tr_constrain_violation");
    printf("%s t %d x %.12f z %.12f vx %.12f vz %.12f phi %.1e rate %.1e energy %.3e\n", name,
           second, q[0], q[1], v[0], v[1], left.position, left.velocity,
           0.5 * mass * (v[0] * v[0] + v[1] * v[1]) + mass * gravity * q[1]);
}

static void integrate(const char *name, int method, trConstrain *c, SUNContext context) {
    N_Vector           state = N_VNew_Serial(4, context);
    double            *y = N_VGetArrayPointer(state);
    void              *cvode = CVodeCreate(method, context);
    SUNMatrix          matrix = SUNDenseMatrix(4, 4, context);
    SUNLinearSolver    linear = SUNLinSol_Dense(state, matrix, context);
    SUNNonlinearSolver fixed = SUNNonlinSol_FixedPoint(state, 0, context);
    long               steps = 0;
    Run                run = {c, method == CV_ADAMS ? 1.0 / pull : 0.0};

    y[0] = length;
    y[1] = y[2] = y[3] = 0.0;
    need(CVodeInit(cvode, rhs, 0.0, state) == 0, "CVodeInit");
    need(CVodeSStolerances(cvode, tolerance, tolerance) == 0, "CVodeSStolerances");
    need(CVodeSetUserData(cvode, &run) == 0, "CVodeSetUserData");
    need(CVodeSetMaxNumSteps(cvode, 100000) == 0, "CVodeSetMaxNumSteps");
    if (method == CV_ADAMS) {
        need(CVodeSetNonlinearSolver(cvode, fixed) == 0, "CVodeSetNonlinearSolver");
    } else {
        need(CVodeSetLinearSolver(cvode, linear, matrix) == 0, "CVodeSetLinearSolver");
        need(CVodeSetProjFn(cvode, project) == 0, "CVodeSetProjFn");
        need(CVodeSetProjErrEst(cvode, SUNFALSE) == 0, "CVodeSetProjErrEst");
    }
    for (int i = 1; i <= 10; i++) {
        sunrealtype t = 0.0;
        need(CVode(cvode, i, state, &t, CV_NORMAL) == CV_SUCCESS, "CVode");
        report(name, i, c, t, y);
    }
    CVodeGetNumSteps(cvode, &steps);
    printf("%s steps %ld tolerance %g\n", name, steps, tolerance);
    CVodeFree(&cvode);
    SUNNonlinSolFree(fixed);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(state);
}

int main(void) {
    const double   q[2] = {length, 0.0}, v[2] = {0.0, 0.0};
    const char    *names[] = {"rod"};
    trConstrain   *c = NULL;
    SUNContext     context = NULL;
    trConstrainDef def = tr_constrain_def_default();
    def.n = 2;
    def.m = 1;
    def.names = names;
    def.mass = pendulum_mass;
    def.phi = pendulum_phi;
    def.jacobian = pendulum_jacobian;
    def.b = pendulum_b;
    need(tr_constrain_create(&def, 0.0, q, v, &c) == TR_OK, "tr_constrain_create");
    need(SUNContext_Create(SUN_COMM_NULL, &context) == 0, "SUNContext_Create");
    integrate("adams", CV_ADAMS, c, context);
    integrate("bdf", CV_BDF, c, context);
    SUNContext_Free(&context);
    tr_constrain_destroy(c);
    return 0;
}
