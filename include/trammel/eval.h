// SPDX-License-Identifier: MIT
/// @file eval.h Evaluate a system at any state: its equations, energy, motion and loads; solve for
/// accelerations, project onto the constraints, linearize.
///
///     trEval *e = NULL;
///     if (tr_eval_create(system, &e) == TR_OK &&
///         tr_eval_at(e, t, q, v, NULL) == TR_OK &&
///         tr_eval_solve(e, NULL, NULL, a, lambda) == TR_OK) ...
///     tr_eval_destroy(e);
///
/// The equations, with the sizes nq, nv, m of system.h and nz = tr_system_states:
///
///     M a + A' lambda = Q + C    A v = b1    A a = b    phi = 0 (holonomic rows)    z' = g
///
/// Functions that read an evaluation return NULL or zeros for a handle that is NULL and for numbers
/// that are out of range. Pointers are valid until the next call that changes the evaluation.

#ifndef TRAMMEL_EVAL_H
#define TRAMMEL_EVAL_H

#include "trammel/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trEval trEval;  ///< a system at one instant; used by one thread at a time

/// Creates an evaluation of the system, which must outlive it. All values are zero before the first
/// tr_eval_at.
TR_API trStatus tr_eval_create(const trSystem *system, trEval **out) TR_MUST_CHECK;
TR_API void     tr_eval_destroy(trEval *eval);  ///< NULL is allowed

/// Evaluates everything at time t [s], positions q (nq), velocities v (nv) and extra states z (nz),
/// which are copied. NULL: the model's start. TR_NOT_FINITE, with its name, if a joint or force has
/// no finite value.
TR_API trStatus tr_eval_at(trEval *eval, double t, const double *q, const double *v,
                           const double *z) TR_MUST_CHECK;

/// Accepts the state as a step of a motion: counted angles continue from here.
TR_API void tr_eval_accept(trEval *eval);

// --- the equations ---

TR_API double        tr_eval_time(const trEval *eval);      ///< [s]
TR_API const double *tr_eval_q(const trEval *eval);         ///< nq, as evaluated
TR_API const double *tr_eval_v(const trEval *eval);         ///< nv
TR_API const double *tr_eval_z(const trEval *eval);         ///< nz
TR_API const double *tr_eval_Q(const trEval *eval);         ///< nv: forces, gyroscopic ones too
TR_API const double *tr_eval_C(const trEval *eval);         ///< nv: what depends on lambda, as
                                                            ///< solved last; NULL: there is none
TR_API const double *tr_eval_phi(const trEval *eval);       ///< m: zero in nonholonomic rows
TR_API const double *tr_eval_b(const trEval *eval);         ///< m
TR_API const double *tr_eval_b1(const trEval *eval);        ///< m
TR_API const double *tr_eval_z_rate(const trEval *eval);    ///< nz: g
TR_API const double *tr_eval_row_size(const trEval *eval);  ///< m: phi changes by this for a change
                                                            ///< of q by 1; 1 but for custom rows

TR_API void tr_eval_mul_M(const trEval *eval, const double *x, double *y);   ///< y = M x
TR_API void tr_eval_mul_A(const trEval *eval, const double *x, double *y);   ///< y = A x
TR_API void tr_eval_mul_At(const trEval *eval, const double *x, double *y);  ///< y = A' x
TR_API void tr_eval_dense_M(const trEval *eval, double *M);  ///< nv x nv, row after row
TR_API void tr_eval_dense_A(const trEval *eval, double *A);  ///< m x nv, row after row

/// Returns the entries of a row of A for the velocities of a body or coordinate; zeros if there are
/// none.
TR_API void tr_eval_row(const trEval *eval, int row, int body, double *J);

/// How the velocities of a spatial body rotate it: its angular velocity in world axes is R P u,
/// with u its velocities after the first three, R (3 x 3) from principal axes to the world, and P
/// (3 x 3, or 3 x 4 for rates of quaternions). Row after row. Returns columns of P; 0: not in
/// space.
TR_API int tr_eval_turning(const trEval *eval, int body, double R[9], double P[12]);

// --- solving; memory is allocated on first use ---

/// Solves M a + A' lambda = F, A a = b. NULL: F = Q + C(lambda), b as evaluated; no lambda. Some of
/// the dependent rows get lambda = 0. TR_SINGULAR if a is not determined.
TR_API trStatus tr_eval_solve(trEval *eval, const double *F, const double *b, double *a,
                              double *lambda) TR_MUST_CHECK;

/// Moves q (nq) and v (nv) onto the constraints, at the time evaluated last, by the smallest change
/// in the metric of M, and evaluates there. v = NULL: q alone, at the velocities evaluated last.
/// TR_NO_CONVERGENCE, with a name, if the state is too far away.
TR_API trStatus tr_eval_project(trEval *eval, double *q, double *v) TR_MUST_CHECK;

/// How the equations change, with dq in the directions of v:
///
///     r = M a + A' lambda - Q - C:    dr = M da + D dv + K dq + A' dlambda + Z dz
///     w = A v - b1:                   dw = A dv + N dq    (rows of velocities alone)
///     z' + Gq dq + Gv dv + Gz dz = 0
///
/// Matrices belong to the caller and are stored row by row; NULL ones are skipped.
typedef struct trLinearization {
    double *M, *D, *K;  ///< nv x nv
    double *A, *N;      ///< m x nv; N is zero in holonomic rows
    double *Z;          ///< nv x nz
    double *Gq, *Gv;    ///< nz x nv
    double *Gz;         ///< nz x nz
    double *weight;     ///< nv: the diagonal of M, or a typical size where it is not positive
} trLinearization;

/// At the state evaluated last, with these accelerations (nv) and multipliers (m).
TR_API trStatus tr_eval_linearize(trEval *eval, const double *a, const double *lambda,
                                  const trLinearization *out) TR_MUST_CHECK;

// --- energy, motion, loads ---

typedef struct trEnergy {
    double kinetic, potential;  ///< [J]
    double power;               ///< of forces without potential [W]
} trEnergy;

TR_API trEnergy tr_eval_energy(const trEval *eval);

/// As tr_system_body_state and tr_system_frame_state.
TR_API trBodyState tr_eval_body(const trEval *eval, int body);
TR_API trBodyState tr_eval_frame(const trEval *eval, int frame);

/// Acceleration of a body's frame, in world axes.
typedef struct trBodyAcceleration {
    double ax, ay, az;  ///< of its origin [m/s^2]
    double wx, wy, wz;  ///< angular [rad/s^2]
} trBodyAcceleration;

/// From accelerations a (nv).
TR_API trBodyAcceleration tr_eval_body_acceleration(const trEval *eval, int body, const double *a);
TR_API trBodyAcceleration tr_eval_frame_acceleration(const trEval *eval, int frame,
                                                     const double *a);

/// Force and moment about the center of mass of a body, in world axes.
typedef struct trLoad {
    double fx, fy, fz;  ///< [N]
    double mx, my, mz;  ///< [N m]
} trLoad;

/// Load of a force on a body; zero for bodies on which it does not act.
TR_API trLoad tr_eval_force_load(const trEval *eval, int force, int body);

/// Printed and stored with reactions.
#define TR_REACTION_CONVENTION                                              \
    "force of body 1 on body 2 [N] and its moment about the joint's point " \
    "[N m], in world axes"

/// Load of a joint on a body, by TR_REACTION_CONVENTION or in the frame of the joint's `report`.
typedef struct trReaction {
    double      fx, fy, fz;  ///< [N]
    double      mx, my, mz;  ///< [N m]
    double      moment;      ///< mz, for planar joints [N m]
    double      x, y, z;     ///< the point, in world axes [m]
    const char *point;       ///< in words: "the pin"
    const char *frame;       ///< used instead of point and world axes; or NULL
    const char *on, *by;     ///< body 2, body 1
} trReaction;

/// From multipliers lambda (m).
TR_API trReaction tr_eval_reaction(const trEval *eval, int joint, const double *lambda);

/// The same about the joint's point and in world axes, even if the joint has a `report`.
TR_API trReaction tr_eval_world_reaction(const trEval *eval, int joint, const double *lambda);

/// A joint variable of system.h.
typedef struct trJointVariable {
    double value;  ///< angles count turns, in space from the state accepted last [m], [rad]
    double rate;   ///< [m/s], [rad/s]
    double load;   ///< of the joint on body 2 along it, 0 where it is free [N], [N m]
} trJointVariable;

/// From multipliers lambda (m); NULL: `load` is 0.
TR_API trJointVariable tr_eval_joint_variable(const trEval *eval, int joint, int variable,
                                              const double *lambda);
/// Its derivative by the velocities (nv): rate = gradient' v, and a load along it is a force
/// gradient times load.
TR_API void tr_eval_joint_gradient(const trEval *eval, int joint, int variable, double *gradient);

#ifdef __cplusplus
}
#endif

#endif
