// SPDX-License-Identifier: MIT
// The equations of motion at one instant: kinematics of the bodies, then joints, then forces.

#include <math.h>

#include "system/system.h"

trStatus tr_eval_plan(trArena *arena, const trSystem *s, double rank_tolerance, trEval *e) {
    *e = (trEval){.system = s};
    e->motion = tr_new_array(arena, trMotion2, s->bodies + 1);
    e->value = tr_new_array(arena, double, s->values);
    e->Q = tr_new_array(arena, double, s->nv);
    e->b = tr_new_array(arena, double, s->m);
    e->b1 = tr_new_array(arena, double, s->m);
    e->phi = tr_new_array(arena, double, s->m);
    e->row_scale = tr_new_array(arena, double, s->m);
    e->ground = tr_new_array(arena, double, TR_PLANAR_ROWS * 3);
    e->q = tr_new_array(arena, double, s->nq);
    TR_TRY(tr_arena_status(arena));
    e->motion[0].c = 1.0;  // ground stands still at the origin
    e->equations = (trEquations){.nv = s->nv,
                                 .m = s->m,
                                 .M = {.n = s->nv, .diagonal = s->mass},
                                 .A = s->pattern,
                                 .Q = e->Q,
                                 .b = e->b,
                                 .b1 = e->b1,
                                 .phi = e->phi,
                                 .holonomic = s->holonomic,
                                 .row_scale = e->row_scale,
                                 .rank_tolerance = rank_tolerance};
    e->equations.A.value = e->value;
    return TR_OK;
}

// Angles and rates this small are zero beside anything. Far down a long chain they fall below any
// bound, and products of such numbers are denormal, with which arithmetic is a hundred times
// slower.
#define NOTHING 1e-100

static double or_zero(double x) {
    return fabs(x) < NOTHING ? 0.0 : x;
}

static void find_motions(const trSystem *s, const double *q, const double *v, trMotion2 *motion) {
    for (int i = 0; i < s->bodies; i++) {
        trMotion2 *m = &motion[i + 1];
        m->r = (trVec2){q[3 * i], q[3 * i + 1]};
        m->angle = or_zero(q[3 * i + 2]);
        m->c = cos(m->angle);
        m->s = sin(m->angle);
        m->v = (trVec2){v[3 * i], v[3 * i + 1]};
        m->omega = or_zero(v[3 * i + 2]);
    }
}

// Where the blocks and rows of joint j are written.
static trJointRows rows_of(const trSystem *s, trEval *e, int j) {
    int row = s->pattern.group_row[j];
    return (trJointRows){.J1 = s->side1[j] < 0 ? e->ground : e->value + s->side1[j],
                         .J2 = s->side2[j] < 0 ? e->ground : e->value + s->side2[j],
                         .phi = e->phi + row,
                         .b1 = e->b1 + row,
                         .b = e->b + row};
}

static void eval_joints(const trSystem *s, double t, trEval *e) {
    for (int j = 0; j < s->joints; j++) {
        const trJoint *joint = &s->joint[j];
        trJointRows    out = rows_of(s, e, j);
        joint->kind->eval(joint->params, t, &e->motion[joint->body1 + 1],
                          &e->motion[joint->body2 + 1], &out);
    }
}

static void add_load(double *Q, int body, const trLoad2 *load) {
    if (body != TR_GROUND) {
        Q[3 * body] += load->fx;
        Q[3 * body + 1] += load->fy;
        Q[3 * body + 2] += load->moment;
    }
}

// Those that never change have V = -Q0.q.
static void eval_forces(const trSystem *s, double t, const double *q, trEval *e) {
    e->potential = e->power = 0.0;
    for (int i = 0; i < s->nv; i++) {
        e->Q[i] = s->Q0[i];
        e->potential -= s->Q0[i] * q[i];
    }
    for (int i = 0; i < s->varying; i++) {
        const trForce *force = &s->force[i];
        trForceOut     out = {0};
        force->kind->eval(force->params, t, &e->motion[force->body1 + 1],
                          &e->motion[force->body2 + 1], &out);
        add_load(e->Q, force->body1, &out.on1);
        add_load(e->Q, force->body2, &out.on2);
        e->potential += out.potential;
        e->power += out.power;
    }
}

// 0 times a number is 0, times anything else NaN. Four sums at a time keep the processor busy.
static bool all_finite(const double *x, int count) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int    i = 0;
    for (; i + 4 <= count; i += 4) {
        sum[0] += 0.0 * x[i];
        sum[1] += 0.0 * x[i + 1];
        sum[2] += 0.0 * x[i + 2];
        sum[3] += 0.0 * x[i + 3];
    }
    for (; i < count; i++) {
        sum[0] += 0.0 * x[i];
    }
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

// Numbers beyond this are the sign of a run that blows up, not of a function that is wrong.
#define BOUND 1e30

static bool all_bounded(const double *x, int count) {
    for (int i = 0; i < count; i++) {
        if (!(fabs(x[i]) < BOUND)) {
            return false;
        }
    }
    return true;
}

// Only after a number was found not to be finite: who made it?
static trStatus blame_culprit(const trSystem *s, double t, trEval *e) {
    for (int j = 0; j < s->joints; j++) {
        int row = s->pattern.group_row[j], rows = s->joint[j].kind->rows;
        if (!all_finite(e->phi + row, rows) || !all_finite(e->b + row, rows) ||
            !all_finite(e->b1 + row, rows)) {
            tr_fail(TR_NOT_FINITE,
                    "not a finite number at t = %.9g s; check its function of time and its first "
                    "two derivatives there",
                    t);
            return tr_blame_joint(TR_NOT_FINITE, &s->joint[j]);
        }
    }
    for (int i = 0; i < s->forces; i++) {
        const trForce *force = &s->force[i];
        trForceOut     out = {0};
        force->kind->eval(force->params, t, &e->motion[force->body1 + 1],
                          &e->motion[force->body2 + 1], &out);
        const double numbers[] = {out.on1.fx, out.on1.fy,     out.on1.moment, out.on2.fx,
                                  out.on2.fy, out.on2.moment, out.potential,  out.power};
        if (!all_finite(numbers, (int)(sizeof numbers / sizeof *numbers))) {
            tr_fail(TR_NOT_FINITE,
                    "not a finite number at t = %.9g s; check its function or law there", t);
            return tr_blame_force(TR_NOT_FINITE, force);
        }
    }
    return tr_fail(TR_NOT_FINITE, "t = %.9g s: the equations of motion are not finite", t);
}

// A stamp says whether M and A are those of the last evaluation.
static void renew_stamp(const trSystem *s, double t, const double *q, trEval *e) {
    bool changed = e->equations.stamp == 0 || t != e->t;
    for (int i = 0; i < s->nq; i++) {
        changed |= q[i] != e->q[i];
        e->q[i] = q[i];
    }
    e->t = t;
    e->equations.stamp += changed;
}

trStatus tr_system_eval(const trSystem *s, double t, const double *q, const double *v, trEval *e) {
    renew_stamp(s, t, q, e);
    find_motions(s, q, v, e->motion);
    eval_joints(s, t, e);
    eval_forces(s, t, q, e);
    if (all_finite(e->Q, s->nv) && all_finite(e->b, s->m) && all_finite(e->phi, s->m) &&
        isfinite(e->potential + e->power)) {
        return TR_OK;
    }
    e->t = NAN;  // the next evaluation must not take this one for its own
    if (!all_bounded(q, s->nq) || !all_bounded(v, s->nv)) {
        return tr_fail(TR_NOT_FINITE,
                       "t = %.9g s: the motion grows beyond all bounds; take a smaller step", t);
    }
    return blame_culprit(s, t, e);
}

double tr_system_kinetic(const trSystem *s, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < s->nv; i++) {
        sum += s->mass[i] * v[i] * v[i];
    }
    return 0.5 * sum;
}
