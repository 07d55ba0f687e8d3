// SPDX-License-Identifier: MIT
// Point force: a force over time at a point of one body, in world axes or turning with the body.
//
//     s2 = R2 p2                      the point's arm, from the center of mass
//     F  = (fx, fy, fz)               frame "world"
//     F  = (fx, fy, fz) turned with the body frame of body 2, frame "body"
//     moment = s2 x F        power = F.(v2 + omega2 x s2)
//
// It has no potential, not even where it is constant: all its work is counted as power.

#include <math.h>

#include "force/spatial.h"

typedef struct PointForce {
    trVec3      point;       // in the world, at the start [m]
    trVec3      point2;      // in the frame of body 2; prepared: from its center of mass [m]
    trFunction  fx, fy, fz;  // [N]
    const char *frame;       // "world" or "body"
    int         turns;       // 1 where frame is "body"
    trFunction  F[3];        // fx, fy, fz, with zero for those not given [N]
    trQuat      principal;   // from principal axes to the frame of body 2
} PointForce;

static const trField fields[] = {
    TR_FIELD(
        PointForce, point, TR_FIELD_VEC3, 0, NAN, "m",
        "where it acts, in the world at the start; no point given: the frame origin of the body"),
    TR_FIELD(PointForce, point2, TR_FIELD_VEC3, 0, NAN, "m",
             "where it acts, in the frame of the body, instead of point"),
    TR_FIELD(PointForce, fx, TR_FIELD_FUNCTION, 0, NAN, "N", "x component, over time; default: 0"),
    TR_FIELD(PointForce, fy, TR_FIELD_FUNCTION, 0, NAN, "N", "y component, over time; default: 0"),
    TR_FIELD(PointForce, fz, TR_FIELD_FUNCTION, 0, NAN, "N", "z component, over time; default: 0"),
    TR_FIELD(PointForce, frame, TR_FIELD_TEXT, 0, 0.0, "",
             "axes of the components: \"world\" or \"body\"; default: \"world\""),
    TR_FIELD_END,
};

static const char *const frames[2] = {"world", "body"};

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2,
                        trArena *arena) {
    PointForce *p = params;
    trVec3      unused = {NAN, NAN, NAN};  // the point has no partner on body 1
    TR_TRY(tr_choose_word("frame", frames, &p->frame, &p->turns));
    TR_TRY(tr_place_point3(p->point, &unused, &p->point2, place1, place2));
    p->F[0] = p->fx;
    p->F[1] = p->fy;
    p->F[2] = p->fz;
    if (!tr_complete_functions(3, p->F)) {
        return tr_fail(TR_E_MODEL, "does nothing; give fx, fy or fz");
    }
    p->principal = place2->principal;
    return TR_OK;
}

// In world axes.
typedef struct State {
    trVec3 F, s2;
} State;

static State state_of(const PointForce *p, double t, const trMotion3 *m2) {
    trVec3 F = tr_functions_value3(p->F, t);
    if (p->turns) {
        F = tr_rotate3(&m2->R, tr_quat_unrotate(p->principal, F));
    }
    return (State){F, tr_arm3(m2, p->point2)};
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    State s = state_of(params, t, m2);
    out->at2 = (trLoad3){s.F, tr_cross3(s.s2, s.F)};
    out->power = tr_dot3(s.F, tr_arm_velocity3(m2, s.s2));
}

// dF = dtheta2 x F in the frame "body", else zero.
static void change(const void *params, trProbe3 *probe) {
    const PointForce *p = params;
    const State      *s = probe->state;
    const trMove3    *d2 = &probe->d2;
    trVec3            dF = tr_scale3(p->turns ? 1.0 : 0.0, tr_cross3(d2->turn, s->F));
    probe->at2.force = dF;
    probe->at2.moment = tr_add3(tr_cross3(tr_arm_change3(d2, s->s2), s->F), tr_cross3(s->s2, dF));
}

static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    trForceTangent *out) {
    State    s = state_of(params, t, m2);
    trProbe3 now = {.m1 = m1, .m2 = m2, .state = &s};
    tr_tangent_by_changes3(eval, change, params, t, &now, out);
}

const trForceKind tr_force_spatial_point_force = {
    .name = "point_force",
    .summary = "force over time at a point of one body",
    .example = "point2 = { 0.2, 0.3, 0.1 }, fx = 3, fy = function(t) return sin(t) end, frame "
               "= 'body'",
    .dim = 3,
    .traits = TR_ONE_BODY,
    .size = sizeof(PointForce),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .tangent3 = tangent,
};
