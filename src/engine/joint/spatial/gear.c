// SPDX-License-Identifier: MIT
// Gear: body 2 turns `ratio` times as far about its axis as body 1 about its own, each against
// ground and counted from the start. The axes may have any directions (bevel gears). It couples
// turns only; the shafts' bearings are joints of their own.
//
//     phi = turn2 - ratio turn1      [rad]  twists of the bodies' markers against ground's
//     J1  = -ratio (that of turn1)   J2 = (that of turn2)
//
// The twist is tr_twist3 in joint/spatial.h; turns are counted over any number of them.

#include "joint/tangents3.h"

typedef struct Gear {
    trVec3    world_axis1, world_axis2;  // of the turns of body 1 and 2, in the world at the start
    double    ratio;
    trMarker3 ground[2], body[2];  // z along the axes, in ground and in the bodies
} Gear;

static const trField fields[] = {
    TR_FIELD(Gear, world_axis1, TR_FIELD_VEC3, TR_REQUIRED, NAN, "",
             "about which body 1 turns, in the world at the start"),
    TR_FIELD(Gear, world_axis2, TR_FIELD_VEC3, 0, NAN, "",
             "about which body 2 turns, in the world at the start; default: as world_axis1"),
    TR_FIELD(Gear, ratio, TR_FIELD_REAL, TR_REQUIRED, NAN, "",
             "turns of body 2 per turn of body 1; negative where they turn in opposite senses"),
    TR_FIELD_END,
};

static const trPlace3 ground_place = {.orientation = {1.0, 0.0, 0.0, 0.0},
                                      .principal = {1.0, 0.0, 0.0, 0.0}};

// Ground, as a body that does not move.
static const trMotion3 ground_motion = {.u = {1.0, 0.0, 0.0, 0.0},
                                        .R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

static trStatus prepare_side(Gear *p, int side, trVec3 axis, const trPlace3 *place) {
    const char  *name = side == 0 ? "world_axis1" : "world_axis2";
    const trVec3 none = {NAN, NAN, NAN};
    trVec3       own = none;
    TR_TRY(tr_place_axis3(axis, &own, &ground_place, name, name));
    tr_place_coincident3(own, &ground_place, place, &p->ground[side], &p->body[side]);
    return TR_OK;
}

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2) {
    Gear *p = params;
    if (p->ratio == 0.0) {
        return tr_fail(TR_E_MODEL, "'ratio' must not be zero");
    }
    TR_TRY(prepare_side(p, 0, p->world_axis1, place1));
    return prepare_side(p, 1, isnan(p->world_axis2.x) ? p->world_axis1 : p->world_axis2, place2);
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trJointRows *out) {
    const Gear      *p = params;
    const trMotion3 *m[2] = {m1, m2};
    double          *J[2] = {out->J1, out->J2}, ground_side[6];
    const double     factor[2] = {-p->ratio, 1.0};
    (void)t;

    out->phi[0] = out->b1[0] = out->b[0] = 0.0;
    for (int k = 0; k < 2; k++) {
        trRelative3 rel = tr_relative3(&ground_motion, m[k], &p->ground[k], &p->body[k]);
        trTwist3    twist = tr_twist3(&rel);
        trVec3      g = tr_scale3(factor[k], twist.g);
        double      turn = tr_unwrap(twist.angle, out->near[k], TR_TWIST_PERIOD);
        tr_write_turn3(&ground_motion, m[k], &p->body[k], g, ground_side, J[k]);
        out->turn[k] = turn;
        out->phi[0] += factor[k] * turn;
        out->b[0] -= factor[k] * twist.drift;  // rel.c = 0: ground does not turn
    }
}

// Each side's moment x = K2 g depends on that side's own turn only: dx = K2 G K2' dtheta, with K2
// the marker of the body and g, G of tr_load_twist3 in joint/tangents3.h.
static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    const double *lambda, double *K) {
    const Gear      *p = params;
    const trMotion3 *m[2] = {m1, m2};
    const double     factor[2] = {-p->ratio, 1.0};
    const int        moment[2] = {TR_MOMENT_1, TR_MOMENT_2};
    (void)t;
    for (int k = 0; k < 2; k++) {
        const trMarker3 *marker = &p->body[k];
        trRelative3      rel = tr_relative3(&ground_motion, m[k], &p->ground[k], marker);
        trTurnLoad3      load = tr_load_twist3(&rel, factor[k] * lambda[0]);
        trMat3           back = tr_transpose33(&marker->K);
        trMat3           H = tr_mul33(&load.G, &back);
        H = tr_mul33(&marker->K, &H);
        tr_gain33(K, moment[k], moment[k], 1.0, &H);
    }
}

static trVec3 reaction_point(const void *params, const trMotion3 *m1, const trMotion3 *m2) {
    (void)params;
    (void)m1;
    return m2->r;
}

const trJointKind tr_joint_spatial_gear = {
    .name = "gear",
    .summary = "makes body 2 turn in a fixed ratio to body 1, each about an axis of its own",
    .dim = 3,
    .traits = TR_GEARED,
    .rows = 1,
    .turns = 2,
    .row_units = {"rad"},
    .size = sizeof(Gear),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .reaction_at = "the center of mass of body 2; body 1 bears a moment about its own axis",
    .reaction_point3 = reaction_point,
    .tangent3 = tangent,
};
