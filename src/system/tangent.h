// SPDX-License-Identifier: MIT
// The matrix of Newton's method on the second face. With q moved by dq in the directions of v, and
// v and a changing with x by the factors cv and ca (integrator.h):
//
//     [ (ca M + cv D) T^-1 + K    A' ] [   dq    ]
//     [            A               0 ] [ dlambda ]        nonholonomic rows: cv A T^-1 + N
//
// Recorded equations (traced.h) take part with blocks of their own.
//
//     K = d(M a + A' lambda - Q)/dq      D = -dQ/dv      N = d(A v - b1)/dq
//
// Rows of bodies and multipliers are divided by ca, nonholonomic rows by cv: so all entries keep
// their size as the step becomes small. The multipliers of a joint are divided by the mass that it
// moves besides: so A' is of the size of M, in whatever units.

#ifndef TR_SYSTEM_TANGENT_H
#define TR_SYSTEM_TANGENT_H

#include "la/sparse.h"
#include "system/system.h"

typedef struct trTangent {
    const trSystem *system;
    trSparse        matrix;
    const int      *body_entry;    // bodies: first entry of its block, nv x nv
    const int      *joint_entry;   // joints: first entry of its blocks
    const int      *force_entry;   // varying forces
    int             row_entry;     // first entry of recorded rows: A and A', side after side
    int             block_entry;   // of recorded blocks
    int             rate_entry;    // of N of recorded rows
    double         *slot, *input;  // of recorded tangents
    double         *K, *D;         // 4 nv^2: one pair of bodies
    double         *rows;          // TR_JOINT_ROWS x 2 nv
    double         *x;             // nv + m
    double         *scale;         // joints, all rows as joints: of its multipliers [kg]
    double          ca, cv;        // of the last factorization
} trTangent;

// Where the matrix is made: velocities, accelerations, multipliers, and x as in integrator.h.
typedef struct trTangentState {
    const double *v, *a;   // nv
    const double *lambda;  // m
    const double *x;       // nv, as in integrator.h
} trTangentState;

// TR_E_UNSUPPORTED, by name, for a joint or force whose kind has no tangent.
trStatus tr_tangent_plan(trArena *arena, const trSystem *system, trTangent *out);

// Factors at what was evaluated last. TR_SINGULAR names a joint or body.
// Accelerations a (nv) matter where recorded masses change with positions.
trStatus tr_tangent_factor(trTangent *t, const trEval *eval, const trTangentState *state, double cv,
                           double ca);
// In place: residuals r (nv) and g (m) become dq and dlambda with the matrix (dq, dlambda) = (r,
// g).
void tr_tangent_solve(trTangent *t, double *r, double *g);

#endif
