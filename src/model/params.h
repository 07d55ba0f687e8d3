// SPDX-License-Identifier: MIT
// Binds what a user says about a model and its bodies.

#ifndef TR_MODEL_PARAMS_H
#define TR_MODEL_PARAMS_H

#include "model/model.h"

trStatus tr_model_bind(trModel *model, const trParam *params);
trStatus tr_body_bind(trArena *arena, const trParam *params, trBody *body);

#endif
