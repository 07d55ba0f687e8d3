// SPDX-License-Identifier: MIT
// Point force: a force over time at a point of one body, in world axes or turning with the body.
//
//     s2 = R2 p2                      the point's arm, from the center of mass
//     F  = (fx, fy)                   frame "world"
//     F  = R2 (fx, fy)                frame "body"
//     moment = s2 x F        power = F.(v2 + omega2 (z x s2))
//
// It has no potential, not even where it is constant: all its work is counted as power.

#include "force/parameters.h"

typedef struct PointForce {
    trVec2      point;   // in the world, at the start [m]
    trVec2      point2;  // in axes of body 2; prepared: from its center of mass [m]
    trFunction  fx, fy;  // [N]
    const char *frame;   // "world" or "body"
    int         turns;   // 1 where frame is "body"
    trFunction  F[2];    // fx, fy, with zero for those not given [N]
} PointForce;

static const trField fields[] = {
    TR_FIELD(
        PointForce, point, TR_FIELD_VEC2, 0, NAN, "m",
        "where it acts, in the world at the start; no point given: the frame origin of the body"),
    TR_FIELD(PointForce, point2, TR_FIELD_VEC2, 0, NAN, "m",
             "where it acts, in axes of the body, instead of point"),
    TR_FIELD(PointForce, fx, TR_FIELD_FUNCTION, 0, NAN, "N", "x component, over time; default: 0"),
    TR_FIELD(PointForce, fy, TR_FIELD_FUNCTION, 0, NAN, "N", "y component, over time; default: 0"),
    TR_FIELD(PointForce, frame, TR_FIELD_TEXT, 0, 0.0, "",
             "axes of the components: \"world\" or \"body\"; default: \"world\""),
    TR_FIELD_END,
};

static const char *const frames[2] = {"world", "body"};

static trStatus prepare(void *params, const trPlace2 *place1, const trPlace2 *place2,
                        trArena *arena) {
    PointForce *p = params;
    trVec2      unused = {NAN, NAN};  // the point has no partner on body 1
    TR_TRY(tr_choose_word("frame", frames, &p->frame, &p->turns));
    TR_TRY(tr_place_point(p->point, &unused, &p->point2, place1, place2));
    p->F[0] = p->fx;
    p->F[1] = p->fy;
    return tr_complete_functions(2, p->F) ? TR_OK
                                          : tr_fail(TR_E_MODEL, "does nothing; give fx or fy");
}

// In world axes.
static trVec2 force_at(const PointForce *p, double t, const trMotion2 *m2) {
    trVec2 F = {tr_function_jet(&p->F[0], t).value, tr_function_jet(&p->F[1], t).value};
    return p->turns ? tr_rotate2(m2->c, m2->s, F) : F;
}

static void eval(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                 trForceOut *out) {
    const PointForce *p = params;
    trVec2            F = force_at(p, t, m2), s2 = tr_arm2(m2, p->point2);
    out->on2 = (trLoad2){F.x, F.y, tr_cross2(s2, F)};
    out->power = tr_dot2(F, tr_arm_velocity2(m2, s2));
}

// Where F turns with the body, dF/d(angle2) = z x F and its moment does not change; else the moment
// changes by (z x s2) x F = -s2.F.
static void tangent(const void *params, double t, const trMotion2 *m1, const trMotion2 *m2,
                    trForceTangent *out) {
    const PointForce *p = params;
    trVec2            F = force_at(p, t, m2), change = tr_perp2(F);
    if (p->turns) {
        out->K[6 * 3 + 5] -= change.x;
        out->K[6 * 4 + 5] -= change.y;
    } else {
        out->K[6 * 5 + 5] += tr_dot2(tr_arm2(m2, p->point2), F);
    }
}

const trForceKind tr_force_planar_point_force = {
    .name = "point_force",
    .summary = "force over time at a point of one body",
    .example = "point2 = { 0.2, 0.3 }, fx = 3, fy = function(t) return sin(t) end, frame = "
               "'body'",
    .dim = 2,
    .traits = TR_ONE_BODY,
    .size = sizeof(PointForce),
    .fields = fields,
    .prepare = prepare,
    .eval = eval,
    .tangent = tangent,
};
