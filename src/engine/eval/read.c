// SPDX-License-Identifier: MIT
// Energy, motion and loads at the state evaluated last.

#include <string.h>

#include "eval/solver.h"
#include "system/functions.h"

static bool is_evaluated(const trEval *e) {
    return e != NULL && e->equations.stamp != 0;
}

trEnergy tr_eval_energy(const trEval *e) {
    return is_evaluated(e) ? (trEnergy){tr_eval_kinetic(e, e->q, e->v), e->potential, e->power}
                           : (trEnergy){0};
}

trBodyState tr_eval_body(const trEval *e, int body) {
    return is_evaluated(e) ? tr_system_body_state(e->system, body, e->q, e->v) : (trBodyState){0};
}

trBodyState tr_eval_frame(const trEval *e, int frame) {
    return is_evaluated(e) ? tr_system_frame_state(e->system, frame, e->q, e->v) : (trBodyState){0};
}

static bool is_body(const trEval *e, int body) {
    return is_evaluated(e) && body >= 0 && body < tr_system_bodies(e->system);
}

static trAcceleration acceleration_of(const trEval *e, int body, const double *a) {
    const trSpace *space = e->system->space;
    if (!is_body(e, body)) {
        return (trAcceleration){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    return space->acceleration(&e->system->body[body], e->q + space->nq * body,
                               e->v + space->nv * body, a + space->nv * body);
}

static trBodyAcceleration public_acceleration(trAcceleration a) {
    return (trBodyAcceleration){a.origin.x,  a.origin.y,  a.origin.z,
                                a.angular.x, a.angular.y, a.angular.z};
}

trBodyAcceleration tr_eval_body_acceleration(const trEval *e, int body, const double *a) {
    return public_acceleration(acceleration_of(e, body, a));
}

trBodyAcceleration tr_eval_frame_acceleration(const trEval *e, int frame, const double *a) {
    if (!is_evaluated(e) || frame < 0 || frame >= e->system->frames) {
        return (trBodyAcceleration){0};
    }
    const trFrame    *f = &e->system->frame[frame];
    const trBodyState body = tr_system_body_state(e->system, f->body, e->q, e->v);
    trAcceleration    of_body = acceleration_of(e, f->body, a);
    return public_acceleration(tr_frame_acceleration(f, &body, &of_body));
}

static trLoad load2(trLoad2 x) {
    return (trLoad){.fx = x.fx, .fy = x.fy, .mz = x.moment};
}

static trLoad load3(trLoad3 x) {
    return (trLoad){x.force.x, x.force.y, x.force.z, x.moment.x, x.moment.y, x.moment.z};
}

trLoad tr_eval_force_load(const trEval *e, int force, int body) {
    trLoad load = {0};
    if (!is_body(e, body) || force < 0 || force >= e->system->forces) {
        return load;
    }
    const int      i = e->system->force_index[force];
    const trForce *f = &e->system->force[i];
    if (f->kind == &tr_function_force) {
        const trFunctionForce *function = f->params;
        const trFunctionLoads  loads = tr_function_loads(e, i);
        for (int k = 0; k < loads.bodies; k++) {
            load = function->body[k] == body ? load3(loads.load[k]) : load;
        }
        return load;
    }
    const trForceOut out = tr_eval_force_out(e, i);
    const bool       planar = e->motion2 != NULL;
    load = body == f->body1 ? (planar ? load2(out.on1) : load3(out.at1)) : load;
    return body == f->body2 ? (planar ? load2(out.on2) : load3(out.at2)) : load;
}

static trReaction reaction(const trEval *e, int joint, trLoad3 load, trVec3 point, int frame) {
    const trJoint *j = &e->system->joint[joint];
    return (trReaction){.fx = load.force.x,
                        .fy = load.force.y,
                        .fz = load.force.z,
                        .mx = load.moment.x,
                        .my = load.moment.y,
                        .mz = load.moment.z,
                        .moment = load.moment.z,
                        .x = point.x,
                        .y = point.y,
                        .z = point.z,
                        .point = j->kind->reaction_at,
                        .frame = tr_system_frame_name(e->system, frame),
                        .on = tr_system_body_name(e->system, j->body2),
                        .by = tr_system_body_name(e->system, j->body1)};
}

static bool is_joint(const trEval *e, int joint) {
    return is_evaluated(e) && joint >= 0 && joint < e->system->joints;
}

trReaction tr_eval_reaction(const trEval *e, int joint, const double *lambda) {
    trVec3 point;
    if (!is_joint(e, joint)) {
        return (trReaction){0};
    }
    const trLoad3 load = tr_system_report(e, joint, e->q, e->v, lambda, &point);
    return reaction(e, joint, load, point, e->system->joint[joint].report);
}

trReaction tr_eval_world_reaction(const trEval *e, int joint, const double *lambda) {
    trVec3 point;
    if (!is_joint(e, joint)) {
        return (trReaction){0};
    }
    const trLoad3 load = tr_system_reaction(e, joint, 2, lambda, &point);
    return reaction(e, joint, load, point, -1);
}

trStatus tr_reaction_check(const trSystem *system, int joint) {
    return joint >= 0 && joint < system->joints
               ? TR_OK
               : tr_fail(TR_E_ARGUMENT, "there is no joint %d; they are 0 to %d", joint,
                         system->joints - 1);
}

static bool is_variable(const trEval *e, int joint, int variable) {
    return is_joint(e, joint) && variable >= 0 &&
           variable < tr_joint_variables(e->system->joint[joint].kind);
}

// A variable that is held is row 0 of its joint.
trJointVariable tr_eval_joint_variable(const trEval *e, int joint, int variable,
                                       const double *lambda) {
    trJointAlone row;
    if (!is_variable(e, joint, variable)) {
        return (trJointVariable){0};
    }
    const bool held = e->system->joint[joint].kind->variable[variable].held && lambda != NULL;
    tr_variable_row(e, joint, variable, &row);
    return (trJointVariable){.value = row.phi[0],
                             .rate = tr_variable_rate(e, joint, &row),
                             .load = held ? -lambda[e->system->pattern.group_row[joint]] : 0.0};
}

void tr_eval_joint_gradient(const trEval *e, int joint, int variable, double *gradient) {
    trJointAlone row;
    if (e == NULL) {
        return;
    }
    const trSpace *space = e->system->space;
    memset(gradient, 0, (size_t)e->system->nv * sizeof *gradient);
    if (!is_variable(e, joint, variable)) {
        return;
    }
    tr_variable_row(e, joint, variable, &row);
    for (int k = 0; k < 2; k++) {
        const int body = e->system->joint[joint].body[k];
        if (body != TR_GROUND && space->widen != NULL) {
            space->widen(e, body, 1, row.J[k], gradient + space->nv * body, row.b);
        } else if (body != TR_GROUND) {
            memcpy(gradient + space->nv * body, row.J[k], (size_t)space->nv * sizeof *gradient);
        }
    }
}
