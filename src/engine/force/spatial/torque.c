// SPDX-License-Identifier: MIT
// Torque: a moment over time on body 2, and its reaction on body 1.
//
//     m = (mx, my, mz)                frame "world"
//     m = (mx, my, mz) turned with the body frame of body 2, frame "body"
//     moment2 = m        moment1 = -m        power = m.(omega2 - omega1)

#include <math.h>

#include "force/spatial.h"

typedef struct Torque {
    trFunction  mx, my, mz;  // [N m]
    const char *frame;       // "world" or "body"
    int         turns;       // 1 where frame is "body"
    trFunction  m[3];        // mx, my, mz, with zero for those not given [N m]
    trQuat      principal;   // from principal axes to the frame of body 2
} Torque;

static const trField fields[] = {
    TR_FIELD(Torque, mx, TR_FIELD_FUNCTION, 0, NAN, "N m",
             "x component on body 2, over time; body 1 receives the opposite; default: 0"),
    TR_FIELD(Torque, my, TR_FIELD_FUNCTION, 0, NAN, "N m", "y component likewise; default: 0"),
    TR_FIELD(Torque, mz, TR_FIELD_FUNCTION, 0, NAN, "N m", "z component likewise; default: 0"),
    TR_FIELD(Torque, frame, TR_FIELD_TEXT, 0, 0.0, "",
             "axes of the components: \"world\" or \"body\" (body 2); default: \"world\""),
    TR_FIELD_END,
};

static const char *const frames[2] = {"world", "body"};

static trStatus prepare(void *params, const trPlace3 *place1, const trPlace3 *place2,
                        trArena *arena) {
    Torque *p = params;
    TR_TRY(tr_choose_word("frame", frames, &p->frame, &p->turns));
    p->m[0] = p->mx;
    p->m[1] = p->my;
    p->m[2] = p->mz;
    if (!tr_complete_functions(3, p->m)) {
        return tr_fail(TR_E_MODEL, "does nothing; give mx, my or mz");
    }
    p->principal = place2->principal;
    return TR_OK;
}

// m in world axes.
static trVec3 moment_at(const Torque *p, double t, const trMotion3 *m2) {
    trVec3 m = tr_functions_value3(p->m, t);
    return p->turns ? tr_rotate3(&m2->R, tr_quat_unrotate(p->principal, m)) : m;
}

static void eval(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                 trForceOut *out) {
    trVec3 m = moment_at(params, t, m2);
    tr_twist_bodies3(m, out);
    out->power = tr_dot3(m, tr_sub3(m2->w, m1->w));
}

// dm = dtheta2 x m in the frame "body", else zero.
static void change(const void *params, trProbe3 *probe) {
    const Torque *p = params;
    const trVec3 *m = probe->state;
    if (p->turns) {
        tr_twist_change3(tr_cross3(probe->d2.turn, *m), probe);
    }
}

static void tangent(const void *params, double t, const trMotion3 *m1, const trMotion3 *m2,
                    trForceTangent *out) {
    trVec3   m = moment_at(params, t, m2);
    trProbe3 now = {.m1 = m1, .m2 = m2, .state = &m};
    tr_tangent_by_changes3(eval, change, params, t, &now, out);
}

const trForceKind tr_force_spatial_torque = {
    .name = "torque",
    .summary = "moment over time between two bodies",
    .example = "mx = function(t) return cos(t) end, my = 1, frame = 'body'",
    .dim = 3,
    .size = sizeof(Torque),
    .fields = fields,
    .prepare3 = prepare,
    .eval3 = eval,
    .tangent3 = tangent,
};
