// SPDX-License-Identifier: MIT
// Matrices of Newton's method for implicit integrators, put together from the parts of how the
// equations change:
//
//     r = M a + A' lambda - Q - C        phi        w = A v - b1        z' = g
//
// q moves by dq in the directions of v. Rows of positions (holonomic) and rows of velocities alone
// have parts of their own, with the same places in m.
//
// A matrix is a list of placements: which part stands where. With it, factors are planned once;
// then the coefficients of the placements and the values of the parts change as often as wanted:
//
//     TR_TRY(tr_newton_plan(arena, tangent, n, count, place, &matrix));
//     tr_newton_fill(&matrix, coefficient);
//     TR_TRY(tr_newton_factor(&matrix));
//     tr_newton_solve(&matrix, x);
//
// Multipliers are scaled: the unknown is lambda / scale, with the mass that a joint moves as scale,
// so that A' is of the size of M in whatever units (tr_tangent_unscale).

#ifndef TR_SYSTEM_NEWTON_MATRIX_H
#define TR_SYSTEM_NEWTON_MATRIX_H

#include <stdbool.h>

#include "la/sparse.h"

typedef struct trTangent trTangent;

typedef enum trPart {
    TR_PART_M,       // nv x nv: r by a
    TR_PART_D,       // nv x nv: r by v
    TR_PART_K,       // nv x nv: r by q
    TR_PART_AT,      // nv x m:  r by multipliers of rows of positions, scaled
    TR_PART_A,       // m x nv:  phi by q
    TR_PART_V,       // m x nv:  w of the same rows by v
    TR_PART_N,       // m x nv:  w of the same rows by q
    TR_PART_AT_VEL,  // nv x m:  r by multipliers of rows of velocities, scaled
    TR_PART_V_VEL,   // m x nv:  w of rows of velocities by v
    TR_PART_N_VEL,   // m x nv:  and by q
    TR_PART_C,       // nv x m:  -C by multipliers, scaled
    TR_PART_S,       // nv x nv: diagonal of positive weights, M where it is positive
    TR_PART_SPIN,    // nv x nv: S d(x')/dx at x = 0, where x' = T^-1 v: -[W]x / 2 of rotations
    TR_PART_E,       // m x m:   diagonal: -1 in rows that are left out, next to nothing elsewhere
    TR_PART_E_POS,   // m x m:   diagonal: the same, with -1 in rows of velocities, too
    TR_PART_Z,       // nv x nz: r by z
    TR_PART_G_Q,     // nz x nv: -g by q
    TR_PART_G_V,     // nz x nv: -g by v
    TR_PART_G_Z,     // nz x nz: -g by z
    TR_PART_ONE_Z,   // nz x nz: 1
    TR_PART_COUNT
} trPart;

// Where the first row and column of a part stand in the matrix.
typedef struct trPlacement {
    trPart part;
    int    row, column;
} trPlacement;

typedef struct trNewtonMatrix {
    const trTangent   *tangent;
    trSparse           sparse;
    int                placements;
    const trPlacement *place;                     // placements, sorted by part
    const int         *order;                     // placements: where each stood in the list given
    int                first[TR_PART_COUNT + 1];  // of each part among the placements
    const char        *advice;  // where it is singular; NULL: that for implicit integrators
} trNewtonMatrix;

trStatus tr_newton_plan(trArena *arena, const trTangent *tangent, int n, int placements,
                        const trPlacement *place, trNewtonMatrix *out);
// The sum of coefficient[k] times the part of placement k, with the present values of the parts.
void tr_newton_fill(trNewtonMatrix *matrix, const double *coefficient);
// Adds that sum to what the matrix has, for parts of several states; placements whose coefficient
// is zero are left alone.
void tr_newton_add(trNewtonMatrix *matrix, const double *coefficient);
// TR_SINGULAR names a joint or body.
trStatus tr_newton_factor(trNewtonMatrix *matrix);
void     tr_newton_solve(const trNewtonMatrix *matrix, double *x);  // in place, n

// lambda (m) in N and N m from what was solved for.
void tr_tangent_unscale(const trTangent *tangent, double *lambda);
// Rows that are left out as others imply them, m.
const bool *tr_tangent_left_out(const trTangent *tangent);
// TR_PART_S as it is now, nv.
const double *tr_tangent_weight(const trTangent *tangent);

// --- a mechanism that turns as a whole (swing.c) ---
//
// Parts that were made a while ago serve longer if the matrix turns with the mechanism: with F the
// rotation of most of it since then, directions of v change by U, rows of joints by P, and
//
//     J(now) ~ [ U  .  ] J(then) [ U'  .  ]        A(now) U ~ P^-1 A(then)
//              [ . P^-1]         [ .  P^-T]
//
// so that right sides are turned back, solutions forth. The body that most others turn with is
// chosen where the parts are made; where most do not turn at all, U and P are 1.
typedef struct trSwing {
    bool    on;      // else U = 1 and P = 1
    double  all[4];  // F: a quaternion in space, cosine and sine in the plane
    double *body;    // 4 bodies: R(now)' F R(then), quaternions; in space alone
    double *P;       // of all groups, rows x rows each, row after row
} trSwing;

trStatus tr_swing_plan(trArena *arena, const trTangent *tangent, trSwing *out);
// U' r (nv) and P g (m), or U v and P' dl; either may be NULL.
void tr_swing_back(const trTangent *tangent, const trSwing *swing, double *r, double *g);
void tr_swing_forth(const trTangent *tangent, const trSwing *swing, double *v, double *dl);

#endif
