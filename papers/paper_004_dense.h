// SPDX-License-Identifier: MIT
// The four-bar of Marques, Souto and Flores with dense matrices, to try equations as they are
// printed: corrections of positions, and the augmented Lagrangian that solves for whole vectors.

#ifndef TR_PAPERS_PAPER_004_DENSE_H
#define TR_PAPERS_PAPER_004_DENSE_H

#include "system/system.h"

#define COORDINATES 9
#define ROWS 8
#define ALPHA 1e7  // penalty factor, Table 2

typedef struct Dense {
    trArena      *arena;
    trEval        eval;
    const double *mass;                   // COORDINATES, the diagonal of M
    const double *phi, *b;                // ROWS
    const double *Q;                      // COORDINATES
    double        A[ROWS * COORDINATES];  // column by column
    double        rate[ROWS];             // A v
} Dense;

// `system` is that of models/papers/fourbar.lua.
void dense_begin(const trSystem *system, Dense *dense);
void dense_end(Dense *dense);
// Everything at (q, v).
void dense_look(Dense *dense, const double *q, const double *v);
// y <- y + factor A' x
void dense_add_pull(const Dense *dense, double factor, const double *x, double *y);
// x <- S^-1 x for a positive definite S (n x n), which is overwritten.
void dense_solve(int n, double *S, double *x);
// x <- (M + ALPHA A'A)^-1 x
void dense_solve_penalty(const Dense *dense, double *x);

#define CORRECTION_ROUNDS 8

typedef struct Correction {
    const char *equation, *formula;
    double      size[CORRECTION_ROUNDS + 1];  // |phi| before and after each round [m]
} Correction;

#define CORRECTIONS 7

// From the pose that Table 1 prints, misprint included.
void correct_printed_pose(Dense *dense, Correction out[CORRECTIONS]);

// Index-1 augmented Lagrangian with projection for 10 s at 1e-3 s: energy less that of the start,
// at the end and the largest [J]. `whole`: accelerations and velocities are solved for as a whole,
// as (24) and (30) say; else by increments.
typedef struct TotalForm {
    double end, largest;
} TotalForm;

TotalForm run_augmented_lagrangian(Dense *dense, const double *q_start, bool whole);

#endif
