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

static trStatus check_pair(const trModel *model, int body1, int body2) {
    TR_TRY(tr_model_check_body(model, body1));
    TR_TRY(tr_model_check_body(model, body2));
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

// The name of the i-th kind where it is of the model's dimension; others are passed over.
static const char *joint_word(const void *context, int i) {
    const trModel *model = context;
    return tr_joint_at(i)->dim == model->dim ? tr_joint_at(i)->name : NULL;
}

static const char *force_word(const void *context, int i) {
    const trModel *model = context;
    return tr_force_at(i)->dim == model->dim ? tr_force_at(i)->name : NULL;
}

static bool is_kind(const char *family, const char *kind, int dim) {
    return strcmp(family, "joint") == 0 ? tr_joint_find(kind, dim) != NULL
                                        : tr_force_find(kind, dim) != NULL;
}

static trStatus unknown_kind(const trModel *model, const char *family, const char *kind) {
    if (is_kind(family, kind, OTHER_DIM(model))) {
        const char *here = model->dim == 2 ? "planar" : "spatial";
        const char *there = model->dim == 2 ? "spatial" : "planar";
        return tr_fail(TR_E_MODEL,
                       "'%s' is a %s of %s models: dim = %d; `trammel %ss --dim %d` lists those of "
                       "%s ones",
                       kind, family, there, OTHER_DIM(model), family, model->dim, here);
    }
    const char *nearest = our_word(kind);
    if (nearest == NULL || !is_kind(family, nearest, model->dim)) {
        nearest = strcmp(family, "joint") == 0
                      ? tr_spell_nearest(kind, tr_joint_count(), joint_word, model)
                      : tr_spell_nearest(kind, tr_force_count(), force_word, model);
    }
    tr_fail(TR_E_MODEL, "unknown kind '%s'", kind);
    return nearest != NULL ? tr_add_hint(TR_E_MODEL, "; did you mean '%s'?", nearest)
                           : tr_add_hint(TR_E_MODEL, "; `trammel %ss` lists all", family);
}

// Whether something of this kind and name may be added now.
static trStatus check_addition(const trModel *model, const char *family, const char *kind,
                               const char *name) {
    TR_TRY(tr_model_check_open(model));
    TR_TRY(tr_model_check_name(family, name));
    return kind != NULL ? TR_OK : tr_fail(TR_E_ARGUMENT, "%s: the kind is missing", family);
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
        TR_TRY(tr_model_check_body(model, body));
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
    TR_TRY(tr_table_add(arena, &model->joint, &model->joints, &model->joint_room, &joint,
                        sizeof joint));
    return tr_names_add(arena, &model->joint_names, joint.name, model->joints - 1);
}

trStatus tr_model_add_joint(trModel *model, const char *kind, const char *name, int body1,
                            int body2, const trParam *params, int *out) {
    TR_TRY(check_addition(model, "joint", kind, name));
    const trJointKind *found = tr_joint_find(kind, model->dim);
    if (found == NULL) {
        return tr_blame_thing(unknown_kind(model, "joint", kind), NULL, "joint", name);
    }
    trJoint joint = {.kind = found, .origin = model->origin, .body1 = body1, .body2 = body2};
    joint.name = name_for(model, &model->joint_kinds, found->name, name);
    TR_TRY(tr_arena_status(model->arena));
    trStatus status = add_joint(model, joint, params);
    return status == TR_OK ? tr_number_added(model->joints, out)
                           : tr_blame(status, "joint '%s': ", joint.name);
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
    return tr_model_check_body(model, force->body2);
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
    TR_TRY(tr_table_add(model->arena, &model->force, &model->forces, &model->force_room, &force,
                        sizeof force));
    return tr_names_add(model->arena, &model->force_names, force.name, model->forces - 1);
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
        return tr_blame_thing(unknown_kind(model, "force", kind), NULL, "force", name);
    }
    trForce force = {.kind = found, .origin = model->origin, .body1 = body1, .body2 = body2};
    force.name = name_for(model, &model->force_kinds, found->name, name);
    TR_TRY(tr_arena_status(model->arena));
    trStatus status = add_force(model, force, params);
    return status == TR_OK ? TR_OK : tr_blame(status, "force '%s': ", force.name);
}

trStatus tr_model_add_force(trModel *model, const char *kind, const char *name, int body1,
                            int body2, const trParam *params, int *out) {
    TR_TRY(check_addition(model, "force", kind, name));
    TR_TRY(tr_force_add(model, kind, name, body1, body2, params));
    return tr_number_added(model->forces, out);
}
