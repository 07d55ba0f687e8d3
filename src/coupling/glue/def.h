// SPDX-License-Identifier: MIT
// The field table of trGlueDef: settings of g:simulate{} and options of `trammel glue`.

#ifndef TR_GLUE_DEF_H
#define TR_GLUE_DEF_H

#include "base/field.h"
#include "trammel/glue.h"

extern const trField tr_glue_def_fields[];

// Puts what is given over what `def` holds. Texts are copied to the arena.
trStatus tr_glue_def_bind(trArena *arena, const trParam *params, trGlueDef *def) TR_SHARED;

// TR_E_ARGUMENT for unknown words, with a suggestion, and for numbers out of range.
trStatus tr_glue_def_check(const trGlueDef *def) TR_SHARED;

#endif
