// SPDX-License-Identifier: MIT
// The first message of a module, `hello`, and the coordinator's answer, `welcome`. Both begin with
// what is read before anything else is believed: a mark, the order of bytes, the version of the
// protocol, sizes of numbers.

#ifndef TR_GLUE_GREETING_H
#define TR_GLUE_GREETING_H

#include "base/arena.h"
#include "glue/exchange.h"
#include "glue/process.h"

#define TR_PROTOCOL_VERSION 1

typedef struct trHello {
    trModuleFace face;   // its name is the module's own, or what it was told
    bool         named;  // told, as by --name: then it must be one of the assembly's
    const char  *words;  // why it cannot be a module, one line; NULL or "": it can
    trProcess    process;
} trHello;

typedef struct trWelcome {
    trStatus    status;   // TR_OK, or the module is not wanted
    const char *words;    // the module's name in the assembly, or why not
    double      silence;  // after this long without a message the coordinator is lost [s]
    trProcess   process;
} trWelcome;

// As bytes, of the arena.
trStatus tr_hello_pack(trArena *arena, const trHello *hello, const void **bytes, size_t *count);
trStatus tr_welcome_pack(trArena *arena, const trWelcome *welcome, const void **bytes,
                         size_t *count);

// TR_E_PARTNER with words where it is none, or of another version or kind of machine.
trStatus tr_hello_unpack(trArena *arena, const void *bytes, size_t count, trHello *out);
trStatus tr_welcome_unpack(trArena *arena, const void *bytes, size_t count, trWelcome *out);

#endif
