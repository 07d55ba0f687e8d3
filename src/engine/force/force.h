// SPDX-License-Identifier: MIT
// What a force is: loads on two bodies, its potential energy and the power of what has none.

#ifndef TR_FORCE_FORCE_H
#define TR_FORCE_FORCE_H

#include "base/registry.h"
#include "base/shared.h"
#include "joint/joint.h"

// Force and moment at the center of mass of a body, in world axes.
typedef struct trLoad2 {
    double fx, fy;  // [N]
    double moment;  // [N m]
} trLoad2;

// The same in space.
typedef struct trLoad3 {
    trVec3 force;   // [N]
    trVec3 moment;  // [N m]
} trLoad3;

// A force along the line from end 1 to end 2 that does not vanish with the line: it has no
// direction where the ends meet.
typedef struct trEnds {
    trVec3 d, d_dot;  // from end 1 to end 2 [m], [m/s]
    double length;    // with which their distance is compared [m]; 0: no such force
} trEnds;

typedef struct trForceOut {
    trLoad2       on1, on2;   // planar kinds
    trLoad3       at1, at2;   // spatial kinds
    double        potential;  // V with (loads from V) = -grad V [J]
    double        power;      // of the part that has no potential [W]
    const double *near;       // turns of the kind: at the last accepted state [rad]
    double       *turn;       // and at this one [rad]
    const char   *undefined;  // why there is no force in this pose; NULL: there is one
    trEnds        ends;
} trForceOut;

// What implicit methods need besides: how the generalized loads Q (moments of spatial bodies in
// body axes) change. Both are n x n, row after row, body 1 then body 2, n = 6 in the plane, 12 in
// space.
typedef struct trForceTangent {
    double       *K;     // gains -dQ/dq, rotations as in trJointKind
    double       *D;     // gains -dQ/dv
    const double *near;  // turns of the kind, as in trForceOut [rad]
} trForceTangent;

enum {
    TR_ONE_BODY = 1 << 0,      // acts on body 2 alone; body 1 is ground
    TR_CONSERVATIVE = 1 << 1,  // has a potential and nothing else
    // A force F on body 2 that never changes and has no moment: V = -F.r. Systems evaluate it once
    // and ask for no tangent.
    TR_CONSTANT = 1 << 2,
    TR_REPEATS = 1 << 3,  // counted angles repeat after one turn, not after two
};

typedef struct trForceKind {
    const char    *name;
    const char    *summary;
    const char    *example;  // parameters as a model file writes them, for family tests
    int            dim;      // 2 or 3
    unsigned       traits;
    size_t         size;
    const trField *fields;
    int            turns;  // angles that count turns, at most TR_JOINT_TURNS

    // --- planar kinds ---

    trStatus (*prepare)(void *params, const trPlace2 *place1, const trPlace2 *place2,
                        trArena *arena);
    void (*eval)(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                 trForceOut *out);  // out is zeroed
    void (*tangent)(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                    trForceTangent *out);

    // --- spatial kinds ---

    trStatus (*prepare3)(void *params, const trPlace3 *place1, const trPlace3 *place2,
                         trArena *arena);
    void (*eval3)(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                  trForceOut *out);  // loads and powers are zeroed
    void (*tangent3)(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                     trForceTangent *out);
} trForceKind;

TR_REGISTRY_BY_DIM(force, trForceKind);

#endif
