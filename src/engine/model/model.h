// SPDX-License-Identifier: MIT
// The description of a mechanism: names, topology, parameters. Written by the user or by Lua until
// it is built into a system.

#ifndef TR_MODEL_MODEL_H
#define TR_MODEL_MODEL_H

#include <stdbool.h>

#include "base/shared.h"
#include "force/force.h"
#include "joint/joint.h"
#include "model/names.h"
#include "trammel/control.h"

// A body of a spatial model.
typedef struct trBody3 {
    trPlace3 place;
    trVec3   velocity;          // of the frame origin at the start [m/s]
    trVec3   angular_velocity;  // in world axes [rad/s]
} trBody3;

typedef struct trBody {
    const char *name;
    const char *origin;  // where it was described, "four.lua:12", or NULL
    double      mass;    // [kg]
    // planar:
    double inertia;           // about the center of mass [kg m^2]
    trVec2 at;                // origin of the body frame at the start [m]
    double angle;             // of the body frame at the start [rad]
    trVec2 com;               // center of mass in body axes [m]
    trVec2 velocity;          // of the frame origin at the start [m/s]
    double angular_velocity;  // [rad/s]
    // spatial:
    trBody3 spatial;
    // a coordinate of a system of the user's own: at.x and velocity.x at the start
    bool coordinate;
} trBody;

// A frame fixed in a body or in ground.
typedef struct trFrame {
    const char *name;
    const char *origin;
    int         body;   // TR_GROUND or a number
    trVec3      at;     // in the body frame [m]
    trQuat      turn;   // from this frame to the body frame
    double      angle;  // planar: the same [rad]
    bool        port;   // other modules may be glued to it
} trFrame;

typedef struct trJoint {
    const trJointKind *kind;
    const char        *name;
    const char        *origin;
    int                bodies;  // of its kind
    union {
        struct {
            int body1, body2;
        };
        int body[TR_JOINT_BODIES];  // bodies: TR_GROUND or a number
    };
    int   report;    // the frame in which its reaction is given, or -1
    void *params;    // prepared
    bool  recorded;  // a row of a constraint of the user's own
} trJoint;

// A force computed by a function in C: the parameter struct of a trForce. Its body 1 is bodies[0],
// its body 2 the next one; one that acts on a single body has ground as body 1.
typedef struct trFunctionForce {
    trForceFunction function;
    int             bodies;
    const int      *body;  // bodies
} trFunctionForce;

extern const trForceKind tr_function_force;  // their kind

typedef struct trModelInput {
    const char *name, *unit;
    double      start;
} trModelInput;

typedef struct trForce {
    const trForceKind *kind;
    const char        *name;
    const char        *origin;
    int                body1, body2;
    void              *params;  // prepared
} trForce;

struct trModel {
    trArena         *arena;
    const char      *name;
    int              dim;          // 2 or 3; 0: coordinates of the user's own
    const char      *coordinates;  // "body" or "quaternion"
    trVec3           gravity;      // [m/s^2]
    int              bodies, frames, joints, forces;
    trBody          *body;   // bodies
    trFrame         *frame;  // frames
    trJoint         *joint;  // joints
    trForce         *force;  // forces
    int              body_room, frame_room, joint_room, force_room;
    trNames          body_names, frame_names, joint_names, force_names, row_names;
    trNames          joint_kinds, force_kinds;  // how many of each were named so far
    int              inputs, input_room;
    trModelInput    *input;   // inputs
    struct trTraced *traced;  // functions of the user's own, or NULL
    const char      *origin;  // of what is added next, or NULL
    const char      *source;  // text of the file that describes it, or NULL
    const char      *given;   // parameters given to that file, "N=40", one a line; or NULL
    int              warnings, warning_room;
    const char     **warning;  // warnings: what was changed or looks wrong, in words
    bool             built;    // a system was made of it: nothing can be added any more
};

extern const trField tr_body_fields[];    // of a planar body
extern const trField tr_body3_fields[];   // of a spatial body
extern const trField tr_frame_fields[];   // of a frame in the plane
extern const trField tr_frame3_fields[];  // of a frame in space
extern const trField tr_model_fields[];   // of a planar model
extern const trField tr_model3_fields[];  // of a spatial model

// A warning about what is described now. The text lives in the model's arena.
trStatus tr_model_warn(trModel *model, const char *text) TR_SHARED;

// Prefix the error text with where and what: "four.lua:12: joint 'A': ".
trStatus tr_blame_body(trStatus status, const trBody *body);
trStatus tr_blame_joint(trStatus status, const trJoint *joint);
trStatus tr_blame_force(trStatus status, const trForce *force);

// Refuses a name that is empty, too long or has control characters; NULL, none given, is allowed.
// `family`, "joint", begins the error text.
trStatus tr_model_check_name(const char *family, const char *name) TR_SHARED;
// The same for other texts that stand in lines; NULL is allowed.
trStatus tr_model_check_plain(const char *family, const char *what, const char *text);

// Fails unless some body exists; adds gravity to every body that has mass. The model is complete
// with this.
trStatus tr_model_finish(trModel *model);

#endif
