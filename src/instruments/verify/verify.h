// SPDX-License-Identifier: MIT
// A verification: the system rebuilt from the model text of a result file, one row of it at a time.
//
// Every comparison is a *deviation* beside what is *allowed*. For an equation that is a sum of
// terms,
//
//     allowed = tolerance * (sum |terms| + share * largest) + TR_VERIFY_ROUNDING * change
//
// The tolerance is 1e-9, or 100 times the error that a formulation states for its multipliers where
// that is more. Rounding in the run and here leaves about 1e-14 of the terms; the rest is a reserve
// for badly conditioned poses. A number that is altered by a millionth is still a thousand times
// above the tolerance. `largest` is the largest sum of terms in the row: the equations of a system
// are solved together, so that 1e-3 of it counts as a term of each. `change` is what the equation
// would change by if each number of the state changed by all of itself, extrapolated from a small
// step: 1e-13 of it is what rounding of the stored numbers makes of stiff forces and of terms that
// cancel.

#ifndef TR_VERIFY_VERIFY_H
#define TR_VERIFY_VERIFY_H

#include "base/arena.h"
#include "base/vec3.h"
#include "la/rrqr.h"
#include "trammel/eval.h"
#include "trammel/result.h"
#include "trammel/verify.h"

#define TR_VERIFY_TOLERANCE 1e-9
#define TR_VERIFY_ROUNDING 1e-13
#define TR_VERIFY_STEP 1e-7    // the small step, relative: differences are right to about 1e-7
#define TR_VERIFY_ENTRIES 1e6  // of matrices in full, at most
#define TR_VERIFY_KEPT 1000    // findings
#define TR_VERIFY_NOTES 8

// `name` and the rest make "body 'rod': force along x".
typedef struct trDeviation {
    double      off, allowed;
    const char *unit;
    const char *role, *name, *detail;
} trDeviation;

// Where columns stand.
typedef struct trLayout {
    int  per_body, per_load;  // columns of a body, of a joint or force
    int  body, frame, joint, force, state, lambda, energy, violation;
    int  forces;      // that have columns
    int *number;      // forces: their numbers in the system
    int  quantities;  // length, angle and perhaps other
    int  columns;
} trLayout;

// What the run noted about itself.
typedef struct trNoted {
    double tolerance;   // of M a + A' lambda = Q + C and A a = b
    double share;       // of the largest sum of terms
    double reserve;     // factor on what is allowed between rows
    bool   feeds_back;  // A a = b does not hold to rounding: accelerations are not judged
    bool   fixed;       // a step was given: errors are not controlled
    double rtol, atol;
    double start, last, sample;  // [s]
    double rows;                 // NAN: not known
} trNoted;

// The center of mass and the principal axes of a body, in its frame.
typedef struct trCenter {
    trVec3 com;  // [m]
    trQuat principal;
} trCenter;

// The left sides of all equations at one state, with the a and lambda of the row.
typedef struct trResiduals {
    double *balance;       // nv: M a + A' lambda - Q - C
    double *position;      // m: phi
    double *velocity;      // m: A v - b1
    double *acceleration;  // m: A a - b
    double  potential;     // [J]
} trResiduals;

// A state between rows or at one.
typedef struct trMoment {
    double  t;              // [s]
    double *q, *v, *a, *z;  // nq, nv, nv, nz: of centers of mass
} trMoment;

typedef struct trTracks trTracks;  // between.c
typedef struct trAgain  trAgain;   // again.c

typedef struct trVerifier {
    trArena        *arena;
    trResult       *result;
    trModel        *model;
    trSystem       *system;  // bodies in coordinates "body", whatever the model says
    trVerification *out;
    trVerifyOptions options;
    trLayout        layout;
    trNoted         noted;
    int             dim, bodies;  // or coordinates
    int             nq, nv, nz, m;
    int             body_q, body_v;  // numbers of one body
    bool           *turns;           // nv: velocities that turn something
    const trCenter *center;          // bodies
    long            index;           // of the row
    const double   *row;             // columns
    trMoment        now, before;     // of this row and the last one
    double         *a_size;          // nv: the terms of a
    double          q_most, v_most;  // the largest position [m] and velocity of the row
    trEval         *eval, *beside;   // at the row, and a small step beside it
    double         *beside_q, *beside_v;
    bool            settled;      // C is known in this row
    double         *lambda;       // m: as stored, of joints as far as their loads tell
    double         *unit;         // m: memory
    double         *work;         // max(nv, m): memory
    trRrqr          load[7];      // of joints with so many rows
    double         *A, *M;        // m x nv, nv x nv row after row; NULL: too large
    trRrqr          rows;         // A, where m <= nv
    trResiduals     here, there;  // at `eval`, at `beside`
    double         *size;         // nv: sums of the terms of the balance
    double         *level_size;   // m: memory
    double          largest;      // of `size`
    double          power;        // W is its integral [W]
    trTracks       *tracks;
    trAgain        *again;
    long            unknown;                 // intervals between rows that could not be judged
    trVerifyFinding worst[TR_VERIFY_KINDS];  // of the present row
    double          ratio[TR_VERIFY_KINDS];  // its deviation / allowed; -1: nothing was compared
    double          most[TR_VERIFY_KINDS];   // of all rows
    double         *rank;                    // kept: ratios of findings
    bool            pole;                    // A may have one: the run failed in this row
    bool            quaternion;              // the model says "quaternion"
    double          violation[6];            // largest stored ones, of each column
} trVerifier;

// --- rebuild.c ---
trStatus tr_verify_rebuild(trVerifier *verifier, const char *path);
void     tr_verify_note(trVerifier *verifier, const char *text);

// --- findings.c ---
void tr_see(trVerifier *verifier, trVerifyKind kind, trDeviation deviation);
void tr_see_fault(trVerifier *verifier, trVerifyKind kind, const char *what);
// What was seen of a kind belongs to this row.
void     tr_seen_at(trVerifier *verifier, trVerifyKind kind, long row, double t);
trStatus tr_rank_findings(trVerifier *verifier);

// --- state.c ---
trStatus tr_state_plan(trVerifier *verifier);
trStatus tr_moment_plan(trVerifier *verifier, trMoment *moment);
void     tr_moment_copy(const trVerifier *verifier, const trMoment *from, trMoment *to);
// The state from the columns; false if a number is not finite.
bool tr_verify_state(trVerifier *verifier);
// Evaluates there, and beside it; multipliers of joints are found in between.
trStatus tr_verify_eval(trVerifier *verifier);
// Angles that count turns are followed from one row to the next.
void tr_follow_turns(const trVerifier *verifier, const trMoment *from, const trMoment *to,
                     trMoment *memory, trEval *eval);

// --- multipliers.c ---
trStatus tr_multipliers_plan(trVerifier *verifier);
// At `eval`; sees loads that no joint can transmit.
void tr_find_multipliers(trVerifier *verifier);

// --- equations.c ---
trStatus tr_equations_plan(trVerifier *verifier);
void     tr_verify_balance(trVerifier *verifier);
// Of all forces, drives among them: W is its integral [W].
double tr_verify_power(const trVerifier *verifier, const trEval *eval, const double *v,
                       const double *lambda);
void   tr_verify_levels(trVerifier *verifier);

// --- columns.c: those that follow from others ---
void tr_verify_columns(trVerifier *verifier);

// --- again.c: the equations of motion integrated from one row to the next, where rates at rows do
// not explain what happens between them ---
trStatus tr_again_plan(trVerifier *verifier);
// The integration may begin at this row next. `before`: the row before it, or NULL.
void tr_again_reach(trVerifier *verifier, const trMoment *before, const trMoment *from);
// The state at t and the work done until then. NULL: it was not found.
const trMoment *tr_again(trVerifier *verifier, const trMoment *from, double t, double *work);

// --- between.c ---
trStatus tr_between_plan(trVerifier *verifier);
void     tr_between_row(trVerifier *verifier, bool usable);
void     tr_between_end(trVerifier *verifier);

#endif
