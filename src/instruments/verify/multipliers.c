// SPDX-License-Identifier: MIT
// Multipliers of joints from their loads. Loads are stored, and they are linear in lambda: with the
// columns of R the loads that each multiplier would make alone,
//
//     R lambda = load
//
// has a solution if the joint can transmit the load. A hinge without friction has no moment about
// its axis.

#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "verify/verify.h"

#define DEPENDENT 1e-8  // a load that others of the joint make up
#define MOST_ROWS 6

trStatus tr_multipliers_plan(trVerifier *V) {
    V->lambda = tr_new_array(V->arena, double, V->m);
    V->unit = tr_new_array(V->arena, double, V->m);
    for (int rows = 1; rows <= MOST_ROWS; rows++) {
        tr_rrqr_plan(V->arena, 6, rows, &V->load[rows]);
    }
    return tr_arena_status(V->arena);
}

static trVec3 center_of(const trVerifier *V, int body) {
    const double *q = V->now.q + (body == TR_GROUND ? 0 : V->body_q * body);
    return body == TR_GROUND ? (trVec3){0.0, 0.0, 0.0}
                             : (trVec3){q[0], q[1], V->dim == 3 ? q[2] : 0.0};
}

// Moments are divided by `reach`, so that all are forces.
static void put_load(trVec3 F, trVec3 M, double reach, double *x) {
    const double all[6] = {F.x, F.y, F.z, M.x / reach, M.y / reach, M.z / reach};
    memcpy(x, all, sizeof all);
}

// From the joint's point to both bodies and to the origin. [m]
static double reach_of(const trVerifier *V, const trJointInfo *joint, const trReaction *at) {
    double reach = tr_length3((trVec3){at->x, at->y, at->z}) +
                   tr_length3(center_of(V, joint->body1)) + tr_length3(center_of(V, joint->body2));
    return reach > 0.0 ? reach : 1.0;
}

static void find_columns(trVerifier *V, int j, const trJointInfo *joint, double reach, double *R) {
    for (int k = 0; k < joint->rows; k++) {
        V->unit[joint->row + k] = 1.0;
        trReaction r = tr_eval_reaction(V->eval, j, V->unit);
        put_load((trVec3){r.fx, r.fy, r.fz}, (trVec3){r.mx, r.my, r.mz}, reach,
                 R + 6 * (ptrdiff_t)k);
        V->unit[joint->row + k] = 0.0;
    }
}

// Least squares; `load` becomes what no multiplier makes.
static trStatus solve(trRrqr *R, double *load, double *lambda) {
    double x[6], longest = tr_largest(6 * R->columns, R->X);
    memset(lambda, 0, (size_t)R->columns * sizeof *lambda);
    TR_TRY(tr_rrqr_factor(R, DEPENDENT * longest));
    tr_rrqr_mul_qt(R, load);
    memcpy(x, load, sizeof x);
    tr_rrqr_solve_r(R, x);
    for (int k = 0; k < R->rank; k++) {
        lambda[R->pivot[k]] = x[k];
        load[k] = 0.0;
    }
    tr_rrqr_mul_q(R, load);
    return TR_OK;
}

static void find_of_joint(trVerifier *V, int j) {
    trJointInfo   joint = tr_system_joint(V->system, j);
    trReaction    at = tr_eval_reaction(V->eval, j, V->unit);
    const double *c = V->row + V->layout.joint + V->layout.per_load * j;
    bool          planar = V->dim == 2;
    trVec3        force = {c[0], c[1], planar ? 0.0 : c[2]};
    trVec3        moment = {planar ? 0.0 : c[3], planar ? 0.0 : c[4], planar ? c[2] : c[5]};
           double reach = reach_of(V, &joint, &at), load[6];
    trRrqr       *R = &V->load[joint.rows];
    find_columns(V, j, &joint, reach, R->X);
    put_load(force, moment, reach, load);
    if (solve(R, load, V->lambda + joint.row) != TR_OK || V->pole) {
        return;
    }
    double size = tr_length3(force) + tr_length3(moment) / reach;
    double F = tr_length3((trVec3){load[0], load[1], load[2]});
    double M = tr_length3((trVec3){load[3], load[4], load[5]});
    double arm = M > F ? reach : 1.0;
    tr_see(V, TR_VERIFY_REACTION,
           (trDeviation){.off = arm * fmax(F, M),
                         .allowed = arm * V->noted.tolerance * size,
                         .unit = M > F ? "N m" : "N",
                         .role = "joint",
                         .name = joint.name,
                         .detail = M > F ? "a moment that it cannot transmit"
                                         : "a force that it cannot transmit"});
}

void tr_find_multipliers(trVerifier *V) {
    int joints = tr_system_count(V->system, TR_THING_JOINT);
    memset(V->unit, 0, (size_t)V->m * sizeof *V->unit);
    memset(V->lambda, 0, (size_t)V->m * sizeof *V->lambda);
    for (int j = 0; j < joints; j++) {
        find_of_joint(V, j);
    }
    int custom = V->layout.energy - V->layout.lambda;
    memcpy(V->lambda + V->m - custom, V->row + V->layout.lambda,
           (size_t)custom * sizeof *V->lambda);
}
