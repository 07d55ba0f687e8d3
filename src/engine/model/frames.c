// SPDX-License-Identifier: MIT
// Frames: named points and axes that are fixed in a body or in ground. Results follow them, joints
// may be placed at them, and reactions may be given in them.

#include <math.h>
#include <string.h>

#include "base/spell.h"
#include "model/params.h"

#define EXPANDED 2  // parameters that a frame stands for, at most

typedef struct Frame2 {
    trVec2 at;     // [m]
    double angle;  // [rad]
} Frame2;

typedef struct Frame3 {
    trVec3    at;          // [m]
    trNumbers quaternion;  // 4, or none
    trVec3    rotation;    // [rad]
} Frame3;

const trField tr_frame_fields[] = {
    TR_FIELD(Frame2, at, TR_FIELD_VEC2, 0, 0.0, "m", "its origin in the body frame"),
    TR_FIELD(Frame2, angle, TR_FIELD_REAL, 0, 0.0, "rad", "against the body frame"),
    TR_FIELD_END,
};

const trField tr_frame3_fields[] = {
    TR_FIELD(Frame3, at, TR_FIELD_VEC3, 0, 0.0, "m", "its origin in the body frame"),
    TR_FIELD(Frame3, quaternion, TR_FIELD_NUMBERS, 0, 0.0, "",
             "{e0, e1, e2, e3}, from this frame to the body frame"),
    TR_FIELD(Frame3, rotation, TR_FIELD_VEC3, 0, NAN, "rad",
             "against the body frame: axis times angle, instead of quaternion"),
    TR_FIELD_END,
};

static trStatus bind2(trModel *model, const trParam *params, trFrame *frame) {
    Frame2 f;
    TR_TRY(tr_fields_bind(model->arena, tr_frame_fields, params, &f));
    frame->at = (trVec3){f.at.x, f.at.y, 0.0};
    frame->angle = f.angle;
    frame->turn = (trQuat){cos(0.5 * f.angle), 0.0, 0.0, sin(0.5 * f.angle)};
    return TR_OK;
}

static trStatus bind3(trModel *model, const trParam *params, trFrame *frame) {
    Frame3 f;
    TR_TRY(tr_fields_bind(model->arena, tr_frame3_fields, params, &f));
    frame->at = f.at;
    trTurn turn = {f.quaternion, f.rotation, frame->port ? "port" : "frame", frame->name};
    return tr_bind_turn(model, &turn, &frame->turn);
}

static trStatus add_frame(trModel *model, trFrame frame, const trParam *params) {
    TR_TRY(tr_model_check_body(model, frame.body));
    TR_TRY(tr_model_check_owner(model, frame.name));
    TR_TRY(model->dim == 3 ? bind3(model, params, &frame) : bind2(model, params, &frame));
    TR_TRY(tr_table_add(model->arena, &model->frame, &model->frames, &model->frame_room, &frame,
                        sizeof frame));
    return tr_names_add(model->arena, &model->frame_names, frame.name, model->frames - 1);
}

// `family`, "frame" or "port", begins error texts.
static trStatus add_named(trModel *model, const char *family, const char *name, trFrame frame,
                          const trParam *params, int *out) {
    TR_TRY(tr_model_check_open(model));
    if (name == NULL) {
        return tr_fail(TR_E_MODEL, "%s: 'name' is missing", family);
    }
    TR_TRY(tr_model_check_name(family, name));
    frame.name = tr_arena_text(model->arena, name);
    frame.origin = model->origin;
    TR_TRY(tr_arena_status(model->arena));
    trStatus status = add_frame(model, frame, params);
    return status == TR_OK ? tr_number_added(model->frames, out)
                           : tr_blame(status, "%s '%s': ", family, name);
}

trStatus tr_model_add_frame(trModel *model, const char *name, int body, const trParam *params,
                            int *out) {
    return add_named(model, "frame", name, (trFrame){.body = body}, params, out);
}

trStatus tr_model_add_port(trModel *model, const char *name, int body, const trParam *params,
                           int *out) {
    return add_named(model, "port", name, (trFrame){.body = body, .port = true}, params, out);
}

static const char *frame_word(const void *context, int i) {
    return ((const trModel *)context)->frame[i].name;
}

// The frame that a parameter names.
static trStatus find_frame(const trModel *model, const trParam *param, int *out) {
    if (param->kind != TR_PARAM_TEXT || param->text == NULL) {
        return tr_fail(TR_E_MODEL, "'%s' must be the name of a frame", param->key);
    }
    *out = tr_names_find(&model->frame_names, param->text);
    if (*out >= 0) {
        return TR_OK;
    }
    tr_fail(TR_E_MODEL, "there is no frame '%s'", param->text);
    const char *nearest = tr_spell_nearest(param->text, model->frames, frame_word, model);
    return nearest == NULL ? tr_add_hint(TR_E_MODEL, "; add it above this joint, with m:frame{}")
                           : tr_add_hint(TR_E_MODEL, "; did you mean '%s'?", nearest);
}

// A list of numbers in the arena as a parameter.
static trStatus give_vector(trModel *model, const char *key, trVec3 a, trParam *out) {
    double *numbers = tr_new_array(model->arena, double, 3);
    TR_TRY(tr_arena_status(model->arena));
    tr_vec3_put(a, numbers);
    *out = (trParam){.key = key, .kind = TR_PARAM_NUMBERS, .count = model->dim, .numbers = numbers};
    return TR_OK;
}

static const char *body_name(const trModel *model, int body) {
    return body == TR_GROUND ? "ground" : model->body[body].name;
}

// What frame1 or frame2 stands for: the point, and its axis (z in space, x in the plane) where the
// kind has one and none is given.
static trStatus expand(trModel *model, const trParam *param, int body, const trField *fields,
                       const trParam *params, trParam **to) {
    int         number = -1, side = param->key[5] - '0';
    const char *point = side == 1 ? "point1" : "point2", *axis = side == 1 ? "axis1" : "axis2";
    const char *world = side == 1 ? "world_axis1" : "world_axis2";
    TR_TRY(find_frame(model, param, &number));
    const trFrame *frame = &model->frame[number];
    if (frame->body != body) {
        return tr_fail(TR_E_MODEL,
                       "'%s' must be a frame of '%s', but '%s' is fixed in '%s'; use another "
                       "frame, or name the bodies in the other order",
                       param->key, body_name(model, body), frame->name,
                       body_name(model, frame->body));
    }
    const char *given = tr_param_find(params, point) != NULL ? point : "point";
    if (tr_param_find(params, given) != NULL) {
        return tr_fail(TR_E_MODEL, "'%s' and '%s' are both given; keep one of them", param->key,
                       given);
    }
    const bool has_point = tr_field_find(fields, point) != NULL;
    const bool has_axis = tr_field_find(fields, axis) != NULL;
    if (!has_point && !has_axis) {
        return tr_fail(TR_E_MODEL, "'%s' would do nothing; the kind has neither '%s' nor '%s'",
                       param->key, point, axis);
    }
    if (has_point) {
        TR_TRY(give_vector(model, point, frame->at, (*to)++));
    }
    if (has_axis && tr_param_find(params, "axis") == NULL && tr_param_find(params, axis) == NULL &&
        tr_param_find(params, world) == NULL) {
        trVec3 own = model->dim == 3 ? (trVec3){0.0, 0.0, 1.0} : (trVec3){1.0, 0.0, 0.0};
        TR_TRY(give_vector(model, axis, tr_quat_rotate(frame->turn, own), (*to)++));
    }
    return TR_OK;
}

// Keys of frames are not among those of a kind, which binding would suggest.
static trStatus check_key(const trField *fields, const char *key) {
    static const char *const words[] = {"frame1", "frame2", "reaction_frame"};
    const char              *nearest =
        tr_field_find(fields, key) != NULL ? NULL : tr_spell_nearest(key, 3, tr_spell_word, words);
    return nearest == NULL
               ? TR_OK
               : tr_fail(TR_E_MODEL, "unknown key '%s'; did you mean '%s'?", key, nearest);
}

// A body may be given by its name.
static trStatus find_body(const trModel *model, const trField *fields, trParam *param) {
    const trField *field = tr_field_find(fields, param->key);
    if (field == NULL || field->kind != TR_FIELD_BODY || param->kind != TR_PARAM_TEXT ||
        param->text == NULL) {
        return TR_OK;
    }
    int body = TR_GROUND;
    TR_TRY(tr_model_find_body(model, param->text, &body));
    param->kind = TR_PARAM_BODY;
    param->number = body;
    return TR_OK;
}

trStatus tr_model_expand_frames(trModel *model, trJoint *joint, const trParam **params) {
    int      count = tr_param_count(*params);
    trParam *list = tr_new_array(model->arena, trParam, EXPANDED * count + 1), *to = list;
    TR_TRY(tr_arena_status(model->arena));
    joint->report = -1;
    for (int i = 0; i < count; i++) {
        const trParam *param = &(*params)[i];
        if (strcmp(param->key, "reaction_frame") == 0 || strcmp(param->key, "report") == 0) {
            TR_TRY(find_frame(model, param, &joint->report));
        } else if (strcmp(param->key, "frame1") == 0 || strcmp(param->key, "frame2") == 0) {
            int body = param->key[5] == '1' ? joint->body1 : joint->body2;
            TR_TRY(expand(model, param, body, joint->kind->fields, *params, &to));
        } else {
            TR_TRY(check_key(joint->kind->fields, param->key));
            *to = *param;
            TR_TRY(find_body(model, joint->kind->fields, to++));
        }
    }
    *params = list;
    return TR_OK;
}
