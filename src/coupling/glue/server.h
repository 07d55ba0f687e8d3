// SPDX-License-Identifier: MIT
// The module's side of a link: says hello, performs what the coordinator asks, until it is told to
// end or the coordinator is gone.

#ifndef TR_GLUE_SERVER_H
#define TR_GLUE_SERVER_H

#include "base/arena.h"
#include "glue/exchange.h"
#include "glue/link.h"

// Heads of messages that are no exchange: the end, there and back; a failure, with its status in
// the lower half and words behind.
#define TR_MESSAGE_HEAD sizeof(uint64_t)
#define TR_MESSAGE_WORDS 1024  // bytes of them, at most
#define TR_MESSAGE_END (UINT64_C(1) << 62)
#define TR_MESSAGE_FAILED (UINT64_C(1) << 63)

typedef struct trServer {
    const trModule *module;
    trModuleFace    face;
    trArena        *arena;
    trExchange      answers;  // where they are put
    unsigned char  *bytes;    // of the answer
} trServer;

// TR_E_MODEL for a module that does not fit the contract. The arena owns what it needs.
trStatus tr_server_plan(trArena *arena, const trModule *module, const char *name, trServer *out);

// One message and its answer, which stays until the next call. What fails is an answer, too.
void tr_server_answer(trServer *server, const void *bytes, size_t count, const void **answer,
                      size_t *answer_count);

// All of it. `named`: the name was told, not the module's own. `patience`: until the coordinator
// answers the hello [s]. TR_E_PARTNER: the coordinator is gone, silent, or does not want this one.
trStatus tr_server_run(trServer *server, bool named, double patience, const trLink *link);

// In place of it, for what cannot be a module: the coordinator is told why. Returns once it knows.
void tr_server_refuse(trArena *arena, const char *name, const char *words, double patience,
                      const trLink *link);

#endif
