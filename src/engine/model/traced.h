// SPDX-License-Identifier: MIT
// What users record with functions of their own, all on one tape: constraints and forces of a
// model of bodies, or a whole system of equations in coordinates of their own choice,
//
//     M(q, t) a + A' lambda = Q(q, v, t, z) + C(q, v, t, lambda, z)
//     phi(q, t) = 0,    psi(q, v, t) = 0,    z' = g(q, v, t, z)
//
// In such a system every coordinate is a "body" of the model: it has a name, a place (one number)
// and a velocity, and that is all that the rest needs to know.

#ifndef TR_MODEL_TRACED_H
#define TR_MODEL_TRACED_H

#include "base/shared.h"
#include "model/model.h"
#include "tape/tape.h"

// Inputs of the tape. Of a planar body q = (x, y, angle), v = q'; of a spatial one q = (r, unit
// quaternion of the principal axes), v = (r', W) with W in principal axes; all of its center of
// mass.
typedef enum trInput {
    TR_INPUT_Q,
    TR_INPUT_V,
    TR_INPUT_Z,
    TR_INPUT_LAMBDA,   // of recorded rows, in their order
    TR_INPUT_A,        // accelerations, in tangents alone
    TR_INPUT_VIRTUAL,  // directions to derive in; no result depends on them
    TR_INPUT_U,        // inputs of the model
    TR_INPUTS,
} trInput;

static inline int tr_input_number(trInput kind, int i) {
    return 1 + TR_INPUTS * i + (int)kind;
}

// The other way round; the number of time, 0, is of no kind.
static inline trInput tr_input_kind(int number) {
    return number == 0 ? TR_INPUTS : (trInput)((number - 1) % TR_INPUTS);
}

static inline int tr_input_index(int number) {
    return (number - 1) / TR_INPUTS;
}

// A constraint: rows phi = 0, or psi = 0 if it is nonholonomic.
typedef struct trTracedRows {
    const char *name;
    const char *origin;
    const char *unit;  // of phi; of psi times a second
    bool        nonholonomic;
    int         rows;
    const int  *node;   // rows
    int         first;  // row among all recorded ones
} trTracedRows;

// Loads on two bodies at their centers of mass in world axes, and the potential they have, as
// nodes. The parameter struct of a trForce.
typedef struct trTracedForce {
    int number;         // among all recorded ones
    int load[2][6];     // on body 1 and 2: force [N], moment [N m]; without body 1: -1
    int potential;      // [J], or -1
    int explicit_rate;  // d(potential)/dt at rest [W], or -1
} trTracedForce;

// Functions that a system of the user's own has once, besides its mass.
typedef enum trGeneralPart { TR_OF_FORCE, TR_OF_NONIDEAL, TR_OF_ENERGY, TR_PARTS } trGeneralPart;

typedef struct trModelState {
    const char *name;
    const char *origin;  // where it was described, or NULL
    double      start;
} trModelState;

// A system of the user's own. Nodes; what was not given is NULL, or -1.
typedef struct trGeneral {
    const char  **unit;         // n: of coordinates
    const int    *mass;         // n x n
    const char   *mass_origin;  // where it was described
    const int    *force;        // n
    const int    *nonideal;     // n
    int           states, state_room;
    trModelState *state;       // states
    int          *state_rate;  // states
    int           energy;
    const char   *origin[TR_PARTS];  // "file:line" of each function, or NULL
} trGeneral;

typedef struct trTraced {
    trTape       *tape;
    int           groups, group_room, rows;
    trTracedRows *group;  // groups
    int           forces;
    trGeneral    *general;  // NULL: the model has bodies
} trTraced;

// The kind of recorded forces.
extern const trForceKind tr_traced_force TR_SHARED;

// What is recorded so far, with an empty tape the first time.
trStatus tr_model_traced(trModel *model, trTraced **out) TR_SHARED;

// A model without bodies: n coordinates with unique names; units may be NULL.
trStatus tr_general_create(const char *name, int n, const char *const *names,
                           const char *const *units, trModel **out) TR_SHARED;
trStatus tr_general_check(const trModel *model);  // is it complete?
trStatus tr_general_add_state(trModel *model, const char *name, double start, int rate) TR_SHARED;

// Names, unit, nonholonomic, rows and nodes are read; all is copied.
trStatus tr_model_add_rows(trModel *model, const trTracedRows *rows) TR_SHARED;
trStatus tr_model_add_traced_force(trModel *model, const char *name, int body1, int body2,
                                   const trTracedForce *force) TR_SHARED;

// --- bodies on the tape (traced_body.c) ---

// Motion of a body's frame as nodes. In the plane z of vectors is the constant 0.
typedef struct trTracedBody {
    int center[3];  // center of mass [m]
    int r[3];       // origin of the frame [m]
    int v[3];       // its velocity [m/s]
    int R[3][3];    // from the frame to the world, R[row][column]
    int quaternion[4];
    int omega[3];  // in world axes [rad/s]
    int angle;     // of a planar body, else -1 [rad]
} trTracedBody;

void tr_trace_body(const trModel *model, trTape *tape, int body, trTracedBody *out) TR_SHARED;

// The rate of each of the coordinates of a body, as nodes: of q inputs, where the velocities are
// inputs of the kind given. Returns how many there are.
int tr_trace_rates(const trModel *model, trTape *tape, int body, trInput velocity, int *rate);

// Vectors of nodes.
void tr_trace_cross(trTape *tape, const int *a, const int *b, int *out) TR_SHARED;
int  tr_trace_dot(trTape *tape, int count, const int *a, const int *b);
void tr_trace_add(trTape *tape, const int *a, const int *b, int *out) TR_SHARED;
void tr_trace_sub(trTape *tape, const int *a, const int *b, int *out);
void tr_trace_rotate(trTape *tape, int R[3][3], const int *a, int *out) TR_SHARED;

// A load on a body, force and moment in world axes, as it acts on its velocities; their number.
int tr_trace_generalized(const trModel *model, trTape *tape, int body, const int *load, int *out);

// Loads of a force at the frame origin of body 2 and a moment, in world axes, and the opposite on
// body 1 at the same point; or those of a potential.
void     tr_trace_load(const trModel *model, trTape *tape, int body1, int body2, const int *force,
                       const int *moment, trTracedForce *out) TR_SHARED;
trStatus tr_trace_potential(const trModel *model, trTape *tape, int body1, int body2, int potential,
                            trTracedForce *out) TR_SHARED;

#endif
