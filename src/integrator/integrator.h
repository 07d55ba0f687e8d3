// SPDX-License-Identifier: MIT
// An integrator advances by one attempt; repeating and choosing the step is the stepper's business,
// so the step-size controller exists once for all methods. It sees one of two faces of a system:
//
//     first     x' = rhs(t, x)
//     second    M a + A' lambda = Q,  phi = 0,  with q moving on a manifold: q = q0 (+) x

#ifndef TR_INTEGRATOR_INTEGRATOR_H
#define TR_INTEGRATOR_INTEGRATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/traits.h"
#include "system/equations.h"

typedef struct trOde {
    int           nx;
    int           nerror;  // the first nerror components enter the error norm (quadratures do not)
    const double *weight;  // nerror: of each in the error norm; NULL: 1
    // The error is the largest of those of `groups` (bodies), so that it does not depend on how
    // many there are. Each has part[0] numbers out of the first groups * part[0], and part[1] out
    // of the next. 0: one group of all.
    int   groups, part[2];
    void *context;
    trStatus (*rhs)(void *context, double t, const double *x, double *xdot);
} trOde;

typedef struct trTolerance {
    double rtol, atol;
} trTolerance;

// A state of the second face.
typedef struct trDaeState {
    double  t;
    double *q;       // nq
    double *v, *a;   // nv
    double *lambda;  // m
} trDaeState;

typedef struct trDae {
    int   nq, nv, m;
    void *context;
    // r = M a + A' lambda - Q (nv); g = phi, or A v - b1 in nonholonomic rows (m).
    trStatus (*residual)(void *context, const trDaeState *s, double *r, double *g);
    // Makes and factors the matrix of Newton's method at s, where q = q0 (+) x and v and a change
    // with x by the factors cv and ca.
    trStatus (*factor)(void *context, const trDaeState *s, const double *x, double cv, double ca);
    // From residuals to corrections, in place: r becomes -dq (in directions of v), g -dlambda.
    void (*solve)(void *context, double *r, double *g);
    // M x + A' y = F, A x = b with M and A of the state evaluated last, by the formulation.
    trStatus (*constrain)(void *context, const double *F, const double *b, double *x, double *y);
    // The equations at a state, valid until the next call.
    trStatus (*evaluate)(void *context, double t, const double *q, const double *v,
                         const trEquations **out);
    void (*move)(void *context, const double *q0, const double *x, double *q);  // q = q0 (+) x
    void (*compose)(void *context, const double *dq, double *x);  // x with q0 (+) x (+) dq
} trDae;

// What a user may choose inside a method on the second face.
typedef struct trImplicitOptions {
    double rho;      // spectral radius of generalized_alpha
    double epsilon;  // softness of park_chiou
} trImplicitOptions;

// What a method on the second face does.
typedef struct trImplicitKind {
    bool needs_tangent;  // calls factor and solve
    trStatus (*plan)(trArena *arena, const trDae *dae, const trEquations *e,
                     const trImplicitOptions *options, void **work);
    // History starts anew, with accelerations a (nv) and multipliers lambda (m).
    void (*begin)(void *work, const double *a, const double *lambda);
    // One attempt from s to t + h, which `next` receives; `next` has memory of its own.
    trStatus (*attempt)(void *work, const trDae *dae, double h, const trDaeState *s,
                        trDaeState *next);
    void (*accept)(void *work);  // the last attempt becomes the present
    int64_t (*iterations)(const void *work);
} trImplicitKind;

typedef struct trIntegratorKind {
    const char *name;
    const char *summary;
    const char *source;
    unsigned    traits;
    int         order;               // of accuracy; measured by the tests
    int         error_order;         // the error estimate behaves as h^error_order; 0: fixed step
    int         dense_order;         // of the interpolation error between steps: h^dense_order
    int         evaluations;         // of rhs in one step, without dense output
    const trImplicitKind *implicit;  // a method on the second face; the rest is then NULL
    trStatus (*plan)(trArena *arena, int nx, const trTolerance *tolerance, void **work);

    // The slope at the start of a step. Call once at each new state, before attempts from it.
    trStatus (*begin)(void *work, const trOde *ode, double t, const double *x);
    // One attempt from (t, x) to t + h. `error` is at most 1 if the tolerances are met, always 0
    // for fixed-step methods. x is not changed.
    trStatus (*attempt)(void *work, const trOde *ode, double t, double h, const double *x,
                        double *x_new, double *error);
    // Makes ready to interpolate inside the last attempt (further evaluations, if any).
    trStatus (*prepare_dense)(void *work, const trOde *ode, double t, double h, const double *x,
                              const double *x_new);
    // x at t + theta h, 0 <= theta <= 1.
    void (*interpolate)(const void *work, double h, double theta, double *x);
    // The slope that begin computed, nx.
    const double *(*slope)(const void *work);
} trIntegratorKind;

int                     tr_integrator_count(void);
const trIntegratorKind *tr_integrator_at(int index);
const trIntegratorKind *tr_integrator_find(const char *name);

// sqrt(mean((w_i e_i / (atol + rtol max(|x_i|, |x_new_i|)))^2)) over the components of a group; of
// all groups the largest.
double tr_error_norm(const trOde *ode, const double *e, const double *x, const double *x_new,
                     const trTolerance *tolerance);

// The components of group g: `count` of them from `first` on, in two parts.
typedef struct trErrorGroup {
    int first[2], count[2];
} trErrorGroup;

int          tr_error_groups(const trOde *ode);
trErrorGroup tr_error_group(const trOde *ode, int g);

#endif
