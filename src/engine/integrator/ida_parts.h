// SPDX-License-Identifier: MIT
// What the parts of ida share: the unknowns as IDA sees them, the equations (ida_equations.c) and
// the matrix of Newton's method (ida_matrix.c).
//
//     y = (q, v, lambda, mu, z, W)        mu: of the form ggl alone

#ifndef TR_INTEGRATOR_IDA_PARTS_H
#define TR_INTEGRATOR_IDA_PARTS_H

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include "integrator/accelerate.h"
#include "integrator/sundials.h"

typedef struct trIda {
    trSundials         library;
    void              *memory;  // of IDA
    const trDae       *dae;
    bool               ggl;                     // else index1
    int                nq, nv, m, nz, n;        // n: unknowns
    int                v, lambda, mu, z, work;  // where each stands in y; q at 0
    N_Vector           y, y_dot;
    SUNMatrix          jacobian;
    SUNLinearSolver    solver;
    SUNNonlinearSolver newton;

    // --- of the equations evaluated last ---
    const trEquations *e;
    double            *q;      // nq
    double            *unit;   // nq: q normalized
    double            *slide;  // nv: v - S^-1 A' mu, then differences of rates
    double            *phi, *rate;
    double            *z_dot;
    double            *zero;     // nv
    double            *scale;    // m: of multipliers
    double            *weight;   // nq + nv + nz + 1
    double             tighter;  // tolerances than those that were asked for

    // --- of the matrix ---
    trNewtonMatrix matrix;
    double         cj;             // dy'/dy of the matrix [1/s]
    double        *now, *now_dot;  // y and y' where the residual was evaluated last
    double         tried;          // time of the present attempt [s]
    int            tries;          // iterations of Newton's method in it
    double         size;           // of the last correction, in units of the tolerances
    double         slowest;        // by which corrections shrank, the worst with these parts
    int            age;            // attempts with these parts of the tangent
    double        *x;              // right sides and solutions in directions of v
    double        *rest;           // nq: what no v can do
    trAccelerator  accelerator;
    trSwing        swing;  // of the mechanism since the parts were made

    trIntegratorCounts counts;
    double             reached;                // time up to which IDA has come [s]
    double            *begin_y, *begin_y_dot;  // n: as it was started last
    double             begin_t;                // likewise [s]
} trIda;

// By how much.
double   tr_ida_tighter(const trTolerance *tolerance);
trStatus tr_ida_plan_equations(trArena *arena, trIda *w);
trStatus tr_ida_plan_matrix(trArena *arena, trIda *w);

// The state in y and y_dot; nothing is copied.
trDaeState tr_ida_state(const trIda *w, double t, double *y, double *y_dot);

// The parts of the tangent at s, where the residual was evaluated last, and with them S and scales.
trStatus tr_ida_linearize(trIda *w, const trDaeState *s);

// F(t, y, y'), for IDAInit.
int tr_ida_residual(double t, N_Vector y, N_Vector y_dot, N_Vector F, void *work);
// Weights of errors, for IDAWFtolerances.
int tr_ida_weights(N_Vector y, N_Vector weight, void *work);
// For IDASetJacFn, which must be given: the solver makes its matrix by itself.
int tr_ida_no_jacobian(double t, double cj, N_Vector y, N_Vector y_dot, N_Vector F, SUNMatrix J,
                       void *work, N_Vector tmp1, N_Vector tmp2, N_Vector tmp3);
// Whether Newton's method is done, for SUNNonlinSolSetConvTestFn.
int tr_ida_converged(SUNNonlinearSolver newton, N_Vector y, N_Vector dy, double tolerance,
                     N_Vector weight, void *work);

// How fast a quaternion is brought to length 1 by its own row; any number serves [1/s].
#define TR_IDA_UNIT_RATE 1.0

#endif
