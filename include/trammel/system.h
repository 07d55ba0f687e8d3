// SPDX-License-Identifier: MIT
/// @file system.h A model compiled: index maps, sparsity, names. Constant, shared by simulations.

#ifndef TRAMMEL_SYSTEM_H
#define TRAMMEL_SYSTEM_H

#include <stdbool.h>

#include "trammel/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trSystem trSystem;

/// Compiles the model, which must outlive the system. Nothing can be added to it afterwards; it may
/// be compiled again.
TR_API trStatus tr_system_build(trModel *model, trSystem **out) TR_MUST_CHECK;
TR_API void     tr_system_destroy(trSystem *system);  ///< NULL is allowed

TR_API int tr_system_dim(const trSystem *system);  ///< 2 or 3; 0: a custom system
TR_API int tr_system_nq(const trSystem *system);   ///< positions
TR_API int tr_system_nv(const trSystem *system);   ///< velocities
TR_API int tr_system_m(const trSystem *system);    ///< constraint rows

TR_API const char *tr_system_name(const trSystem *system);
TR_API int         tr_system_bodies(const trSystem *system);
TR_API int         tr_system_frames(const trSystem *system);
TR_API int         tr_system_joints(const trSystem *system);

/// Coordinates and extra states of a custom system, which has no bodies, and custom constraints,
/// which models of bodies may have, too.
TR_API int tr_system_coordinates(const trSystem *system);
TR_API int tr_system_states(const trSystem *system);
TR_API int tr_system_constraints(const trSystem *system);

/// Names; "ground" for TR_GROUND, NULL for a number out of range.
TR_API const char *tr_system_body_name(const trSystem *system, int body);
TR_API const char *tr_system_frame_name(const trSystem *system, int frame);
TR_API const char *tr_system_joint_name(const trSystem *system, int joint);
TR_API const char *tr_system_coordinate_name(const trSystem *system, int coordinate);
TR_API const char *tr_system_coordinate_unit(const trSystem *system, int coordinate);  ///< or ""
TR_API const char *tr_system_state_name(const trSystem *system, int state);
TR_API const char *tr_system_constraint_name(const trSystem *system, int constraint);

/// Things that have a name and a number.
typedef enum trThing {
    TR_THING_BODY,
    TR_THING_FRAME,
    TR_THING_JOINT,
    TR_THING_FORCE,
    TR_THING_CONSTRAINT,
    TR_THING_COORDINATE,
    TR_THING_STATE,
    TR_THING_INPUT,
    TR_THINGS
} trThing;

TR_API int         tr_system_count(const trSystem *system, trThing thing);
TR_API const char *tr_system_thing_name(const trSystem *system, trThing thing, int number);
/// Finds the number of a thing by name; TR_E_MODEL, with a suggestion, if the name is unknown.
TR_API trStatus tr_system_find(const trSystem *system, trThing thing, const char *name,
                               int *out) TR_MUST_CHECK;

/// One of the coordinates, a position (0 to nq - 1) or a velocity (0 to nv - 1).
typedef struct trCoordinateInfo {
    int         body;    ///< or coordinate of a custom system; -1: out of range
    const char *name;    ///< of that
    const char *origin;  ///< where it was described, "four.lua:12", or NULL
    const char *motion;  ///< "x", "angle", "e0", "wx", ...; "" of a coordinate
    const char *unit;    ///< of the position, or of the motion in a velocity's direction
    bool        turns;   ///< a velocity that rotates the body
} trCoordinateInfo;

TR_API trCoordinateInfo tr_system_position(const trSystem *system, int i);
TR_API trCoordinateInfo tr_system_velocity(const trSystem *system, int i);

/// A constraint row.
typedef struct trRowInfo {
    int         joint;       ///< to which the row belongs, or -1
    int         constraint;  ///< likewise, of a custom constraint
    int         group;       ///< of rows
    const char *name;        ///< of the joint or constraint; NULL: out of range
    const char *origin;      ///< where it was described, or NULL
    const char *unit;        ///< of phi; in a nonholonomic row that of phi', times a second
    const char *multiplier;  ///< unit of lambda: "N", "N m"; "" where it is not known
    bool        holonomic;
} trRowInfo;

TR_API trRowInfo tr_system_row(const trSystem *system, int row);
/// Bodies, or coordinates, on whose velocities a row depends: up to `room` numbers in `body`.
/// Returns how many there are.
TR_API int tr_system_row_bodies(const trSystem *system, int row, int room, int *body);

/// A group of consecutive rows of A: those of a joint, of a quaternion's norm, or rows of a custom
/// constraint that depend on the same bodies. The groups of joints come first.
typedef struct trGroupInfo {
    int         joint;       ///< or -1
    int         constraint;  ///< or -1; neither: the norm of a quaternion
    const char *name;        ///< NULL: out of range
    const char *origin;      ///< where it was described, or NULL
    int         row, rows;   ///< its first row, and how many
} trGroupInfo;

TR_API int         tr_system_groups(const trSystem *system);
TR_API trGroupInfo tr_system_group(const trSystem *system, int group);

/// A custom constraint.
typedef struct trConstraintInfo {
    const char *name;       ///< NULL: out of range
    const char *unit;       ///< of phi
    int         row, rows;  ///< its first row, and how many
} trConstraintInfo;

TR_API trConstraintInfo tr_system_constraint(const trSystem *system, int constraint);

typedef struct trBodyInfo {
    const char *name, *origin;  ///< NULL: out of range; where it was described, or NULL
    double      mass;           ///< [kg]
    double      inertia[3];     ///< principal moments; of a planar body the last one [kg m^2]
    double      angle;          ///< of a planar body at the start [rad]
} trBodyInfo;

TR_API trBodyInfo tr_system_body(const trSystem *system, int body);

typedef struct trFrameInfo {
    const char *name;   ///< NULL: out of range
    int         body;   ///< or TR_GROUND
    double      angle;  ///< of a planar frame in its body [rad]
    bool        port;   ///< joints to other modules can use it
} trFrameInfo;

TR_API trFrameInfo tr_system_frame(const trSystem *system, int frame);

/// The first row whose A depends on velocities, or -1.
TR_API int tr_system_nonlinear_row(const trSystem *system);

typedef struct trJointInfo {
    const char *name, *kind;    ///< NULL: out of range
    const char *origin;         ///< where it was described, "four.lua:12", or NULL
    int         body1, body2;   ///< or TR_GROUND
    int         bodies;         ///< number of bodies it depends on, such as a gear's carrier
    const int  *body;           ///< bodies: body1, body2, and the others
    int         row, rows;      ///< its first row, and how many
    int         velocity_rows;  ///< number of trailing velocity-level rows
    bool        driven;         ///< by a function of time
    int         variables;      ///< number of joint variables
} trJointInfo;

TR_API trJointInfo tr_system_joint(const trSystem *system, int joint);

/// A joint variable: how body 2 stands against body 1 along what the joint leaves free, drives or
/// holds.
typedef struct trVariableInfo {
    const char *name;  ///< "angle", "travel", ...; NULL: out of range
    const char *unit;  ///< "m" or "rad"
    bool        held;  ///< by the joint, which exerts a load along it
} trVariableInfo;

TR_API trVariableInfo tr_system_joint_variable(const trSystem *system, int joint, int variable);

typedef struct trForceInfo {
    const char *name, *kind;   ///< NULL: out of range
    const char *origin;        ///< as above
    int         body1, body2;  ///< or TR_GROUND
} trForceInfo;

TR_API trForceInfo tr_system_force(const trSystem *system, int force);

/// Returns the model's start state (nq, nv); it need not satisfy the constraints.
TR_API void tr_system_start(const trSystem *system, double *q, double *v);
/// Returns the model's start velocities (nv) for bodies at q.
TR_API void tr_system_start_velocity(const trSystem *system, const double *q, double *v);

/// Moves positions q (nq) by dv (nv) in the directions of velocities: q (+) dv.
TR_API void tr_system_move(const trSystem *system, const double *dv, double *q);
/// Normalizes the quaternions in q (nq).
TR_API void tr_system_normalize(const trSystem *system, double *q);
/// Computes the displacement dv (nv) from q0 to q1.
TR_API void tr_system_difference(const trSystem *system, const double *q1, const double *q0,
                                 double *dv);

/// State of a frame in world axes. Planar bodies move in the xy plane.
typedef struct trBodyState {
    double x, y, z;        ///< origin [m]
    double angle;          ///< planar bodies, with all turns [rad]
    double quaternion[4];  ///< e0, e1, e2, e3, from the body frame to world axes
    double vx, vy, vz;     ///< of the origin [m/s]
    double omega;          ///< planar bodies [rad/s]
    double wx, wy, wz;     ///< angular velocity [rad/s]
} trBodyState;

/// Returns the motion of a body's frame for the state (q, v) of centers of mass. TR_GROUND, and a
/// number out of range, give a frame at rest at the origin.
TR_API trBodyState tr_system_body_state(const trSystem *system, int body, const double *q,
                                        const double *v);

/// The same for a frame added to a body.
TR_API trBodyState tr_system_frame_state(const trSystem *system, int frame, const double *q,
                                         const double *v);

#ifdef __cplusplus
}
#endif

#endif
