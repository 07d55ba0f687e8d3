// SPDX-License-Identifier: MIT
// An integrator advances by one attempt; repeating and choosing the step is the stepper's business,
// so the step-size controller exists once for all methods but those that own their step. It sees
// one of two faces of a system:
//
//     first     x' = rhs(t, x)
//     second    M a + A' lambda = Q + C,  phi = 0,  A v = b1,  z' = g,
//               with q moving on a manifold: q = q0 (+) x

#ifndef TR_INTEGRATOR_INTEGRATOR_H
#define TR_INTEGRATOR_INTEGRATOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/field.h"
#include "base/keep.h"
#include "base/registry.h"
#include "base/traits.h"
#include "system/equations.h"
#include "system/newton_matrix.h"

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

    // --- for methods that own their step ---

    // Puts x on the constraints, as the chosen step projection does. NULL: there is none.
    trStatus (*project)(void *context, double t, double *x);
    // Makes ready to solve (1 - gamma J) y = r at (t, x), J = d rhs/dx, and does so, in place:
    // exact along the constraints but for terms of the order of gamma. x = NULL: where it was made
    // ready last, with another gamma. NULL: the system has no tangents.
    trStatus (*prepare)(void *context, double t, const double *x, double gamma);
    trStatus (*solve)(void *context, double *r);
} trOde;

typedef struct trTolerance {
    double rtol, atol;
} trTolerance;

typedef struct trIntegratorKind trIntegratorKind;

// What a user chose.
typedef struct trIntegratorSettings {
    const trIntegratorKind *kind;
    trTolerance             tolerance;
    double                  step, max_step;  // [s]; step = 0: to be chosen; max_step > 0
    const char             *form;            // one of the kind's forms
    const void             *options;         // of the kind's fields
} trIntegratorSettings;

// Work so far, of what the stepper does not see.
typedef struct trIntegratorCounts {
    int64_t iterations;  // of Newton's method
    int64_t jacobians;   // derivatives made anew
    int64_t factorizations;
    int64_t rejected;  // attempts of methods that own their step
} trIntegratorCounts;

static inline void tr_integrator_keep_counts(trArena *arena, trIntegratorCounts *counts) {
    tr_keep_count(arena, &counts->iterations);
    tr_keep_count(arena, &counts->jacobians);
    tr_keep_count(arena, &counts->factorizations);
    tr_keep_count(arena, &counts->rejected);
}

// A state of the second face.
typedef struct trDaeState {
    double  t;
    double *q;       // nq
    double *v, *a;   // nv
    double *lambda;  // m
    double *z;       // nz: further states
    double  work;    // W [J]
} trDaeState;

typedef struct trDaeResidual {
    double            *r;      // nv: M a + A' lambda - Q - C
    double            *phi;    // m: zero in rows of velocities
    double            *rate;   // m: A v - b1
    double            *z_dot;  // nz: z' = g(t, q, v, z)
    double             power;  // W' [W]
    const trEquations *e;      // of the state, until the next call
} trDaeResidual;

typedef struct trDae {
    int         nq, nv, m, nz;
    const bool *holonomic;  // m
    bool        passing;    // the accepted state is near a singular pose
    void       *context;
    trTangent  *tangent;  // where a kind needs it: what matrices are made of
    // Rows that others imply, as the sim has found, have zeros in phi and rate.
    trStatus (*residual)(void *context, const trDaeState *s, trDaeResidual *out);
    // The parts of the tangent at s, which is evaluated. x (nv): from q0, where v and a change with
    // x; NULL elsewhere.
    trStatus (*linearize)(void *context, const trDaeState *s, const double *x);
    // How far the mechanism has turned since, at the state evaluated last (newton_matrix.h).
    void (*swing)(void *context, trSwing *out);
    // M x + A' y = F, A x = b with M and A of the state evaluated last, by the formulation.
    trStatus (*constrain)(void *context, const double *F, const double *b, double *x, double *y);
    // The equations at a state, valid until the next call.
    trStatus (*evaluate)(void *context, double t, const double *q, const double *v,
                         const trEquations **out);
    // TR_NO_CONVERGENCE, by name, if a body turns by so much in x that it is no longer unique.
    trStatus (*check_turns)(void *context, double t, const double *x);
    void (*move)(void *context, const double *q0, const double *x, double *q);  // q = q0 (+) x
    void (*compose)(void *context, const double *dq, double *x);  // x with q0 (+) x (+) dq
    void (*rate)(void *context, const double *q, const double *v, double *q_dot);
    // v of the nearest possible rates of q.
    void (*pull)(void *context, const double *q, const double *q_dot, double *v);
    // x' at q0 (+) x: T^-1 v.
    void (*x_rate)(void *context, const double *x, const double *v, double *x_dot);
    // The size of errors dx (nv, in directions of v), dv (nv), dz (nz) and of the work of the step
    // from s to next: at most 1 if the tolerances are met. NULL: zero.
    double (*norm)(void *context, const trDaeState *s, const trDaeState *next, const double *dx,
                   const double *dv, const double *dz, double dwork);
    // For libraries with a norm of their own: weights of errors of q, v, z and W at s (nq + nv +
    // nz + 1). Where the sum of all squares of weighted errors is at most 1, so is `norm`.
    void (*weigh)(void *context, const trDaeState *s, double *weight);
} trDae;

// Copies a state, but for its time.
static inline void tr_dae_copy(const trDae *dae, const trDaeState *from, trDaeState *to) {
    memcpy(to->q, from->q, (size_t)dae->nq * sizeof *to->q);
    memcpy(to->v, from->v, (size_t)dae->nv * sizeof *to->v);
    memcpy(to->a, from->a, (size_t)dae->nv * sizeof *to->a);
    memcpy(to->lambda, from->lambda, (size_t)dae->m * sizeof *to->lambda);
    memcpy(to->z, from->z, (size_t)dae->nz * sizeof *to->z);
    to->work = from->work;
}

// Numbers of `motions` directions of v (nv each), then of `rows` times all rows (m each), turned
// back to where the mechanism was when the parts of a matrix were made; and forth again.
void tr_dae_turn_back(const trDae *dae, const trSwing *swing, int motions, int rows, double *y);
void tr_dae_turn_forth(const trDae *dae, const trSwing *swing, int motions, int rows, double *y);

// What a method on the second face does.
typedef struct trImplicitKind {
    bool        needs_tangent;  // dae->tangent and linearize
    bool        needs_rates;    // TR_PART_N of rows of positions
    const char *adaptive_form;  // errors are controlled in this form alone; NULL: in all
    const char *rates_form;     // or this form alone needs them; NULL: none does
    // Its accelerations and multipliers are results; else they are evaluated at accepted states,
    // which are put on the constraints first.
    bool own_reactions;
    bool integrates_work;      // sets `work`; else W is integrated by the trapezoidal rule
    bool own_step;             // chooses its steps, and repeats those that fail, by itself
    bool outside;              // its history is not in the arena: see trOwnerKind
    const char *const *forms;  // that it knows, the default first, then NULL; or NULL
    // In words, what must be known about results with these settings; NULL: nothing. Or NULL.
    const char *(*warn)(const trIntegratorSettings *settings);
    trStatus (*plan)(trArena *arena, const trDae *dae, const trEquations *e,
                     const trIntegratorSettings *settings, void **work);
    // History starts anew at s. NULL: there is none.
    trStatus (*begin)(void *work, const trDae *dae, const trDaeState *s);
    // One attempt from s to t + h, which `next` receives; `next` has memory of its own. A kind that
    // owns its step takes one of its own, at most h, and says which. `error` is at most 1 if the
    // tolerances are met, always 0 for fixed steps.
    trStatus (*attempt)(void *work, const trDae *dae, double *h, const trDaeState *s,
                        trDaeState *next, double *error);
    void (*accept)(void *work);  // the last attempt becomes the present; or NULL
    // The state at t + theta h inside the last attempt, which went from s to next: q, v, z and
    // work, and a and lambda if they are its own. NULL: a cubic through both ends.
    trStatus (*interpolate)(void *work, const trDae *dae, double h, double theta,
                            const trDaeState *s, const trDaeState *next, trDaeState *out);
} trImplicitKind;

// A method on the first face that chooses its steps, and repeats those that fail, by itself, as
// libraries do. It has a history of its own, which projections of the sim do not change but through
// ode->project.
typedef struct trOwnerKind {
    bool needs_tangent;   // ode->prepare and solve
    bool projects_steps;  // calls ode->project on its own states; else the sim projects copies
    // Its history is in memory of a library, which cannot be saved. What it is started with is
    // kept (keep.h), and with that it is started again.
    bool outside;
    trStatus (*plan)(trArena *arena, const trOde *ode, const trIntegratorSettings *settings,
                     void **work);
    trStatus (*restart)(void *work, const trOde *ode, double t, const double *x);  // no history
    // One step from t, of at most h, to x_new; h receives what it was.
    trStatus (*step)(void *work, const trOde *ode, double t, double *h, double *x_new);
    trStatus (*interpolate)(void *work, double t, double *x);  // inside the last step
} trOwnerKind;

struct trIntegratorKind {
    const char    *name;
    const char    *summary;
    const char    *source;
    unsigned       traits;
    int            order;             // of accuracy; measured by the tests
    int            error_order;       // the error estimate behaves as h^error_order; 0: fixed step
    bool           keeps_given_step;  // where the user gives a step it is fixed all the same
    int            dense_order;       // of the interpolation error between steps: h^dense_order
    int            evaluations;       // of rhs in one step, without dense output
    double         hold;              // the step stays unless it may grow by more than this factor
    size_t         size;              // of its options
    const trField *fields;            // of them; NULL: it has none but `form`
    void (*count)(const void *work, trIntegratorCounts *counts);  // or NULL
    const trImplicitKind *implicit;  // a method on the second face; the rest is then NULL
    const trOwnerKind    *owner;     // a method that owns its step; likewise
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
    // A stage of the last attempt that belongs to its end, and the slope there (nx each). NULL:
    // there is none.
    void (*last_stage)(const void *work, const double **x, const double **slope);
    double stable;  // largest h |lambda| on the negative axis, a little less
};

// Whether it controls errors, where the user gives this step; 0: none [s].
static inline bool tr_integrator_adapts(const trIntegratorKind *kind, double step) {
    return kind->error_order > 0 && !(kind->keeps_given_step && step > 0.0);
}

// Whether its history is in memory of a library, which cannot be saved.
static inline bool tr_integrator_is_outside(const trIntegratorKind *kind) {
    return kind->owner != NULL ? kind->owner->outside
                               : kind->implicit != NULL && kind->implicit->outside;
}

TR_REGISTRY(integrator, trIntegratorKind);
// Whether it is one of SUNDIALS, and that was not found when this was built.
bool tr_integrator_is_absent(const char *name);

// sqrt(mean((w_i e_i / (atol + rtol max(|x_i|, |x_new_i|)))^2)) over the components of a group; of
// all groups the largest.
double tr_error_norm(const trOde *ode, const double *e, const double *x, const double *x_new,
                     const trTolerance *tolerance);

// A group of `count` components, of which the first `split` follow one another; so do the others.
typedef struct trErrorGroup {
    int count, split, first[2];
} trErrorGroup;

// Its k-th component.
static inline int tr_error_component(const trErrorGroup *group, int k) {
    return k < group->split ? group->first[0] + k : group->first[1] + k - group->split;
}

int          tr_error_groups(const trOde *ode);
trErrorGroup tr_error_group(const trOde *ode, int g);

#endif
