// SPDX-License-Identifier: MIT
// The field tables of a model and of a body, and how they are bound.

#include "model/params.h"

#include <stdbool.h>
#include <string.h>

const trField tr_model_fields[] = {
    TR_FIELD(trModel, name, TR_FIELD_TEXT, 0, 0.0, "", "of the model, for reports"),
    TR_FIELD(trModel, dim, TR_FIELD_INT, 0, 2.0, "", "2 for planar models, 3 for spatial ones"),
    // The first two members of a vector in space.
    TR_FIELD(trModel, gravity, TR_FIELD_VEC2, 0, 0.0, "m/s^2",
             "acceleration of every body that has mass"),
    TR_FIELD_END,
};

const trField tr_model3_fields[] = {
    TR_FIELD(trModel, name, TR_FIELD_TEXT, 0, 0.0, "", "of the model, for reports"),
    TR_FIELD(trModel, dim, TR_FIELD_INT, 0, 2.0, "", "2 for planar models, 3 for spatial ones"),
    TR_FIELD(trModel, gravity, TR_FIELD_VEC3, 0, 0.0, "m/s^2",
             "acceleration of every body that has mass"),
    TR_FIELD(trModel, coordinates, TR_FIELD_TEXT, 0, 0.0, "",
             "\"body\" (the default): velocities are linear and angular velocity; "
             "\"quaternion\": they are rates of position and quaternion"),
    TR_FIELD_END,
};

const trField tr_body_fields[] = {
    TR_FIELD(trBody, mass, TR_FIELD_REAL, TR_REQUIRED | TR_NOT_NEGATIVE, 0.0, "kg",
             "0 is allowed for a massless body"),
    TR_FIELD(trBody, inertia, TR_FIELD_REAL, TR_NOT_NEGATIVE, 0.0, "kg m^2",
             "about the center of mass"),
    TR_FIELD(trBody, at, TR_FIELD_VEC2, 0, 0.0, "m", "origin of the body frame at the start"),
    TR_FIELD(trBody, angle, TR_FIELD_REAL, 0, 0.0, "rad", "of the body frame at the start"),
    TR_FIELD(trBody, com, TR_FIELD_VEC2, 0, 0.0, "m", "center of mass in body axes"),
    TR_FIELD(trBody, velocity, TR_FIELD_VEC2, 0, 0.0, "m/s", "of the frame origin at the start"),
    TR_FIELD(trBody, angular_velocity, TR_FIELD_REAL, 0, 0.0, "rad/s", "at the start"),
    TR_FIELD_END,
};

static bool is_spatial(const trParam *params) {
    const trParam *dim = tr_param_find(params, "dim");
    return dim != NULL && dim->kind == TR_PARAM_NUMBER && dim->number == 3.0;
}

// Three numbers in a model that is planar by default were meant for space.
static trStatus check_gravity(const trParam *params) {
    const trParam *gravity = tr_param_find(params, "gravity");
    return gravity != NULL && gravity->kind == TR_PARAM_NUMBERS && gravity->count == 3 &&
                   tr_param_find(params, "dim") == NULL
               ? tr_fail(TR_E_MODEL,
                         "'gravity' has three numbers; write dim = 3 for a spatial model")
               : TR_OK;
}

trStatus tr_model_bind(trModel *model, const trParam *params) {
    TR_TRY(check_gravity(params));
    const trField *fields = is_spatial(params) ? tr_model3_fields : tr_model_fields;
    TR_TRY(tr_fields_bind(model->arena, fields, params, model));
    if (model->dim != 2 && model->dim != 3) {
        return tr_fail(TR_E_MODEL, "dim = %d; 2 (planar) and 3 (spatial) are possible", model->dim);
    }
    if (model->coordinates == NULL) {
        model->coordinates = "body";
    }
    if (strcmp(model->coordinates, "body") != 0 && strcmp(model->coordinates, "quaternion") != 0) {
        return tr_fail(TR_E_MODEL, "coordinates = \"%s\"; \"body\" and \"quaternion\" are possible",
                       model->coordinates);
    }
    return TR_OK;
}

// A missing mass deserves the remedy, but comes after anything wrong with what is given: the key
// may have been misspelled. So the rest is bound first, with a mass of zero.
static trStatus refuse_without_mass(trModel *model, const trParam *params, trBody *body) {
    int      count = tr_param_count(params);
    trParam *with_mass = tr_new_array(model->arena, trParam, count + 2);
    TR_TRY(tr_arena_status(model->arena));
    with_mass[0] = (trParam)TR_NUM("mass", 0.0);
    for (int i = 0; i < count; i++) {
        with_mass[i + 1] = params[i];
    }
    TR_TRY(tr_body_bind(model, with_mass, body));
    return tr_fail(TR_E_MODEL, "'mass' is missing; 0 is allowed for a massless body");
}

trStatus tr_body_bind(trModel *model, const trParam *params, trBody *body) {
    if (tr_param_find(params, "mass") == NULL) {
        return refuse_without_mass(model, params, body);
    }
    return model->dim == 3 ? tr_body3_bind(model, params, body)
                           : tr_fields_bind(model->arena, tr_body_fields, params, body);
}
