// SPDX-License-Identifier: MIT
// A model and its bodies. Tables grow in the model's arena by doubling, so an entry may move when
// another is added; its number stays.

#include "model/model.h"

#include <string.h>

#include "base/law.h"
#include "base/plain.h"
#include "base/spell.h"
#include "model/params.h"
#include "model/traced.h"

#define NAME_BYTES 100  // the longest name

// Words that name something else in results and model files.
static const char *const reserved[] = {"ground", "energy", "violation", "t"};

trStatus tr_model_create(const trParam *params, trModel **out) {
    *out = NULL;
    trArena *arena = tr_arena_create();
    trModel *model = tr_new(arena, trModel);
    trStatus status = tr_arena_status(arena);
    if (status == TR_OK) {
        model->arena = arena;
        status = tr_model_bind(model, params);
        status = status == TR_OK ? tr_model_check_plain("name", "text", model->name) : status;
        status = status == TR_OK ? TR_OK : tr_blame(status, "model: ");
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

trStatus tr_model_check_plain(const char *family, const char *what, const char *text) {
    const char *c = text != NULL ? tr_find_control(text) : NULL;
    return c == NULL ? TR_OK
                     : tr_fail(TR_E_MODEL,
                               "%s: the %s contains a control character, number %d; line ends, "
                               "tabs and the like cannot be in a %s",
                               family, what, (unsigned char)c[tr_control_length(c) - 1], what);
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
    return tr_model_check_plain(family, "name", name);
}

trStatus tr_model_check_open(const trModel *model) {
    return model->built ? tr_fail(TR_E_ARGUMENT, "the model has been built; add everything before")
                        : TR_OK;
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
    for (size_t i = 0; model->dim != 0 && i < sizeof reserved / sizeof *reserved; i++) {
        if (strcmp(name, reserved[i]) == 0) {
            return tr_fail(TR_E_MODEL, "this name is reserved; choose another");
        }
    }
    const bool body = tr_names_find(&model->body_names, name) >= 0;
    return body || tr_names_find(&model->frame_names, name) >= 0
               ? tr_fail(TR_E_MODEL, "there is already a %s of this name; choose another",
                         body ? "body" : "frame")
               : TR_OK;
}

trStatus tr_model_check_body(const trModel *model, int body) {
    return body == TR_GROUND || (body >= 0 && body < model->bodies)
               ? TR_OK
               : tr_fail(TR_E_ARGUMENT, "there is no body number %d; the model has %d, from 0",
                         body, model->bodies);
}

static trStatus add_body(trModel *model, const char *name, const trParam *params) {
    TR_TRY(tr_model_check_owner(model, name));
    trBody body = {.name = tr_arena_text(model->arena, name)};
    if (model->dim != 0) {
        TR_TRY(tr_body_bind(model, params, &body));
    }
    body.origin = model->origin;
    TR_TRY(tr_table_add(model->arena, &model->body, &model->bodies, &model->body_room, &body,
                        sizeof body));
    return tr_names_add(model->arena, &model->body_names, body.name, model->bodies - 1);
}

trStatus tr_model_add_body(trModel *model, const char *name, const trParam *params, int *out) {
    TR_TRY(tr_model_check_open(model));
    if (name == NULL) {
        return tr_fail(TR_E_MODEL, "body: 'name' is missing");
    }
    TR_TRY(tr_model_check_name("body", name));
    trStatus status = add_body(model, name, params);
    return status == TR_OK ? tr_number_added(model->bodies, out)
                           : tr_blame(status, "body '%s': ", name);
}

trStatus tr_model_warn(trModel *model, const char *text) {
    text =
        model->origin == NULL ? text : tr_arena_format(model->arena, "%s: %s", model->origin, text);
    return tr_table_add(model->arena, &model->warning, &model->warnings, &model->warning_room,
                        &text, sizeof text);
}

int tr_model_warnings(const trModel *model) {
    return model->warnings;
}

const char *tr_model_warning(const trModel *model, int index) {
    return index >= 0 && index < model->warnings ? model->warning[index] : NULL;
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
    return tr_force_add(model, "gravity", name, TR_GROUND, number, params);
}

trStatus tr_model_finish(trModel *model) {
    if (model->bodies == 0) {
        return tr_fail(TR_E_MODEL, "the model has no bodies; add one: m:body { ... }");
    }
    if (model->dim == 0) {
        model->built = true;
        return tr_general_check(model);
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

void tr_model_gravity(const trModel *model, double out[3]) {
    tr_vec3_put(model->gravity, out);
}

const char *tr_model_source(const trModel *model) {
    return model->source;
}

const char *tr_model_given(const trModel *model) {
    return model->given;
}

// --- who is to blame, for trouble that shows only when the model is assembled or runs ---

trStatus tr_blame_body(trStatus status, const trBody *body) {
    return tr_blame_thing(status, body->origin, body->coordinate ? "coordinate" : "body",
                          body->name);
}

trStatus tr_blame_joint(trStatus status, const trJoint *joint) {
    return tr_blame_thing(status, joint->origin, joint->recorded ? "constraint" : "joint",
                          joint->name);
}

trStatus tr_blame_force(trStatus status, const trForce *force) {
    return tr_blame_thing(status, force->origin, "force", force->name);
}
