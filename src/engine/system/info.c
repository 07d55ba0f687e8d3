// SPDX-License-Identifier: MIT
// What a system has: things by number and name, coordinates, rows, joints, forces.

#include <string.h>

#include "base/spell.h"
#include "system/system.h"

static const trForce *force_of_model(const trSystem *s, int force) {
    return &s->force[s->force_index[force]];
}

static int force_count(const trSystem *s) {
    return s->forces;
}

static const char *force_name(const trSystem *s, int i) {
    return tr_system_force(s, i).name;
}

static int input_count(const trSystem *s) {
    return s->inputs;
}

static const char *input_name(const trSystem *s, int i) {
    return i >= 0 && i < s->inputs ? s->input[i].name : NULL;
}

static const struct {
    const char *word;
    int (*count)(const trSystem *s);
    const char *(*name)(const trSystem *s, int i);
} things[TR_THINGS] = {
    [TR_THING_BODY] = {"body", tr_system_bodies, tr_system_body_name},
    [TR_THING_FRAME] = {"frame", tr_system_frames, tr_system_frame_name},
    [TR_THING_JOINT] = {"joint", tr_system_joints, tr_system_joint_name},
    [TR_THING_FORCE] = {"force", force_count, force_name},
    [TR_THING_CONSTRAINT] = {"constraint", tr_system_constraints, tr_system_constraint_name},
    [TR_THING_COORDINATE] = {"coordinate", tr_system_coordinates, tr_system_coordinate_name},
    [TR_THING_STATE] = {"state", tr_system_states, tr_system_state_name},
    [TR_THING_INPUT] = {"input", input_count, input_name},
};

int tr_system_count(const trSystem *s, trThing thing) {
    return (unsigned)thing < TR_THINGS ? things[thing].count(s) : 0;
}

const char *tr_system_thing_name(const trSystem *s, trThing thing, int i) {
    return (unsigned)thing < TR_THINGS ? things[thing].name(s, i) : NULL;
}

typedef struct Words {
    const trSystem *system;
    trThing         thing;
} Words;

static const char *nth_word(const void *context, int i) {
    const Words *words = context;
    return tr_system_thing_name(words->system, words->thing, i);
}

trStatus tr_system_find(const trSystem *s, trThing thing, const char *name, int *out) {
    const Words words = {s, thing};
    const int   count = tr_system_count(s, thing);
    *out = TR_GROUND;
    if (name == NULL || (unsigned)thing >= TR_THINGS) {
        return tr_fail(TR_E_ARGUMENT, "a name and one of TR_THING_... are needed");
    }
    if (thing == TR_THING_BODY && strcmp(name, "ground") == 0) {
        return TR_OK;
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(nth_word(&words, i), name) == 0) {
            *out = i;
            return TR_OK;
        }
    }
    trStatus    status = tr_fail(TR_E_MODEL, "there is no %s '%s'", things[thing].word, name);
    const char *nearest = tr_spell_nearest(name, count, nth_word, &words);
    return nearest == NULL ? status : tr_add_hint(status, "; did you mean '%s'?", nearest);
}

// --- coordinates ---

static trCoordinateInfo coordinate(const trSystem *s, int body, const char *motion,
                                   const char *unit, bool turns) {
    const char *own = s->unit != NULL ? s->unit[body] : unit;
    return (trCoordinateInfo){body, s->body[body].name, s->body[body].origin, motion, own, turns};
}

trCoordinateInfo tr_system_position(const trSystem *s, int i) {
    const trSpace *space = s->space;
    if (i < 0 || i >= s->nq) {
        return (trCoordinateInfo){.body = -1};
    }
    const int   k = i % space->nq;
    const char *turned = space->dim == 2 ? "rad" : "";
    return coordinate(s, i / space->nq, space->q_name[k], k < space->dim ? "m" : turned, false);
}

trCoordinateInfo tr_system_velocity(const trSystem *s, int i) {
    const trSpace *space = s->space;
    if (i < 0 || i >= s->nv) {
        return (trCoordinateInfo){.body = -1};
    }
    const int   k = i % space->nv;
    const bool  turns = tr_space_turns(space, k);
    const char *turning = space->widen == NULL ? "rad" : "";  // not of rates of quaternions
    return coordinate(s, i / space->nv, space->v_name[k], turns ? turning : "m", turns);
}

// --- rows, joints, forces ---

static int constraint_of(const trSystem *s, int row) {
    int i = 0;
    while (i < s->constraints && row >= s->constraint_row[i + 1]) {
        i++;
    }
    return i;
}

trRowInfo tr_system_row(const trSystem *s, int row) {
    if (row < 0 || row >= s->m) {
        return (trRowInfo){.joint = -1, .constraint = -1, .group = -1};
    }
    const int j = s->row_joint[row];
    return (trRowInfo){.joint = j < s->joints ? j : -1,
                       .constraint = row >= s->m - s->recorded ? constraint_of(s, row) : -1,
                       .group = j,
                       .name = s->joint[j].name,
                       .origin = s->joint[j].origin,
                       .unit = s->row_unit[row],
                       .multiplier = tr_system_multiplier_unit(s, row),
                       .holonomic = s->holonomic[row]};
}

int tr_system_row_bodies(const trSystem *s, int row, int room, int *body) {
    const trRows *A = &s->pattern;
    int           count = 0, group = row >= 0 && row < s->m ? s->row_joint[row] : -1;
    for (int k = 0; group >= 0 && k < A->group_side[group + 1] - A->group_side[group]; k++) {
        const int side = A->group_side[group] + k;
        if (count < room) {
            body[count] = A->side_column[side] / A->side_width[side];
        }
        count++;
    }
    return count;
}

trGroupInfo tr_system_group(const trSystem *s, int group) {
    if (group < 0 || group >= s->pattern.groups) {
        return (trGroupInfo){.joint = -1, .constraint = -1};
    }
    const int row = s->pattern.group_row[group];
    return (trGroupInfo){.joint = group < s->joints ? group : -1,
                         .constraint = s->joint[group].recorded ? constraint_of(s, row) : -1,
                         .name = s->joint[group].name,
                         .origin = s->joint[group].origin,
                         .row = row,
                         .rows = s->pattern.group_row[group + 1] - row};
}

trConstraintInfo tr_system_constraint(const trSystem *s, int constraint) {
    int first = 0, rows = tr_system_constraint_rows(s, constraint, &first);
    return rows == 0 ? (trConstraintInfo){.name = NULL}
                     : (trConstraintInfo){.name = tr_system_constraint_name(s, constraint),
                                          .unit = s->row_unit[first],
                                          .row = first,
                                          .rows = rows};
}

trBodyInfo tr_system_body(const trSystem *s, int body) {
    if (body < 0 || body >= tr_system_bodies(s)) {
        return (trBodyInfo){.name = NULL};
    }
    const trBody *b = &s->body[body];
    const trVec3  J = b->spatial.place.inertia;
    trBodyInfo    info = {b->name, b->origin, b->mass, {J.x, J.y, J.z}, 0.0};
    if (s->space->dim == 2) {
        info.inertia[0] = info.inertia[1] = 0.0;
        info.inertia[2] = b->inertia;
        info.angle = b->angle;
    }
    return info;
}

trFrameInfo tr_system_frame(const trSystem *s, int frame) {
    if (frame < 0 || frame >= s->frames) {
        return (trFrameInfo){.body = TR_GROUND};
    }
    const trFrame *f = &s->frame[frame];
    return (trFrameInfo){f->name, f->body, f->angle, f->port};
}

int tr_system_nonlinear_row(const trSystem *s) {
    return s->traced != NULL && s->traced->nonlinear ? s->m - s->recorded + s->traced->nonlinear_row
                                                     : -1;
}

trJointInfo tr_system_joint(const trSystem *s, int joint) {
    if (joint < 0 || joint >= s->joints) {
        return (trJointInfo){.body1 = TR_GROUND, .body2 = TR_GROUND};
    }
    const trJoint *j = &s->joint[joint];
    return (trJointInfo){.name = j->name,
                         .kind = j->kind->name,
                         .origin = j->origin,
                         .body1 = j->body1,
                         .body2 = j->body2,
                         .bodies = j->bodies,
                         .body = j->body,
                         .row = s->pattern.group_row[joint],
                         .rows = j->kind->rows,
                         .velocity_rows = j->kind->nonholonomic,
                         .driven = (j->kind->traits & TR_RHEONOMIC) != 0,
                         .variables = tr_joint_variables(j->kind)};
}

trVariableInfo tr_system_joint_variable(const trSystem *s, int joint, int variable) {
    const int variables = tr_system_joint(s, joint).variables;
    if (variable < 0 || variable >= variables) {
        return (trVariableInfo){.name = NULL};
    }
    const trVariableKind *v = &s->joint[joint].kind->variable[variable];
    return (trVariableInfo){v->name, v->unit, v->held};
}

trForceInfo tr_system_force(const trSystem *s, int force) {
    if (force < 0 || force >= s->forces) {
        return (trForceInfo){.body1 = TR_GROUND, .body2 = TR_GROUND};
    }
    const trForce *f = force_of_model(s, force);
    return (trForceInfo){f->name, f->kind->name, f->origin, f->body1, f->body2};
}

// --- the start, and movements from it ---

void tr_system_start(const trSystem *s, double *q, double *v) {
    memcpy(q, s->q0, (size_t)s->nq * sizeof *q);
    memcpy(v, s->v0, (size_t)s->nv * sizeof *v);
}

void tr_system_start_velocity(const trSystem *s, const double *q, double *v) {
    const trSpace *space = s->space;
    for (int i = 0; i < s->bodies; i++) {
        space->start_velocity(&s->body[i], q + space->nq * i, v + space->nv * i);
    }
}

void tr_system_move(const trSystem *s, const double *dv, double *q) {
    tr_system_retract(s, dv, q);
}
