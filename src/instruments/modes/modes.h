// SPDX-License-Identifier: MIT
// The linearized equations on the constraints, about one instant of an equilibrium or a steady
// motion (docs/theory/modes.md).
//
// Perturbations y have a number for each velocity: along the axes of the world and about them,
// times the root of a mass or moment of inertia. In these axes the coefficients are constant also
// where bodies spin. In the directions of v,
//
//     dq = T y        dv = T y'        da = T y'' + T1 y'        T1: T along the motion
//
// The constraints leave y = G s and y' = U u + H s, where the columns of G span what rows of
// positions leave free, and those of U what all rows do. Matrices are stored column by column.

#ifndef TR_MODES_MODES_H
#define TR_MODES_MODES_H

#include "base/arena.h"
#include "base/status.h"
#include "la/rrqr.h"
#include "trammel/eval.h"
#include "trammel/modes.h"

typedef struct trLinear {
    trArena        *arena;
    const trSystem *system;
    trEval         *eval;
    int             dim, bodies;  // of the system; coordinates count as bodies
    int             nq, n, m, nz;
    int             each;        // velocities of one body
    double         *x;           // nq + n + nz: positions, velocities and extra states
    double         *a, *lambda;  // n, m: of what was evaluated last
    trLinearization raw;         // in the directions of v, as the tangent has it
    bool            holonomic;   // all rows are rows of positions
    double          rank_tolerance;
    double         *root;            // n: y = root (motion)
    double         *T, *T1;          // bodies blocks, row after row
    double         *M, *D, *K;       // n x n: M y'' + D y' + K y + Z z + (reactions) = 0
    double         *A, *N;           // m x n: A y' + N y = 0; of rows of positions A y = 0
    double         *Z;               // n x nz
    double         *Gq, *Gv, *Gz;    // z' + Gq y + Gv y' + Gz z = 0
    double         *F;               // n: forces Q in the directions of y
    double         *block;           // n x n: memory
    trRrqr          rows, all;       // rows of positions; all rows, each of unit length
    int            *position_row;    // m: which rows are in `rows`
    double         *length;          // m: of the rows
    int             ns, nu, nx;      // of s, of u, and of both and z
    double         *G, *U, *H;       // n x ns, n x nu, n x ns
    double         *Mu, *Du, *Ku;    // nu x nu, nu x nu, nu x ns
    double         *X;               // nx x nx: (s, u, z)' = X (s, u, z)
    double          K_size, D_size;  // of what X is made from
} trLinear;

trStatus tr_linear_plan(trArena *arena, const trSystem *system, const trSim *sim,
                        double rank_tolerance, trLinear *out);
// A velocity, by the body or coordinate that has it.
trStatus tr_modes_blame(const trLinear *linear, trStatus status, int column);

// Accelerations and multipliers at (t, x), into l->a and l->lambda.
trStatus tr_linear_accelerate(trLinear *linear, double t, const double *x);
// These, and everything but the bases and X.
trStatus tr_linear_evaluate(trLinear *linear, double t, const double *x);
trStatus tr_linear_bases(trLinear *linear);  // G and U
trStatus tr_linear_rates(trLinear *linear);  // H, with G as it is
// H and X with the bases as they are. TR_SINGULAR, by name, where a free motion has no inertia.
trStatus tr_linear_reduce(trLinear *linear);

// How far centers of mass are from the origin, and radii of gyration, at most [m].
double tr_linear_length(const trLinear *linear);
// Forces in the directions of y that cannot be told from none, at what was evaluated last.
double tr_linear_rounding(const trLinear *linear);

// C = A B or A' B; A is rows x inner, or inner x rows.
void   tr_product(int rows, int inner, int columns, const double *A, const double *B, double *C);
void   tr_product_t(int rows, int inner, int columns, const double *A, const double *B, double *C);
double tr_norm(int count, const double *x);  // Euclidean

// From the state at rest to one where forces balance, in place; see equilibrium.c.
trStatus tr_modes_balance(trLinear *linear, double t, int *iterations);
// How far forces are from balance at what was evaluated last, relative to their size.
double tr_modes_imbalance(const trLinear *linear, const double *a);
// The number of the body or coordinate with the largest acceleration a (n), in the directions of v.
int tr_modes_fastest(const trLinear *linear, const double *a, trCorrection *out);

// TR_E_MODEL, by name, if the linearized equations are others a little later.
trStatus tr_modes_check_steady(trLinear *linear, double t);

// Eigenvalues, shapes and neutral motions of X.
trStatus tr_modes_solve(trLinear *linear, trModes *out);
// Into unit kinetic energy, out of y into motions of bodies; what moves most, in words. `im` may be
// NULL.
void tr_modes_describe(const trLinear *linear, double *re, double *im, double *share,
                       trNeutral *out);

#endif
