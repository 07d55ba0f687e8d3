// SPDX-License-Identifier: MIT
// Compiles a model into a system: rows and columns of A, the diagonal of M, the initial state.

#include <math.h>

#include "system/system.h"

// Joint j has rows_of(j) rows and a side for each of its bodies that is not ground.
static void layout_rows(trSystem *s) {
    int *group_row = tr_new_array(s->arena, int, s->joints + 1);
    int *group_side = tr_new_array(s->arena, int, s->joints + 1);
    int *side_column = tr_new_array(s->arena, int, 2 * s->joints);
    int *side_width = tr_new_array(s->arena, int, 2 * s->joints);
    int *side_value = tr_new_array(s->arena, int, 2 * s->joints);
    int *start[2] = {tr_new_array(s->arena, int, s->joints),
                     tr_new_array(s->arena, int, s->joints)};
    if (tr_arena_status(s->arena) != TR_OK) {
        return;
    }
    int rows = 0, sides = 0, values = 0;
    for (int j = 0; j < s->joints; j++) {
        const trJoint *joint = &s->joint[j];
        const int      body[2] = {joint->body1, joint->body2};
        group_row[j] = rows;
        group_side[j] = sides;
        for (int k = 0; k < 2; k++) {
            start[k][j] = body[k] == TR_GROUND ? -1 : values;
            if (body[k] != TR_GROUND) {
                side_column[sides] = 3 * body[k];
                side_width[sides] = 3;
                side_value[sides] = values;
                values += 3 * joint->kind->rows;
                sides++;
            }
        }
        rows += joint->kind->rows;
    }
    group_row[s->joints] = rows;
    group_side[s->joints] = sides;
    s->m = rows;
    s->values = values;
    s->side1 = start[0];
    s->side2 = start[1];
    s->pattern = (trRows){.m = rows,
                          .n = s->nv,
                          .groups = s->joints,
                          .group_row = group_row,
                          .group_side = group_side,
                          .side_column = side_column,
                          .side_width = side_width,
                          .side_value = side_value};
}

static void describe_rows(trSystem *s) {
    s->holonomic = tr_new_array(s->arena, bool, s->m);
    s->row_joint = tr_new_array(s->arena, int, s->m);
    if (tr_arena_status(s->arena) != TR_OK) {
        return;
    }
    for (int j = 0; j < s->joints; j++) {
        for (int i = s->pattern.group_row[j]; i < s->pattern.group_row[j + 1]; i++) {
            s->holonomic[i] = i < s->pattern.group_row[j + 1] - s->joint[j].kind->nonholonomic;
            s->row_joint[i] = j;
        }
    }
}

// The center of mass stands at r = at + R com and moves with v = velocity + omega x (R com).
static void set_initial_state(trSystem *s) {
    s->mass = tr_new_array(s->arena, double, s->nv);
    s->q0 = tr_new_array(s->arena, double, s->nq);
    s->v0 = tr_new_array(s->arena, double, s->nv);
    if (tr_arena_status(s->arena) != TR_OK) {
        return;
    }
    for (int i = 0; i < s->bodies; i++) {
        const trBody *body = &s->body[i];
        trVec2        arm = tr_rotate2(cos(body->angle), sin(body->angle), body->com);
        trVec2        r = tr_add2(body->at, arm);
        trVec2        v = tr_add2(body->velocity, tr_scale2(body->angular_velocity, tr_perp2(arm)));
        s->mass[3 * i] = s->mass[3 * i + 1] = body->mass;
        s->mass[3 * i + 2] = body->inertia;
        s->q0[3 * i] = r.x;
        s->q0[3 * i + 1] = r.y;
        s->q0[3 * i + 2] = body->angle;
        s->v0[3 * i] = v.x;
        s->v0[3 * i + 1] = v.y;
        s->v0[3 * i + 2] = body->angular_velocity;
    }
}

// Copies an array into the arena, so that the system does not move when the model grows.
static void *keep(trArena *arena, const void *array, int count, size_t size) {
    char *copy = tr_arena_take(arena, (size_t)count, size);
    for (size_t i = 0; copy != NULL && i < (size_t)count * size; i++) {
        copy[i] = ((const char *)array)[i];
    }
    return copy;
}

// Forces that may change, then those that never do, and their sum.
static void sort_forces(const trModel *model, trSystem *s) {
    trForce *force = tr_new_array(s->arena, trForce, s->forces);
    s->Q0 = tr_new_array(s->arena, double, s->nv);
    if (tr_arena_status(s->arena) != TR_OK) {
        return;
    }
    int constant = s->forces;
    for (int i = s->forces - 1; i >= 0; i--) {
        const trForce *f = &model->force[i];
        if ((f->kind->traits & TR_CONSTANT) != 0) {
            const trMotion2 still = {.c = 1.0};
            trForceOut      out = {0};
            f->kind->eval(f->params, 0.0, &still, &still, &out);
            s->Q0[3 * f->body2] += out.on2.fx;
            s->Q0[3 * f->body2 + 1] += out.on2.fy;
            force[--constant] = *f;
        }
    }
    for (int i = 0; i < s->forces; i++) {
        if ((model->force[i].kind->traits & TR_CONSTANT) == 0) {
            force[s->varying++] = model->force[i];
        }
    }
    s->force = force;
}

static trStatus compile(const trModel *model, trSystem *s) {
    s->name = tr_arena_text(s->arena, model->name == NULL ? "model" : model->name);
    s->bodies = model->bodies;
    s->joints = model->joints;
    s->forces = model->forces;
    s->body = keep(s->arena, model->body, s->bodies, sizeof *s->body);
    s->joint = keep(s->arena, model->joint, s->joints, sizeof *s->joint);
    s->nq = s->nv = 3 * s->bodies;
    TR_TRY(tr_arena_status(s->arena));
    sort_forces(model, s);
    layout_rows(s);
    describe_rows(s);
    set_initial_state(s);
    TR_TRY(tr_arena_status(s->arena));
    return tr_system_find_breaks(s);
}

trStatus tr_system_build(trModel *model, trSystem **out) {
    *out = NULL;
    TR_TRY(tr_model_finish(model));
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trSystem *s = tr_new(arena, trSystem);
    if (s == NULL) {
        tr_arena_destroy(arena);
        return TR_E_MEMORY;
    }
    s->arena = arena;
    trStatus status = compile(model, s);
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    tr_arena_seal(arena);
    *out = s;
    return TR_OK;
}

void tr_system_destroy(trSystem *system) {
    if (system != NULL) {
        tr_arena_destroy(system->arena);
    }
}
