// SPDX-License-Identifier: MIT
// Shafts: bodies that turn about axes of their own in a common carrier. The turns are counted from
// the start, over any number of them, each about z of a pair of markers.

#ifndef TR_JOINT_SHAFTS3_H
#define TR_JOINT_SHAFTS3_H

#include "joint/tangents3.h"

typedef struct trShaft3 {
    trMarker3 carrier, body;  // z along the axis
} trShaft3;

// `world`: the axis in the world at the start; `name` is what the user calls it.
static inline trStatus tr_place_shaft3(trVec3 world, const char *name, const trPlace3 *carrier,
                                       const trPlace3 *body, trShaft3 *out) {
    trVec3 own = {NAN, NAN, NAN};
    TR_TRY(tr_place_axis3(world, &own, carrier, name, name));
    tr_place_coincident3(own, carrier, body, &out->carrier, &out->body);
    return TR_OK;
}

// The row gains factor times the turn of body k against the carrier, body c: the twist of
// tr_twist3, counted turn number `turn` of the joint.
static inline void tr_add_shaft3(const trShaft3 *shaft, double factor, const trMotion3 *const *m,
                                 int k, int c, int turn, trJointRows *out) {
    const trRelative3 rel = tr_relative3(m[c], m[k], &shaft->carrier, &shaft->body);
    const trTwist3    twist = tr_twist3(&rel);
    double            carrier[6], body[6];
    tr_write_turn3(m[c], m[k], &shaft->body, tr_scale3(factor, twist.g), carrier, body);
    for (int i = 0; i < 6; i++) {
        out->J[c][i] += carrier[i];
        out->J[k][i] += body[i];
    }
    out->turn[turn] = tr_unwrap(twist.angle, out->near[turn], TR_TWIST_PERIOD);
    out->phi[0] += factor * out->turn[turn];
    out->b[0] -= factor * (twist.drift + tr_dot3(twist.g, rel.c));
}

// Its tangent; lambda is that of the row, and the carrier the last body.
static inline void tr_tangent_shaft3(const trShaft3 *shaft, double factor,
                                     const trMotion3 *const *m, int k, int c, double lambda,
                                     double *K) {
    const trRelative3 rel = tr_relative3(m[c], m[k], &shaft->carrier, &shaft->body);
    const trTurnLoad3 load = tr_load_twist3(&rel, factor * lambda);
    double            pair[144] = {0.0};
    tr_tangent_turn3(m[c], m[k], &shaft->body, &load, pair);
    tr_gain_pair3(K, c + 1, c, k, pair);
}

#endif
