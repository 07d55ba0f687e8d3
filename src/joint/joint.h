// SPDX-License-Identifier: MIT
// What a joint is: up to three (planar) equations between two bodies. A joint knows the motion of
// its two bodies and nothing of indices or sparsity.
//
// Signs and levels, with v = (vx, vy, omega) of the center of mass of each body:
//
//     phi(q, t) = 0            position level, in m or rad (holonomic kinds only)
//     J1 v1 + J2 v2 = b1       velocity level, b1 = -phi_t
//     J1 a1 + J2 a2 = b        acceleration level

#ifndef TR_JOINT_JOINT_H
#define TR_JOINT_JOINT_H

#include "base/field.h"
#include "base/vec2.h"

#define TR_PLANAR_ROWS 3  // at most, of one planar joint

// One planar body at one instant. r and v belong to its center of mass.
typedef struct trMotion2 {
    trVec2 r;      // [m]
    double angle;  // [rad]
    double c, s;   // cosine and sine of the angle
    trVec2 v;      // [m/s]
    double omega;  // [rad/s]
} trMotion2;

// Where a body stands in the model when its joints and forces are prepared. For ground all zero.
typedef struct trPlace2 {
    trVec2 at;       // origin of the body frame [m]
    double angle;    // of the body frame [rad]
    trVec2 com;      // center of mass in body axes [m]
    double mass;     // [kg]
    double inertia;  // about the center of mass [kg m^2]
} trPlace2;

// What an evaluation writes. Blocks are row after row, three numbers each: (x, y, angle).
typedef struct trJointRows {
    double *J1, *J2;  // rows x 3
    double *phi;      // rows; left alone by nonholonomic kinds
    double *b1, *b;   // rows
} trJointRows;

enum {
    TR_NONHOLONOMIC = 1 << 0,  // constrains velocities only
    TR_RHEONOMIC = 1 << 1,     // depends on time: does work
};

typedef struct trJointKind {
    const char *name;
    const char *summary;
    int         dim;  // 2
    unsigned    traits;
    int         rows;
    const char *row_units[TR_PLANAR_ROWS];  // "m" or "rad"; of nonholonomic rows, that of psi * s
    size_t      size;                       // of the parameter struct
    const trField *fields;

    // Turns what the user wrote (points in the world at the start, or in body axes) into what eval
    // needs: points relative to centers of mass, in body axes. Checks what fields cannot.
    trStatus (*prepare)(void *params, const trPlace2 *place1, const trPlace2 *place2);
    void (*eval)(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                 trJointRows *out);
    const char *reaction_at;  // in words: "the pin"
    // The point, in the world, at which the reaction is given.
    trVec2 (*reaction_point)(const void *params, const trMotion2 *m1, const trMotion2 *m2);
} trJointKind;

// The registry, in the order of joints.def.
int                tr_joint_count(void);
const trJointKind *tr_joint_at(int index);
const trJointKind *tr_joint_find(const char *name, int dim);  // NULL if unknown

// --- helpers for kinds ---

// A point that may be given as `point` (world, at the start) or as `point1` and `point2` (in body
// axes, from each body frame's origin). Missing ones are NAN; with none given, the frame origin of
// body 2 is taken. On return p1, p2 are relative to the centers of mass, in body axes.
trStatus tr_place_point(trVec2 world, trVec2 *p1, trVec2 *p2, const trPlace2 *place1,
                        const trPlace2 *place2);
// A direction likewise: `axis` (world, at the start) or `axis1` (in axes of body 1); normalized.
// With neither given, x of body 1. A zero vector is refused by the name `what`.
trStatus tr_place_axis(trVec2 world, trVec2 *axis1, const trPlace2 *place1, const char *what);

// World position of a point given in body axes relative to the center of mass, and its arm R p.
static inline trVec2 tr_arm2(const trMotion2 *m, trVec2 p) {
    return tr_rotate2(m->c, m->s, p);
}

// Velocity of the point with arm `arm`.
static inline trVec2 tr_arm_velocity2(const trMotion2 *m, trVec2 arm) {
    return (trVec2){m->v.x - m->omega * arm.y, m->v.y + m->omega * arm.x};
}

#endif
