// SPDX-License-Identifier: MIT
// Branches at a pose where A loses rank (docs/theory/branches.md). In three steps:
//
//     pose     bases N of null(A) and L of null(A'); velocities N u of motions satisfy
//                  l_j' b(N u) = u' H_j u = 0          for every column l_j of L
//     cone     all u with that, as a union of linear subspaces
//     walk     a small distance along each: which of them are motions
//
// Time is one more coordinate where rows depend on it: velocities w = (v, tau), A v - b1 tau = 0.

#ifndef TR_BRANCHES_BRANCHES_H
#define TR_BRANCHES_BRANCHES_H

#include "base/arena.h"
#include "base/status.h"
#include "la/rrqr.h"
#include "trammel/branches.h"
#include "trammel/eval.h"

// --- forms u' H u = 0 (cone.c, newton.c) ---

typedef struct trForms {
    int           k, d;  // unknowns; forms
    const double *H;     // d matrices k x k, symmetric
    double        zero;  // what is not more than this is nothing
} trForms;

typedef struct trSubspace {
    int     dim;
    double *U;  // k x dim, orthonormal
} trSubspace;

typedef struct trCone {
    int        count;
    trSubspace at[TR_BRANCHES_MAX];
    bool       more;    // some were left out
    bool       curved;  // some solutions are in no linear subspace of solutions
} trCone;

// All solutions, as linear subspaces of which none is part of another.
trStatus tr_cone_find(trArena *arena, const trForms *forms, trCone *out);

// Solutions that Newton's method finds from many starts, of forms that cannot be split. Each is
// handed to `found` with the subspace of solutions around it.
typedef trStatus (*trConeFound)(void *context, int dim, const double *U);
trStatus tr_cone_newton(trArena *arena, const trForms *forms, trConeFound found, void *context,
                        bool *curved);

// --- the pose (pose.c) ---

typedef struct trFork {
    const trSystem *system;
    double          t;            // of the pose [s]
    const double   *q;            // nq: of the pose
    double          tolerance;    // of ranks, relative to nominal rows
    int             dim, bodies;  // of the system; coordinates count as bodies
    int             nq, nv, m;
    int             n;       // nv, or nv + 1 with time
    double          size;    // so many m count as 1 rad
    double         *weight;  // n: `size` for lengths, else 1
    trEval         *eval;
    trRrqr          qr;              // of the rows: n x m
    double         *rows;            // n x m: (A, -b1)', each column divided by its nominal norm
    double         *scale;           // m: nominal norms
    double         *spare;           // 2 n m
    double         *right;           // m
    double         *step;            // n
    double         *b0, *b, *minus;  // m: b at rest, at v, at -v
    double         *zero, *v;        // nv
    int             rank;
    int             k, d;
    double         *N;  // n x k
    double         *L;  // m x d, of the rows divided by their norms
} trFork;

// Evaluates the pose and finds its rank and bases.
trStatus tr_fork_find(trArena *arena, const trSystem *system, double t, const double *q,
                      double tolerance, trFork *out);
trStatus tr_fork_forms(trArena *arena, trFork *pose, trForms *out);
// The rows at (t, q) into `rows` and `qr`, factored with this tolerance.
trStatus tr_fork_factor(trFork *pose, double t, const double *q, double tolerance);
// The smallest dv with A dv = -off (m) in the rows that were kept, A' P = Q R, into `step`:
// dv = Q R^-T P' (-off).
void tr_fork_correct(trFork *pose, const double *off);
// From the units of `rows` to those of velocities, w (n).
void tr_fork_weigh(const trFork *pose, double *w);
// The largest part of w (n): of rotations, and of the rest in units of `size`.
double tr_fork_measure(const trFork *pose, const double *w);

// --- the walk (walk.c) ---

typedef struct trWalk {
    double *q;      // nq: where it ends
    double  t;      // [s]
    int     rank;   // there
    double  off;    // secant against tangent, relative
    double *loose;  // n: memory
} trWalk;

void tr_walk_plan(trArena *arena, const trFork *pose, trWalk *out);
// From the pose by `distance` along w (n, measure 1) and onto the rows. TR_NO_CONVERGENCE where
// there is no motion nearby.
trStatus tr_walk(trFork *pose, const double *w, double distance, trWalk *out);
// Is the subspace of velocities T (n x dim, measure 1 each) that of a motion? The rank beside the
// pose, or -1: it is none.
trStatus tr_walk_judge(trFork *pose, trWalk *walk, int dim, const double *T, int *rank);

// --- the start (start.c) ---

// TR_E_MODEL where forces at (t, q, v) act on what joints of the branch do not hold; the pose's
// evaluation is left there.
trStatus tr_branch_refuse_loads(const trFork *pose, const trBranch *branch, int number, double t,
                                const double *q, const double *v);

// --- words (words.c) ---

// "crank +1.00 rad, coupler y +1.00 m" of a velocity v (nv) in the pose.
const char *tr_velocity_words(trArena *arena, const trFork *pose, const double *v);
// The first number of those words, 0 if nothing moves.
double tr_velocity_first(const trFork *pose, const double *v);
// The largest rate of a body or, where none turns, the largest speed of a frame or coordinate.
double tr_velocity_largest(const trFork *pose, const double *v);

#endif
