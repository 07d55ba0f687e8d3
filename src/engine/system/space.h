// SPDX-License-Identifier: MIT
// A *space* says what the coordinates q and velocities v of one body are. Everything that needs to
// know stands in one file for each space; the rest of the system works for all of them.
//
//     planar        q = (x, y, angle)              v = q'
//     body          q = (x, y, z, e0, e1, e2, e3)  v = (vx, vy, vz, W1, W2, W3)
//     quaternion    q = (x, y, z, e0, e1, e2, e3)  v = q'
//     plain         q = one number                 v = q'     a coordinate of a user's own
//
// Positions are those of the center of mass. The quaternion takes principal axes to the world, and
// W is the angular velocity in principal axes: so M is a constant diagonal in the first two.

#ifndef TR_SYSTEM_SPACE_H
#define TR_SYSTEM_SPACE_H

#include <stdbool.h>

#include "model/model.h"
#include "trammel/system.h"

struct trEval;

// The body frame's origin and the angular motion, in world axes.
typedef struct trAcceleration {
    trVec3 origin;   // [m/s^2]
    trVec3 angular;  // [rad/s^2]
} trAcceleration;

typedef struct trSpace {
    const char *name;
    int         dim;
    int         nq, nv;                 // of one body
    const char *q_name[7], *v_name[7];  // nq, nv

    // --- one body; q, v, a point to its own numbers ---

    void (*start)(const trBody *body, double *q);
    // The velocities that the model gives, for a body that stands at q.
    void (*start_velocity)(const trBody *body, const double *q, double *v);
    void (*mass)(const trBody *body, double *mass);  // nv: the diagonal of M; NULL: M is dense
    trBodyState (*state)(const trBody *body, const double *q, const double *v);
    trAcceleration (*acceleration)(const trBody *body, const double *q, const double *v,
                                   const double *a);
    // See tr_space_retract and tr_space_difference; NULL: they are sums and differences of numbers.
    void (*retract)(const double *dv, double *q);
    void (*difference)(const double *q1, const double *q0, double *dv);
    // x becomes that of the movement x, then dq. NULL: x + dq.
    void (*compose)(const double *dq, double *x);
    // B (rows x nv, row after row) becomes B T^-1, where T^-1 dq is the change of x. NULL: T = 1.
    void (*chain)(const double *x, int rows, int stride, double *B);
    void (*rate)(const double *q, const double *v, double *q_dot);  // NULL: q' = v
    // The way back, of the nearest rates that are possible: pull(rate(v)) = v for any length of q.
    void (*pull)(const double *q, const double *q_dot, double *v);  // NULL: v = q'
    void (*normalize)(double *q);                                   // or NULL
    // [J]; NULL: v' M v / 2
    double (*kinetic)(const trBody *body, const double *q, const double *v);

    // --- all bodies; NULL in the plain space ---

    void (*move)(const trSystem *system, const double *q, const double *v, struct trEval *eval);
    // Q of one body gains a load.
    void (*add_load)(const struct trEval *eval, int body, const trForceOut *out, int side,
                     double *Q);
    // -J' lambda of one side of a joint: force and moment about the center of mass, in world axes.
    trLoad3 (*joint_load)(const struct trEval *eval, int body, int rows, const double *J,
                          const double *lambda);
    // Loads that come from the motion of the bodies themselves, or NULL.
    void (*add_inertia)(const trSystem *system, const struct trEval *eval, const double *v,
                        double *Q);

    // --- where velocities are not (v, W) of spatial joints: the rest is NULL ---

    // A block for (v, W) becomes one for the velocities of this space, and b with it.
    void (*widen)(const struct trEval *eval, int body, int rows, const double *J6, double *J,
                  double *b);
    // The row that holds the coordinates of one body together.
    void (*norm_row)(const double *q, const double *v, trJointRows *out);
} trSpace;

extern const trSpace tr_space_planar, tr_space_body, tr_space_quaternion, tr_space_plain;

// Of one body: q moves by dv; the way from q0 to q1.
void tr_space_retract(const trSpace *space, const double *dv, double *q);
void tr_space_difference(const trSpace *space, const double *q1, const double *q0, double *dv);

// Of velocity `column` of a body: turns it, and in words.
bool tr_space_turns(const trSpace *space, int column);
// What kind of number it is, for spaces of bodies: 0 for angles, others as they come.
int         tr_space_measure(const trSpace *space, int column);
const char *tr_space_motion(const trSpace *space, int column);

#endif
