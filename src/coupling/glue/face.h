// SPDX-License-Identifier: MIT
// What a module shows of itself, from its contract.

#ifndef TR_GLUE_FACE_H
#define TR_GLUE_FACE_H

#include "base/arena.h"
#include "glue/exchange.h"

// TR_E_MODEL for a module that does not fit the contract.
trStatus tr_face_check(const trModule *module, const char *name);
// Names of ports and outputs stay the module's own.
trModuleFace tr_face_of(trArena *arena, const trModule *module, const char *name);

#endif
