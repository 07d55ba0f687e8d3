// SPDX-License-Identifier: MIT
// A projection moves a state onto the constraints: positions by Newton's method, then velocities.
//
//     minimize |dq|_W  with  A dq = -phi(q),  repeated with A renewed until
//              |phi| <= 1e-12 (1 + max|q|), or 9e-13 as well, or until |phi| stops falling
//     minimize |dv|_W  with  A (v + dv) = b1
//
// Only holonomic rows take part in the first: what holds velocities alone does not hold positions.
// Both are solves of the formulation's equations with F = 0; W = M shares the factorization with
// the acceleration.

#ifndef TR_PROJECTION_PROJECTION_H
#define TR_PROJECTION_PROJECTION_H

#include "base/registry.h"
#include "formulation/formulation.h"
#include "formulation/row_exchange.h"

// Which of the steps with A step = right is taken: the smallest in a metric, or one that the kind
// picks itself.
typedef enum trWeight {
    TR_WEIGHT_MASS,
    TR_WEIGHT_IDENTITY,
    TR_WEIGHT_UNITS,  // one mass for each unit (unit_sizes.h)
    TR_WEIGHT_NONE,
} trWeight;

// Constrained states: equations at any state, and steps along velocities.
typedef struct trManifold {
    int   nq, nv;
    void *context;
    // The equations at a state; they stay valid until the next call.
    trStatus (*evaluate)(void *context, double t, const double *q, const double *v,
                         const trEquations **out);
    void (*retract)(void *context, const double *dv, double *q);  // q moves by dv
    double (*reach)(void *context, const double *dv);  // part of dv to take, at most 1; NULL: all
} trManifold;

typedef struct trHeld     trHeld;      // rows B with B step = 0 (held.h)
typedef struct trPickKind trPickKind;  // how they are chosen

typedef struct trProjectionKind {
    const char       *name;
    const char       *summary;
    const char       *source;
    unsigned          traits;
    trWeight          weight;
    const trPickKind *pick;             // TR_WEIGHT_NONE
    bool              velocities_only;  // positions stay as they are
    size_t            size;             // of its options
    const trField    *fields;           // of them; NULL: it has none
} trProjectionKind;

TR_REGISTRY(projection, trProjectionKind);

#define TR_MASS_PROJECTION "mass_orthogonal"  // that of assembly and of accepted states

// A projection made ready: its memory, and the kernel that solves for it.
typedef struct trProjector {
    const trProjectionKind *kind;
    trKernel               *kernel;     // the shared one or its own; NULL: it picks
    trKernel                own;        // W is not M, or nothing to share
    trHeld                 *held;       // of a kind that picks
    int                     rows;       // m
    double                 *zero;       // nv
    double                 *right;      // m
    double                 *step;       // nv
    double                 *lambda;     // m
    double                 *weight;     // nv: W that is not M
    double                 *row_scale;  // m: nominal row norms in this metric
    double                 *masked;  // values of A without nonholonomic rows; NULL: there are none
    int64_t                 iterations;  // of Newton's method so far
    double                  tolerance;   // of |phi|, relative to 1 + max|q|; 0: on to rounding
    bool                    closely;     // |phi| is to be below 1e-12 however large q is
} trProjector;

// `e` gives sizes and patterns. `shared` is the kernel of the accelerations: W = M uses it, so that
// one factorization at the projected state serves both; NULL plans a separate one, as all other W
// do. Kinds that pick look for theirs among `options` (may be NULL). The projector must not move
// afterwards.
trStatus tr_projector_plan(trArena *arena, const trProjectionKind *kind,
                           const trFormulationKind *formulation, trKernel *shared,
                           const trEquations *e, const trParam *options, trProjector *out);

// Positions, then velocities. `worst` (may be NULL) receives the row with the largest |phi| when
// the result is TR_NO_CONVERGENCE.
trStatus tr_project(trProjector *p, const trManifold *manifold, double t, double *q, double *v,
                    int *worst);
trStatus tr_project_position(trProjector *p, const trManifold *manifold, double t, double *q,
                             const double *v, int *worst);
trStatus tr_project_velocity(trProjector *p, const trManifold *manifold, double t, const double *q,
                             double *v);

// The row with the largest |phi|, or one where it is not a number; -1 without holonomic rows.
int tr_worst_row(const trEquations *e);
// |phi| of a row in units of positions.
double tr_row_violation(const trEquations *e, int row);

// The equations with W instead of M.
trEquations tr_projector_equations(const trProjector *p, const trEquations *e);

// For judging rows, not for projecting: W has one mass for each unit. On the list of projections it
// is not. A of `e` is to tell the arms of joints in some pose.
extern const trProjectionKind tr_projection_by_units;

// Factors `kernel` and judges the rank by it; in the metric of `by_units`, which does not depend on
// the masses of single bodies, where the kernel leaves rows unjudged.
trStatus tr_projector_judge(trProjector *by_units, trKernel *kernel, const trEquations *e,
                            trRowJudge *out);

// The rank of A judged in the projection's metric.
trStatus tr_projector_rank(trProjector *p, const trEquations *e, trRank *out);

// The state of `e` was accepted. Nominal row norms grow to what they were at the last
// factorization; with W = M they are those of the equations. Kinds that pick choose anew.
trStatus tr_projector_accept(trProjector *p, const trEquations *e);

#endif
