// SPDX-License-Identifier: MIT
// A model compiled: index maps, the pattern of A, the constant mass matrix, the initial state.
//
// Coordinates: body i has q = (x, y, angle) and v = (vx, vy, omega) of its center of mass, at
// 3 i. So M is the constant diagonal (m, m, J) and q' = v.

#ifndef TR_SYSTEM_SYSTEM_H
#define TR_SYSTEM_SYSTEM_H

#include "model/model.h"
#include "system/equations.h"
#include "trammel/system.h"

struct trSystem {
    trArena       *arena;
    const char    *name;
    int            bodies, joints, forces;
    const trBody  *body;     // bodies
    const trJoint *joint;    // joints
    const trForce *force;    // forces; those that never change stand last
    int            varying;  // forces that may change
    double        *Q0;       // nv: the sum of those that do not
    int            nq, nv, m;
    double        *mass;        // nv: the diagonal of M
    trRows         pattern;     // of A; its value pointer is NULL
    int            values;      // numbers in the blocks of A
    const int     *side1;       // joints: where J1 starts among the values, or -1 for ground
    const int     *side2;       // joints
    bool          *holonomic;   // m
    int           *row_joint;   // m: which joint a row belongs to
    double        *q0, *v0;     // nq, nv: initial state as the model gives it
    int            breaks;      // instants at which a function of time changes its formula
    const double  *break_time;  // breaks, increasing [s]
};

// The equations at one instant, and what they are made from.
typedef struct trEval {
    const trSystem *system;
    trEquations     equations;
    trMotion2      *motion;     // bodies + 1; motion[0] is ground, body i stands at i + 1
    double         *value;      // of A
    double         *Q;          // nv
    double         *b, *b1;     // m
    double         *phi;        // m
    double         *row_scale;  // m
    double         *ground;     // TR_PLANAR_ROWS x 3: where the blocks of ground go
    double          potential;  // [J]
    double          power;      // of forces without potential [W]
    double          t;          // the instant [s]
    double         *q;          // nq: the positions; with t they decide whether M and A are new
} trEval;

trStatus tr_system_find_breaks(trSystem *system);

trStatus tr_eval_plan(trArena *arena, const trSystem *system, double rank_tolerance, trEval *out);

// Fills everything at (t, q, v). TR_NOT_FINITE if a number is not finite: by the name of the joint
// or force that made it (a function of the user's), or because the state itself is beyond all
// bounds.
trStatus tr_system_eval(const trSystem *system, double t, const double *q, const double *v,
                        trEval *eval);

double tr_system_kinetic(const trSystem *system, const double *v);  // v' M v / 2 [J]

// The load of a joint on body 1 (side 1) or body 2 (side 2): force in world axes and moment about
// the joint's reaction point, which is returned. On ground: the opposite of the other side.
trLoad2 tr_system_reaction(const trEval *eval, int joint, int side, const double *lambda,
                           trVec2 *point);

// Position and rates of the body frame's origin from those of the center of mass.
trBodyState tr_body_frame(const trBody *body, const double *q, const double *v);
// Its acceleration, with the angular one last.
void tr_body_frame_acceleration(const trBody *body, const double *q, const double *v,
                                const double *a, double out[3]);

#endif
