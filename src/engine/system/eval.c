// SPDX-License-Identifier: MIT
// The equations of motion at one instant: kinematics of the bodies, then joints, then forces.

#include <math.h>
#include <stddef.h>

#include "base/finite.h"
#include "base/keep.h"
#include "system/functions.h"

// A state is evaluated before it is used; what has been evaluated already is not evaluated again.
static void keep(trArena *arena, trEval *e) {
    const size_t bodies = (size_t)e->system->bodies;
    tr_keep_doubles(arena, (double *)e->motion2, (bodies + 1) * sizeof(trMotion2) / sizeof(double));
    tr_keep_doubles(arena, (double *)e->motion3, (bodies + 1) * sizeof(trMotion3) / sizeof(double));
    tr_keep_doubles(arena, (double *)e->lift, bodies * sizeof(trLift) / sizeof(double));
    tr_keep_doubles(arena, (double *)e->count,
                    (size_t)e->system->counts * sizeof(trCount) / sizeof(double));
    const size_t ends = (size_t)e->system->varying * sizeof(trEnds) / sizeof(double);
    tr_keep_doubles(arena, (double *)e->ends, ends);
    tr_keep_doubles(arena, (double *)e->ends_near, ends);
    tr_keep_bool(arena, &e->counting);
    tr_keep_double(arena, &e->potential);
    tr_keep_double(arena, &e->power);
    tr_keep_double(arena, &e->t);
    tr_keep_count(arena, &e->equations.stamp);
}

trStatus tr_eval_plan(trArena *arena, const trSystem *s, double rank_tolerance, trEval *e) {
    *e = (trEval){.system = s, .refused = -1, .failed = -1};
    int dim = s->space->dim;
    e->motion2 = dim == 2 ? tr_new_array(arena, trMotion2, s->bodies + 1) : NULL;
    e->motion3 = dim == 3 ? tr_new_array(arena, trMotion3, s->bodies + 1) : NULL;
    e->value = tr_new_array(arena, double, s->values);
    e->Q = tr_new_array(arena, double, s->nv);
    e->b = tr_new_array(arena, double, s->m);
    e->b1 = tr_new_array(arena, double, s->m);
    e->phi = tr_new_array(arena, double, s->m);
    e->row_scale = tr_new_array(arena, double, s->m);
    e->spare = tr_new_array(arena, bool, s->m);
    e->row_size = tr_new_array(arena, double, s->m);
    e->M = s->dense ? tr_new_array(arena, double, (ptrdiff_t)s->nv * s->nv) : NULL;
    if (s->space->widen != NULL) {
        e->lift = tr_new_array(arena, trLift, s->bodies);
        e->narrow = tr_new_array(arena, double, TR_JOINT_BODIES * 6 * TR_JOINT_ROWS);
    }
    e->ground = tr_new_array(arena, double, TR_JOINT_ROWS * s->space->nv);
    e->near = tr_new_array(arena, double, s->turns);
    e->turn = tr_new_array(arena, double, s->turns);
    e->count = tr_new_array(arena, trCount, s->counts);
    e->ends = tr_new_array(arena, trEnds, s->varying);
    e->ends_near = tr_new_array(arena, trEnds, s->varying);
    e->q = tr_new_array(arena, double, s->nq);
    e->v = tr_new_array(arena, double, s->nv);
    TR_TRY(tr_traced_plan(arena, s, e));
    TR_TRY(tr_functions_plan(arena, s, e));
    TR_TRY(tr_arena_status(arena));
    for (int i = 0; i < s->m; i++) {
        e->row_size[i] = 1.0;
    }
    if (dim == 2) {  // ground stands still at the origin
        e->motion2[0].c = 1.0;
    } else if (dim == 3) {
        e->motion3[0] = (trMotion3){.u = {1.0, 0.0, 0.0, 0.0}, .R = tr_identity3()};
    }
    e->equations =
        (trEquations){.nv = s->nv,
                      .m = s->m,
                      .M = {.n = s->nv, .diagonal = s->dense ? NULL : s->mass, .dense = e->M},
                      .A = s->pattern,
                      .Q = e->Q,
                      .b = e->b,
                      .b1 = e->b1,
                      .phi = e->phi,
                      .holonomic = s->holonomic,
                      .nonlinear = s->traced != NULL && s->traced->nonlinear,
                      .row_size = e->row_size,
                      .measure = s->measure,
                      .row_scale = e->row_scale,
                      .spare = e->spare,
                      .rank_tolerance = rank_tolerance};
    e->equations.A.value = e->value;
    keep(arena, e);
    return tr_arena_status(arena);
}

// Where the blocks and rows of joint j are written.
static trJointRows rows_of(const trSystem *s, trEval *e, int j) {
    int         row = s->pattern.group_row[j];
    trJointRows out = {.phi = e->phi + row,
                       .b1 = e->b1 + row,
                       .b = e->b + row,
                       .near = e->near + s->joint_turn[j],
                       .turn = e->turn + s->joint_turn[j]};
    for (int k = 0; k < s->joint[j].bodies; k++) {
        out.J[k] = s->side[j][k] < 0 ? e->ground : e->value + s->side[j][k];
    }
    return out;
}

static void eval_rows(const trJoint *joint, double t, const trMotions *m, trJointRows *out) {
    out->t = t;
    if (joint->kind->dim == 2) {
        joint->kind->eval(joint->params, m->flat, out);
    } else {
        joint->kind->eval3(joint->params, m->solid, out);
    }
}

static void eval_joint(const trSystem *s, double t, int j, const trEval *e, trJointRows *out) {
    const trMotions m = tr_eval_motions(e, &s->joint[j]);
    eval_rows(&s->joint[j], t, &m, out);
}

void tr_joint_alone(const trJoint *joint, double t, const trMotions *m, const double *near,
                    trJointAlone *out) {
    trJointRows rows = {
        .phi = out->phi, .b1 = out->b1, .b = out->b, .near = near, .turn = out->turn};
    for (int k = 0; k < joint->bodies; k++) {
        rows.J[k] = out->J[k];
    }
    eval_rows(joint, t, m, &rows);
}

// In a space whose velocities are not those that joints know.
static void eval_widened(const trSystem *s, double t, int j, trEval *e) {
    const trJoint *joint = &s->joint[j];
    trJointRows    wide = rows_of(s, e, j), out = wide;
    for (int k = 0; k < joint->bodies; k++) {
        out.J[k] = e->narrow + (ptrdiff_t)(6 * TR_JOINT_ROWS) * k;
    }
    eval_joint(s, t, j, e, &out);
    for (int k = 0; k < joint->bodies; k++) {
        if (joint->body[k] != TR_GROUND) {
            s->space->widen(e, joint->body[k], joint->kind->rows, out.J[k], wide.J[k], wide.b);
        }
    }
}

static void eval_joints(const trSystem *s, double t, const double *q, const double *v, trEval *e) {
    for (int j = 0; j < s->joints; j++) {
        if (s->space->widen != NULL) {
            eval_widened(s, t, j, e);
            continue;
        }
        trJointRows out = rows_of(s, e, j);
        eval_joint(s, t, j, e, &out);
    }
    for (int i = 0; i < s->norms; i++) {
        trJointRows out = rows_of(s, e, s->joints + i);
        s->space->norm_row(q + s->space->nq * i, v + s->space->nv * i, &out);
    }
}

// Of a function in C, as if it acted on bodies 1 and 2 alone.
static trForceOut function_out(const trEval *e, int i) {
    const trFunctionLoads f = tr_function_loads(e, i);
    const trLoad3         none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const trLoad3         one = f.bodies > 1 ? f.load[0] : none, two = f.load[f.bodies > 1];
    return (trForceOut){.on1 = {one.force.x, one.force.y, one.moment.z},
                        .on2 = {two.force.x, two.force.y, two.moment.z},
                        .at1 = one,
                        .at2 = two,
                        .potential = f.potential,
                        .power = f.power};
}

static trForceOut eval_force(const trSystem *s, double t, int i, const trEval *e, double *turn) {
    const trForce *force = &s->force[i];
    int            one = force->body1 + 1, two = force->body2 + 1;
    trForceOut     out = {.near = e->near + s->force_turn[i], .turn = turn};
    if (force->kind == &tr_traced_force) {
        return tr_traced_load(e, i);
    }
    if (force->kind == &tr_function_force) {
        return function_out(e, i);
    }
    if (e->motion2 != NULL) {
        force->kind->eval(force->params, t, &e->motion2[one], &e->motion2[two], &out);
    } else {
        force->kind->eval3(force->params, t, &e->motion3[one], &e->motion3[two], &out);
    }
    return out;
}

trForceOut tr_eval_force_out(const trEval *e, int i) {
    double turn[TR_JOINT_TURNS];
    return eval_force(e->system, e->t, i, e, turn);
}

trLoad3 tr_eval_force(const trEval *e, int i) {
    trForceOut out = tr_eval_force_out(e, i);
    if (e->motion3 != NULL) {
        return out.at2;
    }
    return (trLoad3){{out.on2.fx, out.on2.fy, 0.0}, {0.0, 0.0, out.on2.moment}};
}

// Those that never change have V = -F.r.
static void eval_constant_forces(const trSystem *s, const double *q, trEval *e) {
    const trSpace *space = s->space;
    for (int i = 0; i < s->bodies; i++) {
        const double *Q0 = s->Q0 + space->nv * i, *r = q + space->nq * i;
        double       *Q = e->Q + space->nv * i;
        for (int k = 0; k < space->nv; k++) {
            Q[k] = Q0[k];
        }
        for (int k = 0; k < space->dim; k++) {
            e->potential -= Q0[k] * r[k];
        }
    }
}

static void eval_forces(const trSystem *s, double t, const double *q, const double *v, trEval *e) {
    eval_constant_forces(s, q, e);
    if (s->space->add_inertia != NULL) {
        s->space->add_inertia(s, e, v, e->Q);
    }
    for (int i = 0; i < s->varying; i++) {
        const trForce *force = &s->force[i];
        if (force->kind == &tr_function_force) {
            tr_function_add(s, i, e);
            continue;
        }
        trForceOut out = eval_force(s, t, i, e, e->turn + s->force_turn[i]);
        const int  body[2] = {force->body1, force->body2};
        for (int k = 0; k < 2; k++) {
            if (body[k] != TR_GROUND) {
                s->space->add_load(e, body[k], &out, k + 1, e->Q + s->space->nv * body[k]);
            }
        }
        e->potential += out.potential;
        e->power += out.power;
        e->undefined = out.undefined != NULL && e->undefined < 0 ? i : e->undefined;
        e->ends[i] = out.ends;
    }
}

// Numbers beyond this are the sign of a run that blows up, not of a function that is wrong.
#define BOUND 1e30

// The first number that is not bounded, or -1.
static int find_unbounded(const double *x, int count) {
    for (int i = 0; i < count; i++) {
        if (!(fabs(x[i]) < BOUND)) {
            return i;
        }
    }
    return -1;
}

// TR_NOT_FINITE by the name of a body that runs away, if there is one.
static trStatus check_bounded(const trSystem *s, double t, const double *q, const double *v) {
    int of_q = find_unbounded(q, s->nq), of_v = find_unbounded(v, s->nv);
    if (of_q < 0 && of_v < 0) {
        return TR_OK;
    }
    int body = of_q >= 0 ? of_q / s->space->nq : of_v / s->space->nv;
    tr_fail(TR_NOT_FINITE, "its motion grows without bounds at t = %.9g s; take a smaller step", t);
    return tr_blame_body(TR_NOT_FINITE, &s->body[body]);
}

static bool is_finite_force(const trForceOut *out) {
    const double sum = out->potential + out->power + out->on1.fx + out->on1.fy + out->on1.moment +
                       out->on2.fx + out->on2.fy + out->on2.moment;
    const double parts[12] = {out->at1.force.x,  out->at1.force.y,  out->at1.force.z,
                              out->at1.moment.x, out->at1.moment.y, out->at1.moment.z,
                              out->at2.force.x,  out->at2.force.y,  out->at2.force.z,
                              out->at2.moment.x, out->at2.moment.y, out->at2.moment.z};
    return isfinite(sum) && tr_all_finite(parts, 12);
}

// Only after a number was found not to be finite: who made it?
static trStatus blame_culprit(const trSystem *s, double t, trEval *e) {
    for (int j = 0; j < s->joints; j++) {
        int row = s->pattern.group_row[j], rows = s->joint[j].kind->rows;
        if (!tr_all_finite(e->phi + row, rows) || !tr_all_finite(e->b + row, rows) ||
            !tr_all_finite(e->b1 + row, rows)) {
            tr_fail(TR_NOT_FINITE,
                    "not a finite number at t = %.9g s; check its function of time and its first "
                    "two derivatives there",
                    t);
            return tr_blame_joint(TR_NOT_FINITE, &s->joint[j]);
        }
    }
    for (int i = 0; i < s->forces; i++) {
        const trForce *force = &s->force[i];
        trForceOut     out = tr_eval_force_out(e, i);
        if (!is_finite_force(&out)) {
            tr_fail(TR_NOT_FINITE,
                    "not a finite number at t = %.9g s; check its function or law there", t);
            return tr_blame_force(TR_NOT_FINITE, force);
        }
    }
    return tr_fail(TR_NOT_FINITE, "t = %.9g s: the equations of motion are not finite", t);
}

trStatus tr_eval_defined(trEval *e) {
    if (e->undefined < 0) {
        return TR_OK;
    }
    e->refused = e->undefined;
    e->refusal = tr_eval_force_out(e, e->undefined).undefined;
    tr_fail(TR_NOT_FINITE, "t = %.9g s: %s", e->t, e->refusal);
    return tr_blame_force(TR_NOT_FINITE, &e->system->force[e->undefined]);
}

trStatus tr_eval_repeat_refusal(const trEval *e, double t) {
    if (e->refused < 0) {
        return TR_OK;
    }
    tr_fail(TR_E_SIMULATION, "t = %.9g s: %s", t, e->refusal);
    return tr_blame_force(TR_E_SIMULATION, &e->system->force[e->refused]);
}

// A stamp says whether M and A are those of the last evaluation.
static void renew_stamp(const trSystem *s, double t, const double *q, const double *v, trEval *e) {
    bool changed = e->equations.stamp == 0 || t != e->t;
    for (int i = 0; i < s->nq; i++) {
        changed |= q[i] != e->q[i];
        e->q[i] = q[i];
    }
    for (int i = 0; i < s->nv; i++) {
        changed |= e->equations.nonlinear && v[i] != e->v[i];
        e->v[i] = v[i];
    }
    e->t = t;
    e->equations.stamp += changed;
}

// At an instant where a function of time changes its formula the new one counts, whichever way a
// comparison that decides it is written: less(t, 1) has changed at t = 1, greater(t, 1) changes
// after it.
static double after_break(const trSystem *s, double t) {
    int low = 0, high = s->breaks;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->break_time[middle] < t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < s->breaks && s->break_time[low] == t ? nextafter(t, INFINITY) : t;
}

trStatus tr_system_eval(const trSystem *s, double t, const double *q, const double *v, trEval *e) {
    t = after_break(s, t);
    renew_stamp(s, t, q, v, e);
    e->potential = e->power = 0.0;
    e->undefined = e->failed = -1;
    if (s->space->move != NULL) {
        s->space->move(s, q, v, e);
    }
    if (s->traced != NULL) {
        tr_traced_eval(s, t, q, v, e);
    }
    if (s->space->dim != 0) {
        eval_joints(s, t, q, v, e);
        eval_forces(s, t, q, v, e);
    }
    if (e->failed >= 0) {
        e->t = NAN;  // as below
        return tr_functions_check(t, e);
    }
    if (tr_all_finite(e->Q, s->nv) && tr_all_finite(e->b, s->m) && tr_all_finite(e->phi, s->m) &&
        isfinite(e->potential + e->power)) {
        TR_TRY(s->traced == NULL ? TR_OK : tr_traced_check(s, t, e));
        TR_TRY(e->counting ? tr_eval_defined(e) : TR_OK);
        return tr_eval_check_turns(e);
    }
    e->t = NAN;  // the next evaluation must not take this one for its own
    TR_TRY(check_bounded(s, t, q, v));
    TR_TRY(s->traced == NULL ? TR_OK : tr_traced_check(s, t, e));
    return blame_culprit(s, t, e);
}

void tr_eval_spare(trEval *e, int row, bool spare) {
    e->spare[row] = spare;
    e->equations.stamp++;
}
