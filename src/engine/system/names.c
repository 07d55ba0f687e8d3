// SPDX-License-Identifier: MIT
// What a system tells in the user's terms: sizes, names, body frames, reactions.

#include <math.h>
#include <string.h>

#include "system/system.h"

#define COUNT(name, value)                    \
    int tr_system_##name(const trSystem *s) { \
        return value;                         \
    }

COUNT(dim, s->space->dim)
COUNT(nq, s->nq)
COUNT(nv, s->nv)
COUNT(m, s->m)
COUNT(bodies, s->space->dim == 0 ? 0 : s->bodies)
COUNT(coordinates, s->space->dim == 0 ? s->bodies : 0)
COUNT(states, s->states)
COUNT(frames, s->frames)
COUNT(joints, s->joints)
COUNT(constraints, s->constraints)
COUNT(groups, s->pattern.groups)

const char *tr_system_name(const trSystem *s) {
    return s->name;
}

int tr_system_constraint_rows(const trSystem *s, int constraint, int *first) {
    if (constraint < 0 || constraint >= s->constraints) {
        return 0;
    }
    *first = s->constraint_row[constraint];
    return s->constraint_row[constraint + 1] - *first;
}

bool tr_system_is_si(const trSystem *s) {
    for (int i = 0; s->unit != NULL && i < s->bodies; i++) {
        if (strcmp(s->unit[i], "m") != 0 && strcmp(s->unit[i], "rad") != 0) {
            return false;
        }
    }
    return true;
}

const char *tr_system_multiplier_unit(const trSystem *s, int row) {
    if (!tr_system_is_si(s)) {
        return "";
    }
    const char *angular = strcmp(s->row_unit[row], "rad") == 0 ? "N m" : "";
    return strcmp(s->row_unit[row], "m") == 0 ? "N" : angular;
}

static bool is_body(const trSystem *s, int body) {
    return body >= 0 && body < tr_system_bodies(s);
}

const char *tr_system_body_name(const trSystem *s, int body) {
    const char *other = body == TR_GROUND ? "ground" : NULL;
    return is_body(s, body) ? s->body[body].name : other;
}

const char *tr_system_joint_name(const trSystem *s, int joint) {
    return joint >= 0 && joint < s->joints ? s->joint[joint].name : NULL;
}

const char *tr_system_coordinate_name(const trSystem *s, int i) {
    return i >= 0 && i < tr_system_coordinates(s) ? s->body[i].name : NULL;
}

const char *tr_system_coordinate_unit(const trSystem *s, int i) {
    return i >= 0 && i < tr_system_coordinates(s) ? s->unit[i] : NULL;
}

const char *tr_system_state_name(const trSystem *s, int i) {
    return i >= 0 && i < s->states ? s->state[i].name : NULL;
}

const char *tr_system_constraint_name(const trSystem *s, int i) {
    int first = 0;
    return i >= 0 && tr_system_constraint_rows(s, i, &first) > 0
               ? s->joint[s->row_joint[first]].name
               : NULL;
}

trBodyState tr_system_body_state(const trSystem *s, int body, const double *q, const double *v) {
    if (!is_body(s, body)) {
        return (trBodyState){.quaternion = {1.0, 0.0, 0.0, 0.0}};
    }
    return s->space->state(&s->body[body], q + (size_t)(s->space->nq * body),
                           v + (size_t)(s->space->nv * body));
}

// The point of a joint in the world, and the center of mass of a body.
static trVec3 point_of(const trEval *e, const trJoint *joint) {
    const trMotions m = tr_eval_motions(e, joint);
    if (e->motion3 != NULL) {
        return tr_joint_reaction_point3(joint->kind, joint->params, m.solid);
    }
    trVec2 p = tr_joint_reaction_point(joint->kind, joint->params, m.flat);
    return (trVec3){p.x, p.y, 0.0};
}

// Ground has no rows in A. Of two bodies it bears the opposite of the other one; else what its own
// rows say.
static trLoad3 load_on_ground(const trEval *e, int j, int side, const double *lambda) {
    const trJoint  *joint = &e->system->joint[j];
    const trMotions m = tr_eval_motions(e, joint);
    const trSpace  *space = e->motion2 != NULL ? &tr_space_planar : &tr_space_body;
    trJointAlone    rows;
    tr_joint_alone(joint, e->t, &m, e->near + e->system->joint_turn[j], &rows);
    return space->joint_load(e, TR_GROUND, joint->kind->rows, rows.J[side - 1], lambda);
}

trLoad3 tr_system_reaction(const trEval *e, int j, int side, const double *lambda, trVec3 *point) {
    const trSystem *s = e->system;
    const trJoint  *joint = &s->joint[j];
    const double   *part = lambda + s->pattern.group_row[j];
    const bool      ground = joint->body[side - 1] == TR_GROUND;
    const bool      opposite = ground && joint->bodies == 2;
    const int       of = opposite ? 2 - side : side - 1, body = joint->body[of];
    const double    sign = opposite ? -1.0 : 1.0;
    trLoad3         load = ground && !opposite ? load_on_ground(e, j, side, part)
                                               : s->space->joint_load(e, body, joint->kind->rows,
                                                                      e->value + s->side[j][of], part);
    *point = point_of(e, joint);
    // M about P = M about the center - (P - r) x F
    trVec3 arm = tr_sub3(*point, tr_eval_center(e, body));
    trVec3 moment = tr_sub3(load.moment, tr_cross3(arm, load.force));
    return (trLoad3){tr_scale3(sign, load.force), tr_scale3(sign, moment)};
}
