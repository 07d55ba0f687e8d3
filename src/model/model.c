// SPDX-License-Identifier: MIT
// Bodies, joints and forces by name. Tables grow in the model's arena by doubling, so an entry may
// move when another is added; its number stays.

#include "model/model.h"

#include <string.h>

#include "base/law.h"
#include "base/spell.h"
#include "model/params.h"

#define FIRST_ROOM 16
#define NAME_BYTES 100  // the longest name

// Words that name something else in results and model files.
static const char *const reserved[] = {"ground", "energy", "violation", "t"};

trStatus tr_model_create(const trParam *params, trModel **out) {
    *out = NULL;
    trArena *arena = tr_arena_create();
    if (arena == NULL) {
        return TR_E_MEMORY;
    }
    trModel *model = tr_new(arena, trModel);
    trStatus status = tr_arena_status(arena);
    if (model != NULL) {
        model->arena = arena;
        status = tr_model_bind(model, params);
        if (status != TR_OK) {
            status = tr_blame(status, "model: ");
        }
    }
    if (status != TR_OK) {
        tr_arena_destroy(arena);
        return status;
    }
    *out = model;
    return TR_OK;
}

void tr_model_destroy(trModel *model) {
    if (model != NULL) {
        tr_arena_destroy(model->arena);
    }
}

trStatus tr_model_check_name(const char *family, const char *name) {
    if (name == NULL) {
        return TR_OK;
    }
    size_t length = strlen(name);
    if (length == 0) {
        return tr_fail(TR_E_MODEL, "%s: the name is empty; write at least a letter", family);
    }
    if (length > NAME_BYTES) {
        return tr_fail(TR_E_MODEL, "%s: the name has %zu bytes; at most %d are allowed", family,
                       length, NAME_BYTES);
    }
    for (const char *c = name; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            return tr_fail(TR_E_MODEL,
                           "%s: the name contains a control character, number %d; line ends, tabs "
                           "and the like cannot be in a name",
                           family, *c);
        }
    }
    return TR_OK;
}

trStatus tr_model_check_open(const trModel *model) {
    return model->built ? tr_fail(TR_E_ARGUMENT, "the model has been built; add everything before")
                        : TR_OK;
}

void *tr_table_with_room(trArena *arena, void *table, int count, int *room, size_t size) {
    if (count < *room) {
        return table;
    }
    int   more = *room == 0 ? FIRST_ROOM : 2 * *room;
    void *larger = tr_arena_take(arena, (size_t)more, size);
    if (larger != NULL) {
        if (count > 0) {
            memcpy(larger, table, (size_t)count * size);
        }
        *room = more;
    }
    return larger;
}

// What may be suggested for a body's name: ground, then the bodies.
static const char *body_word(const void *context, int i) {
    const trModel *model = context;
    return i == 0 ? "ground" : model->body[i - 1].name;
}

trStatus tr_model_find_body(const trModel *model, const char *name, int *out) {
    *out = TR_GROUND;
    if (strcmp(name, "ground") == 0) {
        return TR_OK;
    }
    int number = tr_names_find(&model->body_names, name);
    if (number < 0) {
        trStatus    status = tr_fail(TR_E_MODEL, "there is no body '%s'", name);
        const char *nearest = tr_spell_nearest(name, model->bodies + 1, body_word, model);
        return nearest == NULL ? status : tr_add_hint(status, "; did you mean '%s'?", nearest);
    }
    *out = number;
    return TR_OK;
}

trStatus tr_model_check_owner(const trModel *model, const char *name) {
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        if (strcmp(name, reserved[i]) == 0) {
            return tr_fail(TR_E_MODEL, "this name is reserved; choose another");
        }
    }
    if (tr_names_find(&model->body_names, name) >= 0) {
        return tr_fail(TR_E_MODEL, "there is already a body of this name; choose another");
    }
    if (tr_names_find(&model->frame_names, name) >= 0) {
        return tr_fail(TR_E_MODEL, "there is already a frame of this name; choose another");
    }
    return TR_OK;
}

static trStatus add_body(trModel *model, const char *name, const trParam *params) {
    TR_TRY(tr_model_check_owner(model, name));
    trBody body = {.name = tr_arena_text(model->arena, name)};
    TR_TRY(tr_body_bind(model, params, &body));
    body.origin = model->origin;
    trBody *table = tr_table_with_room(model->arena, model->body, model->bodies, &model->body_room,
                                       sizeof *table);
    TR_TRY(tr_arena_status(model->arena));
    model->body = table;
    TR_TRY(tr_names_add(model->arena, &model->body_names, body.name, model->bodies));
    model->body[model->bodies++] = body;
    return TR_OK;
}

trStatus tr_model_add_body(trModel *model, const char *name, const trParam *params, int *out) {
    *out = TR_GROUND;
    TR_TRY(tr_model_check_open(model));
    if (name == NULL) {
        return tr_fail(TR_E_MODEL, "body: 'name' is missing");
    }
    TR_TRY(tr_model_check_name("body", name));
    trStatus status = add_body(model, name, params);
    if (status != TR_OK) {
        return tr_blame(status, "body '%s': ", name);
    }
    *out = model->bodies - 1;
    return TR_OK;
}

trStatus tr_model_warn(trModel *model, const char *text) {
    const char **table = tr_table_with_room(model->arena, model->warning, model->warnings,
                                            &model->warning_room, sizeof *table);
    TR_TRY(tr_arena_status(model->arena));
    model->warning = table;
    model->warning[model->warnings++] =
        model->origin == NULL ? text : tr_arena_format(model->arena, "%s: %s", model->origin, text);
    return tr_arena_status(model->arena);
}

int tr_model_warnings(const trModel *model) {
    return model->warnings;
}

const char *tr_model_warning(const trModel *model, int index) {
    return index >= 0 && index < model->warnings ? model->warning[index] : NULL;
}

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

// The name a joint or force gets: a copy of its own, or "<kind><n>" with the next free n where it
// has none. NULL when out of memory.
static const char *name_for(trArena *arena, const trNames *names, const char *kind,
                            const char *name, int same) {
    if (name != NULL) {
        return tr_arena_text(arena, name);
    }
    const char *made = NULL;
    do {
        same++;
        made = tr_arena_format(arena, "%s%d", kind, same);
    } while (made != NULL && tr_names_find(names, made) >= 0);
    return made;
}

static trStatus check_name(const trNames *names, const char *name, const char *family) {
    if (name == NULL) {
        return TR_E_MEMORY;
    }
    if (tr_names_find(names, name) >= 0) {
        return tr_fail(TR_E_MODEL, "there is already a %s of this name; choose another", family);
    }
    return TR_OK;
}

static trStatus unknown_kind(const char *family, const char *name, const char *kind,
                             const char *nearest) {
    trStatus status = tr_fail(TR_E_MODEL, "unknown kind '%s'", kind);
    status = nearest != NULL ? tr_add_hint(status, "; did you mean '%s'?", nearest)
                             : tr_add_hint(status, "; `trammel %ss` lists what there is", family);
    return name == NULL ? tr_blame(status, "%s: ", family)
                        : tr_blame(status, "%s '%s': ", family, name);
}

// The i-th joint word of the model's dimension; others are passed over.
static const char *joint_word(const void *context, int i) {
    const trModel *model = context;
    return tr_joint_at(i)->dim == model->dim ? tr_joint_at(i)->name : NULL;
}

static trStatus prepare_joint(const trModel *model, const trJoint *joint) {
    if (model->dim == 3) {
        trPlace3 place1 = place3_of(model, joint->body1), place2 = place3_of(model, joint->body2);
        return joint->kind->prepare3(joint->params, &place1, &place2);
    }
    trPlace2 place1 = place_of(model, joint->body1), place2 = place_of(model, joint->body2);
    return joint->kind->prepare(joint->params, &place1, &place2);
}

static trStatus add_joint(trModel *model, trJoint joint, const trParam *params) {
    trArena *arena = model->arena;
    TR_TRY(check_name(&model->joint_names, joint.name, "joint"));
    TR_TRY(check_pair(model, joint.body1, joint.body2));
    joint.params = tr_arena_take(arena, 1, joint.kind->size);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_model_expand_frames(model, &joint, &params));
    TR_TRY(tr_fields_bind(arena, joint.kind->fields, params, joint.params));
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
                            int body2, const trParam *params) {
    TR_TRY(tr_model_check_open(model));
    TR_TRY(tr_model_check_name("joint", name));
    if (kind == NULL) {
        return tr_fail(TR_E_ARGUMENT, "joint: the kind is missing");
    }
    const trJointKind *found = tr_joint_find(kind, model->dim);
    if (found == NULL) {
        const char *nearest = tr_spell_nearest(kind, tr_joint_count(), joint_word, model);
        return unknown_kind("joint", name, kind, nearest);
    }
    int same = 0;
    for (int i = 0; name == NULL && i < model->joints; i++) {
        same += model->joint[i].kind == found;
    }
    trJoint joint = {.kind = found, .origin = model->origin, .body1 = body1, .body2 = body2};
    joint.name = name_for(model->arena, &model->joint_names, kind, name, same);
    TR_TRY(tr_arena_status(model->arena));
    trStatus status = add_joint(model, joint, params);
    return status == TR_OK ? TR_OK : tr_blame(status, "joint '%s': ", joint.name);
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

static trStatus add_force(trModel *model, trForce force, const trParam *params) {
    trArena *arena = model->arena;
    TR_TRY(check_name(&model->force_names, force.name, "force"));
    TR_TRY(check_force_bodies(model, &force));
    force.params = tr_arena_take(arena, 1, force.kind->size);
    TR_TRY(tr_arena_status(arena));
    TR_TRY(tr_fields_bind(arena, force.kind->fields, params, force.params));
    TR_TRY(prepare_force(model, &force));
    trForce *table =
        tr_table_with_room(arena, model->force, model->forces, &model->force_room, sizeof *table);
    TR_TRY(tr_arena_status(arena));
    model->force = table;
    TR_TRY(tr_names_add(arena, &model->force_names, force.name, model->forces));
    model->force[model->forces++] = force;
    return TR_OK;
}

static trStatus add_force_of_kind(trModel *model, const char *kind, const char *name, int body1,
                                  int body2, const trParam *params) {
    const trForceKind *found = tr_force_find(kind, model->dim);
    if (found == NULL) {
        const char *nearest = tr_spell_nearest(kind, tr_force_count(), force_word, model);
        return unknown_kind("force", name, kind, nearest);
    }
    int same = 0;
    for (int i = 0; name == NULL && i < model->forces; i++) {
        same += model->force[i].kind == found;
    }
    trForce force = {.kind = found, .origin = model->origin, .body1 = body1, .body2 = body2};
    force.name = name_for(model->arena, &model->force_names, kind, name, same);
    TR_TRY(tr_arena_status(model->arena));
    trStatus status = add_force(model, force, params);
    return status == TR_OK ? TR_OK : tr_blame(status, "force '%s': ", force.name);
}

trStatus tr_model_add_force(trModel *model, const char *kind, const char *name, int body1,
                            int body2, const trParam *params) {
    TR_TRY(tr_model_check_open(model));
    TR_TRY(tr_model_check_name("force", name));
    if (kind == NULL) {
        return tr_fail(TR_E_ARGUMENT, "force: the kind is missing");
    }
    return add_force_of_kind(model, kind, name, body1, body2, params);
}

trStatus tr_model_law(trModel *model, int pieces, const double *breaks, int order,
                      const double *coefficients, const trLaw **out) {
    return tr_law_pieces(model->arena, pieces, breaks, order, coefficients, out);
}

trStatus tr_model_table(trModel *model, int points, const double *x, const double *y,
                        const trLaw **out) {
    return tr_law_table(model->arena, points, x, y, out);
}

// A body that has its gravity from a build before is passed over.
static trStatus add_gravity(trModel *model, int number) {
    const char *name = tr_arena_format(model->arena, "gravity on %s", model->body[number].name);
    TR_TRY(tr_arena_status(model->arena));
    int there = tr_names_find(&model->force_names, name);
    if (there >= 0 && strcmp(model->force[there].kind->name, "gravity") == 0) {
        return TR_OK;
    }
    const double  g[3] = {model->gravity.x, model->gravity.y, model->gravity.z};
    const trParam params[] = {
        {.key = "acceleration", .kind = TR_PARAM_NUMBERS, .count = model->dim, .numbers = g}, {0}};
    return add_force_of_kind(model, "gravity", name, TR_GROUND, number, params);
}

trStatus tr_model_finish(trModel *model) {
    if (model->bodies == 0) {
        return tr_fail(TR_E_MODEL, "the model has no bodies");
    }
    bool weightless = tr_length3(model->gravity) == 0.0;
    for (int i = 0; !weightless && i < model->bodies; i++) {
        if (model->body[i].mass > 0.0) {
            TR_TRY(add_gravity(model, i));
        }
    }
    model->built = true;
    return TR_OK;
}
