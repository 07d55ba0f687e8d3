// SPDX-License-Identifier: MIT
/// @file system.h A model compiled: index maps, sparsity, names. Constant, shared by simulations.

#ifndef TRAMMEL_SYSTEM_H
#define TRAMMEL_SYSTEM_H

#include "trammel/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trSystem trSystem;

/// Compiles the model, which is complete with this (nothing can be added any more) and must outlive
/// the system. It may be compiled again.
TR_API trStatus tr_system_build(trModel *model, trSystem **out) TR_MUST_CHECK;
TR_API void     tr_system_destroy(trSystem *system);  ///< NULL is allowed

TR_API int tr_system_dim(const trSystem *system);  ///< 2 or 3; 0: coordinates of the user's own
TR_API int tr_system_nq(const trSystem *system);   ///< positions
TR_API int tr_system_nv(const trSystem *system);   ///< velocities
TR_API int tr_system_m(const trSystem *system);    ///< constraint rows

TR_API const char *tr_system_name(const trSystem *system);
TR_API int         tr_system_bodies(const trSystem *system);
TR_API int         tr_system_frames(const trSystem *system);
TR_API int         tr_system_joints(const trSystem *system);

/// What users describe with functions of their own: coordinates and further states of a system of
/// equations, which has no bodies, and constraints, which models of bodies may have too.
TR_API int tr_system_coordinates(const trSystem *system);
TR_API int tr_system_states(const trSystem *system);
TR_API int tr_system_constraints(const trSystem *system);

/// The name of a body, "ground" for TR_GROUND; of a frame, a joint, ... NULL for a number that is
/// out of range.
TR_API const char *tr_system_body_name(const trSystem *system, int body);
TR_API const char *tr_system_frame_name(const trSystem *system, int frame);
TR_API const char *tr_system_joint_name(const trSystem *system, int joint);
TR_API const char *tr_system_coordinate_name(const trSystem *system, int coordinate);
TR_API const char *tr_system_coordinate_unit(const trSystem *system, int coordinate);  ///< or ""
TR_API const char *tr_system_state_name(const trSystem *system, int state);
TR_API const char *tr_system_constraint_name(const trSystem *system, int constraint);

/// State of a body's frame, in world axes. A planar body moves in the plane of x and y.
typedef struct trBodyState {
    double x, y, z;        ///< of its origin [m]
    double angle;          ///< of a planar body, with all its turns [rad]
    double quaternion[4];  ///< e0, e1, e2, e3: from the body frame to the world
    double vx, vy, vz;     ///< of its origin [m/s]
    double omega;          ///< rate of a planar body's angle [rad/s]
    double wx, wy, wz;     ///< angular velocity [rad/s]
} trBodyState;

/// The frame of body `body` in the state (q, v), which belongs to centers of mass. For TR_GROUND,
/// and for a number that is out of range, it stands still at the origin.
TR_API trBodyState tr_system_body_state(const trSystem *system, int body, const double *q,
                                        const double *v);

/// The same for a frame that was added to a body.
TR_API trBodyState tr_system_frame_state(const trSystem *system, int frame, const double *q,
                                         const double *v);

#ifdef __cplusplus
}
#endif

#endif
