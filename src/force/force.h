// SPDX-License-Identifier: MIT
// What a force is: loads on two bodies, its potential energy and the power of what has none.

#ifndef TR_FORCE_FORCE_H
#define TR_FORCE_FORCE_H

#include "joint/joint.h"

// Force and moment at the center of mass of a body, in world axes.
typedef struct trLoad2 {
    double fx, fy;  // [N]
    double moment;  // [N m]
} trLoad2;

typedef struct trForceOut {
    trLoad2 on1, on2;
    double  potential;  // V with (loads from V) = -grad V [J]
    double  power;      // of the part that has no potential [W]
} trForceOut;

enum {
    TR_ONE_BODY = 1 << 0,      // acts on body 2 alone; body 1 is ground
    TR_CONSERVATIVE = 1 << 1,  // has a potential and nothing else
    // A force F on body 2 that never changes and has no moment: V = -F.r. Systems evaluate it once.
    TR_CONSTANT = 1 << 2,
};

typedef struct trForceKind {
    const char    *name;
    const char    *summary;
    int            dim;  // 2
    unsigned       traits;
    size_t         size;
    const trField *fields;

    trStatus (*prepare)(void *params, const trPlace2 *place1, const trPlace2 *place2,
                        trArena *arena);
    void (*eval)(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                 trForceOut *out);  // out is zeroed
} trForceKind;

int                tr_force_count(void);
const trForceKind *tr_force_at(int index);
const trForceKind *tr_force_find(const char *name, int dim);

#endif
