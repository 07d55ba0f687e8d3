// SPDX-License-Identifier: MIT
// Compiles a model into a system: rows and columns of A, M where it is constant, the initial state.

#include <string.h>

#include "system/system.h"

// Sides of A as they are laid out.
typedef struct Layout {
    int  rows, sides, values;
    int *column, *width, *value;  // of sides
} Layout;

// Returns where the block starts.
static int lay_side(Layout *l, int column, int width, int rows) {
    int start = l->values;
    l->column[l->sides] = column;
    l->width[l->sides] = width;
    l->value[l->sides] = start;
    l->values += width * rows;
    l->sides++;
    return start;
}

// A joint has a side for each of its bodies that is not ground.
static void lay_joint(Layout *l, const trSystem *s, int j) {
    const trJoint *joint = &s->joint[j];
    const int      width = s->space->nv;
    for (int k = 0; k < joint->bodies; k++) {
        const int body = joint->body[k];
        s->side[j][k] =
            body == TR_GROUND ? -1 : lay_side(l, width * body, width, joint->kind->rows);
    }
}

// A recorded group has one for each body that it depends on.
static void lay_recorded(Layout *l, const trSystem *s, int g) {
    const trTracedGroup *group = &s->traced->group[g];
    int                  width = s->space->nv;
    for (int i = group->side; i < group->side + group->sides; i++) {
        lay_side(l, width * s->traced->side[i].body, width, group->rows);
    }
}

static int recorded_groups(const trSystem *s) {
    return s->traced == NULL ? 0 : s->traced->groups;
}

static trStatus layout_rows(trSystem *s) {
    int  own = s->joints + s->norms, groups = own + recorded_groups(s);
    int  most = TR_JOINT_BODIES * own + (s->traced == NULL ? 0 : s->traced->sides);
    int *group_row = tr_new_array(s->arena, int, groups + 1);
    int *group_side = tr_new_array(s->arena, int, groups + 1);
    s->side = tr_arena_take(s->arena, (size_t)own, sizeof *s->side);
    Layout l = {.column = tr_new_array(s->arena, int, most),
                .width = tr_new_array(s->arena, int, most),
                .value = tr_new_array(s->arena, int, most)};
    TR_TRY(tr_arena_status(s->arena));
    for (int j = 0; j < groups; j++) {
        group_row[j] = l.rows;
        group_side[j] = l.sides;
        if (j < own) {
            lay_joint(&l, s, j);
        } else {
            lay_recorded(&l, s, j - own);
        }
        l.rows += s->joint[j].kind->rows;
    }
    group_row[groups] = l.rows;
    group_side[groups] = l.sides;
    s->m = l.rows;
    s->values = l.values;
    s->pattern = (trRows){.m = l.rows,
                          .n = s->nv,
                          .groups = groups,
                          .group_row = group_row,
                          .group_side = group_side,
                          .side_column = l.column,
                          .side_width = l.width,
                          .side_value = l.value};
    return TR_OK;
}

static trStatus describe_rows(trSystem *s) {
    s->holonomic = tr_new_array(s->arena, bool, s->m);
    s->row_joint = tr_new_array(s->arena, int, s->m);
    s->row_unit = tr_new_array(s->arena, const char *, s->m);
    TR_TRY(tr_arena_status(s->arena));
    for (int j = 0; j < s->pattern.groups; j++) {
        int first = s->pattern.group_row[j], end = s->pattern.group_row[j + 1];
        for (int i = first; i < end; i++) {
            s->holonomic[i] = i < end - s->joint[j].kind->nonholonomic;
            s->row_joint[i] = j;
            s->row_unit[i] = s->joint[j].kind->row_units[i - first];
        }
    }
    return TR_OK;
}

static trStatus set_initial_state(trSystem *s) {
    s->mass = tr_new_array(s->arena, double, s->nv);
    s->q0 = tr_new_array(s->arena, double, s->nq);
    s->v0 = tr_new_array(s->arena, double, s->nv);
    TR_TRY(tr_arena_status(s->arena));
    const trSpace *space = s->space;
    bool           diagonal = s->traced != NULL && s->traced->diagonal != NULL;
    s->dense = space->mass == NULL && !diagonal;
    for (int i = 0; i < s->bodies; i++) {
        if (space->mass != NULL) {
            space->mass(&s->body[i], s->mass + space->nv * i);
        } else if (diagonal) {
            s->mass[i] = s->traced->diagonal[i];
        }
        space->start(&s->body[i], s->q0 + space->nq * i);
        space->start_velocity(&s->body[i], s->q0 + space->nq * i, s->v0 + space->nv * i);
    }
    return TR_OK;
}

// Where the angles that count turns are kept, one kind after another.
static trStatus lay_out_turns(trSystem *s) {
    s->joint_turn = tr_new_array(s->arena, int, s->joints + s->norms);
    s->joint_count = tr_new_array(s->arena, int, s->joints);
    s->force_turn = tr_new_array(s->arena, int, s->forces);
    TR_TRY(tr_arena_status(s->arena));
    for (int j = 0; j < s->joints; j++) {
        s->joint_turn[j] = s->turns;
        s->turns += s->joint[j].kind->turns;
        s->joint_count[j] = s->counts;
        for (int k = 0; k < TR_JOINT_VARIABLES; k++) {
            s->counts += s->joint[j].kind->variable[k].period > 0.0;
        }
    }
    for (int i = 0; i < s->forces; i++) {
        s->force_turn[i] = s->turns;
        s->turns += s->force[i].kind->turns;
    }
    return TR_OK;
}

// The force of a kind that never changes and acts at the center of mass.
static trVec3 constant_load(const trForce *f) {
    const trMotion2 still2 = {.c = 1.0};
    const trMotion3 still3 = {.u = {1.0, 0.0, 0.0, 0.0}, .R = tr_identity3()};
    trForceOut      out = {0};
    if (f->kind->dim == 2) {
        f->kind->eval(f->params, 0.0, &still2, &still2, &out);
        return (trVec3){out.on2.fx, out.on2.fy, 0.0};
    }
    f->kind->eval3(f->params, 0.0, &still3, &still3, &out);
    return out.at2.force;
}

// Forces that may change, then those that never do, and their sum.
static trStatus sort_forces(const trModel *model, trSystem *s) {
    trForce *force = tr_new_array(s->arena, trForce, s->forces);
    int     *index = tr_new_array(s->arena, int, s->forces);
    s->Q0 = tr_new_array(s->arena, double, s->nv);
    TR_TRY(tr_arena_status(s->arena));
    int constant = s->forces;
    for (int i = s->forces - 1; i >= 0; i--) {
        const trForce *f = &model->force[i];
        if ((f->kind->traits & TR_CONSTANT) != 0) {
            trVec3 load = constant_load(f);
            double part[3] = {load.x, load.y, load.z};
            for (int k = 0; k < 3 && k < s->space->dim; k++) {
                s->Q0[s->space->nv * f->body2 + k] += part[k];
            }
            force[--constant] = *f;
            index[i] = constant;
        }
    }
    for (int i = 0; i < s->forces; i++) {
        if ((model->force[i].kind->traits & TR_CONSTANT) == 0) {
            const trFunctionForce *f = model->force[i].params;
            bool                   in_c = model->force[i].kind == &tr_function_force;
            s->remembering = in_c && f->function.remembers ? &force[s->varying] : s->remembering;
            index[i] = s->varying;
            force[s->varying++] = model->force[i];
        }
    }
    s->force = force;
    s->force_index = index;
    return TR_OK;
}

static const trSpace *space_of(const trModel *model) {
    if (model->dim != 3) {
        return model->dim == 2 ? &tr_space_planar : &tr_space_plain;
    }
    return strcmp(model->coordinates, "quaternion") == 0 ? &tr_space_quaternion : &tr_space_body;
}

// Rows of a constraint of the user's own.
static trJoint recorded_joint(trSystem *s, const trTracedRows *constraint, int rows) {
    trJointKind *kind = tr_new(s->arena, trJointKind);
    const char  *unit = tr_arena_text(s->arena, constraint->unit);
    if (kind != NULL) {
        *kind = (trJointKind){.name = constraint->nonholonomic ? "nonholonomic" : "constraint",
                              .dim = s->space->dim,
                              .rows = rows,
                              .nonholonomic = constraint->nonholonomic ? rows : 0};
        for (int i = 0; i < rows; i++) {
            kind->row_units[i] = unit;
        }
    }
    return (trJoint){.kind = kind,
                     .name = constraint->name,
                     .origin = constraint->origin,
                     .bodies = 2,
                     .body1 = TR_GROUND,
                     .body2 = TR_GROUND,
                     .report = -1,
                     .recorded = true};
}

// The joints of the model, one for the norm of each quaternion, one for each recorded group.
static trStatus list_joints(const trModel *model, trSystem *s) {
    static const trJointKind norm = {.name = "norm", .dim = 3, .rows = 1, .row_units = {"rad"}};
    trJoint *joint = tr_new_array(s->arena, trJoint, s->joints + s->norms + recorded_groups(s));
    TR_TRY(tr_arena_status(s->arena));
    if (s->joints > 0) {
        memcpy(joint, model->joint, (size_t)s->joints * sizeof *joint);
    }
    for (int i = 0; i < s->norms; i++) {
        const trBody *body = &model->body[i];
        joint[s->joints + i] =
            (trJoint){.kind = &norm,
                      .name = tr_arena_format(s->arena, "quaternion of %s", body->name),
                      .origin = body->origin,
                      .bodies = 2,
                      .body1 = TR_GROUND,
                      .body2 = i,
                      .report = -1};
    }
    for (int g = 0; g < recorded_groups(s); g++) {
        const trTracedGroup *group = &s->traced->group[g];
        joint[s->joints + s->norms + g] =
            recorded_joint(s, &model->traced->group[group->constraint], group->rows);
    }
    s->joint = joint;
    return tr_arena_status(s->arena);
}

static trStatus list_constraints(const trModel *model, trSystem *s) {
    int *row = tr_new_array(s->arena, int, s->constraints + 1);
    TR_TRY(tr_arena_status(s->arena));
    for (int g = 0; g < s->constraints; g++) {
        row[g] = s->m - s->recorded + model->traced->group[g].first;
    }
    row[s->constraints] = s->m;
    s->constraint_row = row;
    return TR_OK;
}

static trStatus compile_traced(const trModel *model, trSystem *s) {
    if (model->traced == NULL) {
        return TR_OK;
    }
    const trGeneral *g = model->traced->general;
    s->traced = tr_new(s->arena, trTracedSystem);
    TR_TRY(tr_arena_status(s->arena));
    TR_TRY(tr_traced_compile(model, s->arena, s->traced));
    s->recorded = s->traced->rows;
    s->constraints = model->traced->groups;
    if (g != NULL) {
        s->states = g->states;
        s->mass_origin = g->mass_origin;
        s->state = tr_arena_copy(s->arena, g->state, (size_t)g->states, sizeof *s->state);
        s->unit = tr_arena_copy(s->arena, g->unit, (size_t)s->bodies, sizeof *g->unit);
        s->z0 = tr_new_array(s->arena, double, g->states);
        for (int i = 0; s->z0 != NULL && i < s->states; i++) {
            s->z0[i] = g->state[i].start;
        }
    }
    return tr_arena_status(s->arena);
}

// Of the user's coordinates, the first that has the same unit; from 1 on.
static int measure_of_unit(const char *const *unit, int column) {
    const char *own = unit[column] != NULL ? unit[column] : "";
    if (strcmp(own, "rad") == 0) {
        return TR_MEASURE_ANGLE;
    }
    int first = 0;
    while (strcmp(unit[first] != NULL ? unit[first] : "", own) != 0) {
        first++;
    }
    return 1 + first;
}

static trStatus measure_velocities(trSystem *s) {
    s->measure = tr_new_array(s->arena, int, s->nv);
    TR_TRY(tr_arena_status(s->arena));
    for (int j = 0; j < s->nv; j++) {
        s->measure[j] = s->unit != NULL ? measure_of_unit(s->unit, j)
                                        : tr_space_measure(s->space, j % s->space->nv);
    }
    return TR_OK;
}

static trStatus compile(const trModel *model, trSystem *s) {
    const char *unnamed = model->dim == 0 ? "system" : "model";
    s->name = tr_arena_text(s->arena, model->name == NULL ? unnamed : model->name);
    s->bodies = model->bodies;
    s->joints = model->joints;
    s->forces = model->forces;
    s->frames = model->frames;
    s->inputs = model->inputs;
    // Copies: the system does not move when the model grows.
    s->input = tr_arena_copy(s->arena, model->input, (size_t)s->inputs, sizeof *s->input);
    s->frame = tr_arena_copy(s->arena, model->frame, (size_t)s->frames, sizeof *s->frame);
    trBody *body = tr_arena_copy(s->arena, model->body, (size_t)s->bodies, sizeof *body);
    s->body = body;
    s->space = space_of(model);
    s->norms = s->space->norm_row == NULL ? 0 : s->bodies;
    TR_TRY(compile_traced(model, s));
    TR_TRY(list_joints(model, s));
    s->nq = s->space->nq * s->bodies;
    s->nv = s->space->nv * s->bodies;
    TR_TRY(tr_arena_status(s->arena));
    TR_TRY(sort_forces(model, s));
    TR_TRY(layout_rows(s));
    TR_TRY(describe_rows(s));
    TR_TRY(list_constraints(model, s));
    TR_TRY(measure_velocities(s));
    TR_TRY(lay_out_turns(s));
    TR_TRY(set_initial_state(s));
    TR_TRY(tr_enlarge_free_spins(s, body));
    return tr_system_find_breaks(s);
}

trStatus tr_system_build(trModel *model, trSystem **out) {
    *out = NULL;
    TR_TRY(tr_model_finish(model));
    trArena  *arena = tr_arena_create();
    trSystem *s = tr_new(arena, trSystem);
    trStatus  status = tr_arena_status(arena);
    if (status == TR_OK) {
        s->arena = arena;
        status = compile(model, s);
    }
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
