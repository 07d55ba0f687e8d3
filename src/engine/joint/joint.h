// SPDX-License-Identifier: MIT
// What a joint is: up to six equations between bodies (three in the plane), two of them in most
// kinds. A joint knows the motion of its bodies and nothing of indices or sparsity.
//
// Signs and levels, with v of the center of mass of each body, in the plane v = (vx, vy, omega), in
// space v = (vx, vy, vz, W1, W2, W3) with the angular velocity W in principal axes of the body:
//
//     phi(q, t) = 0            position level, in m or rad (holonomic rows only)
//     J1 v1 + J2 v2 + ... = b1       velocity level, b1 = -phi_t
//     J1 a1 + J2 a2 + ... = b        acceleration level
//
// A *joint variable* says how body 2 stands against body 1 along what a joint leaves free, drives
// or holds: the angle of a hinge, the length of a rod. It depends on positions alone and is given
// as the row that would hold it,
//
//     phi = value      J1 v1 + J2 v2 = rate      J1 a1 + J2 a2 - b = rate of the rate      b1 = 0
//
// A joint is planar or spatial. Functions and types of spatial ones end in 3.

#ifndef TR_JOINT_JOINT_H
#define TR_JOINT_JOINT_H

#include <stdbool.h>

#include "base/field.h"
#include "base/registry.h"
#include "base/vec2.h"
#include "base/vec3.h"

#define TR_PLANAR_ROWS 3      // at most, of one planar joint
#define TR_JOINT_ROWS 6       // of any joint
#define TR_JOINT_TURNS 3      // counted angles, of any joint or force
#define TR_JOINT_BODIES 4     // of any joint
#define TR_JOINT_VARIABLES 3  // of any joint

// One planar body at one instant. r and v belong to its center of mass.
typedef struct trMotion2 {
    trVec2 r;      // [m]
    double angle;  // [rad]
    double c, s;   // cosine and sine of the angle
    trVec2 v;      // [m/s]
    double omega;  // [rad/s]
} trMotion2;

// One spatial body at one instant. r and v belong to its center of mass. Body axes are the
// principal axes of inertia, whatever the body frame that the user sees.
typedef struct trMotion3 {
    trVec3 r;  // [m]
    trQuat u;  // from body axes to the world, a unit quaternion
    trMat3 R;  // the same as a matrix
    trVec3 v;  // [m/s]
    trVec3 w;  // angular velocity, in world axes [rad/s]
} trMotion3;

// Where a body stands in the model when its joints and forces are prepared. For ground all zero.
typedef struct trPlace2 {
    trVec2 at;       // origin of the body frame [m]
    double angle;    // of the body frame [rad]
    trVec2 com;      // center of mass in body axes [m]
    double mass;     // [kg]
    double inertia;  // about the center of mass [kg m^2]
} trPlace2;

// The same in space. For ground at, com and inertia are zero, the quaternions are {1, 0, 0, 0}.
typedef struct trPlace3 {
    trVec3 at;           // origin of the body frame [m]
    trQuat orientation;  // from the body frame to the world
    trVec3 com;          // center of mass, from the origin, in the body frame [m]
    trQuat principal;    // from principal axes to the body frame
    double mass;         // [kg]
    trVec3 inertia;      // about the center of mass, in principal axes [kg m^2]
} trPlace3;

// What an evaluation writes. Blocks are row after row, w = 3 or 6 numbers each.
typedef struct trJointRows {
    double  t;                   // the instant, given [s]
    double *J[TR_JOINT_BODIES];  // of each body, rows x w
    double *phi;                 // rows; left alone in nonholonomic rows
    double *b1, *b;              // rows
    // Angles that count turns: `near` holds them at the last accepted state, `turn` receives them
    // at this one.
    const double *near;  // turns of the kind [rad]
    double       *turn;  // turns of the kind [rad]
} trJointRows;

enum {
    TR_RHEONOMIC = 1 << 0,  // depends on time: does work
    TR_GEARED = 1 << 1,     // one row on three bodies: the loads on two of them are not opposite
};

typedef struct trVariableKind {
    const char *name;    // "angle"
    const char *unit;    // "m" or "rad"
    double      period;  // after which an angle repeats; 0: never [rad]
    bool        held;    // by the joint, with row 0
} trVariableKind;

typedef struct trJointKind {
    const char    *name;
    const char    *summary;
    const char    *example;  // parameters as a model file writes them, for family tests
    int            dim;      // 2 or 3
    unsigned       traits;
    int            rows;
    int            nonholonomic;              // the last so many rows constrain velocities only
    int            turns;                     // angles that count turns, at most TR_JOINT_TURNS
    const char    *row_units[TR_JOINT_ROWS];  // "m" or "rad"; of nonholonomic rows, that of psi * s
    trVariableKind variable[TR_JOINT_VARIABLES];  // those with a name
    size_t         size;                          // of the parameter struct
    const trField *fields;
    const char    *reaction_at;     // in words: "the pin"
    size_t         reaction_point;  // where `params` have that point of body 2, from its center of
                                    // mass; 0: it is the center of mass

    // --- planar kinds; `place` and `m` are those of the joint's bodies, in their order ---

    // Turns what the user wrote (points in the world at the start, or in body axes) into what eval
    // needs: points relative to centers of mass, in body axes. Checks what fields cannot.
    trStatus (*prepare)(void *params, const trPlace2 *place);
    void (*eval)(const void *params, const trMotion2 *const *m, trJointRows *out);
    // For implicit methods: K (3 n x 3 n for n bodies, row after row) gains d(J' lambda) / dq. Only
    // for kinds whose J does not depend on time.
    void (*tangent)(const void *params, const trMotion2 *const *m, const double *lambda, double *K);
    // Kinds with nonholonomic rows: N (nonholonomic x 3 n) receives d(J v - b1) / dq of those rows.
    void (*rate_tangent)(const void *params, const trMotion2 *const *m, double *N);
    // Row 0 of `out` becomes that of variable k.
    void (*vary)(const void *params, const trMotion2 *const *m, int k, trJointRows *out);

    // --- spatial kinds: the same with 6 numbers for a body ---

    trStatus (*prepare3)(void *params, const trPlace3 *place);
    void (*eval3)(const void *params, const trMotion3 *const *m, trJointRows *out);
    trVec3 (*contact3)(const void             *params,
                       const trMotion3 *const *m);  // reaction_point, if it moves
    // Rotations move q by u exp(dtheta), with dtheta in body axes.
    void (*tangent3)(const void *params, const trMotion3 *const *m, const double *lambda,
                     double *K);
    void (*rate_tangent3)(const void *params, const trMotion3 *const *m, double *N);
    void (*vary3)(const void *params, const trMotion3 *const *m, int k, trJointRows *out);
} trJointKind;

// The point, in the world, at which the reaction is given.
trVec2 tr_joint_reaction_point(const trJointKind *kind, const void *params,
                               const trMotion2 *const *m);
trVec3 tr_joint_reaction_point3(const trJointKind *kind, const void *params,
                                const trMotion3 *const *m);

int tr_joint_variables(const trJointKind *kind);  // how many it has

// Bodies of a kind: two, and those that fields of the type "body" name, in their order.
int tr_joint_bodies(const trJointKind *kind);

// The registry, in the order of joints.def.
TR_REGISTRY_BY_DIM(joint, trJointKind);

// --- helpers for kinds ---

// Fields world1, world2, point1 and point2 of a kind between two ends (tr_place_ends); `axes` is
// "axes" or "frame".
#define TR_FIELDS_OF_ENDS(type, vec, axes)                                       \
    TR_FIELD(type, world1, vec, 0, NAN, "m",                                     \
             "end on body 1, in the world at the start, instead of point1"),     \
        TR_FIELD(type, world2, vec, 0, NAN, "m",                                 \
                 "end on body 2, in the world at the start, instead of point2"), \
        TR_FIELD(type, point1, vec, 0, NAN, "m",                                 \
                 "end on body 1, in its " axes "; default: its frame origin"),   \
        TR_FIELD(type, point2, vec, 0, NAN, "m",                                 \
                 "end on body 2, in its " axes "; default: its frame origin")

// Fields point, point1 and point2 of a kind with one point (tr_place_point); `what` says what is
// there, `axes` is "axes" or "the frame".
#define TR_FIELDS_OF_POINT(type, vec, what, axes)                                             \
    TR_FIELD(type, point, vec, 0, NAN, "m",                                                   \
             what ", in the world at the start; no point given: the frame origin of body 2"), \
        TR_FIELD(type, point1, vec, 0, NAN, "m",                                              \
                 what " in " axes " of body 1; default: where point2 is at the start"),       \
        TR_FIELD(type, point2, vec, 0, NAN, "m",                                              \
                 what " in " axes " of body 2; default: where point1 is at the start")

// A point that may be given as `point` (world, at the start) or as `point1` and `point2` (in body
// axes, from each body frame's origin). Missing ones are NAN; with none given, the frame origin of
// body 2 is taken. On return p1, p2 are relative to the centers of mass, in body axes.
trStatus tr_place_point(trVec2 world, trVec2 *p1, trVec2 *p2, const trPlace2 *place1,
                        const trPlace2 *place2);
// A direction likewise: `axis` (world, at the start) or `axis1` (in axes of body 1); normalized.
// With neither given, x of body 1. A zero vector is refused by the name `what`.
trStatus tr_place_axis(trVec2 world, trVec2 *axis1, const trPlace2 *place1, const char *what);

// What the velocities of a body add to the rate of a row with this block.
static inline double tr_side_rate2(const trMotion2 *m, const double *J) {
    return J[0] * m->v.x + J[1] * m->v.y + J[2] * m->omega;
}

static inline double tr_side_rate3(const trMotion3 *m, const double *J) {
    trVec3 W = tr_unrotate3(&m->R, m->w);
    return J[0] * m->v.x + J[1] * m->v.y + J[2] * m->v.z + J[3] * W.x + J[4] * W.y + J[5] * W.z;
}

// World position of a point given in body axes relative to the center of mass, and its arm R p.
static inline trVec2 tr_arm2(const trMotion2 *m, trVec2 p) {
    return tr_rotate2(m->c, m->s, p);
}

// Velocity of the point with arm `arm`.
static inline trVec2 tr_arm_velocity2(const trMotion2 *m, trVec2 arm) {
    return (trVec2){m->v.x - m->omega * arm.y, m->v.y + m->omega * arm.x};
}

#endif
