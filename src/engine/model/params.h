// SPDX-License-Identifier: MIT
// Binds what a user says about a model and its bodies.

#ifndef TR_MODEL_PARAMS_H
#define TR_MODEL_PARAMS_H

#include "base/shared.h"
#include "model/model.h"

trStatus tr_model_bind(trModel *model, const trParam *params);
// A body of the model's dimension; body->name is set.
trStatus tr_body_bind(trModel *model, const trParam *params, trBody *body);
trStatus tr_body3_bind(trModel *model, const trParam *params, trBody *body);

// An orientation as a user may write it, and who has it.
typedef struct trTurn {
    trNumbers   quaternion;  // 4, or none
    trVec3      rotation;    // NAN if not given [rad]
    const char *family;      // "body"
    const char *name;
} trTurn;

// A quaternion that is not of length one is normalized, with a warning.
trStatus tr_bind_turn(trModel *model, const trTurn *turn, trQuat *out);

// Takes frame1, frame2 and report out of a joint's parameters and puts in what they stand for.
trStatus tr_model_expand_frames(trModel *model, trJoint *joint, const trParam **params);

// As tr_model_add_force, for a kind and a name that are not checked: that of gravity may be longer
// than a user's.
trStatus tr_force_add(trModel *model, const char *kind, const char *name, int body1, int body2,
                      const trParam *params);

// Adds a force that is complete but for its name; NULL makes one.
trStatus tr_model_add_made_force(trModel *model, const char *name, trForce force);

// Refuses the name of a joint, force or constraint that is there already.
trStatus tr_model_check_free(const trModel *model, const char *name);

trStatus tr_model_check_open(const trModel *model);
// TR_E_ARGUMENT for a number that is neither that of a body nor ground.
trStatus tr_model_check_body(const trModel *model, int body);
// A name that no body and no frame has yet and that is not reserved.
trStatus tr_model_check_owner(const trModel *model, const char *name);

// What functions that add something give: the number of the last of them. `out` may be NULL.
static inline trStatus tr_number_added(int count, int *out) {
    if (out != NULL) {
        *out = count - 1;
    }
    return TR_OK;
}

#endif
