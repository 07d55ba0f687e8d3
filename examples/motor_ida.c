// SPDX-License-Identifier: MIT
// A pendulum turned by an electric motor, in the implicit form g(t, y, y') = 0 that IDA of SUNDIALS
// integrates, with a state that is not mechanical: y = (x, z, vx, vz, i).
//
//     x' = vx,  z' = vz,  M v' = f - A' lambda,  E i' + R i + k omega = u
//
// f has gravity and the motor's torque k i, as a force k i / L across the rod. The constraint
// corrects velocities and forces; the current i does not notice. There are no algebraic equations:
// to IDA this is an ordinary differential equation.

#include <stdio.h>
#include <stdlib.h>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <trammel/constrain.h>

#ifndef SUN_COMM_NULL  // before SUNDIALS 7
#define SUN_COMM_NULL NULL
#endif

static const double mass = 1.0, length = 1.0, gravity = 9.81;  // [kg], [m], [m/s^2]
static const double inductance = 0.05, resistance = 1.0;       // E [H], R [ohm]
static const double motor = 0.8, voltage = 12.0;               // k [N m/A], u [V]
static const double tolerance = 1e-8, pull = 0.1 /* see pendulum_cvode.c [s] */;

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
    phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - length * length);
    return 0;
}

static int pendulum_jacobian(void *context, double t, const double *q, double *A) {
    (void)context, (void)t;
    A[0] = q[0];
    A[1] = q[1];
    return 0;
}

static int pendulum_b(void *context, double t, const double *q, const double *v, double *b) {
    (void)context, (void)t, (void)q;
    b[0] = -(v[0] * v[0] + v[1] * v[1]);
    return 0;
}

// What the state y and the current say: projected q and v, corrected f, rate of the current.
static trStatus equations(trConstrain *c, double t, const double *y, double *q, double *v,
                          double *f, double *rate) {
    q[0] = y[0];
    q[1] = y[1];
    v[0] = y[2];
    v[1] = y[3];
    trStatus status = tr_constrain_state(c, t, q, v);
    if (status != TR_OK) {
        return status;
    }
    const double l2 = length * length, omega = (q[0] * v[1] - q[1] * v[0]) / l2;
    f[0] = -motor * y[4] * q[1] / l2;
    f[1] = motor * y[4] * q[0] / l2 - mass * gravity;
    *rate = (voltage - resistance * y[4] - motor * omega) / inductance;
    return tr_constrain_force(c, t, q, v, f, NULL);
}

static int residual(sunrealtype t, N_Vector state, N_Vector slope, N_Vector result, void *c) {
    const double *y = N_VGetArrayPointer(state), *ydot = N_VGetArrayPointer(slope);
    double       *g = N_VGetArrayPointer(result), q[2], v[2], f[2], rate = 0.0;
    trStatus      status = equations(c, t, y, q, v, f, &rate);
    if (status != TR_OK) {
        return (int)status;
    }
    for (int i = 0; i < 2; i++) {
        g[i] = ydot[i] - v[i] + (y[i] - q[i]) / pull;
        g[2 + i] = mass * (ydot[2 + i] + (y[2 + i] - v[i]) / pull) - f[i];
    }
    g[4] = ydot[4] - rate;
    return 0;
}

static void integrate(trConstrain *c, SUNContext context) {
    N_Vector        state = N_VNew_Serial(5, context), slope = N_VNew_Serial(5, context);
    double         *y = N_VGetArrayPointer(state), *ydot = N_VGetArrayPointer(slope), f[2];
    void           *ida = IDACreate(context);
    SUNMatrix       matrix = SUNDenseMatrix(5, 5, context);
    SUNLinearSolver linear = SUNLinSol_Dense(state, matrix, context);

    N_VConst(0.0, state);
    y[1] = -length;  // hanging, at rest, no current
    double q[2], v[2];
    need(equations(c, 0.0, y, q, v, f, &ydot[4]) == TR_OK, "equations");
    for (int i = 0; i < 2; i++) {
        ydot[i] = v[i];
        ydot[2 + i] = f[i] / mass;
    }
    need(IDAInit(ida, residual, 0.0, state, slope) == 0, "IDAInit");
    need(IDASStolerances(ida, tolerance, tolerance) == 0, "IDASStolerances");
    need(IDASetUserData(ida, c) == 0, "IDASetUserData");
    need(IDASetMaxNumSteps(ida, 100000) == 0, "IDASetMaxNumSteps");
    need(IDASetLinearSolver(ida, linear, matrix) == 0, "IDASetLinearSolver");
    for (int i = 1; i <= 5; i++) {
        sunrealtype          t = 0.0;
        trConstrainViolation left;
        need(IDASolve(ida, i, &t, state, slope, IDA_NORMAL) == IDA_SUCCESS, "IDASolve");
        for (int j = 0; j < 2; j++) {
            q[j] = y[j];
            v[j] = y[2 + j];
        }
        need(tr_constrain_state(c, t, q, v) == TR_OK, "tr_constrain_state");
        need(tr_constrain_violation(c, t, q, v, NULL, &left) == TR_OK, "tr_constrain_violation");
        printf("ida t %d x %.12f z %.12f vx %.12f vz %.12f i %.12f phi %.1e rate %.1e\n", i, q[0],
               q[1], v[0], v[1], y[4], left.position, left.velocity);
    }
    printf("ida tolerance %g\n", tolerance);
    IDAFree(&ida);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(slope);
    N_VDestroy(state);
}

int main(void) {
    const double   q[2] = {0.0, -length}, v[2] = {0.0, 0.0};
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
    integrate(c, context);
    SUNContext_Free(&context);
    tr_constrain_destroy(c);
    return 0;
}
