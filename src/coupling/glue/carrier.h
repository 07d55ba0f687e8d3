// SPDX-License-Identifier: MIT
// A carrier takes exchanges to modules, wherever they are, and brings the answers back. Nothing
// blocks: `post` returns at once, `collect` waits until an answer is there or its time is over.

#ifndef TR_GLUE_CARRIER_H
#define TR_GLUE_CARRIER_H

#include <stdint.h>

#include "base/arena.h"
#include "glue/exchange.h"

typedef struct trCarrierKind {
    const char *name;
    trStatus (*post)(void *work, int module, const trExchange *e);
    // Answers of what was posted last. TR_E_PARTNER names a module that is gone or late.
    trStatus (*collect)(void *work, int module, trExchange *e);
    void (*close)(void *work);  // modules end
} trCarrierKind;

typedef struct trCarrier {
    const trCarrierKind *kind;
    void                *work;
    trArena             *arena;  // owns the rest
    int                  modules;
    trModuleFace        *face;      // modules
    int64_t              messages;  // there and back
    int64_t              bytes;
} trCarrier;

// Memory for a carrier, its work of `size` bytes and the faces; in out->arena, which is destroyed
// where it cannot be completed.
trStatus tr_carrier_begin(const trCarrierKind *kind, int modules, size_t size, trCarrier **out);

// The same calls to all modules, `e` one exchange for each: posted to all, then collected.
trStatus tr_carrier_exchange(trCarrier *carrier, trExchange *e);
// To one module.
trStatus tr_carrier_ask(trCarrier *carrier, int module, trExchange *e);

#endif
