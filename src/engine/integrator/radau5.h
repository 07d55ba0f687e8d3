// SPDX-License-Identifier: MIT
// What the parts of radau5 share: its matrices, its stages, and what it carries from step to step.

#ifndef TR_INTEGRATOR_RADAU5_H
#define TR_INTEGRATOR_RADAU5_H

#include "integrator/accelerate.h"
#include "integrator/integrator.h"

// --- radau5_matrices.c ---
//
// The two matrices of radau5, gamma / h and (alpha + i beta) / h in place of g:
//
//     unknowns        dx        dv       dlambda    dmu       dz
//     positions     g S - SPIN   -S                 A'
//     motion           K      g M + D    A' + C               Z
//     velocities       N         V       E
//     phi              A                            E_POS
//     states          G_Q       G_V                         g + G_Z

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

// --- radau5_stages.c ---
//
// The three stages of radau5 and the polynomials through them.
//
// A stage is a vector (x, v - v_n, lambda, mu, z - z_n), laid out by trRadauLayout. Of x, v and z
// there is a polynomial of third degree, through zero at the start of the step; of multipliers one
// of second degree.

typedef struct trRadauStages {
    trRadauLayout at;
    double        h;         // of the step [s]
    double       *y[3];      // n each
    double        power[3];  // [W]
} trRadauStages;

trStatus tr_radau_stages_plan(trArena *arena, const trRadauLayout *at, trRadauStages *out);
void     tr_radau_stages_copy(const trRadauStages *from, trRadauStages *to);
// Of x, v - v_n and z - z_n (their places in `out`, n) at t_n + theta h. The rest is not changed.
void tr_radau_inside(const trRadauStages *stages, double theta, double *out);
// W - W_n at t_n + theta h [J].
double tr_radau_work(const trRadauStages *stages, double theta);
// Stages of a first step, of length `stages->h`: with constant accelerations and multipliers.
void tr_radau_start(const trDaeState *s, const double *z_dot, trRadauStages *stages);
// From those of the step before by extrapolation. `memory` is n.
void tr_radau_extrapolate(const trRadauStages *last, const trDae *dae, const trDaeState *s,
                          double *memory, trRadauStages *stages);

// --- radau5_newton.c ---

// What radau5 carries from step to step.
typedef struct trRadau {
    trRadauLayout   at;
    trRadauMatrices matrices;
    trNewtonMatrix  full;    // of all three stages, each with parts of its own (radau5_full.c)
    double         *full_y;  // 3 n: its right side, then its solution
    trRadauStages   stages, last;  // of this attempt, and of the last accepted one
    bool            has_last;
    bool            has_jacobian, is_fresh;  // fresh: made at the present state
    bool           *left_out;                // m: when it was made
    bool            has_z_dot;               // of the present state
    bool            doubted;  // nothing was accepted since the last failure, or at all
    double          failed;  // the step with which Newton's method failed last, or a longer one [s]
    double          factored;    // for this step [s]; 0: none
    double          tolerance;   // the larger one
    double          close;       // the size that Newton's error may have
    double          confidence;  // theta / (1 - theta) of the last steps
    double          theta;       // of the last Newton iteration
    trDaeState      at_stage;
    const trEquations *e;                       // of the last residual
    double            *x_dot, *z_dot, *memory;  // nv, nz, n
    double            *r[3];                    // n: residuals, then corrections; one after another
    trAccelerator      accelerator;             // of all three
    trSwing            swing[3];                // of the mechanism at the stages
    double            *b1[3];                   // m: of the stages
    trIntegratorCounts counts;
} trRadau;

// sum_j weight_j Y_j of component k
static inline double tr_radau_combine(const trRadauStages *s, const double weight[3], int k) {
    return weight[0] * s->y[0][k] + weight[1] * s->y[1][k] + weight[2] * s->y[2][k];
}

// The state of stage i in at_stage.
void tr_radau_visit(trRadau *w, const trDae *dae, int i, const trDaeState *s);
// All equations of stage i, in r[i].
trStatus tr_radau_residual(trRadau *w, const trDae *dae, int i, const trDaeState *s);
// z' at the start of the step, in z_dot.
trStatus tr_radau_look_at_start(trRadau *w, const trDae *dae, const trDaeState *s);
// Parts of the matrices, made anew for the step.
trStatus tr_radau_linearize(trRadau *w, const trDae *dae, const trDaeState *s);
// Whether other rows are left out now than when the parts were made.
bool tr_radau_has_other_rows(const trRadau *w, const trDae *dae);
// The same with exact matrices, near a singular pose (radau5_full.c).
trStatus tr_radau_full_plan(trArena *arena, const trDae *dae, trRadau *w);
trStatus tr_radau_pass(trRadau *w, const trDae *dae, const trDaeState *s);
// Newton's method, whose corrections have this size, does not converge.
trStatus tr_radau_fail(const trRadau *w, const trDaeState *s, double size);
// The stages of the step w->stages.h from s.
trStatus tr_radau_solve_stages(trRadau *w, const trDae *dae, const trDaeState *s);

#endif
