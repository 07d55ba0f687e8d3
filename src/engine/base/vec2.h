// SPDX-License-Identifier: MIT
// Vectors of the plane.

#ifndef TR_BASE_VEC2_H
#define TR_BASE_VEC2_H

typedef struct trVec2 {
    double x, y;
} trVec2;

static inline trVec2 tr_add2(trVec2 a, trVec2 b) {
    return (trVec2){a.x + b.x, a.y + b.y};
}

static inline trVec2 tr_sub2(trVec2 a, trVec2 b) {
    return (trVec2){a.x - b.x, a.y - b.y};
}

static inline trVec2 tr_scale2(double k, trVec2 a) {
    return (trVec2){k * a.x, k * a.y};
}

static inline double tr_dot2(trVec2 a, trVec2 b) {
    return a.x * b.x + a.y * b.y;
}

// The out-of-plane component of a x b.
static inline double tr_cross2(trVec2 a, trVec2 b) {
    return a.x * b.y - a.y * b.x;
}

// a turned by +90 degrees: z x a.
static inline trVec2 tr_perp2(trVec2 a) {
    return (trVec2){-a.y, a.x};
}

// R a for the rotation with cosine c and sine s.
static inline trVec2 tr_rotate2(double c, double s, trVec2 a) {
    return (trVec2){c * a.x - s * a.y, s * a.x + c * a.y};
}

// R' a, from world axes into turned ones.
static inline trVec2 tr_unrotate2(double c, double s, trVec2 a) {
    return (trVec2){c * a.x + s * a.y, -s * a.x + c * a.y};
}

#endif
