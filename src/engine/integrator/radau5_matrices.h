// SPDX-License-Identifier: MIT
// The two matrices of radau5, gamma / h and (alpha + i beta) / h in place of g:
//
//     unknowns        dx        dv       dlambda    dmu       dz
//     positions     g S - SPIN   -S                 A'
//     motion           K      g M + D    A' + C               Z
//     velocities       N         V       E
//     phi              A                            E_POS
//     states          G_Q       G_V                         g + G_Z

#ifndef TR_INTEGRATOR_RADAU5_MATRICES_H
#define TR_INTEGRATOR_RADAU5_MATRICES_H

#include "integrator/integrator.h"

// Where the parts of a vector of unknowns or of equations start.
typedef struct trRadauLayout {
    int nv, m, nz;
    int v, lambda, mu, z;
    int n;  // 2 nv + 2 m + nz
} trRadauLayout;

typedef struct trRadauMatrices {
    trRadauLayout    at;
    const trTangent *tangent;
    trNewtonMatrix   real;
    trNewtonMatrix   pair;           // of twice the size: real parts, then imaginary ones
    double           g, g_re, g_im;  // [1/s]
    double          *both;           // 2 n: memory
} trRadauMatrices;

// Where a part stands among the unknowns of one stage, by which power of g it is divided, and its
// sign. Parts that multiply derivatives couple the stages.
typedef struct trRadauEntry {
    trPlacement place;
    int         power;
    double      sign;
    bool        couples;
} trRadauEntry;

#define TR_RADAU_ENTRIES 22

void          tr_radau_list_entries(const trRadauLayout *at, trRadauEntry out[TR_RADAU_ENTRIES]);
trRadauLayout tr_radau_layout(const trDae *dae);
trStatus      tr_radau_plan(trArena *arena, const trDae *dae, trRadauMatrices *out);
// Of a step h, from the parts as they were linearized last.
trStatus tr_radau_factor(trRadauMatrices *matrices, double h);
// Corrections from residuals, in place (n); the complex ones in their real and imaginary parts.
void tr_radau_solve(trRadauMatrices *matrices, double *y);
void tr_radau_solve_pair(trRadauMatrices *matrices, double *re, double *im);

#endif
