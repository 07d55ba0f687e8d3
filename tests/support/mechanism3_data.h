// SPDX-License-Identifier: MIT
// What the mechanism of mechanism3.h is made of, in m, kg, s. Included by mechanism3.c alone.

#ifndef TR_TESTS_SUPPORT_MECHANISM3_DATA_H
#define TR_TESTS_SUPPORT_MECHANISM3_DATA_H

#include "support/mechanism3.h"

typedef struct BodySpec {
    const char *name;
    double      mass;
    double      inertia[6];                // xx, yy, zz, xy, xz, yz in its frame [kg m^2]
    trVec3      at, rotation;              // of its frame [m], [rad]
    trVec3      com;                       // in its frame [m]
    trVec3      velocity, omega;           // of the frame origin, in the world [m/s], [rad/s]
    trVec3      other_at, other_rotation;  // of the other frame, in its frame [m], [rad]
} BodySpec;

enum { ARM, LINK, BALL, SLIDER, TIE, COLLAR, PUCK, CRANK, COUPLER, FOLLOWER };

static const BodySpec bodies[MECHANISM_BODIES] = {
    {"arm",
     1.5,
     {0.05, 0.12, 0.13, 0.01, -0.006, 0.003},
     {0.0, 0.0, 0.0},
     {0.3, -0.2, 0.5},
     {0.3, 0.1, 0.05},
     {0.0, 0.0, 0.0},
     {0.1, 0.0, 0.5},
     {0.1, -0.2, 0.05},
     {1.0, 0.7, -2.0}},
    {"link",
     0.8,
     {0.04, 0.05, 0.02, 0.002, 0.003, -0.004},
     {0.8, 0.2, 0.1},
     {-0.4, 0.6, 0.1},
     {0.05, 0.05, -0.3},
     {0.3, 0.1, 0.0},
     {0.2, 0.3, 0.1},
     {-0.1, 0.1, 0.2},
     {0.2, 2.4, 0.3}},
    {"ball",
     1.2,
     {0.03, 0.04, 0.05, -0.003, 0.002, 0.004},
     {0.8, 0.2, -0.5},
     {1.1, 0.2, -0.7},
     {0.1, 0.1, -0.2},
     {0.1, 0.2, 0.0},
     {0.7, -0.5, 0.9},
     {0.3, 0.1, -0.1},
     {-0.8, 0.4, 1.9}},
    {"slider",
     2.0,
     {0.02, 0.03, 0.04, 0.001, 0.002, 0.003},
     {-0.5, -0.6, 0.2},
     {0.0, 0.1, 0.2},
     {0.02, 0.03, -0.01},
     {0.2, 0.1, 0.0},
     {0.0, 0.0, 0.0},
     {0.05, 0.1, 0.15},
     {0.5, -1.5, 0.5}},
    {"tie",
     0.0,
     {0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
     {-0.5, -0.5, 0.25},
     {0.2, 0.1, -0.3},
     {0.2, 0.1, 0.0},
     {0.0, 0.0, 0.0},
     {0.0, 0.0, 0.0},
     {0.4, 0.2, 0.1},
     {0.3, 0.3, 0.9}},
    {"collar",
     0.6,
     {0.01, 0.02, 0.015, 0.001, -0.002, 0.001},
     {-0.5, -0.6, 0.5},
     {0.5, 0.5, 0.5},
     {0.03, -0.02, 0.04},
     {0.1, 0.0, 0.2},
     {0.0, 0.2, 1.0},
     {-0.1, 0.1, 0.1},
     {2.0, -0.3, 0.4}},
    {"puck",
     0.5,
     {0.004, 0.005, 0.006, 0.0, 0.0005, 0.0},
     {1.4, 0.8, -1.0},
     {0.1, -0.1, 0.4},
     {0.01, 0.02, 0.05},
     {-0.3, 0.4, 0.0},
     {0.0, 0.3, 1.5},
     {0.2, -0.1, 0.0},
     {0.0, 1.2, -0.6}},
    {"crank",
     0.9,
     {0.03, 0.02, 0.04, 0.002, 0.0, 0.001},
     {2.0, 0.0, 0.0},
     {0.0, 0.3, 0.8},
     {0.1, 0.2, 0.02},
     {0.0, 0.0, 0.0},
     {0.1, -0.2, 1.0},
     {0.1, 0.1, 0.1},
     {-1.0, 0.9, 0.3}},
    {"coupler",
     1.1,
     {0.05, 0.06, 0.03, 0.0, 0.004, 0.002},
     {2.3, 0.5, 0.07},
     {0.2, 0.0, -0.2},
     {0.3, 0.1, -0.03},
     {-0.5, 0.3, 0.0},
     {0.0, 0.0, 0.0},
     {0.2, 0.1, 0.2},
     {0.6, 1.6, -0.2}},
    {"follower",
     0.7,
     {0.02, 0.02, 0.03, 0.001, 0.001, 0.001},
     {2.9, 0.0, -0.09},
     {0.4, 0.4, 0.0},
     {0.05, 0.3, 0.04},
     {0.0, 0.0, 0.0},
     {0.0, 0.0, 0.4},
     {-0.2, 0.1, 0.0},
     {0.1, 0.2, 2.9}},
};

// Which words a joint takes.
enum {
    POINT = 1 << 0,      // point | point1, point2
    ENDS = 1 << 1,       // world1, world2 | point1, point2
    AXIS = 1 << 2,       // axis | axis1, axis2
    AXES = 1 << 3,       // world_axis1, world_axis2 | axis1, axis2
    AXIS1 = 1 << 4,      // axis | axis1
    SYMMETRIC = 1 << 5,  // its bodies may change places
    OWN = 1 << 6,        // has no words in the world for what is needed
};

typedef struct JointSpec {
    const char *kind, *name;
    int         body1, body2;
    unsigned    words;
    trVec3      point1, point2, axis1, axis2;  // in the world at the start
    const char *driver;           // key of its function, amplitude sin(rate t), or NULL
    double      amplitude, rate;  // [m] or [rad], [1/s]
} JointSpec;

#define SAME_POINT(x, y, z) \
    {x, y, z}, {            \
        x, y, z             \
    }
#define SAME_AXIS(x, y, z) \
    {x, y, z}, {           \
        x, y, z            \
    }
#define NO_AXES        \
    {0.0, 0.0, 0.0}, { \
        0.0, 0.0, 0.0  \
    }
#define NO_DRIVE NULL, 0.0, 0.0
#define HINGE SAME_AXIS(0.1, -0.2, 1.0), NO_DRIVE
#define SLEEVE SAME_POINT(-0.5, -0.6, 0.5), SAME_AXIS(0.0, 0.2, 1.0)

static const JointSpec joints[MECHANISM_JOINTS] = {
    {"revolute", "pivot", TR_GROUND, ARM, POINT | AXIS | SYMMETRIC, SAME_POINT(0.0, 0.0, 0.0),
     SAME_AXIS(0.2, 0.1, 1.0), NO_DRIVE},
    {"universal",
     "elbow",
     ARM,
     LINK,
     POINT | AXES | SYMMETRIC,
     SAME_POINT(0.8, 0.2, 0.1),
     {0.0, 1.0, 0.0},
     {0.6, 0.0, 0.8},
     NO_DRIVE},
    {"spherical", "knee", LINK, BALL, POINT | SYMMETRIC, SAME_POINT(0.8, 0.2, -0.5), NO_AXES,
     NO_DRIVE},
    {"prismatic", "guide", TR_GROUND, SLIDER, POINT | AXIS | SYMMETRIC, SAME_POINT(-0.5, -0.6, 0.2),
     SAME_AXIS(1.0, 0.3, 0.0), NO_DRIVE},
    {"spherical", "tie foot", SLIDER, TIE, POINT | SYMMETRIC, SAME_POINT(-0.5, -0.5, 0.25), NO_AXES,
     NO_DRIVE},
    // Both axes are perpendicular to the tie, so that it does not spin.
    {"universal",
     "tie head",
     ARM,
     TIE,
     POINT | AXES | SYMMETRIC,
     SAME_POINT(0.3, -0.1, 0.3),
     {0.4, -0.8, 0.0},
     {0.04, 0.02, -0.8},
     NO_DRIVE},
    {"cylindrical", "sleeve", SLIDER, COLLAR, POINT | AXIS | SYMMETRIC, SLEEVE, NO_DRIVE},
    {"driven_coordinate", "lift", SLIDER, COLLAR, POINT | AXIS1 | OWN, SLEEVE, "value", 0.1, 3.0},
    {"driven_angle", "spin", SLIDER, COLLAR, AXIS, SLEEVE, "angle", 0.8, 2.0},
    {"point_on_plane", "table", TR_GROUND, PUCK, POINT | AXIS1, SAME_POINT(1.4, 0.8, -1.0),
     SAME_AXIS(0.0, 0.1, 1.0), NO_DRIVE},
    {"distance",
     "string",
     BALL,
     PUCK,
     ENDS | SYMMETRIC,
     {0.9, 0.3, -0.75},
     {1.4, 0.8, -1.0},
     NO_AXES,
     NO_DRIVE},
    {"revolute", "A0", TR_GROUND, CRANK, POINT | AXIS | SYMMETRIC, SAME_POINT(2.0, 0.0, 0.0),
     HINGE},
    {"revolute", "A", CRANK, COUPLER, POINT | AXIS | SYMMETRIC, SAME_POINT(2.3, 0.5, 0.07), HINGE},
    {"revolute", "B", COUPLER, FOLLOWER, POINT | AXIS | SYMMETRIC, SAME_POINT(3.1, 0.7, -0.05),
     HINGE},
    {"revolute", "B0", TR_GROUND, FOLLOWER, POINT | AXIS | SYMMETRIC, SAME_POINT(2.9, 0.0, -0.09),
     HINGE},
};

static const int other_bodies[MECHANISM_BODIES] = {3, 8, 0, 6, 4, 2, 9, 7, 1, 5};
static const int other_joints[MECHANISM_JOINTS] = {5, 14, 9, 2,  6, 10, 13, 0,
                                                   4, 3,  1, 12, 8, 11, 7};

#endif
