// SPDX-License-Identifier: MIT
// Joints and forces: found by kind, named, bound to what the user wrote, prepared.

#include <string.h>

#include "base/spell.h"
#include "model/params.h"

// 3 for 2 and 2 for 3.
#define OTHER_DIM(model) (5 - (model)->dim)

static trPlace3 place3_of(const trModel *model, int number) {
    const trQuat none = {1.0, 0.0, 0.0, 0.0};
    return number == TR_GROUND ? (trPlace3){.orientation = none, .principal = none}
                               : model->body[number].spatial.place;
}

static trPlace2 place_of(const trModel *model, int number) {
    if (number == TR_GROUND) {
        return (trPlace2){0};
    }
    const trBody *body = &model->body[number];
    return (trPlace2){body->at, body->angle, body->com, body->mass, body->inertia};
}

static trStatus check_number(const trModel *model, int body) {
    if (body != TR_GROUND && (body < 0 || body >= model->bodies)) {
        return tr_fail(TR_E_ARGUMENT, "there is no body number %d; the model has %d, from 0", body,
                       model->bodies);
    }
    return TR_OK;
}

static trStatus check_pair(const trModel *model, int body1, int body2) {
    TR_TRY(check_number(model, body1));
    TR_TRY(check_number(model, body2));
    if (body1 == body2) {
        return body1 == TR_GROUND
                   ? tr_fail(TR_E_MODEL, "connects ground with itself; name at least one body")
                   : tr_fail(TR_E_MODEL,
                             "connects body '%s' with itself; name two different bodies",
                             model->body[body1].name);
    }
    return TR_OK;
}

// Results have columns of joints and of forces by their names alone.
static const char *taken_by(const trModel *model, const char *name) {
    return tr_names_find(&model->joint_names, name) >= 0   ? "joint"
           : tr_names_find(&model->force_names, name) >= 0 ? "force"
           : tr_names_find(&model->row_names, name) >= 0   ? "constraint"
                                                           : NULL;
}

// The name a joint or force gets: a copy of its own, or "<kind><n>" with the next free n where it
// has none; `kinds` counts those before. NULL when out of memory.
static const char *name_for(trModel *model, trNames *kinds, const char *kind, const char *name) {
    int *same = tr_names_count(model->arena, kinds, kind);
    if (same == NULL) {
        return NULL;
    }
    ++*same;
    if (name != NULL) {
        return tr_arena_text(model->arena, name);
    }
    const char *made = tr_arena_format(model->arena, "%s%d", kind, *same);
    while (made != NULL && taken_by(model, made) != NULL) {
        ++*same;
        made = tr_arena_format(model->arena, "%s%d", kind, *same);
    }
    return made;
}

trStatus tr_model_check_free(const trModel *model, const char *name) {
    if (name == NULL) {
        return tr_arena_status(model->arena);
    }
    const char *family = taken_by(model, name);
    return family == NULL
               ? TR_OK
               : tr_fail(TR_E_MODEL, "there is already a %s of this name; choose another", family);
}

// Words of other codes for kinds that have another name here.
static const char *our_word(const char *kind) {
    static const char *const words[][2] = {
        {"ball", "spherical"},   {"cardan", "universal"},        {"damper", "spring"},
        {"hinge", "revolute"},   {"hooke", "universal"},         {"pin", "revolute"},
        {"slider", "prismatic"}, {"translational", "prismatic"}, {"weld", "fixed"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(kind, words[i][0]) == 0) {
            return words[i][1];
        }
    }
    return NULL;
}

// `elsewhere`: a kind of this name exists in the other dimension.
static trStatus unknown_kind(const trModel *model, const char *family, const char *kind,
                             const char *nearest, bool elsewhere) {
    if (elsewhere) {
        const char *here = model->dim == 2 ? "planar" : "spatial";
        const char *there = model->dim == 2 ? "spatial" : "planar";
        return tr_fail(TR_E_MODEL,
                       "'%s' is a %s of %s models: dim = %d; `trammel %ss --dim %d` lists those of "
                       "%s ones",
                       kind, family, there, OTHER_DIM(model), family, model->dim, here);
    }
    trStatus    status = tr_fail(TR_E_MODEL, "unknown kind '%s'", kind);
    const char *ours = our_word(kind);
    bool        known =
        ours != NULL && (strcmp(family, "joint") == 0 ? tr_joint_find(ours, model->dim) != NULL
                                                      : tr_force_find(ours, model->dim) != NULL);
    nearest = known ? ours : nearest;
    return nearest != NULL ? tr_add_hint(status, "; did you mean '%s'?", nearest)
                           : tr_add_hint(status, "; `trammel %ss` lists all", family);
}

static trStatus blame(trStatus status, const char *family, const char *name) {
    return name == NULL ? tr_blame(status, "%s: ", family)
                        : tr_blame(status, "%s '%s': ", family, name);
}

// The i-th joint word of the model's dimension; others are passed over.
static const char *joint_word(const void *context, int i) {
    const trModel *model = context;
    return tr_joint_at(i)->dim == model->dim ? tr_joint_at(i)->name : NULL;
}

static trStatus prepare_joint(const trModel *model, const trJoint *joint) {
    trPlace2 place[TR_JOINT_BODIES];
    trPlace3 place3[TR_JOINT_BODIES];
    for (int k = 0; k < joint->bodies; k++) {
        place[k] = place_of(model, joint->body[k]);
        place3[k] = place3_of(model, joint->body[k]);
    }
    return model->dim == 3 ? joint->kind->prepare3(joint->params, place3)
                           : joint->kind->prepare(joint->params, place);
}

// Bodies beyond the first two are parameters of the kind.
static trStatus take_further_bodies(const trModel *model, trJoint *joint) {
    joint->bodies = 2;
    for (const trField *field = joint->kind->fields; field->name != NULL; field++) {
        if (field->kind != TR_FIELD_BODY) {
            continue;
        }
        const int body = *(const int *)((const char *)joint->params + field->offset);
        TR_TRY(check_number(model, body));
        for (int k = 0; body != TR_GROUND && k < joint->bodies; k++) {
            if (joint->body[k] == body) {
                return tr_fail(TR_E_MODEL, "'%s': body '%s' is named twice", field->name,
                               model->body[body].name);
            }
        }
        joint->body[joint->bodies++] = body;
    }
    return TR_OK;
}

static trStatus add_joint(trModel *model, trJoint joint, const trParam *params) {
    trArena *arena = model->arena;
    TR_TRY(tr_model_check_free(model, joint.name));
    TR_TRY(check_pair(model, joint.body1, joint.body2));
    joint.params = tr_arena_take(arena, 1, joint.kind->size);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_model_expand_frames(model, &joint, &params));
    TR_TRY(tr_fields_bind(arena, joint.kind->fields, params, joint.params));
    TR_TRY(take_further_bodies(model, &joint));
    TR_TRY(prepare_joint(model, &joint));
    trJoint *table =
        tr_table_with_room(arena, model->joint, model->joints, &model->joint_room, sizeof *table);
    TR_TRY(tr_arena_status(arena));
    model->joint = table;
    TR_TRY(tr_names_add(arena, &model->joint_names, joint.name, model->joints));
    model->joint[model->joints++] = joint;
    return TR_OK;
}

trStatus tr_model_add_joint(trModel *model, const char *kind, const char *name, int body1,
                            int body2, const trParam *params, int *out) {
    TR_TRY(tr_model_check_open(model));
    TR_TRY(tr_model_check_name("joint", name));
    if (kind == NULL) {
        return tr_fail(TR_E_ARGUMENT, "joint: the kind is missing");
    }
    const trJointKind *found = tr_joint_find(kind, model->dim);
    if (found == NULL) {
        const char *nearest = tr_spell_nearest(kind, tr_joint_count(), joint_word, model);
        bool        elsewhere = tr_joint_find(kind, OTHER_DIM(model)) != NULL;
        return blame(unknown_kind(model, "joint", kind, nearest, elsewhere), "joint", name);
    }
    trJoint joint = {.kind = found, .origin = model->origin, .body1 = body1, .body2 = body2};
    joint.name = name_for(model, &model->joint_kinds, found->name, name);
    TR_TRY(tr_arena_status(model->arena));
    trStatus status = add_joint(model, joint, params);
    return status == TR_OK ? tr_number_added(model->joints, out)
                           : tr_blame(status, "joint '%s': ", joint.name);
}

static const char *force_word(const void *context, int i) {
    const trModel *model = context;
    return tr_force_at(i)->dim == model->dim ? tr_force_at(i)->name : NULL;
}

static trStatus check_force_bodies(const trModel *model, const trForce *force) {
    if ((force->kind->traits & TR_ONE_BODY) == 0) {
        return check_pair(model, force->body1, force->body2);
    }
    if (force->body1 != TR_GROUND) {
        return tr_fail(TR_E_MODEL, "'%s' acts on one body; name one, not two", force->kind->name);
    }
    if (force->body2 == TR_GROUND) {
        return tr_fail(TR_E_MODEL, "'%s' acts on a body, not on ground", force->kind->name);
    }
    return check_number(model, force->body2);
}

static trStatus prepare_force(const trModel *model, const trForce *force) {
    if (model->dim == 3) {
        trPlace3 place1 = place3_of(model, force->body1), place2 = place3_of(model, force->body2);
        return force->kind->prepare3(force->params, &place1, &place2, model->arena);
    }
    trPlace2 place1 = place_of(model, force->body1), place2 = place_of(model, force->body2);
    return force->kind->prepare(force->params, &place1, &place2, model->arena);
}

static trStatus keep_force(trModel *model, trForce force) {
    trArena *arena = model->arena;
    trForce *table =
        tr_table_with_room(arena, model->force, model->forces, &model->force_room, sizeof *table);
    TR_TRY(tr_arena_status(arena));
    model->force = table;
    TR_TRY(tr_names_add(arena, &model->force_names, force.name, model->forces));
    model->force[model->forces++] = force;
    return TR_OK;
}

static trStatus add_force(trModel *model, trForce force, const trParam *params) {
    trArena *arena = model->arena;
    TR_TRY(tr_model_check_free(model, force.name));
    TR_TRY(check_force_bodies(model, &force));
    force.params = tr_arena_take(arena, 1, force.kind->size);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_fields_bind(arena, force.kind->fields, params, force.params));
    TR_TRY(prepare_force(model, &force));
    return keep_force(model, force);
}

trStatus tr_model_add_made_force(trModel *model, const char *name, trForce force) {
    TR_TRY(tr_model_check_open(model));
    TR_TRY(tr_model_check_name("force", name));
    TR_TRY(check_pair(model, force.body1, force.body2));
    force.name = name_for(model, &model->force_kinds, "force", name);
    force.origin = model->origin;
    TR_TRY(tr_model_check_free(model, force.name));
    return keep_force(model, force);
}

trStatus tr_force_add(trModel *model, const char *kind, const char *name, int body1, int body2,
                      const trParam *params) {
    const trForceKind *found = tr_force_find(kind, model->dim);
    if (found == NULL) {
        const char *nearest = tr_spell_nearest(kind, tr_force_count(), force_word, model);
        bool        elsewhere = tr_force_find(kind, OTHER_DIM(model)) != NULL;
        return blame(unknown_kind(model, "force", kind, nearest, elsewhere), "force", name);
    }
    trForce force = {.kind = found, .origin = model->origin, .body1 = body1, .body2 = body2};
    force.name = name_for(model, &model->force_kinds, found->name, name);
    TR_TRY(tr_arena_status(model->arena));
    trStatus status = add_force(model, force, params);
    return status == TR_OK ? TR_OK : tr_blame(status, "force '%s': ", force.name);
}

trStatus tr_model_add_force(trModel *model, const char *kind, const char *name, int body1,
                            int body2, const trParam *params, int *out) {
    TR_TRY(tr_model_check_open(model));
    TR_TRY(tr_model_check_name("force", name));
    if (kind == NULL) {
        return tr_fail(TR_E_ARGUMENT, "force: the kind is missing");
    }
    TR_TRY(tr_force_add(model, kind, name, body1, body2, params));
    return tr_number_added(model->forces, out);
}
