// SPDX-License-Identifier: MIT
// A link takes bytes to partners in other processes and brings theirs. It knows nothing of modules.
// The coordinator's partners are the modules, 0 .. partners - 1; a module's only partner is the
// coordinator, 0. One message there and one back: a partner never has two on their way to it.
//
// Nothing here waits: what cannot be done at once says so, and is asked again (glue/wait.h).

#ifndef TR_GLUE_LINK_H
#define TR_GLUE_LINK_H

#include <stddef.h>
#include <stdint.h>

#define TR_LINK_VERSION 1

typedef enum trLinked {
    TR_LINK_BROKEN = -1,
    TR_LINK_NOT_YET = 0,
    TR_LINK_DONE = 1,
} trLinked;

typedef struct trLink {
    int   version;  // TR_LINK_VERSION
    int   partners;
    void *self;  // handed to all functions
    // Copies the bytes and sends them; not yet where the message before is still on its way.
    trLinked (*send)(void *self, int partner, const void *bytes, size_t count);
    // The next message of the partner, if it has come; it stays until the next call for it.
    trLinked (*poll)(void *self, int partner, const void **bytes, size_t *count);
    const char *(*where)(void *self, int partner);  // "rank 2"
    // What really went over it so far, both ways.
    void (*traffic)(void *self, int64_t *messages, int64_t *bytes);
    void (*abort)(void *self, int code);  // ends all partners and this process; does not return
    void (*close)(void *self);            // in good order: all partners close, too
} trLink;

#endif
