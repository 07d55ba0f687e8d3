// SPDX-License-Identifier: MIT
// Binds what a user says about a model and its bodies.

#ifndef TR_MODEL_PARAMS_H
#define TR_MODEL_PARAMS_H

#include "model/model.h"

trStatus tr_model_bind(trModel *model, const trParam *params);
// A body of the model's dimension; body->name is set.
trStatus tr_body_bind(trModel *model, const trParam *params, trBody *body);
trStatus tr_body3_bind(trModel *model, const trParam *params, trBody *body);

bool tr_has_param(const trParam *params, const char *key);

#endif
