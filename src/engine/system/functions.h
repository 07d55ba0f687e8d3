// SPDX-License-Identifier: MIT
// Forces computed by functions in C (trammel/control.h), on any number of bodies.

#ifndef TR_SYSTEM_FUNCTIONS_H
#define TR_SYSTEM_FUNCTIONS_H

#include "system/system.h"

// Memory of the largest force function, of `most` bodies.
typedef struct trFunctionWork {
    trBodyState *body, *moved;                   // most
    trLoad      *given, *plus, *minus, *change;  // most: at the origins of frames
    trLoad3     *load;                           // most: at centers of mass
    double      *K, *D;                          // (6 most)^2
} trFunctionWork;

// The load on each body at its center of mass, and what a function returned.
typedef struct trFunctionLoads {
    int      bodies;
    trLoad3 *load;       // bodies
    double   potential;  // [J]
    double   power;      // without potential [W]
    int      code;       // of the function
} trFunctionLoads;

trStatus tr_functions_plan(trArena *arena, const trSystem *system, trEval *eval);

// From the center of mass of a body, or ground, to the origin of its frame.
static inline trVec3 tr_function_arm(const trEval *e, int body, const trBodyState *b) {
    return tr_sub3((trVec3){b->x, b->y, b->z}, tr_eval_center(e, body));
}

// Of force i at the instant evaluated last; loads are valid until the next call.
trFunctionLoads tr_function_loads(const trEval *eval, int force);
// Q, potential and power gain what force i does. Notes in `eval` if the function fails.
void tr_function_add(const trSystem *system, int force, trEval *eval);
// The status of the function that failed at the instant evaluated last, by name.
trStatus tr_functions_check(double t, const trEval *eval);

// How the generalized loads of force i change: K = -dQ/dq and D = -dQ/dv, width x bodies square,
// row after row, for (v, W) as force kinds have them (functions_tangent.c).
void tr_function_tangent(const trEval *eval, int force, int width, double *K, double *D);
// The bodies of a force, of any kind.
int tr_force_bodies(const trForce *force, const int **body, int pair[2]);

#endif
